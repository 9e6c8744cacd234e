import type { Json, JsonObject } from '../../base/json.ts';
import type { Failure } from './request.ts';
import type { FieldError } from './validation/field-error.ts';
import { causesOf, firstErrors, formatErrors } from './validation/field-error.ts';

/**
 * The API server's refusals, word for word.
 * Source: staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go.
 */

/** A resource as errors name it: `pods`, `deployments.apps`. */
export interface Named {
  readonly group: string;
  readonly resource: string;
}

export function qualified({ group, resource }: Named): string {
  return group === '' ? resource : `${resource}.${group}`;
}

export function notFound(of: Named, name: string): Failure {
  return failure(404, 'NotFound', `${qualified(of)} ${quote(name)} not found`, details(of, name));
}

export function alreadyExists(of: Named, name: string): Failure {
  return failure(409, 'AlreadyExists', `${qualified(of)} ${quote(name)} already exists`, details(of, name));
}

export function beingDeleted(of: Named, name: string): Failure {
  return failure(409, 'AlreadyExists', `object is being deleted: ${qualified(of)} ${quote(name)} already exists`, details(of, name));
}

export function generateNameConflict(of: Named, name: string): Failure {
  const message = `${qualified(of)} ${quote(name)} already exists, the server was not able to generate a unique name for the object`;
  return failure(409, 'AlreadyExists', message, { ...details(of, name), retryAfterSeconds: 1 });
}

export function conflict(of: Named, name: string, why = MODIFIED): Failure {
  return failure(409, 'Conflict', `Operation cannot be fulfilled on ${qualified(of)} ${quote(name)}: ${why}`, details(of, name));
}

/** What was asked for, and what the object has. */
export interface FailedPrecondition {
  readonly what: 'UID' | 'ResourceVersion';
  readonly wanted: string;
  readonly found: string;
}

/** A precondition (uid, resourceVersion) that does not hold. Source: staging/src/k8s.io/apiserver/pkg/storage/errors.go. */
export function preconditionFailed(
  of: Named,
  { namespace, name }: { readonly namespace: string | undefined; readonly name: string },
  { what, wanted, found }: FailedPrecondition,
): Failure {
  const key = `/registry/${of.resource}/${namespace === undefined ? '' : `${namespace}/`}${name}`;
  const detail = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
  return conflict(of, name, `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`);
}

/** An admission plugin's no: `pods "web" is forbidden: why`. */
export function forbidden(of: Named, name: string, why: string, causes?: readonly JsonObject[]): Failure {
  const subject = name === '' ? qualified(of) : `${qualified(of)} ${quote(name)}`;
  return failure(403, 'Forbidden', `${subject} is forbidden: ${why}`, {
    ...details(of, name),
    ...(causes === undefined ? {} : { causes }),
  });
}

/** A path outside the resources. */
export function forbiddenPath(why: string): Failure {
  return failure(403, 'Forbidden', `forbidden: ${why}`, {});
}

/** Field errors of an object; `kind` is the Kind here, not the resource. */
export function invalid(kind: { readonly group: string; readonly kind: string }, name: string, errors: readonly FieldError[]): Failure {
  const subject = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const told = firstErrors(errors);
  const about = { ...details({ group: kind.group, resource: kind.kind }, name), causes: causesOf(told) };
  return failure(422, 'Invalid', `${subject} ${quote(name)} is invalid: ${formatErrors(told)}`, about);
}

export function badRequest(message: string): Failure {
  return failure(400, 'BadRequest', message);
}

export function unauthorized(): Failure {
  return failure(401, 'Unauthorized', 'Unauthorized');
}

export function internalError(message: string): Failure {
  return failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** An error that is no Status inside the server (etcd's, some plugins'): code 500 and no reason. */
export function plainError(message: string): Failure {
  return failure(500, '', message);
}

/** An object that etcd does not take. */
export function tooLargeForEtcd(): Failure {
  return plainError('etcdserver: request is too large');
}

export function tooManyRequests(message: string, details: JsonObject = {}): Failure {
  return failure(429, 'TooManyRequests', message, details);
}

/** `metadata`: of the answer's own, such as where a list can go on. */
export function expired(message: string, metadata: JsonObject = {}): Failure {
  const refused = failure(410, 'Expired', message);
  return { ...refused, status: { ...refused.status, metadata } };
}

export function timeout(message: string, about: JsonObject = {}): Failure {
  return failure(504, 'Timeout', `Timeout: ${message}`, about);
}

export function entityTooLarge(limit: number): Failure {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);
}

export function methodNotSupported(of: Named, verb: string): Failure {
  return failure(405, 'MethodNotAllowed', `${verb} is not supported on resources of kind "${qualified(of)}"`, { ...details(of, '') });
}

export function unsupportedMediaType(message: string): Failure {
  return failure(415, 'UnsupportedMediaType', message);
}

/** Source: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/negotiation/errors.go. */
export function notAcceptable(accepted: readonly string[]): Failure {
  return failure(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`);
}

/** A path that is not served at all. */
export function unknownPath(): Failure {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {});
}

/** No answer came: what Go's HTTP client says instead. */
export function unreachable(message: string): Failure {
  return { ok: false, code: 0, reason: '', message, status: {} };
}

export function failure(code: number, reason: string, message: string, about?: JsonObject): Failure {
  const status: Record<string, Json> = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message };
  if (reason !== '') status['reason'] = reason;
  if (about !== undefined) status['details'] = about;
  status['code'] = code;
  return { ok: false, code, reason, message, status };
}

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

function details({ group, resource }: Named, name: string): JsonObject {
  return { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), ...(resource === '' ? {} : { kind: resource }) };
}

function quote(text: string): string {
  return JSON.stringify(text);
}
