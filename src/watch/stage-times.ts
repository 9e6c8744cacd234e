import type { Instant } from '../base/instant.ts';
import { parseInstant } from '../base/instant.ts';
import type { Json } from '../base/json.ts';
import { asList, dig } from '../base/json.ts';
import { largest } from '../base/lists.ts';
import { conditionStatus } from '../collect/objects/pods.ts';
import type { KubeObject } from '../model/kube-object.ts';
import type { StageId } from '../model/stage.ts';
import type { StageTime } from '../model/watch-change.ts';
import { STAGE_BUCKETS } from '../model/watch-change.ts';

interface Histogram {
  readonly counts: number[];
  sum: number;
  count: number;
}

/** How long pods that came up were in some stages, by the times in their status; counted when a new pod is Ready for the first time. */
export class StageTimes {
  /** Pods that were made since the watch began, and have not been Ready yet. */
  readonly #starting = new Set<string>();
  readonly #histograms = new Map<StageId, Histogram>();
  #begun: Instant | undefined;

  /** `isNew`: it was not known before. `isOwn`: it is counted here, and nowhere else. */
  seen(pod: KubeObject, { isNew, isOwn }: { readonly isNew: boolean; readonly isOwn: () => boolean }, now: Instant): void {
    const { uid } = pod.metadata;
    this.#begun ??= now;
    if (uid === undefined) return;
    if (isNew && (parseInstant(pod.metadata['creationTimestamp']) ?? 0) >= this.#begun) this.#starting.add(uid);
    if (!this.#starting.has(uid) || conditionStatus(pod, 'Ready') !== 'True') return;
    this.#starting.delete(uid);
    if (isOwn()) for (const [stage, seconds] of secondsOf(pod)) this.#add(stage, seconds);
  }

  gone(uid: string): void {
    this.#starting.delete(uid);
  }

  times(): readonly StageTime[] {
    return Array.from(this.#histograms, ([stage, { counts, sum, count }]) => ({ stage, counts: [...counts], sum, count }));
  }

  #add(stage: StageId, seconds: number): void {
    const histogram = this.#histograms.get(stage) ?? { counts: STAGE_BUCKETS.map(() => 0), sum: 0, count: 0 };
    this.#histograms.set(stage, histogram);
    for (const [index, bound] of STAGE_BUCKETS.entries())
      if (seconds <= bound) histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
    histogram.sum += seconds;
    histogram.count += 1;
  }
}

/**
 * From the time at which one stage was passed to that of the next that shows in a status. The sandbox's time has that of volumes and
 * network in it, and the containers' that of images and init containers. Source: pkg/apis/core/types.go (PodConditionType).
 */
function secondsOf(pod: KubeObject): readonly (readonly [StageId, number])[] {
  const at = (type: string): Instant | undefined =>
    parseInstant(
      dig(
        asList(dig(pod, 'status', 'conditions')).find((condition) => dig(condition, 'type') === type),
        'lastTransitionTime',
      ),
    );
  const started = asList(dig(pod, 'status', 'containerStatuses')).map(
    (status: Json) => parseInstant(dig(status, 'state', 'running', 'startedAt')) ?? 0,
  );
  const steps: readonly (readonly [StageId, Instant | undefined])[] = [
    ['scheduling', at('PodScheduled')],
    ['sandbox', at('PodReadyToStartContainers')],
    ['containers', started.length === 0 ? undefined : largest(started)],
    ['probes', at('Ready')],
  ];
  let before = parseInstant(pod.metadata['creationTimestamp']);
  return steps.flatMap(([stage, passed]) => {
    const seconds = before === undefined || passed === undefined ? undefined : (passed - before) / 1000;
    before = passed;
    return seconds === undefined || seconds < 0 ? [] : [[stage, seconds] as const];
  });
}
