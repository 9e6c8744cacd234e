import { dig } from '../../base/json.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import type { FactSink, WordOf } from '../survey/fact-sink.ts';
import { isReady } from '../objects/pods.ts';
import type { Scene } from '../survey/scene.ts';
import { messageOf, podEvents, seenAt } from './pod-events.ts';
import { isOver, nodeOf } from './placement-view.ts';

/** `device-preparation` facts: what the kubelet said of the devices of pods that are not ready. */
export async function collectDevicePreparations(scene: Scene, sink: FactSink): Promise<void> {
  const pods = scene.pods.filter((pod) => (scene.survey.stored || dig(pod, 'spec', 'resourceClaims') !== undefined) && nodeOf(pod) !== undefined && isReady(pod) !== true && !isOver(pod));
  if (pods.length === 0) return;
  const events = await podEvents(scene, pods);
  for (const pod of pods) {
    const last = events.about(pod)?.findLast((event) => dig(event, 'reason') === 'FailedPrepareDynamicResources');
    const message = last === undefined ? undefined : messageOf(last);
    if (last === undefined || message === undefined) continue;
    const said = message.replace(OWN_WORDS, '');
    sink.fact('device-preparation', refOf(pod), { node: nodeOf(pod), ...troubleOf(said), message: said }, { source: `event on ${formatRef(refOf(pod))}`, quote: message, at: seenAt(last) });
  }
}

/** Before 1.34 the second part was not there. */
const OWN_WORDS = /^Failed to prepare dynamic resources: (?:prepare dynamic resources: )?/;

/** Source: pkg/kubelet/cm/dra/manager.go, pkg/kubelet/cm/dra/plugin/dra_plugin_manager.go. */
function troubleOf(said: string): { readonly trouble: WordOf<'device-preparation', 'trouble'>; readonly driver?: string | undefined; readonly claim?: string | undefined } {
  const driver = /DRA driver (\S{1,253}) is not registered/.exec(said)?.[1] ?? /plugin name (\S{1,253}) not found in the list of registered DRA plugins/.exec(said)?.[1];
  if (driver !== undefined) return { trouble: 'driver-not-registered', driver };
  const claim = /ResourceClaim ([^\s:]{1,253})/.exec(said)?.[1];
  if (said.includes('NodePrepareResources')) return { trouble: 'driver', claim };
  if (said.startsWith('fetch ResourceClaim')) return { trouble: 'claim-not-found', claim };
  if (said.includes('is not allowed to use ResourceClaim')) return { trouble: 'not-reserved', claim };
  return { trouble: said.endsWith('not allocated') ? 'not-allocated' : 'other', claim };
}
