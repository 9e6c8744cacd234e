import type { Instant } from '../../base/instant.ts';
import { dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { refOf } from '../../model/kube-object.ts';
import type { ContainerHealth } from './container-health.ts';
import { healthOf, isLeaving, isWell } from './container-health.ts';
import type { Scene } from '../survey/scene.ts';
import { countsOf } from '../objects/workloads.ts';
import { ageSeconds, conditionStatus } from '../objects/pods.ts';
import { probesOf, windowFor, windowOf } from '../probes/probe-specs.ts';

/** What a pod takes at most from its creation until its containers run, where its images are not large. */
const START_SECONDS = 30;

/** What a program takes at most from its start until it listens, as a rule. */
export const LISTEN_SECONDS = 30;

/** Whether the pod is not ready because it has only begun: nothing of it has failed, and its probes have not had their time. */
export function isStarting(pod: KubeObject, now: Instant): boolean {
  const phase = dig(pod, 'status', 'phase');
  if (
    isLeaving(pod) ||
    (phase !== 'Pending' && phase !== 'Running') ||
    (phase === 'Pending' && conditionStatus(pod, 'PodScheduled') === 'False')
  )
    return false;
  const healths = healthOf(pod, now);
  if (healths.some(({ condition, restarts }) => condition === 'failed' || condition === 'unknown' || restarts > 0)) return false;
  const unready = healths.filter(({ condition }) => condition === 'unready');
  if (unready.length > 0) return unready.every((health) => (health.runSeconds ?? Number.POSITIVE_INFINITY) <= patienceWith(health));
  return (ageSeconds(pod, now) ?? Number.POSITIVE_INFINITY) <= START_SECONDS;
}

/** A startup probe that may go on failing: its container has that many seconds left. */
export interface Patience {
  readonly container: string;
  readonly seconds: number;
}

/** What a pod waits for that lacks nothing but the success of startup probes whose time is not over; undefined for any other. */
export function startupPatience(pod: KubeObject, now: Instant): Patience | undefined {
  const healths = healthOf(pod, now).filter((health) => !isWell(health) && health.condition !== 'unstarted');
  let longest: Patience | undefined;
  for (const { container, condition, restarts, runSeconds } of healths) {
    const startup = probesOf(container).find(({ probe }) => probe === 'startup');
    if (condition !== 'unready' || restarts > 0 || runSeconds === undefined || startup === undefined) return undefined;
    if (dig(container.status, 'started') !== false || runSeconds > windowOf(startup)) return undefined;
    const seconds = windowOf(startup) - runSeconds;
    if (longest === undefined || seconds > longest.seconds) longest = { container: container.name, seconds };
  }
  return longest;
}

/** What a program takes at most to become ready in a rollout that the pods before it cover. */
const ROLLOUT_SECONDS = 60;

/**
 * Whether an unready container belongs to a rollout that goes on, while enough other pods of its workload are ready: nothing is missing
 * meanwhile.
 */
export function isCovered(pod: KubeObject, { restarts, runSeconds }: ContainerHealth, scene: Scene): boolean {
  if (restarts > 0 || runSeconds === undefined || runSeconds > ROLLOUT_SECONDS) return false;
  const top = scene.workloadOf(refOf(pod));
  const workload = top === undefined ? undefined : scene.workload(top);
  if (workload?.kind !== 'Deployment') return false;
  const { desired, current, ready, updated } = countsOf(workload, scene);
  if (desired === undefined || desired === 0 || ready === undefined || ready < desired) return false;
  return (updated !== undefined && updated < desired) || (current !== undefined && current > desired);
}

/** The startup probe's window, and the readiness probe's behind it, or what a program takes until it listens. */
function patienceWith({ container }: ContainerHealth): number {
  return Math.max(LISTEN_SECONDS, windowFor(container, 'startup') + windowFor(container, 'readiness'));
}
