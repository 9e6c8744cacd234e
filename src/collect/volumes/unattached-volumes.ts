import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { BehindClaim } from './behind-claim.ts';
import type { SeenEvent } from '../events/events.ts';
import { conditionStatus, lastTransition } from '../objects/pods.ts';
import type { Scene } from '../survey/scene.ts';

/**
 * The attach/detach controller says nothing for two minutes. Source: pkg/volume/csi/csi_plugin.go (csiTimeout). Most volumes are attached
 * long before.
 */
const SILENCE_SECONDS = 30;

/** A volume that a scheduled pod waits for without a word from anybody. */
export interface Unattached {
  readonly behind: BehindClaim;
  readonly seconds: number;
  /** What the driver's attacher has answered, if it has. */
  readonly error: string | undefined;
  /** Another node that it is attached to, where it can be attached to one only. */
  readonly elsewhere: string | undefined;
}

/**
 * Volumes that are still to be attached, for a pod of which nothing was said since it got its node; and those that are attached to another
 * node, whatever was said: that is told once, and forgotten in an hour. Source: pkg/controller/volume/attachdetach/reconciler/reconciler.go
 * (reportMultiAttachError).
 */
export async function unattachedVolumes(
  pod: KubeObject,
  events: readonly SeenEvent[],
  bound: readonly BehindClaim[],
  scene: Scene,
): Promise<readonly Unattached[]> {
  const scheduled = events.findLastIndex(({ reason }) => reason === 'Scheduled');
  const since = events[scheduled]?.at ?? lastTransition(pod, 'PodScheduled');
  if (since === undefined || conditionStatus(pod, 'PodReadyToStartContainers') === 'True') return [];
  const isSilent = scheduled >= 0 && events.length === scheduled + 1;
  const seconds = Math.round((scene.survey.now() - since) / 1000);
  const waited = seconds < SILENCE_SECONDS ? [] : bound.filter(({ driver, attachRequired }) => driver !== undefined && attachRequired);
  if (waited.length === 0) return [];
  const list = await scene.survey.list('VolumeAttachment', {});
  return waited.flatMap((behind) => {
    const attachments = list.ok
      ? list.value.filter((one) => dig(one, 'spec', 'source', 'persistentVolumeName') === behind.object.metadata.name)
      : [];
    const attachment = attachments.find((one) => dig(one, 'spec', 'nodeName') === dig(pod, 'spec', 'nodeName'));
    if (dig(attachment, 'status', 'attached') === true || isUsed(behind, pod, scene)) return [];
    const other = attachment === undefined && isForOneNode(behind) ? attachments.find(isAttached) : undefined;
    const elsewhere = asText(dig(other, 'spec', 'nodeName'));
    if (elsewhere === undefined && !isSilent) return [];
    return [{ behind, seconds, elsewhere, error: asText(dig(attachment, 'status', 'attachError', 'message')) }];
  });
}

function isAttached(attachment: KubeObject): boolean {
  return dig(attachment, 'status', 'attached') === true;
}

/** Source: pkg/controller/volume/attachdetach/reconciler/reconciler.go (isMultiAttachAllowed). */
function isForOneNode({ object }: BehindClaim): boolean {
  const modes = asList(dig(object, 'spec', 'accessModes'));
  return modes.length > 0 && !modes.includes('ReadWriteMany') && !modes.includes('ReadOnlyMany');
}

/** A volume that another pod of the node runs with is attached there. */
function isUsed({ claim }: BehindClaim, pod: KubeObject, scene: Scene): boolean {
  return scene.pods.some(
    (other) =>
      other !== pod &&
      other.metadata.namespace === claim.namespace &&
      dig(other, 'spec', 'nodeName') === dig(pod, 'spec', 'nodeName') &&
      conditionStatus(other, 'PodReadyToStartContainers') === 'True' &&
      asList(dig(other, 'spec', 'volumes')).some((volume) => dig(volume, 'persistentVolumeClaim', 'claimName') === claim.name),
  );
}
