import type { Target } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef } from '../../model/kube-object.ts';
import { commandWord, namespaceFlag } from '../../model/placeholders.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { ServiceEndpoints } from './endpoints.ts';

/** A table does not show the selector of a Service: what stands behind it is known by its endpoints alone. `front`: how its front is. */
export function unselectedState(
  ref: ObjectRef,
  front: Pick<Target, 'state' | 'reason'>,
  asked: boolean,
  endpoints: ServiceEndpoints | undefined,
  sink: FactSink,
): Pick<Target, 'state' | 'reason'> {
  if (front.state !== 'healthy') return front;
  // Beside the pods of a namespace its Services are shown in passing.
  if (endpoints === undefined && asked) return { state: 'unknown', reason: 'its endpoints were not seen' };
  if (endpoints?.ready !== 0) return { state: 'healthy' };
  const needs = `kubectl${namespaceFlag(ref.namespace)} get services ${commandWord(ref.name)} -o yaml`;
  sink.gap('service', ref, { detail: `the selector of ${formatRef(ref)} was not seen`, needs });
  return { state: 'unknown', reason: 'no ready endpoint' };
}
