import { asList, asText, dig } from '../../base/json.ts';
import { parseQuantity } from '../../base/quantity.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, labelsOf } from '../../model/kube-object.ts';
import { labelSelectorMatcher } from '../apiserver/selectors.ts';
import type { NodeInfo } from './node-info.ts';
import { nodeTermsMatcher } from './node-terms.ts';
import type { PodInfo } from './pod-info.ts';
import type { SchedulerView } from './view.ts';

/** A pod's claims by what has to be done for them. Source: pkg/scheduler/framework/plugins/volumebinding/binder.go (GetPodVolumeClaims). */
export interface PodClaims {
  readonly bound: readonly KubeObject[];
  /** Bound to a volume that fits the node only once a node is chosen (WaitForFirstConsumer). */
  readonly delayed: readonly KubeObject[];
  /** Somebody else has yet to bind them, whatever node is chosen. */
  readonly immediate: readonly KubeObject[];
}

export function podClaims(pod: PodInfo, view: SchedulerView): PodClaims {
  const [bound, delayed, immediate]: [KubeObject[], KubeObject[], KubeObject[]] = [[], [], []];
  for (const { claim: name } of pod.spec.claims) {
    const claim = view.find('PersistentVolumeClaim', pod.namespace, name);
    if (claim === undefined) continue;
    if (isFullyBound(claim)) bound.push(claim);
    else if (volumeNameOf(claim) === '' && classOf(claim, view)?.['volumeBindingMode'] === 'WaitForFirstConsumer') delayed.push(claim);
    else immediate.push(claim);
  }
  return { bound, delayed, immediate };
}

/** What is to be done for delayed claims so that a pod can run on a node. */
export interface BindingPlan {
  readonly bind: readonly { readonly claim: KubeObject; readonly volume: KubeObject }[];
  readonly provision: readonly KubeObject[];
}

export type PlanTrouble = 'no volume' | 'no space';

/** Finds a volume for each claim, or a provisioner that can make one for this node. */
export function planFor(claims: readonly KubeObject[], node: NodeInfo, view: SchedulerView): BindingPlan | PlanTrouble {
  const bind: { claim: KubeObject; volume: KubeObject }[] = [];
  const provision: KubeObject[] = [];
  const taken = new Set(view.takenVolumes);
  for (const claim of claims.toSorted((a, b) => compare(requestOf(a), requestOf(b)))) {
    const selected = annotationsOf(claim)[SELECTED_NODE];
    if (selected !== undefined && selected !== node.name) return 'no volume';
    const volume = selected === undefined ? findVolume(claim, node, view, taken) : undefined;
    if (volume !== undefined) {
      taken.add(volume.metadata.name);
      bind.push({ claim, volume });
      continue;
    }
    const trouble = provisioningTrouble(claim, node, view);
    if (trouble !== undefined) return trouble;
    provision.push(claim);
  }
  return { bind, provision };
}

export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';

export function isFullyBound(claim: KubeObject): boolean {
  return volumeNameOf(claim) !== '' && annotationsOf(claim)[BIND_COMPLETED] !== undefined;
}

export function volumeNameOf(claim: KubeObject): string {
  return asText(dig(claim, 'spec', 'volumeName')) ?? '';
}

export function classOf(claim: KubeObject, view: SchedulerView): KubeObject | undefined {
  return view.find('StorageClass', undefined, classNameOf(claim));
}

/** Whether a volume can be reached from a node. */
export function reaches(volume: KubeObject, node: NodeInfo): boolean {
  const required = dig(volume, 'spec', 'nodeAffinity', 'required');
  return required === undefined || nodeTermsMatcher(dig(required, 'nodeSelectorTerms'))(node.labels, node.name);
}

/**
 * The smallest free volume that fits a claim. Source: staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go
 * (FindMatchingVolume).
 */
function findVolume(claim: KubeObject, node: NodeInfo, view: SchedulerView, taken: ReadonlySet<string>): KubeObject | undefined {
  const wanted = requestOf(claim);
  const selector = dig(claim, 'spec', 'selector');
  const matches = selector === undefined ? undefined : labelSelectorMatcher(selector);
  const modes = asList(dig(claim, 'spec', 'accessModes'));
  let best: KubeObject | undefined;
  for (const volume of view.all('PersistentVolume')) {
    if (taken.has(volume.metadata.name) || volume.metadata['deletionTimestamp'] !== undefined || !reaches(volume, node)) continue;
    if (isReservedFor(volume, claim)) return volume;
    if (!isFree(volume) || !isAlike(volume, claim)) continue;
    if (matches?.(labelsOf(volume)) === false) continue;
    const has = asList(dig(volume, 'spec', 'accessModes'));
    if (capacityOf(volume) < wanted || !modes.every((mode) => has.includes(mode))) continue;
    if (best === undefined || capacityOf(volume) < capacityOf(best)) best = volume;
  }
  return best;
}

function isAlike(volume: KubeObject, claim: KubeObject): boolean {
  return modeOf(volume) === modeOf(claim) && classNameOf(volume) === classNameOf(claim);
}

function isFree(volume: KubeObject): boolean {
  return dig(volume, 'spec', 'claimRef') === undefined && dig(volume, 'status', 'phase') === 'Available';
}

function classNameOf(volumeOrClaim: KubeObject): string {
  return asText(dig(volumeOrClaim, 'spec', 'storageClassName')) ?? '';
}

function modeOf(volumeOrClaim: KubeObject): string {
  return asText(dig(volumeOrClaim, 'spec', 'volumeMode')) ?? 'Filesystem';
}

function isReservedFor(volume: KubeObject, claim: KubeObject): boolean {
  const reference = dig(volume, 'spec', 'claimRef');
  if (dig(reference, 'name') !== claim.metadata.name || dig(reference, 'namespace') !== claim.metadata.namespace) return false;
  const uid = asText(dig(reference, 'uid')) ?? '';
  return uid === '' || uid === claim.metadata.uid;
}

/** Source: binder.go (checkVolumeProvisions, hasEnoughCapacity). */
function provisioningTrouble(claim: KubeObject, node: NodeInfo, view: SchedulerView): PlanTrouble | undefined {
  const storageClass = classOf(claim, view);
  const provisioner = asText(dig(storageClass, 'provisioner')) ?? '';
  if (storageClass === undefined || provisioner === '' || provisioner === NO_PROVISIONER) return 'no volume';
  const allowed = asList(storageClass['allowedTopologies']);
  const fits =
    allowed.length === 0 ||
    allowed.some((term) =>
      asList(dig(term, 'matchLabelExpressions')).every((expression) =>
        asList(dig(expression, 'values')).includes(node.labels[asText(dig(expression, 'key')) ?? ''] ?? ''),
      ),
    );
  if (!fits) return 'no volume';
  if (dig(view.find('CSIDriver', undefined, provisioner), 'spec', 'storageCapacity') !== true) return undefined;
  const wanted = requestOf(claim);
  for (const capacity of view.all('CSIStorageCapacity')) {
    if (capacity['storageClassName'] !== storageClass.metadata.name || !labelSelectorMatcher(capacity['nodeTopology'])(node.labels))
      continue;
    const largest = parseQuantity(capacity['maximumVolumeSize'] ?? capacity['capacity']) ?? 0n;
    if (largest >= wanted) return undefined;
  }
  return 'no space';
}

const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

function requestOf(claim: KubeObject): bigint {
  return parseQuantity(dig(claim, 'spec', 'resources', 'requests', 'storage')) ?? 0n;
}

function capacityOf(volume: KubeObject): bigint {
  return parseQuantity(dig(volume, 'spec', 'capacity', 'storage')) ?? 0n;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
