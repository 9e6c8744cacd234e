import { asList, dig } from '../../base/json.ts';
import type { Target } from '../../model/diagnosis.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, shows } from '../../model/kube-object.ts';
import { commandWord, namespaceFlag } from '../../model/placeholders.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { ServiceEndpoints } from './endpoints.ts';

/** A table does not show the selector of a Service: what stands behind it is known by its endpoints alone. */
export function unselectedTarget(
  service: KubeObject,
  { ref, members }: Pick<Target, 'ref' | 'members'>,
  asked: boolean,
  endpoints: ServiceEndpoints | undefined,
  sink: FactSink,
): void {
  if (isPending(service)) return sink.target({ ref, state: 'unknown', reason: 'no external address', members });
  // Beside the pods of a namespace its Services are shown in passing.
  if (endpoints === undefined && asked) return sink.target({ ref, state: 'unknown', reason: 'its endpoints were not seen', members });
  if (endpoints?.ready !== 0) return sink.target({ ref, state: 'healthy', members });
  const needs = `kubectl${namespaceFlag(ref.namespace)} get services ${commandWord(ref.name)} -o yaml`;
  sink.gap('service', ref, { detail: `the selector of ${formatRef(ref)} was not seen`, needs });
  sink.target({ ref, state: 'unknown', reason: 'no ready endpoint', members });
}

/** A load balancer that nobody has set up yet. */
function isPending(service: KubeObject): boolean {
  return (
    dig(service, 'spec', 'type') === 'LoadBalancer' &&
    shows(service, 'status.loadBalancer.ingress') &&
    asList(dig(service, 'status', 'loadBalancer', 'ingress')).length === 0
  );
}
