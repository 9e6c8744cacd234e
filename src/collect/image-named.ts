import { sameJson } from '../base/json-edit.ts';
import { asList, asText, dig } from '../base/json.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { parseImage } from './image-reference.ts';

/** The image of a pod, of a container or a volume, that a message names in quotation marks, as the spec writes it. */
export function imageNamed(message: string, pod: KubeObject): string | undefined {
  const quoted = [...message.matchAll(/"([^"]{1,1000})"/g)].map(([, name = '']) => name);
  if (quoted.length === 0) return undefined;
  const images = imagesOf(pod);
  for (const name of quoted) {
    const found = images.find((image) => isSameImage(image, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function imagesOf(pod: KubeObject): readonly string[] {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => asList(dig(pod, 'spec', list)));
  const statuses = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'].flatMap((list) => asList(dig(pod, 'status', list)));
  const own = [...containers, ...statuses].map((container) => dig(container, 'image'));
  const mounted = asList(dig(pod, 'spec', 'volumes')).map((volume) => dig(volume, 'image', 'reference'));
  return [...own, ...mounted].flatMap((image) => asText(image) ?? []);
}

/** Runtimes say in full what is short in the spec. */
function isSameImage(one: string, other: string): boolean {
  return one === other || sameJson({ ...parseImage(one) }, { ...parseImage(other) });
}
