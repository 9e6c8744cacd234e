import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { asList, asText, dig } from '../../src/base/json.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import type { Cluster } from '../../src/simulator/cluster.ts';
import { createCluster, DEFAULT_START, loadCluster } from '../../src/simulator/cluster.ts';
import type { Fault } from '../../src/simulator/outside/faults.ts';
import { replayTrace } from '../../src/simulator/trace/replay.ts';
import { readTrace, traceEnd } from '../../src/simulator/trace/trace-file.ts';

const HOUR = 3_600_000;

describe('a long time that passes in one go', () => {
  it.each([
    ['ends at once', 1, ['sh', '-c', 'exit 1']],
    ['works for a while', 2, ['sh', '-c', 'echo open; sleep 3; exit 2']],
  ])('leaves a Deployment whose container %s as if somebody had looked all the time', (_, seed, command) => {
    const [unseen, looked] = [shop(seed, command, { replicas: 1 }), shop(seed, command, { replicas: 1 })];
    unseen.advance(5 * HOUR);
    for (let slice = 0; slice < 30; slice++) looked.advance(HOUR / 6);
    expect(seen(unseen)).toEqual(seen(looked));
    expect(restarts(unseen)).toBeGreaterThan(45);
    expect(unseen.steps).toBeLessThan(looked.steps / 4);
  });

  it('does not take a rollout for stuck whose pods are ready for a blink between their crashes', () => {
    const never = { replicas: 2, minReadySeconds: 30 };
    const [unseen, looked] = [shop(6, ['sh', '-c', 'sleep 2; exit 1'], never), shop(6, ['sh', '-c', 'sleep 2; exit 1'], never)];
    unseen.advance(3 * HOUR);
    for (let slice = 0; slice < 18; slice++) looked.advance(HOUR / 6);
    const conditions = (cluster: Cluster): unknown => dig(cluster.store.get('deployments.apps', 'shop', 'cart'), 'status', 'conditions');
    expect(conditions(unseen)).toEqual(conditions(looked));
    expect(conditions(unseen)).toContainEqual(
      expect.objectContaining({ type: 'Progressing', reason: 'ReplicaSetUpdated', status: 'True' }),
    );
    expect(unseen.steps).toBeLessThan(looked.steps / 2);
  });

  it('lives through what turns things: a kubelet without a certificate, and what becomes of its pods', () => {
    const setup = [{ fault: 'certificate', name: 'kubelet-worker-2', notAfter: DEFAULT_START + 2 * HOUR }] as const;
    const [unseen, looked] = [shop(4, ['sh', '-c', 'exit 1'], { setup }), shop(4, ['sh', '-c', 'exit 1'], { setup })];
    unseen.advance(4 * HOUR);
    for (let slice = 0; slice < 24; slice++) looked.advance(HOUR / 6);
    expect(seen(unseen)).toEqual(seen(looked));
    expect(nodesOf(unseen)).not.toContain('worker-2');
    expect(dig(unseen.store.get('nodes', undefined, 'worker-2'), 'spec', 'taints', 0, 'key')).toBe('node.kubernetes.io/unreachable');
  });

  it('is lived through where each restart may come to something else', () => {
    const cluster = shop(4, ['sh', '-c', 'wget -q -O- http://stock/ || exit 1']);
    const steps = cluster.steps;
    cluster.advance(2 * HOUR);
    expect(cluster.steps - steps).toBeGreaterThan(2000);
  });

  it('is lived through while somebody watches', () => {
    const cluster = shop(1, ['sh', '-c', 'exit 1']);
    const counts: unknown[] = [];
    const started = cluster.watch(
      { verb: 'watch', group: '', version: 'v1', resource: 'pods', namespace: 'shop' },
      ({ object }) => counts.push(dig(object, 'status', 'containerStatuses', 0, 'restartCount')),
      () => undefined,
    );
    expect(started.ok).toBe(true);
    cluster.advance(2 * HOUR);
    const most = Math.max(...counts.map(Number).filter((count) => !Number.isNaN(count)));
    expect(new Set(counts.filter((count) => typeof count === 'number')).size).toBe(most + 1);
    expect(most).toBeGreaterThan(20);
  });

  it('is the same whenever it is played: saved, loaded, forked, and recorded', () => {
    const lines: string[] = [];
    const cluster = shop(5, ['sh', '-c', 'exit 1'], { trace: (line) => lines.push(line) });
    cluster.advance(3 * HOUR);
    cluster.advance(1000);
    expect(cluster.fork().digest()).toBe(cluster.digest());
    expect(loadCluster(cluster.save()).digest()).toBe(cluster.digest());
    const trace = readTrace([...lines, traceEnd(cluster)].join('\n'), 'shop.trace');
    const replay = replayTrace(trace, undefined);
    expect([replay.difference, replay.intact, replay.cluster.digest()]).toEqual([undefined, true, cluster.digest()]);
  });

  it('can be looked into: the state at an instant within it is the one there was', () => {
    const lines: string[] = [];
    const cluster = shop(5, ['sh', '-c', 'exit 1'], { trace: (line) => lines.push(line) });
    const looked = shop(5, ['sh', '-c', 'exit 1']);
    const begin = cluster.now();
    cluster.advance(6 * HOUR);
    for (let slice = 0; slice < 12; slice++) looked.advance(HOUR / 4);
    expect(podStatuses(cluster.rewind(begin + 3 * HOUR))).toEqual(podStatuses(looked));
    const replay = replayTrace(readTrace([...lines, traceEnd(cluster)].join('\n'), 'shop.trace'), begin + 3 * HOUR);
    expect(replay.difference).toBeUndefined();
    expect(podStatuses(replay.cluster)).toEqual(podStatuses(looked));
  });
});

interface ShopOptions {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly setup?: readonly Fault[];
  readonly trace?: (line: string) => void;
}

function shop(
  seed: number,
  command: readonly string[],
  { replicas = 4, minReadySeconds = 0, setup = [], trace }: ShopOptions = {},
): Cluster {
  const cluster = createCluster(
    { seed, setup, objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }] },
    { freeze: true, ...(trace === undefined ? {} : { trace }) },
  );
  const labels = { app: 'cart' };
  const spec = { containers: [{ name: 'cart', image: 'busybox:1.36', command: [...command] }] };
  cluster.apply([
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'cart', namespace: 'shop' },
      spec: { replicas, minReadySeconds, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    },
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'cart', namespace: 'shop' }, spec: { selector: labels, ports: [{ port: 80 }] } },
  ]);
  return cluster;
}

/** All but revisions and the times of writing, of which there are fewer; events by what they say. */
function seen(cluster: Cluster): readonly JsonObject[] {
  const plain = (object: KubeObject): JsonObject => ({
    kind: object.kind,
    name: object.metadata.name,
    uid: object.metadata.uid ?? '',
    spec: object['spec'] ?? {},
    status: object['status'] ?? {},
  });
  const events = cluster.store.list('events', 'shop').map((event): JsonObject => ({
    about: dig(event, 'involvedObject', 'name') ?? '',
    reason: event['reason'] ?? '',
    count: event['count'] ?? 0,
    first: event['firstTimestamp'] ?? '',
    last: event['lastTimestamp'] ?? '',
  }));
  return [
    ...['pods', 'replicasets.apps', 'deployments.apps'].flatMap((resource) => cluster.store.list(resource, 'shop')).map(plain),
    ...events.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  ];
}

function restarts(cluster: Cluster): number {
  let sum = 0;
  for (const pod of cluster.store.list('pods', 'shop'))
    for (const status of asList(dig(pod, 'status', 'containerStatuses'))) sum += Number(dig(status, 'restartCount'));
  return sum;
}

function podStatuses(cluster: Cluster): readonly (Json | undefined)[] {
  return cluster.store.list('pods', 'shop').map((pod) => pod['status']);
}

function nodesOf(cluster: Cluster): readonly (string | undefined)[] {
  return cluster.store
    .list('pods', 'shop')
    .filter(({ metadata }) => metadata['deletionTimestamp'] === undefined)
    .map((pod) => asText(dig(pod, 'spec', 'nodeName')));
}
