import { asList, asObject, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { AdmissionPlugin } from './admission.ts';

/** A new node is tainted until it is known to be ready. Source: plugin/pkg/admission/nodetaint/admission.go. */
export const TAINT_NODES_BY_CONDITION: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  kinds: new Set(['nodes']),
  admit(request) {
    if (request.operation !== 'CREATE' || request.subresource !== undefined) return undefined;
    const spec = asObject(request.object['spec']);
    const taints = asList(spec['taints']);
    const known = taints.some((taint) => dig(taint, 'key') === NOT_READY && dig(taint, 'effect') === 'NoSchedule');
    if (!known)
      request.object = withFields(request.object, {
        spec: withFields(spec, { taints: [...taints, { key: NOT_READY, effect: 'NoSchedule' }] }),
      });
    return undefined;
  },
};

const NOT_READY = 'node.kubernetes.io/not-ready';
