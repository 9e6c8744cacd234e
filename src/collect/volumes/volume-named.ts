import { asList, asText, dig } from '../../base/json.ts';
import { smallest } from '../../base/lists.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { boundVolumes, isClaimed } from './behind-claim.ts';
import { containersOf } from '../containers/containers.ts';
import type { Scene } from '../survey/scene.ts';

/**
 * The volume of a pod that a message names first, in quotation marks or brackets: by its own name or, while the pod
 * waits for it, by that of its claim's PersistentVolume.
 */
export async function volumeNamed(message: string, pod: KubeObject, scene: Scene): Promise<string | undefined> {
  const volumes = asList(dig(pod, 'spec', 'volumes'));
  const own = firstNamed(
    message,
    volumes.flatMap((volume) => asText(dig(volume, 'name')) ?? []).map((name) => [name, name]),
  );
  const mayName =
    volumes.some(isClaimed) &&
    /["[]/.test(message) &&
    containersOf(pod).every(({ status }) => dig(status, 'state', 'running') === undefined);
  if (own !== undefined || !mayName) return own;
  const bound = await boundVolumes(pod, scene);
  return firstNamed(
    message,
    bound.flatMap(({ volume, object }) => [[object.metadata.name, asText(dig(volume, 'name')) ?? ''] as const]),
  );
}

function firstNamed(message: string, names: readonly (readonly [said: string, volume: string])[]): string | undefined {
  const found = names.map(([said, volume]) => ({ volume, at: placeOf(message, said) })).filter(({ at }) => at >= 0);
  return found.toSorted((a, b) => a.at - b.at)[0]?.volume;
}

function placeOf(message: string, name: string): number {
  const places = [`"${name}"`, `[${name}]`, `[${name} `, ` ${name}]`].map((quoted) => message.indexOf(quoted)).filter((at) => at >= 0);
  return places.length === 0 ? -1 : smallest(places);
}
