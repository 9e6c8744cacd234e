import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import type { Store } from '../../store/store.ts';
import { verifyServer } from '../../x509/certificates.ts';
import type { WebhookAnswer, WebhookServer } from '../../outside/webhook-servers.ts';
import { ANY_BUNDLE, answerOf } from '../../outside/webhook-servers.ts';
import type { World } from '../../outside/outside-world.ts';
import { decodeBase64 } from '../../../base/base64.ts';
import type { Certificate } from '../../x509/simulated-certificate.ts';
import type { AdmissionSurroundings } from './admission.ts';

/** An answer, or what Go's HTTP client and the dispatcher say when none came. */
export type WebhookReply = { readonly answer: WebhookAnswer } | { readonly error: string };

/** What a call needs to know of the cluster. */
type WebhookSurroundings = Pick<AdmissionSurroundings, 'store' | 'world' | 'now'>;

/**
 * Calls a webhook's server as far as there is one: name, endpoints, connection, certificate, answer.
 * Source: staging/src/k8s.io/apiserver/pkg/util/webhook/client.go, staging/src/k8s.io/apiserver/pkg/util/proxy/proxy.go.
 */
export function callWebhook(
  config: Json,
  timeoutSeconds: number,
  around: WebhookSurroundings,
  review?: () => JsonObject,
  type: ReviewType = ADMISSION,
): WebhookReply {
  const target = resolve(config, around);
  const failed = (why: string): WebhookReply => ({
    error: `failed to call webhook: Post "${target.url}?timeout=${timeoutSeconds}s": ${why}`,
  });
  if (target.error !== undefined) return failed(target.error);
  const { server } = target;
  if (server === undefined)
    return askPod(
      { ...target, bundle: asText(dig(config, 'caBundle')) ?? '' },
      timeoutSeconds,
      around,
      review === undefined ? undefined : { type, request: review },
      failed,
    );
  if (server.down === true) return failed(`dial tcp ${target.dialled}: connect: connection refused`);
  const tls = handshake(server, target.host, asText(dig(config, 'caBundle')), around);
  if (tls !== undefined) return failed(tls);
  const answer = answerOf(server, target.path);
  if (answer === undefined) return { error: 'failed to call webhook: the server could not find the requested resource' };
  switch (answer.answer) {
    case 'hang':
      around.world.webhookServers.waited += timeoutSeconds * 1000;
      return failed('context deadline exceeded');
    case 'client-refused':
      return failed('remote error: tls: bad certificate');
    case 'garbage':
      return { error: 'received invalid webhook response: webhook response was absent' };
    case 'http-error':
      return { error: `failed to call webhook: ${httpWords(answer.code)}` };
    default:
      return { answer };
  }
}

/**
 * Asks the pod behind a Service of whose server nothing is said: where its program answers reviews, that counts; where nothing is known of
 * it, it allows everything.
 */
function askPod(
  { path, endpoint, bundle }: Target & { readonly bundle: string },
  timeoutSeconds: number,
  { world }: WebhookSurroundings,
  review: { readonly type: ReviewType; readonly request: () => JsonObject } | undefined,
  failed: (why: string) => WebhookReply,
): WebhookReply {
  const allowed: WebhookReply = { answer: { answer: 'allow' } };
  if (review === undefined || endpoint === undefined) return allowed;
  const speech = world.datacenter.network.at(endpoint.ip)?.at(endpoint.ip, endpoint.port)?.speech;
  if (speech?.kind !== 'https') return allowed;
  if (bundle === '') return failed('tls: failed to verify certificate: x509: certificate signed by unknown authority');
  const body = JSON.stringify({ ...review.type, request: review.request() });
  const response = speech.respond(path, { ip: '', port: 0, method: 'POST', body });
  if (response.headers?.['content-type'] !== 'application/json')
    return response.status < 400 ? allowed : { error: `failed to call webhook: ${httpWords(response.status)}` };
  world.webhookServers.waited += Math.min(response.afterMilliseconds, timeoutSeconds * 1000);
  if (response.afterMilliseconds > timeoutSeconds * 1000) return failed('context deadline exceeded');
  const told = asObject(dig(JSON.parse(response.body) as Json, 'response'));
  return { answer: review.type === ADMISSION ? answerIn(told) : { answer: 'review', response: told } };
}

/** What a webhook is asked for. */
interface ReviewType {
  readonly apiVersion: string;
  readonly kind: string;
}

const ADMISSION: ReviewType = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };

/** Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/request/admissionreview.go (VerifyAdmissionResponse). */
function answerIn(response: JsonObject): WebhookAnswer {
  const patch = asText(response['patch']);
  if (response['allowed'] !== true) {
    const [message, reason, code] = [
      asText(dig(response, 'status', 'message')),
      asText(dig(response, 'status', 'reason')),
      asNumber(dig(response, 'status', 'code')),
    ];
    return {
      answer: 'deny',
      ...(message === undefined ? {} : { message }),
      ...(reason === undefined ? {} : { reason }),
      ...(code === undefined ? {} : { code }),
    };
  }
  if (patch !== undefined) return { answer: 'patch', patch: JSON.parse(decodeBase64(patch)) as readonly JsonObject[] };
  return { answer: 'allow', warnings: asList(response['warnings']).map(String) };
}

interface Target {
  readonly url: string;
  readonly host: string;
  readonly path: string;
  readonly dialled: string;
  readonly server?: WebhookServer;
  /** Who serves it, of a Service. */
  readonly endpoint?: { readonly ip: string; readonly port: number };
  readonly error?: string;
}

function resolve(config: Json, around: WebhookSurroundings): Target {
  const service = dig(config, 'service');
  return service === undefined ? resolveUrl(asText(dig(config, 'url')) ?? '', around) : resolveService(service, around);
}

function resolveUrl(url: string, { world }: WebhookSurroundings): Target {
  const [, host = '', port = '443', path = '/'] = /^https:\/\/([^/:]+)(?::(\d+))?(\/[^?]*)?/.exec(url) ?? [];
  const address = `${host}:${port}`;
  const server = world.webhookServers.at(address);
  const target: Target = { url, host, path, dialled: address };
  if (server !== undefined) return { ...target, server };
  return {
    ...target,
    error: /^[\d.]+$/.test(host) ? `dial tcp ${address}: connect: connection refused` : `dial tcp: lookup ${host}: no such host`,
  };
}

function resolveService(service: Json, { store, world }: WebhookSurroundings): Target {
  const [namespace, name] = [asText(dig(service, 'namespace')) ?? '', asText(dig(service, 'name')) ?? ''];
  const [port, path] = [asNumber(dig(service, 'port')) ?? 443, asText(dig(service, 'path')) ?? '/'];
  const host = `${name}.${namespace}.svc`;
  const target = { url: `https://${host}:${port}${path}`, host, path };
  const found = store.get('services', namespace, name);
  if (found === undefined) return { ...target, dialled: '', error: `service "${name}" not found` };
  const servicePort = asList(dig(found, 'spec', 'ports')).find((one) => dig(one, 'port') === port);
  if (servicePort === undefined) return { ...target, dialled: '', error: `no service port ${port} found for service "${name}"` };
  const server = world.webhookServers.at(`${namespace}/${name}`);
  const endpoint = readyEndpoint(store, { namespace, service: name, portName: asText(dig(servicePort, 'name')) ?? '' });
  const virtual = `${asText(dig(found, 'spec', 'clusterIP')) ?? ''}:${port}`;
  const refused = (address: string): string => `dial tcp ${address}: connect: connection refused`;
  if (endpoint === undefined) {
    return {
      ...target,
      dialled: '',
      error: world.configuration.aggregatorRouting ? `no endpoints available for service "${name}"` : refused(virtual),
    };
  }
  const dialled = world.configuration.aggregatorRouting ? `${endpoint.ip}:${endpoint.port}` : virtual;
  const sockets = world.datacenter.network.at(endpoint.ip);
  if (sockets !== undefined && sockets.at(endpoint.ip, endpoint.port) === undefined) return { ...target, dialled, error: refused(dialled) };
  return { ...target, dialled, endpoint, ...(server === undefined ? {} : { server }) };
}

interface ServicePort {
  readonly namespace: string;
  readonly service: string;
  readonly portName: string;
}

/** Address of the first ready endpoint of a Service, and the number that its port has there. */
function readyEndpoint(store: Store, { namespace, service, portName }: ServicePort): { ip: string; port: number } | undefined {
  for (const slice of store.list('endpointslices.discovery.k8s.io', namespace)) {
    if (labelsOf(slice)['kubernetes.io/service-name'] !== service) continue;
    const port = asNumber(
      dig(
        asList(slice['ports']).find((one) => (asText(dig(one, 'name')) ?? '') === portName),
        'port',
      ),
    );
    const ready = asList(slice['endpoints']).find((endpoint) => dig(endpoint, 'conditions', 'ready') !== false);
    if (ready !== undefined && port !== undefined) return { ip: asText(asList(dig(ready, 'addresses'))[0]) ?? '', port };
  }
  return undefined;
}

function handshake(
  server: WebhookServer,
  host: string,
  caBundle: string | undefined,
  { world, now }: WebhookSurroundings,
): string | undefined {
  const { certificate } = server;
  if (certificate === undefined) return 'http: server gave HTTP response to HTTPS client';
  const trusted = isTrusted(server, certificate, caBundle, world) ? [certificate.issuer] : [];
  const wrong = verifyServer(certificate, host, now, () => world.certificates.verify(certificate, trusted, now));
  return wrong === undefined ? undefined : `tls: failed to verify certificate: ${wrong}`;
}

/**
 * A bundle of this cluster's authorities vouches for what these signed. Any other text stands for the authority that is needed, and
 * none for the API server's own trust, unless the server says which it is.
 */
function isTrusted(server: WebhookServer, certificate: Certificate, caBundle: string | undefined, { certificates }: World): boolean {
  if (server.caBundle === ANY_BUNDLE) return true;
  const pem = caBundle === undefined ? '' : decodeBase64(caBundle);
  const authorities = certificates
    .all()
    .filter((known) => known.usages?.includes('authority') === true && pem.includes(certificates.pem(known).trim()));
  if (authorities.length === 0) return server.caBundle === undefined || server.caBundle === caBundle;
  return authorities.some(({ name }) => name === certificate.issuer);
}

/** Source: staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go (NewGenericServerResponse). */
function httpWords(code: number): string {
  if (code === 404) return 'the server could not find the requested resource';
  if (code === 401) return 'the server has asked for the client to provide credentials';
  if (code === 429) return 'the server has received too many requests and has asked us to try again later';
  if (code === 503) return 'the server is currently unable to handle the request';
  return code >= 500
    ? `an error on the server ("") has prevented the request from succeeding`
    : `the server rejected our request for an unknown reason`;
}
