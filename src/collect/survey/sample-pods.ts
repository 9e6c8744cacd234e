import type { KubeObject } from '../../model/kube-object.ts';
import { controllerOf, formatRef, refOf } from '../../model/kube-object.ts';
import { involvedIn } from '../../model/event-fields.ts';
import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { areAlike, isPlainNode, isPlainPod, isPlainWorkload, settledTime } from './plain-pods.ts';
import type { Survey } from './survey.ts';

/** Which pods of a large cluster are looked at one by one. */
export interface SampledPods {
  readonly judged: readonly KubeObject[];
  /** Keys of the judged pods each of which stands for others that are like it. */
  readonly standing: ReadonlySet<string>;
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
  if (pods.length < (request.sampledFrom ?? Number.POSITIVE_INFINITY)) return { judged: pods, standing: NONE };
  const examples = new Map<string, KubeObject[]>();
  const stands = new Map<KubeObject, KubeObject>();
  for (const pod of await plainPods(pods, workloads, survey, request)) {
    const owner = ownerKey(pod);
    const known = examples.get(owner) ?? [];
    const example = known.find((one) => areAlike(pod, one));
    if (example !== undefined) stands.set(pod, example);
    else if (known.length < MOST_EXAMPLES) examples.set(owner, [...known, pod]);
  }
  return { judged: pods.filter((pod) => !stands.has(pod)), standing: new Set([...new Set(stands.values())].map(keyOf)) };
}

const NONE: ReadonlySet<string> = new Set();
/** A controller whose pods are alike in more ways than these has pods that are not alike. */
const MOST_EXAMPLES = 5;

async function plainPods(
  pods: readonly KubeObject[],
  workloads: readonly KubeObject[],
  survey: Survey,
  { namespace, odd: given = NONE }: SampleRequest,
): Promise<readonly KubeObject[]> {
  const [nodes, events] = await Promise.all([survey.list('Node', {}), survey.list('Event', namespace === undefined ? {} : { namespace })]);
  if (!nodes.ok) return [];
  const told = toldIn(events.ok ? events.value : []);
  const plainNodes = new Set(nodes.value.filter((node) => isPlainNode(node) && !told.has(node)).map(nameOf));
  const owners = new Map(workloads.map((workload) => [keyOf(workload), workload] as const));
  const settled = settledTime(survey.now());
  const [candidates, odd] = [[] as KubeObject[], new Set<string>()];
  for (const pod of pods) {
    if (!isPlainPod(pod, settled) || (given.size > 0 && given.has(keyOf(pod)))) {
      for (const owner of ownersOf(pod, owners)) odd.add(keyOf(owner));
      continue;
    }
    const isQuiet = plainNodes.has(asText(dig(pod, 'spec', 'nodeName')) ?? '') && !told.has(pod) && !(await hasLogs(pod, survey));
    if (isQuiet) candidates.push(pod);
  }
  const plainOwners = new Map<string, boolean>();
  return candidates.filter((pod) => {
    const key = ownerKey(pod);
    const known = plainOwners.get(key) ?? arePlain(ownersOf(pod, owners), odd);
    plainOwners.set(key, known);
    return known;
  });
}

function arePlain(owners: readonly KubeObject[], odd: ReadonlySet<string>): boolean {
  return owners.length > 0 && owners.every((owner) => !odd.has(keyOf(owner)) && isPlainWorkload(owner));
}

/** The objects of which events tell more than that they start. */
function toldIn(events: readonly KubeObject[]): { readonly has: (object: KubeObject) => boolean } {
  const about = events.filter((event) => !isOfStart(event)).map(involvedIn);
  const [names, keys] = [new Set(about.map((involved) => asText(dig(involved, 'name')) ?? '')), new Set(about.map(toldOf))];
  // Most objects are out by their names: to make the keys of all takes long.
  return {
    has: ({ kind, metadata: { namespace, name } }) =>
      names.has(name) && keys.has(kind === 'Node' ? `Node//${name}` : `${kind}/${namespace ?? ''}/${name}`),
  };
}

/** What an event is about. */
function toldOf(involved: Json | undefined): string {
  const [kind, namespace, name] = ['kind', 'namespace', 'name'].map((field) => asText(dig(involved, field)) ?? '');
  return kind === 'Node' ? `Node//${name ?? ''}` : `${kind ?? ''}/${namespace ?? ''}/${name ?? ''}`;
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

function isOfStart(event: KubeObject): boolean {
  return dig(involvedIn(event), 'kind') === 'Node' && NODE_STARTS.has(asText(dig(event, 'reason')) ?? '');
}

/** Where reading costs nothing, every log is looked at; elsewhere only those of containers that are not well. */
async function hasLogs(pod: KubeObject, survey: Survey): Promise<boolean> {
  if (!survey.stored) return false;
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

function ownerKey(pod: KubeObject): string {
  const owner = controllerOf(pod);
  return owner === undefined ? '' : formatRef(owner);
}

function keyOf(object: KubeObject): string {
  return formatRef(refOf(object));
}

function nameOf({ metadata }: KubeObject): string {
  return metadata.name;
}
