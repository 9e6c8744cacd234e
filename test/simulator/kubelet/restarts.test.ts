import { describe, expect, test } from 'vitest';
import { dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import { condition, container, events, fault, machineRoom, podOn, put, shell, status } from './machine-room.ts';

const STOPS = 'trap exit TERM; while :; do sleep 1; done';
const failing = { exec: { command: ['sh', '-c', 'echo cache cold; echo no index >&2; exit 1'] }, periodSeconds: 5, failureThreshold: 1 };

describe('a container its probe gives up', () => {
  test('is started again in the same breath, and first waits at its third end: the wait goes by the end before', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', shell(STOPS, { livenessProbe: failing }), { terminationGracePeriodSeconds: 2 }));
    cluster.advance(14_000);
    expect(dig(container(cluster, 'web'), 'restartCount')).toBe(2);
    expect(events(cluster, 'web').filter((line) => line.includes('BackOff'))).toEqual([]);
    cluster.advance(60_000);
    expect(events(cluster, 'web').some((line) => line.startsWith('Warning BackOff'))).toBe(true);
  });

  test('says what its command wrote, line ends and all', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', shell(STOPS, { livenessProbe: failing })));
    cluster.advance(8000);
    expect(events(cluster, 'web').some((line) => line.endsWith('Liveness probe failed: cache cold\nno index\n'))).toBe(true);
  });

  test('of a pod that starts nothing again takes the pod with it', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', shell(STOPS, { livenessProbe: failing }), { restartPolicy: 'Never', terminationGracePeriodSeconds: 2 }));
    cluster.advance(12_000);
    expect(events(cluster, 'web').at(-1)).toBe('Normal Killing ×1 Stopping container web');
    expect(dig(status(cluster, 'web'), 'phase')).toBe('Succeeded');
  });
});

test('a hook runs when the program has got so far as to hear signals, and tells its own output apart from its errors', () => {
  const cluster = machineRoom();
  const seen: string[] = [];
  cluster.store.subscribe('pods', ({ object }) =>
    seen.push(textOf(dig(object, 'status', 'containerStatuses', 0, 'state', 'waiting', 'message'))),
  );
  put(
    cluster,
    podOn(
      'web',
      shell(STOPS, { lifecycle: { postStart: { exec: { command: ['sh', '-c', 'echo warming; echo no index >&2; exit 7'] } } } }),
      { terminationGracePeriodSeconds: 5 },
    ),
  );
  cluster.advance(8000);
  expect(seen.some((message) => message.endsWith('exited with 7: no index\n, message: "warming\\nno index\\n"'))).toBe(true);
  expect(dig(container(cluster, 'web'), 'lastState', 'terminated', 'exitCode')).toBe(0);
});

test('a rule of the container starts it again though its pod never does', () => {
  const cluster = machineRoom();
  const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }];
  put(
    cluster,
    podOn('import', shell('exit 42', { restartPolicy: 'Never', restartPolicyRules: rules }), { restartPolicy: 'Never' }),
    podOn('other', shell('exit 41', { restartPolicy: 'Never', restartPolicyRules: rules }), { restartPolicy: 'Never' }),
  );
  cluster.advance(8000);
  expect(dig(container(cluster, 'import'), 'restartCount')).toBe(1);
  expect(dig(status(cluster, 'import'), 'phase')).toBe('Running');
  expect(dig(status(cluster, 'other'), 'phase')).toBe('Failed');
});

test.each([
  [1, 10],
  [1.5, 15],
])('the wait after a crash is stretched %d times where that is not left to chance', (factor, seconds) => {
  const cluster = machineRoom();
  fault(cluster, 'machine', 'worker-1', { backOffFactor: factor });
  put(cluster, podOn('web', shell('sleep 3; exit 1')));
  const starts: number[] = [];
  cluster.store.subscribe('pods', ({ object }) => {
    if (dig(object, 'status', 'containerStatuses', 0, 'restartCount') === starts.length) starts.push(cluster.now());
  });
  cluster.advance(60_000);
  const waited = ((starts[2] ?? 0) - (starts[1] ?? 0)) / 1000 - 3;
  // A look at the runtime each second, one of the sync loop, and the start itself.
  expect(waited).toBeGreaterThanOrEqual(seconds);
  expect(waited).toBeLessThan(seconds + 2.5);
});

test('a sidecar that crashes does not take back that the pod has been initialized', () => {
  const cluster = machineRoom();
  const sidecar = {
    name: 'proxy',
    image: 'registry.example/shop/proxy:1.0',
    restartPolicy: 'Always',
    command: ['sh', '-c', 'sleep 2; exit 1'],
  };
  put(cluster, podOn('web', shell(STOPS), { initContainers: [sidecar] }));
  cluster.advance(9000);
  expect(dig(status(cluster, 'web'), 'initContainerStatuses', 0, 'state', 'terminated', 'exitCode')).toBe(1);
  expect(condition(cluster, 'web', 'Initialized')).toBe('True');
  expect(condition(cluster, 'web', 'Ready')).toBe('False ContainersNotReady containers with unready status: [proxy]');
});

describe('a container that is not created', () => {
  test('asks for the limits of one that is not there', () => {
    const cluster = machineRoom();
    put(
      cluster,
      podOn('web', { env: [{ name: 'CPUS', valueFrom: { resourceFieldRef: { containerName: 'cache', resource: 'limits.cpu' } } }] }),
    );
    cluster.advance(3000);
    expect(dig(container(cluster, 'web'), 'state', 'waiting')).toEqual({
      reason: 'CreateContainerConfigError',
      message: 'container cache not found',
    });
  });

  test('has a variable in its subPathExpr that nothing sets', () => {
    const cluster = machineRoom();
    const mount = { name: 'data', mountPath: '/data', subPathExpr: 'logs/$(REGION)/$(POD)' };
    put(
      cluster,
      podOn('web', { env: [{ name: 'POD', value: 'web' }], volumeMounts: [mount] }, { volumes: [{ name: 'data', emptyDir: {} }] }),
    );
    cluster.advance(3000);
    expect(dig(container(cluster, 'web'), 'state', 'waiting', 'message')).toBe('missing value for REGION');
  });

  test('has a subPath that leads through a file', () => {
    const cluster = machineRoom();
    const data = { name: 'data', mountPath: '/data' };
    put(
      cluster,
      podOn(
        'web',
        { volumeMounts: [{ ...data, subPath: 'index/today' }] },
        {
          volumes: [{ name: 'data', emptyDir: {} }],
          initContainers: [
            { name: 'fill', image: 'registry.example/shop/web:1.0', command: ['sh', '-c', 'echo 1 > /data/index'], volumeMounts: [data] },
          ],
        },
      ),
    );
    cluster.advance(20_000);
    expect(dig(container(cluster, 'web'), 'state', 'waiting', 'message')).toBe(
      'failed to prepare subPath for volumeMount "data" of container "web"',
    );
  });
});

describe('a program that may not', () => {
  const code = (script: string, more = {}): unknown => {
    const cluster = machineRoom();
    put(cluster, podOn('web', shell(script, more), { restartPolicy: 'Never' }));
    cluster.advance(4000);
    return dig(container(cluster, 'web'), 'state', 'terminated', 'exitCode');
  };

  test('write where the image belongs to root', () => {
    const other = { securityContext: { runAsUser: 1000 } };
    expect(code('echo 1 > /index', other)).toBe(1);
    expect(code('echo 1 > /tmp/index', other)).toBe(0);
    expect(code('mkdir /tmp/a && echo 1 > /tmp/a/index', other)).toBe(0);
    expect(code('echo 1 > /index')).toBe(0);
  });

  test('be run', () => {
    expect(code('/etc/passwd')).toBe(126);
  });
});
