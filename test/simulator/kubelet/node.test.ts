import { describe, expect, test } from 'vitest';
import { asList, dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { AddressPool } from '../../../src/simulator/kubelet/runtime/address-pool.ts';
import { condition, container, events, fault, get, machineRoom, partFault, podOn, put, shell, status } from './machine-room.ts';

function ready(cluster: Cluster): string {
  const found = asList(dig(cluster.store.get('nodes', undefined, 'worker-1'), 'status', 'conditions')).find(
    (each) => dig(each, 'type') === 'Ready',
  );
  return `${textOf(dig(found, 'status'))} ${textOf(dig(found, 'message'))}`;
}

test('an AppArmor profile that is not loaded keeps its container from being made', () => {
  const cluster = machineRoom({ setup: [partFault('machine', 'worker-1', { appArmorProfiles: ['till-deny-write'] })] });
  const confined = (localhostProfile: string) => ({ securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile } } });
  put(
    cluster,
    podOn('till', confined('till-deny-write')),
    podOn('web', confined('web-deny-write')),
    podOn('free', { securityContext: { appArmorProfile: { type: 'Unconfined' } } }),
  );
  cluster.advance(5000);
  expect(condition(cluster, 'till', 'Ready')).toBe('True');
  expect(condition(cluster, 'free', 'Ready')).toBe('True');
  const message = 'failed to get container spec opts: failed to generate apparmor spec opts: apparmor profile not found web-deny-write';
  expect(dig(container(cluster, 'web'), 'state', 'waiting')).toEqual({ reason: 'CreateContainerError', message });
  expect(events(cluster, 'web').find((line) => line.startsWith('Warning Failed'))).toContain(`Error: ${message}`);
});

describe('a pod the kubelet does not take', () => {
  test.each([
    [
      'asks for too much',
      podOn('web', { resources: { requests: { cpu: '5' } } }),
      'OutOfcpu',
      "Node didn't have enough resource: cpu, requested: 5000, used: 0, capacity: 4000",
    ],
    [
      'wants another node',
      podOn('web', {}, { nodeSelector: { disk: 'ssd' } }),
      'NodeAffinity',
      "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    ],
    [
      'is for Windows',
      podOn('web', {}, { os: { name: 'windows' } }),
      'PodOSNotSupported',
      "Failed to admit pod as the OS field doesn't match node OS",
    ],
    [
      'is labelled for Windows',
      { ...podOn('web'), metadata: { name: 'web', namespace: 'shop', labels: { 'kubernetes.io/os': 'windows' } } },
      'PodOSSelectorNodeLabelDoesNotMatch',
      "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    ],
    [
      'sets a sysctl',
      podOn('web', {}, { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }),
      'SysctlForbidden',
      'forbidden sysctl: "kernel.msgmax" not allowlisted',
    ],
    [
      'wants a profile the kernel cannot enforce',
      podOn('web', { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } }),
      'AppArmor',
      'Cannot enforce AppArmor: AppArmor is not enabled on the host',
    ],
  ])('because it %s has failed with nothing else to say', (_, pod, reason, message) => {
    const cluster = machineRoom({ setup: [partFault('machine', 'worker-1', { appArmorMissing: true })] });
    put(cluster, pod);
    cluster.advance(2000);
    expect(events(cluster, 'web')).toEqual([`Warning ${reason} ×1 ${message}`]);
    expect(status(cluster, 'web')).toMatchObject({ phase: 'Failed', reason, message: `Pod was rejected: ${message}` });
    expect(asList(dig(status(cluster, 'web'), 'conditions'))).toEqual([]);
    expect(dig(status(cluster, 'web'), 'containerStatuses')).toBeUndefined();
  });

  test('is read before its status is written: that takes two requests', () => {
    const cluster = machineRoom();
    const moments: number[] = [];
    cluster.store.subscribe('pods', () => moments.push(cluster.now()));
    put(cluster, podOn('web', { resources: { requests: { cpu: '5' } } }));
    cluster.advance(1000);
    const [created = 0, failed = 0] = moments;
    expect(failed - created).toBeGreaterThan(4);
    expect(failed - created).toBeLessThan(8);
  });

  test('because its host port is taken says so, and can be deleted', () => {
    const cluster = machineRoom();
    put(
      cluster,
      podOn('first', { ports: [{ containerPort: 80, hostPort: 8080 }] }),
      podOn('second', { ports: [{ containerPort: 80, hostPort: 8080 }] }),
    );
    cluster.advance(3000);
    expect(condition(cluster, 'first', 'Ready')).toBe('True');
    expect(dig(status(cluster, 'second'), 'reason')).toBe('NodePorts');
    cluster.request({ verb: 'delete', group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'second' });
    cluster.advance(3000);
    expect(get(cluster, 'pods', 'second')).toBeUndefined();
  });
});

describe('a sandbox', () => {
  test('cannot be made while the container runtime is down; the node is not ready after 30 s, and all comes up afterwards', () => {
    const cluster = machineRoom();
    put(cluster, podOn('before'));
    cluster.advance(5000);
    fault(cluster, 'machine', 'worker-1', { down: true });
    put(cluster, podOn('after'));
    cluster.advance(20_000);
    expect(ready(cluster)).toBe('True kubelet is posting ready status');
    cluster.advance(20_000);
    expect(ready(cluster)).toBe('False container runtime is down');
    expect(events(cluster, 'after')).toHaveLength(1);
    expect(events(cluster, 'after')[0]).toMatch(
      /^Warning FailedCreatePodSandBox ×1 Failed to create pod sandbox: rpc error: code = Unavailable/,
    );
    expect(condition(cluster, 'before', 'Ready')).toBe('True');
    fault(cluster, 'machine', 'worker-1', { down: false });
    cluster.advance(20_000);
    expect(ready(cluster)).toBe('True kubelet is posting ready status');
    expect(condition(cluster, 'after', 'Ready')).toBe('True');
  });

  test('without a CNI configuration is not tried; pods in the network of the machine run', () => {
    const cluster = machineRoom({ setup: [partFault('machine', 'worker-1', { cniConfigMissing: true })] });
    put(cluster, podOn('web'), podOn('agent', {}, { hostNetwork: true }));
    cluster.advance(10_000);
    expect(ready(cluster)).toMatch(/^False container runtime network not ready: /);
    expect(events(cluster, 'web')[0]).toMatch(/^Warning NetworkNotReady ×\d+ network is not ready: container runtime network not ready/);
    expect(condition(cluster, 'agent', 'Ready')).toBe('True');
  });

  test('without the CNI program says which, with another sandbox each time', () => {
    const cluster = machineRoom({ setup: [partFault('machine', 'worker-1', { cniBinaryMissing: true })] });
    put(cluster, podOn('web'));
    cluster.advance(40_000);
    expect(events(cluster, 'web').length).toBeGreaterThan(2);
    expect(events(cluster, 'web')[0]).toContain('plugin type="bridge" failed (add): failed to find plugin "bridge" in path [/opt/cni/bin]');
  });

  test('gets no address when all are taken', () => {
    const cluster = machineRoom({ preset: { nodes: [{ name: 'worker-1', podNetwork: '10.9.0.0/30' }] } });
    put(cluster, podOn('first'), podOn('second'));
    cluster.advance(5000);
    // Whose turn comes second is chance.
    expect([...events(cluster, 'first'), ...events(cluster, 'second')].join('\n')).toContain(
      'failed to allocate for range 0: no IP addresses available in range set: 10.9.0.1-10.9.0.2',
    );
  });
});

test('no sandbox is made of an image that cannot be pulled, and the code of the error is that of its cause', () => {
  const cluster = machineRoom({
    setup: [
      partFault('registry', 'registry.example', { repositories: { 'shop/web': { tags: ['1.0'] } } }),
      partFault('machine', 'worker-1', { sandboxImage: 'registry.example/pause:9' }),
    ],
  });
  put(cluster, podOn('web', {}, { hostNetwork: true }));
  cluster.advance(3000);
  expect(events(cluster, 'web')[0]).toMatch(
    /^Warning FailedCreatePodSandBox ×1 Failed to create pod sandbox: rpc error: code = NotFound desc = failed to start sandbox "[0-9a-f]{64}": failed to get sandbox image "registry\.example\/pause:9": failed to pull image "registry\.example\/pause:9": failed to pull and unpack image .*: not found$/,
  );
});

test('what a machine has left of its network can be little', () => {
  const cluster = machineRoom();
  fault(cluster, 'machine', 'worker-1', { podNetwork: '10.9.0.20-10.9.0.20' });
  put(cluster, podOn('first'), podOn('second'));
  cluster.advance(5000);
  expect([status(cluster, 'first'), status(cluster, 'second')].filter((each) => dig(each, 'podIP') === '10.9.0.20')).toHaveLength(1);
  expect([...events(cluster, 'first'), ...events(cluster, 'second')].join('\n')).toContain(
    'no IP addresses available in range set: 10.9.0.20-10.9.0.20',
  );
  fault(cluster, 'machine', 'worker-1', { podNetwork: false });
  cluster.advance(30_000);
  expect([condition(cluster, 'first', 'Ready'), condition(cluster, 'second', 'Ready')]).toEqual(['True', 'True']);
});

test('addresses are given out in order, and again only after the last', () => {
  const pool = new AddressPool('10.9.0.0/29');
  expect([pool.take(), pool.take()]).toEqual(['10.9.0.2', '10.9.0.3']);
  pool.release('10.9.0.2');
  expect([pool.take(), pool.take(), pool.take(), pool.take(), pool.take()]).toEqual([
    '10.9.0.4',
    '10.9.0.5',
    '10.9.0.6',
    '10.9.0.2',
    undefined,
  ]);
});

describe('a machine short of memory', () => {
  test('says so and ends the pod that uses more than it asked for', () => {
    const cluster = machineRoom({
      setup: [partFault('behaviour', 'registry.example/shop/web', { memory: [{ afterSeconds: 0, bytes: 50_000_000 }] })],
    });
    put(cluster, podOn('modest', { resources: { requests: { memory: '64Mi' } } }), podOn('greedy'));
    cluster.advance(5000);
    fault(cluster, 'machine', 'worker-1', { memoryBytes: 8_400_000_000 });
    cluster.advance(15_000);
    expect(dig(status(cluster, 'greedy'), 'reason') ?? dig(status(cluster, 'greedy'), 'phase')).toMatch(/Evicted|Succeeded/);
    expect(
      events(cluster, 'greedy').some((line) =>
        /^Warning Evicted ×1 The node was low on resource: memory\. Threshold quantity: 100Mi, available: \d+Ki\. Container web was using \d+Ki, request is 0, has larger consumption of memory\. $/.test(
          line,
        ),
      ),
    ).toBe(true);
    expect(events(cluster, 'worker-1')).toContain(
      'Normal NodeHasInsufficientMemory ×1 Node worker-1 status is now: NodeHasInsufficientMemory',
    );
    expect(condition(cluster, 'greedy', 'DisruptionTarget')).toMatch(/^True TerminationByKubelet/);
  });

  test('is rid of the pressure five minutes after the shortage', () => {
    const cluster = machineRoom();
    fault(cluster, 'machine', 'worker-1', { memoryBytes: 8_580_000_000 });
    cluster.advance(15_000);
    fault(cluster, 'machine', 'worker-1', { memoryBytes: 0 });
    put(cluster, podOn('late', {}, { tolerations: [] }));
    cluster.advance(5000);
    expect(dig(status(cluster, 'late'), 'message')).toBe('Pod was rejected: The node had condition: [MemoryPressure]. ');
    cluster.advance(330_000);
    expect(events(cluster, 'worker-1')).toContain('Normal NodeHasSufficientMemory ×2 Node worker-1 status is now: NodeHasSufficientMemory');
  });
});

describe('a kubelet that is stopped', () => {
  test('knows when it starts again what is short, and ends the pod that asked for nothing', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', {}, { tolerations: [] }));
    cluster.advance(5000);
    cluster.inject({ fault: 'stop', process: 'kubelet', node: 'worker-1' });
    fault(cluster, 'machine', 'worker-1', { memoryBytes: 8_580_000_000 });
    cluster.advance(60_000);
    cluster.inject({ fault: 'start', process: 'kubelet', node: 'worker-1' });
    cluster.advance(1000);
    // It has no worker, and is stopped by the housekeeping.
    expect(status(cluster, 'web')).toMatchObject({ phase: 'Running' });
    expect(asList(dig(status(cluster, 'web'), 'conditions'))).toEqual([]);
    expect(dig(status(cluster, 'web'), 'containerStatuses')).toBeUndefined();
    cluster.advance(8000);
    expect(events(cluster, 'web').slice(-3)).toEqual([
      'Warning Evicted ×1 The node had condition: [MemoryPressure]. ',
      expect.stringMatching(
        /^Warning FailedMount ×3 MountVolume\.SetUp failed for volume "kube-api-access-\w+" : object "shop"\/"kube-root-ca\.crt" not registered$/,
      ),
      'Normal Killing ×1 Stopping container web',
    ]);
    expect(status(cluster, 'web')).toMatchObject({ containerStatuses: [{ state: { terminated: {} } }] });
    expect(condition(cluster, 'web', 'Ready')).toMatch(/^False Pod(?:Completed|Failed)$/);
  });

  test.each([
    ['deleted', {}],
    ['deleted by force', { delete: { gracePeriodSeconds: 0 } }],
  ])('stops a pod that it did not take again and that is %s before', (_, options) => {
    const cluster = machineRoom();
    put(cluster, podOn('web', {}, { tolerations: [] }));
    cluster.advance(5000);
    cluster.inject({ fault: 'stop', process: 'kubelet', node: 'worker-1' });
    fault(cluster, 'machine', 'worker-1', { memoryBytes: 8_580_000_000 });
    cluster.inject({ fault: 'start', process: 'kubelet', node: 'worker-1' });
    cluster.advance(500);
    cluster.request({ verb: 'delete', group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'web', ...options });
    cluster.advance(40_000);
    expect(get(cluster, 'pods', 'web')).toBeUndefined();
    expect(events(cluster, 'web').filter((line) => line.startsWith('Normal Killing'))).toHaveLength(1);
  });

  test('leaves its containers running and takes them up again', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web'), podOn('crash', shell('sleep 20; exit 1')));
    cluster.advance(5000);
    cluster.inject({ fault: 'stop', process: 'kubelet', node: 'worker-1' });
    cluster.advance(60_000);
    expect(dig(container(cluster, 'crash'), 'state', 'running')).toBeDefined();
    expect(dig(container(cluster, 'crash'), 'restartCount')).toBe(0);
    cluster.inject({ fault: 'start', process: 'kubelet', node: 'worker-1' });
    cluster.advance(10_000);
    expect(dig(container(cluster, 'crash'), 'restartCount')).toBe(1);
    expect(dig(container(cluster, 'web'), 'restartCount')).toBe(0);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
  });

  test('after a reboot of the machine makes new sandboxes', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web'));
    cluster.advance(5000);
    fault(cluster, 'machine', 'worker-1', { reboot: true });
    cluster.advance(15_000);
    expect(events(cluster, 'web').some((line) => line.startsWith('Normal SandboxChanged'))).toBe(true);
    expect(dig(container(cluster, 'web'), 'restartCount')).toBe(1);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
  });
});

test('a static pod runs from a file, shows as a mirror, and goes with its file', () => {
  const cluster = machineRoom();
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'static-web', namespace: 'shop' },
    spec: { containers: [{ name: 'web', image: 'registry.example/shop/web:1.0' }] },
  };
  fault(cluster, 'machine', 'worker-1', { staticPod: { file: 'web.yaml', pod } });
  cluster.advance(5000);
  expect(condition(cluster, 'static-web-worker-1', 'Ready')).toBe('True');
  expect(dig(get(cluster, 'pods', 'static-web-worker-1'), 'metadata', 'ownerReferences', 0, 'kind')).toBe('Node');
  const first = get(cluster, 'pods', 'static-web-worker-1')?.metadata.uid;
  cluster.request({ verb: 'delete', group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'static-web-worker-1' });
  cluster.advance(1000);
  expect(get(cluster, 'pods', 'static-web-worker-1')?.metadata).not.toMatchObject({ uid: first });
  expect(get(cluster, 'pods', 'static-web-worker-1')?.metadata['deletionTimestamp']).toBeUndefined();
  // Its status has not changed: the mirror gets it when all are checked, every 10 s.
  expect(dig(get(cluster, 'pods', 'static-web-worker-1'), 'status', 'phase')).toBe('Pending');
  cluster.advance(10_000);
  expect(dig(container(cluster, 'static-web-worker-1'), 'restartCount')).toBe(0);
  expect(condition(cluster, 'static-web-worker-1', 'Ready')).toBe('True');
  fault(cluster, 'machine', 'worker-1', { staticPod: { file: 'web.yaml' } });
  cluster.advance(40_000);
  expect(get(cluster, 'pods', 'static-web-worker-1')).toBeUndefined();
});

test('the same seed gives the same trace', () => {
  const digests = [1, 2].map(() => {
    const cluster = machineRoom();
    put(cluster, podOn('web', { readinessProbe: { httpGet: { path: '/', port: 8080 } } }), podOn('crash', shell('exit 1')));
    cluster.advance(120_000);
    return cluster.digest();
  });
  expect(digests[0]).toBe(digests[1]);
});
