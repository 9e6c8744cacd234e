import type { Instant } from '../../base/instant.ts';
import { formatDuration } from '../../base/duration.ts';
import { parseInstant } from '../../base/instant.ts';
import { asList, asText, dig, isJsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf, shows } from '../../model/kube-object.ts';
import type { StageId } from '../../model/stage.ts';
import type { PodContainer } from '../containers/containers.ts';
import { containersOf } from '../containers/containers.ts';
import type { Patience } from '../containers/starting.ts';
import { startupPatience } from '../containers/starting.ts';
import { heldUpAt } from '../containers/held-up.ts';
import { withoutPodsWords } from './targets.ts';
import { endingPatience } from './ending-patience.ts';
import { printedStage } from './printed-stages.ts';
import type { SeenEvent } from '../events/events.ts';
import { podEvents } from '../events/pod-events.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { conditionOf, conditionStatus, lastTransition } from './pods.ts';
import type { Scene } from '../survey/scene.ts';
import { countsOf } from './workloads.ts';
import { PULL_REASONS } from '../images/images.ts';

/** One stage's state as an object's own status tells it. */
export interface Milestone {
  /** `unknown` says why it could not be seen; `not-needed`, that neither this stage nor those behind it are there for it. */
  readonly state: 'passed' | 'waiting' | 'failed' | 'unknown' | 'not-needed';
  readonly reason?: string | undefined;
  readonly at?: Instant | undefined;
  /** For how long startup probes may still fail, or the pod's end may take. */
  readonly patienceSeconds?: number | undefined;
}

/** `milestone` facts: which stages each pod has passed, and how far workloads without pods have come. */
export async function collectMilestones(scene: Scene, sink: FactSink): Promise<void> {
  const events = await podEvents(scene);
  const isAsked = scene.survey.vocabulary.asks('milestone', { state: 'passed' });
  for (const pod of scene.judged) {
    const now = scene.survey.now();
    const milestones = ending(patiently(podMilestones(pod, events.of(pod)), startupPatience(pod, now)), pod, now);
    // Of a pod that is well the last stage that it has passed says all.
    const told = isAsked || !scene.standing.has(pod) ? milestones : milestones.slice(-1);
    for (const [stage, milestone] of told) milestoneFact(pod, stage, milestone, sink);
  }
  // What was asked for and is neither pod nor workload is there all the same.
  for (const other of scene.others) milestoneFact(other, 'persistence', { state: 'passed' }, sink);
  for (const workload of scene.workloads) workloadMilestones(workload, scene, sink);
}

function workloadMilestones(workload: KubeObject, scene: Scene, sink: FactSink): void {
  const created = parseInstant(dig(workload, 'metadata', 'creationTimestamp'));
  milestoneFact(workload, 'persistence', { state: 'passed', at: created }, sink);
  if (workload.kind === 'CronJob') cronMilestone(workload, scene, sink);
  const { desired, current } = countsOf(workload, scene);
  if (desired === undefined || current === undefined || scene.workloadOf(refOf(workload))?.name !== workload.metadata.name) return;
  if (desired === 0 && current === 0)
    milestoneFact(workload, 'controllers', { state: 'not-needed', reason: withoutPodsWords(workload) }, sink);
  else if (current < desired)
    milestoneFact(workload, 'controllers', { state: 'waiting', reason: `${String(current)} of ${String(desired)} pods exist` }, sink);
  else if (desired > 0) milestoneFact(workload, 'controllers', { state: 'passed' }, sink);
}

/** A pod that was told to end says for how long that may take. */
function ending(milestones: PodMilestones, pod: KubeObject, now: Instant): PodMilestones {
  const patience = endingPatience(pod, now);
  if (patience === undefined || milestones.at(-1)?.[1].state === 'failed') return milestones;
  const { reason, seconds: patienceSeconds } = patience;
  const before = milestones.filter(([stage]) => stage !== 'containers' && stage !== 'probes');
  return [...before, ['containers', { state: 'waiting', reason, patienceSeconds }]];
}

/** A pod that waits for a startup probe alone says for which, and for how long it may. */
function patiently(milestones: PodMilestones, patience: Patience | undefined): PodMilestones {
  if (patience === undefined) return milestones;
  const { container, seconds } = patience;
  const reason = `startup probe of container ${container} has ${formatDuration(seconds)} left`;
  return milestones.map(([stage, milestone]) =>
    milestone.state === 'waiting' ? [stage, { ...milestone, reason, patienceSeconds: seconds }] : [stage, milestone],
  );
}

/** Between two runs there is nothing of a CronJob to be looked at. */
function cronMilestone(cronJob: KubeObject, scene: Scene, sink: FactSink): void {
  const ref = refOf(cronJob);
  if (scene.unlisted.has('Pod') || scene.unlisted.has('Job') || scene.podsOf(ref).length > 0 || scene.workloadsUnder(ref).length > 0)
    return;
  const reason =
    dig(cronJob, 'spec', 'suspend') === true
      ? 'it is suspended'
      : dig(cronJob, 'status', 'lastScheduleTime') === undefined
        ? 'it has not run yet'
        : 'none of its runs is there any more';
  milestoneFact(cronJob, 'controllers', { state: 'not-needed', reason }, sink);
}

export function milestoneFact(object: KubeObject, stage: StageId, { state, reason, at, patienceSeconds }: Milestone, sink: FactSink): void {
  const ref = refOf(object);
  sink.fact(
    'milestone',
    ref,
    { stage, state, reason, patienceSeconds },
    { source: `${formatRef(ref)} status`, quote: `${stage} ${state}${reason === undefined ? '' : `: ${reason}`}`, at },
  );
}

/** Source: pkg/kubelet/events/event.go. */
const PULL_EVENTS = new Set(['Pulling', 'Pulled', 'Failed', 'BackOff', 'Created', 'Started']);
const BEFORE_PULL = new Set(['ContainerCreating', 'PodInitializing']);

/** What a table shows as ready has passed all these, though it shows nothing of the containers. */
const READY_STAGES: readonly StageId[] = ['kubelet', 'volumes', 'sandbox', 'network', 'images', 'containers', 'probes'];

type PodMilestones = readonly (readonly [StageId, Milestone])[];

function podMilestones(pod: KubeObject, events: readonly SeenEvent[]): PodMilestones {
  const created = parseInstant(dig(pod, 'metadata', 'creationTimestamp'));
  const base: readonly (readonly [StageId, Milestone])[] = [
    ['persistence', { state: 'passed', at: created }],
    ['controllers', { state: 'passed', at: created }],
    ...scheduling(pod),
  ];
  if (!isPlaced(pod)) return base;
  const rejected = rejection(pod);
  if (rejected !== undefined) return [...base, ['kubelet', rejected]];
  const containers = containersOf(pod).filter(({ role }) => role !== 'ephemeral');
  const accepted = containers.some(({ status }) => status !== undefined) || dig(pod, 'status', 'startTime') !== undefined;
  if (!accepted && conditionStatus(pod, 'Ready') === 'True')
    return [...base, ...READY_STAGES.map((stage) => [stage, { state: 'passed' }] as const)];
  if (!accepted) return [...base, ...notReported(pod)];
  const kubelet: readonly [StageId, Milestone] = ['kubelet', { state: 'passed', at: parseInstant(dig(pod, 'status', 'startTime')) }];
  // Whoever left out its containers left out how far they are.
  if (containers.length === 0 && !shows(pod, 'status.containerStatuses.ready')) return [...base, kubelet, ...notReported(pod)];
  return [...base, kubelet, ...onNode(pod, containers, events)];
}

/** Of a pod without statuses of containers. */
function notReported(pod: KubeObject): readonly (readonly [StageId, Milestone])[] {
  if (shows(pod, 'status.containerStatuses.ready')) return [['kubelet', { state: 'waiting', reason: 'no word from the kubelet yet' }]];
  const printed = printedStage(pod, PULL_REASONS, conditionStatus(pod, 'Ready'));
  if (printed === undefined) return [];
  const { passed, stage, state, reason } = printed;
  return [...passed.map((one) => [one, { state: 'passed' }] as const), [stage, { state, reason }]];
}

/** Where the node was not seen, what only a kubelet reports shows that there is one. */
function isPlaced(pod: KubeObject): boolean {
  return (
    dig(pod, 'spec', 'nodeName') !== undefined ||
    dig(pod, 'status', 'phase') === 'Running' ||
    conditionStatus(pod, 'PodScheduled') === 'True' ||
    containersOf(pod).some(({ status }) => status !== undefined)
  );
}

/** A pod whose node was not seen may have one: without its PodScheduled condition nothing says that it waits for one. */
function scheduling(pod: KubeObject): readonly (readonly [StageId, Milestone])[] {
  const condition = conditionOf(pod, 'PodScheduled');
  if (isPlaced(pod)) return [['scheduling', { state: 'passed', at: parseInstant(dig(condition, 'lastTransitionTime')) }]];
  const isKnown = condition !== undefined || shows(pod, 'spec.nodeName') || dig(pod, 'status', 'phase') === 'Pending';
  return isKnown ? [['scheduling', { state: 'waiting', reason: asText(dig(condition, 'reason')) ?? 'not scheduled yet' }]] : [];
}

/** A pod its kubelet refused is Failed with a reason and has no container statuses. Source: pkg/kubelet/kubelet.go (rejectPod). */
function rejection(pod: KubeObject): Milestone | undefined {
  const reason = asText(dig(pod, 'status', 'reason'));
  const refused =
    dig(pod, 'status', 'phase') === 'Failed' && reason !== undefined && asList(dig(pod, 'status', 'containerStatuses')).length === 0;
  return refused ? { state: 'failed', reason } : undefined;
}

function onNode(
  pod: KubeObject,
  containers: readonly PodContainer[],
  events: readonly SeenEvent[],
): readonly (readonly [StageId, Milestone])[] {
  if (containers.some(isUnreasoned)) return [];
  if (!hasSandbox(pod, containers)) return [['volumes', { state: 'waiting', reason: 'ContainerCreating' }]];
  const held = heldUp(pod, events);
  if (held !== undefined) return held;
  const ready = lastTransition(pod, 'PodReadyToStartContainers');
  const reached: [StageId, Milestone][] = [
    ['volumes', { state: 'passed', at: ready }],
    ['sandbox', { state: 'passed', at: ready }],
    ['network', dig(pod, 'status', 'podIP') === undefined ? { state: 'passed' } : { state: 'passed', at: ready }],
  ];
  const unpulled = containers.find(({ status }) => PULL_REASONS.has(asText(dig(status, 'state', 'waiting', 'reason')) ?? ''));
  if (unpulled !== undefined)
    return [...reached, ['images', { state: 'failed', reason: asText(dig(unpulled.status, 'state', 'waiting', 'reason')) }]];
  const pulling = beingPulled(containers, events);
  if (pulling !== undefined) return [...reached, ['images', { state: 'waiting', reason: `pulling the image of container ${pulling}` }]];
  reached.push(['images', { state: 'passed' }]);
  if (containers.some(isUntold)) return reached;
  reached.push(['containers', running(pod, containers)]);
  if (dig(pod, 'status', 'phase') === 'Succeeded')
    return [...reached, ['probes', { state: 'not-needed', reason: 'its containers have ended' }]];
  if (reached.at(-1)?.[1].state !== 'passed') return reached;
  const readiness = conditionStatus(pod, 'Ready') ?? readinessOf(containers);
  if (readiness === undefined) return reached;
  return [
    ...reached,
    ['probes', readiness === 'True' ? { state: 'passed', at: lastTransition(pod, 'Ready') } : { state: 'waiting', reason: 'not ready' }],
  ];
}

function hasSandbox(pod: KubeObject, containers: readonly PodContainer[]): boolean {
  const begun = containers.some(
    ({ status }) => status !== undefined && !BEFORE_PULL.has(asText(dig(status, 'state', 'waiting', 'reason')) ?? ''),
  );
  return conditionStatus(pod, 'PodReadyToStartContainers') === 'True' || dig(pod, 'status', 'podIP') !== undefined || begun;
}

/** It had all that once, and waits for it again. */
function heldUp(pod: KubeObject, events: readonly SeenEvent[]): readonly (readonly [StageId, Milestone])[] | undefined {
  const stage = heldUpAt(pod, events);
  if (stage === undefined) return undefined;
  const before: readonly (readonly [StageId, Milestone])[] = stage === 'sandbox' ? [['volumes', { state: 'passed' }]] : [];
  return [...before, [stage, { state: 'failed', reason: stage === 'sandbox' ? 'FailedCreatePodSandBox' : 'FailedMount' }]];
}

/** The container whose pull has begun and not ended. The status says of it what it says of one whose image is there: ContainerCreating. */
function beingPulled(containers: readonly PodContainer[], events: readonly SeenEvent[]): string | undefined {
  return containers.find(({ name, status }) => {
    if (!BEFORE_PULL.has(asText(dig(status, 'state', 'waiting', 'reason')) ?? '')) return false;
    return events.findLast((event) => event.container === name && PULL_EVENTS.has(event.reason))?.reason === 'Pulling';
  })?.name;
}

/** It waits, and nothing shows for what: an alert leaves the reason out. */
function isUnreasoned({ status }: PodContainer): boolean {
  const waiting = dig(status, 'state', 'waiting');
  return isJsonObject(waiting) && waiting['reason'] === undefined;
}

/** It is not ready, and nothing shows whether it runs. */
function isUntold({ status }: PodContainer): boolean {
  return dig(status, 'ready') === false && isJsonObject(dig(status, 'state')) && Object.keys(dig(status, 'state') as object).length === 0;
}

/** Where the condition of the pod was not seen: ready as its containers are. */
function readinessOf(containers: readonly PodContainer[]): 'True' | 'False' | undefined {
  const states = containers.filter(({ role }) => role !== 'init').map(({ status }) => dig(status, 'ready'));
  if (states.includes(false)) return 'False';
  return states.length > 0 && states.every((state) => state === true) ? 'True' : undefined;
}

function running(pod: KubeObject, containers: readonly PodContainer[]): Milestone {
  for (const { role, status } of containers) {
    const waiting = asText(dig(status, 'state', 'waiting', 'reason'));
    const exitCode = dig(status, 'state', 'terminated', 'exitCode');
    if (waiting !== undefined && !BEFORE_PULL.has(waiting)) return { state: 'failed', reason: waiting };
    if (exitCode !== undefined && exitCode !== 0) return { state: 'failed', reason: asText(dig(status, 'state', 'terminated', 'reason')) };
    if (role === 'init' && dig(status, 'state', 'running') !== undefined)
      return { state: 'waiting', reason: 'an init container is still running' };
    if (waiting !== undefined || status === undefined) return { state: 'waiting', reason: waiting ?? 'not started' };
  }
  return { state: 'passed', at: lastTransition(pod, 'Initialized') };
}
