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
function showsMetadata(pod: KubeObject): boolean {
  return asList(dig(pod, 'spec', 'volumes')).some((volume) => isJsonObject(volume) && isMadeOfPod(volume));
}

/** Whether a volume of the pod shows something that changed. */
export function showsChange(before: KubeObject, pod: KubeObject): boolean {
  return showsMetadata(pod) && changesMetadata(before, pod);
}

/** Whether a pod has other labels or annotations than before. */
function changesMetadata({ metadata: before }: KubeObject, { metadata }: KubeObject): boolean {
  return !sameJson(before['labels'], metadata['labels']) || !sameJson(before['annotations'], metadata['annotations']);
}
