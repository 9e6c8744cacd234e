import { parseInstant } from '../../../base/instant.ts';
import { asText, dig } from '../../../base/json.ts';
import type { Unread } from '../../../model/cluster-reader.ts';
import { ANYTHING } from '../../../model/fact.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { formatRef, inNamespace, objectKey, refOf, shows } from '../../../model/kube-object.ts';
import { CLIENT_ANSWER } from '../../../model/record-kinds.ts';
import { eventFactsOf, readEvent } from '../../events/events.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import { conditionOf, conditionStatus, isReady } from '../../objects/pods.ts';
import { manifestsOf } from '../../request/answers/manifests.ts';
import type { Scene } from '../../survey/scene.ts';
import { templateOf } from '../../objects/workloads.ts';
import { credentialFacts } from './kubelet-credentials.ts';
import { conditionTroubles } from './node-troubles.ts';
import { serviceFacts } from './node-services.ts';
import { formatTaint, taintsOf } from '../fit/taints.ts';
import { waitingPods } from '../fit/waiting-pods.ts';
import { belonging, isOver, nodeOf } from '../fit/placement-view.ts';
import { parseSaid } from '../fit/scheduler-message.ts';

/**
 * `node`, `node-service` and `node-use` facts: the nodes that the scene involves, and the pods that suffer from those that are not well.
 */
export async function collectNodes(scene: Scene, sink: FactSink): Promise<void> {
  const sickByService = await serviceFacts(scene, sink);
  const found = await findNodes(scene, sink);
  const sick = new Set(sickByService);
  for (const node of found.nodes) {
    nodeFact(node, scene, sink);
    conditionTroubles(node, scene, sink);
    if (isWell(node)) continue;
    sick.add(node.metadata.name);
    if (scene.request.target !== undefined) await eventFactsOf(node, scene, sink);
  }
  await credentialFacts(found.nodes, scene, sink);
  const waiting = await waitingPods(scene);
  for (const { name, evidence, quote, source } of await goneNodes(scene, found)) {
    sick.add(name);
    sink.fact('node', { kind: 'Node', name }, { exists: false, evidence }, { source, quote });
    for (const { pod, said, source: where } of waiting) {
      if (said !== undefined && hasNoNodes(said, scene))
        sink.fact('node-use', refOf(pod), { node: name, how: 'kept-off', ready: false, started: false }, { source: where, quote: said });
    }
  }
  for (const pod of scene.pods) useFact(pod, sick, scene, sink);
  for (const { name, pod } of await namedByManifests(scene, found))
    sink.fact(
      'node-use',
      pod,
      { node: name, how: 'named', started: false },
      { source: `manifest of ${formatRef(pod)}`, quote: `spec.nodeName: ${name}` },
    );
  for (const workload of scene.workloads) {
    const node = asText(dig(templateOf(workload), 'spec', 'nodeName'));
    if (node !== undefined && sick.has(node))
      sink.fact(
        'node-use',
        refOf(workload),
        { node, how: 'named' },
        { source: objectKey(workload), quote: `template spec.nodeName: ${node}` },
      );
  }
}

interface FoundNodes {
  readonly nodes: readonly KubeObject[];
  /** Names that the cluster says it does not have, with its words. */
  readonly absent: ReadonlyMap<string, string>;
  /** Every node of the cluster is among them. */
  readonly all: boolean;
}

/** All nodes for a scope or an unscheduled pod; else the nodes of the pods. */
async function findNodes(scene: Scene, sink: FactSink): Promise<FoundNodes> {
  const waits = scene.judged.some((pod) => nodeOf(pod) === undefined && shows(pod, 'spec.nodeName') && !isOver(pod));
  const names = [
    ...new Set([
      // Others stand only for pods whose node was seen.
      ...scene.judged.flatMap((pod) => nodeOf(pod) ?? []),
      ...scene.workloads.flatMap((workload) => asText(dig(templateOf(workload), 'spec', 'nodeName')) ?? []),
    ]),
  ];
  if (scene.request.target === undefined || waits) return allNodes(names, scene, sink);
  const absent = new Map<string, string>();
  const nodes: KubeObject[] = scene.others.filter(({ kind }) => kind === 'Node');
  for (const name of names.slice(0, NODE_READS)) {
    if (nodes.some(({ metadata }) => metadata.name === name)) continue;
    const read = await scene.survey.get({ kind: 'Node', name });
    if (read.ok) nodes.push(read.value);
    else if (read.why === 'absent') absent.set(name, read.detail);
    else nodeGaps({ kind: 'Node', name }, read, sink);
  }
  return { nodes, absent, all: false };
}

async function allNodes(names: readonly string[], scene: Scene, sink: FactSink): Promise<FoundNodes> {
  const list = await scene.survey.list('Node', {});
  if (!list.ok) {
    nodeGaps({ kind: 'Node', name: ANYTHING }, list, sink);
    return { nodes: [], absent: new Map(), all: false };
  }
  const all = list.partial === undefined;
  const present = new Set(list.value.map(({ metadata }) => metadata.name));
  const missing = all ? names.filter((name) => !present.has(name)) : [];
  return {
    nodes: list.value,
    absent: new Map(missing.map((name) => [name, `node ${name} is not among the ${String(present.size)} nodes of the cluster`])),
    all,
  };
}

function nodeGaps(about: ObjectRef, unread: Unread, sink: FactSink): void {
  for (const kind of ['node', 'node-trouble'] as const) sink.gap(kind, about, unread);
}

/** A workload spread over hundreds of nodes is judged by some of them. */
const NODE_READS = 6;

function nodeFact(node: KubeObject, scene: Scene, sink: FactSink): void {
  const ready = conditionOf(node, 'Ready');
  const since = parseInstant(dig(ready, 'lastTransitionTime'));
  const pressure = (type: string): boolean | undefined => {
    const status = conditionStatus(node, type);
    return status === undefined ? undefined : status === 'True';
  };
  const taints = taintsOf(node);
  const [status, reason, message] = [asText(dig(ready, 'status')), asText(dig(ready, 'reason')), asText(dig(ready, 'message'))];
  const bad = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'].filter((type) => pressure(type) === true);
  sink.fact(
    'node',
    refOf(node),
    {
      exists: true,
      ready: status,
      reason,
      message,
      sinceSeconds: since === undefined ? undefined : Math.max(0, Math.round((scene.survey.now() - since) / 1000)),
      schedulable: isSchedulable(node),
      memoryPressure: pressure('MemoryPressure'),
      diskPressure: pressure('DiskPressure'),
      pidPressure: pressure('PIDPressure'),
      networkUnavailable: pressure('NetworkUnavailable'),
      taints: taints === undefined ? undefined : taints.map(formatTaint).join(', '),
      kubelet: asText(dig(node, 'status', 'nodeInfo', 'kubeletVersion')),
      runtime: asText(dig(node, 'status', 'nodeInfo', 'containerRuntimeVersion')),
    },
    {
      source: `${objectKey(node)} status`,
      quote: [
        `Ready=${status ?? '?'}`,
        reason,
        message,
        ...bad.map((type) => `${type}=True`),
        ...(isSchedulable(node) === false ? ['unschedulable'] : []),
        ...(taints === undefined || taints.length === 0 ? [] : [`taints: ${taints.map(formatTaint).join(', ')}`]),
      ]
        .filter((part) => part !== undefined && part !== '')
        .join(' '),
      at: since,
    },
  );
}

function isSchedulable(node: KubeObject): boolean | undefined {
  const cordoned = dig(node, 'spec', 'unschedulable');
  if (cordoned === undefined) return shows(node, 'spec.unschedulable') ? true : undefined;
  return cordoned !== true;
}

/** A cordon is somebody's wish, not a trouble of the node. */
function isWell(node: KubeObject): boolean {
  const ready = conditionStatus(node, 'Ready');
  if (ready !== undefined && ready !== 'True') return false;
  return !['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'].some((type) => conditionStatus(node, type) === 'True');
}

interface GoneNode {
  readonly name: string;
  readonly evidence: 'deleted' | 'named';
  readonly quote: string;
  readonly source: string;
}

/**
 * Nodes that pods or commands name and that are no more: `deleted` where something shows that they were there. Pods that are ready
 * contradict it.
 */
async function goneNodes(scene: Scene, found: FoundNodes): Promise<readonly GoneNode[]> {
  const gone = new Map<string, GoneNode>();
  for (const [name, detail] of found.absent) {
    const there = scene.pods.filter((pod) => nodeOf(pod) === name);
    if (there.length > 0 && there.every((pod) => isReady(pod) === true)) continue;
    const ran = there.find((pod) => isReady(pod) !== true && hasBegun(pod));
    gone.set(name, {
      name,
      evidence: ran === undefined ? 'named' : 'deleted',
      quote: ran === undefined ? detail : `${detail}; ${objectKey(ran)} ran there`,
      source: `Node/${name}`,
    });
  }
  for (const { name } of await namedByManifests(scene, found))
    if (!gone.has(name))
      gone.set(name, {
        name,
        evidence: 'named',
        quote: `node ${name} is not in the list of nodes (${String(found.nodes.length)})`,
        source: `Node/${name}`,
      });
  const exists = (name: string): boolean => found.nodes.some(({ metadata }) => metadata.name === name);
  for (const node of await deletedByCommands(scene)) if (!exists(node.name)) gone.set(node.name, node);
  if (found.all && scene.request.target === undefined)
    for (const event of await nodeEvents(scene)) if (!exists(event.name)) gone.set(event.name, event);
  return [...gone.values()];
}

function hasBegun(pod: KubeObject): boolean {
  return dig(pod, 'status', 'startTime') !== undefined || dig(pod, 'status', 'hostIP') !== undefined;
}

/** Nodes that kubectl says to have deleted. */
async function deletedByCommands(scene: Scene): Promise<readonly GoneNode[]> {
  const answers = await scene.survey.seen(CLIENT_ANSWER, {});
  return answers.flatMap((answer) => {
    const output = (asText(dig(answer, 'spec', 'output')) ?? '').slice(0, 10_000);
    const source = asText(dig(answer, 'spec', 'command')) ?? 'kubectl delete node';
    return [...output.matchAll(/^node(?:\/| ")([a-z0-9.-]+)"? deleted/gm)].flatMap(([, name]) =>
      name === undefined ? [] : { name, evidence: 'deleted' as const, quote: `node "${name}" deleted`, source },
    );
  });
}

/** Pods of manifests that ask for a node that is not there: the cluster collects such pods again, and only the manifest is left to tell. */
async function namedByManifests(scene: Scene, found: FoundNodes): Promise<readonly { readonly name: string; readonly pod: ObjectRef }[]> {
  if (!found.all || scene.request.target !== undefined) return [];
  return (await manifestsOf(scene)).flatMap(({ ref, object }) => {
    const node = nodeOf(object);
    if (ref.kind !== 'Pod' || node === undefined || found.nodes.some(({ metadata }) => metadata.name === node)) return [];
    const isThere = scene.pods.some(({ metadata: { name, namespace } }) => name === ref.name && namespace === (ref.namespace ?? namespace));
    return isThere ? [] : [{ name: node, pod: ref }];
  });
}

const REMOVED = new Set(['RemovingNode', 'DeletingNode']);

async function nodeEvents(scene: Scene): Promise<readonly GoneNode[]> {
  const { namespace } = scene.request;
  const list = await scene.survey.seen('Event', inNamespace(namespace));
  return list.flatMap((event) => {
    const { involved, reason, message } = readEvent(event);
    if (involved.kind !== 'Node' || involved.name === '' || !REMOVED.has(reason)) return [];
    const { name } = involved;
    return [{ name, evidence: 'deleted' as const, quote: `${reason}: ${message}`, source: `event on Node/${name}` }];
  });
}

function useFact(pod: KubeObject, sick: ReadonlySet<string>, scene: Scene, sink: FactSink): void {
  const node = nodeOf(pod);
  if (node === undefined || !sick.has(node) || isOver(pod)) return;
  const ref: ObjectRef = refOf(pod);
  const ready = isReady(pod);
  sink.fact(
    'node-use',
    ref,
    { node, how: 'bound', ready, started: dig(pod, 'status', 'startTime') !== undefined },
    { source: belonging(pod, scene), quote: `node: ${node}${ready === undefined ? '' : `, ready: ${String(ready)}`}` },
  );
}

/** The scheduler says that there is no node at all. */
function hasNoNodes(said: string, { survey }: Scene): boolean {
  return parseSaid(said, survey.vocabulary)?.reasons.some(({ blocker }) => blocker === 'no-nodes') === true;
}
