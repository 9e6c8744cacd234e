import type { Instant } from '../../../base/instant.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { timeOf } from '../../time/api-times.ts';
import { createdAt, readySince } from '../pod-state.ts';

/**
 * When what led to a change of endpoints happened, for measuring how long it took. Source:
 * staging/src/k8s.io/endpointslice/trigger_time_tracker.go.
 */
export class TriggerTimes {
  readonly #services = new Map<string, { service: Instant; pods: Map<string, Instant> }>();

  /** The earliest trigger not seen before, as text; undefined when nothing is new. */
  take(key: string, service: KubeObject, pods: Iterable<KubeObject>): string | undefined {
    const known = this.#services.get(key) ?? { service: Number.NEGATIVE_INFINITY, pods: new Map<string, Instant>() };
    let first: Instant | undefined;
    const times = new Map<string, Instant>();
    for (const pod of pods) {
      const at = readySince(pod);
      if (at === undefined) continue;
      times.set(pod.metadata.name, at);
      if (at > (known.pods.get(pod.metadata.name) ?? Number.NEGATIVE_INFINITY)) first = Math.min(first ?? at, at);
    }
    const created = createdAt(service);
    if (created > known.service) first = Math.min(first ?? created, created);
    this.#services.set(key, { service: created, pods: times });
    return first === undefined ? undefined : timeOf(first);
  }

  forget(key: string): void {
    this.#services.delete(key);
  }
}

export const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';
