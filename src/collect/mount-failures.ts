import { asList, asText, dig } from '../base/json.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { refOf } from '../model/kube-object.ts';
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
    if (waits) for (const event of latestByVolume(events.of(pod))) mountFact(pod, event, sink);
  }
  for (const pod of events.unseen) {
    const seen = events.of(pod);
    const started = seen.findLast(({ reason }) => reason === 'Started' || reason === 'Pulled')?.at ?? 0;
    for (const event of latestByVolume(seen)) if (isRecent(event.at, now) && (event.at ?? Infinity) > started) mountFact(pod, event, sink);
  }
}

/** The latest event of each volume: what was said of it before is settled, or said again. */
function latestByVolume(events: readonly SeenEvent[]): readonly SeenEvent[] {
  const byVolume = new Map<string, SeenEvent>();
  for (const event of events) if (MOUNT_EVENTS.has(event.reason)) byVolume.set(classifyMount(event.message).volume ?? '', event);
  return [...byVolume.values()];
}

function mountFact(pod: KubeObject, event: SeenEvent, sink: FactSink): void {
  const ref = refOf(pod);
  const found = classifyMount(event.message);
  const volumes = asList(dig(pod, 'spec', 'volumes'));
  const volume = volumes.find((candidate) => dig(candidate, 'name') === found.volume);
  // A claim's volume is called by its PersistentVolume in these messages.
  const claims = volumes.filter((candidate) => dig(candidate, 'persistentVolumeClaim') !== undefined);
  const claimed = volume === undefined && claims.length === 1 ? claims[0] : undefined;
  const volumeKind = volumeKindOf(volume ?? claimed);
  const isNfs = volumeKind === 'nfs' && (found.class === 'mount-command' || found.class === 'other');
  sink.fact(
    'mount-failure',
    ref,
    { ...found, class: isNfs ? 'nfs' : found.class, volume: asText(dig(claimed, 'name')) ?? found.volume, volumeKind, message: event.message, count: event.count },
    eventProof(event, ref),
  );
}
