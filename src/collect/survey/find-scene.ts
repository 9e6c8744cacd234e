import { WORKLOAD_KINDS, isWorkloadKind } from '../../model/workload-kinds.ts';
import { asNumber, asTextMap, dig } from '../../base/json.ts';
import { append } from '../../base/lists.ts';
import type { ListRead, Unread } from '../../model/cluster-reader.ts';
import { departedPods } from '../../model/departed-pods.ts';
import { unseenIn } from '../../model/cluster-reader.ts';
import { ANY_FACT, ANYTHING } from '../../model/fact.ts';
import type { FactKind } from '../../model/fact-kinds.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { controllerOf, formatRef, inNamespace, objectKey, refOf } from '../../model/kube-object.ts';
import { selectorOfFields, selectorOfLabels } from '../../model/selectors.ts';
import type { SampledPods } from './sample-pods.ts';
import { samplePods } from './sample-pods.ts';
import type { CollectRequest, Scene } from './scene.ts';
import { makeScene } from './scene.ts';
import type { Survey } from './survey.ts';

/** A read of the scene itself that failed: told once there is a sink to tell. */
export type SceneGap = readonly [
  kind: FactKind | typeof ANY_FACT,
  about: ObjectRef,
  unread: Pick<Unread, 'detail' | 'needs'> & Partial<Pick<Unread, 'why'>>,
];

export interface FoundScene {
  readonly scene: Scene;
  readonly gaps: readonly SceneGap[];
}

/** Finds the pods and workloads a request is about, with the fewest reads: for a target only what it can involve. */
export async function findScene(survey: Survey, request: CollectRequest): Promise<FoundScene> {
  const finder = new Finder(survey);
  if (request.target === undefined && request.namespace === undefined) survey.lookEverywhere();
  if (request.target === undefined) await finder.scope(request.namespace);
  else await finder.target(request.target);
  const sample = await sampleOf(finder, survey, request);
  return { scene: makeScene(survey, request, { ...foundBy(finder), ...(sample === undefined ? {} : { sample }) }), gaps: finder.gaps };
}

/** Which of the pods are looked at one by one; undefined for all. */
async function sampleOf(finder: Finder, survey: Survey, request: CollectRequest): Promise<SampledPods | undefined> {
  if (request.target === undefined) return samplePods(finder, survey, request);
  return request.target.kind === 'Node' && !survey.stored ? { judged: telling(finder.pods), standing: new Set(), started: [] } : undefined;
}

function foundBy({ pods, workloads, others, unlisted, departed }: Finder): Parameters<typeof makeScene>[2] {
  return { pods, workloads, others, unlisted, departed };
}

/** Pods of a node that the kubelet does not get started are stuck for the same few reasons: one of a controller, and not many in all. */
const MOST_STUCK = 8;

/** Pods that tell of their node: its agents, and those it does not start or has stopped. What the programs of others do is none of it. */
function telling(pods: readonly KubeObject[]): readonly KubeObject[] {
  const agents = pods.filter((pod) => AGENT_OWNERS.has(controllerOf(pod)?.kind));
  const phase = (pod: KubeObject): unknown => dig(pod, 'status', 'phase');
  const stuck = new Map<string, KubeObject>();
  for (const pod of pods)
    if (!agents.includes(pod) && (phase(pod) === 'Pending' || phase(pod) === 'Failed'))
      stuck.set(formatRef(controllerOf(pod) ?? refOf(pod)), pod);
  return [...agents, ...[...stuck.values()].slice(-MOST_STUCK)];
}

const AGENT_OWNERS = new Set<string | undefined>(['DaemonSet', 'Node']);

class Finder {
  readonly pods: KubeObject[] = [];
  readonly workloads: KubeObject[] = [];
  readonly others: KubeObject[] = [];
  readonly gaps: SceneGap[] = [];
  readonly unlisted = new Set<string>();
  /** Pods that are gone by what events tell, where the pods could not be listed whole. */
  departed: ReadonlySet<string> = new Set();
  readonly #survey: Survey;

  constructor(survey: Survey) {
    this.#survey = survey;
  }

  async scope(namespace: string | undefined): Promise<void> {
    const scope = inNamespace(namespace);
    const lists = await Promise.all(['Pod', ...WORKLOAD_KINDS].map(async (kind) => ({ kind, list: await this.#survey.list(kind, scope) })));
    for (const { kind, list } of lists) append(kind === 'Pod' ? this.pods : this.workloads, this.#listed(kind, namespace, list));
    const events = this.unlisted.has('Pod') ? await this.#survey.list('Event', scope) : undefined;
    if (events?.ok === true) this.departed = departedPods(events.value);
  }

  async target(target: ObjectRef): Promise<void> {
    // A manifest that declares nothing is no object of the cluster: there is nothing to read.
    if (target.kind === 'Manifest' || target.kind === 'Cluster') return;
    const read = await this.#survey.get(target);
    if (!read.ok) {
      this.gaps.push([target.kind === 'Pod' ? 'pod' : 'workload', target, read]);
      // Nobody looked for what belongs to it.
      if (read.why !== 'absent') for (const kind of ['Pod', ...WORKLOAD_KINDS]) this.unlisted.add(kind);
      return;
    }
    const object = read.value;
    if (object.kind === 'Pod') {
      this.pods.push(object);
      await this.#owners(object);
    } else if (isWorkloadKind(object.kind)) {
      this.workloads.push(object);
      await this.#owners(object);
      await this.#owned(object);
    } else {
      this.others.push(object);
      await this.#involved(object);
    }
  }

  /** The controllers above an object, up to the top. */
  async #owners(object: KubeObject): Promise<void> {
    const owner = controllerOf(object);
    if (owner === undefined || !isWorkloadKind(owner.kind) || this.workloads.some((known) => objectKey(known) === formatRef(owner))) return;
    const read = await this.#survey.get(owner);
    if (!read.ok) {
      this.gaps.push(['workload', owner, read]);
      return;
    }
    this.workloads.push(read.value);
    await this.#owners(read.value);
  }

  /** The controllers between a workload and its pods: ReplicaSets of a Deployment, Jobs of a CronJob. */
  async #between(workload: KubeObject, place: Parameters<Survey['list']>[1]): Promise<readonly KubeObject[]> {
    const kind = BETWEEN[workload.kind];
    if (kind === undefined) return [];
    const ref = objectKey(workload);
    const list = await this.#survey.list(kind, place);
    return this.#listed(kind, workload.metadata.namespace, list).filter((child) => {
      const owner = controllerOf(child);
      return owner !== undefined && formatRef(owner) === ref;
    });
  }

  /** Controllers and pods below a workload, found by its selector and kept by their owner. */
  async #owned(workload: KubeObject): Promise<void> {
    const { namespace } = workload.metadata;
    const labelSelector = selectorOf(workload);
    const whole = inNamespace(namespace);
    const scope = { ...whole, ...(labelSelector === undefined ? {} : { labelSelector }) };
    const place = workload.kind === 'CronJob' ? whole : scope;
    const owners = new Set([objectKey(workload)]);
    for (const child of await this.#between(workload, place)) {
      this.workloads.push(child);
      owners.add(objectKey(child));
    }
    const pods = await this.#podsIn(place, whole);
    for (const pod of this.#listed('Pod', namespace, pods)) {
      const owner = controllerOf(pod);
      if (owner !== undefined && (owners.has(formatRef(owner)) || belongsByName(owner, workload))) this.pods.push(pod);
    }
    const counted = podsCounted(workload);
    if (this.#survey.stored || counted === 0 || !pods.ok || pods.value.length > 0) return;
    const unseen = { detail: `no pod of ${objectKey(workload)} was listed, but its status counts ${String(counted)}` };
    this.#missing('Pod', namespace, unseen);
    this.gaps.push([ANY_FACT, refOf(workload), unseen]);
  }

  /** Pods within a scope. A table shows no labels: there, all of the namespace, to be told by their owner alone. */
  async #podsIn(narrow: Parameters<Survey['list']>[1], whole: Parameters<Survey['list']>[1]): Promise<ListRead> {
    const pods = await this.#survey.list('Pod', narrow);
    const isUnlabelled = this.#survey.stored && pods.ok && pods.value.length === 0 && pods.partial !== undefined;
    return isUnlabelled ? this.#survey.list('Pod', whole) : pods;
  }

  /** What else has to be seen to judge an object that is neither pod nor workload. */
  async #involved(object: KubeObject): Promise<void> {
    const { namespace, name } = object.metadata;
    if (object.kind === 'Namespace') return this.scope(name);
    if (object.kind === 'Node') {
      const pods = await this.#survey.list('Pod', { fieldSelector: selectorOfFields({ 'spec.nodeName': name }) });
      append(this.pods, this.#listed('Pod', undefined, pods));
      return;
    }
    const labelSelector = object.kind === 'Service' ? selectorOfLabels(asTextMap(dig(object, 'spec', 'selector'))) : undefined;
    if (labelSelector === undefined || namespace === undefined) return;
    const pods = await this.#survey.list('Pod', { namespace, labelSelector });
    const found = this.#listed('Pod', namespace, pods);
    append(this.pods, found);
    for (const pod of found) await this.#owners(pod);
    if (found.length === 0 && namespace !== undefined) await this.#makersFor(object, namespace);
  }

  /** A Service without pods is explained by the workload that makes none: one that it selects, or that has its name. */
  async #makersFor(service: KubeObject, namespace: string): Promise<void> {
    const selector = asTextMap(dig(service, 'spec', 'selector'));
    for (const kind of SERVING) {
      const list = await this.#survey.list(kind, { namespace });
      for (const workload of this.#listed(kind, namespace, list)) {
        const labels = asTextMap(dig(workload, 'spec', 'template', 'metadata', 'labels'));
        if (workload.metadata.name === service.metadata.name || hasLabels(labels, selector)) this.workloads.push(workload);
      }
    }
  }

  /** What was seen of a list, with a gap where that is not all. */
  #listed(kind: string, namespace: string | undefined, list: ListRead): readonly KubeObject[] {
    const unseen = unseenIn(list);
    if (unseen !== undefined) this.#missing(kind, namespace, unseen);
    return list.ok ? list.value : [];
  }

  #missing(kind: string, namespace: string | undefined, unread: SceneGap[2]): void {
    this.unlisted.add(kind);
    const about = { kind, ...inNamespace(namespace), name: ANYTHING };
    for (const fact of kind === 'Pod' ? (['pod', 'container'] as const) : (['workload'] as const)) this.gaps.push([fact, about, unread]);
  }
}

/** Kinds whose pods stand behind Services. */
const SERVING = ['Deployment', 'StatefulSet', 'DaemonSet'] as const;

function hasLabels(labels: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([key, value]) => labels[key] === value);
}

/** Pods that a controller says it has, by its status. */
function podsCounted({ kind, ...workload }: KubeObject): number {
  const field = kind === 'DaemonSet' ? 'currentNumberScheduled' : kind === 'Job' ? 'active' : 'replicas';
  return asNumber(dig(workload, 'status', field)) ?? 0;
}

/** A ReplicaSet that could not be read is still the Deployment's when its name begins with the Deployment's. */
function belongsByName(owner: ObjectRef, workload: KubeObject): boolean {
  return (
    workload.kind === 'Deployment' && owner.kind === 'ReplicaSet' && owner.name.replace(/-[a-z0-9]{1,10}$/, '') === workload.metadata.name
  );
}

/** spec.selector of a controller in kubectl's notation; undefined when it selects by nothing that could be sent. */
function selectorOf(workload: KubeObject): string | undefined {
  const labels = asTextMap(dig(workload, 'spec', 'selector', 'matchLabels'));
  if (Object.keys(labels).length > 0) return selectorOfLabels(labels);
  return workload.kind === 'ReplicationController' ? selectorOfLabels(asTextMap(dig(workload, 'spec', 'selector'))) : undefined;
}

const BETWEEN: Readonly<Partial<Record<string, string>>> = { Deployment: 'ReplicaSet', CronJob: 'Job' };
