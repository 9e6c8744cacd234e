import { dig } from '../../../base/json.ts';
import type { Nano } from '../../../base/quantity.ts';
import { formatQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { BLOCKERS } from '../../../model/fact-kinds/placement.ts';
import { refOf, shows } from '../../../model/kube-object.ts';
import type { Guard, Placed, PodTerm } from './pod-affinity.ts';
import { affinityFits, guardedDomains, guardsOf, placedBy, podTerms, rivalOn, topologyOf } from './pod-affinity.ts';
import type { Capacity } from './node-capacity.ts';
import { nodeCapacities } from './node-capacity.ts';
import { formatNodeTerms, matchesNodeSelector, matchesNodeTerms } from './node-terms.ts';
import { boundVolumes, exclusiveHolder, formatVolumePlace, volumeFits } from './pod-volumes.ts';
import type { PodView } from './pod-view.ts';
import { nodeSelectorOf } from './pod-view.ts';
import type { HostPort } from './ports.ts';
import { formatHostPort, hostPortsOf, portConflict } from './ports.ts';
import type { Amounts } from './requests.ts';
import { podRequests } from './requests.ts';
import { spreadRefusal, spreadsOf } from './spread.ts';
import { formatTaint, taintsOf, UNSCHEDULABLE_TAINT, untolerated } from './taints.ts';
import type { Taint } from './taints.ts';
import type { PlacementView } from './placement-view.ts';
import { isSamePod } from './placement-view.ts';

/** What keeps a pod from a node. `fit-summary` publishes it as `blocker`. */
export type Blocker = (typeof BLOCKERS)[number];

/** One plugin's no to one node, with the values it rests on. The blocker stands for the plugin. */
export interface Refusal {
  readonly blocker: Blocker;
  readonly detail: string;
  readonly resource?: string;
  readonly free?: Nano;
  readonly largest?: Nano;
  readonly taint?: Taint;
  /** What the scheduler said of the pod's devices. */
  readonly device?: 'elsewhere' | 'unallocated';
  readonly claim?: string;
  readonly volume?: string;
  readonly holder?: KubeObject;
  readonly peer?: KubeObject;
  readonly wanted?: string;
  readonly topologyKey?: string;
  readonly port?: HostPort;
}

/** What the plugins make of one node: all refusals in the order of the scheduler, and the blockers nobody could compute. */
export interface NodeFit {
  readonly node: KubeObject;
  readonly refusals: readonly Refusal[];
  readonly unknown: readonly Blocker[];
}

/** What is the same for every node is worked out once. */
interface Prepared {
  readonly view: PodView;
  readonly world: PlacementView;
  readonly capacity: Shared['capacity'];
  readonly requests: Amounts | undefined;
  readonly affinity: { readonly terms: readonly PodTerm[]; readonly placed: readonly (Placed & Missed)[]; readonly known: boolean };
  readonly rivals: { readonly placed: readonly Placed[]; readonly known: boolean };
  readonly guarded: ReadonlyMap<string, ReadonlyMap<string, KubeObject>>;
  readonly spread: ReturnType<typeof spreadsOf>;
  readonly exclusive: ReturnType<typeof exclusiveHolder>;
  readonly own: ReturnType<typeof wishesOf>;
}

/**
 * The filter plugins of the scheduler, node by node, in their order; unlike the scheduler all of them for every node, so that it can be
 * told
 * what one of them alone would change. Source: pkg/scheduler/apis/config/v1/default_plugins.go and pkg/scheduler/framework/plugins.
 */
export function nodeFitter(world: PlacementView): (view: PodView) => readonly NodeFit[] {
  const shared = { world, capacity: nodeCapacities(world), guards: guardsOf(world) };
  return (view) => {
    const prepared = prepare(view, shared);
    return world.nodes.map((node) => {
      const [refusals, unknown]: [Refusal[], Blocker[]] = [[], []];
      for (const check of CHECKS) {
        for (const found of check(prepared, node)) {
          if (typeof found === 'string') unknown.push(found);
          else refusals.push(found);
        }
      }
      return { node, refusals, unknown };
    });
  };
}

/** What is the same for every pod. */
interface Shared {
  readonly world: PlacementView;
  readonly capacity: (node: KubeObject) => Capacity | undefined;
  readonly guards: readonly Guard[];
}

function prepare(view: PodView, { world, capacity, guards }: Shared): Prepared {
  const affinity = podTerms(view, 'podAffinity');
  const rivals = podTerms(view, 'podAntiAffinity');
  return {
    view,
    world,
    capacity,
    requests: podRequests(view),
    affinity: { ...affinity, placed: affinity.terms.map((term) => ({ ...placedBy(term, world), peer: peerOf(term, view, world) })) },
    rivals: { placed: rivals.terms.map((term) => placedBy(term, world)), known: rivals.known },
    guarded: guardedDomains(view, guards),
    spread: spreadsOf(view, world),
    exclusive: exclusiveHolder(view, world),
    own: wishesOf(view, world),
  };
}

interface Missed {
  readonly peer: KubeObject | undefined;
}

/** A pod that would be near if it had a node. */
function peerOf(term: PodTerm, view: PodView, world: PlacementView): KubeObject | undefined {
  return world.waiting.find((pod) => pod !== view.pod && term.selects(pod) === true);
}

/** To work these out for each of 5,000 nodes took a third of the time of all plugins. */
function wishesOf(view: PodView, world: PlacementView) {
  const { value, known } = view.field('affinity');
  const terms = dig(value, 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  const volumes = boundVolumes(view, world).map((bound) => ({ ...bound, place: formatVolumePlace(bound.volume) }));
  const selector = nodeSelectorOf(view);
  return { selector, terms: { value: terms, known, words: formatNodeTerms(terms) }, ports: hostPortsOf(view), volumes };
}

/** A refusal; or the name of what cannot be computed; or nothing. */
type Finding = Refusal | Blocker;
type NodeCheck = (prepared: Prepared, node: KubeObject) => readonly Finding[];

const CHECKS: readonly NodeCheck[] = [
  unschedulable,
  nodeName,
  taint,
  nodeAffinity,
  hostPorts,
  resources,
  volumeInUse,
  volumeNode,
  spread,
  podAffinity,
];

function unschedulable({ view }: Prepared, node: KubeObject): readonly Finding[] {
  if (!shows(node, 'spec.unschedulable') && dig(node, 'spec', 'unschedulable') === undefined) return ['unschedulable'];
  if (dig(node, 'spec', 'unschedulable') !== true || untolerated(view, [UNSCHEDULABLE_TAINT]) === undefined) return [];
  return [{ blocker: 'unschedulable', detail: 'cordoned (spec.unschedulable)' }];
}

function nodeName({ view }: Prepared, node: KubeObject): readonly Finding[] {
  const wanted = view.field('nodeName').value;
  if (typeof wanted !== 'string' || wanted === node.metadata.name) return [];
  return [{ blocker: 'node-name', detail: `the pod requires node ${wanted}`, wanted }];
}

function taint({ view }: Prepared, node: KubeObject): readonly Finding[] {
  const taints = taintsOf(node);
  if (taints === undefined) return ['taint'];
  const found = untolerated(
    view,
    taints.filter(({ key }) => key !== UNSCHEDULABLE_TAINT.key),
  );
  return found === undefined ? [] : [{ blocker: 'taint', detail: `taint ${formatTaint(found)} is not tolerated`, taint: found }];
}

function nodeAffinity({ own: { selector, terms } }: Prepared, node: KubeObject): readonly Finding[] {
  const bySelector = selector.known ? matchesNodeSelector(selector.labels, node) : 'unknown';
  const byTerms = !terms.known ? 'unknown' : terms.value === undefined ? 'yes' : matchesNodeTerms(terms.value, node);
  return [
    ...verdict(bySelector, { blocker: 'node-selector', detail: 'its labels do not match the nodeSelector' }),
    ...verdict(byTerms, { blocker: 'node-affinity', detail: `its labels do not match ${terms.words}` }),
  ];
}

function hostPorts({ view, world, own: { ports: wanted } }: Prepared, node: KubeObject): readonly Finding[] {
  if (wanted === undefined) return ['host-port'];
  if (wanted.length === 0) return [];
  const conflict = portConflict(
    wanted,
    world.podsOn(node.metadata.name).filter((pod) => !isSamePod(pod, refOf(view.pod))),
  );
  if (conflict === undefined) return world.allPodsOn(node.metadata.name) ? [] : ['host-port'];
  const { holder, port } = conflict;
  const detail = `port ${formatHostPort(port)} is held by ${holder.metadata.namespace ?? ''}/${holder.metadata.name}`;
  return [{ blocker: 'host-port', detail, holder, wanted: formatHostPort(port), port }];
}

function resources({ requests, capacity: capacityOf }: Prepared, node: KubeObject): readonly Finding[] {
  const capacity = capacityOf(node);
  if (capacity === undefined) return ['resource', 'pod-count'];
  const found: Finding[] = [];
  const { pods } = capacity;
  if (pods.limit !== undefined && pods.used + 1 > pods.limit) {
    const detail = `it holds ${String(pods.used)} of ${String(pods.limit)} pods`;
    found.push({ blocker: 'pod-count', detail, wanted: String(pods.limit) });
  } else if (!capacity.exact) found.push('pod-count');
  if (requests === undefined) return [...found, 'resource'];
  for (const [resource, requested] of requests) {
    if (requested === 0n) continue;
    const largest = capacity.allocatable.get(resource) ?? 0n;
    const left = largest - (capacity.used.get(resource) ?? 0n);
    const free = left < 0n ? 0n : left;
    if (requested > free) {
      const detail = `${resource}: ${formatAmount(resource, requested)} requested, ${formatAmount(resource, free)} of ${formatAmount(resource, largest)} free`;
      found.push({ blocker: 'resource', detail, resource, free, largest });
    } else if (!capacity.exact) found.push('resource');
  }
  return found;
}

/** As a person would write it: bytes that are no round number to a tenth. */
export function formatAmount(resource: string, amount: Nano): string {
  const bytes = resource === 'memory' || resource.includes('storage') || resource.startsWith('hugepages');
  if (!bytes) return formatQuantity(amount, 'decimal');
  for (const [unit, size] of [
    ['Gi', GIBI],
    ['Mi', GIBI / 1024n],
  ] as const) {
    if (amount < size) continue;
    const tenths = (amount * 10n) / size;
    return `${String(tenths / 10n)}${tenths % 10n === 0n ? '' : `.${String(tenths % 10n)}`}${unit}`;
  }
  return formatQuantity(amount, 'bytes');
}

const GIBI = 1024n ** 3n * 1_000_000_000n;

function volumeInUse({ exclusive }: Prepared): readonly Finding[] {
  if (exclusive === undefined) return [];
  const { claim, holder } = exclusive;
  return [
    {
      blocker: 'volume-in-use',
      detail: `claim ${claim} (ReadWriteOncePod) is used by ${holder.metadata.name}`,
      claim,
      holder,
    },
  ];
}

function volumeNode({ own: { volumes } }: Prepared, node: KubeObject): readonly Finding[] {
  return volumes.flatMap(({ claim, volume, place }) => {
    const { name } = volume.metadata;
    const detail = `volume ${name} of claim ${claim} can only be used where ${place}`;
    return verdict(volumeFits(volume, node), {
      blocker: 'volume-node',
      detail,
      claim,
      volume: name,
      wanted: place,
    });
  });
}

function spread({ spread: { spreads, known }, view, world }: Prepared, node: KubeObject): readonly Finding[] {
  if (!known || (spreads.length > 0 && !world.allPodsOf(view.pod.metadata.namespace))) return ['spread'];
  return spreads.flatMap((one) => {
    const refusal = spreadRefusal(one, node);
    if (refusal === undefined) return [];
    return [
      {
        blocker: 'spread',
        detail: refusal,
        topologyKey: one.topologyKey,
        wanted: `maxSkew ${String(one.maxSkew)} over ${one.topologyKey}`,
      } satisfies Refusal,
    ];
  });
}

function podAffinity({ view, world, affinity, rivals, guarded }: Prepared, node: KubeObject): readonly Finding[] {
  const all = world.allPodsOf(view.pod.metadata.namespace);
  const near = affinity.placed.flatMap((placed): readonly Finding[] => {
    const { peer, term } = placed;
    const { words, topologyKey } = term;
    const detail = `no pod ${words} runs in its ${topologyKey}`;
    const answer = affinityFits(placed, affinity.terms, view, node);
    return verdict(answer === 'no' && !all ? 'unknown' : answer, {
      blocker: 'pod-affinity',
      detail,
      wanted: `${words} in the same ${topologyKey}`,
      ...(peer === undefined ? {} : { peer }),
    });
  });
  const apart = rivals.placed.flatMap((placed): readonly Finding[] => {
    const rival = rivalOn(node, placed);
    if (rival === undefined) return placed.unsure || !all ? ['pod-anti-affinity'] : [];
    const { words, topologyKey } = placed.term;
    const detail = `${rival.metadata.name} (${words}) already runs in its ${topologyKey}`;
    return [{ blocker: 'pod-anti-affinity', detail, holder: rival, wanted: `no ${words} in the same ${topologyKey}` }];
  });
  const guards: Finding[] = [];
  for (const [key, domains] of guarded) {
    const holder = domains.get(topologyOf(node, key) ?? '');
    if (holder === undefined) continue;
    const detail = `${holder.metadata.name} there allows no such pod in its ${key}`;
    guards.push({ blocker: 'existing-anti-affinity', detail, holder });
  }
  const hidden: readonly Finding[] = affinity.known ? [] : ['pod-affinity', 'pod-anti-affinity'];
  const mutual = apart.some((one) => typeof one !== 'string');
  return [...hidden, ...(mutual ? [] : guards), ...near, ...apart];
}

function verdict(answer: 'yes' | 'no' | 'unknown', refusal: Refusal): readonly Finding[] {
  if (answer === 'yes') return [];
  return answer === 'no' ? [refusal] : [refusal.blocker];
}
