import { asList } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { AdmissionPlugin } from './admission.ts';

/**
 * Volumes and claims are not deleted while they are used. Source: plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go.
 */
export const STORAGE_OBJECT_IN_USE_PROTECTION: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  kinds: new Set(['persistentvolumeclaims', 'persistentvolumes']),
  admit(request) {
    if (request.operation !== 'CREATE' || request.subresource !== undefined) return undefined;
    const finalizer = request.resource.key === 'persistentvolumes' ? 'kubernetes.io/pv-protection' : 'kubernetes.io/pvc-protection';
    const { metadata } = request.object;
    const finalizers = asList(metadata['finalizers']);
    if (!finalizers.includes(finalizer))
      request.object = withFields(request.object, { metadata: withFields(metadata, { finalizers: [...finalizers, finalizer] }) });
    return undefined;
  },
};
