import { asList, dig } from '../../base/json.ts';
import type { Target } from '../../model/diagnosis.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { refOf, shows } from '../../model/kube-object.ts';
import { readEvent } from '../events/events.ts';
import { toldSeconds } from '../events/told-seconds.ts';
import { ageSeconds } from '../objects/pods.ts';
import type { Survey } from '../survey/survey.ts';

/** Clouds need so long for a load balancer. */
const NORMAL_SECONDS = 120;

/**
 * Seconds for which a Service of type LoadBalancer has waited for an address; undefined where it has one, needs none, or does not show it.
 * Source: staging/src/k8s.io/cloud-provider/controllers/service/controller.go.
 */
export async function pendingSeconds(service: KubeObject, survey: Survey): Promise<number | undefined> {
  const isPending =
    dig(service, 'spec', 'type') === 'LoadBalancer' &&
    shows(service, 'status.loadBalancer.ingress') &&
    asList(dig(service, 'status', 'loadBalancer', 'ingress')).length === 0;
  if (!isPending) return undefined;
  const known = ageSeconds(service, survey.now());
  if (known !== undefined) return known;
  const events = await survey.eventsAbout(refOf(service));
  return events.ok ? toldSeconds(events.value.map(readEvent), survey.now()) : undefined;
}

/**
 * How a Service is that has something behind it: a load balancer without an address keeps requests from outside away. `waits`: seconds for
 * which it has had none.
 */
export function frontState(waits: number | undefined): Pick<Target, 'state' | 'reason'> {
  return (waits ?? 0) < NORMAL_SECONDS ? { state: 'healthy' } : { state: 'unhealthy', reason: 'no external address' };
}

/** What the proof says of it, before what stands behind the Service. */
export function frontWords(waits: number | undefined): string {
  return waits === undefined ? '' : 'status.loadBalancer: no address; ';
}
