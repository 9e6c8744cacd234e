import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { ServerOptions } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Issued } from './certificates.ts';
import { issueCertificate } from './certificates.ts';

/** The authority of all servers of a test run. */
export const AUTHORITY: Issued = issueCertificate({ commonName: 'shop-authority', isAuthority: true });

export interface SeenRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly request: IncomingMessage;
}

/** What to answer: a status with a JSON value or text, or whatever the handler does with the response itself. */
export type Reply =
  | { readonly status?: number; readonly json?: unknown; readonly text?: string; readonly headers?: Readonly<Record<string, string>> }
  | 'handled';

export type Handler = (seen: SeenRequest, response: ServerResponse) => Reply;

export interface KubeServer {
  readonly url: URL;
  readonly port: number;
  readonly seen: SeenRequest[];
  connections(): number;
  /** Ends the idle connections, as a server does that restarts. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** An HTTPS server on loopback that counts what comes. */
export async function kubeServer(handle: Handler, tls: ServerOptions = servingOptions()): Promise<KubeServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(tls, (request, response) => {
    const url = new URL(request.url ?? '/', 'https://server');
    const one = { path: url.pathname, query: url.searchParams, headers: request.headers, request };
    seen.push(one);
    send(handle(one, response), response);
  });
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on('secureConnection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  const port = await listen(server);
  return {
    url: new URL(`https://127.0.0.1:${port}`),
    port,
    seen,
    connections: () => connections,
    dropConnections: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

export function servingOptions(names: readonly string[] = ['127.0.0.1', 'localhost']): ServerOptions {
  const { cert, key } = issueCertificate({ commonName: 'kube-apiserver', names, issuer: AUTHORITY });
  return { cert, key };
}

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function send(reply: Reply, response: ServerResponse): void {
  if (reply === 'handled') return;
  const body = reply.text ?? JSON.stringify(reply.json ?? {});
  const contentType = reply.text === undefined ? 'application/json' : 'text/plain';
  response.writeHead(reply.status ?? 200, { 'content-type': contentType, ...reply.headers }).end(body);
}

/** An error as the API server words it. Source: apimachinery/pkg/api/errors/errors.go. */
export function statusReply(code: number, reason: string, message: string, details: object = {}): Reply {
  return { status: code, json: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, details, code } };
}

export function notFound(plural: string, name: string): Reply {
  return statusReply(404, 'NotFound', `${plural} "${name}" not found`, { name, kind: plural });
}
