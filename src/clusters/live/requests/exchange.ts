import { withoutTail } from '../../../base/text.ts';
import { request as httpRequest } from 'node:http';
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Instant } from '../../../base/instant.ts';
import { parseDate } from '../../../base/instant.ts';
import type { ConnectionError } from '../connection/connection-error.ts';
import { ConnectionFailure, connectionError } from '../connection/connection-error.ts';
import { bareHost, portOf } from '../connection/proxy-choice.ts';

/** One request and what came of it: an answer with any status, or no answer. */
export type Exchange = Answer | { readonly ok: false; readonly error: ConnectionError; readonly stale: boolean };

export interface Answer {
  readonly ok: true;
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter?: string;
  /** The server's clock, to the second. */
  readonly date?: Instant;
  readonly body: Buffer;
  /** The body went on, but no more of it was wanted. */
  readonly cut: boolean;
}

export interface ExchangeRequest {
  readonly server: URL;
  readonly agent: Agent;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly limits: { readonly idleSeconds: number; readonly maxBytes: number };
  readonly accept?: string;
  readonly signal?: AbortSignal;
  readonly maxBytes?: number;
  readonly overflow?: 'fail' | 'cut';
  /** A write; a GET without it. */
  readonly write?: Write;
}

export interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly contentType: string;
  readonly body: string;
}

/**
 * Sends one request. `stale` marks a kept-alive connection that the server had closed meanwhile: nothing was answered, and asking
 * again on a new one is safe. Settles when the connection is free again or gone.
 */
export function exchange(asked: ExchangeRequest): Promise<Exchange> {
  return new Promise((resolve) => {
    const request = httpRequest(requestOptions(asked));
    const deadlines = deadlinesOf(request, asked);
    let answer: Promise<Exchange> | undefined;
    let failure: Exchange | undefined;
    request.on('socket', () => deadlines.start());
    request.on('response', (response) => {
      answer = answerOf(response, asked, () => deadlines.extend()).then(
        (read) => {
          if (read.cut) request.destroy();
          return read;
        },
        (error: unknown) => {
          request.destroy();
          return failureOf(deadlines.expired() ?? error, asked, false);
        },
      );
    });
    request.on('error', (error) => {
      const stale = answer === undefined && request.reusedSocket && isReset(error) && deadlines.expired() === undefined;
      failure ??= failureOf(deadlines.expired() ?? error, asked, stale);
    });
    request.on('close', () => {
      const outcome = answer ?? failure ?? failureOf(deadlines.expired() ?? closed(), asked, false);
      // The agent takes the connection back right after this event; the next request is to find it.
      setImmediate(() => {
        void Promise.resolve(outcome)
          .then(resolve)
          .finally(() => deadlines.stop());
      });
    });
    request.end(asked.write?.body);
  });
}

export function requestOptions({ server, agent, path, headers, accept, signal, write }: ExchangeRequest): RequestOptions {
  return {
    agent,
    host: bareHost(server),
    port: portOf(server),
    method: write?.method ?? 'GET',
    path: withoutTail(server.pathname, '/') + path,
    setHost: false,
    headers: {
      Host: server.host,
      Accept: accept ?? 'application/json',
      'Accept-Encoding': 'gzip',
      ...(write === undefined ? {} : { 'Content-Type': write.contentType, 'Content-Length': String(Buffer.byteLength(write.body)) }),
      ...headers,
    },
    ...(signal === undefined ? {} : { signal }),
  };
}

export async function answerOf(response: IncomingMessage, asked: ExchangeRequest, onBytes: () => void): Promise<Answer> {
  const { date, 'retry-after': retryAfter, 'content-type': contentType } = response.headers;
  const instant = parseDate(date);
  return {
    ok: true,
    status: response.statusCode ?? 0,
    contentType: contentType ?? '',
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(instant === undefined ? {} : { date: instant }),
    ...(await bodyOf(response, asked, onBytes)),
  };
}

function failureOf(error: unknown, { server }: ExchangeRequest, stale: boolean): Exchange {
  return { ok: false, error: connectionError(error, server.host), stale };
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function closed(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
}

/** Collects the body up to the limit; decompressed bytes count, so that a small answer cannot grow without end. */
async function bodyOf(
  response: IncomingMessage,
  asked: ExchangeRequest,
  onBytes: () => void,
): Promise<{ readonly body: Buffer; readonly cut: boolean }> {
  const limit = asked.maxBytes ?? asked.limits.maxBytes;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded(response, onBytes) as AsyncIterable<Buffer>) {
    onBytes();
    const room = limit - size;
    size += chunk.length;
    chunks.push(chunk.length <= room ? chunk : chunk.subarray(0, room));
    if (size <= limit) continue;
    if (asked.overflow === 'cut') return { body: Buffer.concat(chunks), cut: true };
    throw new ConnectionFailure('too-large', `The response to ${asked.path} is larger than ${limit} bytes.`);
  }
  return { body: Buffer.concat(chunks), cut: false };
}

function decoded(response: IncomingMessage, onBytes: () => void): Readable {
  // Once the body is settled nobody listens any more; a late error must not end the process.
  response.on('error', () => undefined);
  if (response.headers['content-encoding'] !== 'gzip') return response;
  const gunzip = createGunzip();
  response.on('error', (error) => gunzip.destroy(error));
  response.on('data', onBytes);
  return response.pipe(gunzip);
}

interface Deadlines {
  start(): void;
  extend(): void;
  stop(): void;
  /** The time-out that ended the request, if one did. */
  expired(): ConnectionFailure | undefined;
}

/** Silence counts from when the request has a connection; how long all of it takes is for whoever asks to bound. */
function deadlinesOf(request: ClientRequest, { server, limits }: ExchangeRequest): Deadlines {
  let failure: ConnectionFailure | undefined;
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    failure ??= new ConnectionFailure('timeout', `${server.host} sent nothing for ${limits.idleSeconds} s.`);
    request.destroy(failure);
  };
  return {
    start: () => {
      idle = setTimeout(end, limits.idleSeconds * 1000);
    },
    extend: () => idle?.refresh(),
    stop: () => clearTimeout(idle),
    expired: () => failure,
  };
}
