import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2SecureServer, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { createSecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { PodcheckError, reasonOf } from '../base/errors.ts';
import type { KeyPair } from './issue-certificate.ts';

export interface FrontOptions {
  readonly host: string;
  /** 0 takes any free one, once: the front comes back on the port it had. */
  readonly port: number;
  readonly certificate: KeyPair;
  /** PEM of the authority of clients' certificates. */
  readonly authority: string;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** How long a connection may be open without a whole request under way. */
  readonly headersMilliseconds: number;
  /** Requests that want another protocol on their connection. */
  readonly upgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
}

/** The listening side of a served cluster: TLS, HTTP/2 and HTTP/1.1 on one port, which can be shut and opened again. */
export class Front {
  readonly #options: FrontOptions;
  readonly #sockets = new Set<Socket>();
  #server: Http2SecureServer;
  #certificate: KeyPair;
  #port: number;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#certificate = options.certificate;
    this.#port = options.port;
    this.#server = this.#create();
  }

  get port(): number {
    return this.#port;
  }

  /** TCP connections that are open. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** A port or an address that cannot be had is a PodcheckError. */
  open(): Promise<void> {
    const { host } = this.#options;
    const server = this.#server;
    return new Promise((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(listenTrouble(error, this.#port, host)));
      server.listen(this.#port, host, () => {
        this.#port = (server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  /** Connections are refused from now on, and those there are break. */
  async shut(): Promise<void> {
    const server = this.#server;
    this.#server = this.#create();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  /** New connections are shown this certificate. */
  show(certificate: KeyPair): void {
    this.#certificate = certificate;
    this.#server.setSecureContext(this.#secrets());
  }

  #secrets(): { readonly cert: string; readonly key: string; readonly ca: string } {
    return { cert: this.#certificate.certificate, key: this.#certificate.key, ca: this.#options.authority };
  }

  #create(): Http2SecureServer {
    const { answer, upgrade, headersMilliseconds } = this.#options;
    const waiting = new HeaderTimers(headersMilliseconds);
    const server = createSecureServer(
      {
        ...this.#secrets(),
        allowHTTP1: true,
        requestCert: true,
        rejectUnauthorized: false,
        handshakeTimeout: HANDSHAKE_MILLISECONDS,
        settings: { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: MAX_HEADER_BYTES },
        maxHeaderListPairs: MAX_HEADERS,
        maxSessionInvalidFrames: 100,
      },
      // Requests of HTTP/2 have the shape of those of HTTP/1.1.
      (request, response) => {
        waiting.arrived(request as unknown as IncomingMessage, response as unknown as ServerResponse);
        answer(request as unknown as IncomingMessage, response as unknown as ServerResponse);
      },
    );
    // Of HTTP/1.1, which takes it as a property alone where it comes beside HTTP/2.
    Object.assign(server, { maxHeaderSize: MAX_HEADER_BYTES });
    const keep = (socket: Socket): void => {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => {
        this.#sockets.delete(socket);
        waiting.end(socket);
      });
    };
    server.on('connection', keep);
    server.on('secureConnection', (socket: TLSSocket) => {
      keep(socket);
      if (socket.alpnProtocol !== 'h2') waiting.begin(socket);
    });
    server.on('session', (session: ServerHttp2Session) => waiting.follow(session));
    server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseHandshake(error, socket));
    server.on('sessionError', () => undefined);
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseMalformed(error, socket));
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      waiting.end(socket);
      upgrade(request, socket, head);
    });
    server.setTimeout(0);
    return server;
  }
}

/** Source: staging/src/k8s.io/apiserver/pkg/server/secure_serving.go (MaxHeaderBytes). */
const MAX_HEADER_BYTES = 1024 * 1024;

/** A connection of HTTP/1.1, or of HTTP/2. */
interface Endable {
  readonly destroyed: boolean;
  destroy(): void;
}

/**
 * Ends connections whose next request does not come: a client that sends its headers byte by byte would hold one indefinitely. Node.js
 * does so for plain HTTP servers only. Requests under way (watches, logs, exec) are not counted. The API server does the same.
 * Source: staging/src/k8s.io/apiserver/pkg/server/secure_serving.go (ReadHeaderTimeout, IdleTimeout).
 */
class HeaderTimers {
  readonly #milliseconds: number;
  readonly #timers = new WeakMap<Endable, NodeJS.Timeout>();

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  begin(connection: Endable): void {
    this.end(connection);
    if (connection.destroyed) return;
    this.#timers.set(connection, setTimeout(() => connection.destroy(), this.#milliseconds).unref());
  }

  end(connection: Endable): void {
    clearTimeout(this.#timers.get(connection));
    this.#timers.delete(connection);
  }

  /** One connection of HTTP/2 carries many requests; headers that came only in part are not one yet. */
  follow(session: ServerHttp2Session): void {
    let open = 0;
    this.begin(session);
    session.once('close', () => this.end(session));
    session.on('stream', (stream: ServerHttp2Stream) => {
      open++;
      this.end(session);
      stream.once('close', () => {
        open--;
        if (open === 0) this.begin(session);
      });
    });
  }

  arrived({ httpVersionMajor, socket }: IncomingMessage, response: ServerResponse): void {
    if (httpVersionMajor !== 1) return;
    this.end(socket);
    response.once('close', () => this.begin(socket));
  }
}

const HANDSHAKE_MILLISECONDS = 10_000;
const MAX_STREAMS = 1000;
const MAX_HEADERS = 200;

/** Who speaks plain HTTP to this port is told so, as Go's server tells it. Source: Go's net/http/server.go (serve). */
function refuseHandshake(error: NodeJS.ErrnoException, socket: Socket): void {
  // The connection beneath the TLS; Node.js has no other name for it.
  const plain = Reflect.get(socket, '_parent') as Socket | undefined;
  if (error.code === 'ERR_SSL_HTTP_REQUEST' && plain?.writable === true)
    plain.end('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
  else socket.destroy();
}

/** What is no HTTP is told so in a Status, as every other refusal is. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [code, words] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout']
        : [400, 'Bad Request'];
  const status = JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `the request could not be read: ${words}`,
    reason: code === 408 ? 'Timeout' : 'BadRequest',
    code,
  });
  socket.end(
    `HTTP/1.1 ${code} ${words}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(status)}\r\nconnection: close\r\n\r\n${status}`,
  );
}

function listenTrouble(error: NodeJS.ErrnoException, port: number, host: string): PodcheckError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new PodcheckError(
        'bad-input',
        `port ${port} of ${host} is in use`,
        'choose another port, or leave out --port to use any free one',
      );
    case 'EACCES':
      return new PodcheckError('bad-input', `port ${port} needs more privileges`, 'use a port above 1023, or leave out --port');
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new PodcheckError('bad-input', `${host} is not an address of this machine`, 'leave out --listen to serve on 127.0.0.1');
    default:
      return new PodcheckError('bad-input', `cannot listen on ${host}:${port}: ${reasonOf(error)}`);
  }
}
