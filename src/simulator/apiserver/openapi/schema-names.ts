import { once } from '../../../base/once.ts';
import type { ServedResource } from '../resources.ts';
import { FIELD_NUMBERS } from '../schema/field-numbers.ts';
import { goName } from '../schema/schema.ts';

/**
 * What a model is called in OpenAPI: `io.k8s.api.core.v1.PodSpec`. Models that have no package on record go with the resource they belong
 * to.
 */
export function schemaName(model: string, owner: ServedResource): string {
  return `${packages().get(model) ?? packageOf(owner)}.${goName(model)}`;
}

const packages = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      FIELD_NUMBERS.trim()
        .split(/[\n;]/)
        .map((line): [string, string] => {
          const at = line.indexOf('@');
          return [line.slice(0, at), line.slice(at + 1, line.indexOf('|')).replace(/^k8s\.io\./, 'io.k8s.')];
        }),
    ),
);

function packageOf({ group, version }: ServedResource): string {
  if (group === 'apiextensions.k8s.io') return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}`;
  if (group === 'apiregistration.k8s.io') return `io.k8s.kube-aggregator.pkg.apis.apiregistration.${version}`;
  return `io.k8s.api.${group === '' ? 'core' : (group.split('.')[0] ?? '')}.${version}`;
}
