import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { ScorePlugin, SchedulerView } from '../view.ts';
import { AFFINITY_SCORE } from './affinity-score.ts';
import { BALANCE_SCORE, FIT_SCORE, IMAGE_SCORE, NODE_AFFINITY_SCORE, TAINT_SCORE } from './node-scores.ts';
import { SPREAD_SCORE } from './spread-score.ts';

/** Source: pkg/scheduler/apis/config/v1/default_plugins.go. */
const SCORES: readonly ScorePlugin[] = [TAINT_SCORE, NODE_AFFINITY_SCORE, FIT_SCORE, SPREAD_SCORE, AFFINITY_SCORE, BALANCE_SCORE, IMAGE_SCORE];

/** The weighted sum of all plugins' points for each node. */
export function totalScores(pod: PodInfo, nodes: readonly NodeInfo[], view: SchedulerView): readonly number[] {
  const totals = nodes.map(() => 0);
  for (const { weight, score } of SCORES) {
    const points = score(pod, nodes, view);
    if (points !== undefined) for (let index = 0; index < totals.length; index++) totals[index] = (totals[index] ?? 0) + weight * (points[index] ?? 0);
  }
  return totals;
}
