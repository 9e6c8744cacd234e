import type { JsonObject } from '../../base/json.ts';
import { asObject, asText, dig } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import { own } from '../../base/own-property.ts';
import { defaultClass, IS_DEFAULT_CLASS } from '../apiserver/admission/default-storage-class.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, refOf, shows } from '../../model/kube-object.ts';
import type { Need } from './pod-needs.ts';
import { claimSpecsOf, isProvisioned, needsOf } from './pod-needs.ts';

/** An object nobody saw, or keys of one that nobody saw, and why it is taken to be there. */
export interface StandIn {
  readonly about: ObjectRef;
  readonly why: string;
  readonly object: KubeObject;
}

type IsComplete = (kind: string, namespace: string | undefined) => boolean;

export interface Sighting {
  /** As they were read, also those of which too little was seen. */
  readonly seen: readonly KubeObject[];
  /** Those that are taken over. */
  readonly there: readonly KubeObject[];
  readonly wanted: readonly KubeObject[];
  readonly isComplete: IsComplete;
}

/**
 * Objects in the place of those that were not looked at: what is there, or is wanted, names them, and that they were not seen must
 * not become "they do not exist". Where everything of their kind was seen, what is not there stays away.
 */
export function standIns({ seen, there, wanted, isComplete }: Sighting): readonly StandIn[] {
  const known = new Map([...seen, ...wanted].map((object) => [formatRef(refOf(placed(object))), object]));
  const made = new Map<string, StandIn>();
  const add = (object: KubeObject, why: string): void => {
    const about = refOf(object);
    if (known.has(formatRef(about)) || isComplete(about.kind, about.namespace)) return;
    made.set(formatRef(about), { about, why, object });
  };
  for (const object of [...there, ...wanted.map(placed)]) {
    const { namespace } = object.metadata;
    if (namespace !== undefined) add({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, 'namespaces were not seen');
    if (object.kind === 'Node' && dig(object, 'status', 'allocatable') === undefined)
      made.set(formatRef(refOf(object)), {
        about: refOf(object),
        why: 'what it has was not seen; it is taken to have 4 cores and 8Gi',
        object: withFields(object, {
          status: { ...asObject(object['status']), capacity: ORDINARY_CAPACITY, allocatable: ORDINARY_CAPACITY },
        }),
      });
    const node = object.kind === 'Pod' ? asText(dig(object, 'spec', 'nodeName')) : undefined;
    if (node !== undefined) add(ordinaryNode(node), `nodes were not seen; ${node}, which runs pods, is taken to have 4 cores and 8Gi`);
    if (object.kind === 'PersistentVolume')
      for (const driver of driversOf(object)) add(driver, 'CSI drivers were not seen, and this one has a volume');
    if (object.kind === 'PersistentVolumeClaim' && dig(object, 'status', 'phase') === 'Bound')
      add(volumeOf(object), 'volumes were not seen, and this one is bound');
    for (const need of needsOf(object, namespace ?? 'default')) meet(need, object, known, made, isComplete);
  }
  const all = [...known.values(), ...[...made.values()].map(({ object }) => object)];
  for (const one of [...defaultClassFor(wanted, all, isComplete), ...ordinaryNodesFor(all, isComplete)])
    made.set(formatRef(one.about), one);
  return [...made.values()];
}

/** A claim that names no class gets the default one, unless it is for a volume that comes with it. */
function asksForDefaultClass(wanted: readonly KubeObject[]): boolean {
  const brought = wanted.some(
    ({ kind, ...volume }) => kind === 'PersistentVolume' && (dig(volume, 'spec', 'storageClassName') ?? '') === '',
  );
  const asked = wanted.flatMap(claimSpecsOf).some((claim) => isProvisioned(claim) && dig(claim, 'storageClassName') === undefined);
  return asked && !brought;
}

function defaultClassFor(wanted: readonly KubeObject[], known: readonly KubeObject[], isComplete: IsComplete): readonly StandIn[] {
  if (
    !asksForDefaultClass(wanted) ||
    isComplete('StorageClass', undefined) ||
    defaultClass(known.filter(({ kind }) => kind === 'StorageClass')) !== undefined
  )
    return [];
  const why = 'StorageClasses were not seen, and a claim needs the default one';
  const metadata = { name: 'default-unseen', annotations: { [IS_DEFAULT_CLASS]: 'true' } };
  const unseenClass = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata, ...FIELDS['StorageClass']?.more };
  return [unseenClass, ...companions(unseenClass)].map((object) => ({ about: refOf(object), why, object }));
}

function ordinaryNodesFor(known: readonly KubeObject[], isComplete: IsComplete): readonly StandIn[] {
  if (isComplete('Node', undefined) || known.some(({ kind }) => kind === 'Node')) return [];
  const why = 'nodes were not seen; three ordinary ones with 4 cores and 8Gi stand in';
  return ORDINARY_NODES.map(ordinaryNode).map((object) => ({ about: refOf(object), why, object }));
}

const ORDINARY_NODES: readonly string[] = ['worker-1', 'worker-2', 'worker-3'];

export function placed(object: KubeObject): KubeObject {
  return object.kind === 'Namespace' || object.metadata.namespace !== undefined || CLUSTER_KINDS.has(object.kind)
    ? object
    : withFields(object, { metadata: { ...object.metadata, namespace: 'default' } });
}

const CLUSTER_KINDS: ReadonlySet<string> = new Set([
  'Node',
  'PersistentVolume',
  'StorageClass',
  'PriorityClass',
  'RuntimeClass',
  'ClusterRole',
  'ClusterRoleBinding',
  'CSIDriver',
  'CSINode',
  'DeviceClass',
  'ResourceSlice',
  'IngressClass',
  'CustomResourceDefinition',
  'APIService',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'CertificateSigningRequest',
]);

function meet(
  { ref, key }: Need,
  by: KubeObject,
  known: Map<string, KubeObject>,
  made: Map<string, StandIn>,
  isComplete: IsComplete,
): void {
  const place = formatRef(ref);
  const user = `${by.kind} ${by.metadata.name}`;
  const present = known.get(place);
  if (present === undefined) {
    if (isComplete(ref.kind, ref.namespace)) return;
    const before = made.get(place)?.object ?? ordinary(ref);
    if (before === undefined) return;
    made.set(place, { about: ref, why: `${ref.kind} objects were not seen, and ${user} names this one`, object: withKey(before, key) });
    for (const object of companions(before))
      if (object.kind !== 'ResourceSlice' || !isComplete('ResourceSlice', undefined))
        made.set(formatRef(refOf(object)), { about: refOf(object), why: `it goes with ${place}`, object });
    return;
  }
  const unseen = (ref.kind === 'Secret' || ref.kind === 'ConfigMap') && !shows(present, 'data');
  if (key === undefined || !unseen || dig(present, 'data', key) !== undefined) return;
  const filled = withKey(present, key);
  known.set(place, filled);
  made.set(place, { about: ref, why: `its keys were not seen, and ${user} names one`, object: filled });
}

/** What an object that stands in needs itself. */
export function companions(object: KubeObject): readonly KubeObject[] {
  if (object.kind === 'PersistentVolumeClaim') return [volumeOf(object)];
  if (object.kind === 'DeviceClass') return [unseenDevices()];
  if (object.kind === 'ResourceClaim' || object.kind === 'ResourceClaimTemplate')
    return [{ apiVersion: DEVICES, kind: 'DeviceClass', metadata: { name: UNSEEN_DEVICES }, spec: {} }, unseenDevices()];
  return object.kind === 'StorageClass' ? [driver(UNSEEN_STORAGE)] : [];
}

/** Devices of no kind, as many as a claim can have, for whoever asks for nothing more. */
function unseenDevices(): KubeObject {
  const devices = Array.from({ length: 128 }, (_, index) => ({ name: `device-${index}` }));
  return {
    apiVersion: DEVICES,
    kind: 'ResourceSlice',
    metadata: { name: UNSEEN_DEVICES },
    spec: { driver: UNSEEN_DEVICES, allNodes: true, pool: { name: UNSEEN_DEVICES, generation: 1, resourceSliceCount: 1 }, devices },
  };
}

const DEVICES = 'resource.k8s.io/v1';
const UNSEEN_DEVICES = 'devices.unseen';
const UNSEEN_REQUEST: JsonObject = {
  devices: { requests: [{ name: 'devices', exactly: { deviceClassName: UNSEEN_DEVICES, allocationMode: 'ExactCount', count: 1 } }] },
};

const UNSEEN_STORAGE = 'storage.unseen';

export function withKey(object: KubeObject, key: string | undefined): KubeObject {
  return key === undefined ? object : withFields(object, { data: { ...asObject(object['data']), [key]: '' } });
}

/** The least an object of a kind can be. */
export function ordinary({ kind, namespace, name }: ObjectRef): KubeObject | undefined {
  const metadata = namespace === undefined ? { name } : { name, namespace };
  const fields = own(FIELDS, kind);
  return fields === undefined ? undefined : { apiVersion: fields.apiVersion, kind, metadata, ...fields.more };
}

const FIELDS: Readonly<Record<string, { readonly apiVersion: string; readonly more: JsonObject }>> = {
  ConfigMap: { apiVersion: 'v1', more: { data: {} } },
  Secret: { apiVersion: 'v1', more: { data: {}, type: 'Opaque' } },
  ServiceAccount: { apiVersion: 'v1', more: {} },
  PriorityClass: { apiVersion: 'scheduling.k8s.io/v1', more: { value: 0 } },
  RuntimeClass: { apiVersion: 'node.k8s.io/v1', more: { handler: 'runc' } },
  PersistentVolumeClaim: {
    apiVersion: 'v1',
    more: {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: '', volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    },
  },
  ResourceClaim: { apiVersion: DEVICES, more: { spec: UNSEEN_REQUEST, status: {} } },
  ResourceClaimTemplate: { apiVersion: DEVICES, more: { spec: { metadata: {}, spec: UNSEEN_REQUEST } } },
  DeviceClass: { apiVersion: DEVICES, more: { spec: {} } },
  StorageClass: { apiVersion: 'storage.k8s.io/v1', more: { provisioner: UNSEEN_STORAGE, volumeBindingMode: 'WaitForFirstConsumer' } },
};

const ORDINARY_CAPACITY: JsonObject = { cpu: '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '100Gi' };

function ordinaryNode(name: string): KubeObject {
  const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: {},
    status: { capacity: ORDINARY_CAPACITY, allocatable: ORDINARY_CAPACITY },
  };
}

function driversOf(volume: KubeObject): readonly KubeObject[] {
  const name = asText(dig(volume, 'spec', 'csi', 'driver'));
  return name === undefined ? [] : [driver(name)];
}

function driver(name: string): KubeObject {
  return { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name }, spec: {} };
}

/** The volume a claim says it has, on the machine it is used on. */
function volumeOf(claim: KubeObject): KubeObject {
  const { namespace = '', name, uid } = claim.metadata;
  const storageClassName = asText(dig(claim, 'spec', 'storageClassName'));
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: asText(dig(claim, 'spec', 'volumeName')) ?? `volume-of-${name}` },
    spec: {
      accessModes: dig(claim, 'spec', 'accessModes') ?? ['ReadWriteOnce'],
      capacity: { storage: dig(claim, 'status', 'capacity', 'storage') ?? dig(claim, 'spec', 'resources', 'requests', 'storage') ?? '1Gi' },
      ...(storageClassName === undefined ? {} : { storageClassName }),
      persistentVolumeReclaimPolicy: 'Retain',
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, ...(uid === undefined ? {} : { uid }) },
      hostPath: { path: `/volumes/${namespace}/${name}`, type: 'DirectoryOrCreate' },
    },
    status: { phase: 'Bound' },
  };
}
