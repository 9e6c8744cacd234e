import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { conditionOf } from './pods.ts';

/** Names of the scheduling gates that are left. */
export function gatesOf(pod: KubeObject): readonly string[] {
  return asList(dig(pod, 'spec', 'schedulingGates')).map((gate) => asText(dig(gate, 'name')) ?? '?');
}

/**
 * Whether scheduling gates keep the scheduler from looking at a pod. A table shows that by the reason of its condition alone.
 * Source: pkg/apis/core/types.go (PodReasonSchedulingGated).
 */
export function isGated(pod: KubeObject): boolean {
  const scheduled = conditionOf(pod, 'PodScheduled');
  return gatesOf(pod).length > 0 || (dig(scheduled, 'status') === 'False' && dig(scheduled, 'reason') === 'SchedulingGated');
}
