import { ANYTHING } from '../../../model/fact.ts';
import { unseenIn } from '../../../model/cluster-reader.ts';
import { selectorOfFields } from '../../../model/selectors.ts';
import { isGated } from '../../objects/scheduling-gates.ts';
import { eventFact } from '../../events/events.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { waitingPods } from '../fit/waiting-pods.ts';

/** What makes nodes for Karpenter. They are not namespaced: their events are in namespace default. Source: kubernetes-sigs/karpenter pkg/apis. */
const KINDS = ['NodePool', 'NodeClaim'] as const;
const NAMESPACE = 'default';

/** `event` facts of what makes nodes, for a target whose pods fit none: a scope of all namespaces has them anyway. */
export async function collectProvisionerEvents(scene: Scene, sink: FactSink): Promise<void> {
  if (scene.request.target === undefined) return;
  const waiting = (await waitingPods(scene)).some(({ pod, tried }) => tried === true && !isGated(pod));
  if (!waiting) return;
  for (const kind of KINDS) {
    const list = await scene.survey.list('Event', {
      namespace: NAMESPACE,
      fieldSelector: selectorOfFields({ 'involvedObject.kind': kind }),
    });
    const unseen = unseenIn(list);
    if (unseen !== undefined) sink.gap('event', { kind, name: ANYTHING }, unseen);
    for (const event of list.ok ? list.value : []) await eventFact(event, undefined, scene, sink);
  }
}
