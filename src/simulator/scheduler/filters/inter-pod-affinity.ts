import { labelsOf } from '../../../model/kube-object.ts';
import { labelSelectorMatcher } from '../../apiserver/selectors.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo, PodTerm } from '../pod-info.ts';
import { namespacesOf, selectorFor } from '../pod-terms.ts';
import type { NodeCounts } from '../pod-counts.ts';
import type { FilterPlugin, Prepared, Rejection, SchedulerView } from '../view.ts';
import { WORDS } from '../scheduler-messages.ts';

/** Source: pkg/scheduler/framework/plugins/interpodaffinity/filtering.go. */
export const INTER_POD_AFFINITY: FilterPlugin = { name: 'InterPodAffinity', prepare };

function prepare(pod: PodInfo, view: SchedulerView): Prepared {
  const { affinity, antiAffinity } = pod.spec;
  const existing = existingAntiAffinity(pod, view);
  if (affinity.length === 0 && antiAffinity.length === 0 && existing.size === 0) return undefined;
  const wanted = domainsOf(affinity, affinity.length === 1 ? undefined : countsOfAll(affinity, pod, view), pod, view);
  const unwanted = domainsOf(antiAffinity, undefined, pod, view);
  const first =
    affinity.length > 0 && wanted.every(({ domains }) => domains.size === 0) && affinity.every((term) => means(term, pod, pod, view));
  return {
    filter: (node) => {
      if (!wanted.every(({ topologyKey, domains }) => isIn(node, topologyKey, domains, first))) return NO_COMPANY;
      if (unwanted.some(({ topologyKey, domains }) => domains.has(node.labels[topologyKey] ?? MISSING))) return COMPANY;
      for (const [topologyKey, domains] of existing) if (domains.has(node.labels[topologyKey] ?? MISSING)) return UNWELCOME;
      return undefined;
    },
  };
}

/** A pod that would be the first of its kind goes wherever the topology key is. */
function isIn({ labels }: NodeInfo, topologyKey: string, domains: ReadonlySet<string>, first: boolean): boolean {
  const domain = labels[topologyKey];
  return domain !== undefined && (first || domains.has(domain));
}

interface TermDomains {
  readonly topologyKey: string;
  readonly domains: ReadonlySet<string>;
}

/** For each term the domains that have pods it means. */
function domainsOf(terms: readonly PodTerm[], together: NodeCounts | undefined, pod: PodInfo, view: SchedulerView): readonly TermDomains[] {
  return terms.map((term) => {
    const counts = together ?? countsOf(term, pod, view);
    return { topologyKey: term.topologyKey, domains: domainsWith(counts.keys(), term.topologyKey, view) };
  });
}

export function countsOf(term: PodTerm, pod: PodInfo, view: SchedulerView): NodeCounts {
  return view.cache.counts({
    namespaces: namespacesOf(term, pod, () => view.all('Namespace')),
    selector: selectorFor(term, pod),
    terminating: true,
  });
}

/** Pods count for affinity when all its terms mean them. */
function countsOfAll(terms: readonly PodTerm[], pod: PodInfo, view: SchedulerView): NodeCounts {
  const counts = new Map<string, number>();
  if (terms.length === 0) return counts;
  for (const placed of view.cache.pods()) {
    if (terms.every((term) => means(term, pod, placed.pod, view))) counts.set(placed.node, (counts.get(placed.node) ?? 0) + 1);
  }
  return counts;
}

/** Whether a term of one pod means another. */
export function means(term: PodTerm, owner: PodInfo, other: PodInfo, view: SchedulerView): boolean {
  const namespaces = namespacesOf(term, owner, () => view.all('Namespace'));
  return (namespaces === undefined || namespaces.includes(other.namespace)) && labelSelectorMatcher(selectorFor(term, owner))(other.labels);
}

/** Domains, by topology key, whose pods will not have this one near them. */
function existingAntiAffinity(pod: PodInfo, view: SchedulerView): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { topologyKey, nodes } of view.cache.terms.meaning('required-anti', pod, (namespace) => namespaceLabels(namespace, view))) {
    const domains = found.get(topologyKey) ?? new Set();
    for (const domain of domainsWith(nodes.keys(), topologyKey, view)) domains.add(domain);
    if (domains.size > 0) found.set(topologyKey, domains);
  }
  return found;
}

function domainsWith(nodes: Iterable<string>, topologyKey: string, view: SchedulerView): ReadonlySet<string> {
  const domains = new Set<string>();
  for (const name of nodes) {
    const domain = view.cache.node(name)?.labels[topologyKey];
    if (domain !== undefined) domains.add(domain);
  }
  return domains;
}

export function namespaceLabels(namespace: string, view: SchedulerView): Readonly<Record<string, string>> | undefined {
  const found = view.find('Namespace', undefined, namespace);
  return found === undefined ? undefined : labelsOf(found);
}

/** No label value: a node without the key is in no domain. */
const MISSING = '\u0000';
const NO_COMPANY: Rejection = { plugin: 'InterPodAffinity', resolvable: false, reasons: [WORDS.podAffinity] };
const COMPANY: Rejection = { plugin: 'InterPodAffinity', resolvable: true, reasons: [WORDS.podAntiAffinity] };
const UNWELCOME: Rejection = { plugin: 'InterPodAffinity', resolvable: true, reasons: [WORDS.existingAntiAffinity] };
