import { onceEach } from '../../../base/once.ts';
import type { Json } from '../../../base/json.ts';
import { asList, asText, asTextMap, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf, shows } from '../../../model/kube-object.ts';
import type { LabelRequirement } from '../../../model/selectors.ts';
import { matchesLabels } from '../../../model/selectors.ts';
import { formatRequirements, requirementsOf } from './label-selectors.ts';
import type { Answer } from './node-terms.ts';
import type { PodView } from './pod-view.ts';
import { viewOf } from './pod-view.ts';
import type { PlacementView } from './placement-view.ts';
import { nodeOf } from './placement-view.ts';

/** One required term of pod affinity or anti-affinity. */
export interface PodTerm {
  readonly topologyKey: string;
  readonly words: string;
  /** Whether a pod is one of those the term is about; undefined when its namespaceSelector would have to be resolved. */
  readonly selects: (pod: KubeObject) => boolean | undefined;
}

/** Required terms of a pod's affinity (`podAffinity`) or anti-affinity (`podAntiAffinity`). */
export function podTerms(
  view: PodView,
  which: 'podAffinity' | 'podAntiAffinity',
): { readonly terms: readonly PodTerm[]; readonly known: boolean } {
  const { value, known } = view.field('affinity');
  const terms = asList(dig(value, which, 'requiredDuringSchedulingIgnoredDuringExecution'));
  return { terms: terms.map((term) => podTerm(term, view.pod)), known };
}

/** Source: pkg/scheduler/framework/types.go (newAffinityTerm): without namespaces and a namespaceSelector, the pod's own namespace. */
function podTerm(term: Json, owner: KubeObject): PodTerm {
  const requirements = [...(requirementsOf(dig(term, 'labelSelector')) ?? []), ...keyedRequirements(dig(term, 'matchLabelKeys'), owner)];
  const selectsNothing = dig(term, 'labelSelector') === undefined;
  const namespaces = asList(dig(term, 'namespaces')).map(String);
  const selector = dig(term, 'namespaceSelector');
  const everywhere = selector !== undefined && requirementsOf(selector)?.length === 0;
  const own = selector === undefined && namespaces.length === 0;
  return {
    topologyKey: asText(dig(term, 'topologyKey')) ?? '',
    words: formatRequirements(requirements),
    selects: (pod) => {
      const { namespace } = pod.metadata;
      if (own && namespace !== owner.metadata.namespace) return false;
      if (selectsNothing || !matchesLabels(requirements, knownLabels(pod))) return false;
      if (everywhere || own || namespaces.includes(namespace ?? '')) return true;
      return selector === undefined ? false : undefined;
    },
  };
}

/** The same pods are asked about their labels for every pod that waits. */
const knownLabels = onceEach(labelsOf);

/** matchLabelKeys: the pod's own values of these labels must be met as well. */
export function keyedRequirements(keys: Json | undefined, pod: KubeObject): readonly LabelRequirement[] {
  const labels = labelsOf(pod);
  return asList(keys).flatMap((name) => {
    const key = asText(name) ?? '';
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator: 'in' as const, values: [value] }];
  });
}

export function topologyOf(node: KubeObject, key: string): string | undefined {
  return asTextMap(dig(node, 'metadata', 'labels'))[key];
}

/** Where the pods are that a term is about: one of them for each domain of the term's topology key. */
export interface Placed {
  readonly term: PodTerm;
  readonly domains: ReadonlyMap<string, KubeObject>;
  /** Some pods may belong to the term or to a domain unseen. */
  readonly unsure: boolean;
  readonly any: boolean;
}

export function placedBy(term: PodTerm, world: PlacementView): Placed {
  const domains = new Map<string, KubeObject>();
  let [unsure, any] = [false, false];
  for (const pod of world.pods) {
    const selected = term.selects(pod);
    if (selected === false) continue;
    any = true;
    const node = world.nodeNamed(nodeOf(pod) ?? '');
    const domain = node === undefined ? undefined : topologyOf(node, term.topologyKey);
    if (selected === undefined || node === undefined) unsure = true;
    else if (domain !== undefined && !domains.has(domain)) domains.set(domain, pod);
  }
  return { term, domains, unsure, any };
}

/**
 * Whether the node is in a domain where a pod runs that the term is about; the first pod of its kind may go anywhere its own terms allow.
 * Source: pkg/scheduler/framework/plugins/interpodaffinity/filtering.go (satisfyPodAffinity).
 */
export function affinityFits(placed: Placed, terms: readonly PodTerm[], view: PodView, node: KubeObject): Answer {
  const { topologyKey } = placed.term;
  const domain = topologyOf(node, topologyKey);
  if (domain === undefined) return shows(node, `metadata.labels.${topologyKey}`) ? 'no' : 'unknown';
  if (placed.domains.has(domain)) return 'yes';
  if (placed.unsure) return 'unknown';
  return !placed.any && terms.every((each) => each.selects(view.pod) === true) ? 'yes' : 'no';
}

/** The pod in the node's domain that the anti-affinity term forbids to be with. */
export function rivalOn(node: KubeObject, placed: Placed): KubeObject | undefined {
  const domain = topologyOf(node, placed.term.topologyKey);
  return domain === undefined ? undefined : placed.domains.get(domain);
}

/** A term by which a pod that is there keeps others out of its domain. */
export interface Guard {
  readonly holder: KubeObject;
  readonly term: PodTerm;
  readonly domain: string;
}

/** The required anti-affinity of all pods that have their place. */
export function guardsOf(world: PlacementView): readonly Guard[] {
  return world.pods.flatMap((holder) => {
    if (dig(holder, 'spec', 'affinity', 'podAntiAffinity') === undefined) return [];
    const node = world.nodeNamed(nodeOf(holder) ?? '');
    if (node === undefined) return [];
    return podTerms(viewOf(holder), 'podAntiAffinity').terms.flatMap((term) => {
      const domain = topologyOf(node, term.topologyKey);
      return domain === undefined ? [] : [{ holder, term, domain }];
    });
  });
}

/** Domains that pods already there forbid to this pod: by topology key and domain. */
export function guardedDomains(view: PodView, guards: readonly Guard[]): ReadonlyMap<string, ReadonlyMap<string, KubeObject>> {
  const guarded = new Map<string, Map<string, KubeObject>>();
  for (const { holder, term, domain } of guards) {
    if (term.selects(view.pod) !== true) continue;
    const byDomain = guarded.get(term.topologyKey) ?? new Map<string, KubeObject>();
    byDomain.set(domain, holder);
    guarded.set(term.topologyKey, byDomain);
  }
  return guarded;
}
