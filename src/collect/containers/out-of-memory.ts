import { parseQuantity } from '../../base/quantity.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import type { ContainerHealth } from './container-health.ts';
import { healthOf, isLeaving, memoryLimitOf } from './container-health.ts';
import type { SeenEvent } from '../events/events.ts';
import { eventProof } from '../events/events.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { classifyLine } from '../logs/log-classes.ts';
import type { LogRun } from '../logs/pod-logs.ts';
import { podLogs } from '../logs/pod-logs.ts';
import { isRecent, podEvents } from '../events/pod-events.ts';
import type { Scene } from '../survey/scene.ts';
import { classifyStart } from './start-failure-classes.ts';

/** `oom` facts: containers that their memory limit kills, whole, before they run, or process by process. */
export async function collectOutOfMemory(scene: Scene, sink: FactSink): Promise<void> {
  const [logs, events] = [await podLogs(scene), await podEvents(scene)];
  const now = scene.survey.now();
  for (const pod of [...scene.pods, ...events.unseen]) {
    if (isLeaving(pod)) continue;
    const healths = healthOf(pod, now);
    const found = healths.map((health) => wholeContainer(pod, health, now, sink) || atStart(pod, health, events.of(pod), sink) || childOf(pod, health, logs.of(pod, health.container.name), sink));
    if (!found.includes(true)) sandbox(pod, healths, events.of(pod), now, sink);
  }
}

/** Kills by a limit come back: so many of them, the last within the hour, are no history yet. */
const REPEATED = 3;
const HOUR_MS = 3_600_000;

function wholeContainer(pod: KubeObject, { container, ended, restarts, condition }: ContainerHealth, now: number, sink: FactSink): boolean {
  if (ended?.reason !== 'OOMKilled') return false;
  const again = restarts >= REPEATED && ended.finishedAt !== undefined && now - ended.finishedAt < HOUR_MS;
  if (condition === 'well' && !again) return false;
  const ref = refOf(pod);
  const quote = `OOMKilled, exit code ${String(ended.exitCode ?? '?')}, ${String(restarts)} restarts`;
  sink.fact('oom', ref, { container: container.name, how: 'container', memoryLimit: memoryLimitOf(container), restarts, runSeconds: ended.seconds }, { source: `${formatRef(ref)} container ${container.name}`, quote, at: ended.finishedAt });
  return true;
}

function atStart(pod: KubeObject, { container, waiting, ended, condition, restarts }: ContainerHealth, events: readonly SeenEvent[], sink: FactSink): boolean {
  if (condition !== 'failed') return false;
  const ref = refOf(pod);
  const message = [waiting?.message, ended?.message].find((words) => words !== undefined && isOutOfMemory(words));
  const event = events.findLast(({ reason, container: named, message: words }) => reason === 'Failed' && (named === undefined || named === container.name) && isOutOfMemory(words));
  if (message === undefined && event === undefined) return false;
  const proof = message === undefined && event !== undefined ? eventProof(event, ref) : { source: `${formatRef(ref)} container ${container.name}`, quote: message ?? '' };
  sink.fact('oom', ref, { container: container.name, how: 'start', memoryLimit: memoryLimitOf(container), restarts }, proof);
  return true;
}

function isOutOfMemory(message: string): boolean {
  return classifyStart(message)?.class === 'out-of-memory';
}

/** Twice the same is needed: one killed process may have been meant. */
function childOf(pod: KubeObject, { container }: ContainerHealth, runs: readonly LogRun[], sink: FactSink): boolean {
  const memoryLimit = memoryLimitOf(container);
  const lines = runs.flatMap((run) => run.lines.filter((line) => classifyLine(line)?.class === 'child-killed'));
  const line = lines.at(-1);
  if (memoryLimit === undefined || line === undefined || lines.length < 2) return false;
  const ref = refOf(pod);
  sink.fact('oom', ref, { container: container.name, how: 'child', memoryLimit }, { source: `log of ${formatRef(ref)} container ${container.name}`, quote: line });
  return true;
}

/** Below this the runtime's own start goes over the limit, and fails in words that do not speak of memory. */
const TINY = 16n * 1024n * 1024n * 1_000_000_000n;
const CUT_OFF = /(?:OCI runtime create failed|failed to create shim task|failed to start sandbox)[^]{0,2000}(?:\bEOF\b|connection reset by peer|signal: killed|broken pipe|exit status \d|context deadline exceeded)/;

/** A limit of a few MiB kills even the sandbox, before any container is there to tell. */
function sandbox(pod: KubeObject, healths: readonly ContainerHealth[], events: readonly SeenEvent[], now: number, sink: FactSink): void {
  if (healths.some(({ condition }) => condition !== 'unstarted')) return;
  const limits = healths.flatMap(({ container }) => memoryLimitOf(container) ?? []);
  const tiny = limits.some((limit) => (parseQuantity(limit) ?? TINY) < TINY);
  const event = events.findLast(({ reason, message }) => reason === 'FailedCreatePodSandBox' && (isOutOfMemory(message) || (tiny && CUT_OFF.test(message))));
  if (event === undefined || (healths.length === 0 && !isRecent(event.at, now))) return;
  const ref = refOf(pod);
  sink.fact('oom', ref, { how: 'start', memoryLimit: limits[0] }, eventProof(event, ref));
}
