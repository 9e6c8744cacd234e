import { countsOf, namespaceLabels } from '../filters/inter-pod-affinity.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { ScorePlugin, SchedulerView } from '../view.ts';
import { HIGHEST_SCORE } from '../view.ts';

/** Source: pkg/scheduler/framework/plugins/interpodaffinity/scoring.go (hardPodAffinityWeight 1). */
export const AFFINITY_SCORE: ScorePlugin = { name: 'InterPodAffinity', weight: 2, score };

function score(pod: PodInfo, nodes: readonly NodeInfo[], view: SchedulerView): readonly number[] | undefined {
  const points = new Map<string, Map<string, number>>();
  for (const { weight, term } of pod.spec.preferredAffinity) addPoints(points, term.topologyKey, weight, countsOf(term, pod, view), view);
  const labels = (namespace: string): Readonly<Record<string, string>> | undefined => namespaceLabels(namespace, view);
  for (const kind of ['required', 'preferred'] as const) {
    for (const { topologyKey, weight, nodes: counts } of view.cache.terms.meaning(kind, pod, labels))
      addPoints(points, topologyKey, weight, counts, view);
  }
  if (points.size === 0) return undefined;
  const raw = nodes.map((node) => {
    let sum = 0;
    for (const [topologyKey, domains] of points) sum += domains.get(node.labels[topologyKey] ?? '') ?? 0;
    return sum;
  });
  let [least, most] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  for (const sum of raw) {
    least = Math.min(least, sum);
    most = Math.max(most, sum);
  }
  return raw.map((sum) => (most === least ? 0 : Math.floor((HIGHEST_SCORE * (sum - least)) / (most - least))));
}

function addPoints(
  points: Map<string, Map<string, number>>,
  topologyKey: string,
  weight: number,
  counts: ReadonlyMap<string, number>,
  view: SchedulerView,
): void {
  for (const [name, count] of counts) {
    const domain = view.cache.node(name)?.labels[topologyKey];
    if (domain === undefined) continue;
    const domains = points.get(topologyKey) ?? new Map<string, number>();
    domains.set(domain, (domains.get(domain) ?? 0) + weight * count);
    points.set(topologyKey, domains);
  }
}
