import type { Instant } from '../../../base/instant.ts';
import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import { largest, smallest } from '../../../base/lists.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { AUTOSCALER_WORDS } from './autoscaler-messages.ts';

/** What an autoscaler remembers of itself; it is lost when its process ends. */
export interface Memory {
  recommendations: readonly { readonly at: Instant; readonly replicas: number }[];
  scalings: readonly { readonly at: Instant; readonly change: number }[];
}

export interface Condition {
  readonly type: 'AbleToScale' | 'ScalingActive' | 'ScalingLimited';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export interface Limited {
  readonly replicas: number;
  readonly conditions: readonly Condition[];
  /** When a recommendation that holds the number up or down is forgotten. */
  readonly againAt: Instant | undefined;
}

const DOWNSCALE_MILLISECONDS = 300_000;

export function boundsOf(autoscaler: KubeObject): { readonly min: number; readonly max: number } {
  return { min: asNumber(dig(autoscaler, 'spec', 'minReplicas')) ?? 1, max: asNumber(dig(autoscaler, 'spec', 'maxReplicas')) ?? 1 };
}

/**
 * The number that is really asked for: not less than was wanted lately, not too much at a time, within the bounds.
 * Source: pkg/controller/podautoscaler/horizontal.go (normalizeDesiredReplicas, normalizeDesiredReplicasWithBehaviors).
 */
export function limit(autoscaler: KubeObject, memory: Memory, current: number, wanted: number, now: Instant): Limited {
  const behavior = dig(autoscaler, 'spec', 'behavior');
  const windows = {
    up: 1000 * (asNumber(dig(behavior, 'scaleUp', 'stabilizationWindowSeconds')) ?? 0),
    down: 1000 * (asNumber(dig(behavior, 'scaleDown', 'stabilizationWindowSeconds')) ?? DOWNSCALE_MILLISECONDS / 1000),
  };
  const stable = stabilize(memory, current, wanted, windows, now);
  const bounded =
    behavior === undefined
      ? bound(autoscaler, current, stable.replicas)
      : boundByRates(autoscaler, { memory, current, now }, stable.replicas, behavior);
  const limited: Condition = {
    type: 'ScalingLimited',
    status: bounded.replicas === stable.replicas ? 'False' : 'True',
    reason: bounded.reason,
    message: bounded.message,
  };
  return { replicas: bounded.replicas, conditions: [stable.condition, limited], againAt: stable.againAt };
}

function stabilize(memory: Memory, current: number, wanted: number, windows: { readonly up: number; readonly down: number }, now: Instant) {
  const longest = Math.max(windows.up, windows.down);
  const known = memory.recommendations.filter(({ at }) => at > now - longest);
  memory.recommendations = [...known, { at: now, replicas: wanted }];
  const [up, down] = [known.filter(({ at }) => at > now - windows.up), known.filter(({ at }) => at > now - windows.down)];
  const lowest = smallest([wanted, ...up.map(({ replicas }) => replicas)]);
  const highest = largest([wanted, ...down.map(({ replicas }) => replicas)]);
  const replicas = Math.min(Math.max(current, lowest), highest);
  const expiries = [
    ...down.filter((one) => one.replicas > wanted).map(({ at }) => at + windows.down),
    ...up.filter((one) => one.replicas < wanted).map(({ at }) => at + windows.up),
  ];
  const againAt = replicas === wanted || expiries.length === 0 ? undefined : smallest(expiries);
  if (replicas === wanted) return { replicas, againAt, condition: able('ReadyForNewScale', AUTOSCALER_WORDS.matches) };
  const condition =
    replicas > wanted
      ? able('ScaleDownStabilized', AUTOSCALER_WORDS.stabilizedDown)
      : able('ScaleUpStabilized', AUTOSCALER_WORDS.stabilizedUp);
  return { replicas, againAt, condition };
}

function able(reason: string, message: string): Condition {
  return { type: 'AbleToScale', status: 'True', reason, message };
}

interface Bounded {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

const IN_RANGE = { reason: 'DesiredWithinRange', message: AUTOSCALER_WORDS.inRange };

function bound(autoscaler: KubeObject, current: number, wanted: number): Bounded {
  const { min, max } = boundsOf(autoscaler);
  const fastest = Math.max(2 * current, 4);
  if (wanted < min) return { replicas: min, reason: 'TooFewReplicas', message: AUTOSCALER_WORDS.tooFew };
  if (wanted > Math.min(max, fastest))
    return max > fastest
      ? { replicas: fastest, reason: 'ScaleUpLimit', message: AUTOSCALER_WORDS.tooFast }
      : { replicas: max, reason: 'TooManyReplicas', message: AUTOSCALER_WORDS.tooMany };
  return { replicas: wanted, ...IN_RANGE };
}

/** Source: horizontal.go (convertDesiredReplicasWithBehaviorRate). */
interface Past {
  readonly memory: Memory;
  readonly current: number;
  readonly now: Instant;
}

function boundByRates(autoscaler: KubeObject, past: Past, wanted: number, behavior: Json): Bounded {
  const { current } = past;
  const { min, max } = boundsOf(autoscaler);
  if (wanted > current) {
    const fastest = Math.max(current, rateLimit(dig(behavior, 'scaleUp'), DEFAULT_UP, past, 1));
    if (wanted > Math.min(max, fastest))
      return max > fastest
        ? { replicas: fastest, reason: 'ScaleUpLimit', message: AUTOSCALER_WORDS.tooFast }
        : { replicas: max, reason: 'TooManyReplicas', message: AUTOSCALER_WORDS.tooMany };
  } else if (wanted < current) {
    const fastest = Math.min(current, rateLimit(dig(behavior, 'scaleDown'), DEFAULT_DOWN, past, -1));
    if (wanted < Math.max(min, fastest))
      return min < fastest
        ? { replicas: fastest, reason: 'ScaleDownLimit', message: AUTOSCALER_WORDS.tooFastDown }
        : { replicas: min, reason: 'TooFewReplicas', message: AUTOSCALER_WORDS.tooFew };
  }
  return { replicas: wanted, ...IN_RANGE };
}

/** Source: pkg/apis/autoscaling/v2/defaults.go. */
const DEFAULT_UP: readonly Json[] = [
  { type: 'Pods', value: 4, periodSeconds: 15 },
  { type: 'Percent', value: 100, periodSeconds: 15 },
];
const DEFAULT_DOWN: readonly Json[] = [{ type: 'Percent', value: 100, periodSeconds: 15 }];

/** The most (or least) replicas the policies allow, given what was done in each one's period. */
function rateLimit(rules: Json | undefined, defaults: readonly Json[], { memory, current, now }: Past, direction: 1 | -1): number {
  const select = asText(dig(rules, 'selectPolicy')) ?? 'Max';
  if (select === 'Disabled') return current;
  const policies = asList(dig(rules, 'policies'));
  const limits = (policies.length === 0 ? defaults : policies).map((policy) => {
    const since = now - 1000 * (asNumber(dig(policy, 'periodSeconds')) ?? 15);
    const done = memory.scalings
      .filter(({ at, change }) => at > since && Math.sign(change) === direction)
      .reduce((sum, { change }) => sum + change, 0);
    const value = asNumber(dig(policy, 'value')) ?? 0;
    const begin = current - done;
    if (dig(policy, 'type') === 'Pods') return begin + direction * value;
    return direction === 1 ? Math.ceil(begin * (1 + value / 100) - 1e-9) : Math.trunc(begin * (1 - value / 100) + 1e-9);
  });
  return (select === 'Max') === (direction === 1) ? largest(limits) : smallest(limits);
}
