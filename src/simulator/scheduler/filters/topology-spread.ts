import { labelSelectorMatcher } from '../../apiserver/selectors.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo, SpreadConstraint } from '../pod-info.ts';
import { selectorFor } from '../pod-terms.ts';
import type { FilterPlugin, Prepared, Rejection, SchedulerView } from '../view.ts';
import { WORDS } from '../scheduler-messages.ts';
import { hasUntoleratedTaint } from './node.ts';

/** Source: pkg/scheduler/framework/plugins/podtopologyspread/filtering.go. */
export const TOPOLOGY_SPREAD: FilterPlugin = { name: 'PodTopologySpread', prepare };

function prepare(pod: PodInfo, view: SchedulerView): Prepared {
  const hard = pod.spec.spread.filter((constraint) => constraint.hard);
  if (hard.length === 0) return undefined;
  const keys = hard.map(({ topologyKey }) => topologyKey);
  const nodes = view.cache.list().filter(({ labels }) => keys.every((key) => labels[key] !== undefined));
  const constraints = hard.map((constraint) => tally(constraint, pod, nodes, view));
  return {
    filter: ({ labels }) => {
      for (const { topologyKey, maxSkew, domains, least, self } of constraints) {
        const domain = labels[topologyKey];
        if (domain === undefined) return MISSING_LABEL;
        if ((domains.get(domain) ?? 0) + self - least > maxSkew) return SKEWED;
      }
      return undefined;
    },
  };
}

interface Tally {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly domains: ReadonlyMap<string, number>;
  readonly least: number;
  /** 1 when the pod itself counts. */
  readonly self: 0 | 1;
}

function tally(constraint: SpreadConstraint, pod: PodInfo, nodes: readonly NodeInfo[], view: SchedulerView): Tally {
  const { topologyKey, maxSkew, minDomains } = constraint;
  const selector = selectorFor(constraint, pod);
  const counts = view.cache.counts({ namespaces: [pod.namespace], selector, terminating: false });
  const domains = new Map<string, number>();
  for (const node of nodes) {
    const domain = node.labels[topologyKey];
    if (domain === undefined || !isEligible(node, constraint, pod)) continue;
    domains.set(domain, (domains.get(domain) ?? 0) + (counts.get(node.name) ?? 0));
  }
  let least = domains.size < minDomains ? 0 : Number.MAX_SAFE_INTEGER;
  for (const count of domains.values()) least = Math.min(least, count);
  return { topologyKey, maxSkew, domains, least, self: labelSelectorMatcher(selector)(pod.labels) ? 1 : 0 };
}

/** Whether a node's pods count for a constraint. */
export function isEligible(node: NodeInfo, { honorAffinity, honorTaints }: SpreadConstraint, { spec }: PodInfo): boolean {
  if (honorAffinity && spec.nodeMatcher !== undefined && !spec.nodeMatcher(node.labels, node.name)) return false;
  return !honorTaints || !hasUntoleratedTaint(node, spec.tolerations);
}

const MISSING_LABEL: Rejection = { plugin: 'PodTopologySpread', resolvable: false, reasons: [WORDS.spreadLabel] };
const SKEWED: Rejection = { plugin: 'PodTopologySpread', resolvable: true, reasons: [WORDS.spread] };
