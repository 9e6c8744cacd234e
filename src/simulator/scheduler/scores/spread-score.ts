import { onceEach } from '../../../base/once.ts';
import type { JsonObject } from '../../../base/json.ts';
import { asList, asObject, asTextMap, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { controllerOf } from '../../../model/kube-object.ts';
import { isEligible } from '../filters/topology-spread.ts';
import type { NodeInfo } from '../node-info.ts';
import type { NodeCounts } from '../pod-counts.ts';
import type { PodInfo, SpreadConstraint } from '../pod-info.ts';
import { selectorFor } from '../pod-terms.ts';
import { NO_DOMAIN } from '../scheduler-cache.ts';
import type { LookedUpKind, ScorePlugin, SchedulerView } from '../view.ts';
import { HIGHEST_SCORE } from '../view.ts';

/** Source: pkg/scheduler/framework/plugins/podtopologyspread/scoring.go. */
export const SPREAD_SCORE: ScorePlugin = { name: 'PodTopologySpread', weight: 2, score };

function score(pod: PodInfo, nodes: readonly NodeInfo[], view: SchedulerView): Float64Array | undefined {
  const own = pod.spec.spread.filter(({ hard }) => !hard);
  const constraints = pod.spec.spread.length > 0 ? own : defaultConstraints(pod, view);
  if (constraints.length === 0) return undefined;
  // Nodes without a key are left out of a pod's own constraints, not of the defaults.
  const keys = pod.spec.spread.length > 0 ? constraints.map(({ topologyKey }) => topologyKey) : [];
  const ignored = keys.length === 0 ? NONE : nodes.map(({ labels }) => keys.some((key) => labels[key] === undefined));
  const scored = keys.length === 0 ? nodes : nodes.filter((_, index) => ignored[index] === false);
  const sums = new Float64Array(nodes.length);
  for (const constraint of constraints) addPoints(sums, constraint, { pod, nodes, scored, keys }, view);
  return normalized(sums, ignored);
}

const NONE: readonly boolean[] = [];

/** What is scored for whom; pods on nodes that lack one of the keys do not count. */
interface Scoring {
  readonly pod: PodInfo;
  readonly nodes: readonly NodeInfo[];
  readonly scored: readonly NodeInfo[];
  readonly keys: readonly string[];
}

/** Points a constraint gives each node: the more of the kind are in its domain, the higher. */
function addPoints(sums: Float64Array, constraint: SpreadConstraint, scoring: Scoring, view: SchedulerView): void {
  const { topologyKey, maxSkew } = constraint;
  const { pod, nodes, scored } = scoring;
  const places = view.cache.domains(topologyKey);
  if (places.size === 0) return;
  const counts = view.cache.counts({ namespaces: [pod.namespace], selector: selectorFor(constraint, pod), terminating: false });
  const byPlace = topologyKey === HOSTNAME ? counts.byPlace : undefined;
  const domains = byPlace === undefined ? domainCounts(constraint, scoring, counts, view) : undefined;
  const weight = Math.log((domains === undefined ? scored.length : domains.size) + 2);
  for (let index = 0; index < nodes.length; index++) {
    const place = nodes[index]?.place ?? 0;
    const domain = places.of[place] ?? NO_DOMAIN;
    if (domain === NO_DOMAIN) continue;
    const count = (domains === undefined ? byPlace?.[place] : domains.counts[domain]) ?? 0;
    sums[index] = (sums[index] ?? 0) + (count * weight + (maxSkew - 1));
  }
}

/** How many pods are in each domain, by its number, and in how many domains the scored nodes are. */
function domainCounts(
  constraint: SpreadConstraint,
  { pod, scored, keys }: Scoring,
  counts: NodeCounts,
  view: SchedulerView,
): { readonly counts: Int32Array; readonly size: number } {
  const places = view.cache.domains(constraint.topologyKey);
  const isScored = new Uint8Array(places.size);
  let size = 0;
  for (const { place } of scored) {
    const domain = places.of[place] ?? NO_DOMAIN;
    if (domain === NO_DOMAIN || isScored[domain] === 1) continue;
    isScored[domain] = 1;
    size++;
  }
  const sums = new Int32Array(places.size);
  for (const [name, count] of counts) {
    const node = view.cache.node(name);
    const domain = node === undefined ? NO_DOMAIN : (places.of[node.place] ?? NO_DOMAIN);
    if (node === undefined || isScored[domain] !== 1 || !isEligible(node, constraint, pod)) continue;
    if (keys.some((key) => node.labels[key] === undefined)) continue;
    sums[domain] = (sums[domain] ?? 0) + count;
  }
  return { counts: sums, size };
}

/** Rounds the sums and turns them round, so that the lowest gets the most; in place. */
function normalized(sums: Float64Array, ignored: readonly boolean[]): Float64Array {
  let [least, most] = [Number.MAX_SAFE_INTEGER, 0];
  for (let index = 0; index < sums.length; index++) {
    if (ignored[index] === true) continue;
    const points = Math.round(sums[index] ?? 0);
    if (points < least) least = points;
    if (points > most) most = points;
  }
  const raw = sums;
  for (let index = 0; index < raw.length; index++) {
    if (ignored[index] === true) raw[index] = 0;
    else raw[index] = most === 0 ? HIGHEST_SCORE : Math.trunc((HIGHEST_SCORE * (most + least - Math.round(raw[index] ?? 0))) / most);
  }
  return raw;
}

const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

/**
 * What spreads the pods of a Service or workload that says nothing itself. Source: podtopologyspread/plugin.go (systemDefaultConstraints).
 */
function defaultConstraints(pod: PodInfo, view: SchedulerView): readonly SpreadConstraint[] {
  const services = view.servicesOf(pod.namespace, pod.labels);
  const owner = ownerOf(pod, view);
  const [service] = services;
  if (service === undefined || services.length > 1 || owner === undefined)
    return owner === undefined || services.length > 1 ? constraintsOf(defaultSelector(services, owner)) : constraintsOfOwner(owner);
  const known = constraintsOfPair(owner).get(service) ?? constraintsOf(defaultSelector(services, owner));
  constraintsOfPair(owner).set(service, known);
  return known;
}

/** What spreads the pods of a workload that no Service selects: worked out once for each of its states. */
const constraintsOfOwner = onceEach((owner: KubeObject) => constraintsOf(defaultSelector([], owner)));

/** The same for the pods of a workload that one Service selects. */
const constraintsOfPair = onceEach<KubeObject, WeakMap<KubeObject, readonly SpreadConstraint[]>>(() => new WeakMap());

function constraintsOf(selector: JsonObject | undefined): readonly SpreadConstraint[] {
  if (selector === undefined) return [];
  const base = { minDomains: 1, hard: false, selector, matchLabelKeys: [], honorAffinity: true, honorTaints: false };
  return [
    { topologyKey: HOSTNAME, maxSkew: 3, ...base },
    { topologyKey: ZONE, maxSkew: 5, ...base },
  ];
}

function ownerOf({ pod, namespace }: PodInfo, view: SchedulerView): KubeObject | undefined {
  const owner = controllerOf(pod);
  const kind = OWNERS.find((known) => known === owner?.kind);
  return owner === undefined || kind === undefined ? undefined : view.find(kind, namespace, owner.name);
}

/** The selectors of the pod's Services and of its owner, together. Source: plugins/helper/spread.go (DefaultSelector). */
function defaultSelector(services: readonly KubeObject[], owner: KubeObject | undefined): JsonObject | undefined {
  const matchLabels: Record<string, string> = {};
  for (const service of services) Object.assign(matchLabels, asTextMap(dig(service, 'spec', 'selector')));
  const selector = dig(owner, 'spec', 'selector');
  if (owner?.kind === 'ReplicationController') Object.assign(matchLabels, asTextMap(selector));
  else Object.assign(matchLabels, asTextMap(dig(asObject(selector), 'matchLabels')));
  const matchExpressions = asList(dig(asObject(selector), 'matchExpressions'));
  if (Object.keys(matchLabels).length === 0 && matchExpressions.length === 0) return undefined;
  return { matchLabels, ...(matchExpressions.length === 0 ? {} : { matchExpressions }) };
}

const OWNERS: readonly LookedUpKind[] = ['ReplicaSet', 'StatefulSet', 'ReplicationController'];
