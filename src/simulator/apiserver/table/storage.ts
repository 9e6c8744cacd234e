import type { Json } from '../../../base/json.ts';
import { asList, asTextMap, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import { age, text, textOr, UNSET } from './cells.ts';
import type { Printer } from './columns.ts';
import { columns } from './columns.ts';

/** Source: pkg/printers/internalversion/printers.go, pkg/apis/storage/util/helpers.go. */
export const STORAGE: Readonly<Record<string, Printer>> = {
  persistentvolumes: {
    columns: columns(
      'Name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, VolumeAttributesClass, Reason, Age, VolumeMode+',
    ),
    row: (it, now) => {
      const claim = dig(it, 'spec', 'claimRef');
      const claimWords = claim === undefined ? '' : `${textOf(dig(claim, 'namespace'))}/${textOf(dig(claim, 'name'))}`;
      return [
        it.metadata.name,
        text(it, 'spec', 'capacity', 'storage'),
        accessModes(dig(it, 'spec', 'accessModes')),
        text(it, 'spec', 'persistentVolumeReclaimPolicy'),
        phaseOf(it),
        claimWords,
        classOf(it),
        textOr(UNSET, it, 'spec', 'volumeAttributesClassName'),
        text(it, 'status', 'reason'),
        age(it, now),
        textOr(UNSET, it, 'spec', 'volumeMode'),
      ];
    },
  },
  persistentvolumeclaims: {
    columns: columns('Name, Status, Volume, Capacity, Access Modes, StorageClass, VolumeAttributesClass, Age, VolumeMode+'),
    row: (it, now) => {
      const volume = text(it, 'spec', 'volumeName');
      const [capacity, modes] =
        volume === '' ? ['', ''] : [text(it, 'status', 'capacity', 'storage'), accessModes(dig(it, 'status', 'accessModes'))];
      return [
        it.metadata.name,
        phaseOf(it),
        volume,
        capacity,
        modes,
        classOf(it),
        textOr(UNSET, it, 'spec', 'volumeAttributesClassName'),
        age(it, now),
        textOr(UNSET, it, 'spec', 'volumeMode'),
      ];
    },
  },
  'storageclasses.storage.k8s.io': {
    columns: columns('Name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age'),
    row: (it, now) => {
      const isDefault = [`storageclass.kubernetes.io/is-default-class`, 'storageclass.beta.kubernetes.io/is-default-class'].some(
        (name) => annotationsOf(it)[name] === 'true',
      );
      return [
        `${it.metadata.name}${isDefault ? ' (default)' : ''}`,
        text(it, 'provisioner'),
        textOr('Delete', it, 'reclaimPolicy'),
        textOr('Immediate', it, 'volumeBindingMode'),
        it['allowVolumeExpansion'] === true,
        age(it, now),
      ];
    },
  },
  'volumeattachments.storage.k8s.io': {
    columns: columns('Name, Attacher, PV, Node, Attached, Age'),
    row: (it, now) => [
      it.metadata.name,
      text(it, 'spec', 'attacher'),
      text(it, 'spec', 'source', 'persistentVolumeName'),
      text(it, 'spec', 'nodeName'),
      dig(it, 'status', 'attached') === true,
      age(it, now),
    ],
  },
  'volumeattributesclasses.storage.k8s.io': {
    columns: columns('Name, DriverName, Age'),
    row: (it, now) => [it.metadata.name, text(it, 'driverName'), age(it, now)],
  },
  'csidrivers.storage.k8s.io': {
    columns: columns(
      'Name, AttachRequired:boolean, PodInfoOnMount:boolean, StorageCapacity:boolean, TokenRequests, RequiresRepublish:boolean, Modes, Age',
    ),
    row: (it, now) => {
      const tokens = asList(dig(it, 'spec', 'tokenRequests')).map((one) => textOf(dig(one, 'audience')));
      const flag = (field: string, otherwise: boolean): Json => dig(it, 'spec', field) ?? otherwise;
      return [
        it.metadata.name,
        flag('attachRequired', true),
        flag('podInfoOnMount', false),
        flag('storageCapacity', false),
        tokens.length === 0 ? UNSET : tokens.join(','),
        flag('requiresRepublish', false),
        asList(dig(it, 'spec', 'volumeLifecycleModes'))
          .map(String)
          .join(',') || '<none>',
        age(it, now),
      ];
    },
  },
  'csinodes.storage.k8s.io': {
    columns: columns('Name, Drivers:integer, Age'),
    row: (it, now) => [it.metadata.name, asList(dig(it, 'spec', 'drivers')).length, age(it, now)],
  },
  'csistoragecapacities.storage.k8s.io': {
    columns: columns('Name, StorageClassName, Capacity'),
    row: (it) => [it.metadata.name, text(it, 'storageClassName'), textOr(UNSET, it, 'capacity')],
  },
};

function phaseOf(object: KubeObject): string {
  return object.metadata['deletionTimestamp'] === undefined ? text(object, 'status', 'phase') : 'Terminating';
}

function classOf(object: KubeObject): string {
  return asTextMap(object.metadata['annotations'])['volume.beta.kubernetes.io/storage-class'] ?? text(object, 'spec', 'storageClassName');
}

/** `RWO,ROX`, each once, in this order. Source: staging/src/k8s.io/kubectl/pkg/util/storage/storage.go. */
function accessModes(modes: Json | undefined): string {
  const given = new Set(asList(modes).map(String));
  return Object.entries(MODES)
    .filter(([mode]) => given.has(mode))
    .map(([, word]) => word)
    .join(',');
}

const MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
