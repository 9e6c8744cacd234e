import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, objectKey, refOf, sameObject } from '../../model/kube-object.ts';
import type { Ownership } from './ownership.ts';
import { ownership } from './ownership.ts';
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
  /** Those of the judged pods that stand for others: they are well. */
  readonly standing: ReadonlySet<KubeObject>;
  /** The other judged pods: trouble of a pod itself is looked for in these alone. */
  readonly suspects: readonly KubeObject[];
  /** Pods that others stand for, and of which events tell that they have started. */
  readonly started: readonly KubeObject[];
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
  /** Those of them that are looked at one by one. */
  readonly judgedOf: (workload: ObjectRef) => readonly KubeObject[];
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
    !superseded.has(objectKey(object)) || (request.target !== undefined && sameObject(request.target, refOf(object)));
  const counted = (objects: readonly KubeObject[]): readonly KubeObject[] => (superseded.size === 0 ? objects : objects.filter(counts));
  const [pods, workloads] = [counted(found.pods), counted(found.workloads)];
  const judged = found.sample === undefined ? pods : counted(found.sample.judged);
  const isJudged = new Set(judged);
  const standing = found.sample?.standing ?? new Set();
  const byKey = new Map(workloads.toReversed().map((workload) => [objectKey(workload), workload]));
  const { top, above } = ownership(pods, workloads);
  const [podsUnder, workloadsUnder] = [under(pods, above), under(workloads, above)];
  // To pick them out of the 100,000 pods of all workloads took longer than to judge them.
  const judgedUnder = judged === pods ? podsUnder : under(judged, above);
  const namespaces = new Set<string>();
  // What serves in the namespaces of its pods is none of a node's matter: to read it took a hundred requests.
  for (const objects of request.target?.kind === 'Node' && !survey.stored ? [] : [pods, workloads, others])
    for (const { metadata } of objects) if (metadata.namespace !== undefined) namespaces.add(metadata.namespace);
  if (request.namespace !== undefined) namespaces.add(request.namespace);
  return {
    survey,
    request,
    pods,
    judged,
    standing,
    suspects: judged.filter((pod) => !standing.has(pod)),
    started: found.sample?.started ?? [],
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
    judgedOf: (workload) => judgedUnder.get(formatRef(workload)) ?? [],
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

/** Objects by the keys of the controllers above them. */
function under(objects: readonly KubeObject[], above: Ownership['above']): ReadonlyMap<string, readonly KubeObject[]> {
  const found = new Map<string, KubeObject[]>();
  for (const object of objects) for (const key of above(object)) add(found, key, object);
  return found;
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
  const seen = new Set(pods.map(objectKey));
  return [...departed].filter((key) => !seen.has(key));
}
