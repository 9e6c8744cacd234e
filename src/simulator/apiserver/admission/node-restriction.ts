import { asText, asTextMap, dig } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import { forbidden } from '../failures.ts';
import type { Failure } from '../request.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';

/** A kubelet touches its own node and its own pods only. Source: plugin/pkg/admission/noderestriction/admission.go. */
export const NODE_RESTRICTION: AdmissionPlugin = { name: 'NodeRestriction', kinds: new Set(['pods', 'nodes']), admit };

function admit(request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined {
  const { user } = request;
  if (!user.name.startsWith('system:node:') || !around.world.configuration.nodeRestriction) return undefined;
  const node = user.name.slice('system:node:'.length);
  const why = request.resource.key === 'nodes' ? restrictNode(request, node) : restrictPod(request, node);
  return why === undefined ? undefined : forbidden({ group: '', resource: request.resource.plural }, request.name, why);
}

function restrictNode(request: AdmissionRequest, node: string): string | undefined {
  if (request.name !== node) return `node "${node}" is not allowed to modify node "${request.name}"`;
  if (request.operation !== 'UPDATE' || request.old === undefined) return undefined;
  if (!sameJson(dig(request.object, 'spec', 'taints'), dig(request.old, 'spec', 'taints')) && request.subresource === undefined)
    return `node "${node}" is not allowed to modify taints`;
  const [labels, before] = [asTextMap(dig(request.object, 'metadata', 'labels')), asTextMap(dig(request.old, 'metadata', 'labels'))];
  const changed = [...new Set([...Object.keys(labels), ...Object.keys(before)])].filter((key) => labels[key] !== before[key]);
  const reserved = changed.filter((key) => key.split('/')[0]?.endsWith('node-restriction.kubernetes.io') === true).sort();
  return reserved.length === 0 ? undefined : `is not allowed to modify labels: ${reserved.join(', ')}`;
}

function restrictPod(request: AdmissionRequest, node: string): string | undefined {
  const target = request.operation === 'CREATE' ? request.object : (request.old ?? request.object);
  const own = asText(dig(target, 'spec', 'nodeName')) === node;
  if (request.operation === 'DELETE' && !own) return `node "${node}" can only delete pods with spec.nodeName set to itself`;
  if (request.operation === 'CREATE' && request.subresource === undefined) {
    if (annotationsOf(request.object)['kubernetes.io/config.mirror'] === undefined)
      return `pod does not have "kubernetes.io/config.mirror" annotation, node "${node}" can only create mirror pods`;
    if (!own) return `node "${node}" can only create pods with spec.nodeName set to itself`;
  }
  if (request.subresource === 'status' && !own)
    return `node "${node}" can only update pod status for pods with spec.nodeName set to itself`;
  return undefined;
}
