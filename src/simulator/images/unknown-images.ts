import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { refOf } from '../../model/kube-object.ts';
import type { Cluster } from '../cluster.ts';
import { knownImage } from './image-catalog.ts';
import { parseImage } from './image-reference.ts';

/** An image whose program nobody knows, and a pod that ran it. */
export interface UnknownImage {
  readonly image: string;
  readonly pod: ObjectRef;
}

/**
 * Images that pods made since an instant run, of which nothing is known but their names: that they can be pulled and keep running is taken
 * for granted.
 */
export function unknownImages(cluster: Cluster, since: Instant): readonly UnknownImage[] {
  const found = new Map<string, UnknownImage>();
  for (const pod of cluster.store.list('pods')) {
    // Times of objects are whole seconds.
    if ((parseInstant(pod.metadata['creationTimestamp']) ?? 0) < Math.floor(since / 1000) * 1000) continue;
    for (const status of [...asList(dig(pod, 'status', 'initContainerStatuses')), ...asList(dig(pod, 'status', 'containerStatuses'))]) {
      const image = asText(dig(status, 'image')) ?? '';
      const parsed = parseImage(image);
      if ((asText(dig(status, 'imageID')) ?? '') === '' || 'trouble' in parsed || knownImage(parsed.repository) !== undefined) continue;
      if (!found.has(image)) found.set(image, { image, pod: refOf(pod) });
    }
  }
  return [...found.values()];
}
