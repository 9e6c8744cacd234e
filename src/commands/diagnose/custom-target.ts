import { asList, asText, dig } from '../../base/json.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';
import { unseenIn } from '../../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { inNamespace, refOf } from '../../model/kube-object.ts';
import { groupOf } from '../../model/resources.ts';
import { WORKLOAD_KINDS } from '../../model/workload-kinds.ts';

/**
 * What a custom resource runs (`rollout/web`, `kafkas.kafka.strimzi.io/main`): the workloads and pods whose ownerReferences name it, and
 * whether all were seen. What a kind is called in the plural only its server knows, so that the usual forms of English count.
 */
export async function ownedByCustom(
  reader: ClusterReader,
  word: string,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
): Promise<{ readonly owned: readonly ObjectRef[]; readonly isAll: boolean }> {
  const lists = await Promise.all([...WORKLOAD_KINDS, 'Pod'].map((kind) => reader.list(kind, inNamespace(namespace))));
  const objects = lists.flatMap((list) => (list.ok ? list.value.filter((object) => isOwnedBy(object, word, name)) : []));
  return { owned: objects.map(refOf), isAll: lists.every((list) => unseenIn(list) === undefined) };
}

function isOwnedBy(object: KubeObject, word: string, name: string): boolean {
  const [plural = '', ...group] = word.toLowerCase().split('.');
  return asList(dig(object, 'metadata', 'ownerReferences')).some((owner) => {
    const kind = (asText(dig(owner, 'kind')) ?? '').toLowerCase();
    const isKind = kind !== '' && [kind, `${kind}s`, `${kind}es`, kind.replace(/y$/, 'ies')].includes(plural);
    const ofGroup = groupOf(asText(dig(owner, 'apiVersion')) ?? '');
    return isKind && dig(owner, 'name') === name && (group.length === 0 || group.join('.') === ofGroup);
  });
}
