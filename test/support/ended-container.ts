import type { JsonObject } from '../../src/base/json.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { ago, eventOn, objectOf } from './collected.ts';

export const POD = objectOf('Pod', 'web-1', {});

/** What an event of the pod about one of its containers is about. */
export function fieldOf(container: string, list = 'containers'): JsonObject {
  return { involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1', fieldPath: `spec.${list}{${container}}` } };
}

/** An event about the container `web`, so many seconds ago. */
export function said(reason: string, message: string, seconds: number, more: JsonObject = {}): KubeObject {
  return eventOn(POD, reason, message, seconds, { ...fieldOf('web'), ...more });
}

/** A state in which a container ran for 20 s and ended with an error. */
export function terminated(more: JsonObject = {}): JsonObject {
  return { terminated: { exitCode: 1, reason: 'Error', startedAt: ago(120), finishedAt: ago(100), ...more } };
}

/** The status of a container that was started again so many seconds ago. */
export function running(seconds: number, more: JsonObject = {}): JsonObject {
  return { ready: true, state: { running: { startedAt: ago(seconds) } }, restartCount: 1, lastState: terminated(), ...more };
}
