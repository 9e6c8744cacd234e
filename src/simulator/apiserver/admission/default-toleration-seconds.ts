import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { AdmissionPlugin } from './admission.ts';

/**
 * Pods stay for five minutes on a node that is not ready or cannot be reached. Source:
 * plugin/pkg/admission/defaulttolerationseconds/admission.go.
 */
export const DEFAULT_TOLERATION_SECONDS: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  kinds: new Set(['pods']),
  admit(request) {
    if (request.subresource !== undefined || request.operation === 'DELETE') return undefined;
    const spec = asObject(request.object['spec']);
    const tolerations = asList(spec['tolerations']);
    const missing = TOLERATIONS.filter((wanted) => !tolerations.some((toleration) => covers(toleration, wanted.key)));
    if (missing.length > 0)
      request.object = withFields(request.object, {
        spec: withFields(spec, {
          tolerations: missing.length === 2 && tolerations.length === 0 ? TOLERATIONS : [...tolerations, ...missing],
        }),
      });
    return undefined;
  },
};

export const TOLERATIONS: readonly (JsonObject & { readonly key: string })[] = [
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
].map((key) => ({ effect: 'NoExecute', key, operator: 'Exists', tolerationSeconds: 300 }));

function covers(toleration: Json, key: string): boolean {
  const [own, effect] = [asText(dig(toleration, 'key')) ?? '', asText(dig(toleration, 'effect')) ?? ''];
  return (own === key || own === '') && (effect === 'NoExecute' || effect === '');
}
