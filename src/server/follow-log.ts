import type { Instant } from '../base/instant.ts';
import { formatInstant } from '../base/instant.ts';
import type { ApiRequest, Cluster, LogRequest, Success } from '../simulator/index.ts';
import type { Exchange } from './exchange.ts';
import { isOpen } from './exchange.ts';
import { sendText } from './send.ts';
import type { TimeShift } from './time-shift.ts';

export interface LogCall {
  readonly request: ApiRequest;
  readonly answer: Success;
  readonly cluster: Cluster;
  readonly shift: TimeShift;
}

/** The lines of a container as text, and, for who follows them, those that are yet to come, until the container ends. */
export function answerLog(exchange: Exchange, call: LogCall): number {
  const { request, answer, shift } = call;
  const asked = request.log ?? {};
  const text = textOf(answer, asked, shift);
  if (asked.follow !== true) return sendText(exchange, 200, 'text/plain', Buffer.from(text).subarray(0, asked.limitBytes));
  const { response } = exchange;
  response.statusCode = 200;
  response.setHeader('content-type', 'text/plain');
  response.flushHeaders();
  followLog(call, {
    write: (bytes) => void response.write(bytes),
    end: () => void response.end(),
    takes: () => isOpen(exchange) && !response.writableNeedDrain,
    whenClosed: (listener) => void response.once('close', listener),
  });
  return 200;
}

/** Where the lines go. */
export interface LogSink {
  readonly write: (bytes: Uint8Array) => void;
  readonly end: () => void;
  /** Whether whoever reads is there, and has read most of it. */
  readonly takes: () => boolean;
  readonly whenClosed: (listener: () => void) => void;
}

/** All lines that are there and, when that is asked for, those that are yet to come. */
export function followLog(call: LogCall, sink: LogSink): void {
  new FollowedLog(call, sink).begin(textOf(call.answer, call.request.log ?? {}, call.shift));
}

class FollowedLog {
  readonly #call: LogCall;
  readonly #sink: LogSink;
  #next: number;
  #left: number;

  constructor(call: LogCall, sink: LogSink) {
    const { answer, request } = call;
    this.#call = call;
    this.#sink = sink;
    this.#next = (answer.log?.before ?? 0) + (answer.lines ?? []).length;
    this.#left = request.log?.limitBytes ?? Number.POSITIVE_INFINITY;
  }

  begin(text: string): void {
    this.#write(text);
    if (this.#call.request.log?.follow !== true) return this.#sink.end();
    const timer = setInterval(() => this.#look(), LOOK_MILLISECONDS);
    this.#sink.whenClosed(() => clearInterval(timer));
  }

  #look(): void {
    const { request, cluster, answer, shift } = this.#call;
    if (!this.#sink.takes()) return;
    const asked = askedAgain(request.log ?? {});
    const read = cluster.server.peek({ ...request, verb: 'get', log: asked });
    // The container may have ended and another taken its place since it was looked at last.
    const previous =
      read.ok && read.log?.container === answer.log?.container
        ? undefined
        : cluster.server.peek({ ...request, verb: 'get', log: { ...asked, previous: true } });
    const own = [read, previous].find((one) => one?.ok === true && one.log?.container === answer.log?.container);
    // The pod is gone, and what its container wrote with it.
    if (own?.ok !== true || own.log === undefined) return this.#sink.end();
    const from = Math.max(0, this.#next - own.log.before);
    this.#next = own.log.before + own.log.times.length;
    this.#write(
      textOf({ ...own, lines: (own.lines ?? []).slice(from), log: { ...own.log, times: own.log.times.slice(from) } }, asked, shift),
    );
    if (!own.log.running) this.#sink.end();
  }

  #write(text: string): void {
    const bytes = Buffer.from(text).subarray(0, this.#left);
    this.#left -= bytes.length;
    if (bytes.length > 0) this.#sink.write(bytes);
    if (this.#left <= 0) this.#sink.end();
  }
}

/** How often new lines are looked for. */
const LOOK_MILLISECONDS = 100;

function textOf({ lines = [], log }: Success, { timestamps }: LogRequest, shift: TimeShift): string {
  return lines
    .map((line, index) => `${timestamps === true ? `${stamp(shift.instantToWall(log?.times[index] ?? 0))} ` : ''}${line}\n`)
    .join('');
}

/** RFC 3339 with nine digits. Source: pkg/kubelet/types/constants.go (RFC3339NanoFixed). */
function stamp(instant: Instant): string {
  const micros = Math.round((instant % 1000) * 1000);
  return `${formatInstant(instant).slice(0, 19)}.${String(micros % 1_000_000).padStart(6, '0')}000Z`;
}

/** The same log once more, whole: from where to go on is known here. */
function askedAgain({ container, previous, timestamps }: LogRequest): LogRequest {
  return {
    ...(container === undefined ? {} : { container }),
    ...(previous === undefined ? {} : { previous }),
    ...(timestamps === undefined ? {} : { timestamps }),
  };
}
