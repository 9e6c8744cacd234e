import type { Vocabulary } from '../../survey/vocabulary.ts';
import { asText, dig } from '../../../base/json.ts';
import type { ListRead } from '../../../model/cluster-reader.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { formatRef, objectKey, refOf } from '../../../model/kube-object.ts';
import type { FactSink, FieldValues } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { valuesOf } from './blocker-values.ts';
import type { Decided, Decision } from './decide-fit.ts';
import { decideFit, isControlPlaneOnly } from './decide-fit.ts';
import { readPlacement } from './read-placement.ts';
import { podViewer } from './pod-view.ts';
import type { NodeFit } from './node-refusals.ts';
import { nodeFitter } from './node-refusals.ts';
import { parseSaid } from './scheduler-message.ts';
import { isConditionTaint } from './taints.ts';
import { isGated } from '../../objects/scheduling-gates.ts';
import type { WaitingPod } from './waiting-pods.ts';
import { waitingPods } from './waiting-pods.ts';
import { commandWord, describePodCommand, namespaceFlag } from '../../../model/placeholders.ts';

/** `node-fit` and `fit-summary` facts for every pod that waits for a node, and `node-use` facts where a sick node keeps it off. */
export async function collectNodeFit(scene: Scene, sink: FactSink): Promise<void> {
  const waiting = (await waitingPods(scene)).filter(({ pod, tried }) => tried !== false && !isGated(pod));
  if (waiting.length === 0) return;
  const viewer = await podViewer(scene);
  const said = waiting.map((one) => readSaid(one.said, scene.survey.vocabulary));
  const nodes = await scene.survey.list('Node', {});
  if (!nodes.ok) for (const { pod } of waiting) sink.gap('node-fit', refOf(pod), nodes);
  const world = await readPlacement(
    scene,
    nodes.ok ? nodes.value : [],
    waiting.map(({ pod }) => viewer(pod)),
    said,
  );
  const fitNodes = nodeFitter(world);
  const fits = new Map<string, readonly NodeFit[]>();
  const summaries = new Map<string, Summary>();
  for (const [index, one] of waiting.entries()) {
    const view = viewer(one.pod);
    const shape = shapeOf(one.pod, scene);
    const known = fits.get(shape) ?? fitNodes(view);
    if (!fits.has(shape)) for (const fit of nearestFirst(known).slice(0, NODE_FACTS)) nodeFitFact(one.pod, fit, sink);
    fits.set(shape, known);
    if (isUnheard(one) && isControlPlaneOnly(known)) {
      sink.gap('fit-summary', refOf(one.pod), unheard(one.pod));
      continue;
    }
    const key = `${shape} ${one.said ?? ''}`;
    const seen = isPartial(nodes) ? [] : known;
    const summary = summaries.get(key) ?? summaryOf(decideFit(view, seen, said[index]), (decision) => valuesOf(decision, view, world));
    summaries.set(key, summary);
    summaryFacts(one, summary, { all: nodes, said: said[index]?.nodes, seen: known.length }, sink);
  }
}

/** The scheduler has tried, so that it has said why no node fits; its words are in the pod's events and condition. */
function unheard({ metadata }: KubeObject): { readonly detail: string; readonly needs: string } {
  return {
    detail: `the scheduler's message about pod ${metadata.name} was not seen`,
    needs: describePodCommand(metadata),
  };
}

/** A report that lists every node of a large cluster helps nobody. */
const NODE_FACTS = 50;

/** With only some of the nodes nothing can be said of all. */
function isPartial(nodes: ListRead): boolean {
  return !nodes.ok || nodes.partial !== undefined;
}

function nearestFirst(fits: readonly NodeFit[]): readonly NodeFit[] {
  return fits.toSorted((a, b) => a.refusals.length - b.refusals.length);
}

/** Pods of one controller and one template fit the same nodes. */
function shapeOf(pod: KubeObject, scene: Scene): string {
  const owner = scene.workloadOf(refOf(pod));
  const hash = asText(dig(pod, 'metadata', 'labels', 'pod-template-hash'));
  return owner?.kind === 'Deployment' && hash !== undefined ? `${formatRef(owner)} ${hash}` : objectKey(pod);
}

function nodeFitFact(pod: KubeObject, { node, refusals, unknown }: NodeFit, sink: FactSink): void {
  const [first] = refusals;
  if (first === undefined && unknown.length > 0) {
    sink.gap('node-fit', refOf(pod), {
      detail: `cannot check whether pod ${pod.metadata.name} fits node ${node.metadata.name}: not read: ${unknown.join(', ')}`,
    });
    return;
  }
  const detail = refusals.map((refusal) => refusal.detail).join('; ');
  sink.fact(
    'node-fit',
    refOf(pod),
    {
      node: node.metadata.name,
      fits: first === undefined,
      blocker: first?.blocker,
      resource: first?.resource,
      detail: first === undefined ? undefined : detail,
    },
    { source: `Node/${node.metadata.name}`, quote: first === undefined ? 'passes all scheduler filters' : detail },
  );
}

/** What is the same for all pods of one shape that were told the same. */
interface Summary {
  readonly decided: Decided;
  readonly values: FieldValues<'fit-summary'>;
}

function summaryOf(decided: Decided, values: (decision: Decision) => FieldValues<'fit-summary'>): Summary {
  if (decided.kind === 'open') return { decided, values: {} };
  const { decision } = decided;
  const detail = decision.refused
    .slice(0, DETAILED)
    .map(({ node, refusal }) => `${node.metadata.name}: ${refusal.detail}`)
    .join('; ');
  const told = {
    blocker: decision.blocker,
    blocked: decision.blocked,
    node: decision.refused[0]?.node.metadata.name,
    detail: detail === '' ? decision.reason?.words : detail,
    from: decision.from,
  };
  return { decided, values: { ...values(decision), ...told } };
}

const DETAILED = 6;

/** The nodes that were read, and how many there are by them and by the scheduler's words. */
interface Nodes {
  readonly all: ListRead;
  readonly said: number | undefined;
  readonly seen: number;
}

function summaryFacts(
  { pod, said, saidAt, source, displaced, displacedBy }: WaitingPod,
  { decided, values }: Summary,
  nodes: Nodes,
  sink: FactSink,
): void {
  const ref = refOf(pod);
  if (decided.kind === 'open') {
    const needs = `kubectl${namespaceFlag(ref.namespace)} get pod ${commandWord(ref.name)} -o yaml`;
    if (decided.unknown.length > 0)
      sink.gap('fit-summary', ref, {
        detail: `cannot check why no node fits pod ${pod.metadata.name}: not read: ${decided.unknown.join(', ')}${said === undefined ? '' : `; the scheduler: ${said}`}`,
        needs,
      });
    else if (!nodes.all.ok) sink.gap('fit-summary', ref, nodes.all);
    return;
  }
  const quote = said ?? values.detail ?? '';
  const count = decided.decision.from === 'nodes' ? nodes.seen : (nodes.said ?? nodes.seen);
  sink.fact(
    'fit-summary',
    ref,
    { ...values, nodes: count, displaced, displacedBy, said },
    { source: said === undefined ? `${formatRef(ref)} and its nodes` : source, quote, at: saidAt },
  );
  for (const { node, refusal } of decided.decision.refused.slice(0, NODE_FACTS)) {
    if (refusal.taint === undefined || !isConditionTaint(refusal.taint.key)) continue;
    sink.fact(
      'node-use',
      ref,
      { node: node.metadata.name, how: 'kept-off', ready: false, started: false },
      { source, quote: said ?? `${node.metadata.name}: ${refusal.detail}` },
    );
  }
}

function readSaid(said: string | undefined, vocabulary: Vocabulary): ReturnType<typeof parseSaid> | undefined {
  return said === undefined ? undefined : parseSaid(said, vocabulary);
}

/** Whether the scheduler has tried the pod, and what it said was not seen. */
function isUnheard({ tried, said }: Awaited<ReturnType<typeof waitingPods>>[number]): boolean {
  return tried === true && said === undefined;
}
