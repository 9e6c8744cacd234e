import { asList, asText, dig } from '../../../base/json.ts';
import { Digest } from '../../../base/digest.ts';
import type { KubeObject } from '../../../model/kube-object.ts';

/** A CSI volume on a node: who uses it, and how it is called there. */
export interface AttachableVolume {
  readonly volume: string;
  readonly driver: string;
  readonly handle: string;
  readonly node: string;
}

/** The part of a key before the node cannot contain a slash, as names of volumes do not. */
export function attachmentKey(volume: string, node: string): string {
  return `${volume}/${node}`;
}

/** The volume as the attach/detach controller sees it; undefined for what is not attached through CSI. */
export function attachable(volume: KubeObject, node: string): AttachableVolume | undefined {
  const [driver, handle] = [asText(dig(volume, 'spec', 'csi', 'driver')), asText(dig(volume, 'spec', 'csi', 'volumeHandle'))];
  return driver === undefined || handle === undefined ? undefined : { volume: volume.metadata.name, driver, handle, node };
}

/** `csi-` and a hash of volume, driver and node. Source: pkg/volume/csi/csi_attacher.go (getAttachmentName). */
export function attachmentName({ handle, driver, node }: AttachableVolume): string {
  return `csi-${new Digest().add(`${handle}${driver}${node}`).hex()}${new Digest().add(`${node}${driver}${handle}`).hex()}`;
}

/** What it is called in `status.volumesAttached` of the node. */
export function uniqueName({ driver, handle }: AttachableVolume): string {
  return `kubernetes.io/csi/${driver}^${handle}`;
}

/** Whether more than one node may have it at a time. */
export function isShareable(volume: KubeObject): boolean {
  return asList(dig(volume, 'spec', 'accessModes')).some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany');
}

export function volumeOfAttachment(attachment: KubeObject): string {
  return asText(dig(attachment, 'spec', 'source', 'persistentVolumeName')) ?? '';
}

export function nodeOfAttachment(attachment: KubeObject): string {
  return asText(dig(attachment, 'spec', 'nodeName')) ?? '';
}

export function isAttached(attachment: KubeObject): boolean {
  return dig(attachment, 'status', 'attached') === true;
}
