import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { inNamespace, labelsOf, shows } from '../../../model/kube-object.ts';
import type { Answer } from './node-terms.ts';
import { formatNodeTerms, matchesNodeTerms } from './node-terms.ts';
import type { PodView } from './pod-view.ts';
import { viewOf } from './pod-view.ts';
import type { PlacementView } from './placement-view.ts';

/** A claim that a pod names, and the pod's volume that names it. */
export interface ClaimName {
  readonly claim: string;
  readonly volume: string;
}

/** Claims of a pod; a generic ephemeral volume's claim is called after the pod and the volume. */
export function claimsOf(view: PodView): readonly ClaimName[] {
  return asList(view.field('volumes').value).flatMap((volume) => {
    const name = asText(dig(volume, 'name')) ?? '';
    const claim =
      asText(dig(volume, 'persistentVolumeClaim', 'claimName')) ??
      (dig(volume, 'ephemeral') === undefined ? undefined : `${view.pod.metadata.name}-${name}`);
    return claim === undefined ? [] : [{ claim, volume: name }];
  });
}

export interface BoundVolume {
  readonly claim: string;
  readonly volume: KubeObject;
}

/** The volumes that the pod's claims are bound to, as far as they were seen. */
export function boundVolumes(view: PodView, world: PlacementView): readonly BoundVolume[] {
  const { namespace } = view.pod.metadata;
  return claimsOf(view).flatMap(({ claim }) => {
    const object = world.claim({ ...inNamespace(namespace), name: claim });
    const volume = world.volume(asText(dig(object, 'spec', 'volumeName')) ?? '');
    return volume === undefined ? [] : [{ claim, volume }];
  });
}

/** Whether the volume can be used on the node: its node affinity, and the zone its labels name. */
export function volumeFits(volume: KubeObject, node: KubeObject): Answer {
  const affinity = dig(volume, 'spec', 'nodeAffinity', 'required', 'nodeSelectorTerms');
  if (affinity !== undefined) {
    const answer = matchesNodeTerms(affinity, node);
    if (answer !== 'yes') return answer;
  }
  return zoneFits(volume, node);
}

const ZONE_KEYS = [
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
];

/**
 * Source: pkg/scheduler/framework/plugins/volumezone/volume_zone.go: only nodes that have zone labels are compared; a label may hold
 * several zones, `a__b`.
 */
function zoneFits(volume: KubeObject, node: KubeObject): Answer {
  const [mine, theirs] = [labelsOf(volume), labelsOf(node)];
  if (!ZONE_KEYS.some((key) => theirs[key] !== undefined)) return 'yes';
  for (const key of ZONE_KEYS) {
    const zones = mine[key];
    if (zones === undefined) continue;
    const zone = theirs[key];
    if (zone === undefined && !shows(node, `metadata.labels.${key}`)) return 'unknown';
    if (!zones.split('__').includes(zone ?? '')) return 'no';
  }
  return 'yes';
}

/** Where a volume can be used, in words. */
export function formatVolumePlace(volume: KubeObject): string {
  const affinity = dig(volume, 'spec', 'nodeAffinity', 'required', 'nodeSelectorTerms');
  if (affinity !== undefined) return formatNodeTerms(affinity);
  const labels = labelsOf(volume);
  return ZONE_KEYS.flatMap((key) => (labels[key] === undefined ? [] : [`${key}=${labels[key] ?? ''}`])).join(', ');
}

/** Another pod that uses a claim which only one pod may use (ReadWriteOncePod). */
export function exclusiveHolder(view: PodView, world: PlacementView): { readonly claim: string; readonly holder: KubeObject } | undefined {
  const { namespace, name } = view.pod.metadata;
  for (const { claim } of claimsOf(view)) {
    const object = world.claim({ ...inNamespace(namespace), name: claim });
    if (!asList(dig(object, 'spec', 'accessModes')).includes('ReadWriteOncePod')) continue;
    const holder = world.pods.find(
      (pod) =>
        pod.metadata.namespace === namespace && pod.metadata.name !== name && claimsOf(viewOf(pod)).some((other) => other.claim === claim),
    );
    if (holder !== undefined) return { claim, holder };
  }
  return undefined;
}
