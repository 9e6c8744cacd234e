import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { shows } from '../../model/kube-object.ts';

/** Condition Ready; undefined when the source does not show it. */
export function isReady(pod: KubeObject): boolean | undefined {
  const ready = conditionStatus(pod, 'Ready');
  if (ready !== undefined) return ready === 'True';
  return shows(pod, 'status.conditions.status') || hasUnready(pod) ? false : undefined;
}

/** A container that is not ready keeps its pod from it: all that is known of a pod whose conditions were cut off. */
function hasUnready(pod: KubeObject): boolean {
  return asList(dig(pod, 'status', 'containerStatuses')).some((status) => dig(status, 'ready') === false);
}

/** A condition of any object; undefined when it does not have it, or the source does not show it. */
export function conditionOf(object: KubeObject, type: string): Json | undefined {
  return asList(dig(object, 'status', 'conditions')).find((candidate) => dig(candidate, 'type') === type);
}

export function conditionStatus(object: KubeObject, type: string): string | undefined {
  return asText(dig(conditionOf(object, type), 'status'));
}

/** When the condition became what it is. */
export function lastTransition(object: KubeObject, type: string): Instant | undefined {
  return parseInstant(dig(conditionOf(object, type), 'lastTransitionTime'));
}

/** Seconds since creation. */
export function ageSeconds(object: KubeObject, now: Instant): number | undefined {
  const created = parseInstant(dig(object, 'metadata', 'creationTimestamp'));
  return created === undefined ? undefined : Math.max(0, Math.round((now - created) / 1000));
}
