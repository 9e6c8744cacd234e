import { asText, dig } from '../../../base/json.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import type { PodInfo } from '../pod-info.ts';
import type { FilterPlugin, Prepared, Rejection, SchedulerView } from '../view.ts';
import { WORDS } from '../scheduler-messages.ts';

/** Volumes that carry zone labels are only reached from nodes of that zone. Source: volumezone/volume_zone.go. */
export const VOLUME_ZONE: FilterPlugin = { name: 'VolumeZone', prepare };

function prepare(pod: PodInfo, view: SchedulerView): Prepared {
  const zones: { readonly key: string; readonly values: readonly string[] }[] = [];
  for (const { claim } of pod.spec.claims) {
    const found = view.find('PersistentVolumeClaim', pod.namespace, claim);
    if (found === undefined) return rejected(WORDS.claimNotFound(claim));
    const name = asText(dig(found, 'spec', 'volumeName')) ?? '';
    if (name === '') {
      const className = asText(dig(found, 'spec', 'storageClassName')) ?? '';
      if (className === '') return rejected(WORDS.claimWithoutClass);
      const storageClass = view.find('StorageClass', undefined, className);
      if (storageClass === undefined) return rejected(`storageclass.storage.k8s.io ${JSON.stringify(className)} not found`);
      continue;
    }
    const volume = view.find('PersistentVolume', undefined, name);
    if (volume === undefined) return rejected(`persistentvolume ${JSON.stringify(name)} not found`);
    const labels = labelsOf(volume);
    for (const key of KEYS) if (labels[key] !== undefined) zones.push({ key, values: labels[key].split('__') });
  }
  if (zones.length === 0) return undefined;
  return {
    filter: ({ labels }) => {
      if (KEYS.every((key) => labels[key] === undefined)) return undefined;
      return zones.every(({ key, values }) => values.includes(labels[key] ?? labels[OTHER_NAMES[key] ?? ''] ?? ''))
        ? undefined
        : OTHER_ZONE;
    },
  };
}

function rejected(reason: string): Prepared {
  return { rejection: { plugin: 'VolumeZone', resolvable: false, reasons: [reason] } };
}

const KEYS = [
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
] as const;
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
};
const OTHER_ZONE: Rejection = { plugin: 'VolumeZone', resolvable: false, reasons: [WORDS.volumeZone] };
