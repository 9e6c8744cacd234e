import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { Http2SecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { PodcheckError, reasonOf } from '../base/errors.ts';
import type { Instant } from '../base/instant.ts';
import type { AuditEntry } from '../model/audit.ts';
import { internalError } from '../simulator/apiserver/failures.ts';
import type { Cluster } from '../simulator/cluster.ts';
import { certificateOf } from '../simulator/cluster-certificates.ts';
import { answerExchange } from './api.ts';
import { Authority } from './authority.ts';
import type { Speed } from './clock.ts';
import { Clock } from './clock.ts';
import { exchangeOf } from './exchange.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { sendFailure } from './send.ts';
import { WatchStreams } from './watch-stream.ts';

export interface ServingOptions {
  readonly cluster: Cluster;
  /** Virtual seconds to a second; 1 when not given. */
  readonly speed?: Speed;
  /** 0, any free one, when not given. */
  readonly port?: number;
  /** 127.0.0.1 when not given. */
  readonly listen?: string;
  readonly wall?: () => Instant;
  /** Told of every request once it is answered. */
  readonly audit?: (entry: AuditEntry) => void;
  /** Told of a bug of podcheck's own; what it hit is answered with a 500. */
  readonly failed?: (error: unknown) => void;
}

/** A cluster that clients can talk to. */
export interface Serving {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** The text of a kubeconfig for the administrator. */
  readonly kubeconfig: string;
  /** The text of a kubeconfig for somebody else, with a client certificate of the cluster's authority. */
  kubeconfigFor(user: string, groups: readonly string[]): string;
  /** Ends every connection and the cluster's time. Nothing is left running. */
  close(): Promise<void>;
}

/** Serves a cluster as the Kubernetes API over HTTPS, with an authority of its own. A port that is taken is a PodcheckError. */
export async function startServing(options: ServingOptions): Promise<Serving> {
  const { cluster } = options;
  const wall = options.wall ?? Date.now;
  const failed = options.failed ?? ((): void => undefined);
  const host = options.listen ?? LOOPBACK;
  const authority = new Authority(wall());
  const watches = new WatchStreams(cluster);
  const clock = new Clock(cluster, { speed: options.speed ?? 1, hold: () => watches.full, failed });
  const audit = options.audit ?? ((): void => undefined);
  const around = { cluster, clock, authority, watches, wall, audit };
  const hosts = [...new Set(['127.0.0.1', '::1', 'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', ...(host === '0.0.0.0' || host === '::' ? [] : [host])])];
  const own = authority.forServer(hosts, wall() - DAY, wall() + YEAR);
  const server = createSecureServer(
    { allowHTTP1: true, cert: own.certificate, key: own.key, ca: authority.certificate, requestCert: true, rejectUnauthorized: false, settings: { maxConcurrentStreams: 1000 } },
    // Requests of HTTP/2 have the shape of those of HTTP/1.1.
    (request, response) => void answer(request as unknown as IncomingMessage, response as unknown as ServerResponse),
  );
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = exchangeOf(request, response);
    try {
      await answerExchange(exchange, around);
    } catch (error) {
      failed(error);
      if (!response.headersSent) sendFailure(exchange, internalError(reasonOf(error)));
      else response.destroy();
    }
  };
  const sockets = keepSockets(server);
  const port = await listen(server, options.port ?? 0, host).catch((error: unknown) => {
    clock.close();
    throw error;
  });
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const kubeconfigFor = (user: string, groups: readonly string[]): string => kubeconfigText({ url, authority: authority.certificate, user, credential: authority.forClient(certificateOf(user, groups, cluster.now())) });
  return {
    cluster,
    clock,
    url,
    port,
    kubeconfig: kubeconfigFor('kubernetes-admin', ['system:masters']),
    kubeconfigFor,
    close: () => {
      clock.close();
      watches.end();
      return new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
    },
  };
}

const LOOPBACK = '127.0.0.1';
const DAY = 86_400_000;
const YEAR = 365 * DAY;

/** Every connection as long as it is open, so that all can be ended. */
function keepSockets(server: Http2SecureServer): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  };
  server.on('connection', keep);
  server.on('secureConnection', keep);
  server.on('tlsClientError', (_error: Error, socket: Socket) => void socket.destroy());
  server.on('sessionError', () => undefined);
  return sockets;
}

function listen(server: Http2SecureServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenTrouble(error, port, host)));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function listenTrouble(error: NodeJS.ErrnoException, port: number, host: string): PodcheckError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new PodcheckError('bad-input', `port ${port} of ${host} is in use`, 'leave --port out, and any free one is taken');
    case 'EACCES':
      return new PodcheckError('bad-input', `port ${port} may not be used`, 'take one above 1023, or leave --port out');
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new PodcheckError('bad-input', `${host} is no address of this machine`, 'leave --listen out to serve on 127.0.0.1');
    default:
      return new PodcheckError('bad-input', `cannot listen on ${host}:${port}: ${reasonOf(error)}`);
  }
}
