import type { ListRead } from '../../model/cluster-reader.ts';
import { unseenIn } from '../../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { controllerOf, formatRef, inNamespace, objectKey, refOf } from '../../model/kube-object.ts';
import { involvedIn } from '../../model/event-fields.ts';
import type { Json } from '../../base/json.ts';
import { onceFor } from '../../base/once.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { ownership } from './ownership.ts';
import { areAlike, isPlainNode, isPlainPod, isPlainWorkload, settledTime, wasRestarted } from './plain-pods.ts';
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

/** The pods and workloads of a scope. */
export interface FoundInScope {
  readonly pods: readonly KubeObject[];
  readonly workloads: readonly KubeObject[];
  /** Kinds of them that could not be listed whole. */
  readonly unlisted: ReadonlySet<string>;
}

/**
 * Of plain pods that are alike one stands for all of a controller, because whatever is true of it is true of them. None stands for a pod of
 * which something was said (an event, a log), whose node is not plain or whose workload has a pod that is not. A node or a controller that
 * nobody listed is the same to all its pods: a saved list of pods alone took three times as long as the cluster with all around it.
 */
export async function samplePods(found: FoundInScope, survey: Survey, request: SampleRequest): Promise<SampledPods> {
  const { pods } = found;
  if (pods.length < (request.sampledFrom ?? Number.POSITIVE_INFINITY)) return { judged: pods, standing: new Set(), started: [] };
  const examples = new Map<string, KubeObject[]>();
  const stands = new Map<KubeObject, KubeObject>();
  const { plain, started } = await plainPods(found, survey, request);
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
  { pods, workloads, unlisted }: FoundInScope,
  survey: Survey,
  { namespace, odd: given = NONE }: SampleRequest,
): Promise<{ readonly plain: readonly KubeObject[]; readonly started: readonly KubeObject[] }> {
  const [nodes, events] = await Promise.all([survey.list('Node', {}), survey.list('Event', inNamespace(namespace))]);
  const { told, started } = toldIn(events.ok ? events.value : []);
  const isQuietNode = quietNodes(nodes, told);
  const controllers = controllersOf(pods, workloads, unlisted);
  const settled = settledTime(survey.now());
  const [candidates, odd] = [[] as KubeObject[], new Set<string>()];
  for (const pod of pods) {
    if (!isPlainPod(pod, settled)) {
      if (!wasRestarted(pod, settled)) addAll(odd, controllers.above(pod));
      continue;
    }
    if (given.size > 0 && given.has(objectKey(pod))) {
      addAll(odd, controllers.above(pod));
      continue;
    }
    const isQuiet = isQuietNode(asText(dig(pod, 'spec', 'nodeName')) ?? '') && !told.has(pod);
    if (isQuiet && !(survey.mayHaveLogs && (await hasLogs(pod, survey)))) candidates.push(pod);
  }
  const plainOwners = new Map<string, boolean>();
  const keyOfOwner = ownerKeys();
  const plain = candidates.filter((pod) => {
    const key = keyOfOwner(pod);
    const known = plainOwners.get(key) ?? controllers.arePlain(pod, odd);
    plainOwners.set(key, known);
    return known;
  });
  return { plain, started: plain.filter((pod) => started.has(pod)) };
}

function addAll(keys: Set<string>, more: readonly string[]): void {
  for (const key of more) keys.add(key);
}

/** Whether a node of this name is plain and nothing was said of it. Of one that nobody listed only what was said is known. */
function quietNodes(nodes: ListRead, told: Named): (name: string) => boolean {
  const listed = nodes.ok ? nodes.value : [];
  const [seen, plain] = [new Set(listed.map(nameOf)), new Set(listed.filter(isPlainNode).map(nameOf))];
  const isWhole = unseenIn(nodes) === undefined;
  return onceFor((name: string) => {
    const isPlain = plain.has(name) || (!isWhole && !seen.has(name));
    return isPlain && !told.has({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
  });
}

interface Controllers {
  /** Keys of the controllers above a pod: its ReplicaSet and the Deployment of that. */
  readonly above: (pod: KubeObject) => readonly string[];
  /** Whether all of these are plain, as far as their kinds were listed, and none of their pods is odd. */
  readonly arePlain: (pod: KubeObject, odd: ReadonlySet<string>) => boolean;
}

function controllersOf(pods: readonly KubeObject[], workloads: readonly KubeObject[], unlisted: ReadonlySet<string>): Controllers {
  const known = new Map(workloads.map((workload) => [objectKey(workload), workload] as const));
  const { above } = ownership(pods, workloads);
  const isPlain = (key: string): boolean => {
    const controller = known.get(key);
    return controller === undefined ? unlisted.has(key.slice(0, key.indexOf('/'))) : isPlainWorkload(controller);
  };
  return {
    above,
    arePlain: (pod, odd) => {
      const owners = above(pod);
      return owners.length > 0 && owners.every((owner) => !odd.has(owner) && isPlain(owner));
    },
  };
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
