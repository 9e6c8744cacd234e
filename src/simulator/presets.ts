import type { MachineSpec } from './machine.ts';

/** The machines a cluster begins with. */
export type Preset = 'no-nodes' | 'one-node' | 'three-nodes' | { readonly nodes: readonly (Partial<MachineSpec> & { readonly name: string })[] };

/** Nodes as a scenario finds them: three workers in three zones, or one. */
export function nodesOf(preset: Preset): readonly (Partial<MachineSpec> & { readonly name: string })[] {
  if (typeof preset === 'object') return preset.nodes;
  const count = COUNTS[preset];
  return Array.from({ length: count }, (_, index) => ({ name: `worker-${index + 1}`, labels: { 'topology.kubernetes.io/zone': `zone-${'abc'.charAt(index % 3)}` } }));
}

const COUNTS = { 'no-nodes': 0, 'one-node': 1, 'three-nodes': 3 } as const;
