import { expect, test } from 'vitest';
import { asText, dig } from '../../src/base/json.ts';
import { withPath } from '../../src/base/json-edit.ts';
import type { ClusterOptions } from '../../src/simulator/cluster-options.ts';
import type { Cluster } from '../../src/simulator/cluster.ts';
import { createCluster, DEFAULT_START, loadCluster } from '../../src/simulator/cluster.ts';
import { deployment, namespace, send } from './shop.ts';
import { THIN_COMPONENTS } from './thin/components.ts';

function thin(options: Partial<ClusterOptions> = {}, trace?: (line: string) => void): Cluster {
  return createCluster({ seed: 1, ...options }, { components: THIN_COMPONENTS, freeze: true, ...(trace === undefined ? {} : { trace }) });
}

function rollOut(cluster: Cluster, replicas = 3): void {
  cluster.apply([namespace('shop'), deployment('web', replicas)]);
  cluster.runUntilSettled();
}

test('a Deployment becomes a ReplicaSet, pods, bindings and running pods', () => {
  const cluster = thin();
  rollOut(cluster);
  const pods = cluster.store.list('pods', 'shop');
  expect(pods.map((pod) => dig(pod, 'status', 'phase'))).toEqual(['Running', 'Running', 'Running']);
  expect(new Set(pods.map((pod) => dig(pod, 'spec', 'nodeName')))).toEqual(new Set(['worker-1', 'worker-2', 'worker-3']));
  expect(dig(cluster.store.get('deployments.apps', 'shop', 'web'), 'status', 'readyReplicas')).toBe(3);
});

test('each component acts under its own name', () => {
  const users = new Set<string>();
  const cluster = thin({}, (line) => {
    const record = JSON.parse(line) as { is: string; as?: string };
    if (record.is === 'request' && record.as !== undefined) users.add(record.as);
  });
  rollOut(cluster);
  expect(users).toContain('system:serviceaccount:kube-system:replicaset-controller');
  expect(users).toContain('system:kube-scheduler');
  expect(users).toContain('system:node:worker-2');
});

test('no component is refused anything in a healthy cluster', () => {
  const refused: string[] = [];
  const cluster = thin({}, (line) => void (line.includes('"code":403') && refused.push(line)));
  rollOut(cluster);
  expect(refused).toEqual([]);
});

test('the same seed and inputs give the same digest, another seed another', () => {
  const digestOf = (seed: number): string => {
    const cluster = thin({ seed });
    rollOut(cluster);
    return cluster.digest();
  };
  expect(digestOf(4)).toBe(digestOf(4));
  expect(digestOf(4)).not.toBe(digestOf(5));
});

test('looking at a cluster leaves no trace', async () => {
  const cluster = thin();
  rollOut(cluster);
  const before = cluster.digest();
  const pods = await cluster.reader().list('Pod', { namespace: 'shop' });
  expect(pods.ok && pods.value).toHaveLength(3);
  expect(cluster.digest()).toBe(before);
});

test('a fork begins as the cluster is and goes its own way', () => {
  const cluster = thin();
  rollOut(cluster);
  const fork = cluster.fork();
  expect(fork.digest()).toBe(cluster.digest());
  expect(cluster.diff(fork)).toEqual({ added: [], removed: [], changed: [] });
  const before = cluster.digest();
  send(fork, 'delete', 'Deployment', 'web');
  fork.advance(60_000);
  expect(cluster.digest()).toBe(before);
  expect(cluster.store.get('deployments.apps', 'shop', 'web')).toBeDefined();
  expect(cluster.diff(fork).removed).toContainEqual(expect.objectContaining({ kind: 'Deployment', name: 'web' }));
});

test('a fork in the middle of a roll-out ends as the original does', () => {
  const cluster = thin();
  cluster.apply([namespace('shop'), deployment('web', 3)]);
  cluster.advance(137);
  const fork = cluster.fork();
  cluster.runUntilSettled();
  fork.runUntilSettled();
  expect(fork.digest()).toBe(cluster.digest());
});

test('a cluster is saved as data and plays out the same from it', () => {
  const cluster = thin();
  rollOut(cluster);
  cluster.inject({ fault: 'stop', process: 'kubelet', node: 'worker-1' });
  cluster.advance(30_000);
  const saved = JSON.parse(JSON.stringify(cluster.save())) as ReturnType<Cluster['save']>;
  expect(loadCluster(saved, { components: THIN_COMPONENTS }).digest()).toBe(cluster.digest());
});

test('a saved cluster that plays out otherwise is refused', () => {
  const cluster = thin();
  rollOut(cluster);
  expect(() => loadCluster({ ...cluster.save(), digest: '0'.repeat(32) }, { components: THIN_COMPONENTS })).toThrow(
    'does not play out as it did',
  );
});

test('an earlier moment can be gone back to', () => {
  const cluster = thin();
  rollOut(cluster);
  const then = cluster.now();
  cluster.advance(10_000);
  send(cluster, 'delete', 'Deployment', 'web');
  const earlier = cluster.rewind(then);
  expect(earlier.now()).toBe(then);
  expect(earlier.store.get('deployments.apps', 'shop', 'web')).toBeDefined();
});

test('a cluster that cannot settle says which limit ended it and what was still to be done', () => {
  const cluster = thin();
  const web = withPath(deployment('web'), ['spec', 'template', 'spec', 'serviceAccountName'], 'nobody');
  cluster.apply([namespace('shop'), web]);
  const { settled, limit, pending } = cluster.runUntilSettled({ milliseconds: 600_000 });
  expect({ settled, limit }).toEqual({ settled: false, limit: 'milliseconds' });
  expect(pending).toContain(
    'replicaset shop/web-' + String(cluster.store.list('replicasets.apps', 'shop')[0]?.metadata.name.slice('web-'.length)),
  );
  expect(cluster.runUntilSettled({ milliseconds: 1000, pending: false })).toEqual({ settled: false, limit: 'milliseconds', pending: [] });
  expect(cluster.runUntilSettled({ tasks: 0, pending: false }).pending, 'who may go no further is told').not.toEqual([]);
});

test('time begins where it is told and passes only when it is told', () => {
  const cluster = createCluster({ seed: 1, preset: 'no-nodes', start: DEFAULT_START + 5000, boot: false }, { components: [] });
  expect(cluster.now()).toBe(DEFAULT_START + 5000);
  cluster.advance(86_400_000);
  expect(cluster.now()).toBe(DEFAULT_START + 86_405_000);
});

test('a stopped controller manager does nothing, and leads again when it has seen its old lease unchanged for 15 s', () => {
  const cluster = thin();
  cluster.apply([namespace('shop')]);
  cluster.runUntilSettled();
  cluster.inject({ fault: 'stop', process: 'kube-controller-manager' });
  cluster.apply([deployment('web')]);
  cluster.advance(60_000);
  expect(cluster.store.list('replicasets.apps', 'shop')).toEqual([]);
  cluster.inject({ fault: 'start', process: 'kube-controller-manager' });
  cluster.advance(14_900);
  expect(cluster.store.list('replicasets.apps', 'shop'), 'it does not trust the time in the lease').toEqual([]);
  cluster.runUntilSettled();
  expect(cluster.store.list('replicasets.apps', 'shop')).toHaveLength(1);
});

test('a stopped scheduler leaves its lease to the next one, which leads at once', () => {
  const cluster = thin();
  const holder = (): string | undefined =>
    asText(dig(cluster.store.get('leases.coordination.k8s.io', 'kube-system', 'kube-scheduler'), 'spec', 'holderIdentity'));
  cluster.advance(60_000);
  expect(holder()).toBe('kube-scheduler_1');
  cluster.inject({ fault: 'stop', process: 'kube-scheduler' });
  expect(holder()).toBeUndefined();
  cluster.inject({ fault: 'start', process: 'kube-scheduler' });
  expect(cluster.process('kube-scheduler')?.state).toBe('running');
  expect(holder()).toBe('kube-scheduler_2');
});

test('a restarted controller manager waits for the lease it left behind', () => {
  const cluster = thin();
  cluster.inject({ fault: 'restart', process: 'kube-controller-manager' });
  expect(cluster.process('kube-controller-manager')?.state).toBe('waiting');
  cluster.advance(14_900);
  expect(cluster.process('kube-controller-manager')?.state).toBe('waiting');
  cluster.advance(4600);
  expect(cluster.process('kube-controller-manager')?.state).toBe('running');
});

test('an API server that is gone for longer than ten seconds costs the leaders their leases', () => {
  const cluster = thin({ configuration: { supervised: false } });
  cluster.inject({ fault: 'stop', process: 'kube-apiserver' });
  cluster.advance(5000);
  expect(cluster.process('kube-scheduler')?.state).toBe('running');
  cluster.advance(6000);
  expect(cluster.process('kube-scheduler')?.state).toBe('stopped');
});

test('leaders that are restarted lead again when the API server is back', () => {
  const cluster = thin();
  cluster.inject({ fault: 'stop', process: 'kube-apiserver' });
  cluster.advance(60_000);
  expect(cluster.process('kube-scheduler')?.state).toBe('waiting');
  cluster.inject({ fault: 'start', process: 'kube-apiserver' });
  cluster.advance(30_000);
  expect(cluster.process('kube-scheduler')?.state).toBe('running');
  rollOut(cluster);
  expect(cluster.store.list('pods', 'shop').map((pod) => dig(pod, 'status', 'phase'))).toEqual(['Running', 'Running', 'Running']);
});

test('an API server that is down refuses connections', () => {
  const cluster = thin();
  cluster.inject({ fault: 'stop', process: 'kube-apiserver' });
  const answer = send(cluster, 'list', 'Pod', undefined);
  expect(answer).toMatchObject({ ok: false, code: 0, message: 'dial tcp 10.77.0.1:6443: connect: connection refused' });
});

test('a kubelet whose certificate ends stops to beat at that moment, and beats again when it is renewed', () => {
  const cluster = thin();
  const end = cluster.now() + 3_600_000;
  cluster.inject({ fault: 'certificate', name: 'kubelet-worker-1', notAfter: end });
  cluster.advance(7_200_000);
  const renewTime = (): string | undefined => {
    const lease = cluster.request({
      verb: 'get',
      group: 'coordination.k8s.io',
      version: 'v1',
      resource: 'leases',
      namespace: 'kube-node-lease',
      name: 'worker-1',
    });
    return lease.ok ? asText(dig(lease.object, 'spec', 'renewTime')) : undefined;
  };
  expect(Date.parse(renewTime() ?? '')).toBeLessThanOrEqual(end);
  expect(Date.parse(renewTime() ?? '')).toBeGreaterThan(end - 10_001);
  cluster.inject({ fault: 'certificate', name: 'kubelet-worker-1', notAfter: cluster.now() + 86_400_000 });
  cluster.advance(60_000);
  expect(Date.parse(renewTime() ?? '')).toBeGreaterThan(cluster.now() - 10_001);
});

test('a day of heartbeats costs next to nothing', () => {
  const cluster = thin();
  const before = cluster.steps;
  cluster.advance(86_400_000);
  expect(cluster.steps - before).toBeLessThan(50);
});

test('the serving certificate of the API server ends and clients cannot connect', () => {
  const cluster = thin();
  cluster.inject({ fault: 'certificate', name: 'apiserver', notAfter: cluster.now() + 60_000 });
  cluster.advance(120_000);
  const answer = send(cluster, 'list', 'Pod', undefined);
  expect(answer.ok ? '' : answer.message).toMatch(
    /^tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time .* is after /,
  );
});

test('a slowed component is as late as it is slowed', () => {
  const cluster = thin();
  cluster.inject({ fault: 'slow', process: 'kube-scheduler', milliseconds: 20_000 });
  cluster.apply([namespace('shop'), deployment('web', 1)]);
  cluster.advance(15_000);
  expect(cluster.store.list('pods', 'shop').map((pod) => dig(pod, 'spec', 'nodeName'))).toEqual([undefined]);
  cluster.advance(60_000);
  expect(cluster.store.list('pods', 'shop').map((pod) => dig(pod, 'status', 'phase'))).toEqual(['Running']);
});

test("a server that is reached by loopback tells others its machine's own address", () => {
  const cluster = createCluster({ seed: 1, configuration: { serverAddress: '127.0.0.1' }, boot: false });
  expect(cluster.store.get('endpointslices.discovery.k8s.io', 'default', 'kubernetes')).toMatchObject({
    endpoints: [{ addresses: ['10.77.0.1'] }],
  });
});
