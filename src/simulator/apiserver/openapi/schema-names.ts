import type { ServedResource } from '../resources.ts';
import { numberedModels } from '../schema/numbered-models.ts';
import { goName } from '../schema/schema.ts';

/**
 * What a model is called in OpenAPI: `io.k8s.api.core.v1.PodSpec`. Models that have no package on record go with the resource they belong
 * to.
 */
export function schemaName(model: string, owner: ServedResource): string {
  return `${
    numberedModels()
      .get(model)
      ?.package.replace(/^k8s\.io\./, 'io.k8s.') ?? packageOf(owner)
  }.${goName(model)}`;
}

function packageOf({ group, version }: ServedResource): string {
  if (group === 'apiextensions.k8s.io') return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}`;
  if (group === 'apiregistration.k8s.io') return `io.k8s.kube-aggregator.pkg.apis.apiregistration.${version}`;
  return `io.k8s.api.${group === '' ? 'core' : (group.split('.')[0] ?? '')}.${version}`;
}
