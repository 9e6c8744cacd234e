import { formatDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { containersOf } from '../containers/containers.ts';

/** What a controller takes at most to remove its finalizer. */
const FINALIZER_SECONDS = 60;

/**
 * For how long a pod that was told to end may take for it. deletionTimestamp is when its grace period is over. Source:
 * staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go (BeforeDelete).
 */
export function endingPatience(pod: KubeObject, now: Instant): { readonly reason: string; readonly seconds: number } | undefined {
  const until = parseInstant(pod.metadata['deletionTimestamp']);
  if (until === undefined) return undefined;
  const left = Math.ceil((until - now) / 1000);
  const runs = containersOf(pod).some(({ status }) => dig(status, 'state', 'running') !== undefined);
  if (runs) return left > 0 ? { reason: `Terminating, with ${formatDuration(left)} of its grace period left`, seconds: left } : undefined;
  const finalizer = asText(asList(pod.metadata['finalizers'])[0]);
  const rest = left + FINALIZER_SECONDS;
  return finalizer === undefined || rest <= 0 ? undefined : { reason: `Terminating, with only finalizer ${finalizer} left`, seconds: rest };
}
