import { setTimeout as pause } from 'node:timers/promises';
import { PodcheckBug } from '../../base/assert.ts';
import { PodcheckError } from '../../base/errors.ts';
import type { Instant } from '../../base/instant.ts';
import { parseInteger } from '../../base/number.ts';
import type { ConnectionError } from './connection-error.ts';
import { connectionError } from './connection-error.ts';
import { Connections } from './connections.ts';
import type { Credentials, Grant } from './credentials.ts';
import { exchange } from './exchange.ts';
import type { Answer, Exchange, Write } from './exchange.ts';
import { gate } from './gate.ts';
import type { LiveConfig } from './kubeconfig.ts';

/**
 * Asks one API server over one kept-alive connection: requests to it are short, and a second connection costs a handshake.
 * Whoever only reads is given no more than `get`.
 */
export interface Transport {
  /** GETs a path (`/api/v1/pods?limit=500`) below the server's address. Trouble on the way is a value. */
  get(path: string, options?: GetOptions): Promise<Exchange>;
  /** Sends a write, once: it is not known whether one that got no answer was done, so it is never sent again. */
  send(path: string, write: Write): Promise<Exchange>;
  counts(): TransportCounts;
  /** Milliseconds by which the server's clock is ahead of ours, by the Date of its first answer; undefined before it. */
  clockSkew(): number | undefined;
  /** Ends the connections; requests under way fail. */
  close(): void;
}

export interface GetOptions {
  readonly accept?: string;
  /** Bytes of the body, decompressed; the transport's limit without it. */
  readonly maxBytes?: number;
  /** What becomes of a longer body: an error (the default), or only its beginning. */
  readonly overflow?: 'fail' | 'cut';
}

type Asked = GetOptions & { readonly write?: Write };

export interface TransportCounts {
  readonly requests: number;
  readonly connections: number;
}

/** Seconds and bytes; every one of them has a default. */
export interface TransportLimits {
  /** Name, proxy and TLS together. */
  readonly connectSeconds: number;
  /** Between two pieces of an answer. */
  readonly idleSeconds: number;
  /** One attempt of one request, once it has a connection. */
  readonly totalSeconds: number;
  readonly maxBytes: number;
  /** Further attempts after 429 or a 5xx with Retry-After. */
  readonly retries: number;
  /** The longest wait before one of them, whatever the server asks for. */
  readonly maxWaitSeconds: number;
}

export const TRANSPORT_LIMITS: TransportLimits = {
  connectSeconds: 10,
  idleSeconds: 30,
  totalSeconds: 60,
  maxBytes: 128 * 1024 * 1024,
  retries: 3,
  maxWaitSeconds: 10,
};

export interface TransportOptions {
  readonly clock: () => Instant;
  readonly limits?: Partial<TransportLimits>;
  readonly userAgent?: string;
  /** Gives up what is under way, and whatever is asked for later. */
  readonly signal?: AbortSignal;
  /** Waits; tests give one that does not. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

export function liveTransport(config: LiveConfig, credentials: Credentials, options: TransportOptions): Transport {
  const limits: TransportLimits = { ...TRANSPORT_LIMITS, ...options.limits };
  const { signal } = options;
  const wait = options.wait ?? ((milliseconds) => pause(milliseconds, undefined, signal === undefined ? {} : { signal }));
  const connections = new Connections(config, limits.connectSeconds, options.clock);
  const enter = gate(1);
  let [requests, skew] = [0, undefined as number | undefined];

  async function attempt(path: string, grant: Grant, get: Asked): Promise<Exchange> {
    const leave = await enter(signal);
    try {
      const { failure } = connections;
      if (failure !== undefined && options.clock() - failure.at < FAILURE_MILLISECONDS) throw failure.error;
      requests += 1;
      const sentAt = options.clock();
      const headers = { ...credentials.headersOf(grant), 'User-Agent': options.userAgent ?? 'podcheck' };
      const answer = await exchange({ server: config.server, agent: connections.agentFor(grant), path, headers, limits, ...(signal === undefined ? {} : { signal }), ...get });
      const date = answer.ok ? answer.date : undefined;
      if (date !== undefined) skew ??= date - (sentAt + options.clock()) / 2;
      return answer;
    } finally {
      leave();
    }
  }

  async function ask(path: string, request: Asked = {}): Promise<Exchange> {
    let [retries, renewed, reconnected] = [0, false, false];
    for (;;) {
      const grant = await credentials.current();
      const answer = await attempt(path, grant, request);
      if (!answer.ok && answer.stale && !reconnected && request.write === undefined) {
        reconnected = true;
      } else if (answer.ok && answer.status === 401 && !renewed && (await renewal(credentials, grant))) {
        renewed = true;
      } else {
        const seconds = answer.ok && request.write === undefined && retries < limits.retries ? retryAfter(answer, retries) : undefined;
        if (seconds === undefined) return answer;
        retries += 1;
        await wait(Math.min(seconds, limits.maxWaitSeconds) * 1000);
      }
    }
  }

  return {
    get: (path, request) => ask(path, request).catch((error: unknown) => ({ ok: false, stale: false, error: failed(error, config) })),
    send: (path, write) => ask(path, { write }).catch((error: unknown) => ({ ok: false, stale: false, error: failed(error, config) })),
    counts: () => ({ requests, connections: connections.opened }),
    clockSkew: () => skew,
    close: () => connections.close(),
  };
}

/** Reads that come right after a failure to connect fail with it, so that twenty of them do not wait for twenty time-outs. */
const FAILURE_MILLISECONDS = 5000;

function failed(error: unknown, config: LiveConfig): ConnectionError {
  if (error instanceof PodcheckBug || error instanceof PodcheckError) throw error;
  return connectionError(error, config.server.host);
}

/** Credentials that cannot be renewed leave the server's 401 as the answer. */
function renewal(credentials: Credentials, refused: Grant): Promise<boolean> {
  return credentials.renew(refused).catch(() => false);
}

/** Seconds to wait before asking again, or undefined to take the answer. Source: client-go/rest/with_retry.go (checkWait). */
function retryAfter(answer: Answer, retries: number): number | undefined {
  if (answer.status !== 429 && answer.status < 500) return undefined;
  const seconds = parseInteger(answer.retryAfter);
  if (seconds !== undefined && seconds >= 0) return seconds;
  return answer.status === 429 ? 2 ** retries : undefined;
}
