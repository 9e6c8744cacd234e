import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { ClassScorePlugin, ScorePlugin, SchedulerView } from '../view.ts';
import { AFFINITY_SCORE } from './affinity-score.ts';
import { BALANCE_SCORE, FIT_SCORE, IMAGE_SCORE, NODE_AFFINITY_SCORE, TAINT_SCORE } from './node-scores.ts';
import { DEVICE_SCORE } from './device-score.ts';
import { SPREAD_SCORE } from './spread-score.ts';

/** Source: pkg/scheduler/apis/config/v1/default_plugins.go. */
const SCORES: readonly ScorePlugin[] = [TAINT_SCORE, NODE_AFFINITY_SCORE, SPREAD_SCORE, AFFINITY_SCORE, DEVICE_SCORE, IMAGE_SCORE];
const CLASS_SCORES: readonly ClassScorePlugin[] = [FIT_SCORE, BALANCE_SCORE];

/** The weighted sum of all plugins' points for each node, but for points that all nodes get. */
export function totalScores(pod: PodInfo, nodes: readonly NodeInfo[], view: SchedulerView): Float64Array {
  const own = view.cache.numbers('points', pod, () => (node) => classPoints(pod, node));
  const totals = new Float64Array(nodes.length);
  for (let index = 0; index < totals.length; index++) totals[index] = own.of(nodes[index] as NodeInfo);
  for (const { weight, score } of SCORES) {
    const points = score(pod, nodes, view);
    if (points !== undefined)
      for (let index = 0; index < totals.length; index++) totals[index] = (totals[index] ?? 0) + weight * (points[index] ?? 0);
  }
  return totals;
}

function classPoints(pod: PodInfo, node: NodeInfo): number {
  let sum = 0;
  for (const { weight, points } of CLASS_SCORES) sum += weight * points(pod, node);
  return sum;
}
