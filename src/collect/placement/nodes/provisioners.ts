import type { Fact } from '../../../model/fact.ts';
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
 * For pods that fit no node: `condition` facts of the NodePools, and `event` facts of what makes nodes, which a scope of all namespaces has
 * anyway. Besides them `condition` facts of the nodes that are on the way for pods.
 */
export async function collectProvisioners(scene: Scene, sink: FactSink): Promise<void> {
  await claimedNodes(scene, sink);
  const waiting = (await waitingPods(scene)).some(({ pod, tried }) => tried === true && !isGated(pod));
  if (!waiting) return;
  await poolConditions(scene, sink);
  if (scene.request.target === undefined) return;
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

/**
 * `condition` facts of the NodePools. Most clusters have none, and then nobody may be allowed to list them either: a list that was refused
 * is a gap only where Karpenter is at work.
 */
async function poolConditions(scene: Scene, sink: FactSink): Promise<void> {
  const list = await scene.survey.list('NodePool', {});
  for (const pool of list.ok ? list.value : []) conditionFacts(pool, scene, sink);
  if (!list.ok && list.why === 'absent') return;
  const unseen = unseenIn(list);
  if (unseen !== undefined && sink.facts.some(isOfKarpenter)) sink.gap('condition', { kind: 'NodePool', name: ANYTHING }, unseen);
}

function isOfKarpenter({ kind, about, fields }: Fact): boolean {
  return (KINDS as readonly string[]).includes(about.kind) || (kind === 'event' && fields['component'] === 'karpenter');
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
