import type { JsonObject } from '../../base/json.ts';
import { dig } from '../../base/json.ts';
import { sameJson, withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { refOf } from '../../model/kube-object.ts';
import type { Failure } from '../apiserver/request.ts';
import type { ComponentHost } from '../components/component.ts';
import type { Routine } from '../time/routine.ts';

/** Where somebody has written a later generation than there is, only counts matter. Source: daemon_controller.go (storeDaemonSetStatus). */
function isAhead(set: KubeObject, status: JsonObject): boolean {
  if (set.kind !== 'DaemonSet') return false;
  const [known, seen] = [dig(set, 'status', 'observedGeneration'), status['observedGeneration']];
  if (typeof known !== 'number' || typeof seen !== 'number' || known <= seen) return false;
  return sameJson(set['status'], withFields(status, { observedGeneration: known }));
}

/**
 * Writes the status of a set of pods where it differs; a conflict is tried once more with what is there now. Source:
 * pkg/controller/replicaset/replica_set_utils.go (updateReplicaSetStatus), pkg/controller/daemon/daemon_controller.go
 * (storeDaemonSetStatus).
 */
export function* writeStatus(host: ComponentHost, set: KubeObject, status: JsonObject): Routine<Failure | undefined> {
  if (sameJson(set['status'], status) || isAhead(set, status)) return undefined;
  const answer = yield* host.client.updateStatus(withFields(set, { status }));
  if (answer.ok || answer.code === 404) return undefined;
  const fresh = yield* host.client.get(refOf(set));
  if (!fresh.ok) return fresh.code === 404 ? undefined : fresh;
  const again = yield* host.client.updateStatus(withFields(fresh.object, { status }));
  return again.ok ? undefined : again;
}
