import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import { smallest } from '../../../base/lists.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf, shows } from '../../../model/kube-object.ts';
import { matchesLabels } from '../../../model/selectors.ts';
import { formatRequirements, requirementsOf } from './label-selectors.ts';
import { keyedRequirements, topologyOf } from './pod-affinity.ts';
import { matchesNodeSelector, matchesNodeTerms } from './node-terms.ts';
import type { PodView } from './pod-view.ts';
import { nodeSelectorOf } from './pod-view.ts';
import { formatTaint, taintsOf, untolerated } from './taints.ts';
import type { PlacementView } from './placement-view.ts';
import { nodeOf } from './placement-view.ts';

/** A constraint that must be kept (whenUnsatisfiable: DoNotSchedule), with its pods counted per domain. */
export interface Spread {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly words: string;
  readonly self: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly least: number;
  /** Nodes it counts. */
  readonly nodes: readonly KubeObject[];
}

/** The pod's hard spread constraints over the nodes they count. Source: pkg/scheduler/framework/plugins/podtopologyspread/filtering.go. */
export function spreadsOf(view: PodView, world: PlacementView): { readonly spreads: readonly Spread[]; readonly known: boolean } {
  const { value, known } = view.field('topologySpreadConstraints');
  const hard = asList(value).filter((constraint) => (asText(dig(constraint, 'whenUnsatisfiable')) ?? 'DoNotSchedule') === 'DoNotSchedule');
  return { spreads: hard.map((constraint) => spreadOf(constraint, hard, view, world)), known };
}

function spreadOf(constraint: Json, all: readonly Json[], view: PodView, world: PlacementView): Spread {
  const topologyKey = asText(dig(constraint, 'topologyKey')) ?? '';
  const requirements = [
    ...(requirementsOf(dig(constraint, 'labelSelector')) ?? []),
    ...keyedRequirements(dig(constraint, 'matchLabelKeys'), view.pod),
  ];
  const nodes = world.nodes.filter((node) => isCounted(constraint, all, node, view));
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const domain = topologyOf(node, topologyKey);
    if (domain === undefined) continue;
    const here = world.podsOn(node.metadata.name).filter((pod) => isMatch(pod, requirements, view)).length;
    counts.set(domain, (counts.get(domain) ?? 0) + here);
  }
  const tooFew = counts.size < (asNumber(dig(constraint, 'minDomains')) ?? 1);
  return {
    topologyKey,
    maxSkew: asNumber(dig(constraint, 'maxSkew')) ?? 1,
    words: formatRequirements(requirements),
    self: matchesLabels(requirements, labelsOf(view.pod)) ? 1 : 0,
    counts,
    nodes,
    least: tooFew || counts.size === 0 ? 0 : smallest(counts.values()),
  };
}

/** Pods that are being deleted do not count. */
function isMatch(pod: KubeObject, requirements: Parameters<typeof matchesLabels>[0], view: PodView): boolean {
  return (
    pod.metadata.namespace === view.pod.metadata.namespace &&
    dig(pod, 'metadata', 'deletionTimestamp') === undefined &&
    nodeOf(pod) !== undefined &&
    matchesLabels(requirements, labelsOf(pod))
  );
}

/** Nodes must have every constraint's key; nodeAffinityPolicy is Honor and nodeTaintsPolicy Ignore unless said otherwise. */
function isCounted(constraint: Json, all: readonly Json[], node: KubeObject, view: PodView): boolean {
  if (all.some((each) => topologyOf(node, asText(dig(each, 'topologyKey')) ?? '') === undefined)) return false;
  if ((asText(dig(constraint, 'nodeAffinityPolicy')) ?? 'Honor') === 'Honor') {
    if (matchesNodeSelector(nodeSelectorOf(view).labels, node) === 'no') return false;
    const terms = dig(view.field('affinity').value, 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
    if (terms !== undefined && matchesNodeTerms(terms, node) === 'no') return false;
  }
  return asText(dig(constraint, 'nodeTaintsPolicy')) !== 'Honor' || untolerated(view, taintsOf(node) ?? []) === undefined;
}

/** A node of a domain with the fewest pods that takes none: it is cordoned, or has a taint that the pod does not tolerate. */
export function closedNode({ spreads }: ReturnType<typeof spreadsOf>, view: PodView, key: string | undefined): ClosedNode | undefined {
  const spread = spreads.find(({ topologyKey }) => topologyKey === key);
  for (const node of spread?.nodes ?? []) {
    if (spread?.counts.get(topologyOf(node, spread.topologyKey) ?? '') !== spread?.least) continue;
    const { name } = node.metadata;
    if (dig(node, 'spec', 'unschedulable') === true) return { closed: `${name} (cordoned)`, cordoned: name };
    const taint = untolerated(view, taintsOf(node) ?? []);
    if (taint !== undefined) return { closed: `${name} (taint ${formatTaint(taint)})` };
  }
  return undefined;
}

interface ClosedNode {
  readonly closed: string;
  readonly cordoned?: string;
}

/** Why the node may not take one more pod; undefined when it may. */
export function spreadRefusal(spread: Spread, node: KubeObject): string | undefined {
  const domain = topologyOf(node, spread.topologyKey);
  if (domain === undefined) {
    return shows(node, `metadata.labels.${spread.topologyKey}`) ? `no label ${spread.topologyKey}` : undefined;
  }
  const here = spread.counts.get(domain) ?? 0;
  if (here + spread.self - spread.least <= spread.maxSkew) return undefined;
  return `${spread.topologyKey}=${domain} has ${String(here)} ${here === 1 ? 'pod' : 'pods'} with ${spread.words}, the minimum is ${String(spread.least)}`;
}
