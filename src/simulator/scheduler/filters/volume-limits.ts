import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { PodInfo } from '../pod-info.ts';
import type { FilterPlugin, Prepared, Rejection, SchedulerView } from '../view.ts';
import { WORDS } from '../scheduler-messages.ts';

/** How many volumes of a CSI driver a node can have is what its CSINode says. Source: nodevolumelimits/csi.go. */
export const VOLUME_LIMITS: FilterPlugin = { name: 'NodeVolumeLimits', prepare };

function prepare(pod: PodInfo, view: SchedulerView): Prepared {
  const wanted = volumesOf(pod, view);
  if (wanted.size === 0) return undefined;
  return {
    filter: (node) => {
      const limits = limitsOf(view.find('CSINode', undefined, node.name));
      if (limits.size === 0) return undefined;
      const used = new Map<string, string>();
      for (const other of node.pods.values()) for (const [volume, driver] of volumesOf(other, view)) used.set(volume, driver);
      for (const [driver, limit] of limits) {
        const added = [...wanted].filter(([volume, of]) => of === driver && !used.has(volume)).length;
        const before = [...used.values()].filter((of) => of === driver).length;
        if (added > 0 && added + before > limit) return TOO_MANY;
      }
      return undefined;
    },
  };
}

/** Volumes that need attaching, each with its driver. A claim without a volume yet counts as one of its class's driver. */
function volumesOf(pod: PodInfo, view: SchedulerView): ReadonlyMap<string, string> {
  const volumes = new Map<string, string>();
  for (const { claim } of pod.spec.claims) {
    const found = view.find('PersistentVolumeClaim', pod.namespace, claim);
    if (found === undefined) continue;
    const volumeName = asText(dig(found, 'spec', 'volumeName')) ?? '';
    const volume = volumeName === '' ? undefined : view.find('PersistentVolume', undefined, volumeName);
    const driver = asText(dig(volume, 'spec', 'csi', 'driver'));
    if (driver !== undefined) volumes.set(`${driver} ${asText(dig(volume, 'spec', 'csi', 'volumeHandle')) ?? ''}`, driver);
    else if (volume === undefined) {
      const storageClass = view.find('StorageClass', undefined, asText(dig(found, 'spec', 'storageClassName')) ?? '');
      const provisioner = asText(dig(storageClass, 'provisioner'));
      if (provisioner !== undefined) volumes.set(`${provisioner} ${pod.namespace}/${claim}`, provisioner);
    }
  }
  return volumes;
}

function limitsOf(node: KubeObject | undefined): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const driver of asList(dig(node, 'spec', 'drivers'))) {
    const count = asNumber(dig(driver, 'allocatable', 'count'));
    if (count !== undefined) limits.set(asText(dig(driver, 'name')) ?? '', count);
  }
  return limits;
}

const TOO_MANY: Rejection = { plugin: 'NodeVolumeLimits', resolvable: true, reasons: [WORDS.volumeCount] };
