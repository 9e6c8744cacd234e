import { unseenIn } from '../../model/cluster-reader.ts';
import { ANYTHING } from '../../model/fact.ts';
import type { FactKind } from '../../model/fact-kinds.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { inNamespace, objectKey, refOf, shows } from '../../model/kube-object.ts';
import { containersOf } from '../containers/containers.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { Scene } from '../survey/scene.ts';
import { podState } from './targets.ts';
import { describePodCommand } from '../../model/placeholders.ts';

/** What only a pod's containers tell, and what only its events do. */
const FROM_CONTAINERS: readonly FactKind[] = ['image', 'start-failure', 'exit', 'probe'];
const FROM_EVENTS: readonly FactKind[] = ['image', 'probe'];

/** Gaps for pods that are not well: a table shows no containers, and events may not be read. */
export async function collectBlindSpots(scene: Scene, sink: FactSink): Promise<void> {
  const sick = scene.judged.filter((pod) => podState(pod).state !== 'healthy');
  for (const pod of sick) {
    if (shows(pod, 'spec.containers') || containersOf(pod).some(({ role }) => role !== 'init')) continue;
    const needs = describePodCommand(pod.metadata);
    for (const kind of FROM_CONTAINERS) sink.gap(kind, refOf(pod), { detail: `the containers of ${objectKey(pod)} were not seen`, needs });
  }
  await unreadEvents(scene, sick, sink);
}

async function unreadEvents(scene: Scene, sick: readonly KubeObject[], sink: FactSink): Promise<void> {
  const { target, namespace } = scene.request;
  if (sick.length === 0) return;
  const scope = inNamespace(namespace);
  const looks =
    target === undefined
      ? [{ about: { kind: 'Event', ...scope, name: ANYTHING }, read: scene.survey.list('Event', scope) }]
      : sick.map((pod) => ({ about: refOf(pod), read: scene.survey.eventsAbout(refOf(pod)) }));
  for (const { about, read } of looks) {
    const unseen = unseenIn(await read);
    if (unseen !== undefined) for (const kind of FROM_EVENTS) sink.gap(kind, about, unseen);
  }
}
