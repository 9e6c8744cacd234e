import { ANYTHING } from '../../../model/fact.ts';
import { unseenIn } from '../../../model/cluster-reader.ts';
import { selectorOfFields } from '../../../model/selectors.ts';
import { isGated } from '../../objects/scheduling-gates.ts';
import { eventFact } from '../../events/events.ts';
import { conditionFacts } from '../../objects/conditions.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { waitingPods } from '../fit/waiting-pods.ts';

/** What makes nodes for Karpenter. They are not namespaced: their events are in namespace default. Source: kubernetes-sigs/karpenter pkg/apis. */
const KINDS = ['NodePool', 'NodeClaim'] as const;
const NAMESPACE = 'default';

/**
 * `event` facts of what makes nodes, for a target whose pods fit none: a scope of all namespaces has them anyway; and `condition` facts of
 * the nodes that are on the way for pods.
 */
export async function collectProvisioners(scene: Scene, sink: FactSink): Promise<void> {
  await claimedNodes(scene, sink);
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

/** Karpenter names the NodeClaim in an event of the pod. Source: kubernetes-sigs/karpenter pkg/controllers/provisioning/scheduling/events.go. */
const NOMINATED = /\bnodeclaim\/([a-z0-9][a-z0-9.-]{0,252})/;
const MAX_CLAIMS = 20;

async function claimedNodes(scene: Scene, sink: FactSink): Promise<void> {
  const names = new Set<string>();
  for (const { kind, fields } of sink.facts) {
    const name = kind === 'event' && fields['reason'] === 'Nominated' ? NOMINATED.exec(String(fields['message']))?.[1] : undefined;
    if (name !== undefined) names.add(name);
  }
  for (const name of [...names].slice(0, MAX_CLAIMS)) {
    const ref = { kind: 'NodeClaim', name };
    const read = await scene.survey.get(ref);
    if (read.ok) conditionFacts(read.value, scene, sink);
    else if (read.why !== 'absent') sink.gap('condition', ref, read);
  }
}
