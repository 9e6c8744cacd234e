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
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  return {
    request,
    response,
    method: request.method ?? 'GET',
    target,
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    socket: request.socket as TLSSocket,
  };
}

export function headerOf({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The bytes of a body; `length` goes on counting beyond the limit, up to which they are kept. Undefined when the client went away. */
export async function readBody(request: IncomingMessage, limit: number): Promise<{ readonly bytes: Uint8Array; readonly length: number } | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      length += part.length;
      if (length <= limit) parts.push(part);
      // What is longer is refused anyway: no more than twice the limit is listened to.
      else if (length > limit * 2) break;
    }
  } catch {
    return undefined;
  }
  return { bytes: Buffer.concat(parts), length };
}

/** Whether the client still listens. */
export function isOpen({ response }: Exchange): boolean {
  return !response.destroyed && !response.writableEnded;
}
