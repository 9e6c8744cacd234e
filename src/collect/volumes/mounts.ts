import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { shows } from '../../model/kube-object.ts';
import type { PodContainer } from '../containers/containers.ts';

/** Where a container sees a volume. */
export interface Mount {
  readonly volume: string;
  readonly mountPath: string;
  readonly subPath: string | undefined;
  readonly readOnly: boolean;
  /** The volume's type as the API names it (`hostPath`, `persistentVolumeClaim`, `secret`, …); undefined when it was not seen. */
  readonly volumeKind: string | undefined;
}

/** Types whose files the kubelet writes: their permissions are set in the pod's spec, not on a disk. */
const WRITTEN_BY_KUBELET = new Set(['configMap', 'secret', 'projected', 'downwardAPI', 'image']);

/** Whether a volume holds data of its own, so that its permissions are those of a disk. */
export function holdsData({ volumeKind }: Mount): boolean {
  return volumeKind !== undefined && !WRITTEN_BY_KUBELET.has(volumeKind);
}

/** Whether it was seen what the containers of a pod mount, so that a path can be told to be on no volume. */
export function showsMounts(pod: KubeObject): boolean {
  return (
    shows(pod, 'spec.containers.volumeMounts') ||
    asList(dig(pod, 'spec', 'containers')).some((container) => dig(container, 'volumeMounts') !== undefined)
  );
}

/** Volumes a container mounts, in the order of its spec. */
function mountsOf(pod: KubeObject, container: PodContainer): readonly Mount[] {
  const volumes = asList(dig(pod, 'spec', 'volumes'));
  return asList(dig(container.spec, 'volumeMounts')).flatMap((mount) => {
    const [volume, mountPath] = [asText(dig(mount, 'name')), asText(dig(mount, 'mountPath'))];
    if (volume === undefined || mountPath === undefined) return [];
    const source = volumes.find((candidate) => dig(candidate, 'name') === volume);
    return [
      {
        volume,
        mountPath,
        subPath: asText(dig(mount, 'subPath')),
        readOnly: dig(mount, 'readOnly') === true,
        volumeKind: volumeKindOf(source),
      },
    ];
  });
}

/** The type of a volume: the one member of it that is not its name. */
export function volumeKindOf(volume: Json | undefined): string | undefined {
  if (typeof volume !== 'object' || volume === null || Array.isArray(volume)) return undefined;
  return Object.keys(volume).find((field) => field !== 'name');
}

/**
 * The mount that holds a path. A file without a folder is looked for where the program keeps its data: in the one volume that is
 * really data, if the container has just one.
 */
export function mountHolding(pod: KubeObject, container: PodContainer, path: string | undefined): Mount | undefined {
  const mounts = mountsOf(pod, container);
  if (path?.startsWith('/') === true) {
    const holding = mounts.filter(
      ({ mountPath }) => path === mountPath || path.startsWith(mountPath.endsWith('/') ? mountPath : `${mountPath}/`),
    );
    return holding.toSorted((a, b) => b.mountPath.length - a.mountPath.length)[0];
  }
  const data = mounts.filter(holdsData);
  return data.length === 1 ? data[0] : undefined;
}
