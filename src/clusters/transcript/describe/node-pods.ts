import type { KubeObject } from '../../../model/kube-object.ts';
import { Draft, given, integer } from '../draft.ts';
import type { Section } from './sections.ts';
import { describedTable } from './sections.ts';

/**
 * The pods on a node from the table of its describe, each with its node and its requests and limits as a whole (`spec.resources`,
 * where the API keeps those of a pod). Undefined when the table is not all there.
 * Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go (describeNodeResource).
 */
export function nodePods(section: Section | undefined, node: string): readonly KubeObject[] | undefined {
  if (section === undefined) return undefined;
  const total = integer(/^\((\d+) in total\)$/.exec(section.value)?.[1]);
  const pods = describedTable(section.body).flatMap(({ cells }) => {
    const [namespace, name] = [given(cells.get('Namespace')), given(cells.get('Name'))];
    if (namespace === undefined || name === undefined || /\s/.test(name)) return [];
    const draft = new Draft('Pod', name, namespace).show('spec.nodeName', node);
    const amount = (title: string): string => given(cells.get(title))?.split(' ')[0] ?? '0';
    draft.show('spec.resources.requests', { cpu: amount('CPU Requests'), memory: amount('Memory Requests') });
    draft.show('spec.resources.limits', { cpu: amount('CPU Limits'), memory: amount('Memory Limits') });
    return [draft.build()];
  });
  return pods.length === total ? pods : undefined;
}
