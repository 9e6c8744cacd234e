import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig, digAt, isJsonObject } from '../../../base/json.ts';
import { withFields, withPath } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { timeOf } from '../../time/api-times.ts';
import { badRequest, conflict, failure, invalid, methodNotSupported, notFound } from '../failures.ts';
import { applyMergePatch } from '../../../base/merge-patch.ts';
import type { Answer, Failure } from '../request.ts';
import type { Call } from '../server-state.ts';
import { invalidValue } from '../validation/field-error.ts';
import { bind, evict, placeOfContainer, readLog } from './pod-subresources.ts';
import { portForward } from './port-forward.ts';
import { proxy } from './proxy.ts';
import { get } from './read.ts';
import { patch, type WriterOptions, update, write, wrongPatch } from './update.ts';
import type { FieldSet } from '../ownership/field-set.ts';
import { isEmpty, subtract } from '../ownership/field-set.ts';
import { decode } from '../schema/decode.ts';

/** Requests to a part of an object: its status, its scale, its token. Undefined for a part that is not served. */
export function answerSubresource(call: Call): Answer {
  const { request } = call;
  switch (request.subresource) {
    case 'finalize':
      return request.verb === 'update' ? update(call) : failure(405, 'MethodNotAllowed', NOT_ALLOWED, {});
    case 'status':
    case 'approval':
    case 'ephemeralcontainers':
    case 'resize':
      return whole(call);
    case 'scale':
      return scale(call);
    case 'binding':
      return bind(call);
    case 'eviction':
      return evict(call);
    case 'log':
      return readLog(call);
    case 'token':
      return token(call);
    case 'proxy':
      return proxy(call);
    case 'exec':
    case 'attach':
      return placeOfContainer(call);
    case 'portforward':
      return portForward(call);
    default:
      return unsupported(call);
  }
}

const NOT_ALLOWED = 'the server does not allow this method on the requested resource';

/** Those whose body is the object itself. */
function whole(call: Call): Answer {
  switch (call.request.verb) {
    case 'get':
      return get(call);
    case 'update':
      return update(call);
    case 'patch':
      return patch(call);
    default:
      return unsupported(call);
  }
}

function unsupported(call: Call): Answer {
  return methodNotSupported(
    { group: call.resource.group, resource: `${call.resource.plural}/${call.request.subresource ?? ''}` },
    call.request.verb,
  );
}

/** Source: pkg/registry/apps/deployment/storage/storage.go (ScaleREST) and its likes. */
function scale(call: Call): Answer {
  const { state, request, resource } = call;
  const object = state.store.get(resource.key, request.namespace, request.name ?? '');
  if (object === undefined) return notFound({ group: resource.group, resource: resource.plural }, request.name ?? '');
  const current = scaleOf(object, resource);
  if (request.verb === 'get') return { ok: true, code: 200, object: current, warnings: call.warnings };
  const wanted = wantedScale(current, request);
  const wrong = undecodable(request.verb, wanted);
  if (wrong !== undefined) return wrong;
  const version = asText(dig(wanted, 'metadata', 'resourceVersion')) ?? '';
  if (version !== '' && version !== object.metadata['resourceVersion'])
    return conflict({ group: resource.group, resource: resource.plural }, object.metadata.name);
  const replicas = asNumber(dig(wanted, 'spec', 'replicas')) ?? 0;
  if (replicas < 0)
    return invalid({ group: 'autoscaling', kind: 'Scale' }, object.metadata.name, [
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  const { subresource: _, ...rest } = request;
  void _;
  const path = resource.custom?.scale?.specReplicas ?? ['spec', 'replicas'];
  const wantedObject = withPath(withStolen(call, object, path, replicas), path, replicas);
  const answer = write({ ...call, request: rest }, wantedObject, object, writerOf(object, path, replicas));
  return answer.ok ? { ...answer, object: scaleOf(answer.object, resource) } : answer;
}

/**
 * A Scale of no replicas does not name them, and where nobody owns their number, nobody does by a scale. Source:
 * managedfields/scalehandler.go (ToParent).
 */
function writerOf(object: KubeObject, path: readonly string[], replicas: number): WriterOptions {
  return { subresource: 'scale', ownsNothing: replicas === 0 || !isOwned(object, path) };
}

/**
 * A scale that changes nothing takes the number from who updated it, and one of none from all: an owner's entry is not known again
 * in the version of a Scale. Source: the same.
 */
function withStolen({ request }: Call, object: KubeObject, path: readonly string[], replicas: number): KubeObject {
  if (request.tracksFields !== true || (asNumber(digAt(object, path)) ?? 0) !== replicas) return object;
  let number: FieldSet = {};
  for (const field of path.toReversed()) number = { [`f:${field}`]: number };
  const managedFields = asList(object.metadata['managedFields']).map((entry) => {
    const fields = dig(entry, 'fieldsV1');
    if (!isJsonObject(fields) || (replicas !== 0 && dig(entry, 'operation') !== 'Update')) return entry;
    const left = subtract(fields, number);
    return isEmpty(left) ? entry : withFields(asObject(entry), { fieldsV1: left });
  });
  return withFields(object, { metadata: withFields(object.metadata, { managedFields }) });
}

function isOwned({ metadata }: KubeObject, path: readonly string[]): boolean {
  const steps = path.map((field) => `f:${field}`);
  return asList(metadata['managedFields']).some(
    (entry) => dig(entry, 'fieldsV1') === undefined || digAt(entry, ['fieldsV1', ...steps]) !== undefined,
  );
}

/** Why a body is no Scale. */
function undecodable(verb: Call['request']['verb'], wanted: Json | undefined): Failure | undefined {
  if (!isJsonObject(wanted)) return badRequest('body is empty');
  const decoded = decode('V1Scale', wanted);
  if (decoded.ok) return undefined;
  if (verb === 'patch') return wrongPatch(JSON.stringify(wanted), decoded.error);
  return badRequest(`Scale in version "v1" cannot be handled as a Scale: ${decoded.error}`);
}

function wantedScale(current: KubeObject, { verb, patch: given, body }: Call['request']): Json | undefined {
  return verb === 'patch' && given !== undefined ? applyMergePatch(current, given.body) : body;
}

function scaleOf(object: KubeObject, { custom }: Call['resource']): KubeObject {
  const { name, namespace, uid } = object.metadata;
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    resourceVersion: object.metadata['resourceVersion'],
    creationTimestamp: object.metadata['creationTimestamp'],
  };
  const plain = object.kind === 'ReplicationController';
  const labels = Object.entries(asTextMap(plain ? dig(object, 'spec', 'selector') : dig(object, 'spec', 'selector', 'matchLabels')))
    .map(([key, value]) => `${key}=${value}`)
    .sort();
  const paths = custom?.scale;
  const expressions = asList(dig(object, 'spec', 'selector', 'matchExpressions')).map(
    (one) =>
      `${textOf(dig(one, 'key'))} ${textOf(dig(one, 'operator')).toLowerCase()} (${asList(dig(one, 'values')).map(textOf).join(',')})`,
  );
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata,
    spec: withoutZero('replicas', asNumber(digAt(object, paths?.specReplicas ?? ['spec', 'replicas'])) ?? 0),
    status: {
      replicas: asNumber(digAt(object, paths?.statusReplicas ?? ['status', 'replicas'])) ?? 0,
      selector:
        paths === undefined
          ? [...labels, ...expressions].join(',')
          : textOf(paths.selector === undefined ? '' : digAt(object, paths.selector)),
    },
  };
}

/** Go leaves a number out that is zero. */
function withoutZero(field: string, value: number): JsonObject {
  return value === 0 ? {} : { [field]: value };
}

/** Source: pkg/registry/core/serviceaccount/storage/token.go. */
function token(call: Call): Answer {
  const { state, request } = call;
  const name = request.name ?? '';
  const account = state.store.get('serviceaccounts', request.namespace, name);
  if (account === undefined) return notFound({ group: '', resource: 'serviceaccounts' }, name);
  const spec = asObject(request.body?.['spec']);
  const seconds = asNumber(spec['expirationSeconds']) ?? 3600;
  if (seconds < 600)
    return invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, name, [
      invalidValue('spec.expirationSeconds', seconds, 'may not specify a duration less than 10 minutes'),
    ]);
  const bound = asObject(spec['boundObjectRef']);
  const podName = bound['kind'] === 'Pod' ? asText(bound['name']) : undefined;
  const pod = podName === undefined ? undefined : state.store.get('pods', request.namespace, podName);
  if (podName !== undefined && pod === undefined) return notFound({ group: '', resource: 'pods' }, podName);
  const notAfter = state.now() + seconds * 1000;
  const text = state.authenticator.issue({
    namespace: request.namespace ?? '',
    serviceAccount: name,
    uid: account.metadata.uid,
    audiences: asList(spec['audiences']).map(String),
    notAfter,
    ...(pod === undefined ? {} : { pod: { name: pod.metadata.name, uid: pod.metadata.uid ?? '' } }),
  });
  const body = withFields((request.body ?? {}) as KubeObject, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { name, namespace: request.namespace, creationTimestamp: timeOf(state.now()) },
    spec: withFields(spec, { expirationSeconds: seconds }),
    status: { token: text, expirationTimestamp: timeOf(notAfter) },
  });
  return { ok: true, code: 201, object: body, warnings: call.warnings };
}
