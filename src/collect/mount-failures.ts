import type { Json } from '../base/json.ts';
import { asList, asText, dig } from '../base/json.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { formatRef, refOf } from '../model/kube-object.ts';
import { healthOf, isLeaving } from './container-health.ts';
import type { SeenEvent } from './events.ts';
import { eventProof } from './events.ts';
import type { FactSink } from './fact-sink.ts';
import { classifyMount } from './mount-failure-classes.ts';
import { volumeKindOf } from './mounts.ts';
import { isRecent, podEvents } from './pod-events.ts';
import type { Scene } from './scene.ts';

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
    for (const event of latestByVolume(events.of(pod))) mountFact(pod, event, await behindClaim(pod, classifyMount(event.message).volume, scene), sink);
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
  const isMissing = found.class === 'attach-timeout' && behind?.driverExists !== true;
  sink.fact(
    'mount-failure',
    ref,
    { ...found, class: isNfs ? 'nfs' : isMissing ? 'csi-driver-missing' : found.class, volume: asText(dig(claimed, 'name')) ?? found.volume, volumeKind, message: event.message, count: event.count },
    eventProof(event, ref),
  );
  if (behind === undefined) return;
  const name = asText(dig(claimed, 'name'));
  sink.fact('reference', ref, { refKind: 'PersistentVolume', refName: behind.object.metadata.name, via: 'claim', volume: name, optional: false, exists: true }, { source: `${formatRef(behind.claim)} spec`, quote: `volumeName: PersistentVolume ${behind.object.metadata.name}` });
}

/** What a pod's claim is bound to. */
interface BehindClaim {
  /** The pod's volume. */
  readonly volume: Json;
  readonly claim: ObjectRef;
  /** The PersistentVolume. */
  readonly object: KubeObject;
  /** Whether its CSI driver is installed; undefined when that could not be told. */
  readonly driverExists: boolean | undefined;
}

/** A claim's volume is called by its PersistentVolume in these messages. */
async function behindClaim(pod: KubeObject, name: string | undefined, { survey }: Scene): Promise<BehindClaim | undefined> {
  if (name === undefined) return undefined;
  const volumes = asList(dig(pod, 'spec', 'volumes'));
  if (volumes.some((volume) => dig(volume, 'name') === name)) return undefined;
  for (const volume of volumes.filter(isClaimed)) {
    const claim = { kind: 'PersistentVolumeClaim', namespace: pod.metadata.namespace ?? '', name: asText(dig(volume, 'persistentVolumeClaim', 'claimName')) ?? '' };
    const read = await survey.get(claim);
    if (!read.ok || dig(read.value, 'spec', 'volumeName') !== name) continue;
    const found = await survey.get({ kind: 'PersistentVolume', name });
    if (!found.ok) return undefined;
    const driver = asText(dig(found.value, 'spec', 'csi', 'driver'));
    const installed = driver === undefined ? undefined : await survey.get({ kind: 'CSIDriver', name: driver });
    return { volume, claim, object: found.value, driverExists: installed === undefined ? undefined : installed.ok ? true : installed.why === 'absent' ? false : undefined };
  }
  return undefined;
}

function isClaimed(volume: Json): boolean {
  return dig(volume, 'persistentVolumeClaim') !== undefined;
}
