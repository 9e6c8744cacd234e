import { asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';

/**
 * Classes by the extended resource they name; of several the latest, of those made at once the first by name. Source:
 * pkg/scheduler/framework/plugins/dynamicresources/extended/cache.go.
 */
export function classesByResource(classes: Iterable<KubeObject>): ReadonlyMap<string, string> {
  const found = new Map<string, KubeObject>();
  for (const one of classes) {
    found.set(`${IMPLICIT}${one.metadata.name}`, one);
    const resource = asText(dig(one, 'spec', 'extendedResourceName'));
    const known = resource === undefined ? undefined : found.get(resource);
    if (resource !== undefined && (known === undefined || isPreferred(one, known))) found.set(resource, one);
  }
  return new Map([...found].map(([resource, one]) => [resource, one.metadata.name]));
}

/** Source: staging/src/k8s.io/api/resource/v1/types.go (ResourceDeviceClassPrefix). */
const IMPLICIT = 'deviceclass.resource.kubernetes.io/';

function isPreferred(one: KubeObject, known: KubeObject): boolean {
  const [made, before] = [asText(one.metadata['creationTimestamp']) ?? '', asText(known.metadata['creationTimestamp']) ?? ''];
  return made === before ? one.metadata.name < known.metadata.name : made > before;
}
