import type { Instant } from '../base/instant.ts';
import { smallest } from '../base/lists.ts';
import type { Cause } from '../model/diagnosis.ts';
import type { DrillFault } from '../model/drill.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import type { Goal } from './goal.ts';
import { refusedCommand } from './goal.ts';
import type { RunRecord } from './run-record.ts';

/** What a pager shows. */
export interface Alert {
  readonly name: string;
  readonly summary: string;
  readonly about: ObjectRef;
  /** When the trouble began; undefined where nothing tells. */
  readonly since?: Instant;
}

/**
 * What an alert would say of the things that do not come up: which of them, and for how long, never why. Names and wordings of
 * their kind follow kubernetes-mixin; what no such alert watches is what a check from outside, or whoever gave a command, would notice.
 */
export function alertsOf(
  faults: readonly DrillFault[],
  goals: readonly Goal[],
  causes: readonly (Cause | undefined)[],
  pods: (target: ObjectRef) => 'not-ready' | 'ready',
  since: (fault: number) => Instant | undefined,
): readonly Alert[] {
  const said = new Map<string, Alert>();
  for (const [index, { target }] of faults.entries()) {
    const cause = causes[index];
    const alert =
      commandAlert(target, goals[index], cause === undefined ? undefined : refusedCommand(cause)) ?? alertOf(target, pods(target));
    const began = since(index);
    said.set(`${alert.name} ${alert.summary}`, { ...alert, ...(began === undefined ? {} : { since: began }) });
  }
  return [...said.values()];
}

/** When the first proof of a cause was there; without one when the cluster was last touched before the trainee came. */
export function beganAt(cause: Cause | undefined, broke: RunRecord['broke'], start: Instant): Instant | undefined {
  const proofs = (cause?.evidence ?? []).flatMap(({ at }) => (at === undefined || at > start ? [] : [at]));
  return proofs.length === 0 ? broke.at(-1)?.at : smallest(proofs);
}

/** What whoever gave a command tells: it did not do what it was to do. */
function commandAlert(target: ObjectRef, goal: Goal | undefined, command: string | undefined): Alert | undefined {
  if (goal?.by === 'absence') return { name: 'DeleteHangs', summary: `${wordsOf(target)} was deleted, but still exists.`, about: target };
  const drained = goal?.by === 'again' ? goal.steps.find((step) => step.do === 'drain') : undefined;
  if (drained !== undefined)
    return {
      name: 'MaintenanceStuck',
      summary: `Node ${drained.node} must be drained for maintenance, but cannot be drained.`,
      about: { kind: 'Node', name: drained.node },
    };
  if (command === undefined) return undefined;
  const about = goal?.by === 'object' ? goal.object : target;
  return { name: 'DeployFailed', summary: `\`${command}\`${giver(goal)} failed, so ${wordsOf(about)} is not as intended.`, about };
}

/** Who gave a command whose rights are in question. */
function giver(goal: Goal | undefined): string {
  const [step] = goal?.by === 'again' ? goal.steps : [];
  const as = step?.do === 'apply' ? step.as : undefined;
  return as?.kind === 'user' ? `, run by ${as.name},` : '';
}

function wordsOf({ kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

function alertOf(target: ObjectRef, pods: 'not-ready' | 'ready'): Alert {
  const where = target.namespace === undefined ? target.name : `${target.namespace}/${target.name}`;
  const says = (name: string, summary: string): Alert => ({ name, summary, about: target });
  if (pods === 'ready' && SERVING.includes(target.kind))
    return says('ProbeFailed', `Requests to ${where} fail or return wrong results, although its pods are ready.`);
  switch (target.kind) {
    case 'Deployment':
      return says('KubeDeploymentReplicasMismatch', `Deployment ${where} does not match the expected number of replicas.`);
    case 'ReplicaSet':
      return says('KubeReplicasMismatch', `ReplicaSet ${where} does not match the expected number of replicas.`);
    case 'StatefulSet':
      return says('KubeStatefulSetReplicasMismatch', `StatefulSet ${where} does not match the expected number of replicas.`);
    case 'DaemonSet':
      return says('KubeDaemonSetRolloutStuck', `DaemonSet ${where} has not finished or progressed.`);
    case 'Job':
      return says('KubeJobNotCompleted', `Job ${where} is taking longer than expected to complete.`);
    case 'CronJob':
      return says('CronJobOverdue', `CronJob ${where} has not had a successful run when it should have.`);
    case 'Pod':
      return says('KubePodNotReady', `Pod ${where} is in a non-ready state.`);
    case 'Service':
    case 'Ingress':
    case 'HTTPRoute':
      return says('ProbeFailed', `Requests to ${target.kind} ${where} fail from inside and outside the cluster.`);
    case 'Node':
      return says('KubeNodeNotReady', `Node ${where} is unready.`);
    case 'HorizontalPodAutoscaler':
      return says('KubeHpaReplicasMismatch', `HPA ${where} does not match the desired number of replicas.`);
    case 'PersistentVolumeClaim':
    case 'PersistentVolume':
      return says('KubePersistentVolumeErrors', `${target.kind} ${where} cannot be used by its pods.`);
    case 'Namespace':
      return says('NamespaceStuck', `Namespace ${where} does not reach its desired state.`);
    default:
      return says('DeployFailed', `${target.kind} ${where} was rolled out and does not work.`);
  }
}

const SERVING: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'Pod', 'ReplicaSet'];
