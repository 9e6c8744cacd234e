import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, objectKey, refOf } from '../../model/kube-object.ts';
import type { ContainerHealth } from './container-health.ts';
import { healthOf, isLeaving, memoryLimitOf, neverRan } from './container-health.ts';
import type { SeenEvent } from '../events/events.ts';
import { eventProof } from '../events/events.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { HasEnded } from './hooks.ts';
import { failedPostStart, hasEndedItself } from './hooks.ts';
import { saysWhy } from '../events/says-why.ts';
import { isRecent, podEvents } from '../events/pod-events.ts';
import { conditionStatus, lastTransition } from '../objects/pods.ts';
import { pathIn } from '../logs/named-in-line.ts';
import type { Scene } from '../survey/scene.ts';
import { mountHolding } from '../volumes/mounts.ts';

/** Waiting reasons of a container that could not be created or started. Source: pkg/kubelet/kuberuntime/kuberuntime_container.go. */
const START_REASONS = new Set<string | undefined>([
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'PostStartHookError',
  'PreCreateHookError',
  'PreStartHookError',
  'ContainerCannotRun',
]);

/** `start-failure` facts: what the kubelet and the runtime say of containers that could not be created or started. */
export async function collectStartFailures(scene: Scene, sink: FactSink): Promise<void> {
  const events = await podEvents(scene);
  const now = scene.survey.now();
  for (const pod of scene.suspects) {
    if (isLeaving(pod)) continue;
    const seen = events.of(pod);
    for (const health of healthOf(pod, now)) {
      containerFailure(pod, health, { events: seen, hasEnded: hasEndedItself(health.ended, scene.survey.vocabulary) }, sink);
      hangingHook(pod, health, { seen, now, forgotten: seen.length === 0 && events.isWhole(pod) }, sink);
    }
  }
  for (const pod of events.blind) unseenFailure(pod, events.of(pod), now, sink);
}

interface Told {
  readonly events: readonly SeenEvent[];
  readonly hasEnded: HasEnded;
}

function containerFailure(pod: KubeObject, health: ContainerHealth, told: Told, sink: FactSink): void {
  if (health.condition !== 'failed') return;
  const { container, waiting, ended } = health;
  const said = saidOf(health, told);
  if (said === undefined) return;
  const ref = refOf(pod);
  const detail = tailOf(said.message);
  const path = pathIn(detail);
  const mount = path?.startsWith('/') === true ? mountHolding(pod, container, path) : undefined;
  sink.fact(
    'start-failure',
    ref,
    {
      container: container.name,
      role: container.role,
      detail,
      volume: mount?.volume,
      mountPath: mount?.mountPath,
      reason: waiting?.reason ?? ended?.reason,
      message: said.message,
      memoryLimit: memoryLimitOf(container),
    },
    said.event === undefined ? { source: `${formatRef(ref)} ${said.source}`, quote: said.message } : eventProof(said.event, ref),
  );
}

/** A hook that takes longer is waited for, as long as the pod lives. */
const HOOK_SECONDS = 30;

/**
 * The kubelet reports a container as running only when its hook has ended. Source: pkg/kubelet/kuberuntime/kuberuntime_container.go
 * (startContainer).
 */
function hangingHook(
  pod: KubeObject,
  { container, waiting, condition }: ContainerHealth,
  { seen, now, forgotten }: { readonly seen: readonly SeenEvent[]; readonly now: number; readonly forgotten: boolean },
  sink: FactSink,
): void {
  const hook = dig(container.spec, 'lifecycle', 'postStart');
  if (hook === undefined || condition !== 'unstarted' || waiting?.reason !== 'ContainerCreating') return;
  const started = seen.findLast((event) => event.reason === 'Started' && event.container === container.name);
  const at = started?.at ?? (forgotten ? sandboxSince(pod, now) : undefined);
  const seconds = at === undefined ? 0 : Math.round((now - at) / 1000);
  if (seconds < HOOK_SECONDS) return;
  const command = asList(dig(hook, 'exec', 'command'))
    .map(String)
    .join(' ');
  const message = `${started === undefined ? 'given its sandbox' : 'started'} ${String(seconds)}s ago, and still ContainerCreating`;
  sink.fact(
    'start-failure',
    refOf(pod),
    {
      container: container.name,
      role: container.role,
      hanging: true,
      command: command === '' ? asText(dig(hook, 'httpGet', 'path')) : command,
      reason: waiting.reason,
      message,
      detail: message,
    },
    {
      source: `${objectKey(pod)} container ${container.name}`,
      quote: `${message}: its postStart hook has not ended`,
      at,
    },
  );
}

/** Events are kept for an hour: what else keeps a container waiting that long is told again and again. Source: kube-apiserver --event-ttl. */
const EVENTS_MILLISECONDS = 3_600_000;

/** When the pod got its sandbox, if all that was told of it since is forgotten. */
function sandboxSince(pod: KubeObject, now: number): number | undefined {
  const ready = conditionStatus(pod, 'PodReadyToStartContainers') === 'True' ? lastTransition(pod, 'PodReadyToStartContainers') : undefined;
  return ready !== undefined && now - ready > EVENTS_MILLISECONDS ? ready : undefined;
}

interface Said {
  readonly message: string;
  readonly source: string;
  readonly event?: SeenEvent;
}

/** The present message, the last run's, or the latest event of a failing start: whichever names a cause first. */
function saidOf({ container, waiting, ended, state }: ContainerHealth, { events, hasEnded }: Told): Said | undefined {
  const source = `container ${container.name}`;
  const failing = waiting !== undefined && START_REASONS.has(waiting.reason) && !hasEnded(waiting.message ?? '');
  const ranNever = ended !== undefined && neverRan(ended);
  const now = failing ? toldWhy(waiting, `${source} waiting`) : undefined;
  const then = ranNever ? toldWhy(ended, `${source} ${state === 'terminated' ? 'state' : 'last state'}`) : undefined;
  if (now !== undefined || then !== undefined) return now ?? then;
  const hook = failedPostStart(container.name, events, hasEnded);
  if (hook !== undefined) return { message: hook.message, source, event: hook };
  if (!failing && !ranNever) return undefined;
  const event = events.findLast((one) => isOf(one, container.name) && isFailedStart(one));
  return event === undefined ? undefined : { message: event.message, source, event };
}

function toldWhy(
  state: { readonly reason?: string | undefined; readonly message?: string | undefined } | undefined,
  source: string,
): Said | undefined {
  const { reason = '', message } = state ?? {};
  return message !== undefined && saysWhy(message) ? { message, source: `${source}: ${reason}` } : undefined;
}

function isOf(event: SeenEvent, container: string): boolean {
  return event.container === undefined || event.container === container;
}

/** A pod of which only events were seen: the latest failing start, unless the container has started since. */
function unseenFailure(pod: KubeObject, events: readonly SeenEvent[], now: number, sink: FactSink): void {
  const index = events.findLastIndex((event) => isFailedStart(event) || event.reason === 'FailedPostStartHook');
  const event = events[index];
  if (event === undefined || !isRecent(event.at, now) || events.slice(index + 1).some(({ reason }) => reason === 'Started')) return;
  const ref = refOf(pod);
  sink.fact(
    'start-failure',
    ref,
    { container: event.container, detail: tailOf(event.message), reason: event.reason, message: event.message },
    eventProof(event, ref),
  );
}

/**
 * The kubelet puts this before what kept a container from being created or started. Source:
 * pkg/kubelet/kuberuntime/kuberuntime_container.go (startContainer).
 */
function isFailedStart({ reason, message }: SeenEvent): boolean {
  return reason === 'Failed' && message.startsWith('Error: ') && saysWhy(message);
}

/** Runtime messages are nested from the outside in: the last parts say what the system refused. */
function tailOf(message: string): string {
  const [firstLine = ''] = message
    .replace(/^Error: /, '')
    .trim()
    .split('\n');
  const parts = firstLine.replace(/: unknown$/, '').split(': ');
  return parts.slice(-3).join(': ').slice(-400);
}
