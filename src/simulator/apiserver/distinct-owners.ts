import { asList, asText, dig } from '../../base/json.ts';
import { canonicalJson, withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';

/**
 * The object with each of its owners once, and a warning of those that were told twice.
 * Source: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go (dedupOwnerReferencesAndAddWarning).
 */
export function withDistinctOwners(object: KubeObject, warnings: string[], when = ''): KubeObject {
  const owners = asList(object.metadata['ownerReferences']);
  if (owners.length < 2) return object;
  const texts = owners.map(canonicalJson);
  const first = new Map(texts.map((text, index) => [text, index] as const).toReversed());
  const isRepeated = texts.map((text, index) => first.get(text) !== index);
  if (!isRepeated.includes(true)) return object;
  const uids = owners.filter((_, index) => isRepeated[index]).map((owner) => asText(dig(owner, 'uid')) ?? '');
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`,
  );
  const ownerReferences = owners.filter((_, index) => isRepeated[index] !== true);
  return withFields(object, { metadata: withFields(object.metadata, { ownerReferences }) });
}
