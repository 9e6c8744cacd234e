import type { Instant } from '../../base/instant.ts';
import { counted } from '../../base/counted.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { largest } from '../../base/lists.ts';
import { parseInteger } from '../../base/number.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, formatRef, refOf, shows } from '../../model/kube-object.ts';
import type { Vocabulary } from '../survey/vocabulary.ts';
import type { ContainerHealth, Ended } from './container-health.ts';
import {
  endedWithNode,
  healthOf,
  isLeaving,
  justRestarted,
  memoryLimitOf,
  neverRan,
  restartPolicyOf,
  runsOnce,
} from './container-health.ts';
import type { SeenEvent } from '../events/events.ts';
import { eventProof } from '../events/events.ts';
import type { FactSink, FieldValues, WordOf } from '../survey/fact-sink.ts';
import { failedPostStart, hasEndedItself } from './hooks.ts';
import { heldUpAt } from './held-up.ts';
import { shapeOf, tellsTrouble } from '../logs/log-lines.ts';
import type { LogRun, PodLogs } from '../logs/pod-logs.ts';
import { lastLines, podLogs } from '../logs/pod-logs.ts';
import type { PodEvents } from '../events/pod-events.ts';
import { isRecent, latestOf, podEvents } from '../events/pod-events.ts';
import { probeKills, toldKills } from '../probes/probe-kills.ts';
import type { Scene } from '../survey/scene.ts';
import { PRINTED_END, PRINTED_RESTARTS } from '../../model/record-kinds.ts';
import { commandWord, describePodCommand } from '../../model/placeholders.ts';

/** `exit` facts for containers that ended and should not have; `initializing` for init containers that run and run. */
export async function collectExits(scene: Scene, sink: FactSink): Promise<void> {
  const { vocabulary, stored } = scene.survey;
  const around = { logs: await podLogs(scene), events: await podEvents(scene), vocabulary, isLive: !stored, now: scene.survey.now() };
  const { logs, events } = around;
  for (const pod of scene.suspects) {
    if (isLeaving(pod) || endedOnPurpose(pod) || heldUpAt(pod, events.of(pod)) !== undefined) continue;
    const healths = healthOf(pod, around.now);
    for (const health of healths) {
      if (health.condition === 'busy') initializingFact(pod, health, logs, sink);
      if (!endedWithWork(pod, health, healths)) exitFact(pod, health, healths, around, sink);
    }
  }
  for (const pod of events.blind) unseenFact(pod, events.of(pod), scene, sink);
}

/**
 * A pod of which only events were seen: back-off says that a container has ended more than once, not how it ended. Only an init container
 * must have failed: one that ends well is not started again.
 */
function unseenFact(pod: KubeObject, events: readonly SeenEvent[], { survey }: Scene, sink: FactSink): void {
  const { vocabulary } = survey;
  const now = survey.now();
  const readBackOff = ({ reason, message }: SeenEvent): FieldValues<'exit'> | undefined =>
    reason === 'BackOff' ? vocabulary.read('exit', message, 'event', reason)?.fields : undefined;
  const event = events.findLast((one) => readBackOff(one)?.again === true);
  const container = event?.container ?? (event === undefined ? undefined : readBackOff(event)?.container);
  if (event === undefined || container === undefined || !isRecent(event.at, latestOf(events, now))) return;
  if (healthOf(pod, now).some(({ container: { name }, ended }) => name === container && ended !== undefined)) return;
  const startFailed = events.some(({ reason, message }) => reason === 'Failed' && message.startsWith('Error: '));
  const role = toldRole(event, events);
  const printed = role === 'main' ? printedEnd(pod) : {};
  const how = startFailed ? 'not-started' : role === 'init' ? 'error' : printed.class;
  if (how === undefined)
    sink.gap('exit', refOf(pod), {
      detail: `events do not say how container ${container} exited`,
      needs: describePodCommand(pod.metadata),
    });
  const fields: FieldValues<'exit'> = {
    ...printed,
    container,
    role,
    helper: role === 'sidecar',
    class: how,
    endedBy: toldEnder(container, events, vocabulary),
    again: true,
    up: false,
  };
  sink.fact('exit', refOf(pod), fields, eventProof(event, refOf(pod)));
}

/** What follows from a list that printed Completed for a container that is started again: see `impliedPolicy`. */
function printedEnd(pod: KubeObject): Partial<FieldValues<'exit'>> {
  const notes = annotationsOf(pod);
  if (notes[PRINTED_END] !== 'Completed') return {};
  return { class: 'completed', exitCode: 0, restartPolicy: 'Always', restarts: parseInteger(notes[PRINTED_RESTARTS]) };
}

function toldEnder(container: string, events: readonly SeenEvent[], vocabulary: Vocabulary): WordOf<'exit', 'endedBy'> | undefined {
  return (
    toldKills(container, events, vocabulary)?.probe ?? (failedPostStart(container, events) === undefined ? undefined : 'post-start-hook')
  );
}

/** The containers proper are started when all init containers are done, or run beside them: such a one is a sidecar. */
function toldRole({ isInit }: SeenEvent, events: readonly SeenEvent[]): 'main' | 'init' | 'sidecar' {
  if (!isInit) return 'main';
  const besides = events.some((other) => !other.isInit && other.container !== undefined && other.reason === 'Started');
  return besides ? 'sidecar' : 'init';
}

/** Pods ended from outside (evicted, past their deadline, preempted): how their containers ended is no fault of theirs. */
function endedOnPurpose(pod: KubeObject): boolean {
  return asText(dig(pod, 'status', 'phase')) === 'Failed' && asText(dig(pod, 'status', 'reason')) !== undefined;
}

/**
 * Sidecars are ended when the containers proper have ended and are not started again; how they exit then does not count. Source:
 * pkg/kubelet/kubelet_pods.go (getPhase).
 */
function endedWithWork(pod: KubeObject, { container, state }: ContainerHealth, healths: readonly ContainerHealth[]): boolean {
  if (container.role !== 'sidecar' || state !== 'terminated' || (restartPolicyOf(pod) ?? 'Always') === 'Always') return false;
  const work = healths.filter((one) => one.container.role === 'main');
  return work.length > 0 && work.every((one) => one.state === 'terminated');
}

/** What else was read, and whether it is of this moment. */
interface Surroundings {
  readonly logs: PodLogs;
  readonly events: PodEvents;
  readonly vocabulary: Vocabulary;
  readonly isLive: boolean;
  readonly now: Instant;
}

function exitFact(
  pod: KubeObject,
  health: ContainerHealth,
  healths: readonly ContainerHealth[],
  around: Surroundings,
  sink: FactSink,
): void {
  const { logs, events, isLive, vocabulary } = around;
  const { container, ended, restarts, state, condition } = health;
  if (container.role === 'ephemeral') return;
  if (ended === undefined) return unseenEnd(pod, health, logs, sink);
  const kills = probeKills(pod, health, around);
  if (condition !== 'failed' && !isUnsettled(health, ended, isLive)) return;
  const ref = refOf(pod);
  const unknown = unknownEnd(pod, health, ended, { events, isLive });
  if (unknown !== undefined) return sink.gap('exit', ref, unknown);
  const words = lastWords(logs.of(pod, container.name), state === 'running') ?? lastLine(ended.message);
  sink.fact(
    'exit',
    ref,
    {
      container: container.name,
      role: container.role,
      helper: isHelper(pod, health, healths),
      class: classOf(ended),
      exitCode: ended.exitCode,
      signalName: signalOf(ended.exitCode),
      reason: ended.reason,
      message: ended.message === '' ? undefined : ended.message,
      restarts,
      runSeconds: ended.seconds,
      endedBy: kills?.probe ?? (endedByHook(health, events.of(pod), vocabulary) ? 'post-start-hook' : undefined),
      restartPolicy: restartPolicyOf(pod) ?? impliedPolicy(health),
      memoryLimit: memoryLimitOf(container),
      again: restarts > 1 || (restarts === 1 && state !== 'running'),
      once: runsOnce(pod, health) ? true : undefined,
      lastWords: words,
      up: state === 'running',
    },
    { source: `${formatRef(ref)} container ${container.name}`, quote: quoteOf(ended, restarts), at: ended.finishedAt },
  );
}

/** Why nothing can be said of how a container ended. */
function unknownEnd(
  pod: KubeObject,
  health: ContainerHealth,
  ended: Ended,
  around: Pick<Surroundings, 'events' | 'isLive'>,
): { readonly detail: string; readonly needs: string } | undefined {
  const { name } = health.container;
  if (endedWithNode(ended) && health.state !== 'running')
    return {
      detail: `the kubelet lost container ${name} (${ended.reason}), as when its node restarts or evicts it: how it exited is unknown`,
      needs: `kubectl describe node ${commandWord(asText(dig(pod, 'spec', 'nodeName')) ?? '', 'node')}`,
    };
  if (mayHaveBeenEnded(pod, health, ended, around))
    return { detail: `whether a probe ended container ${name} was not seen`, needs: describePodCommand(pod.metadata) };
  return undefined;
}

/**
 * A server that ends well when it is told to: where a probe may have told it, and its events were not seen as far as the back-off that
 * follows, nothing says whether one did. A live cluster has told all of them.
 */
function mayHaveBeenEnded(
  pod: KubeObject,
  { container }: ContainerHealth,
  ended: Ended,
  { events, isLive }: Pick<Surroundings, 'events' | 'isLive'>,
): boolean {
  if (ended.exitCode !== 0 || ended.seconds === undefined || (isLive && events.isWhole(pod))) return false;
  if (events.of(pod).some(({ reason }) => reason === 'BackOff')) return false;
  const isUnseen = dig(pod, 'spec', 'containers') === undefined;
  return isUnseen || ['livenessProbe', 'startupProbe'].some((field) => dig(container.spec, field) !== undefined);
}

/**
 * A list shows that a container waits to be started again, and not how it ended; a log alone shows not even whether it did. The last words
 * may tell a person.
 */
function unseenEnd(pod: KubeObject, { container, condition, restarts, ready }: ContainerHealth, logs: PodLogs, sink: FactSink): void {
  const isLogAlone = condition === 'unknown' && ready === false;
  if (!isLogAlone && (condition !== 'failed' || restarts === 0 || shows(pod, 'status.containerStatuses.lastState'))) return;
  const words = lastWords(logs.of(pod, container.name), false);
  if (isLogAlone && words === undefined) return;
  sink.gap('container', refOf(pod), {
    detail: `${isLogAlone ? 'whether' : 'how'} it exited was not seen${words === undefined ? '' : `; the last line of its log: ${words}`}`,
    needs: describePodCommand(pod.metadata),
  });
}

/** A container that runs, but has failed so lately or so often that it may fail again. */
function isUnsettled(health: ContainerHealth, ended: NonNullable<ContainerHealth['ended']>, isLive: boolean): boolean {
  const { condition, restarts, runSeconds, state } = health;
  if (state !== 'running') return false;
  const isAgain = condition === 'busy' ? ended.exitCode !== 0 && justRestarted(health) : condition === 'restarting';
  if (isAgain) return restarts > 1 || (isLive && hasJustFailed(health));
  return condition === 'unready' && restarts > 0 && !endedWithNode(ended) && (runSeconds ?? 0) < RECENT_SECONDS;
}

function endedByHook({ waiting, container, ended }: ContainerHealth, events: readonly SeenEvent[], vocabulary: Vocabulary): boolean {
  const hasEnded = hasEndedItself(ended, vocabulary);
  const isTold = waiting?.reason === 'PostStartHookError' && !hasEnded(waiting.message ?? '');
  return isTold || failedPostStart(container.name, events, hasEnded) !== undefined;
}

/**
 * Whether the first failure was moments ago, which only a live cluster tells for sure, and the run since has not even lasted as long as the
 * one that failed.
 */
function hasJustFailed({ ended, runSeconds }: ContainerHealth): boolean {
  return (
    ended?.exitCode !== undefined &&
    ended.exitCode !== 0 &&
    ended.finishedAt !== undefined &&
    runSeconds !== undefined &&
    runSeconds <= Math.min(MOMENTS_SECONDS, Math.max(5, ended.seconds ?? 0))
  );
}

const MOMENTS_SECONDS = 30;

/**
 * A container that is to be started again after exit code 0 has a restartPolicy that nobody needs to have seen. Source:
 * pkg/kubelet/container/helpers.go (ShouldContainerBeRestarted).
 */
function impliedPolicy({ waiting, ended, restarts }: ContainerHealth): string | undefined {
  return ended?.exitCode === 0 && (waiting?.reason === 'CrashLoopBackOff' || restarts > 0) ? 'Always' : undefined;
}

/** An end before a present run that has lasted longer is history. */
const RECENT_SECONDS = 600;

/** Signals by their number. Source: signal(7). */
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
};

function classOf(ended: Ended): WordOf<'exit', 'class'> {
  const { reason, exitCode } = ended;
  if (neverRan(ended)) return 'not-started';
  if (reason === 'OOMKilled') return 'oom';
  if (exitCode === 0) return 'completed';
  const signal = signalOf(exitCode);
  if (signal === 'SIGKILL') return 'killed';
  if (signal === 'SIGTERM' || signal === 'SIGINT') return 'terminated';
  return signal === undefined ? 'error' : 'crashed';
}

/** Shells and runtimes report a signal as 128 plus its number. */
function signalOf(exitCode: number | undefined): string | undefined {
  return exitCode === undefined || exitCode <= 128 ? undefined : SIGNALS[exitCode - 128];
}

/**
 * A native sidecar is one; so is a container beside the one that kubectl takes for the pod's own, while that one is well.
 * Source: kubectl.kubernetes.io/default-container, else the first container.
 */
function isHelper(pod: KubeObject, { container }: ContainerHealth, healths: readonly ContainerHealth[]): boolean {
  if (container.role === 'sidecar') return true;
  if (container.role !== 'main') return false;
  const mains = healths.filter((other) => other.container.role === 'main');
  const chosen =
    annotationsOf(pod)['kubectl.kubernetes.io/default-container'] ?? asText(dig(asList(dig(pod, 'spec', 'containers'))[0], 'name'));
  const own = mains.find((other) => other.container.name === chosen);
  if (own !== undefined && own.container.name !== container.name) return own.condition === 'well';
  return HELPER_NAME.test(container.name) && mains.some((other) => other.container.name !== container.name && other.condition === 'well');
}

/** What people call a container that stands first but does not do the work. */
const HELPER_NAME = /sidecar|proxy|envoy|agent|exporter|logger|fluent|vector|collector/;

/** A termination message often is the end of the log (terminationMessagePolicy: FallbackToLogsOnError). */
function lastLine(message: string | undefined): string | undefined {
  return message?.trim().split('\n').at(-1)?.trim() || undefined;
}

/** The last line that tells of trouble, or the very last, of the run that ended. */
function lastWords(runs: readonly LogRun[], up: boolean): string | undefined {
  const run = runs.find(({ previous, lines }) => previous === up && lines.length > 0) ?? runs.find(({ lines }) => lines.length > 0);
  if (run === undefined) return undefined;
  const last = lastLines(run);
  return last.findLast(tellsTrouble) ?? last.at(-1);
}

function quoteOf({ reason, exitCode, seconds, message }: Ended, restarts: number): string {
  const parts = [`${reason ?? 'terminated'}, exit code ${exitCode === undefined ? '?' : String(exitCode)}`];
  if (seconds !== undefined) parts.push(`after ${String(seconds)}s`);
  if (restarts > 0) parts.push(counted(restarts, 'restart'));
  if (message !== undefined && message.trim() !== '') parts.push(`message: ${message.trim()}`);
  return parts.join(', ');
}

function initializingFact(pod: KubeObject, health: ContainerHealth, logs: PodLogs, sink: FactSink): void {
  const { container, runSeconds } = health;
  const ref = refOf(pod);
  const words = [...asList(dig(container.spec, 'command')), ...asList(dig(container.spec, 'args'))].map(String).join(' ');
  const runs = logs.of(pod, container.name);
  const refrain = refrainOf(runs.flatMap(({ lines }) => lines));
  sink.fact(
    'initializing',
    ref,
    {
      container: container.name,
      runSeconds: runSeconds === 0 ? undefined : runSeconds,
      command: words === '' ? undefined : words,
      lastWords: refrain?.line ?? lastWords(runs, false),
      loops: refrain?.times,
    },
    {
      source: `${formatRef(ref)} container ${container.name}`,
      quote: `init container running${runSeconds === undefined ? '' : ` for ${String(runSeconds)}s`}`,
      at: health.startedAt,
    },
  );
}

/** The line that a program repeats most, if it does: what it is waiting for. Lines of a help text come as often, but say nothing. */
function refrainOf(lines: readonly string[]): { readonly line: string; readonly times: number } | undefined {
  const shapes = new Map<string, { readonly line: string; readonly times: number }>();
  for (const line of lines) {
    const shape = shapeOf(line);
    shapes.set(shape, { line, times: (shapes.get(shape)?.times ?? 0) + 1 });
  }
  const repeated = [...shapes.values()].filter(({ times }) => times >= REFRAIN);
  const most = largest(repeated.map(({ times }) => times));
  return repeated.find(({ line, times }) => WAITS.test(line) && times * 2 >= most) ?? repeated.find(({ times }) => times === most);
}

const REFRAIN = 3;
const WAITS = /wait|not (?:yet )?(?:ready|available|up)|retry|retrying|sleeping|unavailable|refused|resolve/i;
