import type { Instant } from '../../base/instant.ts';
import { dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Vocabulary } from '../survey/vocabulary.ts';
import type { ContainerHealth } from '../containers/container-health.ts';
import type { SeenEvent } from '../events/events.ts';
import type { PodEvents } from '../events/pod-events.ts';
import { isRecent } from '../events/pod-events.ts';
import { probeOfMessage } from './probe-failures.ts';
import type { ProbeSpec } from './probe-specs.ts';
import { probesOf, windowOf } from './probe-specs.ts';

/** Restarts of a container by the kubelet because a probe failed. */
export interface ProbeKills {
  readonly probe: 'liveness' | 'startup';
  readonly count: number;
  readonly at: number | undefined;
}

/**
 * What killed a container, as events tell; where they do not (they expire, one by one, or were not read), as the kill's own arithmetic
 * does.
 */
export function probeKills(
  pod: KubeObject,
  health: ContainerHealth,
  { events: podEvents, vocabulary, now }: { readonly events: PodEvents; readonly vocabulary: Vocabulary; readonly now: Instant },
): ProbeKills | undefined {
  const events = podEvents.of(pod);
  const told = toldKills(health.container.name, events, vocabulary);
  if (told !== undefined) return stillTold(told, pod, health, now);
  const failed = events.some(({ reason, message }) => reason === 'Unhealthy' && probeOfMessage(message) === 'liveness');
  if (events.length > 0 && !failed && podEvents.isWhole(pod)) return undefined;
  if (isToldOnly(health, events)) return { probe: 'liveness', count: health.restarts, at: health.ended?.finishedAt };
  const spec = probesOf(health.container).find((one) => killedOnTime(health, one, pod));
  return spec === undefined || spec.probe === 'readiness'
    ? undefined
    : { probe: spec.probe, count: health.restarts, at: health.ended?.finishedAt };
}

/**
 * Kills that events tell of, if the last run ended by one: of a container that fails for long most of its events are held back. Source:
 * staging/src/k8s.io/client-go/tools/record/events_cache.go (EventSourceObjectSpamFilter: 25, then one in five minutes).
 */
function stillTold(told: ProbeKills, pod: KubeObject, health: ContainerHealth, now: Instant): ProbeKills | undefined {
  const { ended, condition, container } = health;
  if (isRecent(told.at, now)) return told;
  const spec = probesOf(container).find(({ probe }) => probe === told.probe);
  const isKilled = condition !== 'well' && ended?.reason !== 'OOMKilled' && ENDED_BY_RUNTIME.has(ended?.exitCode);
  const fits = spec === undefined ? isKilled : killedOnTime(health, spec, pod, { told: true });
  return fits && isRecent(ended?.finishedAt, now) ? { ...told, at: ended?.finishedAt } : undefined;
}

/** The latest kind of kill by a probe, with how often it happened; undefined when events tell of none. */
export function toldKills(container: string, events: readonly SeenEvent[], vocabulary: Vocabulary): ProbeKills | undefined {
  const kills = events.flatMap((event) => {
    const kill = killIn(event, vocabulary);
    return kill?.container === container ? [{ probe: kill.probe, count: event.count, at: event.at }] : [];
  });
  const last = kills.at(-1);
  if (last === undefined) return undefined;
  return { ...last, count: kills.filter(({ probe }) => probe === last.probe).reduce((sum, { count }) => sum + count, 0) };
}

/** The container that the kubelet says it ends, and the probe it ends it for. */
export function killIn(
  { reason, message }: SeenEvent,
  vocabulary: Vocabulary,
): { readonly container: string; readonly probe: ProbeKills['probe'] } | undefined {
  const { container, probe } = (reason === 'Killing' ? vocabulary.read('probe', message, 'event', reason)?.fields : undefined) ?? {};
  return container === undefined || (probe !== 'liveness' && probe !== 'startup') ? undefined : { container, probe };
}

/** Signals with which a runtime ends a container: its program may heed the first. */
const ENDED_BY_RUNTIME: ReadonlySet<number | undefined> = new Set([137, 143]);
/** Source: pkg/apis/core/v1/defaults.go (SetDefaults_Probe). */
const DEFAULT_FAILURE_THRESHOLD = 3;

/** Of a container whose probes were not seen: ended by a signal, while its liveness probe fails often enough. */
function isToldOnly({ ended, container }: ContainerHealth, events: readonly SeenEvent[]): boolean {
  if (ended?.reason !== 'Error' || !ENDED_BY_RUNTIME.has(ended.exitCode) || probesOf(container).length > 0) return false;
  const failures = events.filter(
    (event) =>
      event.reason === 'Unhealthy' &&
      probeOfMessage(event.message) === 'liveness' &&
      (event.container === undefined || event.container === container.name),
  );
  return failures.reduce((sum, { count }) => sum + count, 0) >= DEFAULT_FAILURE_THRESHOLD;
}

export const SLACK_SECONDS = 5;
const DEFAULT_GRACE_SECONDS = 30;

/**
 * Killed, again and again, just when the probe's patience ends. A program that heeds SIGTERM ends well: that tells of a kill only
 * where the probe's patience is long enough for the time to be no chance, or the kubelet has told of one before.
 */
function killedOnTime(
  { ended, restarts, condition, container }: ContainerHealth,
  spec: ProbeSpec,
  pod: KubeObject,
  { told = false }: { readonly told?: boolean } = {},
): boolean {
  if (spec.probe === 'readiness' || ended?.seconds === undefined || restarts < 2 || condition === 'well') return false;
  if (
    spec.probe === 'startup'
      ? dig(container.status, 'started') === true
      : dig(container.spec, 'startupProbe') !== undefined && dig(container.status, 'started') === false
  )
    return false;
  const earliest = spec.initialDelaySeconds + spec.periodSeconds * (spec.failureThreshold - 1);
  if (!mayBeKill(ended, told || earliest > 0)) return false;
  return ended.seconds >= earliest && ended.seconds <= windowOf(spec) + graceOf(pod) + SLACK_SECONDS;
}

/** How a container ends that is told to: by a signal, or well where it may have heeded it. */
function mayBeKill({ reason, exitCode }: NonNullable<ContainerHealth['ended']>, heeds: boolean): boolean {
  return reason !== 'OOMKilled' && (ENDED_BY_RUNTIME.has(exitCode) || (exitCode === 0 && heeds));
}

/** terminationGracePeriodSeconds, in seconds. */
export function graceOf(pod: KubeObject): number {
  const grace = dig(pod, 'spec', 'terminationGracePeriodSeconds');
  return typeof grace === 'number' ? grace : DEFAULT_GRACE_SECONDS;
}
