import type { JsonObject } from '../../../base/json.ts';
import { asNumber } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { timeOf } from '../../time/api-times.ts';
import { RESIZE_EVENT } from '../kubelet-messages.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import { allocatedPod, resizeSummary } from './allocated-pod.ts';
import { hasToResize } from './container-resize.ts';

/** Source: pkg/kubelet/allocation/allocation_manager.go (retryDelay). */
const RETRY_MILLISECONDS = 180_000;
const NONE: readonly JsonObject[] = [];

/**
 * A pod that is to get other resources than it was given: as long as the node has no room for them it keeps what it has.
 * Source: pkg/kubelet/allocation/allocation_manager.go (handlePodResourcesResize), status/status_manager.go.
 */
export class PodResize {
  readonly #parts: KubeletParts;
  readonly #retry: () => void;
  /** The pod as the API has it, while it has to wait. */
  #wanted: KubeObject | undefined;
  #pending: JsonObject | undefined;
  #progress: JsonObject | undefined;

  /** `retry` is called when it is time to ask once more whether there is room. */
  constructor(parts: KubeletParts, retry: () => void) {
    this.#parts = parts;
    this.#retry = retry;
  }

  /** Whether it waits for room on the node. */
  get waits(): boolean {
    return this.#wanted !== undefined;
  }

  /** Conditions of the pod; none when nothing is to be resized. */
  get conditions(): readonly JsonObject[] {
    if (this.#pending === undefined && this.#progress === undefined) return NONE;
    return [this.#pending, this.#progress].filter((condition) => condition !== undefined);
  }

  /** The pod that the kubelet goes by, now that the API has it so. */
  take(pod: KubeObject, given: KubeObject): KubeObject {
    const isSame = (this.#wanted ?? given).metadata['generation'] === pod.metadata['generation'];
    if (isSame && this.#wanted === undefined) return pod;
    const allocated = allocatedPod(pod, given);
    if (!isSame) return this.#judge(pod, allocated);
    this.#wanted = pod;
    return allocated;
  }

  /** Tries once more whether there is room. */
  again(given: KubeObject): KubeObject {
    return this.#wanted === undefined ? given : this.#judge(this.#wanted, allocatedPod(this.#wanted, given));
  }

  /** At each sync: whether the containers have what the pod was given. */
  seen(pod: KubeObject): void {
    const progress = this.#progress;
    if (progress === undefined || hasToResize(pod, this.#parts.runtime.containersOf(pod.metadata.uid ?? ''))) return;
    this.#progress = undefined;
    const generation = asNumber(progress['observedGeneration']) ?? 0;
    this.#tell(pod, 'Normal', 'ResizeCompleted', RESIZE_EVENT('completed', resizeSummary(pod, generation)));
  }

  /** The runtime cannot do it now. */
  failed(pod: KubeObject, message: string): void {
    const generation = asNumber(this.#progress?.['observedGeneration']) ?? asNumber(pod.metadata['generation']) ?? 0;
    const isNew = this.#progress?.['message'] !== message;
    this.#progress = this.#condition('PodResizeInProgress', generation, this.#progress, { reason: 'Error', message });
    if (isNew) this.#tell(pod, 'Warning', 'ResizeError', RESIZE_EVENT('error', resizeSummary(pod, generation, message)));
  }

  #judge(pod: KubeObject, allocated: KubeObject): KubeObject {
    const generation = asNumber(pod.metadata['generation']) ?? 0;
    const trouble = allocated === pod ? undefined : this.#parts.rejection(pod);
    if (trouble === undefined) {
      this.#wanted = undefined;
      this.#pending = undefined;
      if (allocated === pod) return pod;
      this.#progress = this.#condition('PodResizeInProgress', generation, undefined);
      this.#tell(pod, 'Normal', 'ResizeStarted', RESIZE_EVENT('started', resizeSummary(pod, generation)));
      return pod;
    }
    this.#wanted = pod;
    this.#parts.host.after(RETRY_MILLISECONDS, 'resize again', this.#retry);
    const { message } = trouble;
    const isNew = this.#pending?.['observedGeneration'] !== generation;
    this.#pending = this.#condition('PodResizePending', generation, this.#pending, { reason: 'Deferred', message });
    if (isNew) this.#tell(pod, 'Warning', 'ResizeDeferred', RESIZE_EVENT('Deferred', resizeSummary(pod, generation, message)));
    return allocated;
  }

  #tell(pod: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#parts.host.events.event(pod, { type, reason, message });
  }

  /** Since another reason it is another condition. Source: the same (updatedPodResizeCondition). */
  #condition(type: string, observedGeneration: number, before: JsonObject | undefined, why: JsonObject = {}): JsonObject {
    const now = timeOf(this.#parts.host.now());
    const isSame = before !== undefined && before['reason'] === why['reason'];
    const lastTransitionTime = isSame ? before['lastTransitionTime'] : now;
    return { type, status: 'True', ...why, observedGeneration, lastProbeTime: now, lastTransitionTime };
  }
}
