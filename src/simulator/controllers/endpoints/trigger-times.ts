import type { Instant } from '../../../base/instant.ts';
import { onceEach } from '../../../base/once.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { timeOf } from '../../time/api-times.ts';
import { createdAt } from '../pod-state.ts';
import { type Member, toldOf } from './service-pods.ts';

/**
 * When what led to a change of endpoints happened, for measuring how long it took. Source:
 * staging/src/k8s.io/endpointslice/trigger_time_tracker.go.
 */
export class TriggerTimes {
  readonly #services = new Map<string, Instant>();

  /** The earliest trigger not seen before, as text; undefined when nothing is new. Only pods that have changed can have one. */
  take(key: string, service: KubeObject, changed: Iterable<Member<unknown>>): string | undefined {
    let first: Instant | undefined;
    for (const member of changed) {
      const at = toldOf(member);
      if (at > member.told) first = Math.min(first ?? at, at);
      member.told = at;
    }
    const created = createdOnce(service);
    if (created > (this.#services.get(key) ?? Number.NEGATIVE_INFINITY)) first = Math.min(first ?? created, created);
    this.#services.set(key, created);
    return first === undefined ? undefined : timeOf(first);
  }

  forget(key: string): void {
    this.#services.delete(key);
  }
}

const createdOnce = onceEach(createdAt);

/** Annotations with that time instead of the one before; the very same when it is that. Undefined when none are left. */
export function withTrigger(annotations: Readonly<Record<string, string>>, trigger: string | undefined): typeof annotations | undefined {
  if (trigger !== undefined && annotations[TRIGGER_TIME] === trigger) return annotations;
  let changed: Record<string, string> | undefined;
  for (const name of Object.keys(annotations)) if (name !== TRIGGER_TIME) (changed ??= {})[name] = annotations[name] ?? '';
  if (trigger !== undefined) (changed ??= {})[TRIGGER_TIME] = trigger;
  return changed;
}

const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';
