import type { JsonObject } from '../../base/json.ts';
import { asList, asObject, dig } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { refOf } from '../../model/kube-object.ts';
import type { Answer, Failure } from '../apiserver/request.ts';
import type { NewObject } from '../components/client.ts';
import type { ComponentHost } from '../components/component.ts';
import type { Routine } from '../time/routine.ts';
import { together } from '../time/routine.ts';
import { controllerReference } from './ownership.ts';

/**
 * A pod of an owner's template; named after the owner unless it has a name of its own. Source: pkg/controller/controller_utils.go
 * (GetPodFromTemplate).
 */
export function podOfTemplate(owner: KubeObject, template: JsonObject, metadata: JsonObject = {}): NewObject {
  const from = asObject(template['metadata']);
  const { namespace } = owner.metadata;
  const base: JsonObject = {
    generateName: `${owner.metadata.name}-`,
    ...(namespace === undefined ? {} : { namespace }),
    ...picked(from, ['labels', 'annotations', 'finalizers']),
    ownerReferences: [controllerReference(owner)],
  };
  return { apiVersion: 'v1', kind: 'Pod', metadata: withFields(base, metadata) as NewObject['metadata'], spec: template['spec'] };
}

/** Creates a pod and says so in an event of its owner. Source: pkg/controller/controller_utils.go (RealPodControl.createPods). */
export function* createPod(host: ComponentHost, owner: KubeObject, pod: NewObject): Routine<Answer> {
  const answer = yield* host.client.send(host.client.requestToCreateOwn(pod, true));
  if (answer.ok)
    host.events.event(owner, { type: 'Normal', reason: 'SuccessfulCreate', message: `Created pod: ${answer.object.metadata.name}` });
  else if (!isNamespaceTerminating(answer))
    host.events.event(owner, { type: 'Warning', reason: 'FailedCreate', message: `Error creating: ${answer.message}` });
  return answer;
}

/** Deletes a pod; one that is gone already counts as deleted. */
export function* deletePod(host: ComponentHost, owner: KubeObject, pod: KubeObject): Routine<Answer> {
  const answer = yield* host.client.delete(refOf(pod), { preconditions: { uid: pod.metadata.uid ?? '' } });
  if (answer.ok) host.events.event(owner, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}` });
  else if (answer.code !== 404)
    host.events.event(owner, { type: 'Warning', reason: 'FailedDelete', message: `Error deleting: ${answer.message}` });
  return answer;
}

/**
 * Makes so many things in batches of 1, 2, 4, 8 and so on, and stops after a batch in which one failed, so that a hopeless
 * request is not made a thousand times. Source: pkg/controller/controller_utils.go (slowStartBatch).
 */
export function* slowStart(
  count: number,
  make: (index: number) => Routine<Answer>,
): Routine<{ readonly made: number; readonly failure: Failure | undefined }> {
  let made = 0;
  let next = 0;
  for (let size = Math.min(count, 1); size > 0; size = Math.min(2 * size, count - next)) {
    const from = next;
    const answers = yield* together(Array.from({ length: size }, (_, offset) => make(from + offset)));
    next += size;
    const failures = answers.filter((answer): answer is Failure => !answer.ok);
    made += size - failures.length;
    if (failures[0] !== undefined) return { made, failure: failures[0] };
  }
  return { made, failure: undefined };
}

export function isNamespaceTerminating(failure: Failure): boolean {
  return asList(dig(failure.status, 'details', 'causes')).some((cause) => dig(cause, 'reason') === 'NamespaceTerminating');
}

function picked(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.filter((field) => object[field] !== undefined).map((field) => [field, object[field]]));
}
