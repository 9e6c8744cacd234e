import type { Instant } from '../../base/instant.ts';
import { asList, asText, dig, isJsonObject } from '../../base/json.ts';
import type { Prng } from '../../base/prng.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { toMicrosecond } from '../time/agenda.ts';
import type { RepeatedEvent } from '../components/recorder.ts';
import type { Wait } from '../kubelet/containers/back-off.ts';
import type { StartRequest } from '../kubelet/containers/container-start.ts';
import { backOffKey, startEvents, startPace } from '../kubelet/containers/container-start.ts';
import { isPlain } from '../kubelet/containers/crash-wait.ts';
import type { KubeletParts } from '../kubelet/kubelet-parts.ts';
import { nameOf } from '../kubelet/pods/pod-fields.ts';
import { startupMilliseconds } from '../kubelet/runtime/container-process.ts';
import type { Container } from '../kubelet/runtime/runtime-container.ts';
import type { Life } from '../kubelet/runtime/runtime.ts';
import type { SyncEnd } from '../kubelet/pods/sync-end.ts';
import { lookAfter } from '../kubelet/sync-times.ts';

/** A pod that waits for nothing but to start a container again which, whenever it is started, does the same and ends. */
export interface CrashLoop {
  readonly request: StartRequest;
  readonly last: Container;
  /** From its program's first line to its end. */
  readonly runsMilliseconds: number;
}

/** What becomes of it while nobody looks, worked out. */
export interface SkippedCrashes {
  readonly loop: CrashLoop;
  /** When it is looked at for the last time in it; the state is that of this moment. */
  readonly until: Instant;
  /** When it is looked at next. */
  readonly next: Instant;
  readonly wait: Wait;
  /** When it last was found not to be ready any more, if it ever was ready. */
  readonly unready: Instant | undefined;
  /** The first so many of the lives are its own. */
  readonly restarts: number;
  readonly lives: readonly Life[];
  /** All there was to tell, in order, the first so many times. */
  readonly times: number;
  readonly told: readonly Told[];
  /** What looks are drawn from, as it was left. */
  readonly chance: Prng;
}

type Told = readonly [what: keyof ReturnType<typeof startEvents>, at: Instant];

/** Undefined where it is not started again, and found to have ended again. */
export interface CrashLeaps {
  readonly whole: SkippedCrashes | undefined;
  /** Without the last restart, so that it can be lived through. */
  readonly butLast: SkippedCrashes | undefined;
}

/** What a sync left behind, if it is such a pod. What is not known to repeat itself is not taken for one. */
export function crashLoopAfter(end: SyncEnd, pod: KubeObject, { runtime, images }: KubeletParts): CrashLoop | undefined {
  const request = onlyWait(end);
  if (request === undefined || !isPlain(pod) || !isPlainContainer(request)) return undefined;
  const containers = runtime.containersOf(pod.metadata.uid ?? '');
  const last = containers.findLast(({ name }) => name === nameOf(request.spec));
  if (
    last?.state !== 'exited' ||
    last.process?.inward !== true ||
    last.startedAt === undefined ||
    last.finishedAt === undefined ||
    !images.isForAll(asText(request.spec['image']) ?? '')
  )
    return undefined;
  const chance = runtime.chanceOf(last.podUid, last.name, last.attempt);
  chance.skip(ID_DRAWS);
  const runsMilliseconds = last.finishedAt - toMicrosecond(last.startedAt + startupMilliseconds(chance));
  return runsMilliseconds < 0 ? undefined : { request, last, runsMilliseconds };
}

/** The container that waits, when a sync did nothing but find that it does. */
function onlyWait({ failures, failed, started, made }: SyncEnd): StartRequest | undefined {
  return failed || started || made || failures.length !== 1 ? undefined : failures[0]?.waits;
}

/** Whether nothing is other than it was when the sync ended. */
export function stillLoops({ last, request }: CrashLoop, pod: KubeObject, { runtime }: KubeletParts): boolean {
  const { faults } = runtime;
  if (
    pod['spec'] !== request.pod['spec'] ||
    faults.down === true ||
    faults.cniConfigMissing === true ||
    runtime.sandboxOf(last.podUid)?.ready !== true
  )
    return false;
  const containers = runtime.containersOf(last.podUid);
  const isCalm = (container: Container): boolean =>
    container.name === last.name || container.state === 'running' || (container.kind === 'init' && container.exitCode === 0);
  return containers.findLast(({ name }) => name === last.name) === last && containers.every(isCalm);
}

/** The same whenever it is started: no hooks, and nothing in its environment that may change. */
function isPlainContainer({ spec, kind }: StartRequest): boolean {
  if (kind === 'ephemeral' || spec['lifecycle'] !== undefined || spec['imagePullPolicy'] === 'Always' || asList(spec['envFrom']).length > 0)
    return false;
  return asList(spec['env']).every(
    (entry) => !isJsonObject(dig(entry, 'valueFrom', 'configMapKeyRef')) && !isJsonObject(dig(entry, 'valueFrom', 'secretKeyRef')),
  );
}

/**
 * All that happens to such a pod from a look at it to a later moment: the same syncs at the same times with the same chances as if
 * each were made, since all come from the last end, the ticks of the kubelet and the chances of each attempt.
 */
export function leapOver(loop: CrashLoop, from: Instant, chanceOfLooks: Prng, parts: KubeletParts, before: Instant): CrashLeaps {
  const { restarts, ticks, runtime } = parts;
  const { backOffFactor } = runtime.faults;
  const { last, runsMilliseconds, request } = loop;
  const chance = chanceOfLooks.copy();
  const told: Told[] = [];
  const lives: Life[] = [];
  let wait = restarts.entry(backOffKey(request));
  if (wait === undefined || last.finishedAt === undefined) return { whole: undefined, butLast: undefined };
  let [ended, unready, until, next]: [Instant, Instant | undefined, Instant, Instant] = [last.finishedAt, undefined, from, from];
  let butLast: SkippedCrashes | undefined;
  for (;;) {
    while (next < before && !restarts.isOver(wait, ended, next)) {
      told.push(['backOff', next]);
      until = next;
      next = lookAfter(next, ended + wait.wait, chance, ticks, backOffFactor);
    }
    const leap =
      lives.length === 0
        ? undefined
        : { loop, until, next, wait, lives, restarts: lives.length, told, times: told.length, unready, chance: chance.copy() };
    if (next + LONGEST_RESTART_MILLISECONDS + runsMilliseconds >= before) return { whole: leap, butLast };
    butLast = leap;
    wait = restarts.after(wait, ended, next);
    const life = nextLife(loop, last.attempt + 1 + lives.length, next, parts);
    lives.push(life);
    ended = life.finishedAt;
    // The look right after the start finds it running, and then it takes a relist to find that it has ended.
    const look = toMicrosecond(life.startedAt + LOOK_MILLISECONDS);
    until = ended <= look ? look : toMicrosecond(Math.max(ticks.relistAfter(ended), ticks.relistAfter(look)));
    if (ended > look && request.kind === 'main') unready = until;
    told.push(['pulled', next], ['created', life.createdAt], ['started', life.startedAt], ['backOff', until]);
    next = lookAfter(until, ended + wait.wait, chance, ticks, backOffFactor);
  }
}

function nextLife({ last, runsMilliseconds }: CrashLoop, attempt: number, look: Instant, { host, runtime }: KubeletParts): Life {
  const pace = startPace(host.prng, last.podUid, last.name, attempt);
  const program = runtime.chanceOf(last.podUid, last.name, attempt);
  program.skip(ID_DRAWS);
  const createdAt = toMicrosecond(look + pace.createMilliseconds);
  const startedAt = toMicrosecond(createdAt + pace.startMilliseconds);
  return {
    attempt,
    createdAt,
    startedAt,
    finishedAt: toMicrosecond(toMicrosecond(startedAt + startupMilliseconds(program)) + runsMilliseconds),
  };
}

/** Makes it so, at the moment it was worked out for: containers, back-off, and of the events those that are not over. */
export function applyLeap({ loop, wait, lives, told, times, restarts, unready }: SkippedCrashes, parts: KubeletParts): void {
  const { host, runtime, statuses } = parts;
  const { last, request } = loop;
  const { pod } = request;
  runtime.crashedAgain(last, [lifeOf(last), ...lives.slice(0, restarts)].slice(-2));
  parts.restarts.set(backOffKey(request), wait);
  host.record('container', {
    node: host.node,
    pod: `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`,
    container: last.name,
    what: `restarted ${restarts} times`,
    exitCode: last.exitCode ?? 0,
  });
  if (unready !== undefined) statuses.wasReady(pod, unready);
  const events = startEvents(request, parts);
  const written = new Set<RepeatedEvent>();
  const oldest = host.now() - EVENT_MILLISECONDS;
  for (let index = 0; index < times; index++) {
    const [what, at] = told[index] as Told;
    if (events[what].at(at) && at > oldest) written.add(events[what]);
  }
  for (const event of Object.values(events)) event.counted();
  for (const event of written) event.write();
}

function lifeOf({ attempt, createdAt, startedAt = createdAt, finishedAt = createdAt }: Container): Life {
  return { attempt, createdAt, startedAt, finishedAt };
}

/** What the id of a container is drawn with before anything else. */
const ID_DRAWS = 64;
/** How long after a start the worker has the runtime looked at. */
const LOOK_MILLISECONDS = 4;
/** From a look that starts a container to the one that finds it ended, without what it runs: both delays, and two relists. */
const LONGEST_RESTART_MILLISECONDS = 2500;
/** An event that was written longer ago is gone by now (`--event-ttl`). */
const EVENT_MILLISECONDS = 3_600_000;
