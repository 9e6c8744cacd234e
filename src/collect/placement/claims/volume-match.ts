import { asText, dig } from '../../../base/json.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf, labelsOf } from '../../../model/kube-object.ts';
import { matchObjectLabels } from '../../../model/selectors.ts';
import type { ClaimSpec } from './claim-spec.ts';
import { longModes } from './claim-spec.ts';
import { formatRequirements } from '../fit/label-selectors.ts';
import { formatLabels } from '../fit/node-terms.ts';

/** Why a volume cannot be bound to a claim. */
export type VolumeObstacle = 'class' | 'capacity' | 'access-mode' | 'volume-mode' | 'selector' | 'reserved' | 'deleting';

export interface Candidate {
  readonly volume: KubeObject;
  readonly obstacles: readonly VolumeObstacle[];
}

/**
 * Compares a claim with every volume there is. Volumes that a provisioner made for another claim were never meant for it and are left out.
 * Source: staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go (FindMatchingVolume) and
 * pkg/controller/volume/persistentvolume/pv_controller.go.
 */
export function candidatesFor(claim: KubeObject, spec: ClaimSpec, volumes: readonly KubeObject[]): readonly Candidate[] {
  return volumes
    .filter((volume) => spec.volumeName === undefined || volume.metadata.name === spec.volumeName)
    .filter((volume) => !isProvisioned(volume) || !isReserved(volume, claim))
    .map((volume) => ({ volume, obstacles: obstaclesOf(claim, spec, volume) }))
    .toSorted((a, b) => a.obstacles.length - b.obstacles.length || preference(a) - preference(b));
}

function obstaclesOf(claim: KubeObject, spec: ClaimSpec, volume: KubeObject): readonly VolumeObstacle[] {
  const found: VolumeObstacle[] = [];
  if (spec.class !== undefined && classOf(volume) !== spec.class) found.push('class');
  if (isTooSmall(volume, spec)) found.push('capacity');
  const modes = modesOf(volume);
  if (modes.length > 0 && spec.accessModes?.every((mode) => modes.includes(mode)) === false) found.push('access-mode');
  if (spec.volumeMode !== undefined && (asText(dig(volume, 'spec', 'volumeMode')) ?? 'Filesystem') !== spec.volumeMode)
    found.push('volume-mode');
  if (spec.selector !== undefined && matchObjectLabels(spec.selector, volume) === 'no') found.push('selector');
  if (isReserved(volume, claim)) found.push('reserved');
  if (dig(volume, 'metadata', 'deletionTimestamp') !== undefined) found.push('deleting');
  return found;
}

function isTooSmall(volume: KubeObject, { requested }: ClaimSpec): boolean {
  const capacity = parseQuantity(dig(volume, 'spec', 'capacity', 'storage'));
  return requested !== undefined && capacity !== undefined && capacity < requested;
}

/** A provisioner made it, for one claim. */
export function isProvisioned(volume: KubeObject): boolean {
  return annotationsOf(volume)['pv.kubernetes.io/provisioned-by'] !== undefined;
}

/** What can be put right by the author of the claim comes first; a volume that is taken says least. */
const PREFERENCE: readonly VolumeObstacle[] = ['capacity', 'access-mode', 'selector', 'volume-mode', 'class', 'reserved', 'deleting'];

function preference({ obstacles }: Candidate): number {
  const [first] = obstacles;
  return first === undefined ? -1 : PREFERENCE.indexOf(first);
}

export function classOf(volume: KubeObject): string {
  return asText(dig(volume, 'spec', 'storageClassName')) ?? annotationsOf(volume)['volume.beta.kubernetes.io/storage-class'] ?? '';
}

function modesOf(volume: KubeObject): readonly string[] {
  return longModes(dig(volume, 'spec', 'accessModes'));
}

/** The claim a volume is bound to or kept for. */
export function holderOf(volume: KubeObject): { readonly namespace: string; readonly name: string } | undefined {
  const name = asText(dig(volume, 'spec', 'claimRef', 'name'));
  return name === undefined || name === '' ? undefined : { namespace: asText(dig(volume, 'spec', 'claimRef', 'namespace')) ?? '', name };
}

/** Bound or reserved for another claim; or released, which keeps it for a claim that is gone (another uid). */
function isReserved(volume: KubeObject, claim: KubeObject): boolean {
  const phase = dig(volume, 'status', 'phase');
  const holder = holderOf(volume);
  if (isReleased(volume)) return true;
  if (holder === undefined) return phase === 'Bound' || phase === 'Failed';
  if (holder.name !== claim.metadata.name || (holder.namespace !== '' && holder.namespace !== claim.metadata.namespace)) return true;
  const uid = asText(dig(volume, 'spec', 'claimRef', 'uid'));
  return uid !== undefined && uid !== '' && claim.metadata.uid !== undefined && uid !== claim.metadata.uid;
}

/** Kept for a claim that is gone. */
export function isReleased(volume: KubeObject): boolean {
  return dig(volume, 'status', 'phase') === 'Released';
}

/** The two sides of an obstacle, to be told to a person. */
export function sidesOf(
  obstacle: VolumeObstacle,
  spec: ClaimSpec,
  volume: KubeObject,
): { readonly has: string | undefined; readonly wants: string | undefined } {
  const holder = holderOf(volume);
  switch (obstacle) {
    case 'class':
      return { has: classOf(volume) === '' ? '""' : classOf(volume), wants: spec.class === '' ? '""' : spec.class };
    case 'capacity':
      return { has: asText(dig(volume, 'spec', 'capacity', 'storage')), wants: spec.requestedText };
    case 'access-mode':
      return { has: modesOf(volume).join(', '), wants: spec.accessModes?.join(', ') };
    case 'volume-mode':
      return { has: asText(dig(volume, 'spec', 'volumeMode')) ?? 'Filesystem', wants: spec.volumeMode };
    case 'selector':
      return {
        has: formatLabels(labelsOf(volume)) === '' ? 'no labels' : formatLabels(labelsOf(volume)),
        wants: spec.selector === undefined ? undefined : formatRequirements(spec.selector),
      };
    case 'reserved':
      return {
        has: holder === undefined ? asText(dig(volume, 'status', 'phase')) : `claim ${holder.namespace}/${holder.name}`,
        wants: undefined,
      };
    case 'deleting':
      return { has: 'being deleted', wants: undefined };
  }
}

/** One line about a volume, as `kubectl get pv` would have it. */
export function describeVolume(volume: KubeObject): string {
  const holder = holderOf(volume);
  const parts = [
    `capacity: ${asText(dig(volume, 'spec', 'capacity', 'storage')) ?? '?'}`,
    `access modes: ${modesOf(volume).join(', ')}`,
    `class: ${classOf(volume) === '' ? '<none>' : classOf(volume)}`,
    `status: ${asText(dig(volume, 'status', 'phase')) ?? '?'}`,
    ...(holder === undefined ? [] : [`claim: ${holder.namespace}/${holder.name}`]),
    ...(Object.keys(labelsOf(volume)).length === 0 ? [] : [`labels: ${formatLabels(labelsOf(volume))}`]),
  ];
  return parts.join(', ');
}
