import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import type { Json } from '../../base/json.ts';
import { asBoolean, asNumber, asScalarText, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { controllerOf } from '../../model/kube-object.ts';
import type { PodContainer } from './containers.ts';
import { containersOf } from './containers.ts';

/** One run of a container that is over. */
export interface Ended {
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly exitCode: number | undefined;
  readonly finishedAt: Instant | undefined;
  /** How long it ran; undefined for one that could not even start (startedAt 1970-01-01), or when the source does not say. */
  readonly seconds: number | undefined;
}

/** A container's present and last run, with what they amount to. */
export interface ContainerHealth {
  readonly container: PodContainer;
  readonly state: 'waiting' | 'running' | 'terminated' | undefined;
  /** Reason and message of a waiting state. */
  readonly waiting: { readonly reason: string | undefined; readonly message: string | undefined } | undefined;
  /** When the present run began, if it runs. */
  readonly startedAt: Instant | undefined;
  readonly runSeconds: number | undefined;
  /** The present state, if that is an ended run; else the last ended run. */
  readonly ended: Ended | undefined;
  readonly restarts: number;
  readonly ready: boolean | undefined;
  /**
   * `failed`: it is down and should not be; `restarting`: it runs, but has just been restarted and may well fail again;
   * `unready`: it runs and is not ready; `unstarted`: it has not run yet; `busy`: an init container that runs.
   */
  readonly condition: 'well' | 'done' | 'failed' | 'restarting' | 'unready' | 'unstarted' | 'busy' | 'unknown';
}

/** Health of all containers of a pod, in the order they start. */
export function healthOf(pod: KubeObject, now: Instant): readonly ContainerHealth[] {
  return containersOf(pod).map((container) => containerHealth(pod, container, now));
}

function containerHealth(pod: KubeObject, container: PodContainer, now: Instant): ContainerHealth {
  const { status } = container;
  const state = (['waiting', 'running', 'terminated'] as const).find((name) => dig(status, 'state', name) !== undefined);
  const waiting = dig(status, 'state', 'waiting');
  const startedAt = parseInstant(dig(status, 'state', 'running', 'startedAt'));
  const facts = {
    container,
    state,
    waiting: waiting === undefined ? undefined : { reason: asText(dig(waiting, 'reason')), message: asText(dig(waiting, 'message')) },
    startedAt,
    runSeconds: startedAt === undefined ? undefined : Math.max(0, Math.round((now - startedAt) / 1000)),
    ended: endedRun(dig(status, 'state', 'terminated') ?? dig(status, 'lastState', 'terminated')),
    // Where there is a last run, there was a restart.
    restarts: asNumber(dig(status, 'restartCount')) ?? (dig(status, 'lastState', 'terminated') === undefined ? 0 : 1),
    ready: asBoolean(dig(status, 'ready')),
  };
  return { ...facts, condition: conditionOf(facts, pod) };
}

function endedRun(terminated: Json | undefined): Ended | undefined {
  if (terminated === undefined) return undefined;
  const [startedAt, finishedAt] = [parseInstant(dig(terminated, 'startedAt')), parseInstant(dig(terminated, 'finishedAt'))];
  return {
    reason: asText(dig(terminated, 'reason')),
    message: asText(dig(terminated, 'message')),
    exitCode: asNumber(dig(terminated, 'exitCode')),
    finishedAt,
    seconds:
      startedAt === undefined || finishedAt === undefined || startedAt <= 0
        ? undefined
        : Math.max(0, Math.round((finishedAt - startedAt) / 1000)),
  };
}

/** Reasons of a container that just has not had its turn. Source: pkg/kubelet/kubelet_pods.go (convertToAPIContainerStatuses). */
const NOT_YET = new Set<string | undefined>(['ContainerCreating', 'PodInitializing', undefined]);

function conditionOf(health: Omit<ContainerHealth, 'condition'>, pod: KubeObject): ContainerHealth['condition'] {
  const { role } = health.container;
  switch (health.state) {
    case undefined:
      return unseenCondition(health);
    case 'waiting':
      if (!NOT_YET.has(health.waiting?.reason)) return 'failed';
      return health.ended === undefined ? 'unstarted' : 'failed';
    case 'terminated':
      if (health.ended?.exitCode !== 0) return 'failed';
      if (role === 'init' || role === 'ephemeral' || asText(dig(pod, 'status', 'phase')) === 'Succeeded') return 'done';
      return restartPolicyOf(pod) === 'Always' ? 'failed' : 'done';
    case 'running':
      if (role === 'init') return 'busy';
      if (health.ready === false) return 'unready';
      return justRestarted(health) ? 'restarting' : 'well';
  }
}

/** Of a container whose state was not seen, the last run tells where the container is not ready. */
function unseenCondition({ container, ended, ready }: Omit<ContainerHealth, 'condition'>): ContainerHealth['condition'] {
  if (container.status === undefined) return 'unstarted';
  return ended !== undefined && ready === false ? 'failed' : 'unknown';
}

/** The kubelet forgets a container's crashes after ten minutes. Source: pkg/kubelet/kuberuntime/kuberuntime_manager.go (doBackOff). */
const BACK_OFF_RESET_SECONDS = 600;
const SETTLE_SECONDS = 60;
/** A container that ran so long does not crash at its start: one restart of it is no loop. */
const LONG_RUN_SECONDS = 3600;

/**
 * Whether the runtime lost the run with its node: nobody saw the process exit. Source: containerd's pkg/cri/server/restart.go
 * (unknownExitCode 255,
 * unknownExitReason), pkg/kubelet/kubelet_pods.go (ContainerStatusUnknown).
 */
export function endedWithNode({ reason }: Ended): boolean {
  return reason === 'Unknown' || reason === 'ContainerStatusUnknown';
}

/** Ends of a container that never ran: containerd's, and docker's before it. */
const START_ENDS = new Set<string | undefined>(['StartError', 'ContainerCannotRun']);

export function neverRan({ reason }: Ended): boolean {
  return START_ENDS.has(reason);
}

/** Whether a running container has not yet outlived its last run for long enough to believe that it stays up. */
export function justRestarted({ restarts, runSeconds, ended }: Omit<ContainerHealth, 'condition'>): boolean {
  if (restarts === 0 || ended === undefined || runSeconds === undefined || endedWithNode(ended)) return false;
  if (ended.reason !== 'OOMKilled' && (ended.seconds ?? 0) >= LONG_RUN_SECONDS) return false;
  return runSeconds < Math.min(BACK_OFF_RESET_SECONDS, Math.max(SETTLE_SECONDS, 3 * (ended.seconds ?? 0)));
}

/** limits.memory as the spec writes it: a quantity, or a plain number. */
export function memoryLimitOf({ spec }: PodContainer): string | undefined {
  return asScalarText(dig(spec, 'resources', 'limits', 'memory'));
}

/** Whether the pod is on its way out: what its containers do then says nothing. */
export function isLeaving(pod: KubeObject): boolean {
  return dig(pod, 'metadata', 'deletionTimestamp') !== undefined;
}

/** Whether nothing is the matter with a container that has run, as far as its status tells. */
export function isWell({ condition }: ContainerHealth): boolean {
  return condition === 'well' || condition === 'done';
}

/**
 * Whether nothing starts a container again once it has ended. A sidecar has a policy of its own. Source: pkg/kubelet/container/helpers.go
 * (ShouldContainerBeRestarted).
 */
export function runsOnce(pod: KubeObject, { container }: ContainerHealth): boolean {
  if (container.role === 'sidecar') return false;
  const phase = asText(dig(pod, 'status', 'phase'));
  return restartPolicyOf(pod) === 'Never' || phase === 'Failed' || phase === 'Succeeded';
}

/** Controllers that accept no other restart policy. Source: pkg/apis/apps/validation/validation.go. */
const KEPT_RUNNING = new Set<string | undefined>(['ReplicaSet', 'StatefulSet', 'DaemonSet', 'ReplicationController']);

/** restartPolicy, also where the source does not show it and the pod's controller allows just one. */
export function restartPolicyOf(pod: KubeObject): string | undefined {
  return asText(dig(pod, 'spec', 'restartPolicy')) ?? (KEPT_RUNNING.has(controllerOf(pod)?.kind) ? 'Always' : undefined);
}
