import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../base/json.ts';
import { largest } from '../../base/lists.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { refOf } from '../../model/kube-object.ts';
import type { Task } from '../time/agenda.ts';
import type { ComponentDefinition, ComponentHost } from '../components/component.ts';
import { toleratesDeviceTaint } from '../devices/device-taints.ts';
import type { Informer } from '../components/informer.ts';
import type { Routine } from '../time/routine.ts';
import { keyOfObject } from '../store/store.ts';
import { markDisrupted } from './node/taint-eviction.ts';
import { isDeleted } from './ownership.ts';
import { isFinished } from './pod-state.ts';

/**
 * Deletes pods whose devices have a NoExecute taint that their claim does not tolerate, at once or when its patience is over.
 * Source: pkg/controller/devicetainteviction/device_taint_eviction.go.
 */
export const DEVICE_TAINT_EVICTION_CONTROLLER: ComponentDefinition = {
  name: 'device-taint-eviction-controller',
  process: 'kube-controller-manager',
  start,
};

function start(host: ComponentHost): void {
  const claims = host.informer({ kind: 'ResourceClaim' });
  const slices = host.informer({ kind: 'ResourceSlice' });
  const pods = host.informer({ kind: 'Pod' });
  const scheduled = new Map<string, Scheduled>();
  const look = (claim: KubeObject): void => {
    const due = dueOf(claim, slices, host.now());
    for (const consumer of asList(dig(claim, 'status', 'reservedFor'))) {
      const pod = pods.get(claim.metadata.namespace, asText(dig(consumer, 'name')) ?? '');
      if (pod !== undefined && pod.metadata.uid === dig(consumer, 'uid')) plan(host, pods, scheduled, pod, due);
    }
  };
  claims.onChange(({ object, type }) => {
    if (type !== 'DELETED' && dig(object, 'status', 'allocation') !== undefined) look(object);
  });
  slices.onChange(({ object, previous }) => {
    if (isTainted(object) || isTainted(previous))
      for (const claim of claims.list()) if (dig(claim, 'status', 'allocation') !== undefined) look(claim);
  });
}

const REASON = 'DeviceTaintManagerEviction';

interface Scheduled {
  readonly due: Instant;
  readonly task: Task;
}

function isTainted(slice: KubeObject | undefined): boolean {
  return asList(dig(slice, 'spec', 'devices')).some((device) => evicting(device).length > 0);
}

function evicting(device: Json | undefined): readonly Json[] {
  return asList(dig(device, 'taints')).filter((taint) => dig(taint, 'effect') === 'NoExecute');
}

/** When the pods of the claim have to go; undefined for never. */
function dueOf(claim: KubeObject, slices: Informer, now: Instant): Instant | undefined {
  let due: Instant | undefined;
  for (const result of asList(dig(claim, 'status', 'allocation', 'devices', 'results'))) {
    for (const taint of evicting(deviceOf(result, slices))) {
      const since = parseInstant(dig(taint, 'timeAdded')) ?? now;
      const fitting = asList(dig(result, 'tolerations')).filter((toleration) => toleratesDeviceTaint(toleration, taint));
      const seconds =
        fitting.length === 0
          ? 0
          : largest(fitting.map((toleration) => asNumber(dig(toleration, 'tolerationSeconds')) ?? Number.POSITIVE_INFINITY));
      if (seconds < Number.POSITIVE_INFINITY) due = Math.min(due ?? Number.POSITIVE_INFINITY, since + seconds * 1000);
    }
  }
  return due;
}

function deviceOf(result: Json, slices: Informer): Json | undefined {
  for (const slice of slices.list()) {
    const spec = dig(slice, 'spec');
    if (dig(spec, 'driver') !== dig(result, 'driver') || dig(spec, 'pool', 'name') !== dig(result, 'pool')) continue;
    const device = asList(dig(spec, 'devices')).find((one) => dig(one, 'name') === dig(result, 'device'));
    if (device !== undefined) return device;
  }
  return undefined;
}

function plan(host: ComponentHost, pods: Informer, scheduled: Map<string, Scheduled>, pod: KubeObject, due: Instant | undefined): void {
  const key = keyOfObject(pod);
  const known = scheduled.get(key);
  if (due === undefined) {
    if (known === undefined) return;
    known.task.cancel();
    scheduled.delete(key);
    host.events.event(pod, { type: 'Normal', reason: REASON, message: 'Cancelling deletion' });
    return;
  }
  if (known !== undefined && known.due <= due) return;
  known?.task.cancel();
  const task = host.at(Math.max(due, host.now()), `evict ${key}`, () => {
    scheduled.delete(key);
    const current = pods.get(pod.metadata.namespace, pod.metadata.name);
    if (current !== undefined && current.metadata.uid === pod.metadata.uid) host.spawn(evict(host, current));
  });
  scheduled.set(key, { due, task });
}

function* evict(host: ComponentHost, pod: KubeObject): Routine {
  if (isDeleted(pod) || isFinished(pod)) return;
  host.events.event(pod, { type: 'Normal', reason: REASON, message: 'Marking for deletion' });
  yield* markDisrupted(
    host,
    pod,
    { reason: 'DeletionByDeviceTaintManager', message: 'Device Taint manager: deleting due to NoExecute taint' },
    {},
  );
  const answer = yield* host.client.delete(refOf(pod), { preconditions: { uid: pod.metadata.uid ?? '' } });
  if (!answer.ok && answer.code !== 404) host.after(RETRY_MILLISECONDS, `evict ${keyOfObject(pod)}`, () => host.spawn(evict(host, pod)));
}

const RETRY_MILLISECONDS = 1000;
