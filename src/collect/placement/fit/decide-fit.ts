import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import { dig } from '../../../base/json.ts';
import { onceEach } from '../../../base/once.ts';
import type { PodView } from './pod-view.ts';
import { nodeSelectorOf } from './pod-view.ts';
import type { Blocker, NodeFit, Refusal } from './node-refusals.ts';
import type { Said, SaidReason } from './scheduler-message.ts';
import { OF_THE_POD } from './scheduler-message.ts';
import { isControlPlaneKey, taintsOf } from './taints.ts';

/** The one blocker to remove, and the nodes it keeps the pod from. */
export interface Decision {
  readonly blocker: Blocker;
  /** The refusals it stands for with their nodes, the nearest to fitting first; none when only the scheduler's words tell. */
  readonly refused: readonly { readonly node: KubeObject; readonly refusal: Refusal }[];
  readonly blocked: number;
  readonly reason: SaidReason | undefined;
  readonly from: 'nodes' | 'scheduler';
}

/** `open`: the nodes were seen and some would take the pod, or something about them could not be seen and might refuse. */
export type Decided =
  | { readonly kind: 'decided'; readonly decision: Decision }
  | { readonly kind: 'open'; readonly unknown: readonly Blocker[] };

/**
 * Which blocker is to blame. A funnel: what the pod itself asks for comes first. If no node has the labels it wants, that is it; if some
 * have, the blockers of those decide, however many others lack the labels; then the same for where its volumes can be used, and for devices
 * that only some nodes have. Among what is left the blocker counts whose removal lets most nodes take the pod.
 * Nodes kept for the control plane stand aside.
 */
export function decideFit(view: PodView, given: readonly NodeFit[], said: Said | undefined): Decided {
  const fits =
    said?.reasons.some(({ device }) => device === 'unallocated') === true ? given.map((fit) => withoutDevices(fit, said)) : given;
  const whole = said?.reasons.find(({ nodes, blocker }) => nodes === undefined && OF_THE_POD.has(blocker));
  if (said !== undefined && whole !== undefined) return decided(fromWords(whole, said));
  // More nodes were counted than are seen: what is seen is no list of all nodes.
  if (said !== undefined && fits.length < said.nodes) return fromSaid(view, said);
  if (fits.length === 0) return said === undefined ? { kind: 'open', unknown: [] } : fromSaid(view, said);
  if (said !== undefined && hidesWishes(view, said)) return OPEN_WISHES;
  const told = said === undefined ? fits : tellUnknown(view, fits, said);
  const found = narrow(view, told);
  if (found !== undefined) return decided(found);
  if (said !== undefined) return fromSaid(view, said);
  return { kind: 'open', unknown: [...new Set(fits.flatMap(({ unknown }) => unknown))] };
}

/**
 * Nodes of the control plane alone do not make a cluster: others were probably left out of the list, unless the scheduler's words count
 * them.
 */
export function isControlPlaneOnly(fits: readonly NodeFit[]): boolean {
  return fits.length > 0 && fits.every(({ node }) => isSetAside(node));
}

/** An extended resource that a device class stands for is not the node's to have; the scheduler says nothing of it then. */
function withoutDevices(fit: NodeFit, said: Said): NodeFit {
  const refusals = fit.refusals.filter(
    ({ resource }) => resource?.includes('/') !== true || said.reasons.some((reason) => reason.resource === resource),
  );
  return { ...fit, refusals };
}

function decided(decision: Decision): Decided {
  return { kind: 'decided', decision };
}

function narrow(view: PodView, fits: readonly NodeFit[]): Decision | undefined {
  const wanted = fits.filter((fit) => !fit.refusals.some(isOwnWish));
  const open = wanted.filter(({ node }) => !isSetAside(node));
  const refused = fits.some(({ node, refusals }) => !isSetAside(node) && refusals.some(isOwnWish));
  const matching = open.length === 0 && refused && !asksForControlPlane(view) ? [] : wanted;
  if (matching.length === 0) return blame(strongestWish(fits), fits);
  const reachable = matching.filter((fit) => !fit.refusals.some(isTooFar));
  const far = matching.flatMap(({ refusals }) => refusals.filter(isTooFar))[0];
  if (reachable.every(({ node }) => isSetAside(node)) && far !== undefined) return blame(far.blocker, matching);
  const usual = reachable.filter(({ node }) => !isSetAside(node));
  const near = usual.length > 0 ? usual : reachable;
  const equipped = near.filter((fit) => !fit.refusals.some(lacksDevice));
  const left = equipped.length > 0 ? equipped : near;
  if (left.some(({ refusals }) => refusals.length === 0)) return undefined;
  return blame(mostHelpful(left), left);
}

/** Labels are the pod's own wish; the name of a node is one as well. */
function isOwnWish({ blocker }: Refusal): boolean {
  return isWish(blocker);
}

function isWish(blocker: Blocker): boolean {
  return blocker === 'node-selector' || blocker === 'node-affinity' || blocker === 'node-name';
}

/** What the pod already has, a volume or devices, cannot be reached from the node. */
function isTooFar({ blocker, device }: Refusal): boolean {
  return blocker === 'volume-node' || device === 'elsewhere';
}

/** Nodes without any of a device that others have are not meant, as little as those without a label. */
function lacksDevice({ resource, largest }: Refusal): boolean {
  return resource?.includes('/') === true && largest === 0n;
}

/** When no node fits all wishes: the wish that no node fits, else the one that most do not. */
function strongestWish(fits: readonly NodeFit[]): string {
  const failing = (blocker: Blocker): number =>
    fits.filter(({ refusals }) => refusals.some((refusal) => refusal.blocker === blocker)).length;
  return (['node-name', 'node-selector', 'node-affinity'] as const).toSorted((a, b) => failing(b) - failing(a))[0] ?? 'node-selector';
}

/** Only a pod that names a role means the nodes of the control plane; others may match them by chance (`zone not in (…)`). */
function asksForControlPlane(view: PodView): boolean {
  const wishes = JSON.stringify([nodeSelectorOf(view).labels, view.field('affinity').value]);
  return (
    wishes.includes('node-role.kubernetes.io/') ||
    wishes.includes('kubernetes.io/role') ||
    wishes.includes('kubernetes.io/hostname') ||
    wishes.includes('metadata.name')
  );
}

/** A node that is kept for the control plane: its role, and a taint or a cordon that keeps others out. */
const isSetAside = onceEach((node: KubeObject): boolean => {
  const labels = labelsOf(node);
  const role = Object.keys(labels).some(isControlPlaneKey) || OLD_ROLES.has(labels['kubernetes.io/role']);
  const taints = taintsOf(node) ?? [];
  return taints.some(({ key }) => isControlPlaneKey(key)) || (role && (dig(node, 'spec', 'unschedulable') === true || taints.length > 0));
});

/** The older label `kubernetes.io/role` of nodes of the control plane. */
const OLD_ROLES = new Set<string | undefined>(['master', 'control-plane']);

/** One action each: a resource to free, a taint to tolerate. */
function keyOf({ blocker, resource, taint }: Refusal): string {
  return resource !== undefined ? `${blocker} ${resource}` : taint !== undefined ? `${blocker} ${taint.key}` : blocker;
}

function mostHelpful(fits: readonly NodeFit[]): string {
  const scores = new Map<string, { alone: number; all: number; blocker: Blocker }>();
  for (const { refusals } of fits) {
    const keys = new Map(refusals.map((refusal) => [keyOf(refusal), refusal.blocker] as const));
    for (const [key, blocker] of keys) {
      const score = scores.get(key) ?? { alone: 0, all: 0, blocker };
      score.all++;
      if (keys.size === 1) score.alone++;
      scores.set(key, score);
    }
  }
  const ordered = [...scores].toSorted(([, a], [, b]) => b.alone - a.alone || b.all - a.all || weightOf(a.blocker) - weightOf(b.blocker));
  return ordered[0]?.[0] ?? 'other';
}

/** Between equals: what concerns this pod only before what concerns the node as a whole. */
const WEIGHT: readonly Blocker[] = [
  'claim',
  'device',
  'volume-in-use',
  'no-volume',
  'volume-node',
  'volume-limit',
  'host-port',
  'pod-anti-affinity',
  'pod-affinity',
  'spread',
  'existing-anti-affinity',
  'resource',
  'pod-count',
  'taint',
  'unschedulable',
  'node-name',
  'node-selector',
  'node-affinity',
  'no-nodes',
  'other',
];

function weightOf(blocker: Blocker): number {
  return WEIGHT.indexOf(blocker);
}

function blame(key: string, fits: readonly NodeFit[]): Decision {
  const refused = fits
    .flatMap(({ node, refusals }) =>
      refusals
        .filter((refusal) => keyOf(refusal) === key || refusal.blocker === key)
        .slice(0, 1)
        .map((refusal) => ({ node, refusal, others: refusals.length })),
    )
    .toSorted((a, b) => a.others - b.others || compareFree(b.refusal, a.refusal));
  return { blocker: refused[0]?.refusal.blocker ?? 'other', refused, blocked: refused.length, reason: undefined, from: 'nodes' };
}

function compareFree(a: Refusal, b: Refusal): number {
  const difference = (a.free ?? 0n) - (b.free ?? 0n);
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}

/** Blockers that are never computed here: only the scheduler knows. */
const WORDS_ONLY: ReadonlySet<Blocker> = new Set(['no-volume', 'volume-limit', 'claim', 'device', 'other']);

/** Where something about a node could not be seen, the scheduler's words fill in: it refused as many nodes as it counted. */
function tellUnknown(view: PodView, fits: readonly NodeFit[], said: Said): readonly NodeFit[] {
  let told = fits;
  for (const reason of said.reasons) {
    const blocker = wishOf(view, reason.blocker);
    let missing =
      (reason.nodes ?? said.nodes) -
      told.filter(
        ({ refusals }) => refusals[0]?.blocker === blocker || (isWish(blocker) && refusals[0] !== undefined && isOwnWish(refusals[0])),
      ).length;
    told = told.map((fit) => {
      if (missing <= 0 || fit.refusals.length > 0) return fit;
      if (!fit.unknown.includes(blocker) && !fit.unknown.includes(reason.blocker) && !WORDS_ONLY.has(blocker)) return fit;
      missing--;
      return { ...fit, refusals: [wordedRefusal(blocker, reason)] };
    });
  }
  return told;
}

function wordedRefusal(blocker: Blocker, { words, resource, taintKey, taintValue, claim, device }: SaidReason): Refusal {
  return {
    blocker,
    detail: words,
    ...(device === undefined ? {} : { device }),
    ...(resource === undefined ? {} : { resource }),
    ...(taintKey === undefined ? {} : { taint: { key: taintKey, value: taintValue ?? '', effect: 'NoSchedule' } }),
    ...(claim === undefined ? {} : { claim }),
  };
}

/** One wording stands for nodeSelector and node affinity: the pod's spec says which of them it has. */
function wishOf(view: PodView, blocker: Blocker): Blocker {
  if (blocker !== 'node-affinity') return blocker;
  const selector = nodeSelectorOf(view);
  const affinity = view.field('affinity');
  const hasTerms = dig(affinity.value, 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution') !== undefined;
  return Object.keys(selector.labels).length > 0 && !hasTerms ? 'node-selector' : 'node-affinity';
}

/**
 * Without nodes to look at: the reason that holds for most of them. Nodes that fail a later filter have passed the earlier ones, so that
 * the pod's labels, and then its volumes, are met somewhere; nodes of the control plane do not count beside others. Nor do taints without
 * names beside a volume, which only this pod needs.
 */
function fromSaid(view: PodView, said: Said): Decided {
  if (!said.complete) return { kind: 'open', unknown: [] };
  const past = (filters: ReadonlySet<Blocker>): boolean => said.reasons.some(({ blocker }) => filters.has(blocker));
  if (hidesWishes(view, said)) return OPEN_WISHES;
  const counted = said.reasons.filter(({ blocker, taintKey, condition, device, resource }) => {
    // Nodes with a device are by custom tainted with its name.
    if (resource !== undefined && said.reasons.some((other) => other.taintKey === resource)) return false;
    if (isWish(blocker)) return !past(AFTER_LABELS) && !(asksForOneNode(view) && past(BEFORE_LABELS));
    if (device === 'elsewhere') return said.reasons.every((other) => other.device === 'elsewhere' || isWish(other.blocker));
    if (blocker === 'volume-node') return !past(AFTER_VOLUMES);
    if (blocker === 'taint' && taintKey === undefined)
      return !said.reasons.some((other) => other.blocker === 'volume-node' || (condition === undefined && isOfUsualResource(other)));
    return taintKey === undefined || !isControlPlaneKey(taintKey) || said.reasons.length === 1;
  });
  const [first] = (counted.length > 0 ? counted : said.reasons).toSorted(
    (a, b) => (b.nodes ?? said.nodes) - (a.nodes ?? said.nodes) || weightOf(a.blocker) - weightOf(b.blocker),
  );
  if (first === undefined) return { kind: 'open', unknown: [] };
  // The nodes with a device may be those with the taints, which the scheduler does not name since 1.34.
  const isHidden = said.reasons.some(
    ({ blocker, taintKey, condition }) => blocker === 'taint' && taintKey === undefined && condition === undefined,
  );
  if (first.resource?.includes('/') === true && isHidden) return { kind: 'open', unknown: ['taint'] };
  const { blocker, ...rest } = first;
  return decided(fromWords({ ...rest, blocker: wishOf(view, blocker) }, said));
}

/** What every node has some of: where it is short, taints without names are most likely those of the control plane. */
function isOfUsualResource({ blocker, resource }: SaidReason): boolean {
  return blocker === 'pod-count' || (blocker === 'resource' && resource?.includes('/') !== true);
}

/** The node that the labels ask for may be one of those that failed an earlier filter: only the pod's spec tells. */
function hidesWishes(view: PodView, { reasons }: Said): boolean {
  return (
    reasons.some(({ blocker }) => isWish(blocker)) &&
    reasons.some(({ blocker, taintKey }) => BEFORE_LABELS.has(blocker) && (taintKey === undefined || !isControlPlaneKey(taintKey))) &&
    !reasons.some(({ blocker }) => AFTER_LABELS.has(blocker)) &&
    !showsWishes(view)
  );
}

const OPEN_WISHES: Decided = { kind: 'open', unknown: ['node-selector', 'node-affinity'] };

/** A pod that asks for a node by its name: when others lack the label, the node itself failed an earlier filter. */
function asksForOneNode(view: PodView): boolean {
  return nodeSelectorOf(view).labels['kubernetes.io/hostname'] !== undefined;
}

/** Whether a source shows what the pod asks of the labels of its node. */
export function showsWishes(view: PodView): boolean {
  return nodeSelectorOf(view).known || view.field('affinity').known;
}

const BEFORE_LABELS: ReadonlySet<Blocker> = new Set(['unschedulable', 'taint']);
const AFTER_VOLUMES: ReadonlySet<Blocker> = new Set(['device', 'spread', 'pod-affinity', 'pod-anti-affinity', 'existing-anti-affinity']);
const AFTER_LABELS: ReadonlySet<Blocker> = new Set([
  ...AFTER_VOLUMES,
  'host-port',
  'resource',
  'pod-count',
  'volume-in-use',
  'volume-limit',
  'volume-node',
  'no-volume',
]);

function fromWords(reason: SaidReason, said: Said): Decision {
  return { blocker: reason.blocker, refused: [], blocked: reason.nodes ?? said.nodes, reason, from: 'scheduler' };
}
