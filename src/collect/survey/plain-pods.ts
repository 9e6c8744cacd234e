import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../base/json.ts';
import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { controllerOf, OBSERVED } from '../../model/kube-object.ts';

/**
 * Whether nothing at all is odd about a pod of a controller: it has run for long, every container is ready and was never restarted, every
 * condition is True. Only what is seen counts: a pod that was not read whole is never plain. `settled`: the time since which it has to be
 * so, as `settledTime` gives it.
 */
export function isPlainPod(pod: KubeObject, settled: string): boolean {
  return hasSettled(pod, { settled, again: false });
}

/**
 * Whether all that is odd about a pod of a controller is that its containers were started more than once, the last time long ago, as in
 * clusters that have run for weeks many were: it says nothing about the pods beside it.
 */
export function wasRestarted(pod: KubeObject, settled: string): boolean {
  return hasSettled(pod, { settled, again: true });
}

interface Wanted {
  readonly settled: string;
  /** Containers may have been started more than once. */
  readonly again: boolean;
}

function hasSettled(pod: KubeObject, wanted: Wanted): boolean {
  const { settled } = wanted;
  const { spec, status } = pod;
  if (!isOfController(pod) || !isJsonObject(spec) || !isJsonObject(status)) return false;
  if (status['phase'] !== 'Running' || ODD_STATUS.some((field) => status[field] !== undefined)) return false;
  if (typeof spec['nodeName'] !== 'string' || ODD_SPEC.some((field) => spec[field] !== undefined)) return false;
  if (!isSettled(status['startTime'], settled) || !areTrue(status['conditions'], settled)) return false;
  return (
    areRunning(spec['containers'], status['containerStatuses'], wanted) &&
    haveStarted(spec['initContainers'], status['initContainerStatuses'], wanted) &&
    asList(spec['volumes']).every((volume) => !OWN_VOLUMES.some((field) => dig(volume, field) !== undefined))
  );
}

/** Whether it was read whole, is there to stay, and is one of a controller's that are made from one template. */
function isOfController(pod: KubeObject): boolean {
  const { metadata } = pod;
  if (pod[OBSERVED] !== undefined || metadata['deletionTimestamp'] !== undefined || metadata['finalizers'] !== undefined) return false;
  return REPLICATING.has(controllerOf(pod)?.kind ?? '');
}

/** Controllers whose pods are all made from one template and run on. */
const REPLICATING: ReadonlySet<string> = new Set(['ReplicaSet', 'StatefulSet', 'DaemonSet', 'ReplicationController']);
const ODD_STATUS = ['reason', 'message', 'nominatedNodeName', 'resize', 'resourceClaimStatuses', 'ephemeralContainerStatuses'] as const;
const ODD_SPEC = ['schedulingGates', 'resourceClaims', 'ephemeralContainers', 'readinessGates'] as const;
/** Volumes that each pod has of its own, each of which may have trouble of its own. */
const OWN_VOLUMES = ['persistentVolumeClaim', 'ephemeral'] as const;
/** No rule asks whether something has lasted for longer than this. */
const SETTLED_MILLISECONDS = 3600_000;

/** The time before which everything has lasted long enough. */
export function settledTime(now: Instant): string {
  return formatInstant(now - SETTLED_MILLISECONDS);
}

/** Times as the API server writes them stand in the order of their texts; to parse a million of them takes seconds. */
function isSettled(time: Json | undefined, settled: string): boolean {
  return typeof time === 'string' && time.length === settled.length && time.endsWith('Z') && time.charAt(10) === 'T' && time <= settled;
}

function areTrue(conditions: Json | undefined, settled: string): boolean {
  let [ready, containersReady, scheduled, initialized] = [false, false, false, false];
  // One look at each, as every pod of a large cluster has five.
  for (const one of asList(conditions)) {
    if (!isJsonObject(one) || one['status'] !== 'True' || one['reason'] !== undefined || one['message'] !== undefined) return false;
    if (!isSettled(one['lastTransitionTime'], settled)) return false;
    const type = one['type'];
    if (type === 'Ready') ready = true;
    else if (type === 'ContainersReady') containersReady = true;
    else if (type === 'PodScheduled') scheduled = true;
    else if (type === 'Initialized') initialized = true;
  }
  return ready && containersReady && scheduled && initialized;
}

function areRunning(containers: Json | undefined, statuses: Json | undefined, wanted: Wanted): boolean {
  const [declared, seen] = [asList(containers), asList(statuses)];
  return declared.length > 0 && declared.length === seen.length && seen.every((status) => isRunning(status, wanted));
}

function isRunning(status: Json, wanted: Wanted): boolean {
  return (
    isJsonObject(status) &&
    status['ready'] === true &&
    status['started'] !== false &&
    isFirst(status, wanted) &&
    isSettled(dig(status, 'state', 'running', 'startedAt'), wanted.settled)
  );
}

/** Init containers have ended well; sidecars run. */
function haveStarted(containers: Json | undefined, statuses: Json | undefined, wanted: Wanted): boolean {
  const [declared, seen] = [asList(containers), asList(statuses)];
  return (
    declared.length === seen.length &&
    seen.every(
      (status) =>
        isRunning(status, wanted) ||
        (isFirst(status, wanted) &&
          dig(status, 'state', 'terminated', 'exitCode') === 0 &&
          isSettled(dig(status, 'state', 'terminated', 'finishedAt'), wanted.settled)),
    )
  );
}

function isFirst(status: Json, { again }: Wanted): boolean {
  return again || (dig(status, 'restartCount') === 0 && isEmpty(dig(status, 'lastState')));
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || (isJsonObject(value) && Object.keys(value).length === 0);
}

/** Whether a controller has exactly the pods that it wants, all of them ready and of its newest template. */
export function isPlainWorkload(workload: KubeObject): boolean {
  const { kind, metadata, spec, status } = workload;
  if (workload[OBSERVED] !== undefined || metadata['deletionTimestamp'] !== undefined) return false;
  const generation = asNumber(dig(metadata, 'generation'));
  if (generation === undefined || dig(status, 'observedGeneration') !== generation || dig(spec, 'paused') === true) return false;
  const wanted = asNumber(kind === 'DaemonSet' ? dig(status, 'desiredNumberScheduled') : dig(spec, 'replicas'));
  const counts = COUNTS[kind];
  const conditions = asList(dig(status, 'conditions'));
  return (
    wanted !== undefined &&
    wanted > 0 &&
    counts !== undefined &&
    counts.every((field) => dig(status, field) === wanted) &&
    conditions.every((condition) => dig(condition, 'status') === (dig(condition, 'type') === 'ReplicaFailure' ? 'False' : 'True'))
  );
}

const COUNTS: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['replicas', 'readyReplicas', 'availableReplicas', 'updatedReplicas'],
  ReplicaSet: ['replicas', 'readyReplicas', 'availableReplicas'],
  ReplicationController: ['replicas', 'readyReplicas', 'availableReplicas'],
  StatefulSet: ['replicas', 'readyReplicas', 'updatedReplicas'],
  DaemonSet: ['currentNumberScheduled', 'numberReady', 'updatedNumberScheduled', 'numberAvailable'],
};

/** Whether nothing is odd about a node, so that nothing happens to a pod because it is there. */
export function isPlainNode(node: KubeObject): boolean {
  const { metadata, spec, status } = node;
  if (node[OBSERVED] !== undefined || metadata['deletionTimestamp'] !== undefined) return false;
  if (dig(spec, 'unschedulable') !== undefined) return false;
  const conditions = asList(dig(status, 'conditions'));
  return (
    conditions.some((condition) => dig(condition, 'type') === 'Ready') &&
    conditions.every((condition) => dig(condition, 'status') === (dig(condition, 'type') === 'Ready' ? 'True' : 'False')) &&
    asList(dig(spec, 'taints')).every((taint) => {
      const key = asText(dig(taint, 'key')) ?? '';
      return dig(taint, 'effect') === 'NoSchedule' && !/^node\.(?:cloudprovider\.)?kubernetes\.io\//.test(key);
    })
  );
}

/**
 * Whether two plain pods of one controller differ in nothing but what each pod has of its own: name, node, addresses, times, the name of
 * the volume with its token.
 */
export function areAlike(pod: KubeObject, other: KubeObject): boolean {
  const own: Own = { pod, other, node: dig(pod, 'spec', 'nodeName'), otherNode: dig(other, 'spec', 'nodeName') };
  return (
    same(pod['spec'], other['spec'], own) &&
    same(pod.metadata['labels'], other.metadata['labels'], own) &&
    same(pod.metadata['annotations'], other.metadata['annotations'], own) &&
    STATUSES.every((field) => haveSameStatuses(asList(dig(pod, 'status', field)), asList(dig(other, 'status', field)), own))
  );
}

function haveSameStatuses(statuses: readonly Json[], others: readonly Json[], own: Own): boolean {
  return statuses.every((status, index) => {
    const [one, another] = [asObject(status), asObject(others[index])];
    return OF_STATUS.every((part) => one[part] === another[part] || same(one[part], another[part], own));
  });
}

const STATUSES = ['containerStatuses', 'initContainerStatuses'] as const;
const OF_STATUS = ['name', 'image', 'imageID', 'resources', 'allocatedResources'] as const;

interface Own {
  readonly pod: KubeObject;
  readonly other: KubeObject;
  readonly node: Json | undefined;
  readonly otherNode: Json | undefined;
}

function same(value: Json | undefined, other: Json | undefined, own: Own): boolean {
  if (value === other) return true;
  if (typeof value === 'string' && typeof other === 'string') return isOwnName(value, other, own);
  if (Array.isArray(value) && Array.isArray(other)) {
    const [list, others] = [value as readonly Json[], other as readonly Json[]];
    if (list.length !== others.length) return false;
    for (let index = 0; index < list.length; index++) if (!same(list[index], others[index], own)) return false;
    return true;
  }
  return isJsonObject(value) && isJsonObject(other) && haveSame(value, other, own);
}

function haveSame(value: JsonObject, other: JsonObject, own: Own): boolean {
  let fields = 0;
  for (const field in value) {
    fields++;
    if (value[field] !== undefined && value[field] === other[field]) continue;
    if (!Object.hasOwn(other, field) || !(same(value[field], other[field], own) || OWN_FIELDS.test(field))) return false;
  }
  for (const field in other) if (Object.hasOwn(other, field)) fields--;
  return fields === 0;
}

/** What network plugins write into each pod, and the number of a pod of a StatefulSet. */
const OWN_FIELDS =
  /^(?:cni\.projectcalico\.org\/.*|k8s\.v1\.cni\.cncf\.io\/network-status|k8s\.ovn\.org\/pod-networks|apps\.kubernetes\.io\/pod-index)$/;

function isOwnName(value: string, other: string, { pod, other: otherPod, node, otherNode }: Own): boolean {
  if (value === node && other === otherNode) return true;
  if (value === pod.metadata.name && other === otherPod.metadata.name) return true;
  return value.startsWith(TOKEN_VOLUME) && other.startsWith(TOKEN_VOLUME);
}

/** Source: plugin/pkg/admission/serviceaccount/admission.go (DefaultAPITokenMountPath, generated volume names). */
const TOKEN_VOLUME = 'kube-api-access-';
