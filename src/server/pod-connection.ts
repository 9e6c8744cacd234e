import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { Duplex } from 'node:stream';
import type { Failure, Success } from '../simulator/index.ts';
import type { ApiSurroundings } from './api.ts';
import { readBody } from './exchange.ts';
import type { UpgradeCall } from './upgrade-call.ts';
import { requestOf } from './upgrade-call.ts';

/** Where what a program says is sent to. */
export interface Ends {
  readonly write: (bytes: Uint8Array) => void;
  /** Instead of everything else. */
  readonly failed: (why: string) => void;
  /** Nothing more comes. */
  readonly end: () => void;
}

/** A connection to a port of a pod, in which whatever listens there answers: requests of HTTP one by one, everything else as it comes. */
export class PodConnection {
  readonly #call: UpgradeCall;
  readonly #around: ApiSurroundings;
  readonly #port: number;
  readonly #ends: Ends;
  #wire: Wire | undefined;
  #answersLines = false;

  constructor(call: UpgradeCall, around: ApiSurroundings, port: number, ends: Ends) {
    this.#call = call;
    this.#around = around;
    this.#port = port;
    this.#ends = ends;
  }

  begin(): void {
    const answer = this.#ask('CONNECT');
    const speaks = answer.ok ? answer.proxied?.speaks : undefined;
    if (!answer.ok) this.#ends.failed(answer.message);
    if (speaks === 'tcp') this.#answersLines = true;
    else if (speaks === 'http' || speaks === 'https') this.#serve(speaks);
    // Calls of gRPC are not understood.
    else this.#ends.end();
  }

  receive(bytes: Uint8Array): void {
    this.#wire?.push(bytes);
    if (!this.#answersLines) return;
    const answer = this.#ask('SEND', Buffer.from(bytes).toString());
    if (answer.ok) this.#ends.write(Buffer.from(answer.proxied?.body ?? ''));
  }

  /** The client sends nothing more. */
  ended(): void {
    this.#wire?.push(null);
    if (this.#answersLines) this.#ends.end();
  }

  /** The client has gone. */
  close(): void {
    this.#wire?.destroy();
  }

  /** Node's own server reads the requests. */
  #serve(speaks: 'http' | 'https'): void {
    const answer = (request: IncomingMessage, response: ServerResponse): void => void this.#answer(request, response);
    const server = speaks === 'http' ? createServer(answer) : createSecureServer(this.#ownCertificate(), answer);
    this.#wire = new Wire(this.#ends);
    server.on('clientError', () => this.#wire?.destroy());
    server.emit('connection', this.#wire);
  }

  #ownCertificate(): { readonly cert: string; readonly key: string } {
    const { authority, wall } = this.#around;
    const { certificate: cert, key } = authority.forServer(NAMES, wall() - DAY, wall() + DAY);
    return { cert, key };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, MAX_BODY);
    if (body === undefined) return;
    const answer = this.#ask(request.method ?? 'GET', Buffer.from(body.bytes).toString(), request.url);
    if (!answer.ok) return void response.destroy();
    const { headers, body: said = '' } = answer.proxied ?? {};
    const length = Buffer.byteLength(said);
    response.writeHead(answer.code, { 'content-type': 'text/plain; charset=utf-8', 'content-length': length, ...headers });
    response.end(said);
  }

  #ask(method: string, body = '', path = ''): Success | Failure {
    const request = requestOf(this.#call);
    if (!request.ok) return request;
    const { ok: _, ...asked } = request;
    const answer = this.#around.cluster.request({ ...asked, verb: 'create', proxied: { port: this.#port, method, path, body } });
    this.#around.clock.wrote();
    return answer;
  }
}

const NAMES: readonly string[] = ['localhost', '127.0.0.1'];
const DAY = 86_400_000;
const MAX_BODY = 3_145_728;

/** Bytes that come from a client and go to it. */
class Wire extends Duplex {
  readonly #ends: Ends;

  constructor(ends: Ends) {
    super();
    this.#ends = ends;
  }

  override _read(): void {
    // What comes is pushed when it comes.
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.#ends.write(bytes);
    done();
  }

  override _final(done: () => void): void {
    this.#ends.end();
    done();
  }
}
