import { STATUS_CODES } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { reasonOf } from '../base/errors.ts';
import type { Credential, Failure } from '../simulator/index.ts';
import { badRequest, failure, internalError } from '../simulator/index.ts';
import type { ApiSurroundings } from './api.ts';
import { auditEntry } from './audit-entry.ts';
import { credentialOf } from './credential.ts';
import { headerOf, targetOf } from './exchange.ts';
import type { UpgradeRefusal } from './exec.ts';
import { answerExec } from './exec.ts';
import type { Route } from './route.ts';
import { routeOf } from './route.ts';

/** Requests that ask for another protocol on their connection: exec and attach do, and port-forward. */
export function answerUpgrade(
  request: IncomingMessage,
  { socket, head }: { readonly socket: Socket; readonly head: Buffer },
  around: ApiSurroundings,
  failed: (error: unknown) => void,
): void {
  socket.on('error', () => socket.destroy());
  try {
    const { path, query, target } = targetOf(request);
    const route = routeOf(request.method ?? 'GET', path, query);
    const credential = credentialOf(
      request,
      around.authority,
      (shown) => !('why' in around.cluster.server.authenticator.authenticate(shown)),
    );
    const refused =
      refusedRoute(route) ??
      refusedProtocol(request, { route, query, credential }, around) ??
      (route?.kind === 'resource' ? answerExec({ request, socket, head, credential, routed: route.request, query }, around) : undefined);
    if (refused !== undefined) sendRefusal(socket, refused);
    around.audit(auditEntry({ request, path: target, route, credential, code: refused?.code ?? 101 }, around));
  } catch (error) {
    failed(error);
    sendRefusal(socket, refusal(internalError(reasonOf(error))));
  }
}

function refusedRoute(route: Route | undefined): UpgradeRefusal | undefined {
  const subresource = route?.kind === 'resource' && route.request.resource === 'pods' ? route.request.subresource : undefined;
  if (subresource === 'portforward')
    return refusal(
      failure(501, 'NotImplemented', 'port-forward is not supported in a simulated cluster: use kubectl exec and wget in a pod'),
    );
  return subresource === 'exec' || subresource === 'attach' ? undefined : refusal(badRequest('Upgrade request required'));
}

/** kubectl tries SPDY when a WebSocket is refused: it is to hear the same reason then. */
function refusedProtocol(
  request: IncomingMessage,
  { route, query, credential }: { readonly route: Route | undefined; readonly query: URLSearchParams; readonly credential: Credential },
  { cluster }: ApiSurroundings,
): UpgradeRefusal | undefined {
  if (route?.kind !== 'resource' || (headerOf(request, 'upgrade') ?? '').toLowerCase() === 'websocket') return undefined;
  const container = query.get('container');
  const place = cluster.server.peek({ ...route.request, verb: 'get', credential, log: container === null ? {} : { container } });
  if (!place.ok) return refusal(place);
  return refusal(
    badRequest(
      `${route.request.subresource ?? ''} is served over WebSockets only: use kubectl 1.31 or later, without KUBECTL_REMOTE_COMMAND_WEBSOCKETS=false`,
    ),
  );
}

function refusal({ code, status }: Failure): UpgradeRefusal {
  return { code, status };
}

function sendRefusal(socket: Socket, refused: UpgradeRefusal): void {
  if (refused.code === 0) {
    socket.destroy();
    return;
  }
  const [type, text] =
    'status' in refused ? ['application/json', JSON.stringify(refused.status)] : ['text/plain; charset=utf-8', `${refused.text}\n`];
  socket.end(
    `HTTP/1.1 ${refused.code} ${STATUS_CODES[refused.code] ?? ''}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
