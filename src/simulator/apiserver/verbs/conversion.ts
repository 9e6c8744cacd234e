import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { callWebhook } from '../admission/webhook-call.ts';
import { failure } from '../failures.ts';
import type { Failure, UnsignedRequest } from '../request.ts';
import type { ServedResource } from '../resources.ts';
import { apiVersionOf } from '../resources.ts';
import type { Call, ServerState } from '../server-state.ts';

/**
 * Custom resources lie in the store in the version that was the stored one when they were written, and a webhook converts them.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go.
 */

/** Why what is there cannot be had in the version asked for. */
export function conversionTrouble(state: ServerState, request: UnsignedRequest, resource: ServedResource): Failure | undefined {
  if (resource.custom?.conversion === undefined) return undefined;
  const { store, converted: known } = state;
  known.clear();
  const named = request.name === undefined ? undefined : store.get(resource.key, request.namespace, request.name);
  for (const object of request.name === undefined && request.verb !== 'create' ? store.list(resource.key, request.namespace) : [named]) {
    const converted = object === undefined ? undefined : inVersion(state, resource, object, apiVersionOf(resource));
    if (converted?.ok === false) return converted;
  }
  return undefined;
}

/** A stored object in the version of the request; as it is when it cannot be converted. */
export function asServed(state: ServerState, resource: ServedResource, object: KubeObject): KubeObject {
  if (resource.custom?.conversion === undefined) return object;
  const converted = inVersion(state, resource, object, apiVersionOf(resource));
  return converted.ok ? converted.object : object;
}

/** The object that a request names. */
export function servedObject({ state, request, resource }: Call): KubeObject | undefined {
  const stored = state.store.get(resource.key, request.namespace, request.name ?? '');
  return stored === undefined ? undefined : asServed(state, resource, stored);
}

/** An object as it is to be stored. */
export function asStored(state: ServerState, resource: ServedResource, object: KubeObject): Converted {
  if (resource.custom?.conversion === undefined) return { ok: true, object };
  return inVersion(state, resource, object, apiVersionOf({ group: resource.group, version: resource.custom.storage }));
}

type Converted = { readonly ok: true; readonly object: KubeObject } | Failure;

function inVersion(state: ServerState, resource: ServedResource, object: KubeObject, wanted: string): Converted {
  const { conversion } = resource.custom ?? {};
  if (object.apiVersion === wanted || conversion === undefined) return { ok: true, object };
  const known = state.converted.get(object)?.get(wanted);
  if (known !== undefined) return { ok: true, object: known };
  const { store, world, now } = state;
  const review = (): JsonObject => ({ desiredAPIVersion: wanted, objects: [object], uid: object.metadata.uid ?? '' });
  const reply = callWebhook(conversion.webhook, TIMEOUT_SECONDS, { store, world, now: now() }, review, CONVERSION);
  const failed = (words: string): Failure =>
    failure(500, '', `conversion webhook for ${object.apiVersion ?? ''}, Kind=${resource.kind} ${words}`);
  if ('error' in reply) return failed(`failed: ${reply.error.replace(/^failed to call webhook: /, '')}`);
  // Where nothing is known of a server, it changes nothing.
  const made = reply.answer.answer === 'review' ? convertedIn(reply.answer.response, object, wanted) : { ...object, apiVersion: wanted };
  if (typeof made === 'string') return failed(made);
  const kept = state.converted.get(object) ?? new Map<string, KubeObject>();
  state.converted.set(object, kept.set(wanted, made));
  return { ok: true, object: made };
}

const TIMEOUT_SECONDS = 30;
const CONVERSION = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' } as const;

/** The object of an answer, or what is wrong with it. */
function convertedIn(response: JsonObject, object: KubeObject, wanted: string): KubeObject | string {
  const status = asText(dig(response, 'result', 'status')) ?? '';
  const told = asText(dig(response, 'result', 'message')) ?? '';
  if (status !== 'Success') return `failed: ${told === '' ? `response.result.status was '${status}', not 'Success'` : told}`;
  const objects = asList(response['convertedObjects']);
  if (objects.length !== 1) return `returned ${objects.length} objects, expected 1`;
  const made = asObject(objects[0]);
  const wrong = 'returned invalid object at index 0';
  if (made['apiVersion'] !== wanted)
    return `${wrong}: invalid groupVersion (expected ${wanted}, received ${asText(made['apiVersion']) ?? ''})`;
  if (made['kind'] !== object['kind'])
    return `${wrong}: invalid kind (expected ${object.kind ?? ''}, received ${asText(made['kind']) ?? ''})`;
  const { metadata } = made;
  for (const [field, name] of KEPT) {
    const [before, after] = [object.metadata[field], dig(metadata, field)].map((value) => asText(value as Json) ?? '');
    if (before !== after) return `returned invalid object: must have the same ${name}: ${before} != ${after}`;
  }
  if (!isJsonObject(metadata)) return 'returned invalid metadata: missing metadata in converted object';
  const { labels, annotations } = metadata;
  return withFields(made, { metadata: withFields(object.metadata, { labels, annotations }) }) as KubeObject;
}

const KEPT = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;
