import { parseInstant } from '../../base/instant.ts';
import { asList, asObject, dig } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { leaseBeat } from '../components/heartbeats.ts';
import { microTimeOf, timeOf } from '../time/api-times.ts';
import { mapObjects } from './defaulting/pod-spec.ts';
import { fromStored } from './convert.ts';
import type { ServedResource } from './resources.ts';
import type { ServerState } from './server-state.ts';
import { asServed } from './verbs/conversion.ts';

/**
 * An object as it is answered: in the version asked for, and with the times of heartbeats, which are known and not written
 * (components/heartbeats.ts). A kubelet reports an unchanged status every five minutes.
 */
export function present(state: ServerState, resource: ServedResource, stored: KubeObject): KubeObject {
  if (resource.key === LEASES) return presentLease(state, stored);
  if (resource.key === 'nodes') return presentNode(state, stored);
  return fromStored(resource, asServed(state, resource, stored));
}

const LEASES = 'leases.coordination.k8s.io';
const REPORT_MILLISECONDS = 300_000;

function presentLease(state: ServerState, lease: KubeObject): KubeObject {
  const last = state.heartbeats.last(leaseBeat(lease.metadata.namespace ?? '', lease.metadata.name));
  if (last === undefined) return lease;
  return withFields(lease, { spec: withFields(asObject(lease['spec']), { renewTime: microTimeOf(last) }) });
}

function presentNode(state: ServerState, node: KubeObject): KubeObject {
  const last = state.heartbeats.last(leaseBeat('kube-node-lease', node.metadata.name));
  const conditions = asList(dig(node, 'status', 'conditions'));
  if (last === undefined || conditions.length === 0) return node;
  const beats = mapObjects(conditions, (condition) => {
    const written = parseInstant(condition['lastHeartbeatTime']);
    if (written === undefined || last - written < REPORT_MILLISECONDS) return condition;
    return withFields(condition, {
      lastHeartbeatTime: timeOf(written + Math.floor((last - written) / REPORT_MILLISECONDS) * REPORT_MILLISECONDS),
    });
  });
  return withFields(node, { status: withFields(asObject(node['status']), { conditions: beats }) });
}
