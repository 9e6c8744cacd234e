import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';

/**
 * A request and its answer, over HTTP/1.1 or HTTP/2: Node gives requests of HTTP/2 the shape of those of HTTP/1.1, as far as they
 * are used here.
 */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly path: string;
  /** Path and query as they came. */
  readonly target: string;
  readonly query: URLSearchParams;
  readonly socket: TLSSocket;
}

export function exchangeOf(request: IncomingMessage, response: ServerResponse): Exchange {
  return { request, response, method: request.method ?? 'GET', ...targetOf(request), socket: request.socket as TLSSocket };
}

/** The request target, and its parts. */
export function targetOf({ url: target = '/' }: Pick<IncomingMessage, 'url'>): Pick<Exchange, 'target' | 'path' | 'query'> {
  const mark = target.indexOf('?');
  return { target, path: mark < 0 ? target : target.slice(0, mark), query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)) };
}

export function headerOf({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** What came of a body: its bytes up to the limit, and how long it was as far as it was listened to. */
export interface ReadBody {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** Reads a body. Undefined when the client went away, or took too long. */
export function readBody(request: IncomingMessage, limit: number): Promise<ReadBody | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    const done = (body: ReadBody | undefined): void => {
      clearTimeout(timer);
      request.removeListener('data', take);
      resolve(body);
    };
    const timer = setTimeout(() => {
      done(undefined);
      request.destroy();
    }, BODY_MILLISECONDS);
    const take = (part: Buffer): void => {
      length += part.length;
      if (length <= limit) parts.push(part);
      // It is refused anyway: no more than twice the limit is listened to.
      else if (length > limit * 2) {
        request.pause();
        done({ bytes: Buffer.alloc(0), length });
      }
    };
    request.on('data', take);
    request.once('end', () => done({ bytes: Buffer.concat(parts), length }));
    request.once('error', () => done(undefined));
    request.once('close', () => done(undefined));
  });
}

/** Nobody is waited for longer. */
const BODY_MILLISECONDS = 60_000;

/** Whether the client still listens. */
export function isOpen({ response }: Exchange): boolean {
  return !response.destroyed && !response.writableEnded;
}
