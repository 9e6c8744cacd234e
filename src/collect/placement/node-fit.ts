import { asText, dig } from '../../base/json.ts';
import type { ListRead } from '../../model/cluster-reader.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import type { FactSink } from '../fact-sink.ts';
import type { Scene } from '../scene.ts';
import type { Decision } from './decide-fit.ts';
import { decideFit } from './decide-fit.ts';
import { nearestNodeLabel, formatLabels, formatNodeTerms } from './node-terms.ts';
import { claimsOf } from './pod-volumes.ts';
import type { PodView } from './pod-view.ts';
import { nodeSelectorOf, podViewer } from './pod-view.ts';
import type { NodeFit, Refusal } from './refusals.ts';
import { fitNodes, formatAmount } from './refusals.ts';
import { podRequests } from './requests.ts';
import type { Said } from './scheduler-words.ts';
import { parseSaid } from './scheduler-words.ts';
import { formatTaint, isConditionTaint } from './taints.ts';
import { gatesOf } from './unscheduled.ts';
import type { WaitingPod } from './waiting-pods.ts';
import { waitingPods } from './waiting-pods.ts';
import type { World } from './world.ts';
import { makeWorld } from './world.ts';

/** `node-fit` and `fit-summary` facts for every pod that waits for a node, and `node-use` facts where a sick node keeps it off. */
export async function collectNodeFit(scene: Scene, sink: FactSink): Promise<void> {
  const waiting = await waitingPods(scene);
  const undecided = waiting.filter(({ pod, tried }) => tried !== false && gatesOf(pod).length === 0);
  if (undecided.length === 0) return;
  const viewer = await podViewer(scene);
  const said = undecided.map((one) => (one.said === undefined ? undefined : parseSaid(one.said)));
  const nodes = await scene.survey.list('Node', {});
  if (!nodes.ok) for (const { pod } of undecided) sink.gap('node-fit', refOf(pod), nodes);
  const world = await lookAround(scene, nodes.ok ? nodes.value : [], undecided.map(({ pod }) => viewer(pod)), said);
  const shapes = new Map<string, readonly NodeFit[]>();
  for (const [index, one] of undecided.entries()) {
    const view = viewer(one.pod);
    const words = said[index];
    const shape = shapeOf(one.pod, scene);
    const known = shapes.get(shape);
    const fits = known ?? fitNodes(view, world);
    if (known === undefined) {
      shapes.set(shape, fits);
      for (const fit of nearestFirst(fits).slice(0, NODE_FACTS)) nodeFitFact(one.pod, fit, sink);
    }
    summarize({ waiting: one, view, fits: isPartial(nodes) ? [] : fits, said: words, nodes, world }, sink);
  }
}

/** A report that lists every node of a large cluster helps nobody. */
const NODE_FACTS = 50;

/** With only some of the nodes nothing can be said of all. */
function isPartial(nodes: ListRead): boolean {
  return !nodes.ok || nodes.partial !== undefined;
}

function nearestFirst(fits: readonly NodeFit[]): readonly NodeFit[] {
  return fits.toSorted((a, b) => a.refusals.length - b.refusals.length);
}

/** Pods of one controller and one template fit the same nodes. */
function shapeOf(pod: KubeObject, scene: Scene): string {
  const owner = scene.workloadOf(refOf(pod));
  const hash = asText(dig(pod, 'metadata', 'labels', 'pod-template-hash'));
  return owner?.kind === 'Deployment' && hash !== undefined ? `${formatRef(owner)} ${hash}` : formatRef(refOf(pod));
}

/** Beyond so many nodes their pods are not read for one target: the scheduler's words have to do. */
const SMALL_CLUSTER = 20;

/** Reads what the fit is computed from, as little as does: pods of other namespaces only where something on the nodes may be full. */
async function lookAround(scene: Scene, nodes: readonly KubeObject[], views: readonly PodView[], said: readonly (Said | undefined)[]): Promise<World> {
  const pods = new Map(scene.pods.map((pod) => [formatRef(refOf(pod)), pod] as const));
  const add = (list: ListRead): boolean => {
    if (!list.ok) return false;
    for (const pod of list.value) if (!pods.has(formatRef(refOf(pod)))) pods.set(formatRef(refOf(pod)), pod);
    return list.partial === undefined;
  };
  const whole = new Set<string>();
  const namespaces = [...new Set(views.map(({ pod }) => pod.metadata.namespace ?? 'default'))];
  const everywhere = scene.request.target === undefined && scene.request.namespace === undefined;
  const crowded = said.some((one) => one === undefined || one.reasons.some(({ blocker }) => NEIGHBOURLY.has(blocker)));
  const allPods = everywhere || (crowded && nodes.length > 0 && nodes.length <= SMALL_CLUSTER) ? add(await scene.survey.list('Pod', {})) : false;
  if (!allPods && crowded) for (const namespace of namespaces) if (add(await scene.survey.list('Pod', { namespace }))) whole.add(namespace);
  const { claims, volumes } = await claimsAndVolumes(scene, views);
  return makeWorld({ nodes, pods: [...pods.values()], allPods, wholeNamespaces: whole, claims, volumes });
}

/** Blockers that lie with the other pods. */
const NEIGHBOURLY: ReadonlySet<string> = new Set(['resource', 'pod-count', 'host-port', 'volume-in-use', 'spread', 'pod-affinity', 'pod-anti-affinity', 'existing-anti-affinity', 'other']);

async function claimsAndVolumes(scene: Scene, views: readonly PodView[]): Promise<{ readonly claims: readonly KubeObject[]; readonly volumes: readonly KubeObject[] }> {
  const claims = new Map<string, KubeObject>();
  const volumes = new Map<string, KubeObject>();
  if (scene.request.target === undefined && views.some((view) => claimsOf(view).length > 0)) {
    await scene.survey.list('PersistentVolumeClaim', scene.request.namespace === undefined ? {} : { namespace: scene.request.namespace });
  }
  for (const view of views) {
    const { namespace } = view.pod.metadata;
    for (const { claim } of claimsOf(view)) {
      const read = await scene.survey.get({ kind: 'PersistentVolumeClaim', ...(namespace === undefined ? {} : { namespace }), name: claim });
      if (!read.ok) continue;
      claims.set(formatRef(refOf(read.value)), read.value);
      const volumeName = asText(dig(read.value, 'spec', 'volumeName'));
      if (volumeName === undefined || volumeName === '' || volumes.has(volumeName)) continue;
      const volume = await scene.survey.get({ kind: 'PersistentVolume', name: volumeName });
      if (volume.ok) volumes.set(volumeName, volume.value);
    }
  }
  return { claims: [...claims.values()], volumes: [...volumes.values()] };
}

function nodeFitFact(pod: KubeObject, { node, refusals, unknown }: NodeFit, sink: FactSink): void {
  const [first] = refusals;
  if (first === undefined && unknown.length > 0) {
    sink.gap('node-fit', refOf(pod), { detail: `whether node ${node.metadata.name} would take ${pod.metadata.name} cannot be told: ${unknown.join(', ')} not seen` });
    return;
  }
  const detail = refusals.map((refusal) => refusal.detail).join('; ');
  sink.fact(
    'node-fit',
    refOf(pod),
    { node: node.metadata.name, fits: first === undefined, plugin: first?.plugin, plugins: first === undefined ? undefined : [...new Set(refusals.map(({ plugin }) => plugin))].join(', '), reason: first?.reason, detail: first === undefined ? undefined : detail },
    { source: `Node/${node.metadata.name}`, quote: first === undefined ? 'every filter of the scheduler lets the pod in' : detail },
  );
}

interface Summary {
  readonly waiting: WaitingPod;
  readonly view: PodView;
  readonly fits: readonly NodeFit[];
  readonly said: Said | undefined;
  readonly nodes: ListRead;
  readonly world: World;
}

function summarize({ waiting, view, fits, said, nodes, world }: Summary, sink: FactSink): void {
  const outcome = decideFit(view, fits, said);
  const ref = refOf(waiting.pod);
  if (outcome.kind === 'open') {
    if (outcome.unknown.length > 0) sink.gap('fit-summary', ref, { detail: `what keeps ${waiting.pod.metadata.name} from the nodes cannot be told: ${outcome.unknown.join(', ')} not seen` });
    else if (!nodes.ok) sink.gap('fit-summary', ref, nodes);
    return;
  }
  const { decision } = outcome;
  const total = said?.nodes ?? fits.length;
  const { displaced, saidAt, source } = waiting;
  const detail = decision.refused.slice(0, DETAILED).map(({ node, refusal }) => `${node.metadata.name}: ${refusal.detail}`).join('; ');
  sink.fact(
    'fit-summary',
    ref,
    {
      ...valuesOf(decision, view, world),
      blocker: decision.blocker,
      nodes: total,
      blocked: decision.blocked,
      node: decision.refused[0]?.node.metadata.name,
      detail: detail === '' ? decision.reason?.words : detail,
      displaced,
      said: waiting.said,
      from: decision.from,
    },
    { source: waiting.said === undefined ? `${formatRef(ref)} and its nodes` : source, quote: waiting.said ?? detail, at: saidAt },
  );
  if (decision.blocker !== 'taint') return;
  for (const { node, refusal } of decision.refused.slice(0, NODE_FACTS)) {
    if (refusal.taint === undefined || !isConditionTaint(refusal.taint.key)) continue;
    sink.fact('node-use', ref, { node: node.metadata.name, how: 'kept-off', ready: false, started: false }, { source, quote: waiting.said ?? `${node.metadata.name}: ${refusal.detail}` });
  }
}

const DETAILED = 6;

/** The values of the blocker: what is asked for, what there is, and who is in the way. */
function valuesOf({ blocker, refused, reason }: Decision, view: PodView, world: World): Readonly<Record<string, string | boolean | undefined>> {
  const first: Refusal | undefined = refused[0]?.refusal;
  const resource = first?.resource ?? reason?.resource;
  const requested = resource === undefined ? undefined : podRequests(view)?.get(resource);
  const taint = first?.taint ?? (reason?.taintKey === undefined ? undefined : { key: reason.taintKey, value: reason.taintValue ?? '', effect: 'NoSchedule' });
  const amount = (value: bigint | undefined): string | undefined => (resource === undefined || value === undefined ? undefined : formatAmount(resource, value));
  return {
    resource,
    requested: amount(requested),
    free: amount(first?.free),
    largest: amount(refused.reduce<bigint | undefined>((most, { refusal }) => (refusal.largest === undefined || (most !== undefined && most >= refusal.largest) ? most : refusal.largest), undefined)),
    extended: resource === undefined ? undefined : !['cpu', 'memory', 'ephemeral-storage', 'storage'].includes(resource),
    taint: taint === undefined ? undefined : formatTaint(taint),
    taintKey: taint?.key,
    condition: blocker === 'taint' ? taint !== undefined && isConditionTaint(taint.key) : undefined,
    ...wishes(blocker, view, world, first),
    claim: first?.claim ?? reason?.claim,
    volume: first?.volume,
    holder: first?.holder === undefined ? undefined : `${first.holder.metadata.namespace ?? ''}/${first.holder.metadata.name}`,
  };
}

function wishes(blocker: string, view: PodView, world: World, first: Refusal | undefined): { readonly wanted: string | undefined; readonly similar: string | undefined } {
  if (blocker === 'node-selector') {
    const { labels } = nodeSelectorOf(view);
    return { wanted: formatLabels(labels), similar: nearestNodeLabel(labels, world.nodes) };
  }
  if (blocker === 'node-affinity') {
    const terms = dig(view.field('affinity').value, 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
    return terms === undefined ? { wanted: undefined, similar: undefined } : { wanted: formatNodeTerms(terms), similar: nearestNodeLabel(terms, world.nodes) };
  }
  return { wanted: first?.wanted, similar: undefined };
}
