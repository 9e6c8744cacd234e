import { dig } from '../../../base/json.ts';
import { objectKey, refOf } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import { isReady } from '../../objects/pods.ts';
import type { Scene } from '../../survey/scene.ts';
import { podEvents } from '../../events/pod-events.ts';
import { isOver, nodeOf } from '../fit/placement-view.ts';

/** `device-preparation` facts: what the kubelet said of the devices of pods that are not ready. */
export async function collectDevicePreparations(scene: Scene, sink: FactSink): Promise<void> {
  const pods = scene.judged.filter(
    (pod) =>
      (scene.survey.stored || dig(pod, 'spec', 'resourceClaims') !== undefined) &&
      nodeOf(pod) !== undefined &&
      isReady(pod) !== true &&
      !isOver(pod),
  );
  const events = await podEvents(scene);
  for (const pod of pods) {
    const last = events.of(pod).findLast(({ reason }) => reason === REASON);
    if (last === undefined) continue;
    const { message, at } = last;
    const told = scene.survey.vocabulary.read('device-preparation', message, 'event', REASON)?.fields;
    sink.fact(
      'device-preparation',
      refOf(pod),
      { trouble: 'other', message, ...told, node: nodeOf(pod) },
      { source: `event on ${objectKey(pod)}`, quote: message, at },
    );
  }
}

const REASON = 'FailedPrepareDynamicResources';
