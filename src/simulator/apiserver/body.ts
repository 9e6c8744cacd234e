import { assert } from '../../base/assert.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asObject, isJsonObject } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import { append } from '../../base/lists.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { toStored } from './convert.ts';
import { applySchemaDefaults, pruneUnknown } from './custom/structural.ts';
import { applyDefaults } from './defaulting/defaults.ts';
import { refuseTooLarge } from './etcd-size.ts';
import { badRequest } from './failures.ts';
import type { Failure } from './request.ts';
import type { ServedResource } from './resources.ts';
import { apiVersionOf, isReviewed } from './resources.ts';
import { decode } from './schema/decode.ts';
import type { Call } from './server-state.ts';

/**
 * The object of a request's body: of the right kind and version, in the right namespace, decoded, in the stored version, with
 * defaults. What it shares with `known`, the object that is there in the version asked for, is taken as it is.
 * Source: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/{create,update,rest}.go, pkg/registry/rest/meta.go.
 */
export function readBody(call: Call, body: JsonObject | undefined, known?: JsonObject): Body {
  const { resource, request } = call;
  const { model } = resource;
  const apiVersion = apiVersionOf(resource);
  if (body === undefined) return badRequest(`unable to decode: body is empty`);
  if (typeof body['apiVersion'] === 'string' && body['apiVersion'] !== apiVersion) {
    return badRequest(`the API version in the data (${body['apiVersion']}) does not match the expected API version (${apiVersion})`);
  }
  // What a component makes itself is small, or made of a template that is stored; what is answered only is not stored.
  const refused = call.request.wellFormed === true || isReviewed(resource) ? undefined : refuseTooLarge(resource, body);
  if (refused !== undefined) return refused;
  const decoded = decodeBody(call, body, model, known);
  if (!decoded.ok) return decoded;
  const given = decoded.body;
  const metadata = placedIn(request.namespace, asObject(given['metadata']), resource);
  if (metadata === undefined) return badRequest('the namespace of the provided object does not match the namespace sent on the request');
  const object = inOrderOfGo(given, identityOf(given, call, metadata), request.tracksFields === true) as KubeObject;
  if (resource.custom !== undefined) return { ok: true, object: applySchemaDefaults(resource.custom.schema, object) as KubeObject };
  const stored = toStored(resource, object);
  if (request.subresource === 'status' && !STATUS_DEFAULTS.has(resource.key) && hasDefaults(stored, known))
    return { ok: true, object: stored };
  return { ok: true, object: applyDefaults(resource.key, stored) as KubeObject };
}

/** What clients send is stored as Go writes it: kind, version and metadata first. */
function inOrderOfGo(given: JsonObject, identity: JsonObject, tracksFields: boolean): JsonObject {
  if (!tracksFields) return withFields(given, identity);
  const { kind, apiVersion, metadata } = identity;
  return { kind, apiVersion, metadata, ...given, ...identity };
}

/** Kinds whose status gets defaults. */
const STATUS_DEFAULTS: ReadonlySet<string> = new Set([
  'namespaces',
  'services',
  'persistentvolumes',
  'persistentvolumeclaims',
  'customresourcedefinitions.apiextensions.k8s.io',
]);

/** Everything but the status of an object that is there has its defaults. */
function hasDefaults(stored: JsonObject, known: JsonObject | undefined): boolean {
  return known !== undefined && stored['spec'] === known['spec'] && stored['status'] !== undefined;
}

/** Metadata with the namespace of the request; undefined when they name another. */
function placedIn(namespace: string | undefined, metadata: JsonObject, resource: ServedResource): JsonObject | undefined {
  if (namespace === undefined) return metadata;
  const given = metadata['namespace'];
  if (given !== undefined && given !== namespace) return undefined;
  return resource.namespaced ? withFields(metadata, { namespace }) : metadata;
}

/** Kind and version of a body, or those of the request where it names none. In one piece: see `changeRecord`. */
function identityOf(given: JsonObject, { resource }: Call, metadata: JsonObject): JsonObject {
  return { apiVersion: given['apiVersion'] ?? apiVersionOf(resource), kind: given['kind'] ?? resource.kind, metadata };
}

export type Body = { readonly ok: true; readonly object: KubeObject } | Failure;

function decodeBody(
  call: Call,
  body: JsonObject,
  model: string | undefined,
  known: JsonObject | undefined,
): { readonly ok: true; readonly body: JsonObject } | Failure {
  const { resource } = call;
  if (call.request.wellFormed === true) {
    assert(
      !call.state.store.freezes || model === undefined || isAsDecoded(model, body, known),
      `the body of ${call.request.verb} ${resource.plural} is well-formed`,
    );
    return { ok: true, body };
  }
  const subject = `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}`;
  if (model !== undefined) {
    const decoded = decode(model, body, known, true);
    call.emptied.splice(0);
    if (decoded.ok) append(call.emptied, decoded.emptied);
    return decoded.ok ? withoutUnknown(call, subject, decoded.object, decoded.unknown) : badRequest(`${subject}: ${decoded.error}`);
  }
  if (resource.custom === undefined) return { ok: true, body };
  const metadata = decode('V1ObjectMeta', asObject(body['metadata']));
  if (!metadata.ok) return badRequest(`${subject}: ${metadata.error}`);
  const { object, unknown } = pruneUnknown(resource.custom.schema, withFields(body, { metadata: metadata.object }));
  return withoutUnknown(call, subject, object, [...unknown, ...metadata.unknown.map((path) => `metadata.${path}`)]);
}

/** As the body has them: both are found by one walk through its text. */
function inOrder(body: JsonObject | undefined, found: readonly { readonly path: string; readonly word: string }[]): readonly string[] {
  const order = new Map<string, number>();
  const walk = (value: Json | undefined, path: string): void => {
    order.set(path, order.size);
    if (Array.isArray(value)) for (const [index, item] of (value as readonly Json[]).entries()) walk(item, `${path}[${index}]`);
    else if (isJsonObject(value)) for (const [field, inner] of Object.entries(value)) walk(inner, path === '' ? field : `${path}.${field}`);
  };
  if (found.length > 1) walk(body, '');
  return found.toSorted((a, b) => (order.get(a.path) ?? 0) - (order.get(b.path) ?? 0)).map(({ word }) => word);
}

function isAsDecoded(model: string, body: JsonObject, known: JsonObject | undefined): boolean {
  const decoded = decode(model, body, known);
  return decoded.ok && decoded.unknown.length === 0 && decoded.object === body;
}

function withoutUnknown(
  { request, warnings }: Call,
  subject: string,
  body: JsonObject,
  unknown: readonly string[],
): { readonly ok: true; readonly body: JsonObject } | Failure {
  const { duplicateFields = [] } = request;
  if (unknown.length === 0 && duplicateFields.length === 0) return { ok: true, body };
  const words = inOrder(request.body, [
    ...duplicateFields.map((path) => ({ path, word: `duplicate field "${path}"` })),
    ...unknown.map((path) => ({ path, word: `unknown field "${path}"` })),
  ]);
  if (request.fieldValidation === 'Strict') return badRequest(`${subject}: strict decoding error: ${words.join(', ')}`);
  if (request.fieldValidation !== 'Ignore') for (const word of words) warnings.push(word);
  return { ok: true, body };
}
