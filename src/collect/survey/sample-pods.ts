import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { controllerOf, formatRef, inNamespace, objectKey, refOf } from '../../model/kube-object.ts';
import { involvedIn } from '../../model/event-fields.ts';
import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { areAlike, isPlainNode, isPlainPod, isPlainWorkload, settledTime } from './plain-pods.ts';
import type { Survey } from './survey.ts';

/** Which pods of a large cluster are looked at one by one. */
export interface SampledPods {
  readonly judged: readonly KubeObject[];
  /** Judged pods each of which stands for others that are like it. */
  readonly standing: ReadonlySet<KubeObject>;
  /** Pods that others stand for, and of which events tell that they have started. */
  readonly started: readonly KubeObject[];
}

/** How the pods of a scope are looked at. */
export interface SampleRequest {
  readonly namespace?: string;
  /** In a scope of so many pods and more, one that is plain stands for those like it; without it all are looked at one by one. */
  readonly sampledFrom?: number;
  /** Pods, by key, that are not plain, whatever they look like. */
  readonly odd?: ReadonlySet<string>;
}

/**
 * Of plain pods that are alike one stands for all of a controller, because whatever is true of it is true of them. None stands for a pod of
 * which something was said (an event, a log), whose node is not plain or whose workload has a pod that is not, or where that was not seen.
 */
export async function samplePods(
  pods: readonly KubeObject[],
  workloads: readonly KubeObject[],
  survey: Survey,
  request: SampleRequest,
): Promise<SampledPods> {
  if (pods.length < (request.sampledFrom ?? Number.POSITIVE_INFINITY)) return { judged: pods, standing: new Set(), started: [] };
  const examples = new Map<string, KubeObject[]>();
  const stands = new Map<KubeObject, KubeObject>();
  const { plain, started } = await plainPods(pods, workloads, survey, request);
  const keyOfOwner = ownerKeys();
  for (const pod of plain) {
    const owner = keyOfOwner(pod);
    const known = examples.get(owner) ?? [];
    const example = known.find((one) => areAlike(pod, one));
    if (example !== undefined) stands.set(pod, example);
    else if (known.length < MOST_EXAMPLES) examples.set(owner, [...known, pod]);
  }
  return {
    judged: pods.filter((pod) => !stands.has(pod)),
    standing: new Set(stands.values()),
    started: started.filter((pod) => stands.has(pod)),
  };
}

const NONE: ReadonlySet<string> = new Set();
/** A controller whose pods are alike in more ways than these has pods that are not alike. */
const MOST_EXAMPLES = 5;

async function plainPods(
  pods: readonly KubeObject[],
  workloads: readonly KubeObject[],
  survey: Survey,
  { namespace, odd: given = NONE }: SampleRequest,
): Promise<{ readonly plain: readonly KubeObject[]; readonly started: readonly KubeObject[] }> {
  const [nodes, events] = await Promise.all([survey.list('Node', {}), survey.list('Event', inNamespace(namespace))]);
  if (!nodes.ok) return { plain: [], started: [] };
  const { told, started } = toldIn(events.ok ? events.value : []);
  const plainNodes = new Set(nodes.value.filter((node) => isPlainNode(node) && !told.has(node)).map(nameOf));
  const owners = new Map(workloads.map((workload) => [objectKey(workload), workload] as const));
  const settled = settledTime(survey.now());
  const [candidates, odd] = [[] as KubeObject[], new Set<string>()];
  for (const pod of pods) {
    if (!isPlainPod(pod, settled) || (given.size > 0 && given.has(objectKey(pod)))) {
      for (const owner of ownersOf(pod, owners)) odd.add(objectKey(owner));
      continue;
    }
    const isQuiet = plainNodes.has(asText(dig(pod, 'spec', 'nodeName')) ?? '') && !told.has(pod);
    if (isQuiet && !(survey.mayHaveLogs && (await hasLogs(pod, survey)))) candidates.push(pod);
  }
  const plainOwners = new Map<string, boolean>();
  const keyOfOwner = ownerKeys();
  const plain = candidates.filter((pod) => {
    const key = keyOfOwner(pod);
    const known = plainOwners.get(key) ?? arePlain(ownersOf(pod, owners), odd);
    plainOwners.set(key, known);
    return known;
  });
  return { plain, started: plain.filter((pod) => started.has(pod)) };
}

function arePlain(owners: readonly KubeObject[], odd: ReadonlySet<string>): boolean {
  return owners.length > 0 && owners.every((owner) => !odd.has(objectKey(owner)) && isPlainWorkload(owner));
}

interface Named {
  readonly has: (object: KubeObject) => boolean;
}

/** The objects of which events tell more than that they start, and those of which they tell that. */
function toldIn(events: readonly KubeObject[]): { readonly told: Named; readonly started: Named } {
  const starts = new Set(events.filter(isOfStart));
  return { told: involvedInAny(events.filter((event) => !starts.has(event))), started: involvedInAny([...starts]) };
}

function involvedInAny(events: readonly KubeObject[]): Named {
  const about = events.map(involvedIn);
  const [names, keys] = [new Set(about.map((involved) => asText(dig(involved, 'name')) ?? '')), new Set(about.map(toldOf))];
  // Most objects are out by their names: to make the keys of all takes long.
  return {
    has: ({ kind, metadata: { namespace = '', name } }) => names.has(name) && keys.has(keyOf(kind, namespace, name)),
  };
}

/** What an event is about. */
function toldOf(involved: Json | undefined): string {
  const at = (field: string): string => asText(dig(involved, field)) ?? '';
  return keyOf(at('kind'), at('namespace'), at('name'));
}

function keyOf(kind: string, namespace: string, name: string): string {
  return kind === 'Node' ? `Node//${name}` : `${kind}/${namespace}/${name}`;
}

/** What every node says when it starts. Source: pkg/kubelet/events/event.go, pkg/controller/nodelifecycle. */
const NODE_STARTS: ReadonlySet<string> = new Set([
  'Starting',
  'InvalidDiskCapacity',
  'NodeAllocatableEnforced',
  'NodeHasSufficientMemory',
  'NodeHasNoDiskPressure',
  'NodeHasSufficientPID',
  'NodeReady',
  'RegisteredNode',
]);

/** What is said of every pod when it starts. Source: pkg/kubelet/events/event.go, pkg/scheduler/schedule_one.go. */
const POD_STARTS: ReadonlySet<string> = new Set(['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started']);

function isOfStart(event: KubeObject): boolean {
  const [kind, reason] = [dig(involvedIn(event), 'kind'), asText(dig(event, 'reason')) ?? ''];
  return kind === 'Pod' ? dig(event, 'type') === 'Normal' && POD_STARTS.has(reason) : kind === 'Node' && NODE_STARTS.has(reason);
}

/** Where reading costs nothing, every log is looked at; elsewhere only those of containers that are not well. */
async function hasLogs(pod: KubeObject, survey: Survey): Promise<boolean> {
  for (const container of asList(dig(pod, 'spec', 'containers'))) {
    const read = await survey.kubeletAnswer(refOf(pod), asText(dig(container, 'name')) ?? '');
    if (read.ok) return true;
  }
  return false;
}

/** The controllers above a pod that were seen: its ReplicaSet and the Deployment of that. */
function ownersOf(pod: KubeObject, known: ReadonlyMap<string, KubeObject>): readonly KubeObject[] {
  const owner = known.get(ownerKey(pod));
  if (owner === undefined) return [];
  const above = controllerOf(owner);
  if (above === undefined) return [owner];
  const top = known.get(formatRef(above));
  return top === undefined ? [] : [owner, top];
}

/** Pods of one controller mostly have the very same reference to it: to put its key together for each of 100,000 took 2 % of a scan. */
function ownerKeys(): (pod: KubeObject) => string {
  const keys = new Map<ObjectRef | undefined, string>();
  return (pod) => {
    const owner = controllerOf(pod);
    const key = keys.get(owner) ?? ownerKey(pod);
    keys.set(owner, key);
    return key;
  };
}

function ownerKey(pod: KubeObject): string {
  const owner = controllerOf(pod);
  return owner === undefined ? '' : formatRef(owner);
}

function nameOf({ metadata }: KubeObject): string {
  return metadata.name;
}
