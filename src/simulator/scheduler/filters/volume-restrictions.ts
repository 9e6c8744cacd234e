import type { Json } from '../../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { FilterPlugin, Prepared, Rejection, SchedulerView } from '../view.ts';
import { WORDS } from '../scheduler-messages.ts';

/** Source: pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go. */
export const VOLUME_RESTRICTIONS: FilterPlugin = { name: 'VolumeRestrictions', prepare };

function prepare(pod: PodInfo, view: SchedulerView): Prepared {
  let occupied = false;
  for (const { claim, ephemeral } of pod.spec.claims) {
    if (ephemeral) continue;
    const found = view.find('PersistentVolumeClaim', pod.namespace, claim);
    if (found === undefined)
      return { rejection: { plugin: 'VolumeRestrictions', resolvable: false, reasons: [WORDS.claimNotFound(claim)] } };
    const onlyOne = asList(dig(found, 'spec', 'accessModes')).includes('ReadWriteOncePod');
    if (onlyOne && view.cache.usersOf(pod.namespace, claim) > 0) occupied = true;
  }
  const disks = asList(dig(pod.pod, 'spec', 'volumes')).filter(isDisk);
  if (!occupied && disks.length === 0) return undefined;
  return {
    filter: (node) => {
      if (disks.some((disk) => isInUse(disk, node))) return DISK_IN_USE;
      return occupied ? OCCUPIED : undefined;
    },
  };
}

function isDisk(volume: Json): boolean {
  return isJsonObject(volume) && DISKS.some(({ source }) => volume[source] !== undefined);
}

function isInUse(disk: Json, { pods }: NodeInfo): boolean {
  for (const { pod } of pods.values()) if (volumesOf(pod).some((volume) => conflicts(disk, volume))) return true;
  return false;
}

function volumesOf(pod: KubeObject): readonly Json[] {
  return asList(dig(pod, 'spec', 'volumes'));
}

/** Two uses of one disk conflict, unless the disk can be read by many and both only read. */
function conflicts(a: Json, b: Json): boolean {
  return DISKS.some(({ source, identity, shared }) => {
    const [one, other] = [dig(a, source), dig(b, source)];
    if (one === undefined || other === undefined) return false;
    if (shared && dig(one, 'readOnly') === true && dig(other, 'readOnly') === true) return false;
    return identity.every((field) => (asText(dig(one, field)) ?? '') === (asText(dig(other, field)) ?? ''));
  });
}

const DISKS = [
  { source: 'gcePersistentDisk', identity: ['pdName'], shared: true },
  { source: 'awsElasticBlockStore', identity: ['volumeID'], shared: false },
  { source: 'iscsi', identity: ['iqn'], shared: true },
  { source: 'rbd', identity: ['pool', 'image'], shared: true },
] as const;

const DISK_IN_USE: Rejection = { plugin: 'VolumeRestrictions', resolvable: true, reasons: [WORDS.diskConflict] };
const OCCUPIED: Rejection = { plugin: 'VolumeRestrictions', resolvable: true, reasons: [WORDS.onlyOnePod] };
