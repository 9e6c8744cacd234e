import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import { asList, dig } from '../../base/json.ts';
import type { Target } from '../../model/diagnosis.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { shows } from '../../model/kube-object.ts';

/** Clouds need so long for a load balancer. */
const NORMAL_SECONDS = 120;

/**
 * Seconds for which a Service of type LoadBalancer has waited for an address; undefined where it has one, needs none, or does not show it.
 * Source: staging/src/k8s.io/cloud-provider/controllers/service/controller.go.
 */
export function pendingSeconds(service: KubeObject, now: Instant): number | undefined {
  const created = parseInstant(service.metadata['creationTimestamp']);
  const isPending =
    dig(service, 'spec', 'type') === 'LoadBalancer' &&
    shows(service, 'status.loadBalancer.ingress') &&
    asList(dig(service, 'status', 'loadBalancer', 'ingress')).length === 0;
  return isPending && created !== undefined ? Math.max(0, Math.round((now - created) / 1000)) : undefined;
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
