import type { Target } from '../../model/diagnosis.ts';
import { formatRef } from '../../model/kube-object.ts';
import { commandWord, namespaceFlag } from '../../model/placeholders.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { ServiceEndpoints } from './endpoints.ts';

/** A table does not show the selector of a Service: what stands behind it is known by its endpoints alone. `state` is that of its front. */
export function unselectedTarget(
  { ref, members, state, reason }: Target,
  asked: boolean,
  endpoints: ServiceEndpoints | undefined,
  sink: FactSink,
): void {
  if (state !== 'healthy') return sink.target({ ref, state, ...(reason === undefined ? {} : { reason }), members });
  // Beside the pods of a namespace its Services are shown in passing.
  if (endpoints === undefined && asked) return sink.target({ ref, state: 'unknown', reason: 'its endpoints were not seen', members });
  if (endpoints?.ready !== 0) return sink.target({ ref, state: 'healthy', members });
  const needs = `kubectl${namespaceFlag(ref.namespace)} get services ${commandWord(ref.name)} -o yaml`;
  sink.gap('service', ref, { detail: `the selector of ${formatRef(ref)} was not seen`, needs });
  sink.target({ ref, state: 'unknown', reason: 'no ready endpoint', members });
}
