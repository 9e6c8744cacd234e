import { setTimeout as pause } from 'node:timers/promises';
import { PodcheckBug } from '../../../base/assert.ts';
import { PodcheckError } from '../../../base/errors.ts';
import type { Instant } from '../../../base/instant.ts';
import { isRecent } from '../../../base/instant.ts';
import { parseInteger } from '../../../base/number.ts';
import type { ConnectionError } from '../connection/connection-error.ts';
import { connectionError } from '../connection/connection-error.ts';
import { Connections } from '../connection/connections.ts';
import type { Credentials, Grant } from '../kubeconfig/credentials.ts';
import { exchange } from './exchange.ts';
import type { Answer, Exchange, Write } from './exchange.ts';
import type { StreamEnd, StreamListener } from './event-stream.ts';
import { eventStream } from './event-stream.ts';
import { Budget } from './request-time.ts';
import { gate } from './concurrency-limit.ts';
import type { LiveConfig } from '../kubeconfig/live-config.ts';
import { Patience } from './unanswered-requests.ts';

/**
 * Asks one API server over one kept-alive connection: requests to it are short, and a second connection costs a handshake.
 * Whoever only reads is given no more than `get`.
 */
export interface Transport {
  /** GETs a path (`/api/v1/pods?limit=500`) below the server's address. Trouble on the way is a value. */
  get(path: string, options?: GetOptions): Promise<Exchange>;
  /** Sends a write, once: it is not known whether one that got no answer was done, so it is never sent again. */
  send(path: string, write: Write): Promise<Exchange>;
  /**
   * GETs a path whose answer goes on, on a connection of its own, and gives each line to the listener. Resolves when the stream has ended,
   * however it did; the signal ends it too.
   */
  stream(path: string, listener: StreamListener, options: StreamOptions): Promise<StreamEnd>;
  counts(): TransportCounts;
  /** Milliseconds by which the server's clock is ahead of ours, by the Date of its answers; undefined before the first. */
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
  /** What is asked for (`events`, `pods/log`): of what gives no answer, again and again, no more is asked. */
  readonly group?: string;
}

export interface StreamOptions {
  readonly accept?: string;
  /** Seconds without any byte after which the connection is taken for dead. */
  readonly idleSeconds: number;
  readonly signal: AbortSignal;
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
  /** One request with its connection, all attempts, the waits between them and the body; not its turn behind others. */
  readonly totalSeconds: number;
  readonly maxBytes: number;
  /** Further attempts after 429 or a 5xx with Retry-After. */
  readonly retries: number;
  /** The longest wait before one of them: a server that asks for more is not waited for, and its refusal is the answer. */
  readonly maxWaitSeconds: number;
  /** All such waits together. */
  readonly waitsSeconds: number;
}

export const TRANSPORT_LIMITS: TransportLimits = {
  connectSeconds: 10,
  idleSeconds: 30,
  totalSeconds: 60,
  maxBytes: 128 * 1024 * 1024,
  retries: 3,
  maxWaitSeconds: 10,
  waitsSeconds: 30,
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
  const patience = new Patience(options.clock);
  let [requests, waited, skew] = [0, 0, undefined as number | undefined];

  async function attempt(path: string, grant: Grant, { group, ...get }: Asked, budget: Budget): Promise<Exchange> {
    const leave = await enter(signal);
    try {
      const { failure } = connections;
      if (failure !== undefined && isRecent(failure.at, options.clock(), FAILURE_MILLISECONDS)) throw failure.error;
      const refusal = patience.refusal(group, config.server.host);
      if (refusal !== undefined) throw refusal;
      requests += 1;
      const sentAt = options.clock();
      const headers = { ...credentials.headersOf(grant), 'User-Agent': options.userAgent ?? 'podcheck' };
      const time = { idleSeconds: patience.idleSeconds(limits.idleSeconds), maxBytes: limits.maxBytes };
      const answer = await budget.within(
        (given) =>
          exchange({ server: config.server, agent: connections.agentFor(grant), path, headers, limits: time, signal: given, ...get }),
        signal,
      );
      if (answer.ok) patience.answered(group);
      else if (answer.error.kind === 'timeout' && connections.failure === undefined) patience.timedOut(group);
      const date = answer.ok ? answer.date : undefined;
      if (date !== undefined) skew = steadySkew(skew, date, sentAt, options.clock());
      return answer;
    } finally {
      leave();
    }
  }

  /** Seconds to wait before the next attempt; undefined when the answer is taken as it is. */
  function waitBefore(answer: Exchange, request: Asked, retries: number, budget: Budget): number | undefined {
    if (!answer.ok || request.write !== undefined || retries >= limits.retries) return undefined;
    const seconds = retryAfter(answer, retries);
    if (seconds === undefined || seconds > Math.min(limits.maxWaitSeconds, limits.waitsSeconds - waited, budget.leftSeconds()))
      return undefined;
    return seconds;
  }

  async function ask(path: string, request: Asked = {}): Promise<Exchange> {
    const budget = new Budget(limits.totalSeconds, config.server.host);
    let [retries, renewed, reconnected] = [0, false, false];
    for (;;) {
      const grant = await credentials.current();
      const answer = await attempt(path, grant, request, budget);
      if (!answer.ok && answer.stale && !reconnected && request.write === undefined) {
        reconnected = true;
      } else if (answer.ok && answer.status === 401 && !renewed && (await renewal(credentials, grant))) {
        renewed = true;
      } else {
        const seconds = waitBefore(answer, request, retries, budget);
        if (seconds === undefined) return answer;
        retries += 1;
        waited += seconds;
        budget.spend(seconds);
        await wait(seconds * 1000);
      }
    }
  }

  /** A stream has a connection of its own: it would hold up whoever else asks. */
  async function stream(path: string, listener: StreamListener, { idleSeconds, accept, signal: given }: StreamOptions): Promise<StreamEnd> {
    for (let renewed = false; ;) {
      const grant = await credentials.current();
      const own = new Connections(config, limits.connectSeconds, options.clock);
      try {
        requests += 1;
        const end = await eventStream(
          {
            server: config.server,
            agent: own.agentFor(grant),
            path,
            headers: { ...credentials.headersOf(grant), 'User-Agent': options.userAgent ?? 'podcheck' },
            limits: { idleSeconds, maxBytes: limits.maxBytes },
            signal: given,
            ...(accept === undefined ? {} : { accept }),
          },
          listener,
        );
        const isStale = end.how === 'refused' && end.answer.status === 401 && !renewed;
        if (!isStale || !(await renewal(credentials, grant))) return end;
        renewed = true;
      } finally {
        own.close();
      }
    }
  }

  return {
    stream: (path, listener, streamOptions) =>
      stream(path, listener, streamOptions).catch((error: unknown) => ({ how: 'failed', error: failed(error, config) })),
    get: (path, request) => ask(path, request).catch((error: unknown) => ({ ok: false, stale: false, error: failed(error, config) })),
    send: (path, write) => ask(path, { write }).catch((error: unknown) => ({ ok: false, stale: false, error: failed(error, config) })),
    counts: () => ({ requests, connections: connections.opened }),
    clockSkew: () => skew,
    close: () => connections.close(),
  };
}

/** Reads that come right after a failure to connect fail with it, so that twenty of them do not wait for twenty time-outs. */
const FAILURE_MILLISECONDS = 5000;

/**
 * The first difference that was measured stays until it is another: one of the clocks was set meanwhile. A server says its time to the
 * second.
 */
function steadySkew(known: number | undefined, date: Instant, sentAt: Instant, answeredAt: Instant): number {
  const measured = date - (sentAt + answeredAt) / 2;
  return known === undefined || Math.abs(measured - known) > SKEW_MILLISECONDS + Math.abs(answeredAt - sentAt) ? measured : known;
}

const SKEW_MILLISECONDS = 2000;

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
  const asked = answer.retryAfter?.trim() ?? '';
  // What is too large for a number is longer than anybody waits.
  const seconds = parseInteger(asked) ?? (/^\d+$/.test(asked) ? Infinity : undefined);
  if (seconds !== undefined && seconds >= 0) return seconds;
  return answer.status === 429 ? 2 ** retries : undefined;
}
