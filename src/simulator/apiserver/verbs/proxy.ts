import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import { parseInteger } from '../../../base/number.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import type { Response } from '../../network/sockets.ts';
import { badRequest, failure, methodNotSupported, notFound } from '../failures.ts';
import type { Answer, Failure } from '../request.ts';
import type { Call } from '../server-state.ts';

/**
 * Hands a request on to a port of a pod or of a Service's endpoint: `/pods/web:8080/proxy/path`, `/services/https:web:name/proxy/path`.
 * Source: pkg/registry/core/pod/strategy.go (ResourceLocation), pkg/registry/core/service/storage/storage.go (ResourceLocation),
 * staging/src/k8s.io/apimachinery/pkg/util/proxy/upgradeaware.go.
 */
export function proxy(call: Call): Answer {
  const { state, request, resource } = call;
  const wish = wishOf(request.name ?? '');
  if (wish === undefined) return badRequest(`invalid ${resource.plural.slice(0, -1)} request "${request.name ?? ''}"`);
  const found = state.store.get(resource.key, request.namespace, wish.name);
  if (found === undefined) return notFound({ group: '', resource: resource.plural }, wish.name);
  if (resource.key === 'nodes') return methodNotSupported({ group: '', resource: 'nodes/proxy' }, request.verb);
  const place = resource.key === 'pods' ? placeOfPod(found, wish.port) : placeOfService(call, found, wish.port);
  if ('ok' in place) return place;
  const { root } = request.proxied ?? {};
  // Links of a page lead on from a path with a slash at its end only.
  if (root !== undefined) return { ok: true, code: 301, object: found, warnings: [], proxied: { headers: { location: root }, body: '' } };
  return ask(call, found, place, wish.scheme);
}

function ask({ state, request }: Call, found: KubeObject, { ip, port }: Place, scheme: string): Answer {
  const { path = '/', method = 'GET', body = '' } = request.proxied ?? {};
  const attempt = state.world.datacenter.network.reach({ node: undefined, netns: undefined, pod: undefined }, ip, port);
  if (!attempt.ok)
    return unreachable(`dial tcp ${ip}:${port}: ${attempt.trouble === 'connection refused' ? 'connect: ' : ''}${attempt.trouble}`);
  const { kind, respond } = attempt.socket.speech;
  if (scheme === 'https' && kind === 'http') return unreachable('tls: first record does not look like a TLS handshake');
  if (kind === 'tcp' || kind === 'grpc') return unreachable('EOF');
  const isPlain = kind === 'https' && scheme !== 'https';
  const response: Response = isPlain ? PLAIN_TO_TLS : respond(path, { ip: SERVER_IP, port: SERVER_PORT, method, body });
  return {
    ok: true,
    code: response.status,
    object: found,
    warnings: [],
    proxied: { headers: response.headers ?? {}, body: response.body },
  };
}

function unreachable(why: string): Failure {
  return failure(503, 'ServiceUnavailable', `error trying to reach service: ${why}`, { causes: [{ message: why }] });
}

/** Go's answer to who speaks plain HTTP to a server of HTTPS. */
const PLAIN_TO_TLS: Response = { status: 400, body: 'Client sent an HTTP request to an HTTPS server.\n', afterMilliseconds: 1 };
const SERVER_IP = '10.77.0.10';
const SERVER_PORT = 40_000;

interface Wish {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/** `web`, `web:80`, `https:web:`. Source: staging/src/k8s.io/apimachinery/pkg/util/net/port_split.go (SplitSchemeNamePort). */
function wishOf(text: string): Wish | undefined {
  const parts = text.split(':');
  const [first = '', second = '', third = ''] = parts;
  if (parts.length === 1) return { scheme: '', name: first, port: '' };
  if (parts.length === 2) return { scheme: '', name: first, port: second };
  return parts.length === 3 && ['', 'http', 'https'].includes(first) ? { scheme: first, name: second, port: third } : undefined;
}

interface Place {
  readonly ip: string;
  readonly port: number;
}

function placeOfPod(pod: KubeObject, port: string): Place | Failure {
  const ip = asText(dig(pod, 'status', 'podIP'));
  if (ip === undefined) return badRequest('address not allowed');
  const declared = asList(dig(pod, 'spec', 'containers')).flatMap((container) => asList(dig(container, 'ports')));
  const first = asNumber(dig(declared[0], 'containerPort')) ?? 80;
  return { ip, port: port === '' ? first : (parseInteger(port) ?? first) };
}

/** Of a Service, the number or name of one of its ports; of one with a single port it can be left out. */
function placeOfService({ state }: Call, service: KubeObject, wanted: string): Place | Failure {
  const { name, namespace } = service.metadata;
  const none = (): Failure => failure(503, 'ServiceUnavailable', `no endpoints available for service "${name}"`);
  const ports = asList(dig(service, 'spec', 'ports'));
  const port = ports.find((one) => isWanted(one, wanted, ports.length));
  if (port === undefined) return failure(503, 'ServiceUnavailable', `no service port "${wanted}" found for service "${name}"`);
  for (const slice of state.store.list('endpointslices.discovery.k8s.io', namespace)) {
    if (labelsOf(slice)['kubernetes.io/service-name'] !== name) continue;
    const target = asList(slice['ports']).find((one) => (asText(dig(one, 'name')) ?? '') === (asText(dig(port, 'name')) ?? ''));
    const ready = asList(slice['endpoints']).find((endpoint) => dig(endpoint, 'conditions', 'ready') !== false);
    const [ip, number] = [asText(asList(dig(ready, 'addresses'))[0]), asNumber(dig(target, 'port'))];
    if (ip !== undefined && number !== undefined) return { ip, port: number };
  }
  return none();
}

function isWanted(port: Json, wanted: string, count: number): boolean {
  if (wanted === '') return count === 1;
  return dig(port, 'name') === wanted || String(asNumber(dig(port, 'port')) ?? '') === wanted;
}
