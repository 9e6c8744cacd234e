import { asList, asText, dig } from '../base/json.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { refOf } from '../model/kube-object.ts';
import type { Cluster } from '../simulator/cluster.ts';
import { knownImage } from '../simulator/kubelet/image-catalog.ts';
import { parseImage } from '../simulator/kubelet/image-reference.ts';

/** An image whose program nobody knows, and a pod that ran it. */
export interface UnknownImage {
  readonly image: string;
  readonly pod: ObjectRef;
}

/** Images that were run, of which nothing is known but their names: that they can be pulled and keep running is taken for granted. */
export function unknownImages(cluster: Cluster): readonly UnknownImage[] {
  const found = new Map<string, UnknownImage>();
  for (const pod of cluster.store.list('pods')) {
    for (const status of [...asList(dig(pod, 'status', 'initContainerStatuses')), ...asList(dig(pod, 'status', 'containerStatuses'))]) {
      const image = asText(dig(status, 'image')) ?? '';
      const parsed = parseImage(image);
      if ((asText(dig(status, 'imageID')) ?? '') === '' || 'trouble' in parsed || knownImage(parsed.repository) !== undefined) continue;
      if (!found.has(image)) found.set(image, { image, pod: refOf(pod) });
    }
  }
  return [...found.values()];
}
