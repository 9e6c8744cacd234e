import type { Json } from '../../../base/json.ts';
import { asNumber, dig } from '../../../base/json.ts';
import { parseInteger } from '../../../base/number.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';

/** The numbers of a rollout. Source: pkg/controller/deployment/util/deployment_util.go. */
export function replicasOf(object: KubeObject): number {
  return asNumber(dig(object, 'spec', 'replicas')) ?? 1;
}

export function statusNumber(object: KubeObject, field: string): number {
  return asNumber(dig(object, 'status', field)) ?? 0;
}

export function sum(objects: readonly KubeObject[], of: (object: KubeObject) => number): number {
  return objects.reduce((total, object) => total + of(object), 0);
}

/** A count, or a percentage of a total rounded up or down. Source: apimachinery/pkg/util/intstr (GetScaledValueFromIntOrPercent). */
export function countOrPercent(value: Json | undefined, total: number, round: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' && value.endsWith('%') ? parseInteger(value.slice(0, -1)) : undefined;
  if (percent === undefined) return 0;
  return round === 'up' ? Math.ceil((percent * total) / 100) : Math.floor((percent * total) / 100);
}

export function isRolling(deployment: KubeObject): boolean {
  return dig(deployment, 'spec', 'strategy', 'type') !== 'Recreate';
}

export function maxSurge(deployment: KubeObject): number {
  return isRolling(deployment) ? fenceposts(deployment).surge : 0;
}

export function maxUnavailable(deployment: KubeObject): number {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment) || replicas === 0) return 0;
  return Math.min(fenceposts(deployment).unavailable, replicas);
}

/** Both nothing would be a rollout that cannot move: then one may be unavailable. */
function fenceposts(deployment: KubeObject): { readonly surge: number; readonly unavailable: number } {
  const replicas = replicasOf(deployment);
  const rolling = dig(deployment, 'spec', 'strategy', 'rollingUpdate');
  const surge = countOrPercent(dig(rolling, 'maxSurge'), replicas, 'up');
  const unavailable = countOrPercent(dig(rolling, 'maxUnavailable'), replicas, 'down');
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** How many replicas the new set is to have now. */
export function newReplicas(deployment: KubeObject, all: readonly KubeObject[], current: number): number {
  const wanted = replicasOf(deployment);
  if (!isRolling(deployment)) return wanted;
  const most = wanted + maxSurge(deployment);
  const there = sum(all, replicasOf);
  return there >= most ? current : current + Math.min(most - there, wanted - current);
}

/** How many replicas a set gains or loses by its share when a Deployment is scaled in the middle of a rollout. */
export function proportionOf(deployment: KubeObject, set: KubeObject, toAdd: number, added: number): number {
  if (replicasOf(set) === 0 || toAdd === 0 || toAdd === added) return 0;
  const share = fractionOf(deployment, set);
  const allowed = toAdd - added;
  return toAdd > 0 ? Math.min(share, allowed) : Math.max(share, allowed);
}

function fractionOf(deployment: KubeObject, set: KubeObject): number {
  const wanted = replicasOf(deployment);
  const size = replicasOf(set);
  if (wanted === 0) return -size;
  const before = parseInteger(annotationsOf(set)['deployment.kubernetes.io/max-replicas']);
  const base = before !== undefined && before > 0 ? before : Math.max(1, statusNumber(deployment, 'replicas'));
  return Math.round((size * (wanted + maxSurge(deployment))) / base) - size;
}
