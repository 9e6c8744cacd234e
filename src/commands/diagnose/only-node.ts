import type { Examination } from '../../library/examine.ts';
import type { ObjectRef } from '../../model/kube-object.ts';

/** The only node that is shown, where it alone has a known cause: a pod beside it that waits is on it. */
export function onlyNodeInTrouble({ kind }: ObjectRef, { evidence: { facts }, scan }: Examination): ObjectRef | undefined {
  const nodes = new Set(facts.flatMap(({ kind: of, about }) => (of === 'node' ? [about.name] : [])));
  const [first, ...others] = scan().causes;
  const isOne = kind === 'Pod' && nodes.size === 1 && others.every(({ rule }) => rule === first?.rule);
  return isOne && first?.object.kind === 'Node' && nodes.has(first.object.name) ? first.object : undefined;
}
