import { asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { conditionOf } from '../objects/pods.ts';
import type { SeenEvent } from './events.ts';

/**
 * Why the kubelet evicted a pod that is over; undefined for any other. One whose programs heed SIGTERM and end well has Succeeded,
 * without a reason: its condition tells when the node was short of something, and only an event when the pod was over its own limit.
 * Source: pkg/kubelet/eviction/eviction_manager.go (evictPod), pkg/kubelet/kubelet_pods.go (generateAPIPodStatus).
 */
export function evictionOf(pod: KubeObject, events: readonly SeenEvent[] = []): { readonly message: string } | undefined {
  const phase = asText(dig(pod, 'status', 'phase'));
  if (phase === 'Failed' && dig(pod, 'status', 'reason') === 'Evicted')
    return { message: asText(dig(pod, 'status', 'message')) ?? events.findLast(({ reason }) => reason === 'Evicted')?.message ?? '' };
  if (phase !== 'Succeeded' || dig(pod, 'spec', 'restartPolicy') === 'Never') return undefined;
  const condition = conditionOf(pod, 'DisruptionTarget');
  const message =
    dig(condition, 'status') === 'True' && dig(condition, 'reason') === 'TerminationByKubelet'
      ? (asText(dig(condition, 'message')) ?? '')
      : events.findLast(({ reason, type }) => reason === 'Evicted' && type === 'Warning')?.message;
  return message === undefined ? undefined : { message };
}
