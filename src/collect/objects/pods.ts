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

/** Status of a condition of any object; undefined when it does not have it, or the source does not show it. */
export function conditionStatus(object: KubeObject, type: string): string | undefined {
  const condition = asList(dig(object, 'status', 'conditions')).find((candidate) => dig(candidate, 'type') === type);
  return asText(dig(condition, 'status'));
}

/** Seconds since creation. */
export function ageSeconds(object: KubeObject, now: Instant): number | undefined {
  const created = parseInstant(dig(object, 'metadata', 'creationTimestamp'));
  return created === undefined ? undefined : Math.max(0, Math.round((now - created) / 1000));
}
