import type { ClusterReader } from '../model/cluster-reader.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { RESOURCES } from '../model/resources.ts';
import type { Clone } from '../simulator/clone/clone.ts';
import { cloneCluster } from '../simulator/clone/clone.ts';
import type { Cluster } from '../simulator/cluster.ts';
import type { RunPorts } from './ports.ts';
import { simulatedChanger } from './simulated-changer.ts';

/** Kinds of which objects elsewhere matter, too: other pods take room on the nodes. */
const EVERYWHERE: ReadonlySet<string> = new Set(['Pod']);
/** What says nothing of how things stand: the clone writes its own. */
const LEFT_OUT: ReadonlySet<string> = new Set(['Event', 'Lease', 'ControllerRevision', 'EndpointSlice', 'Endpoints', 'CSINode', 'CSIStorageCapacity']);

/** A simulated clone of what can be read of a cluster: one namespace with the nodes and what else has none, or all of it. */
export async function cloneOf(reader: ClusterReader, namespace: string | undefined): Promise<Clone> {
  const objects: KubeObject[] = [];
  const complete = new Set<string>();
  for (const { kind, namespaced } of RESOURCES) {
    if (LEFT_OUT.has(kind)) continue;
    const own = namespaced && namespace !== undefined ? { namespace } : {};
    const wide = EVERYWHERE.has(kind) ? await reader.list(kind, {}) : undefined;
    const read = wide?.ok === true ? wide : await reader.list(kind, own);
    if (!read.ok) continue;
    objects.push(...read.value);
    if (read.partial === undefined) complete.add(kind);
  }
  return cloneCluster(objects, { now: reader.now(), isComplete: (kind, where) => complete.has(kind) && (where === undefined || namespace === undefined || where === namespace) });
}

/** What a run touches when its cluster is a simulated one: time passes as it is told to. */
export function simulatedPorts(cluster: Cluster): Pick<RunPorts, 'reader' | 'changer' | 'programs' | 'onNode' | 'clock' | 'pause'> {
  return {
    reader: cluster.reader(),
    changer: simulatedChanger(cluster),
    programs: undefined,
    onNode: (node, argv) => Promise.resolve(onNode(cluster, node, argv)),
    clock: () => cluster.now(),
    pause: (milliseconds) => {
      cluster.advance(milliseconds);
      return Promise.resolve();
    },
  };
}

/** A simulated machine answers for its services, and for nothing else. */
function onNode(cluster: Cluster, node: string, argv: readonly string[]): string | undefined {
  const [program, verb, ...words] = argv;
  const service = words.find((word) => !word.startsWith('-'));
  if (program !== 'systemctl' || verb !== 'status' || service === undefined || !cluster.world.machines.has(node)) return undefined;
  return cluster.run({ command: 'service-status', node, service: service.replace(/\.service$/, '') }).output;
}
