import type { Cluster } from '../simulator/index.ts';
import type { RunPorts } from './ports.ts';
import { simulatedChanger } from './simulated-changer.ts';

/** What a run touches when its cluster is a simulated one: time passes as it is told to. */
export function simulatedPorts(
  cluster: Cluster,
): Pick<RunPorts, 'reader' | 'changer' | 'programs' | 'onNode' | 'clock' | 'elapsed' | 'pause'> {
  return {
    reader: cluster.reader(),
    changer: simulatedChanger(cluster),
    programs: undefined,
    onNode: (node, argv) => Promise.resolve(onNode(cluster, node, argv)),
    clock: () => cluster.now(),
    elapsed: () => cluster.now(),
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
