import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf, labelsOf } from '../../../model/kube-object.ts';
import { labelSelectorMatcher } from '../../apiserver/selectors.ts';
import { isDeleted } from '../ownership.ts';

/**
 * Which volume a claim may have. Source: pkg/controller/volume/persistentvolume/index.go, component-helpers/storage/volume/pv_helpers.go.
 */
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
export const STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
export const BETA_STORAGE_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';

export function classOf(object: KubeObject): string {
  return annotationsOf(object)['volume.beta.kubernetes.io/storage-class'] ?? asText(dig(object, 'spec', 'storageClassName')) ?? '';
}

/** The smallest volume that will do; one that is reserved for the claim before all others. */
export function findVolume(claim: KubeObject, volumes: Iterable<KubeObject>, reservedOnly: boolean): KubeObject | undefined {
  let best: KubeObject | undefined;
  for (const volume of volumes) {
    if (isReservedFor(volume, claim)) {
      if (mismatch(volume, claim) === undefined) return volume;
      continue;
    }
    if (reservedOnly || dig(volume, 'spec', 'claimRef') !== undefined || dig(volume, 'status', 'phase') !== 'Available') continue;
    if (mismatch(volume, claim) !== undefined || !labelsFit(volume, claim)) continue;
    if (
      best === undefined ||
      sizeOf(volume) < sizeOf(best) ||
      (sizeOf(volume) === sizeOf(best) && volume.metadata.name < best.metadata.name)
    )
      best = volume;
  }
  return best;
}

/** Why a volume cannot be the claim's, in the controller's words; undefined when it can. */
export function mismatch(volume: KubeObject, claim: KubeObject): string | undefined {
  if (isDeleted(volume)) return `the volume is marked for deletion "${volume.metadata.name}"`;
  if (sizeOf(volume) < (parseQuantity(dig(claim, 'spec', 'resources', 'requests', 'storage')) ?? 0n)) return 'requested PV is too small';
  if (classOf(volume) !== classOf(claim)) return 'storageClassName does not match';
  if ((asText(dig(volume, 'spec', 'volumeMode')) ?? 'Filesystem') !== (asText(dig(claim, 'spec', 'volumeMode')) ?? 'Filesystem'))
    return 'incompatible volumeMode';
  const offered = asList(dig(volume, 'spec', 'accessModes'));
  if (!asList(dig(claim, 'spec', 'accessModes')).every((mode) => offered.includes(mode))) return 'incompatible accessMode';
  return undefined;
}

/** Whether a volume's claimRef means this very claim. */
export function isReservedFor(volume: KubeObject, claim: KubeObject): boolean {
  const reference: Json | undefined = dig(volume, 'spec', 'claimRef');
  if (reference === undefined || dig(reference, 'name') !== claim.metadata.name || dig(reference, 'namespace') !== claim.metadata.namespace)
    return false;
  const uid = asText(dig(reference, 'uid')) ?? '';
  return uid === '' || uid === claim.metadata.uid;
}

function labelsFit(volume: KubeObject, claim: KubeObject): boolean {
  const selector = dig(claim, 'spec', 'selector');
  return selector === undefined || labelSelectorMatcher(selector)(labelsOf(volume));
}

function sizeOf(volume: KubeObject): bigint {
  return parseQuantity(dig(volume, 'spec', 'capacity', 'storage')) ?? 0n;
}
