import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { planFor, podClaims, reaches, volumeNameOf } from '../claims.ts';
import type { NodeInfo } from '../node-info.ts';
import type { ClaimUse, PodInfo } from '../pod-info.ts';
import type { FilterPlugin, Prepared, Rejection, SchedulerView } from '../view.ts';
import { WORDS } from '../scheduler-messages.ts';

/** Source: pkg/scheduler/framework/plugins/volumebinding/{volume_binding,binder}.go. */
export const VOLUME_BINDING: FilterPlugin = { name: 'VolumeBinding', prepare };

function prepare(pod: PodInfo, view: SchedulerView): Prepared {
  if (pod.spec.claims.length === 0) return undefined;
  for (const use of pod.spec.claims) {
    const trouble = claimTrouble(use, pod, view);
    if (trouble !== undefined) return rejected([trouble]);
  }
  const { bound, delayed, immediate } = podClaims(pod, view);
  if (immediate.length > 0) return rejected([WORDS.unboundImmediate]);
  return {
    filter: (node) => {
      const reasons = [...new Set([...bound.flatMap((claim) => reachTrouble(claim, node, view)), ...planTrouble(delayed, node, view)])];
      return reasons.length === 0 ? undefined : { plugin: 'VolumeBinding', resolvable: false, reasons };
    },
  };
}

function claimTrouble({ claim: name, ephemeral }: ClaimUse, pod: PodInfo, view: SchedulerView): string | undefined {
  const claim = view.find('PersistentVolumeClaim', pod.namespace, name);
  if (claim === undefined) return ephemeral ? WORDS.claimEphemeral(name) : WORDS.claimNotFound(name);
  if (dig(claim, 'status', 'phase') === 'Lost') return WORDS.claimLost(name, volumeNameOf(claim));
  if (claim.metadata['deletionTimestamp'] !== undefined) return WORDS.claimDeleting(name);
  if (ephemeral && !isOwnedBy(claim, pod)) return WORDS.claimNotOwned(name, pod.namespace, pod.pod.metadata.name);
  return undefined;
}

function isOwnedBy(claim: KubeObject, pod: PodInfo): boolean {
  return asList(claim.metadata['ownerReferences']).some(
    (owner) => asText(dig(owner, 'uid')) === pod.uid && dig(owner, 'controller') === true,
  );
}

function reachTrouble(claim: KubeObject, node: NodeInfo, view: SchedulerView): readonly string[] {
  const volume = view.find('PersistentVolume', undefined, volumeNameOf(claim));
  if (volume === undefined) return [WORDS.volumeGone];
  return reaches(volume, node) ? [] : [WORDS.volumeNodeAffinity];
}

function planTrouble(claims: readonly KubeObject[], node: NodeInfo, view: SchedulerView): readonly string[] {
  if (claims.length === 0) return [];
  const plan = planFor(claims, node, view);
  if (plan === 'no volume') return [WORDS.bindConflict];
  return plan === 'no space' ? [WORDS.noSpace] : [];
}

function rejected(reasons: readonly string[]): { readonly rejection: Rejection } {
  return { rejection: { plugin: 'VolumeBinding', resolvable: false, reasons } };
}
