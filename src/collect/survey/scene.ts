import { isWorkloadKind } from '../../model/workload-kinds.ts';
import { safeEncoded } from '../../base/template-hash.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { controllerOf, formatRef, labelsOf, refOf, sameObject } from '../../model/kube-object.ts';
import type { SampledPods, SampleRequest } from './sample-pods.ts';
import { supersededIn } from './superseded.ts';
import type { Survey } from './survey.ts';

/** What is asked about: one target, or everything in a scope (a namespace, or all of them). */
export interface CollectRequest extends SampleRequest {
  readonly target?: ObjectRef;
}

/** The pods and workloads that are looked at, with how they belong together. Collectors add facts about these and what they involve. */
export interface Scene {
  readonly survey: Survey;
  readonly request: CollectRequest;
  readonly pods: readonly KubeObject[];
  /** Those about which there are facts: of plain pods that are alike one stands for all (`samplePods`). */
  readonly judged: readonly KubeObject[];
  /** Keys of the pods that stand for others. */
  readonly standing: ReadonlySet<string>;
  readonly isJudged: (pod: KubeObject) => boolean;
  /** Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs, CronJobs, ReplicationControllers. */
  readonly workloads: readonly KubeObject[];
  /** Other objects that were asked for by name: a Service, a Node, a claim. */
  readonly others: readonly KubeObject[];
  /** Kinds of pods and workloads that could not be listed whole: what is not in the scene may be there all the same. */
  readonly unlisted: ReadonlySet<string>;
  /**
   * Failed attempts that a later one made good, and unseen pods that events say are gone, by key: they are not among the pods and
   * workloads.
   */
  readonly superseded: ReadonlySet<string>;
  /** Namespaces of all of these, sorted. */
  readonly namespaces: readonly string[];
  /** The workload of the scene that is meant. */
  readonly workload: (ref: ObjectRef) => KubeObject | undefined;
  /** The pods and workloads of one namespace. */
  readonly within: (namespace: string | undefined) => Pick<Scene, 'pods' | 'workloads'>;
  /** The top controller an object belongs to, or the object itself if it is one. */
  readonly workloadOf: (ref: ObjectRef) => ObjectRef | undefined;
  /** Pods under a controller, however many controllers are between. */
  readonly podsOf: (workload: ObjectRef) => readonly KubeObject[];
  /** Controllers under a top controller: the ReplicaSets of a Deployment, the Jobs of a CronJob. */
  readonly workloadsUnder: (workload: ObjectRef) => readonly KubeObject[];
}

interface FoundObjects {
  readonly pods: readonly KubeObject[];
  /** All pods without it. */
  readonly sample?: SampledPods;
  readonly workloads: readonly KubeObject[];
  readonly others: readonly KubeObject[];
  readonly unlisted: ReadonlySet<string>;
  /** Keys of pods that events say are gone. */
  readonly departed?: ReadonlySet<string>;
}

/** Ties pods to their workloads by ownerReferences; a ReplicaSet that was not read still leads to its Deployment by its name. */
export function makeScene(survey: Survey, request: CollectRequest, found: FoundObjects): Scene {
  const { others, unlisted } = found;
  const superseded = new Set([...supersededIn(found.pods, found.workloads), ...withoutSeen(found.departed ?? NONE, found.pods)]);
  const counts = (object: KubeObject): boolean =>
    !superseded.has(keyOf(object)) || (request.target !== undefined && sameObject(request.target, refOf(object)));
  const [pods, workloads] = [found.pods.filter(counts), found.workloads.filter(counts)];
  const judged = found.sample === undefined ? pods : found.sample.judged.filter(counts);
  const isJudged = new Set(judged);
  const byKey = new Map(workloads.toReversed().map((workload) => [keyOf(workload), workload]));
  const known = new Set(byKey.keys());
  const owners = new Map<string, ObjectRef | undefined>();
  for (const object of [...workloads, ...pods]) owners.set(keyOf(object), ownerOf(object, known));
  const tops = new Map<string, ObjectRef | undefined>();
  const top = (ref: ObjectRef): ObjectRef | undefined => {
    const key = formatRef(ref);
    if (!tops.has(key)) tops.set(key, topOf(ref, owners));
    return tops.get(key);
  };
  const podsUnder = new Map<string, KubeObject[]>();
  // Pods of one owner have the same ones above: the keys of all of them are made once.
  const chains = new Map<ObjectRef, readonly string[]>();
  for (const pod of pods) {
    const owner = owners.get(keyOf(pod));
    if (owner === undefined) continue;
    const above = chains.get(owner) ?? ownersAbove(pod, owners);
    chains.set(owner, above);
    for (const key of above) add(podsUnder, key, pod);
  }
  const workloadsUnder = new Map<string, KubeObject[]>();
  for (const workload of workloads) for (const owner of ownersAbove(workload, owners)) add(workloadsUnder, owner, workload);
  const namespaces = new Set([...pods, ...workloads, ...others].flatMap(({ metadata }) => metadata.namespace ?? []));
  if (request.namespace !== undefined) namespaces.add(request.namespace);
  return {
    survey,
    request,
    pods,
    judged,
    standing: found.sample?.standing ?? NONE,
    isJudged: (pod) => isJudged.has(pod),
    workloads,
    others,
    unlisted,
    superseded,
    namespaces: [...namespaces].toSorted(),
    workload: (ref) => byKey.get(formatRef(ref)),
    within: byNamespace(pods, workloads),
    workloadOf: top,
    podsOf: (workload) => podsUnder.get(formatRef(workload)) ?? [],
    workloadsUnder: (workload) => workloadsUnder.get(formatRef(workload)) ?? [],
  };
}

/** Most questions are about one namespace: to look through all of a large cluster for each would take the square of its size. */
function byNamespace(pods: readonly KubeObject[], workloads: readonly KubeObject[]): Scene['within'] {
  const parts = new Map<string | undefined, { readonly pods: KubeObject[]; readonly workloads: KubeObject[] }>();
  const partOf = (object: KubeObject): { readonly pods: KubeObject[]; readonly workloads: KubeObject[] } => {
    const part = parts.get(object.metadata.namespace) ?? { pods: [], workloads: [] };
    parts.set(object.metadata.namespace, part);
    return part;
  };
  for (const pod of pods) partOf(pod).pods.push(pod);
  for (const workload of workloads) partOf(workload).workloads.push(workload);
  return (namespace) => parts.get(namespace) ?? { pods: [], workloads: [] };
}

function keyOf(object: KubeObject): string {
  return formatRef(refOf(object));
}

/** Owners above owners: real chains have at most three links, and a cycle must end. */
const OWNER_DEPTH = 8;

/** Keys of all controllers above an object, the nearest first; each once, even in a cycle. */
function ownersAbove(object: KubeObject, owners: ReadonlyMap<string, ObjectRef | undefined>): readonly string[] {
  const [above, own]: [string[], string] = [[], keyOf(object)];
  for (let owner = owners.get(own); owner !== undefined && above.length < OWNER_DEPTH; owner = owners.get(formatRef(owner))) {
    const key = formatRef(owner);
    if (key === own || above.includes(key)) break;
    above.push(key);
  }
  return above;
}

function topOf(ref: ObjectRef, owners: ReadonlyMap<string, ObjectRef | undefined>): ObjectRef | undefined {
  let here: ObjectRef | undefined = owners.get(formatRef(ref));
  if (here === undefined) return isWorkloadKind(ref.kind) ? bare(ref) : undefined;
  const seen = new Set<string>([formatRef(ref)]);
  for (let next: ObjectRef | undefined = here; next !== undefined && !seen.has(formatRef(next)); next = owners.get(formatRef(next))) {
    seen.add(formatRef(next));
    here = next;
  }
  return bare(here);
}

function bare({ kind, namespace, name }: ObjectRef): ObjectRef {
  return { kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** The controller above; an owner that is no controller of pods (a Node, a custom resource) leaves the object the top one. */
function ownerOf(object: KubeObject, known: ReadonlySet<string>): ObjectRef | undefined {
  const owner = controllerOf(object);
  if (owner === undefined || !isWorkloadKind(owner.kind)) return undefined;
  if (owner.kind !== 'ReplicaSet' || known.has(formatRef(owner))) return owner;
  const hash = labelsOf(object)['pod-template-hash'];
  // Kubernetes 1.9 to 1.11 put the hash into the label as a number and into the name encoded.
  const end = hash === undefined ? undefined : [hash, safeEncoded(hash)].find((known) => owner.name.endsWith(`-${known}`));
  if (end === undefined) return owner;
  const name = owner.name.slice(0, -end.length - 1);
  return { kind: 'Deployment', ...(owner.namespace === undefined ? {} : { namespace: owner.namespace }), name };
}

function add(map: Map<string, KubeObject[]>, key: string, object: KubeObject): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [object]);
  else list.push(object);
}

const NONE: ReadonlySet<string> = new Set();

/** A pod that was seen is there, whatever events say. */
function withoutSeen(departed: ReadonlySet<string>, pods: readonly KubeObject[]): readonly string[] {
  if (departed.size === 0) return [];
  const seen = new Set(pods.map(keyOf));
  return [...departed].filter((key) => !seen.has(key));
}
