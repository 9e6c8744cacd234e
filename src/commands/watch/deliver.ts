import { createHash, createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PodcheckError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { parseInteger } from '../../base/number.ts';
import { systemReason } from '../../base/system-error.ts';
import { maskedJson } from '../../base/mask/masked-json.ts';
import type { Change } from '../../model/watch-change.ts';
import { changeJson } from '../../report/watching/change-json.ts';

/** Where changes are sent, and how. */
export interface Receiver {
  readonly url: URL;
  /** Signs the body of each message (HMAC-SHA-256), so that the receiver knows who sent it. */
  readonly secret?: string | undefined;
  readonly version: string;
}

export interface DeliveryPorts {
  readonly signal: AbortSignal;
  /** Told what could not be delivered: a sentence. */
  readonly note: (text: string) => void;
  readonly timeoutMilliseconds?: number;
  /** Before the second attempt; each further one waits twice as long. */
  readonly firstWaitMilliseconds?: number;
}

/** Messages that wait for a receiver that is away. The oldest are dropped first. */
const MOST_WAITING = 1000;
/** With doubled waits of up to 5 min: about 80 minutes. */
const MOST_ATTEMPTS = 24;
const LONGEST_WAIT_MILLISECONDS = 300_000;

interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** It was taken, or never will be. */
  readonly over: () => void;
}

/**
 * Sends messages in their order, each until the receiver takes it, refuses it for good, or does not answer for too long. Whoever adds one
 * does not wait. Ends with the signal.
 */
export class Delivery {
  readonly #receiver: Receiver;
  readonly #ports: DeliveryPorts;
  readonly #waiting: Message[] = [];
  #isRunning = false;
  /** Told already, and not taken anything since. */
  #drops = false;

  constructor(receiver: Receiver, ports: DeliveryPorts) {
    this.#receiver = receiver;
    this.#ports = ports;
  }

  /** Messages that were not taken yet. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Done when the receiver has taken it, or never will; never, where the signal is raised before. */
  add(value: Json, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const body = JSON.stringify(maskedJson(value));
    const isOver = new Promise<void>((over) => {
      this.#waiting.push({ body, headers: { ...headers, ...this.#signature(body) }, over });
    });
    if (this.#waiting.length > MOST_WAITING) {
      // The first one may be on its way.
      const [dropped] = this.#waiting.splice(1, 1);
      dropped?.over();
      if (!this.#drops) this.#ports.note(`${this.#receiver.url.host} does not take messages: the oldest of ${MOST_WAITING} are dropped`);
      this.#drops = true;
    }
    if (!this.#isRunning) void this.#run();
    return isOver;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let message = this.#waiting[0]; message !== undefined && !this.#ports.signal.aborted; message = this.#waiting[0]) {
      const problem = await this.#sent(message);
      this.#waiting.shift();
      if (!this.#ports.signal.aborted) message.over();
      if (problem !== undefined && !this.#ports.signal.aborted)
        this.#ports.note(`${this.#receiver.url.host} did not take a message: ${problem}`);
    }
    this.#isRunning = false;
  }

  /** Why the message was not taken; undefined when it was. */
  async #sent(message: Message): Promise<string | undefined> {
    const { signal, firstWaitMilliseconds = 1000 } = this.#ports;
    let problem: string | undefined;
    for (let attempt = 0; attempt < MOST_ATTEMPTS && !signal.aborted; attempt++) {
      const answer = await this.#posted(message);
      if (answer === 'taken') {
        this.#drops = false;
        return undefined;
      }
      problem = answer.problem;
      if (answer.isFinal) return problem;
      const wait = Math.max(firstWaitMilliseconds * 2 ** attempt, (answer.seconds ?? 0) * 1000);
      await pause(Math.min(LONGEST_WAIT_MILLISECONDS, wait), undefined, { signal }).catch(() => undefined);
    }
    return problem;
  }

  async #posted({ body, headers }: Message): Promise<'taken' | Refusal> {
    const { url, version } = this.#receiver;
    const { signal, timeoutMilliseconds = 10_000 } = this.#ports;
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'user-agent': `podcheck/${version}`, ...headers },
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
      });
      await response.body?.cancel();
      if (response.status >= 200 && response.status < 300) return 'taken';
      const isFinal = response.status < 500 && response.status !== 408 && response.status !== 429;
      const seconds = parseInteger(response.headers.get('retry-after') ?? '');
      return { problem: `HTTP ${response.status}`, isFinal, ...(seconds === undefined ? {} : { seconds }) };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return { problem: systemReason(cause), isFinal: false };
    }
  }

  #signature(body: string): Readonly<Record<string, string>> {
    const { secret } = this.#receiver;
    if (secret === undefined || secret === '') return {};
    return { 'x-podcheck-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
  }
}

interface Refusal {
  readonly problem: string;
  /** Nothing comes of trying again. */
  readonly isFinal: boolean;
  readonly seconds?: number;
}

/** A change for a webhook. The delivery is the same for every attempt, so that a receiver can tell a second copy. */
export function sendChange(delivery: Delivery, change: Change): Promise<void> {
  const json = changeJson(change);
  const id = createHash('sha256').update(JSON.stringify(json)).digest('hex').slice(0, 32);
  return delivery.add(json, { 'x-podcheck-event': change.type, 'x-podcheck-delivery': id });
}

/** Throws a PodcheckError for what is not an address of a receiver. */
export function receiverUrl(flag: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '')
    return url;
  throw new PodcheckError('usage', `${flag}: ${JSON.stringify(text)} is not a valid URL`, 'use http:// or https://, without a user name');
}
