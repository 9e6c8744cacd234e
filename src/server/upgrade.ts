import { STATUS_CODES } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { reasonOf } from '../base/errors.ts';
import type { Failure } from '../simulator/index.ts';
import { badRequest, internalError } from '../simulator/index.ts';
import type { ApiSurroundings } from './api.ts';
import { auditEntry } from './audit-entry.ts';
import { credentialOf } from './credential.ts';
import { targetOf } from './exchange.ts';
import { answerExec } from './exec.ts';
import { answerLogSocket } from './log-socket.ts';
import { answerPortForward } from './port-forward.ts';
import { routeOf } from './route.ts';
import type { UpgradeCall, UpgradeRefusal } from './upgrade-call.ts';

/** Requests that ask for another protocol on their connection: exec, attach, port-forward, and logs over WebSockets. */
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
    const begin = route?.kind === 'resource' && route.request.resource === 'pods' ? UPGRADES[route.request.subresource ?? ''] : undefined;
    const refused =
      route?.kind !== 'resource' || begin === undefined
        ? refusal(badRequest('Upgrade request required'))
        : begin({ request, socket, head, credential, routed: route.request, query }, around);
    if (refused !== undefined) sendRefusal(socket, refused);
    around.audit(auditEntry({ request, path: target, route, credential, code: refused?.code ?? 101 }, around));
  } catch (error) {
    failed(error);
    sendRefusal(socket, refusal(internalError(reasonOf(error))));
  }
}

/** By the part of a pod. */
const UPGRADES: Readonly<Record<string, (call: UpgradeCall, around: ApiSurroundings) => UpgradeRefusal | undefined>> = {
  exec: answerExec,
  attach: answerExec,
  portforward: answerPortForward,
  log: answerLogSocket,
};

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
