import { asText, dig } from '../../../base/json.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import { forbidden } from '../failures.ts';
import type { AdmissionPlugin } from './admission.ts';

/** Claims grow only where their class allows it. Source: plugin/pkg/admission/storage/persistentvolume/resize/admission.go. */
export const PERSISTENT_VOLUME_CLAIM_RESIZE: AdmissionPlugin = {
  name: 'PersistentVolumeClaimResize',
  kinds: new Set(['persistentvolumeclaims']),
  validate(request, { store }) {
    if (request.operation !== 'UPDATE' || request.subresource !== undefined || request.old === undefined) return undefined;
    const [wanted, had] = [request.object, request.old].map(
      (claim) => parseQuantity(dig(claim, 'spec', 'resources', 'requests', 'storage')) ?? 0n,
    );
    if (wanted === undefined || had === undefined || wanted <= had) return undefined;
    const of = { group: '', resource: 'persistentvolumeclaims' };
    if (dig(request.old, 'status', 'phase') !== 'Bound')
      return forbidden(of, request.name, 'Only bound persistent volume claims can be expanded');
    const name = asText(dig(request.object, 'spec', 'storageClassName')) ?? '';
    const storageClass = name === '' ? undefined : store.get('storageclasses.storage.k8s.io', undefined, name);
    if (storageClass?.['allowVolumeExpansion'] === true) return undefined;
    return forbidden(
      of,
      request.name,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  },
};
