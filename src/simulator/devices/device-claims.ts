import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { controllerOf } from '../../model/kube-object.ts';

/** A ResourceClaim as a pod uses it: the name in the pod, and that of the object; undefined where it has yet to be made of a template. */
export interface PodDeviceClaim {
  readonly entry: string;
  readonly name: string | undefined;
  readonly template: string | undefined;
}

/**
 * The ResourceClaims of a pod. One for which none had to be made is left out.
 * Source: staging/src/k8s.io/dynamic-resource-allocation/resourceclaim/claim.go (Name).
 */
export function deviceClaimsOf(pod: KubeObject): readonly PodDeviceClaim[] {
  const claims = dig(pod, 'spec', 'resourceClaims');
  return claims === undefined ? NONE : asList(claims).flatMap((claim) => deviceClaim(pod, claim));
}

/** Those and the one that was made for extended resources. Source: pkg/kubelet/cm/dra/manager.go (PrepareResources). */
export function allDeviceClaimsOf(pod: KubeObject): readonly PodDeviceClaim[] {
  const extended = asText(dig(pod, 'status', 'extendedResourceClaimStatus', 'resourceClaimName'));
  return extended === undefined ? deviceClaimsOf(pod) : [...deviceClaimsOf(pod), { entry: '', name: extended, template: undefined }];
}

const NONE: readonly PodDeviceClaim[] = [];

function deviceClaim(pod: KubeObject, claim: Json): readonly PodDeviceClaim[] {
  const entry = asText(dig(claim, 'name')) ?? '';
  const own = asText(dig(claim, 'resourceClaimName'));
  if (own !== undefined) return [{ entry, name: own, template: undefined }];
  const template = asText(dig(claim, 'resourceClaimTemplateName'));
  const made = asList(dig(pod, 'status', 'resourceClaimStatuses')).find((status) => dig(status, 'name') === entry);
  const name = asText(dig(made, 'resourceClaimName'));
  return made !== undefined && name === undefined ? [] : [{ entry, name, template }];
}

/** Why a pod cannot use its claim; undefined when it can. */
export function claimTrouble(pod: KubeObject, { name, template }: PodDeviceClaim, claim: KubeObject | undefined): string | undefined {
  const { namespace = '' } = pod.metadata;
  if (name === undefined) return DEVICE_WORDS.notCreated(`${namespace}/${pod.metadata.name}`);
  if (claim === undefined) return undefined;
  return template === undefined || (pod.metadata.uid !== undefined && controllerOf(claim)?.uid === pod.metadata.uid)
    ? undefined
    : DEVICE_WORDS.notOwned(`${namespace}/${name}`, `${namespace}/${pod.metadata.name}`);
}

export function isAllocated(claim: KubeObject): boolean {
  return dig(claim, 'status', 'allocation') !== undefined;
}

export function isReservedFor(claim: KubeObject, podUid: string): boolean {
  return asList(dig(claim, 'status', 'reservedFor')).some((consumer) => dig(consumer, 'uid') === podUid);
}

/** The claim without what keeps it from being deleted while it has devices. */
export function withoutProtection(claim: KubeObject): KubeObject {
  const finalizers = asList(claim.metadata['finalizers']).filter((one) => one !== DEVICE_FINALIZER);
  return withFields(claim, { metadata: withFields(claim.metadata, { finalizers: finalizers.length === 0 ? undefined : finalizers }) });
}

/** Source: staging/src/k8s.io/api/resource/v1/types.go (Finalizer). */
export const DEVICE_FINALIZER = 'resource.kubernetes.io/delete-protection';

/** Source: staging/src/k8s.io/dynamic-resource-allocation/resourceclaim/claim.go (ErrClaimNotFound, IsForPod). */
export const DEVICE_WORDS = {
  notCreated: (pod: string): string => `pod "${pod}": ResourceClaim not created yet`,
  notOwned: (claim: string, pod: string): string => `ResourceClaim ${claim} was not created for Pod ${pod} (Pod is not owner)`,
} as const;
