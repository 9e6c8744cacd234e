import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, objectKey, refOf } from '../../model/kube-object.ts';
import type { BehindClaim } from './behind-claim.ts';
import { boundVolumes } from './behind-claim.ts';
import { healthOf, isLeaving } from '../containers/container-health.ts';
import { heldUpAt } from '../containers/held-up.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { volumeKindOf } from './mounts.ts';
import { podEvents } from '../events/pod-events.ts';
import type { Scene } from '../survey/scene.ts';
import type { Unattached } from './unattached-volumes.ts';
import { unattachedVolumes } from './unattached-volumes.ts';

/** `waiting-volume` and `unattached-volume` facts for scheduled pods none of whose containers has started. */
export async function collectWaitingVolumes(scene: Scene, sink: FactSink): Promise<void> {
  const events = await podEvents(scene);
  const now = scene.survey.now();
  for (const pod of scene.suspects) {
    const healths = isLeaving(pod) ? [] : healthOf(pod, now);
    const isHeld = heldUpAt(pod, events.of(pod)) === 'volumes';
    if (
      healths.length === 0 ||
      (!isHeld && healths.some(({ condition }) => condition !== 'unstarted')) ||
      dig(pod, 'spec', 'nodeName') === undefined
    )
      continue;
    const bound = await boundVolumes(pod, scene);
    for (const volume of asList(dig(pod, 'spec', 'volumes')))
      waitingFact(
        pod,
        volume,
        bound.find((behind) => behind.volume === volume),
        sink,
      );
    for (const unattached of await unattachedVolumes(pod, events.of(pod), bound, scene)) unattachedFact(pod, unattached, sink);
  }
}

function waitingFact(pod: KubeObject, volume: Json, behind: BehindClaim | undefined, sink: FactSink): void {
  const ref = refOf(pod);
  const name = asText(dig(volume, 'name'));
  const volumeKind = volumeKindOf(volume);
  const persistentVolume = behind?.object.metadata.name;
  const source = behind === undefined ? volume : dig(behind.object, 'spec');
  sink.fact(
    'waiting-volume',
    ref,
    {
      volume: name,
      volumeKind,
      persistentVolume,
      driver: behind?.driver ?? asText(dig(volume, 'csi', 'driver')),
      driverExists: behind?.driverExists,
      nfs: dig(source, 'nfs') !== undefined,
    },
    {
      source: `${formatRef(ref)} spec`,
      quote: `volume ${name ?? ''}: ${volumeKind ?? ''}${persistentVolume === undefined ? '' : `, volumeName: PersistentVolume ${persistentVolume}`}`,
    },
  );
}

function unattachedFact(pod: KubeObject, { behind, seconds, error, elsewhere }: Unattached, sink: FactSink): void {
  const { volume, object, driver } = behind;
  const silence =
    elsewhere !== undefined
      ? `PersistentVolume ${object.metadata.name} is attached to node ${elsewhere}`
      : `nothing was heard of the attachment of PersistentVolume ${object.metadata.name} for ${String(seconds)}s`;
  sink.fact(
    'unattached-volume',
    refOf(pod),
    { volume: asText(dig(volume, 'name')), driver, error, elsewhere, detail: error ?? silence, seconds },
    { source: `${objectKey(object)} spec`, quote: `csi driver: ${driver ?? ''}; ${error ?? silence}` },
  );
}
