import { asList } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';

/** A list as the API serves it: `PodList` with its items. */
export function listOf(apiVersion: string, kind: string, items: readonly KubeObject[], metadata: JsonObject): KubeObject {
  // A list has no name; it goes the way of objects because it is answered like one.
  return { apiVersion, kind: `${kind}List`, metadata: metadata as KubeObject['metadata'], items };
}

export function asItems(list: KubeObject): readonly KubeObject[] {
  return asList(list['items']) as readonly KubeObject[];
}
