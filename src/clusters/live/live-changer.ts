import type { Json, JsonObject } from '../../base/json.ts';
import { asBoolean, asText, dig } from '../../base/json.ts';
import type { Access, ClusterChanger, WriteRequest, Written } from '../../model/cluster-changer.ts';
import { withVersion } from '../../model/cluster-changer.ts';
import { groupOf, resourceOfKind } from '../../model/resources.ts';
import type { ServedApi } from './api-path.ts';
import { apiPath, isPathName } from './api-path.ts';
import type { ConnectionTrouble } from './connection/connection-error.ts';
import { discovery } from './discovery.ts';
import type { Answer, Write } from './requests/exchange.ts';
import { parseJson } from './requests/json-answer.ts';
import { liveObject } from './live-object.ts';
import { messageOf } from './requests/refusal.ts';
import type { Transport } from './requests/transport.ts';

/** Changes a running cluster. Of Secrets only the metadata of the answer is kept. */
export function liveChanger(transport: Transport): ClusterChanger {
  const find = discovery(transport);
  async function placeOf(kind: string): Promise<ServedApi | undefined> {
    return resourceOfKind(kind) ?? (await find(kind)).apis[0];
  }
  return {
    send: async (request, dryRun) => {
      const api = await placeOf(request.kind);
      if (api === undefined) return refused('NotFound', `the server has no kind ${request.kind}`);
      if (!isPathName(request.name) || (request.namespace !== undefined && !isPathName(request.namespace)))
        return refused('Invalid', `${JSON.stringify(request.name)} is not a valid object name`);
      const exchange = await transport.send(pathOf(request, api, dryRun), writeOf(request, dryRun));
      if (!exchange.ok)
        return NEVER_SENT.has(exchange.error.kind)
          ? refused('NoAnswer', exchange.error.detail)
          : unknown('NoAnswer', exchange.error.detail);
      return writtenOf(exchange, api, request);
    },
    allowed: async (access) => {
      const api = await placeOf(access.kind);
      return api === undefined ? undefined : mayDo(transport, access, api);
    },
  };
}

/** Troubles in which nothing of a request has reached the server. */
const NEVER_SENT: ReadonlySet<ConnectionTrouble> = new Set<ConnectionTrouble>([
  'dns',
  'refused',
  'no-route',
  'tls-untrusted',
  'tls-expired',
  'tls-name',
  'tls-client',
  'proxy',
  'credentials',
]);

/** Source: staging/src/k8s.io/apimachinery/pkg/types/patch.go. */
const PATCH_CONTENT = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
} as const;

const METHODS = { create: 'POST', update: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

function pathOf({ verb, namespace, name, subresource }: WriteRequest, api: ServedApi, dryRun: boolean): string {
  // A new object is named in its body; a subresource is of an object that is there.
  const named = verb === 'create' && subresource === undefined ? undefined : name;
  return apiPath(
    api,
    { namespace, name: named, subresource },
    { dryRun: dryRun ? 'All' : undefined, fieldManager: verb === 'delete' ? undefined : 'podcheck' },
  );
}

function writeOf({ verb, patch, body, uid, resourceVersion, propagation, graceSeconds }: WriteRequest, dryRun: boolean): Write {
  const method = METHODS[verb];
  if (patch !== undefined)
    return { method, contentType: PATCH_CONTENT[patch.type], body: JSON.stringify(withVersion(patch, resourceVersion)) };
  const options: JsonObject = {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    ...(uid === undefined && resourceVersion === undefined
      ? {}
      : { preconditions: { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) } }),
    ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
    ...(graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }),
    ...(dryRun ? { dryRun: ['All'] } : {}),
  };
  return { method, contentType: 'application/json', body: JSON.stringify(verb === 'delete' ? options : (body ?? {})) };
}

function writtenOf(answer: Answer, api: ServedApi, { kind, subresource }: WriteRequest): Written {
  const value = jsonOf(answer);
  const reason = asText(dig(value, 'reason')) ?? String(answer.status);
  // etcd, a webhook or a proxy on the way may have failed after the write was carried out.
  if (answer.status >= 500 || answer.status === 408) return unknown(reason, messageOf(answer));
  if (answer.status >= 300) return refused(reason, messageOf(answer));
  if (asText(dig(value, 'kind')) === undefined)
    return unknown('InvalidAnswer', `the server answered ${answer.status} with something that is not a Kubernetes object`);
  const isOwn = asText(dig(value, 'kind')) === kind && subresource === undefined;
  return { ok: true, object: isOwn ? liveObject(value, api) : undefined };
}

async function mayDo(transport: Transport, { verb, subresource, namespace, name }: Access, api: ServedApi): Promise<boolean | undefined> {
  const resourceAttributes = {
    verb,
    group: groupOf(api.apiVersion),
    resource: api.plural,
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec: { resourceAttributes } };
  const exchange = await transport.send('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    method: 'POST',
    contentType: 'application/json',
    body: JSON.stringify(review),
  });
  return exchange.ok && exchange.status < 300 ? asBoolean(dig(jsonOf(exchange), 'status', 'allowed')) : undefined;
}

function jsonOf(answer: Answer): Json | undefined {
  const parsed = parseJson(answer.body.toString('utf8'));
  return parsed.ok ? parsed.value : undefined;
}

function refused(reason: string, message: string): Written {
  return { ok: false, reason, message };
}

function unknown(reason: string, message: string): Written {
  return { ok: false, reason, message, isUnknown: true };
}
