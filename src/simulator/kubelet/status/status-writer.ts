import type { Instant } from '../../../base/instant.ts';
import type { JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import type { ComponentHost } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { connected, sleep } from '../../components/component.ts';
import { timeOf } from '../../time/api-times.ts';
import { isMirror } from '../pods/pod-fields.ts';
import type { PodStatus } from './pod-status.ts';

interface Written {
  /**
   * The conditions as they were written last: one that stays the same stays the same object. Of those that are known in another
   * way there is only the status, and since when.
   */
  conditions: readonly JsonObject[];
  status: JsonObject | undefined;
  waiting: JsonObject | undefined;
  /** What was to be written last, whether or not it was. */
  wanted: JsonObject | undefined;
  sending: boolean;
  phase: string;
}

/** Brings statuses to the API when they change, one request for a pod at a time. Source: pkg/kubelet/status/status_manager.go. */
export class StatusWriter {
  readonly #host: ComponentHost;
  readonly #pods = new Map<string, Written>();
  /** The pod as the API has it: a mirror for a static pod. */
  readonly #apiPod: (pod: KubeObject) => KubeObject | undefined;

  constructor(host: ComponentHost, apiPod: (pod: KubeObject) => KubeObject | undefined) {
    this.#host = host;
    this.#apiPod = apiPod;
  }

  /** `held`: the pod is over, but something of it still runs, so it keeps the phase it has. */
  write(pod: KubeObject, status: PodStatus, held: boolean, disruption?: JsonObject): void {
    const written = this.#written(pod);
    const generation = isMirror(this.#apiPod(pod) ?? pod) ? undefined : asNumber(pod.metadata['generation']);
    const phase = held ? written.phase : status.phase;
    written.phase = phase;
    const timed = (condition: JsonObject): JsonObject => this.#timed(written, condition, generation);
    const conditions = this.#foreign(pod).concat(
      disruption === undefined ? [] : timed(disruption),
      status.resizing,
      status.conditions.map(timed),
    );
    const body = held ? withFields(status.body, { reason: undefined, message: undefined }) : status.body;
    const shown: Record<string, JsonObject[string]> = {};
    if (generation !== undefined) shown['observedGeneration'] = generation;
    shown['phase'] = phase;
    Object.assign(shown, body);
    shown['conditions'] = conditions;
    this.#send(pod, shown);
  }

  /** A pod that was not taken: its status is no more than that. While it may run (`held`), it keeps the phase it has. */
  reject(pod: KubeObject, { reason, message }: { readonly reason: string; readonly message: string }, held: boolean): void {
    const generation = asNumber(pod.metadata['generation']);
    const written = this.#written(pod);
    if (!held) written.phase = 'Failed';
    const body: Record<string, JsonObject[string]> = {
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      phase: written.phase,
      ...(held ? {} : { reason, message }),
      startTime: asText(dig(pod, 'status', 'startTime')) ?? timeOf(this.#host.now()),
    };
    const conditions = this.#foreign(pod);
    if (conditions.length > 0) body['conditions'] = conditions;
    for (const field of Object.keys(isJsonObject(pod['status']) ? pod['status'] : {}))
      if (body[field] === undefined && field !== 'qosClass') body[field] = null;
    this.#send(pod, body);
  }

  /** The API has the pod anew, without its status: brought again by the next batch. */
  again(pod: KubeObject): void {
    this.#host.after(RETRY_MILLISECONDS, 'status again', () => {
      const written = this.#written(pod);
      const { status } = written;
      written.status = undefined;
      if (status !== undefined) this.#send(pod, status);
    });
  }

  /** Whether the API has all there is to say of a pod, and nobody else says anything of it. */
  isWritten(pod: KubeObject): boolean {
    const written = this.#pods.get(pod.metadata.uid ?? '');
    if (written === undefined || written.sending || written.waiting !== undefined || written.status !== written.wanted) return false;
    return this.#foreign(pod).length === 0;
  }

  /** A pod was ready once more, and is not since that moment: nobody was told. */
  wasReady(pod: KubeObject, until: Instant): void {
    const written = this.#written(pod);
    for (const type of ['Ready', 'ContainersReady'])
      if (conditionOf(written, type)?.['status'] === 'False') note(written, { type, status: 'False', lastTransitionTime: timeOf(until) });
  }

  forget(uid: string): void {
    this.#pods.delete(uid);
  }

  #written(pod: KubeObject): Written {
    const uid = pod.metadata.uid ?? '';
    const known = this.#pods.get(uid);
    if (known !== undefined) return known;
    const before = this.#apiPod(pod);
    const conditions = asList(dig(before, 'status', 'conditions')).map((condition): JsonObject => {
      const [type, status, lastTransitionTime] = ['type', 'status', 'lastTransitionTime'].map(
        (field) => asText(dig(condition, field)) ?? '',
      );
      return { type, status, lastTransitionTime };
    });
    const written: Written = {
      conditions,
      status: undefined,
      waiting: undefined,
      wanted: undefined,
      sending: false,
      phase: asText(dig(before, 'status', 'phase')) ?? 'Pending',
    };
    this.#pods.set(uid, written);
    return written;
  }

  /** Conditions of others stand first, as they are. */
  #foreign(pod: KubeObject): readonly JsonObject[] {
    return asList(dig(this.#apiPod(pod) ?? pod, 'status', 'conditions'))
      .filter(isJsonObject)
      .filter((condition) => !OWN_CONDITIONS.has(asText(condition['type']) ?? ''));
  }

  #timed(written: Written, condition: JsonObject, generation: number | undefined): JsonObject {
    const [type, status] = [asText(condition['type']) ?? '', asText(condition['status']) ?? ''];
    const known = conditionOf(written, type);
    const since = known?.['status'] === status ? (asText(known['lastTransitionTime']) ?? '') : '';
    const at = since === '' ? timeOf(this.#host.now()) : since;
    if (
      known?.['lastProbeTime'] === null &&
      known['status'] === status &&
      known['lastTransitionTime'] === at &&
      known['reason'] === condition['reason'] &&
      known['message'] === condition['message'] &&
      known['observedGeneration'] === generation
    )
      return known;
    const shown = sharedCondition(type, status, condition, generation, at);
    note(written, shown);
    return shown;
  }

  #send(pod: KubeObject, status: JsonObject): void {
    const written = this.#written(pod);
    if (sameJson(written.waiting ?? written.status, status)) return;
    written.waiting = status;
    written.wanted = status;
    if (!written.sending) this.#host.spawn(this.#deliver(pod, written));
  }

  *#deliver(pod: KubeObject, written: Written): Routine {
    written.sending = true;
    while (written.waiting !== undefined) {
      const api = this.#apiPod(pod);
      const status = written.waiting;
      if (api === undefined) break;
      // syncPod reads the pod first, so each status takes two requests.
      const read = yield* this.#host.client.get(refOf(api));
      const answer = read.ok
        ? yield* this.#host.client.patch(
            { ...refOf(api), uid: api.metadata.uid ?? '' },
            'merge',
            { metadata: { uid: api.metadata.uid ?? null }, status },
            { subresource: 'status', wellFormed: true },
          )
        : read;
      if (answer.ok) {
        written.status = status;
        if (written.waiting === status) written.waiting = undefined;
      } else if (answer.code === 404 || answer.code === 409) {
        written.waiting = undefined;
      } else {
        yield* sleep(this.#host, RETRY_MILLISECONDS, 'status again');
        yield* connected(this.#host);
      }
    }
    written.sending = false;
  }
}

function conditionOf({ conditions }: Written, type: string): JsonObject | undefined {
  return conditions.find((condition) => condition['type'] === type);
}

function note(written: Written, condition: JsonObject): void {
  const index = written.conditions.findIndex(({ type }) => type === condition['type']);
  written.conditions = index < 0 ? written.conditions.concat(condition) : written.conditions.with(index, condition);
}

/** Conditions of pods that became ready in the same second are one value; found without a text of each. */
function sharedCondition(
  type: string,
  status: string,
  { reason, message }: JsonObject,
  generation: number | undefined,
  at: string,
): JsonObject {
  if (latest.at !== at) latest = { at, shown: [] };
  for (const one of latest.shown)
    if (
      one['type'] === type &&
      one['status'] === status &&
      one['reason'] === reason &&
      one['message'] === message &&
      one['observedGeneration'] === generation
    )
      return one;
  const shown: Record<string, JsonObject[string]> = { type, status };
  if (reason !== undefined) shown['reason'] = reason;
  if (message !== undefined) shown['message'] = message;
  if (generation !== undefined) shown['observedGeneration'] = generation;
  shown['lastProbeTime'] = null;
  shown['lastTransitionTime'] = at;
  if (latest.shown.length < MAX_SHARED) latest.shown.push(shown);
  return shown;
}

let latest: { readonly at: string; readonly shown: JsonObject[] } = { at: '', shown: [] };
const MAX_SHARED = 32;

/** The batch sync of the status manager. */
const RETRY_MILLISECONDS = 10_000;

const OWN_CONDITIONS: ReadonlySet<string> = new Set([
  'PodScheduled',
  'Ready',
  'Initialized',
  'ContainersReady',
  'PodReadyToStartContainers',
  'PodResizePending',
  'PodResizeInProgress',
]);
