import type { JsonObject } from '../../../base/json.ts';
import { asList, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';

/** Whether a volume is made of its pod. */
export function isMadeOfPod(volume: JsonObject): boolean {
  return (
    volume['downwardAPI'] !== undefined || asList(dig(volume, 'projected', 'sources')).some((one) => dig(one, 'downwardAPI') !== undefined)
  );
}

/** Whether a volume of the pod can show its labels and annotations. */
export function showsMetadata(pod: KubeObject): boolean {
  return asList(dig(pod, 'spec', 'volumes')).some((volume) => isJsonObject(volume) && isMadeOfPod(volume));
}

/** Whether a pod has other labels or annotations than before. */
export function changesMetadata({ metadata: before }: KubeObject, { metadata }: KubeObject): boolean {
  return !sameJson(before['labels'], metadata['labels']) || !sameJson(before['annotations'], metadata['annotations']);
}
