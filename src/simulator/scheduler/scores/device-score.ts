import { asList, asText, dig } from '../../../base/json.ts';
import { largest } from '../../../base/lists.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { isAllocated } from '../../devices/device-claims.ts';
import { allocate } from '../devices/allocator.ts';
import { requestsOf } from '../devices/requests.ts';
import { deviceSurroundings, usableClaims } from '../filters/dynamic-resources.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { SchedulerView, ScorePlugin } from '../view.ts';
import { HIGHEST_SCORE } from '../view.ts';

/** Nodes on which an earlier alternative of a request can be had are better. Source: dynamicresources.go (Score, computeScore). */
export const DEVICE_SCORE: ScorePlugin = { name: 'DynamicResources', weight: 2, score };

function score(pod: PodInfo, nodes: readonly NodeInfo[], view: SchedulerView): readonly number[] | undefined {
  if (!pod.spec.claimsDevices) return undefined;
  const claims = usableClaims(pod, view);
  if (typeof claims === 'string') return undefined;
  const open = claims.filter((claim) => !isAllocated(claim));
  if (!open.some((claim) => requestsOf(claim).some(({ alternatives }) => alternatives.length > 1))) return undefined;
  const around = deviceSurroundings(view);
  const points = nodes.map((node) => {
    const allocation = allocate(open, node, around);
    if (!('results' in allocation)) return 0;
    let sum = 0;
    for (const [index, result] of allocation.results.entries())
      sum += pointsOf(
        open[index],
        asList(dig(result, 'devices', 'results')).map((one) => asText(dig(one, 'request')) ?? ''),
      );
    return sum;
  });
  const most = largest(points);
  return most === 0 ? undefined : points.map((one) => Math.floor((one * HIGHEST_SCORE) / most));
}

/** Source: staging/src/k8s.io/api/resource/v1/types.go (FirstAvailableDeviceRequestMaxSize). */
const MOST_ALTERNATIVES = 8;

function pointsOf(claim: KubeObject | undefined, allocated: readonly string[]): number {
  let sum = 0;
  if (claim === undefined) return sum;
  for (const { name: request, alternatives } of requestsOf(claim)) {
    for (const [index, { name }] of alternatives.entries())
      if (name !== request && allocated.includes(name)) sum += MOST_ALTERNATIVES - index;
  }
  return sum;
}
