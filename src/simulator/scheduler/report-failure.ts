import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { refOf } from '../../model/kube-object.ts';
import type { ComponentHost } from '../components/component.ts';
import type { Routine } from '../time/routine.ts';
import { timeOf } from '../time/api-times.ts';
import { eventNote } from './fit-message.ts';
import type { PodInfo } from './pod-info.ts';
import { nominatedNodeOf } from './pod-info.ts';
import { WORDS } from './scheduler-messages.ts';

/** Says in an event and in the pod's status that it found no node. Source: pkg/scheduler/schedule_one.go (handleSchedulingFailure). */
export function reportFailure(
  host: ComponentHost,
  pod: KubeObject,
  reason: 'Unschedulable' | 'SchedulerError',
  message: string,
  nominated: string,
): void {
  host.series.event(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note: eventNote(message) });
  const condition = scheduledCondition(host, pod, reason, message);
  const nominee = nominated === nominatedNodeOf(pod) ? {} : { nominatedNodeName: nominated === '' ? null : nominated };
  if (condition === undefined && Object.keys(nominee).length === 0) return;
  const status: JsonObject = { ...nominee, ...(condition === undefined ? {} : { conditions: [condition] }) };
  host.spawn(host.client.patch(refOf(pod), 'strategic', { status }, { subresource: 'status' }));
}

/** Takes pods off a node for one of higher priority. Source: pkg/scheduler/framework/preemption/executor.go (PreemptPod). */
export function* preempt(host: ComponentHost, preemptor: PodInfo, victims: readonly PodInfo[], node: string, scheduler: string): Routine {
  for (const { pod: victim } of victims) {
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      ...generationOf(victim),
      reason: 'PreemptionByScheduler',
      message: WORDS.preemptedCondition(scheduler),
      lastTransitionTime: timeOf(host.now()),
    };
    yield* host.client.patch(refOf(victim), 'strategic', { status: { conditions: [condition] } }, { subresource: 'status' });
    const answer = yield* host.client.delete(refOf(victim));
    if (!answer.ok) continue;
    host.series.event(victim, {
      type: 'Normal',
      reason: 'Preempted',
      action: 'Preempting',
      note: WORDS.preempted(preemptor.uid, node),
      related: preemptor.pod,
    });
  }
}

/** The condition to write, or undefined when the pod has it already. */
function scheduledCondition(host: ComponentHost, pod: KubeObject, reason: string, message: string): JsonObject | undefined {
  const known: Json | undefined = asList(dig(pod, 'status', 'conditions')).find((condition) => dig(condition, 'type') === 'PodScheduled');
  const same = dig(known, 'status') === 'False';
  if (same && dig(known, 'reason') === reason && dig(known, 'message') === message) return undefined;
  const since = same ? asText(dig(known, 'lastTransitionTime')) : undefined;
  return {
    type: 'PodScheduled',
    status: 'False',
    ...generationOf(pod),
    lastProbeTime: null,
    lastTransitionTime: since ?? timeOf(host.now()),
    reason,
    message,
  };
}

function generationOf(pod: KubeObject): JsonObject {
  const generation = asNumber(dig(pod, 'metadata', 'generation'));
  return generation === undefined ? {} : { observedGeneration: generation };
}
