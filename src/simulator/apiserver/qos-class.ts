import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asObject, dig, isJsonObject } from '../../base/json.ts';
import { sameJson } from '../../base/json-edit.ts';

/** Source: pkg/apis/core/v1/helper/qos/qos.go. */
export function qosClassOf(pod: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const spec = asObject(pod['spec']);
  // What a pod asks for as a whole stands for what its containers ask for.
  const containers = isJsonObject(spec['resources'])
    ? [{ resources: spec['resources'] }]
    : [...asList(spec['containers']), ...asList(spec['initContainers'])];
  let [any, guaranteed] = [false, true];
  for (const container of containers) {
    const [limits, requests] = [asObject(dig(container, 'resources', 'limits')), asObject(dig(container, 'resources', 'requests'))];
    for (const name of ['cpu', 'memory']) {
      const [limit, request] = [limits[name], requests[name]];
      if (isPositive(limit) || isPositive(request)) any = true;
      if (!isPositive(limit) || (request !== undefined && !sameJson(request, limit))) guaranteed = false;
    }
  }
  if (!any) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function isPositive(amount: Json | undefined): boolean {
  return amount !== undefined && amount !== '0';
}
