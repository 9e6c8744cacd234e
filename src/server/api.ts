import { randomUUID } from 'node:crypto';
import type { Instant } from '../base/instant.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { asList, asNumber, asText, dig, isJsonObject } from '../base/json.ts';
import { isDeeperThan } from '../base/json-depth.ts';
import { duplicateKeys } from '../base/yaml/duplicate-keys.ts';
import { parseFirstDocument } from '../base/yaml/kube-yaml.ts';
import type { AuditEntry } from '../model/audit.ts';
import type {
  ApiRequest,
  Cluster,
  Credential,
  DecodedBody,
  DeleteOptions,
  Failure,
  GivenOptions,
  Patch,
  Representation,
  Resources,
  Success,
} from '../simulator/index.ts';
import {
  badRequest,
  decodeWireBody,
  documentAt,
  failure,
  isReviewed,
  isTooLarge,
  MEDIA_TYPES,
  methodNotSupported,
  notAcceptable,
  representationOf,
  unknownPath,
  warningHeaders,
} from '../simulator/index.ts';
import { auditEntry } from './audit-entry.ts';
import type { Authority } from './authority.ts';
import type { Clock } from './clock.ts';
import { credentialOf, impersonationOf } from './credential.ts';
import { describedField } from './descriptions.ts';
import type { Exchange } from './exchange.ts';
import { headerOf, isOpen, readBody } from './exchange.ts';
import { answerLog } from './follow-log.ts';
import type { IssuedCertificates } from './issued-certificates.ts';
import { SIGNING_REQUESTS } from './issued-certificates.ts';
import type { Route, RoutedRequest } from './route.ts';
import { isTrue, routeOf } from './route.ts';
import { sendFailure, sendText } from './send.ts';
import type { TimeShift } from './time-shift.ts';
import type { WatchStreams } from './watch-stream.ts';
import type { WireText } from './wire-text.ts';

/** What answering needs: the cluster, its time, and who is told of it. */
export interface ApiSurroundings {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly authority: Authority;
  readonly watches: WatchStreams;
  readonly issued: IssuedCertificates;
  readonly shift: TimeShift;
  readonly text: WireText;
  readonly wall: () => Instant;
  /** The number of a session of `kubectl exec`. */
  readonly nextSession: () => number;
  readonly audit: (entry: AuditEntry) => void;
}

/** Source: staging/src/k8s.io/apiserver/pkg/server/config.go (MaxRequestBodyBytes). */
const BODY_LIMIT = 3_145_728;
/** Go's decoder goes down ten thousand steps; no object has a fiftieth of that. */
const MAX_DEPTH = 500;

/** Answers one request over the wire by the cluster's own pipeline. */
export async function answerExchange(exchange: Exchange, around: ApiSurroundings): Promise<void> {
  const { request, response } = exchange;
  response.setHeader('audit-id', randomUUID());
  response.setHeader('cache-control', 'no-cache, private');
  const body = await readBody(request, BODY_LIMIT);
  if (body === undefined) return;
  await around.clock.caughtUp();
  if (!isOpen(exchange)) return;
  const route = routeOf(exchange.method, exchange.path, exchange.query);
  const credential = credentialOf(
    request,
    around.authority,
    (shown) => !('why' in around.cluster.server.authenticator.authenticate(shown)),
  );
  const code =
    route === undefined
      ? answered(exchange, methodNotSupported({ group: '', resource: exchange.path }, exchange.method))
      : answerRoute(exchange, route, { credential, ...body }, around);
  around.audit(auditEntry({ request, path: exchange.target, route, credential, code }, around));
}

interface Sent {
  readonly credential: Credential;
  readonly bytes: Uint8Array;
  /** Of the body, which may be longer than what was kept of it. */
  readonly length: number;
}

/** Answers, and says with which code; 0 when there was no answer at all. */
function answerRoute(exchange: Exchange, route: Route, sent: Sent, around: ApiSurroundings): number {
  if (route.kind === 'path') return answerPath(exchange, route, sent.credential, around);
  return route.request.subresource === 'proxy'
    ? answerProxy(exchange, route.request, sent, around)
    : answerResource(exchange, route, sent, around);
}

function answerResource(exchange: Exchange, route: Route & { readonly kind: 'resource' }, sent: Sent, around: ApiSurroundings): number {
  const { cluster, clock, watches } = around;
  const decoded = requestOf(exchange, route.request, sent, around);
  if (!decoded.ok) return answered(exchange, decoded);
  const { request } = decoded;
  if (UPGRADED.has(request.subresource ?? '')) return answered(exchange, badRequest('Upgrade request required'));
  const representation = representationFor(exchange, request, cluster);
  const reads = request.verb === 'get' || request.verb === 'list';
  // A log is text whatever is accepted; what only reads may be told first that it must not.
  const unfit = representation === undefined && request.subresource !== 'log';
  if (unfit && !reads) return answered(exchange, notAcceptable(MEDIA_TYPES));
  if (route.watch && representation !== undefined) return watches.start(exchange, request, representation);
  // Whatever cannot change the cluster leaves no trace in it, however often it is asked.
  const answer = reads ? cluster.server.peek({ ...request, verb: request.verb }) : cluster.request(request);
  if (!reads) clock.wrote();
  if (!answer.ok) return sendFailure(exchange, answer, around.shift);
  if (answer.lines !== undefined) return answerLog(exchange, { request, answer, cluster, shift: around.shift });
  return answerObject(exchange, request, answer, representation, around);
}

const PROXY = '/proxy';

/** Hands a request on to a pod or Service, whatever it holds. */
function answerProxy(exchange: Exchange, routed: RoutedRequest, { credential, bytes }: Sent, { cluster, clock }: ApiSurroundings): number {
  const impersonation = impersonationOf(exchange.request);
  if (!impersonation.ok) return answered(exchange, impersonation);
  // Behind the name of the object, which comes after its resource.
  const { target } = exchange;
  const rest = target.slice(target.indexOf(PROXY, target.indexOf(`/${routed.resource}/`) + routed.resource.length + 2) + PROXY.length);
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  const request: ApiRequest = {
    ...routed,
    verb: routed.verb === 'watch' || routed.verb === 'list' ? 'get' : routed.verb,
    credential,
    ...(impersonation.as === undefined ? {} : { impersonate: impersonation.as }),
    proxied: { path, method: exchange.method, body: new TextDecoder().decode(bytes), ...rootOf(exchange, rest) },
  };
  const answer = cluster.request(request);
  clock.wrote();
  if (!answer.ok) return answered(exchange, answer);
  const { headers = {}, body = '' } = answer.proxied ?? {};
  const isPage = body.startsWith('<') && headers['content-type'] === undefined;
  for (const [name, value] of Object.entries(headers)) exchange.response.setHeader(name, value);
  if (!isPage) return sendText(exchange, answer.code, headers['content-type'] ?? 'text/plain; charset=utf-8', body);
  return sendText(exchange, answer.code, 'text/html; charset=utf-8', withLinks(body, target.slice(0, target.length - rest.length)));
}

/** Where the root is of what was asked for without a path. Source: the same, upgradeaware.go (proxyRedirectsforRootPath). */
function rootOf({ method, target }: Exchange, rest: string): { readonly root?: string } {
  if ((rest !== '' && !rest.startsWith('?')) || (method !== 'GET' && method !== 'HEAD')) return {};
  return { root: `${target.slice(0, target.length - rest.length)}/${rest}` };
}

/** Links of a page lead through the proxy. Source: staging/src/k8s.io/apimachinery/pkg/util/proxy/transport.go (rewriteHTML). */
function withLinks(page: string, prefix: string): string {
  return page.replaceAll('href="/', `href="${prefix}/`).replaceAll('src="/', `src="${prefix}/`);
}

function representationFor({ request, query }: Exchange, asked: ApiRequest, cluster: Cluster): Representation | undefined {
  const resource = cluster.server.resources.at(asked.group, asked.version, asked.resource);
  return representationOf(
    {
      accept: headerOf(request, 'accept'),
      includeObject: query.get('includeObject') ?? undefined,
      transforms: resource === undefined || !isReviewed(resource),
    },
    { now: () => cluster.now(), resources: cluster.server.resources },
  );
}

function answerObject(
  exchange: Exchange,
  request: ApiRequest,
  answer: Success,
  representation: Representation | undefined,
  around: ApiSurroundings,
): number {
  if (representation === undefined) return answered(exchange, notAcceptable(MEDIA_TYPES));
  const shown = request.resource === SIGNING_REQUESTS ? { ...answer, object: around.issued.shown(answer.object) } : answer;
  return sendAnswer(exchange, shown, representation, around.text);
}

/** Subresources that speak another protocol over the same connection. */
const UPGRADED: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward']);

function answerPath(
  exchange: Exchange,
  { verb, path }: Route & { readonly kind: 'path' },
  credential: Credential,
  { cluster }: ApiSurroundings,
): number {
  const impersonation = impersonationOf(exchange.request);
  if (!impersonation.ok) return answered(exchange, impersonation);
  const refused = cluster.server.authorizePath(
    { credential, ...(impersonation.as === undefined ? {} : { impersonate: impersonation.as }) },
    verb,
    path,
  );
  if (refused !== undefined) return answered(exchange, refused);
  const found =
    verb === 'get' || verb === 'head'
      ? documentAt(
          path,
          { accept: headerOf(exchange.request, 'accept') ?? '', verbose: exchange.query.has('verbose') },
          {
            resources: cluster.server.resources,
            store: cluster.store,
            aggregated: cluster.world.aggregated,
            etcdIsUp: cluster.server.etcd !== 'down',
            described: describedField,
          },
        )
      : undefined;
  if (found === undefined) return answered(exchange, unknownPath());
  return sendText(exchange, found.code, found.contentType, found.text);
}

function requestOf(
  exchange: Exchange,
  routed: RoutedRequest,
  { credential, bytes, length }: Sent,
  { cluster, shift }: ApiSurroundings,
): { readonly ok: true; readonly request: ApiRequest } | Failure {
  const { request } = exchange;
  const impersonation = impersonationOf(request);
  if (!impersonation.ok) return impersonation;
  const impersonate = impersonation.as;
  const base: ApiRequest = {
    ...routed,
    credential,
    ...(routed.log?.sinceTime === undefined ? {} : { log: { ...routed.log, sinceTime: shift.instantToVirtual(routed.log.sinceTime) } }),
    manager: routed.manager ?? beginOf(headerOf(request, 'user-agent'), '/'),
    ...(impersonate === undefined ? {} : { impersonate }),
    ...(length === 0 ? {} : { bodyBytes: length }),
  };
  // Too long a body is refused by the pipeline, unread, once it is known who sends it.
  if (length === 0 || length > BODY_LIMIT) return { ok: true, request: base };
  const contentType = beginOf(headerOf(request, 'content-type'), ';').trim().toLowerCase();
  const decoded = bodyOf(contentType, bytes, cluster.server.resources);
  if (!decoded.ok) return decoded;
  if (isDeeperThan(decoded.body, MAX_DEPTH)) return badRequest('error decoding body: exceeded max depth');
  // What is too large is refused once it is known who sends it, and its times are not looked for.
  return withBody(
    {
      ...base,
      ...(decoded.duplicates.length === 0 ? {} : { duplicateFields: decoded.duplicates }),
      ...(routed.fieldValidation === 'Strict' && contentType === APPLY_PATCH ? { duplicateKeys: keysOf(bytes) } : {}),
    },
    contentType,
    isTooLarge(decoded.body) ? decoded.body : shift.toVirtual(decoded.body),
  );
}

/** What stands in a header before a sign; empty without the header. */
function beginOf(header: string | undefined, sign: string): string {
  return header?.split(sign)[0] ?? '';
}

/**
 * Of YAML that is neither JSON nor in plain block style, no more is read: the full parser takes up to 10 µs a character, and everybody
 * waits for it.
 */
const MAX_FREE_YAML = 64 * 1024;

const APPLY_PATCH = 'application/apply-patch+yaml';

function keysOf(bytes: Uint8Array): readonly string[] {
  const text = new TextDecoder().decode(bytes);
  return text.length > MAX_FREE_YAML || text.startsWith('{') ? [] : duplicateKeys(text);
}

/** YAML is made JSON before anything else is done with it. */
function bodyOf(contentType: string, bytes: Uint8Array, resources: Resources): DecodedBody {
  if (contentType !== 'application/yaml' && contentType !== APPLY_PATCH) return decodeWireBody(contentType, bytes, resources);
  const document = parseFirstDocument(new TextDecoder().decode(bytes), MAX_FREE_YAML);
  if (document !== undefined && 'error' in document) return badRequest(`error decoding YAML: ${document.error}`);
  return { ok: true, body: document?.value ?? null, duplicates: [] };
}

function withBody(request: ApiRequest, contentType: string, body: Json): { readonly ok: true; readonly request: ApiRequest } | Failure {
  if (request.verb === 'patch') {
    const type = PATCH_TYPES[contentType];
    if (type === undefined)
      return failure(
        415,
        'UnsupportedMediaType',
        `the body of the request was in an unknown format - accepted media types include: ${Object.keys(PATCH_TYPES).join(', ')}`,
      );
    return { ok: true, request: { ...request, patch: { type, body } } };
  }
  if (!isJsonObject(body))
    return badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${Array.isArray(body) ? 'array' : typeof body} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  if (request.verb !== 'delete' && request.verb !== 'deletecollection') return { ok: true, request: { ...request, body } };
  // Options in the body stand for those of the query. Source: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/delete.go.
  const { dryRun: _, ...rest } = request;
  const dryRun = asList(body['dryRun']).includes('All');
  return {
    ok: true,
    request: { ...rest, given: givenOptionsOf(body), delete: deleteOptionsOf(body), ...(dryRun ? { dryRun } : {}) },
  };
}

const PATCH_TYPES: Readonly<Record<string, Patch['type']>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  [APPLY_PATCH]: 'apply',
};

function givenOptionsOf(body: JsonObject): GivenOptions {
  const [dryRun, propagationPolicy] = [asList(body['dryRun']).map(String), asText(body['propagationPolicy'])];
  return { ...(dryRun.length === 0 ? {} : { dryRun }), ...(propagationPolicy === undefined ? {} : { propagationPolicy }) };
}

function deleteOptionsOf(body: JsonObject): DeleteOptions {
  const given = asNumber(body['gracePeriodSeconds']);
  // Source: staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go (BeforeDelete).
  const grace = given !== undefined && given < 0 ? 1 : given;
  const policy = asText(body['propagationPolicy']);
  const [uid, resourceVersion] = [asText(dig(body, 'preconditions', 'uid')), asText(dig(body, 'preconditions', 'resourceVersion'))];
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(policy === 'Orphan' || policy === 'Background' || policy === 'Foreground' ? { propagationPolicy: policy } : {}),
    ...(uid === undefined && resourceVersion === undefined
      ? {}
      : { preconditions: { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) } }),
  };
}

function sendAnswer(exchange: Exchange, answer: Success, representation: Representation, wire: WireText): number {
  for (const header of warningHeaders(answer.warnings)) exchange.response.appendHeader('warning', header);
  const body = answer.object.kind === 'Status' ? answer.object : representation.body(answer.object);
  const asked = exchange.query.get('pretty') ?? '';
  // Source: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go (isPrettyPrint).
  const pretty = asked === '' ? /^(?:curl|Wget|Mozilla\/5\.0)/.test(headerOf(exchange.request, 'user-agent') ?? '') : isTrue(asked);
  const text = wire.of(body);
  return sendText(
    exchange,
    answer.code,
    representation.contentType,
    pretty ? `${JSON.stringify(JSON.parse(text), undefined, 2)}\n` : `${text}\n`,
  );
}

function answered(exchange: Exchange, refused: Failure): number {
  return sendFailure(exchange, refused);
}
