import { asList, asText, dig } from '../base/json.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { formatRef, refOf } from '../model/kube-object.ts';
import type { BehindClaim } from './behind-claim.ts';
import { boundVolumes, isClaimed } from './behind-claim.ts';
import { healthOf, isLeaving } from './container-health.ts';
import type { SeenEvent } from './events.ts';
import { eventProof } from './events.ts';
import type { FactSink } from './fact-sink.ts';
import { classifyMount } from './mount-failure-classes.ts';
import { volumeKindOf } from './mounts.ts';
import { isRecent, podEvents } from './pod-events.ts';
import type { Scene } from './scene.ts';
import type { Unattached } from './unattached-volumes.ts';
import { unattachedVolumes } from './unattached-volumes.ts';

const MOUNT_EVENTS = new Set(['FailedMount', 'FailedMapVolume', 'FailedAttachVolume']);

/** `mount-failure` facts: for pods whose containers wait, the latest word on each volume that the kubelet cannot mount. */
export async function collectMountFailures(scene: Scene, sink: FactSink): Promise<void> {
  const events = await podEvents(scene);
  const now = scene.survey.now();
  for (const pod of scene.pods) {
    if (isLeaving(pod)) continue;
    const healths = healthOf(pod, now);
    const waits = healths.length > 0 && healths.every(({ condition }) => condition === 'unstarted');
    if (!waits) continue;
    const seen = events.of(pod);
    const bound = dig(pod, 'spec', 'nodeName') === undefined ? [] : await boundVolumes(pod, scene);
    // A claim's volume is called by its PersistentVolume in these messages.
    for (const event of latestByVolume(seen)) mountFact(pod, event, bound.find(({ object }) => object.metadata.name === classifyMount(event.message).volume), sink);
    for (const unattached of await unattachedVolumes(pod, seen, bound, scene)) unattachedFact(pod, unattached, sink);
  }
  for (const pod of events.unseen) {
    const seen = events.of(pod);
    const started = seen.findLast(({ reason }) => reason === 'Started' || reason === 'Pulled')?.at ?? 0;
    for (const event of latestByVolume(seen)) if (isRecent(event.at, now) && (event.at ?? Infinity) > started) mountFact(pod, event, undefined, sink);
  }
}

/** The latest event of each volume: what was said of it before is settled, or said again. */
function latestByVolume(events: readonly SeenEvent[]): readonly SeenEvent[] {
  const byVolume = new Map<string, SeenEvent>();
  for (const event of events) if (MOUNT_EVENTS.has(event.reason)) byVolume.set(classifyMount(event.message).volume ?? '', event);
  return [...byVolume.values()];
}

function mountFact(pod: KubeObject, event: SeenEvent, behind: BehindClaim | undefined, sink: FactSink): void {
  const ref = refOf(pod);
  const found = classifyMount(event.message);
  const volumes = asList(dig(pod, 'spec', 'volumes'));
  const volume = volumes.find((candidate) => dig(candidate, 'name') === found.volume);
  const claims = volumes.filter(isClaimed);
  const claimed = behind?.volume ?? (volume === undefined && claims.length === 1 ? claims[0] : undefined);
  const volumeKind = volumeKindOf(volume ?? claimed);
  const isNfs = (volumeKind === 'nfs' || dig(behind?.object, 'spec', 'nfs') !== undefined) && (found.class === 'mount-command' || found.class === 'other');
  // Nobody answers for a driver that nobody installed; one that is installed may just be slow, or down.
  const isMissing = found.class === 'attach-timeout' && behind?.driverExists === false;
  sink.fact(
    'mount-failure',
    ref,
    { ...found, class: isNfs ? 'nfs' : isMissing ? 'csi-driver-missing' : found.class, volume: asText(dig(claimed, 'name')) ?? found.volume, volumeKind, message: event.message, count: event.count },
    eventProof(event, ref),
  );
  if (behind !== undefined) boundFact(pod, behind, sink);
}

function boundFact(pod: KubeObject, { volume, claim, object }: BehindClaim, sink: FactSink): void {
  const { name } = object.metadata;
  sink.fact('reference', refOf(pod), { refKind: 'PersistentVolume', refName: name, via: 'claim', volume: asText(dig(volume, 'name')), optional: false, exists: true }, { source: `${formatRef(claim)} spec`, quote: `volumeName: PersistentVolume ${name}` });
}

function unattachedFact(pod: KubeObject, { behind, seconds, error }: Unattached, sink: FactSink): void {
  const ref = refOf(pod);
  const { volume, object, driver, driverExists } = behind;
  const detail = error ?? `nothing was heard of the attachment of PersistentVolume ${object.metadata.name} for ${String(seconds)}s`;
  sink.fact(
    'mount-failure',
    ref,
    { class: driverExists === false && error === undefined ? 'csi-driver-missing' : 'attach-timeout', volume: asText(dig(volume, 'name')), volumeKind: 'persistentVolumeClaim', subject: driver, detail, message: detail },
    { source: `${formatRef(refOf(object))} spec`, quote: `csi driver: ${driver ?? ''}; ${detail}` },
  );
  boundFact(pod, behind, sink);
}
