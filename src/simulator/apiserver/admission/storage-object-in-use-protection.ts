import { asList } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { AdmissionPlugin } from './admission.ts';

const FINALIZERS: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
  'volumeattributesclasses.storage.k8s.io': 'kubernetes.io/vac-protection',
};

/**
 * Volumes, claims and VolumeAttributesClasses are not deleted while they are used. Source: plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go.
 */
export const STORAGE_OBJECT_IN_USE_PROTECTION: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  kinds: new Set(Object.keys(FINALIZERS)),
  admit(request) {
    if (request.operation !== 'CREATE' || request.subresource !== undefined) return undefined;
    const finalizer = FINALIZERS[request.resource.key];
    const { metadata } = request.object;
    const finalizers = asList(metadata['finalizers']);
    if (finalizer !== undefined && !finalizers.includes(finalizer))
      request.object = withFields(request.object, { metadata: withFields(metadata, { finalizers: [...finalizers, finalizer] }) });
    return undefined;
  },
};
