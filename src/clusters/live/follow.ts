import type { Instant } from '../../base/instant.ts';
import { parseInteger } from '../../base/number.ts';
import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../base/json.ts';
import { shorten } from '../../base/text.ts';
import { groupOf } from '../../model/resources.ts';
import type { FollowListener, WatchGap } from '../../model/followed.ts';
import type { ServedApi } from './api-path.ts';
import { apiPath, permission } from './api-path.ts';
import { liveObject } from './live-object.ts';
import type { Answer } from './requests/exchange.ts';
import { parseJson } from './requests/json-answer.ts';
import { refusalOf } from './requests/refusal.ts';
import type { Transport } from './requests/transport.ts';

export interface FollowOptions {
  /** All namespaces without it. */
  readonly namespace?: string;
  readonly signal: AbortSignal;
  readonly clock: () => Instant;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** From 0 up to 1: those who lost the server at the same moment do not all come back at the same moment. */
  readonly random: () => number;
}

/** Objects in one answer, as client-go's pager asks for them. */
const CHUNK = 500;
/** A watch is renewed after five to ten minutes. Source: staging/src/k8s.io/client-go/tools/cache/reflector.go (minWatchTimeout). */
const WATCH_SECONDS = 300;
/** A server sends a bookmark each minute: silence for longer is a dead connection. */
const SILENT_SECONDS = 150;
/** Source: client-go's reflector: 0.8 s, doubled up to 30 s. */
const FIRST_WAIT_MILLISECONDS = 800;
const LONGEST_WAIT_MILLISECONDS = 30_000;
/** A server that asks for more is asked again earlier: it may be back long before. */
const LONGEST_ASKED_SECONDS = 300;

/** What a step came to: go on from this version, begin with a list again, or wait and try again. */
type Step =
  | { readonly next: 'watch'; readonly version: string }
  | { readonly next: 'list' }
  | { readonly next: 'wait'; readonly version: string | undefined; readonly gap: WatchGap; readonly seconds?: number };

/**
 * Lists a kind and watches it from there, until the signal is raised: goes on from the last version that was seen when a connection ends,
 * lists again when the server has forgotten that version (410), and waits longer and longer while the server is away, says no or asks to
 * wait. Tells the listener all of it, and never rejects but for what the listener throws.
 */
export async function follow(transport: Transport, api: ServedApi, options: FollowOptions, listener: FollowListener): Promise<void> {
  const follower = new Follower(transport, api, options, listener);
  let [version, failures] = [undefined as string | undefined, 0];
  while (!options.signal.aborted) {
    const step: Step = version === undefined ? await follower.list() : await follower.watch(version);
    if (options.signal.aborted) return;
    if (step.next !== 'wait') {
      [version, failures] = [step.next === 'watch' ? step.version : undefined, 0];
      continue;
    }
    // A watch that was cut off is first tried again at once: only if that fails, too, something cannot be seen.
    failures = follower.progressed ? 1 : failures + 1;
    version = step.version;
    if (failures > 1 || version === undefined) listener.gap(step.gap);
    const spread = 0.5 + options.random();
    const longest = Math.min(LONGEST_WAIT_MILLISECONDS, FIRST_WAIT_MILLISECONDS * 2 ** (failures - 1));
    await options.wait(Math.max((step.seconds ?? 0) * 1000, failures === 1 && version !== undefined ? 0 : longest * spread));
  }
}

class Follower {
  /** The last watch has brought something before it ended. */
  progressed = false;
  readonly #transport: Transport;
  readonly #api: ServedApi;
  readonly #options: FollowOptions;
  readonly #listener: FollowListener;

  constructor(transport: Transport, api: ServedApi, options: FollowOptions, listener: FollowListener) {
    this.#transport = transport;
    this.#api = api;
    this.#options = options;
    this.#listener = listener;
  }

  /** Reads all pages; each object is told at once, so that no list is held. */
  async list(): Promise<Step> {
    this.progressed = false;
    this.#listener.listing();
    let [token, version] = [undefined as string | undefined, undefined as string | undefined];
    do {
      const path = apiPath(this.#api, this.#target, { limit: String(CHUNK), continue: token });
      const answer = await this.#transport.get(path);
      if (!answer.ok) return this.#waiting('list', answer.error.detail);
      // The continuation has expired: from the beginning.
      if (answer.status === 410 && token !== undefined) return { next: 'list' };
      if (answer.status !== 200) return this.#refused('list', answer);
      const parsed = parseJson(answer.body.toString('utf8'));
      const list = parsed.ok ? parsed.value : undefined;
      version = asText(dig(list, 'metadata', 'resourceVersion'));
      if (version === undefined) return this.#waiting('list', `The response is not a list of ${this.#api.plural}.`);
      for (const item of asList(dig(list, 'items'))) this.#tell(item);
      token = asText(dig(list, 'metadata', 'continue')) || undefined;
    } while (token !== undefined && !this.#options.signal.aborted);
    this.#listener.heard();
    this.#listener.listed();
    this.#listener.gap(undefined);
    return { next: 'watch', version };
  }

  async watch(from: string): Promise<Step> {
    let version = from;
    let error: Json | undefined;
    const begun = this.#options.clock();
    this.progressed = false;
    const path = apiPath(this.#api, this.#target, {
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: from,
      timeoutSeconds: String(Math.round(WATCH_SECONDS * (1 + this.#options.random()))),
    });
    const opened = (): void => {
      this.#listener.heard();
      this.#listener.gap(undefined);
    };
    const line = (text: string): void => {
      const parsed = parseJson(text);
      const event = parsed.ok ? parsed.value : undefined;
      const type = asText(dig(event, 'type'));
      if (type === 'ERROR') error = dig(event, 'object');
      if (type === undefined || type === 'ERROR') return;
      const object = dig(event, 'object');
      version = asText(dig(object, 'metadata', 'resourceVersion')) ?? version;
      this.progressed = true;
      this.#listener.heard();
      if (type === 'DELETED') this.#tellGone(object);
      else if (type !== 'BOOKMARK') this.#tell(object);
    };
    const end = await this.#transport.stream(path, { opened, line }, { idleSeconds: SILENT_SECONDS, signal: this.#options.signal });
    if (error !== undefined) return this.#failed(error, version);
    const lasted = this.#options.clock() - begun >= BRIEF_MILLISECONDS;
    if (end.how === 'closed') return this.progressed || lasted ? { next: 'watch', version } : this.#waiting('watch', CLOSED, version);
    if (end.how === 'failed') return this.#waiting('watch', end.error.detail, version);
    return end.answer.status === 410 ? this.#expired() : this.#refused('watch', end.answer, version);
  }

  get #target(): { readonly namespace: string | undefined } {
    return { namespace: this.#api.namespaced ? this.#options.namespace : undefined };
  }

  #tell(item: Json | undefined): void {
    const object = liveObject(item, this.#api);
    if (object !== undefined) this.#listener.seen(object);
  }

  #tellGone(item: Json | undefined): void {
    const uid = asText(dig(item, 'metadata', 'uid'));
    if (uid !== undefined) this.#listener.gone(uid);
  }

  /** An error inside of a stream, which has been answered with 200. */
  #failed(status: Json, version: string): Step {
    if (asNumber(dig(status, 'code')) === 410 || dig(status, 'reason') === 'Expired') return this.#expired();
    const said = shorten(asText(dig(status, 'message')) ?? 'an error', 300);
    return this.#waiting('watch', `The server ended the watch: ${said}`, version);
  }

  #expired(): Step {
    this.#listener.missed(
      `The watch of ${this.#resource} expired (410) and they are listed again: what came and went meanwhile was not seen.`,
    );
    return { next: 'list' };
  }

  #refused(verb: WatchGap['verb'], answer: Answer, version?: string): Step {
    const refusal = refusalOf(answer, { verb: 'list', api: this.#api, target: this.#target });
    if (refusal === 'unknown-api') return this.#waiting(verb, `The server has no ${this.#resource}.`);
    const needs =
      refusal.needs?.startsWith('list ') === true ? permission('list', this.#api, this.#target).replace('list', verb) : refusal.needs;
    const seconds = Math.min(LONGEST_ASKED_SECONDS, parseInteger(answer.retryAfter?.trim() ?? '') ?? 0);
    return {
      next: 'wait',
      version,
      seconds,
      gap: { ...this.#gap(verb, refusal.detail), ...(needs === undefined ? {} : { needs }) },
    };
  }

  #waiting(verb: WatchGap['verb'], detail: string, version?: string): Step {
    return { next: 'wait', version, gap: this.#gap(verb, detail) };
  }

  #gap(verb: WatchGap['verb'], detail: string): WatchGap {
    const { namespace } = this.#target;
    return { verb, resource: this.#resource, detail, ...(namespace === undefined ? {} : { namespace }) };
  }

  get #resource(): string {
    const group = groupOf(this.#api.apiVersion);
    return group === '' ? this.#api.plural : `${this.#api.plural}.${group}`;
  }
}

/** Who closes a watch sooner would be asked in a circle. */
const BRIEF_MILLISECONDS = 5000;
const CLOSED = 'The server closed the watch at once.';
