import type { JsonObject } from '../../src/base/json.ts';
import { asList, asNumber, asText, dig } from '../../src/base/json.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import type { Cluster } from '../../src/simulator/cluster.ts';
import { createCluster } from '../../src/simulator/cluster.ts';
import type { Load } from './loads.ts';
import { deployment, isReadyPod, NAMESPACE } from './shop-objects.ts';

/** Loads of pods behind Services. A pod counts only when it is ready and its Service sends to it, in both forms of endpoints. */
export const SERVICE_LOADS: readonly Load[] = [
  applied('sim-services', 1000, 10_000),
  applied('sim-services-quarter', 250, 2500),
  {
    name: 'sim-update',
    expected: 10_000,
    prepare: () => running(workers(1000), 10_000),
    play: (cluster) => {
      const before = new Set(cluster.store.list('pods', 'shop').map(({ metadata }) => metadata.uid));
      cluster.apply(workloads(10_000, 'nginx:1.28'));
      const replaced = () =>
        cluster.store.count('pods', 'shop') > 10_000 ? 0 : served(cluster, ({ metadata }) => !before.has(metadata.uid));
      return advanceUntil(cluster, 90, replaced, 10_000);
    },
  },
  lost('sim-node-loss', { nodes: 5000, pods: 20_000, isLost: (name) => name === 'worker-7' }),
  lost('sim-zone-loss', { nodes: 300, pods: 3000, isLost: (_, zone) => zone === 'zone-a' }),
  applied('sim-large', 5000, 150_000),
];

/** Deployments and Services, from apply until every pod is behind its Service. */
function applied(name: string, nodes: number, pods: number): Load {
  return {
    name,
    expected: pods,
    prepare: () => clusterOf(workers(nodes)),
    play: (cluster) => {
      cluster.apply([...services(pods), ...workloads(pods, 'nginx:1.27')]);
      return advanceUntil(cluster, pods / 500 + 30, () => served(cluster), pods);
    },
  };
}

/** Machines of a running cluster fall silent, until all pods are behind their Services elsewhere. */
function lost(
  name: string,
  { nodes, pods, isLost }: { readonly nodes: number; readonly pods: number; readonly isLost: (name: string, zone: string) => boolean },
): Load {
  return {
    name,
    expected: pods,
    prepare: () => running(inZones(nodes), pods),
    play: (cluster) => {
      const gone = new Set(inZones(nodes).flatMap((worker) => (isLost(worker.name, worker.labels[ZONE]) ? [worker.name] : [])));
      for (const node of gone) cluster.inject({ fault: 'stop', process: 'kubelet', node });
      const elsewhere = () => served(cluster, (pod) => !gone.has(asText(dig(pod, 'spec', 'nodeName')) ?? ''));
      return advanceUntil(cluster, 240, elsewhere, pods);
    },
  };
}

/** A minute at a time, until as many pods are as is expected; they are counted when the Deployments say that they are all there. */
function advanceUntil(cluster: Cluster, minutes: number, count: () => number, expected: number): number {
  for (let minute = 0; minute < minutes && (upToDate(cluster) < expected || count() < expected); minute++) cluster.advance(60_000);
  return count();
}

function upToDate(cluster: Cluster): number {
  let sum = 0;
  for (const { status } of cluster.store.list('deployments.apps', 'shop'))
    sum += Math.min(asNumber(dig(status, 'readyReplicas')) ?? 0, asNumber(dig(status, 'updatedReplicas')) ?? 0);
  return sum;
}

function running(nodes: readonly Worker[], pods: number): Cluster {
  const cluster = clusterOf(nodes);
  const reached = applied('', nodes.length, pods).play(cluster);
  if (reached !== pods) throw new Error(`${reached} of ${pods} pods run before anything is done to them`);
  return cluster;
}

function clusterOf(nodes: readonly Worker[]): Cluster {
  const cluster = createCluster({ seed: 1, preset: { nodes }, objects: [NAMESPACE], maxObjects: MAX_OBJECTS });
  // The taints of 5,000 new nodes are taken away at the pace of a controller.
  cluster.runUntilSettled();
  return cluster;
}

/** With the events of the last hour. */
const MAX_OBJECTS = 2_000_000;

interface Worker {
  readonly name: string;
}

function workers(count: number): readonly Worker[] {
  return Array.from({ length: count }, (_, index) => ({ name: `worker-${index + 1}` }));
}

/** Three zones in turn. */
function inZones(count: number) {
  return workers(count).map((worker, index) => ({ ...worker, labels: { [ZONE]: `zone-${'abc'.charAt(index % 3)}` } }));
}

const ZONE = 'topology.kubernetes.io/zone';

function workloads(pods: number, image: string): readonly JsonObject[] {
  return Array.from({ length: pods / 100 }, (_, index) => deployment(`web-${index + 1}`, 100, { name: 'web', image }));
}

function services(pods: number): readonly JsonObject[] {
  return Array.from({ length: pods / 100 }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `web-${index + 1}`, namespace: 'shop' },
    spec: { selector: { app: `web-${index + 1}` }, ports: [{ port: 80 }] },
  }));
}

/** How many pods that fit are ready, with as many addresses of theirs in the EndpointSlices and in the Endpoints. */
function served(cluster: Cluster, fits: (pod: KubeObject) => boolean = () => true): number {
  const ready = cluster.store.list('pods', 'shop').filter((pod) => isReadyPod(pod) && fits(pod));
  const [sliced, listed] = [new Set<string>(), new Set<string>()];
  for (const slice of cluster.store.list('endpointslices.discovery.k8s.io', 'shop'))
    for (const endpoint of asList(slice['endpoints'])) if (dig(endpoint, 'conditions', 'ready') === true) sliced.add(targetOf(endpoint));
  for (const endpoints of cluster.store.list('endpoints', 'shop'))
    for (const subset of asList(endpoints['subsets']))
      for (const address of asList(dig(subset, 'addresses'))) listed.add(targetOf(address));
  return ready.filter(({ metadata }) => sliced.has(metadata.uid ?? '') && listed.has(metadata.uid ?? '')).length;
}

function targetOf(endpoint: Parameters<typeof dig>[0]): string {
  return asText(dig(endpoint, 'targetRef', 'uid')) ?? '';
}
