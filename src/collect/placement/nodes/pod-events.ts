import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import { asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { formatRef, inNamespace, objectKey, refOf } from '../../../model/kube-object.ts';
import type { Scene } from '../../survey/scene.ts';

/** Events about pods, oldest first: from the one list of a scope, or read per pod for one target. */
export interface PodEvents {
  /** Undefined when they could not be read. */
  readonly about: (pod: KubeObject) => readonly KubeObject[] | undefined;
}

export async function podEvents(scene: Scene, pods: readonly KubeObject[]): Promise<PodEvents> {
  const found = new Map<string, readonly KubeObject[]>();
  if (scene.request.target === undefined) {
    const { namespace } = scene.request;
    const list = await scene.survey.list('Event', inNamespace(namespace));
    if (!list.ok) return { about: () => undefined };
    const index = byPod(list.value);
    return { about: (pod) => ofPod(pod, index.get(objectKey(pod)) ?? []) };
  }
  for (const pod of pods) {
    const list = await scene.survey.eventsAbout(refOf(pod));
    if (list.ok) found.set(objectKey(pod), list.value);
  }
  return {
    about: (pod) => {
      const events = found.get(objectKey(pod));
      return events === undefined ? undefined : ofPod(pod, events);
    },
  };
}

function byPod(events: readonly KubeObject[]): ReadonlyMap<string, readonly KubeObject[]> {
  const index = new Map<string, KubeObject[]>();
  for (const event of events) {
    if (dig(event, 'involvedObject', 'kind') !== 'Pod') continue;
    const namespace = asText(dig(event, 'involvedObject', 'namespace')) ?? event.metadata.namespace;
    const key = formatRef({
      kind: 'Pod',
      ...inNamespace(namespace),
      name: asText(dig(event, 'involvedObject', 'name')) ?? '',
    });
    const list = index.get(key);
    if (list === undefined) index.set(key, [event]);
    else list.push(event);
  }
  return index;
}

/** Events of an earlier pod of the same name are about another uid. */
function ofPod(pod: KubeObject, events: readonly KubeObject[]): readonly KubeObject[] {
  const same = events.filter((event) => {
    const uid = asText(dig(event, 'involvedObject', 'uid'));
    return uid === undefined || uid === '' || pod.metadata.uid === undefined || uid === pod.metadata.uid;
  });
  return same.toSorted((a, b) => (seenAt(a) ?? 0) - (seenAt(b) ?? 0));
}

/** When an event was last seen. */
export function seenAt(event: KubeObject): Instant | undefined {
  return (
    parseInstant(dig(event, 'series', 'lastObservedTime')) ??
    parseInstant(dig(event, 'lastTimestamp')) ??
    parseInstant(dig(event, 'eventTime')) ??
    parseInstant(dig(event, 'firstTimestamp'))
  );
}

export function messageOf(event: KubeObject): string {
  return (asText(dig(event, 'message')) ?? asText(dig(event, 'note')) ?? '').trim();
}
