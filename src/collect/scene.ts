import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { controllerOf, formatRef, labelsOf, refOf } from '../model/kube-object.ts';
import type { Survey } from './survey.ts';

/** What is asked about: one target, or everything in a scope (a namespace, or all of them). */
export interface CollectRequest {
  readonly target?: ObjectRef;
  readonly namespace?: string;
}

/** The pods and workloads that are looked at, with how they belong together. Collectors add facts about these and what they involve. */
export interface Scene {
  readonly survey: Survey;
  readonly request: CollectRequest;
  readonly pods: readonly KubeObject[];
  /** Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs, CronJobs, ReplicationControllers. */
  readonly workloads: readonly KubeObject[];
  /** Other objects that were asked for by name: a Service, a Node, a claim. */
  readonly others: readonly KubeObject[];
  /** Kinds of pods and workloads that could not be listed whole: what is not in the scene may be there all the same. */
  readonly unlisted: ReadonlySet<string>;
  /** Namespaces of all of these, sorted. */
  readonly namespaces: readonly string[];
  /** The top controller an object belongs to, or the object itself if it is one. */
  readonly workloadOf: (ref: ObjectRef) => ObjectRef | undefined;
  /** Pods under a controller, however many controllers are between. */
  readonly podsOf: (workload: ObjectRef) => readonly KubeObject[];
}

export const WORKLOAD_KINDS = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ReplicationController'] as const;

export function isWorkloadKind(kind: string): boolean {
  return (WORKLOAD_KINDS as readonly string[]).includes(kind);
}

/** Ties pods to their workloads by ownerReferences; a ReplicaSet that was not read still leads to its Deployment by its name. */
export function makeScene(survey: Survey, request: CollectRequest, found: { pods: readonly KubeObject[]; workloads: readonly KubeObject[]; others: readonly KubeObject[]; unlisted: ReadonlySet<string> }): Scene {
  const owners = new Map<string, ObjectRef | undefined>();
  for (const object of [...found.workloads, ...found.pods]) owners.set(formatRef(refOf(object)), ownerOf(object, found.workloads));
  const top = (ref: ObjectRef): ObjectRef | undefined => topOf(ref, owners);
  const byWorkload = new Map<string, KubeObject[]>();
  for (const pod of found.pods) {
    for (let owner = owners.get(formatRef(refOf(pod))), depth = 0; owner !== undefined && depth < OWNER_DEPTH; owner = owners.get(formatRef(owner)), depth++) {
      const list = byWorkload.get(formatRef(owner)) ?? [];
      list.push(pod);
      byWorkload.set(formatRef(owner), list);
    }
  }
  const namespaces = new Set([...found.pods, ...found.workloads, ...found.others].flatMap(({ metadata }) => metadata.namespace ?? []));
  if (request.namespace !== undefined) namespaces.add(request.namespace);
  const { pods, workloads, others, unlisted } = found;
  return { survey, request, pods, workloads, others, unlisted, namespaces: [...namespaces].toSorted(), workloadOf: top, podsOf: (workload) => byWorkload.get(formatRef(workload)) ?? [] };
}

/** Owners above owners: real chains have at most three links, and a cycle must end. */
const OWNER_DEPTH = 8;

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

function ownerOf(object: KubeObject, workloads: readonly KubeObject[]): ObjectRef | undefined {
  const owner = controllerOf(object);
  // A static pod's mirror is owned by its Node, which is no workload.
  if (owner?.kind === 'Node') return undefined;
  if (owner?.kind !== 'ReplicaSet' || workloads.some((workload) => workload.kind === 'ReplicaSet' && workload.metadata.name === owner.name && workload.metadata.namespace === owner.namespace)) return owner;
  const hash = labelsOf(object)['pod-template-hash'];
  if (hash === undefined || !owner.name.endsWith(`-${hash}`)) return owner;
  const name = owner.name.slice(0, -hash.length - 1);
  return { kind: 'Deployment', ...(owner.namespace === undefined ? {} : { namespace: owner.namespace }), name };
}
