import type { Cluster } from '../../src/simulator/cluster.ts';
import { createCluster, DEFAULT_START } from '../../src/simulator/cluster.ts';
import { mixedCluster } from './mixed-cluster.ts';
import { SERVICE_LOADS } from './service-loads.ts';
import { deployment, isReadyPod, NAMESPACE } from './shop-objects.ts';

/** A load the simulator must bear: `prepare` makes the cluster, `play` is what is timed; what it answers must be `expected`. */
export interface Load {
  readonly name: string;
  readonly expected: number;
  readonly prepare: () => Cluster;
  readonly play: (cluster: Cluster) => number;
}

export const LOADS: readonly Load[] = [
  rollout('sim-rollout', 1000, 10_000),
  rollout('sim-rollout-small', 100, 1000),
  rollout('sim-rollout-quarter', 250, 2500),
  {
    name: 'sim-day',
    expected: 50,
    prepare: () => crashLoops(50),
    play: (cluster) => {
      cluster.advance(86_400_000);
      // Those of the machine whose kubelet is cut off stay there, on their way out.
      return cluster.store.list('pods', 'shop').filter(({ metadata }) => metadata['deletionTimestamp'] === undefined).length;
    },
  },
  {
    name: 'sim-determinism',
    expected: 1,
    prepare: () => mixedCluster(DETERMINISM_SEED),
    play: (first) => {
      const digests = new Set([first.digest()]);
      for (let run = 1; run < DETERMINISM_RUNS; run++) digests.add(mixedCluster(DETERMINISM_SEED).digest());
      return digests.size;
    },
  },
  ...SERVICE_LOADS,
];

/** Deployments of a hundred pods each, from apply until all are ready. */
function rollout(name: string, nodes: number, pods: number): Load {
  return {
    name,
    expected: pods,
    prepare: () =>
      createCluster({
        seed: 1,
        preset: { nodes: Array.from({ length: nodes }, (_, index) => ({ name: `worker-${index + 1}` })) },
        objects: [NAMESPACE],
      }),
    play: (cluster) => {
      cluster.apply(
        Array.from({ length: pods / 100 }, (_, index) => deployment(`web-${index + 1}`, 100, { name: 'web', image: 'nginx:1.27' })),
      );
      for (let minute = 0; minute < 30 && readyPods(cluster) < pods; minute++) cluster.advance(60_000);
      return readyPods(cluster);
    },
  };
}

/** Pods that crash and crash, and a kubelet whose certificate ends at noon. */
function crashLoops(pods: number): Cluster {
  const setup = [{ fault: 'certificate', name: 'kubelet-worker-3', notAfter: DEFAULT_START + 43_200_000 }] as const;
  const cluster = createCluster({ seed: 1, setup, objects: [NAMESPACE] });
  cluster.apply([deployment('cart', pods, { name: 'cart', image: 'busybox:1.36', command: ['sh', '-c', 'exit 1'] })]);
  cluster.advance(1000);
  return cluster;
}

function readyPods(cluster: Cluster): number {
  return cluster.store.list('pods', 'shop').filter(isReadyPod).length;
}

const DETERMINISM_SEED = 11;
const DETERMINISM_RUNS = 1000;
