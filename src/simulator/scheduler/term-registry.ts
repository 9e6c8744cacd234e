import type { LabelMatcher } from '../apiserver/selectors.ts';
import { labelSelectorMatcher } from '../apiserver/selectors.ts';
import type { PodInfo, PodTerm } from './pod-info.ts';
import { scopeOf, selectorFor } from './pod-terms.ts';

/** A term that pods on nodes have, with how many of them are on which node. */
export interface ExistingTerm {
  readonly topologyKey: string;
  /** Positive for affinity, negative for anti-affinity. */
  readonly weight: number;
  readonly nodes: ReadonlyMap<string, number>;
}

/** Labels of a namespace, for terms that select namespaces by them. */
export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>> | undefined;

type TermKind = 'required-anti' | 'required' | 'preferred';

/** The affinity terms of all pods on nodes; those of a Deployment's pods are one term that is counted. */
export class TermRegistry {
  readonly #kinds: Readonly<Record<TermKind, Map<string, Entry>>> = {
    'required-anti': new Map(),
    required: new Map(),
    preferred: new Map(),
  };

  change(node: string, pod: PodInfo, by: 1 | -1): void {
    const { antiAffinity, affinity, preferredAffinity } = pod.spec;
    for (const term of antiAffinity) this.#change('required-anti', node, pod, { term, weight: -1 }, by);
    for (const term of affinity) this.#change('required', node, pod, { term, weight: 1 }, by);
    for (const weighted of preferredAffinity) this.#change('preferred', node, pod, weighted, by);
  }

  /** The terms of one kind that mean this pod. */
  *meaning(kind: TermKind, pod: PodInfo, namespaceLabels: NamespaceLabels): Iterable<ExistingTerm> {
    for (const entry of this.#kinds[kind].values()) {
      if (entry.covers(pod.namespace, namespaceLabels) && entry.matches(pod.labels)) yield entry;
    }
  }

  #change(
    kind: TermKind,
    node: string,
    pod: PodInfo,
    { term, weight }: { readonly term: PodTerm; readonly weight: number },
    by: 1 | -1,
  ): void {
    const selector = selectorFor(term, pod);
    const key = JSON.stringify([weight, term.topologyKey, selector, scopeOf(term, pod)]);
    const entries = this.#kinds[kind];
    let entry = entries.get(key);
    if (entry === undefined) {
      entry = entryOf(term, weight, pod, labelSelectorMatcher(selector));
      entries.set(key, entry);
    }
    const count = (entry.nodes.get(node) ?? 0) + by;
    if (count > 0) entry.nodes.set(node, count);
    else entry.nodes.delete(node);
    if (entry.nodes.size === 0) entries.delete(key);
  }
}

interface Entry {
  readonly topologyKey: string;
  readonly weight: number;
  readonly matches: LabelMatcher;
  readonly covers: (namespace: string, labels: NamespaceLabels) => boolean;
  readonly nodes: Map<string, number>;
}

function entryOf(term: PodTerm, weight: number, owner: PodInfo, matches: LabelMatcher): Entry {
  const { namespaces, namespaceSelector } = scopeOf(term, owner);
  const selects = namespaceSelector === undefined ? undefined : labelSelectorMatcher(namespaceSelector);
  const named = new Set(namespaces);
  return {
    topologyKey: term.topologyKey,
    weight,
    matches,
    covers: (namespace, labels) => named.has(namespace) || (selects !== undefined && selects(labels(namespace) ?? {})),
    nodes: new Map(),
  };
}
