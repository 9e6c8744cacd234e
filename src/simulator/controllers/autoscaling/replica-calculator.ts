import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { parseDuration } from '../../../base/duration.ts';
import { smallest } from '../../../base/lists.ts';
import { numberOf } from '../../../base/number.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { conditionOf } from '../conditions.ts';
import { isDeleted } from '../ownership.ts';
import { phaseOf } from '../pod-state.ts';

/** What is asked of a resource: a share of the request, or an amount for each pod (in thousandths of the unit). */
export interface ResourceTarget {
  readonly resource: string;
  /** Only this container of each pod. */
  readonly container: string | undefined;
  readonly utilization: number | undefined;
  readonly average: number | undefined;
}

export type Calculated =
  | { readonly replicas: number; readonly utilization: number | undefined; readonly average: number }
  | { readonly error: string };

/** Within this share of the target nothing is changed. */
const TOLERANCE = 0.1;
const INITIALIZATION_MILLISECONDS = 300_000;
const INITIAL_READINESS_MILLISECONDS = 30_000;

/**
 * How many replicas a resource asks for, from the figures of the pods.
 * Source: pkg/controller/podautoscaler/replica_calculator.go (GetResourceReplicas, GetRawResourceReplicas, groupPods).
 */
export function replicasFor(
  target: ResourceTarget,
  current: number,
  pods: readonly KubeObject[],
  metrics: readonly KubeObject[],
  now: Instant,
): Calculated {
  if (metrics.length === 0)
    return { error: `unable to get metrics for resource ${target.resource}: no metrics returned from resource metrics API` };
  if (pods.length === 0) return { error: 'no pods returned by selector while calculating replica count' };
  const values = new Map<string, number>();
  const byName = new Map(metrics.map((one) => [one.metadata.name, one]));
  for (const [name, one] of byName) values.set(name, valueOf(one, target));
  const { ready, unready, missing, ignored } = group(pods, byName, target.resource, now);
  for (const name of [...ignored, ...unready]) values.delete(name);
  if (values.size === 0) return { error: 'did not receive metrics for targeted pods (pods might be unready)' };
  const requests = target.utilization === undefined ? new Map<string, number>() : requestsOf(pods, target);
  if (typeof requests === 'string') return { error: requests };
  const first = ratioOf(values, target, requests);
  const wanted = countFor(target, current, values, requests, { first: first.ratio, ready, unready, missing });
  return { replicas: wanted, utilization: first.utilization, average: first.average };
}

/** Whether the second ratio asks for the opposite of the first. */
function turns(first: number, second: number): boolean {
  return (first < 1 && second > 1) || (first > 1 && second < 1);
}

function countFor(
  target: ResourceTarget,
  current: number,
  values: Map<string, number>,
  requests: ReadonlyMap<string, number>,
  of: { readonly first: number; readonly ready: number; readonly unready: readonly string[]; readonly missing: readonly string[] },
): number {
  const { first, ready, unready, missing } = of;
  const withUnready = unready.length > 0 && first > 1;
  if (!withUnready && missing.length === 0) return isNear(first) ? current : ceil(first * ready);
  // Whatever is not known is taken to speak against the change.
  if (first < 1) for (const name of missing) values.set(name, fallback(target, requests.get(name) ?? 0));
  if (first > 1) for (const name of missing) values.set(name, 0);
  if (withUnready) for (const name of unready) values.set(name, 0);
  const { ratio } = ratioOf(values, target, requests);
  if (isNear(ratio) || turns(first, ratio)) return current;
  return changed(current, ceil(ratio * values.size), ratio);
}

/** Never against the way the ratio points. */
function changed(current: number, replicas: number, ratio: number): number {
  return (ratio < 1 && replicas > current) || (ratio > 1 && replicas < current) ? current : replicas;
}

function isNear(ratio: number): boolean {
  return Math.abs(1 - ratio) <= TOLERANCE + 1e-12;
}

/** Go's math.Ceil of a product that may be a hair above a whole number. */
function ceil(value: number): number {
  return Math.ceil(value - 1e-9);
}

function fallback(target: ResourceTarget, request: number): number {
  return target.utilization === undefined ? (target.average ?? 0) : (request * Math.max(100, target.utilization)) / 100;
}

interface Ratio {
  readonly ratio: number;
  readonly utilization: number | undefined;
  readonly average: number;
}

/** Source: metrics/utilization.go. */
function ratioOf(values: ReadonlyMap<string, number>, target: ResourceTarget, requests: ReadonlyMap<string, number>): Ratio {
  let [used, asked] = [0, 0];
  for (const [name, value] of values) {
    const request = requests.get(name);
    if (target.utilization !== undefined && request === undefined) continue;
    used += value;
    asked += request ?? 0;
  }
  const average = values.size === 0 ? 0 : used / values.size;
  if (target.utilization === undefined) return { ratio: average / (target.average ?? 1), utilization: undefined, average };
  const utilization = asked === 0 ? 0 : Math.trunc((used * 100) / asked);
  return { ratio: utilization / target.utilization, utilization, average };
}

/** In thousandths of the unit, as the metrics API's client counts, kept as numbers. */
function valueOf(metrics: KubeObject, { resource, container }: ResourceTarget): number {
  return asList(metrics['containers'])
    .filter((one) => container === undefined || dig(one, 'name') === container)
    .reduce<number>((sum, one) => sum + milli(dig(one, 'usage', resource)), 0);
}

export function milli(amount: Json | undefined): number {
  const nano = parseQuantity(amount) ?? 0n;
  return numberOf((nano + 999_999n) / 1_000_000n);
}

function requestsOf(pods: readonly KubeObject[], { resource, container }: ResourceTarget): Map<string, number> | string {
  const requests = new Map<string, number>();
  for (const pod of pods) {
    let sum = 0;
    for (const spec of containersOf(pod)) {
      const name = asText(dig(spec, 'name')) ?? '';
      if (container !== undefined && name !== container) continue;
      const request = dig(spec, 'resources', 'requests', resource);
      if (request === undefined) return `missing request for ${resource} in container ${name} of Pod ${pod.metadata.name}`;
      sum += milli(request);
    }
    requests.set(pod.metadata.name, sum);
  }
  return requests;
}

function containersOf(pod: KubeObject): readonly Json[] {
  const sidecars = asList(dig(pod, 'spec', 'initContainers')).filter((one) => dig(one, 'restartPolicy') === 'Always');
  return [...asList(dig(pod, 'spec', 'containers')), ...sidecars];
}

function group(pods: readonly KubeObject[], metrics: ReadonlyMap<string, KubeObject>, resource: string, now: Instant) {
  const [unready, missing, ignored]: [string[], string[], string[]] = [[], [], []];
  let ready = 0;
  for (const pod of pods) {
    const { name } = pod.metadata;
    const found = metrics.get(name);
    if (isDeleted(pod) || phaseOf(pod) === 'Failed') ignored.push(name);
    else if (phaseOf(pod) === 'Pending') unready.push(name);
    else if (found === undefined) missing.push(name);
    else if (resource === 'cpu' && isUnready(pod, found, now)) unready.push(name);
    else ready++;
  }
  return { ready, unready, missing, ignored };
}

/** What a pod uses while it starts says nothing about what it will use. */
function isUnready(pod: KubeObject, metrics: KubeObject, now: Instant): boolean {
  const condition = conditionOf(pod, 'Ready');
  const started = parseInstant(dig(pod, 'status', 'startTime'));
  if (condition === undefined || started === undefined) return true;
  const changed = parseInstant(condition['lastTransitionTime']) ?? 0;
  if (started + INITIALIZATION_MILLISECONDS > now)
    return (
      condition['status'] === 'False' ||
      (parseInstant(metrics['timestamp']) ?? 0) < changed + (parseDuration(asText(metrics['window']) ?? '') ?? 0) * 1000
    );
  return condition['status'] === 'False' && started + INITIAL_READINESS_MILLISECONDS > changed;
}

/** When a pod that is starting is next looked at otherwise, whatever happens to it. */
export function initializedAt(pods: readonly KubeObject[], now: Instant): Instant | undefined {
  const ends = pods
    .filter((pod) => !isDeleted(pod) && conditionOf(pod, 'Ready')?.['status'] !== 'True')
    .map((pod) => (parseInstant(dig(pod, 'status', 'startTime')) ?? Number.NEGATIVE_INFINITY) + INITIALIZATION_MILLISECONDS);
  const open = ends.filter((end) => end > now);
  return open.length === 0 ? undefined : smallest(open);
}
