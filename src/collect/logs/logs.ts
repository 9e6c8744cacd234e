import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import type { ContainerHealth } from '../containers/container-health.ts';
import { healthOf, isWell, runsOnce } from '../containers/container-health.ts';
import { podState } from '../objects/targets.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { tellsStart } from './listen-words.ts';
import { pathIn, portIn } from './named-in-line.ts';
import { plainLine, shapeOf, tellsTrouble } from './log-lines.ts';
import { holdsData, mountHolding, showsMounts } from '../volumes/mounts.ts';
import type { LogRun } from './pod-logs.ts';
import { isSick, lastLines, podLogs } from './pod-logs.ts';
import type { Scene } from '../survey/scene.ts';

/** Lines that a container's log may add: the latest, each shape once. */
const LINES_EACH = 40;
/** The last words of a container that is down are kept even if no word in them tells of trouble. */
const LAST_WORDS = 3;

/** `log` facts: lines that tell of trouble, and the last words of containers that are down. */
export async function collectLogs(scene: Scene, sink: FactSink): Promise<void> {
  const logs = await podLogs(scene);
  for (const pod of scene.judged) {
    for (const health of healthOf(pod, scene.survey.now())) {
      const runs = logs.of(pod, health.container.name);
      for (const run of runs) if (!isOver(run, health, pod)) runFacts(pod, health, run, sink);
      const told = toldAtEnd(health);
      if (told !== undefined && runs.every(({ lines }) => lines.length === 0)) runFacts(pod, health, told, sink);
      const short = runs.find(({ filtered }) => filtered);
      // The line that tells why may be among those that were left out.
      if (short !== undefined && isSick(health))
        sink.gap('log', refOf(pod), {
          detail: `of the log of container ${health.container.name} only ${short.lines.length} lines were seen`,
        });
    }
  }
  for (const { pod, read } of logs.unread) sink.gap('log', refOf(pod), read);
}

/** What ended an earlier run is no trouble any more once the container has outlived it. */
function isOver({ previous }: LogRun, health: ContainerHealth, pod: KubeObject): boolean {
  return previous && seemsWell(health, pod);
}

/** A table shows only that the pod is ready. */
function seemsWell(health: ContainerHealth, pod: KubeObject): boolean {
  return health.state === undefined ? podState(pod).state === 'healthy' : isWell(health);
}

/**
 * The termination message of a container whose log was not read: mostly the end of that log. What the runtime says of a container that it
 * could not start is none. Source: pkg/kubelet/kuberuntime/kuberuntime_container.go (getTerminationMessage).
 */
function toldAtEnd({ container, ended, state, condition }: ContainerHealth): LogRun | undefined {
  const { message = '', reason, exitCode } = ended ?? {};
  if (condition !== 'failed' || message.trim() === '' || exitCode === 0 || NOT_STARTED.has(reason)) return undefined;
  const lines = message
    .split('\n')
    .map(plainLine)
    .filter((line) => line !== '');
  return { container: container.name, previous: state === 'running', lines, filtered: true };
}

const NOT_STARTED = new Set<string | undefined>(['StartError', 'ContainerCannotRun']);

function runFacts(pod: KubeObject, health: ContainerHealth, run: LogRun, sink: FactSink): void {
  const ref = refOf(pod);
  const { name, role } = health.container;
  const last = new Set(lastLines(run));
  const troubling = new Set(linesOfTrouble(run, health, pod));
  for (const [order, { line, times }] of tellingLines(run, isDown(health, run)).entries()) {
    const path = pathIn(line);
    const mount = mountHolding(pod, health.container, path);
    sink.fact(
      'log',
      ref,
      {
        container: name,
        role,
        line,
        path,
        port: portIn(line),
        times,
        order,
        previous: run.previous,
        trouble: tellsTrouble(line),
        last: last.has(line) && !WARNS.test(line),
        well: !troubling.has(line),
        once: runsOnce(pod, health) ? true : undefined,
        volume: mount?.volume,
        volumeKind: mount?.volumeKind,
        mountPath: mount?.mountPath,
        imagePath: mount === undefined && showsMounts(pod) ? path : undefined,
        dataVolume: mount === undefined ? (showsMounts(pod) ? false : undefined) : holdsData(mount),
        readOnlyMount: mount?.readOnly === true,
        readOnlyAt: mount?.readOnly === true ? mount.mountPath : undefined,
      },
      { source: `log of ${formatRef(ref)} container ${name}${run.previous ? ' (previous run)' : ''}`, quote: line },
    );
  }
}

/** Lines after which nothing shows the container well. A log that is all that was seen shows by itself what its program survived. */
function linesOfTrouble({ lines, previous }: LogRun, health: ContainerHealth, pod: KubeObject): readonly string[] {
  if (seemsWell(health, pod)) return [];
  return previous || podState(pod).state !== 'unknown' ? lines : lines.slice(lines.findLastIndex(tellsStart) + 1);
}

/**
 * Programs in Go (logrus, logr, klog) and in Python go on after a warning; a server in Java may name its last error one. TensorFlow warns
 * of each library that it can do without, and nginx tells so what it cannot answer to a client.
 */
const WARNS =
  /\blevel="?warn|^W\d{4} \d\d:|^WARNING:[\w.]|^.{0,200}[\]}): -]{1,2}WARNING [-:] |^\d{4}-[\d: .-]{10,30}: W \w|, client: [\da-f.:]{2,40}, server: /;

/** Whether these are the words of a run that ended, or of a container that is not well. */
function isDown({ condition, state }: ContainerHealth, { previous }: LogRun): boolean {
  return previous || state !== 'running' || condition === 'failed';
}

/** The latest lines worth keeping, in the order they were written, each with how many there are of its shape. */
function tellingLines({ lines }: LogRun, down: boolean): readonly { readonly line: string; readonly times: number }[] {
  const kept: { readonly line: string; readonly shape: string }[] = [];
  const shapes = new Map<string, number>();
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? '';
    const last = down && index >= lines.length - LAST_WORDS;
    if (!last && !tellsTrouble(line)) continue;
    const shape = shapeOf(line);
    const times = shapes.get(shape) ?? 0;
    if (times > 0 || kept.length < LINES_EACH) shapes.set(shape, times + 1);
    if (times === 0 && kept.length < LINES_EACH) kept.push({ line, shape });
  }
  return kept.toReversed().map(({ line, shape }) => ({ line, times: shapes.get(shape) ?? 1 }));
}
