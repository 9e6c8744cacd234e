import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { compareVersions } from '../version-order.ts';

/**
 * What everybody is told who uses this version of a definition; undefined where it is not deprecated.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go (defaultDeprecationWarning).
 */
export function deprecationOf(version: Json, definition: KubeObject): string | undefined {
  if (dig(version, 'deprecated') !== true) return undefined;
  const own = asText(dig(version, 'deprecationWarning'));
  if (own !== undefined) return own;
  const named = (one: string): string =>
    `${asText(dig(definition, 'spec', 'group')) ?? ''}/${one} ${asText(dig(definition, 'spec', 'names', 'kind')) ?? ''}`;
  const name = asText(dig(version, 'name')) ?? '';
  const [better] = asList(dig(definition, 'spec', 'versions'))
    .filter((one) => dig(one, 'served') === true && dig(one, 'deprecated') !== true)
    .map((one) => asText(dig(one, 'name')) ?? '')
    .filter((one) => compareVersions(one, name) < 0)
    .sort(compareVersions);
  return `${named(name)} is deprecated${better === undefined ? '' : `; use ${named(better)}`}`;
}
