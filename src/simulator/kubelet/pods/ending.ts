import type { JsonObject } from '../../../base/json.ts';
import { asNumber, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';

/** What ends a pod from outside: an eviction, or that it is gone from the API. */
export interface Ending {
  readonly graceSeconds: number | undefined;
  readonly failure?: { readonly reason: string; readonly message: string };
  readonly disruption?: JsonObject;
}

/** How long the containers of a pod may take to end. */
export function graceSecondsOf(pod: KubeObject, ending: Ending | undefined): number {
  return (
    ending?.graceSeconds ??
    asNumber(pod.metadata['deletionGracePeriodSeconds']) ??
    asNumber(dig(pod, 'spec', 'terminationGracePeriodSeconds')) ??
    30
  );
}
