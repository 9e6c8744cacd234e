import { asList, asText, dig } from '../../base/json.ts';
import { onceEach } from '../../base/once.ts';
import { deploymentOf, safeEncoded } from '../../base/template-hash.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { controllerOf, formatRef, inNamespace, labelsOf, objectKey, refOf, shows } from '../../model/kube-object.ts';
import { isWorkloadKind } from '../../model/workload-kinds.ts';

/** Which controllers the pods and workloads of a scene belong to. */
export interface Ownership {
  /** The top controller an object belongs to, or the object itself if it is one. */
  readonly top: (ref: ObjectRef) => ObjectRef | undefined;
  /** Keys of all controllers above an object, the nearest first; each once, even in a cycle. */
  readonly above: (object: KubeObject) => readonly string[];
}

/** Asked of the same lists again, by whoever picks a sample of the pods and by the scene. */
const asked = onceEach((pods: readonly KubeObject[]) => onceEach((workloads: readonly KubeObject[]) => makeOwnership(pods, workloads)));

/**
 * By ownerReferences; a ReplicaSet that was not read still leads to its Deployment by its name, and a Job to the CronJob that has it among
 * those that run. Pods are found by namespace and name: to
 * make the keys of a hundred thousand takes longer than all else. Those of one owner mostly have the very same reference to it, for which
 * what is above is worked out once.
 */
export function ownership(pods: readonly KubeObject[], workloads: readonly KubeObject[]): Ownership {
  return asked(pods)(workloads);
}

function makeOwnership(pods: readonly KubeObject[], workloads: readonly KubeObject[]): Ownership {
  const known = { keys: new Set(workloads.map(objectKey)), runs: runsOf(workloads) };
  const owners = new Map(workloads.map((workload) => [objectKey(workload), ownerOf(workload, known)] as const));
  const podsIn = new Map<string | undefined, Map<string, KubeObject>>();
  for (const pod of pods) {
    const { namespace, name } = pod.metadata;
    const here = podsIn.get(namespace);
    if (here === undefined) podsIn.set(namespace, new Map([[name, pod]]));
    else here.set(name, pod);
  }
  const podAt = ({ namespace, name }: ObjectRef): KubeObject | undefined => podsIn.get(namespace)?.get(name);
  const ownerAt = (ref: ObjectRef): ObjectRef | undefined => {
    if (ref.kind !== 'Pod') return owners.get(formatRef(ref));
    const pod = podAt(ref);
    return pod === undefined ? undefined : ownerOf(pod, known);
  };
  const chains = new Map<ObjectRef | KubeObject, Chain>();
  const chainOf = (pod: KubeObject): Chain => {
    const reference = controllerOf(pod);
    const same = (reference === undefined ? undefined : chains.get(reference)) ?? chains.get(pod);
    if (same !== undefined) return same;
    const chain = { above: ownersAbove(pod, ownerAt), top: topOf(refOf(pod), ownerAt) };
    // What a ReplicaSet that was not read belongs to, the labels of each pod tell.
    const isOfAll = reference !== undefined && (reference.kind !== 'ReplicaSet' || known.keys.has(formatRef(reference)));
    chains.set(isOfAll ? reference : pod, chain);
    return chain;
  };
  const tops = new Map<string, ObjectRef | undefined>();
  const topAt = (ref: ObjectRef): ObjectRef | undefined => {
    const key = formatRef(ref);
    if (!tops.has(key)) tops.set(key, topOf(ref, ownerAt));
    return tops.get(key);
  };
  return {
    top: (ref) => {
      if (ref.kind !== 'Pod') return topAt(ref);
      const pod = podAt(ref);
      return pod === undefined ? undefined : chainOf(pod).top;
    },
    above: (object) => (object.kind === 'Pod' ? chainOf(object).above : ownersAbove(object, ownerAt)),
  };
}

interface Chain {
  readonly above: readonly string[];
  readonly top: ObjectRef | undefined;
}

/** Owners above owners: real chains have at most three links, and a cycle must end. */
const OWNER_DEPTH = 8;

type OwnerAt = (ref: ObjectRef) => ObjectRef | undefined;

function ownersAbove(object: KubeObject, ownerAt: OwnerAt): readonly string[] {
  const [above, own]: [string[], string] = [[], objectKey(object)];
  for (let owner = ownerAt(refOf(object)); owner !== undefined && above.length < OWNER_DEPTH; owner = ownerAt(owner)) {
    const key = formatRef(owner);
    if (key === own || above.includes(key)) break;
    above.push(key);
  }
  return above;
}

function topOf(ref: ObjectRef, ownerAt: OwnerAt): ObjectRef | undefined {
  let here: ObjectRef | undefined = ownerAt(ref);
  if (here === undefined) return isWorkloadKind(ref.kind) ? bare(ref) : undefined;
  const seen = new Set<string>([formatRef(ref)]);
  for (let next: ObjectRef | undefined = here; next !== undefined && !seen.has(formatRef(next)); next = ownerAt(next)) {
    seen.add(formatRef(next));
    here = next;
  }
  return bare(here);
}

function bare({ kind, namespace, name }: ObjectRef): ObjectRef {
  return { kind, ...inNamespace(namespace), name };
}

/** What is known of the workloads: which were read, and the CronJobs of Jobs that run, by the keys of these. */
interface Known {
  readonly keys: ReadonlySet<string>;
  readonly runs: ReadonlyMap<string, ObjectRef>;
}

function runsOf(workloads: readonly KubeObject[]): Known['runs'] {
  const cronJobs = workloads.filter(({ kind }) => kind === 'CronJob');
  return new Map(
    cronJobs.flatMap((cronJob) => {
      const owner = refOf(cronJob);
      const names = asList(dig(cronJob, 'status', 'active')).flatMap((run) => asText(dig(run, 'name')) ?? []);
      return names.map((name) => [formatRef({ kind: 'Job', ...inNamespace(owner.namespace), name }), owner] as const);
    }),
  );
}

/** The controller above; an owner that is no controller of pods (a Node, a custom resource) leaves the object the top one. */
function ownerOf(object: KubeObject, { keys, runs }: Known): ObjectRef | undefined {
  const owner = controllerOf(object);
  if (owner === undefined || !isWorkloadKind(owner.kind)) return undefined;
  if (keys.has(formatRef(owner))) return owner;
  if (owner.kind !== 'ReplicaSet') return runs.get(formatRef(owner)) ?? owner;
  const name = shows(object, 'metadata.labels') ? labelledDeployment(owner.name, labelsOf(object)) : deploymentOf(owner.name);
  if (name === undefined) return owner;
  return { kind: 'Deployment', ...inNamespace(owner.namespace), name };
}

/** Kubernetes 1.9 to 1.11 put the hash into the label as a number and into the name encoded. */
function labelledDeployment(replicaSet: string, { 'pod-template-hash': hash }: Readonly<Record<string, string>>): string | undefined {
  const end = hash === undefined ? undefined : [hash, safeEncoded(hash)].find((known) => replicaSet.endsWith(`-${known}`));
  return end === undefined ? undefined : replicaSet.slice(0, -end.length - 1);
}
