import { remembered } from '../../base/memoized.ts';
import { asList, asNumber, asText, dig } from '../../base/json.ts';
import { parseInstant } from '../../base/instant.ts';
import type { Instant } from '../../base/instant.ts';
import { largest } from '../../base/lists.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { conditionOf } from './conditions.ts';
import { isDeleted } from './ownership.ts';

/** What controllers ask of pods. Source: pkg/controller/controller_utils.go, pkg/api/v1/pod/util.go. */
export function phaseOf(pod: KubeObject): string {
  return asText(dig(pod, 'status', 'phase')) ?? '';
}

export function isFinished(pod: KubeObject): boolean {
  const phase = phaseOf(pod);
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Neither finished nor being deleted. */
export function isActive(pod: KubeObject): boolean {
  return !isFinished(pod) && !isDeleted(pod);
}

/** Being deleted, but not finished yet. */
export function isTerminating(pod: KubeObject): boolean {
  return !isFinished(pod) && isDeleted(pod);
}

export function isReady(pod: KubeObject): boolean {
  return conditionOf(pod, 'Ready')?.['status'] === 'True';
}

/** Ready for at least so many seconds. */
export function isAvailable(pod: KubeObject, minReadySeconds: number, now: Instant): boolean {
  if (!isReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= now;
}

export function readySince(pod: KubeObject): Instant | undefined {
  const since = conditionOf(pod, 'Ready')?.['lastTransitionTime'];
  return typeof since === 'string' ? instantIn(since) : undefined;
}

/** Both controllers of endpoints ask it of each pod that has changed; many pods become ready within a second. */
const instantIn = remembered(parseInstant, { limit: 64, length: 40 });

export function nodeNameOf(pod: KubeObject): string {
  return asText(dig(pod, 'spec', 'nodeName')) ?? '';
}

export function createdAt(object: KubeObject): Instant {
  return parseInstant(object.metadata['creationTimestamp']) ?? 0;
}

export function restartsOf(pod: KubeObject): number {
  return largest([0, ...asList(dig(pod, 'status', 'containerStatuses')).map((status) => asNumber(dig(status, 'restartCount')) ?? 0)]);
}
