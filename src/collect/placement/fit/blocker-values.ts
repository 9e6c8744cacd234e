import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import type { Decision } from './decide-fit.ts';
import { showsWishes } from './decide-fit.ts';
import { formatLabels, formatNodeTerms, nearestNodeLabel } from './node-terms.ts';
import type { PodView } from './pod-view.ts';
import { nodeSelectorOf } from './pod-view.ts';
import type { Refusal } from './node-refusals.ts';
import { formatAmount } from './node-refusals.ts';
import { podRequests } from './requests.ts';
import { isOfEarlierRevision, siblingPods } from './sibling-pods.ts';
import { closedNode, spreadsOf } from './spread.ts';
import type { Taint } from './taints.ts';
import { formatTaint, isConditionTaint } from './taints.ts';
import type { PlacementView } from './placement-view.ts';

/** The values of the blocker: what is asked for, what there is, and who is in the way. */
export function valuesOf(
  { blocker, refused, reason, from }: Decision,
  view: PodView,
  world: PlacementView,
): Readonly<Record<string, string | number | boolean | undefined>> {
  const first: Refusal | undefined = refused[0]?.refusal;
  const resource = first?.resource ?? reason?.resource;
  return {
    resource,
    ...(resource === undefined ? {} : resourceValues(resource, view, refused)),
    ...taintValues(blocker, first, reason),
    ...(from === 'nodes' ? tolerationValues(first?.taint, view) : {}),
    ...wishes(blocker, view, world, first),
    ...(blocker === 'spread' && from === 'nodes' ? closedNode(spreadsOf(view, world), view, first?.topologyKey) : {}),
    claim: first?.claim ?? reason?.claim,
    volume: first?.volume,
    ...hosts(view, world, first),
    ...room(blocker, view, world, first),
    ...others(first, view),
  };
}

/** The pod that is in the way, or the one that is missed. */
function others(first: Refusal | undefined, { pod }: PodView): Amounts {
  const { holder, peer } = first ?? {};
  if (holder === undefined) return { peer: peer?.metadata.name, peerNamespace: peer?.metadata.namespace };
  const { namespace = '', name } = holder.metadata;
  return { holder: `${namespace}/${name}`, older: isOfEarlierRevision(holder, pod) ? true : undefined };
}

type Amounts = Readonly<Record<string, string | boolean | undefined>>;

/** How much the pod asks for, and how much there is. */
function resourceValues(resource: string, view: PodView, refused: Decision['refused']): Amounts {
  const amount = (value: bigint | undefined): string | undefined => (value === undefined ? undefined : formatAmount(resource, value));
  return {
    requested: amount(podRequests(view)?.get(resource)),
    container: onlyRequester(view, resource),
    free: amount(refused[0]?.refusal.free),
    largest: amount(largestOf(refused)),
    extended: !['cpu', 'memory', 'ephemeral-storage', 'storage'].includes(resource),
  };
}

function taintValues(blocker: Decision['blocker'], first: Refusal | undefined, reason: Decision['reason']): Amounts {
  const taint = first?.taint ?? namedTaint(reason);
  // Up to 1.17 the scheduler does not name the taint, and has other words for nodes that are not ready. Since 1.34 it does not, either, and
  // the taint may be that of a condition.
  const condition = taint === undefined ? reason?.condition : isConditionTaint(taint.key);
  return {
    taint: taint === undefined ? undefined : formatTaint(taint),
    taintKey: taint?.key,
    condition: blocker === 'taint' ? condition === true : undefined,
    shownBy: blocker === 'taint' && condition === undefined ? 'kubectl describe nodes' : undefined,
  };
}

/** What a toleration of the taint says, where a patch with it replaces no other of the pod. */
function tolerationValues(taint: Taint | undefined, view: PodView): Amounts {
  if (taint === undefined) return {};
  const { value, known } = view.field('tolerations');
  if (!known) return {};
  const isOwn = asList(value).some((toleration) => asText(dig(toleration, 'key'))?.startsWith('node.kubernetes.io/') !== true);
  return isOwn ? {} : { tolerateValue: taint.value, tolerateEffect: taint.effect, toleratesNone: true };
}

function namedTaint(reason: Decision['reason']): Parameters<typeof formatTaint>[0] | undefined {
  return reason?.taintKey === undefined ? undefined : { key: reason.taintKey, value: reason.taintValue ?? '', effect: 'NoSchedule' };
}

const HOSTNAME = 'kubernetes.io/hostname';

/** The host that the pod selects, and the one that its volume needs. */
function hosts(view: PodView, world: PlacementView, first: Refusal | undefined): Readonly<Record<string, string | undefined>> {
  return {
    selectedHost: nodeSelectorOf(view).labels[HOSTNAME],
    volumeHost: first?.volume === undefined ? undefined : onlyHostOf(world.volume(first.volume)),
  };
}

/** The one host that a local volume can be used on. */
function onlyHostOf(volume: KubeObject | undefined): string | undefined {
  const [term, ...terms] = asList(dig(volume, 'spec', 'nodeAffinity', 'required', 'nodeSelectorTerms'));
  const [expression, ...expressions] = asList(dig(term, 'matchExpressions'));
  const [host, ...hosts] = asList(dig(expression, 'values'));
  const only = terms.length + expressions.length + hosts.length === 0 && dig(expression, 'operator') === 'In';
  return only && dig(expression, 'key') === HOSTNAME ? asText(host) : undefined;
}

interface Room {
  readonly placed?: number;
  readonly portContainer?: string | undefined;
  readonly containerPort?: number | undefined;
  readonly protocol?: string | undefined;
}

/** Blockers of which there is room for a number of pods. */
const COUNTED: ReadonlySet<string> = new Set(['host-port', 'pod-anti-affinity', 'existing-anti-affinity']);

/** How many pods of the workload there is room for, or the port of the node that none of them uses yet. */
function room(blocker: string, { pod }: PodView, world: PlacementView, first: Refusal | undefined): Room {
  if (!COUNTED.has(blocker)) return {};
  const siblings = siblingPods(pod, world);
  if (siblings !== undefined && siblings.ofEarlierRevision > 0) return {};
  if (siblings !== undefined && siblings.placed > 0) return { placed: siblings.placed };
  const from = first?.port?.from;
  return { portContainer: from?.container, containerPort: from?.port, protocol: from === undefined ? undefined : first?.port?.protocol };
}

function onlyRequester(view: PodView, resource: string | undefined): string | undefined {
  if (resource === undefined) return undefined;
  const all = [...asList(view.field('containers').value), ...asList(view.field('initContainers').value)];
  const [first, ...others] = all.filter(
    (container) =>
      dig(container, 'resources', 'requests', resource) !== undefined || dig(container, 'resources', 'limits', resource) !== undefined,
  );
  return others.length === 0 ? asText(dig(first, 'name')) : undefined;
}

function largestOf(refused: Decision['refused']): bigint | undefined {
  let most: bigint | undefined;
  for (const { refusal } of refused)
    if (refusal.largest !== undefined && (most === undefined || refusal.largest > most)) most = refusal.largest;
  return most;
}

interface Wishes {
  readonly wanted: string | undefined;
  readonly wantedLabel?: string | undefined;
  readonly topologyKey?: string | undefined;
  readonly similar: string | undefined;
  /** What else may name the wish, where the pod does not show which it has. */
  readonly alternative?: string | undefined;
}

/** One label whose key no node has: where nodes have it with other values, it tells what they are, and is not to be given to any. */
export function isUnusedLabel(labels: Readonly<Record<string, string>>, nodes: PlacementView['nodes']): boolean {
  const [key, ...others] = Object.keys(labels);
  return key !== undefined && others.length === 0 && !nodes.some((node) => labelsOf(node)[key] !== undefined);
}

function wishes(blocker: string, view: PodView, world: PlacementView, first: Refusal | undefined): Wishes {
  if (blocker === 'node-selector') {
    const { labels } = nodeSelectorOf(view);
    return {
      wanted: formatLabels(labels),
      wantedLabel: isUnusedLabel(labels, world.nodes) ? formatLabels(labels) : undefined,
      similar: nearestNodeLabel(labels, world.nodes),
    };
  }
  if (blocker === 'node-affinity') {
    const terms = dig(view.field('affinity').value, 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
    const alternative = showsWishes(view) ? undefined : 'nodeSelector';
    return terms === undefined
      ? { wanted: undefined, similar: undefined, alternative }
      : { alternative, wanted: formatNodeTerms(terms), similar: nearestNodeLabel(terms, world.nodes) };
  }
  return { wanted: first?.wanted, topologyKey: first?.topologyKey, similar: undefined };
}
