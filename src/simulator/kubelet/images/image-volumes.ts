import type { JsonObject } from '../../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Routine } from '../../time/routine.ts';
import type { Files } from '../../programs/file-tree.ts';
import type { Ensured } from './image-manager.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import { nameOf } from '../pods/pod-fields.ts';

/** The images that are volumes of a pod, by volume: each as it was pulled, or why it was not. */
export type ImageVolumes = ReadonlyMap<string, Ensured>;

/** The volumes of a pod that are images (KEP-4639). */
export function imageVolumesOf(pod: KubeObject): readonly JsonObject[] {
  return asList(dig(pod, 'spec', 'volumes'))
    .filter(isJsonObject)
    .filter((volume) => volume['image'] !== undefined);
}

/**
 * Pulls them with the pod's secrets, as images of containers are pulled; what is said of it is said of the pod. What fails is
 * told by the containers that have it. Source: pkg/kubelet/kuberuntime/kuberuntime_manager.go (getImageVolumes).
 */
export function* pullImageVolumes(pod: KubeObject, { host, images, volumes }: KubeletParts): Routine<ImageVolumes> {
  const pulled = new Map<string, Ensured>();
  for (const volume of imageVolumesOf(pod)) {
    const wanted: JsonObject = { image: dig(volume, 'image', 'reference'), imagePullPolicy: dig(volume, 'image', 'pullPolicy') };
    const ensured = yield* images.ensure(pod, wanted, (type, reason, message) => host.events.event(pod, { type, reason, message }));
    pulled.set(nameOf(volume), ensured);
    if (ensured.ok) volumes.fill(pod, nameOf(volume), contentOf(ensured.image.files));
  }
  return pulled;
}

/** The failures of the images a container has mounted, in the order of its mounts. Source: the same (toKubeContainerImageVolumes). */
export function failuresOf(container: JsonObject, pulled: ImageVolumes): readonly Exclude<Ensured, { ok: true }>[] {
  return asList(container['volumeMounts']).flatMap((mount) => {
    const ensured = pulled.get(asText(dig(mount, 'name')) ?? '');
    return ensured === undefined || ensured.ok ? [] : [ensured];
  });
}

/** Files of a volume are named from its root. */
function contentOf(files: Files): Files {
  return new Map([...files].map(([path, entry]) => [path.replace(/^\/+/, ''), entry]));
}
