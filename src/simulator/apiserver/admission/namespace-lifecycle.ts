import { dig } from '../../../base/json.ts';
import { forbidden, notFound } from '../failures.ts';
import type { Failure } from '../request.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';

/**
 * Nothing new in a namespace that is not there or is going; three namespaces may never go.
 * Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go.
 */
export const NAMESPACE_LIFECYCLE: AdmissionPlugin = { name: 'NamespaceLifecycle', admit };

const IMMORTAL: readonly string[] = ['default', 'kube-system', 'kube-public'];
const REVIEWS: ReadonlySet<string> = new Set(['localsubjectaccessreviews.authorization.k8s.io']);

function admit(request: AdmissionRequest, { store }: AdmissionSurroundings): Failure | undefined {
  const { operation, resource, name, namespace } = request;
  const of = { group: resource.group, resource: resource.plural };
  if (operation === 'DELETE')
    return resource.key === 'namespaces' && IMMORTAL.includes(name) ? forbidden(of, name, 'this namespace may not be deleted') : undefined;
  if (operation !== 'CREATE' || namespace === undefined || resource.key === 'namespaces' || REVIEWS.has(resource.key)) return undefined;
  const found = store.get('namespaces', undefined, namespace);
  if (found === undefined) return notFound({ group: '', resource: 'namespaces' }, namespace);
  if (dig(found, 'status', 'phase') !== 'Terminating') return undefined;
  const causes = [{ reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' }];
  return forbidden(of, name, `unable to create new content in namespace ${namespace} because it is being terminated`, causes);
}
