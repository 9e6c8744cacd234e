import { parseInteger } from '../../../base/number.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import type { Instant } from '../../../base/instant.ts';
import { createdAt, isReady, nodeNameOf, phaseOf, readySince, restartsOf } from '../pod-state.ts';

/**
 * The pods to delete when there are too many: those that matter least first.
 * Source: pkg/controller/controller_utils.go (ActivePodsWithRanks).
 */
export function chooseVictims(pods: readonly KubeObject[], count: number, now: Instant): readonly KubeObject[] {
  if (count >= pods.length) return pods;
  const perNode = new Map<string, number>();
  for (const pod of pods) perNode.set(nodeNameOf(pod), (perNode.get(nodeNameOf(pod)) ?? 0) + 1);
  const ranked = pods.map((pod) => ({ pod, rank: perNode.get(nodeNameOf(pod)) ?? 0 }));
  ranked.sort((a, b) => compare(a, b, now));
  return ranked.slice(0, count).map(({ pod }) => pod);
}

interface Ranked {
  readonly pod: KubeObject;
  readonly rank: number;
}

function compare(a: Ranked, b: Ranked, now: Instant): number {
  const order = [
    (nodeNameOf(a.pod) === '' ? 0 : 1) - (nodeNameOf(b.pod) === '' ? 0 : 1),
    phaseRank(a.pod) - phaseRank(b.pod),
    (isReady(a.pod) ? 1 : 0) - (isReady(b.pod) ? 1 : 0),
    deletionCost(a.pod) - deletionCost(b.pod),
    b.rank - a.rank,
    isReady(a.pod) ? ageBucket(readySince(a.pod) ?? now, now) - ageBucket(readySince(b.pod) ?? now, now) : 0,
    restartsOf(b.pod) - restartsOf(a.pod),
    ageBucket(createdAt(a.pod), now) - ageBucket(createdAt(b.pod), now),
  ].find((difference) => difference !== 0);
  if (order !== undefined) return order;
  return (a.pod.metadata.uid ?? '') < (b.pod.metadata.uid ?? '') ? -1 : 1;
}

function phaseRank(pod: KubeObject): number {
  const phase = phaseOf(pod);
  return phase === 'Pending' ? 0 : phase === 'Unknown' ? 1 : 2;
}

function deletionCost(pod: KubeObject): number {
  return parseInteger(annotationsOf(pod)['controller.kubernetes.io/pod-deletion-cost']) ?? 0;
}

/** Ages that are of the same order count as the same. */
function ageBucket(since: Instant, now: Instant): number {
  const seconds = (now - since) / 1000;
  return seconds <= 1 ? 0 : Math.floor(Math.log2(seconds));
}
