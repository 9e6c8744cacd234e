import type { PresetName } from '../model/preset.ts';
import type { MachineSpec } from './outside/machine.ts';

/** The machines a cluster begins with. */
export type Preset = PresetName | { readonly nodes: readonly NodeWish[] };

type NodeWish = Partial<MachineSpec> & { readonly name: string };

/** Nodes as a scenario finds them. */
export function nodesOf(preset: Preset): readonly NodeWish[] {
  if (typeof preset === 'object') return preset.nodes;
  switch (preset) {
    case 'no-nodes':
      return [];
    case 'one-node':
      return workers(1);
    case 'three-nodes':
      return workers(3);
    case 'six-nodes':
      return workers(6);
    case 'with-control-plane':
      return [
        ...workers(3),
        {
          name: 'control-plane-1',
          labels: { 'node-role.kubernetes.io/control-plane': '' },
          taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
        },
      ];
    case 'with-gpus':
      return [...workers(3), { name: 'gpu-1', extended: { 'nvidia.com/gpu': '2' } }];
  }
}

function workers(count: number): readonly NodeWish[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `worker-${index + 1}`,
    labels: { 'topology.kubernetes.io/zone': `zone-${'abc'.charAt(index % 3)}` },
  }));
}
