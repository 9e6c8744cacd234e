import { onceEach } from '../../base/once.ts';
import { dig } from '../../base/json.ts';
import { append } from '../../base/lists.ts';
import type { Log, Read } from '../../model/cluster-reader.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { controllerOf, formatRef, objectKey, refOf } from '../../model/kube-object.ts';
import type { ContainerHealth } from '../containers/container-health.ts';
import { healthOf, isLeaving } from '../containers/container-health.ts';
import { plainLine } from './log-lines.ts';
import { beforeUsage } from './usage.ts';
import type { Scene } from '../survey/scene.ts';

/** Lines from the end of a log that are looked at: dumps of all threads or goroutines hide what was said before them. */
const TAIL_LINES = 500;
/** Reads of logs where each is a request: for one target, and for a whole scope. */
const TARGET_READS = 4;
const SCOPE_READS = 60;
/** Replicas of one workload tell the same story. */
const PODS_EACH = 2;

/** What one run of a container wrote. */
export interface LogRun {
  readonly container: string;
  readonly previous: boolean;
  /** Lines as their program meant them (`plainLine`), oldest first. */
  readonly lines: readonly string[];
  /** Some were left out by the source, so a line's absence proves nothing. */
  readonly filtered: boolean;
}

/** Stack frames and other lines that only belong to the line before. */
const CONTINUED = /^(?:at |\.\.\. \d|File "|goroutine \d|\^|~)/;
const LAST_LINES = 10;

/** The last lines of a run, without stack frames and the list of its options: what it said when it gave up. */
export function lastLines({ lines }: Pick<LogRun, 'lines'>): readonly string[] {
  return beforeUsage(lines)
    .filter((line) => !CONTINUED.test(line))
    .slice(-LAST_LINES);
}

/** A container whose log is worth reading. */
interface Wanted {
  readonly pod: KubeObject;
  readonly health: ContainerHealth;
  readonly previous: boolean;
}

/** The logs of a scene's containers that are looked at, read once for all collectors. */
export class PodLogs {
  readonly runs = new Map<string, LogRun[]>();
  /** Logs of containers that are not well which could not be read. */
  readonly unread: { readonly pod: KubeObject; readonly container: string; readonly read: Exclude<Read<unknown>, { ok: true }> }[] = [];

  /** Runs of a pod's container that were read: the present one first. */
  of(pod: KubeObject, container: string): readonly LogRun[] {
    return this.runs.get(`${objectKey(pod)} ${container}`) ?? [];
  }
}

/** Reads the logs of containers that are not well; where reading costs nothing, those of all. */
export const podLogs = onceEach(readAll);

async function readAll(scene: Scene): Promise<PodLogs> {
  const logs = new PodLogs();
  for (const wanted of wantedLogs(scene)) {
    const { pod, health } = wanted;
    const ref = refOf(pod);
    const container = health.container.name;
    const { read, previous } = await lastRun(scene, wanted);
    if (!read.ok) {
      if (isSick(health) && !previous) logs.unread.push({ pod, container, read });
      continue;
    }
    const key = `${formatRef(ref)} ${container}`;
    const runs = logs.runs.get(key) ?? [];
    // The run before stood in for the present one.
    if (runs.some((run) => run.previous === previous)) continue;
    runs.push({
      container,
      previous,
      lines: read.value.lines
        .slice(-TAIL_LINES)
        .map(plainLine)
        .filter((line) => line !== ''),
      filtered: read.value.filtered,
    });
    logs.runs.set(key, runs);
  }
  return logs;
}

/** The log of the run that is wanted; where that was not collected, the one that tells the same. */
async function lastRun(scene: Scene, { pod, health, previous }: Wanted): Promise<{ readonly read: Read<Log>; readonly previous: boolean }> {
  const readOf = (before: boolean): Promise<Read<Log>> =>
    scene.survey.logs(refOf(pod), health.container.name, { tailLines: TAIL_LINES, ...(before ? { previous: true } : {}) });
  const read = await readOf(previous);
  if (read.ok || previous || !scene.survey.stored || !isToldBefore(health)) return { read, previous };
  const before = await readOf(true);
  return before.ok ? { read: before, previous: true } : { read, previous };
}

/**
 * Whether `kubectl logs --previous` tells why a container is down. One that waits to be started again has that run's log as both; of one
 * that has ended it is the run before, which must have ended in the same way. Source: pkg/kubelet/kubelet_pods.go (validateContainerLogStatus).
 */
function isToldBefore({ state, ended, container }: ContainerHealth): boolean {
  if (state === 'waiting') return true;
  const before = dig(container.status, 'lastState', 'terminated');
  return (
    state === 'terminated' && before !== undefined && dig(before, 'exitCode') === ended?.exitCode && dig(before, 'reason') === ended?.reason
  );
}

/** Sick containers first, so that the budget is spent on them. */
function wantedLogs(scene: Scene): readonly Wanted[] {
  const now = scene.survey.now();
  const perWorkload = new Map<string, number>();
  const [sick, others]: [Wanted[], Wanted[]] = [[], []];
  // Pods that stand for others are well: no log of theirs is read for it.
  const { mayHaveLogs } = scene.survey;
  for (const pod of mayHaveLogs ? scene.judged : scene.suspects) {
    if (isLeaving(pod)) continue;
    const healths = healthOf(pod, now).filter(
      ({ container, state }) => container.role !== 'ephemeral' && (state !== undefined || scene.survey.stored),
    );
    const owner = controllerOf(pod);
    const workload = formatRef(owner ?? refOf(pod));
    const wanted = healths.flatMap((health) => runsOf(health).map((previous) => ({ pod, health, previous })));
    if (!healths.some(isSick)) {
      if (mayHaveLogs) append(others, wanted);
      continue;
    }
    const seen = perWorkload.get(workload) ?? 0;
    perWorkload.set(workload, seen + 1);
    if (seen >= PODS_EACH && !scene.survey.stored) continue;
    append(
      sick,
      wanted.filter(({ health }) => isSick(health)).toSorted((a, b) => urgency(b.health) - urgency(a.health)),
    );
    if (mayHaveLogs)
      append(
        others,
        wanted.filter(({ health }) => !isSick(health)),
      );
  }
  if (scene.survey.stored) return [...sick, ...others];
  return sick.slice(0, scene.request.target === undefined ? SCOPE_READS : TARGET_READS);
}

/** Whether a container is not well, so that its log is worth a read. */
export function isSick({ condition, state }: ContainerHealth): boolean {
  return state !== undefined && (condition === 'failed' || condition === 'restarting' || condition === 'unready' || condition === 'busy');
}

function urgency({ condition }: ContainerHealth): number {
  return condition === 'failed' ? 2 : condition === 'restarting' ? 1 : 0;
}

/** A container that is down shows its last run as the present log; one that runs again has it as the previous one. */
function runsOf({ state, waiting, ended, restarts }: ContainerHealth): readonly boolean[] {
  // A table shows that it was started again and again, and not how its last run ended; of a log alone not even which run is the last.
  const isVague = ended?.exitCode === undefined && (waiting?.reason === 'CrashLoopBackOff' || state === 'terminated');
  if (state === undefined || isVague) return [false, true];
  if (state === 'waiting') return ended === undefined ? [] : [false];
  if (state === 'running') return ended !== undefined && restarts > 0 ? [true, false] : [false];
  return [false];
}
