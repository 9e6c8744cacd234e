import type { Json, JsonObject } from '../base/json.ts';
import { textOf } from '../base/json-text.ts';
import type { Instant } from '../base/instant.ts';
import type { KubeObject } from '../model/kube-object.ts';
import type { Agenda } from './agenda.ts';
import type { Client } from './client.ts';
import { LruMap } from './lru.ts';
import { microTimeOf, nanosecondHex, timeOf } from './times.ts';
import { TokenBucket } from './token-bucket.ts';

/** Whom an event is about: an object, or a reference where the object is not at hand (the kubelet's node, whose uid is its name). */
export type Involved = KubeObject | InvolvedRef;

export interface InvolvedRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface EventWords {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** `spec.containers{web}`: which part of the object it is about. */
  readonly fieldPath?: string;
}

/**
 * The events of controllers and kubelets: repeated ones count up, too many alike become one "(combined from similar events)",
 * and who writes too many is cut off. Source: staging/src/k8s.io/client-go/tools/record/{event,events_cache}.go.
 */
export class EventRecorder {
  readonly #agenda: Agenda;
  readonly #client: Client;
  readonly #source: EventSource;
  readonly #similar = new LruMap<Similar>(CACHE_SIZE);
  readonly #seen = new LruMap<Seen>(CACHE_SIZE);
  readonly #budgets = new LruMap<TokenBucket>(CACHE_SIZE);
  #extra = 0;

  constructor(agenda: Agenda, client: Client, source: EventSource) {
    this.#agenda = agenda;
    this.#client = client;
    this.#source = source;
  }

  event(about: Involved, words: EventWords): void {
    this.repeated(about, words).at(this.#agenda.now)?.();
  }

  /**
   * An event that comes again and again: counted at moments that may have passed, each not before the one before, with nothing
   * else recorded in between. What is given back writes it as it was at that moment; undefined when it is one too many.
   */
  repeated(about: Involved, words: EventWords): RepeatedEvent {
    const involved = involvedOf(about, words.fieldPath);
    const whom = `${identity(involved)},${words.type}`;
    const kind = `${whom},${words.reason}`;
    const single = { key: `${kind},${textOf(involved['fieldPath'] ?? '')},${words.message}`, message: words.message };
    const spamKey = `${this.#source.component},${this.#source.host ?? ''},${whom}`;
    // What the first moment found is at hand for all that follow, unless it was aggregated.
    let found: { readonly similar: Similar; readonly bucket: TokenBucket; seen: Seen } | undefined;
    return {
      at: (moment) => {
        if (found !== undefined) {
          if (moment - found.similar.at > AGGREGATE_MILLISECONDS) found.similar.messages.splice(0, AGGREGATE_MESSAGES, words.message);
          found.similar.at = moment;
          const seen = { ...found.seen, count: found.seen.count + 1 };
          found.seen = seen;
          return found.bucket.take(moment) ? () => this.#write(seen, involved, words, words.message, moment) : undefined;
        }
        const { key, message } = this.#aggregate(kind, single, words, moment);
        const seen = this.#observe(key, involved, message, moment);
        const bucket = this.#budget(spamKey, moment);
        const similar = this.#similar.get(kind);
        if (key === single.key && similar !== undefined) found = { similar, bucket, seen };
        return bucket.take(moment) ? () => this.#write(seen, involved, words, message, moment) : undefined;
      },
      counted: () => {
        if (found !== undefined) this.#seen.set(single.key, found.seen);
      },
    };
  }

  /** From the tenth different message of one kind within ten minutes on, one event stands for all that follow. */
  #aggregate(kind: string, single: Aggregated, words: EventWords, now: Instant): Aggregated {
    const known = this.#similar.get(kind);
    const similar = known === undefined || now - known.at > AGGREGATE_MILLISECONDS ? { messages: [], at: now } : known;
    if (!similar.messages.includes(words.message)) similar.messages.push(words.message);
    similar.at = now;
    this.#similar.set(kind, similar);
    if (similar.messages.length < AGGREGATE_MESSAGES) return single;
    similar.messages.shift();
    return { key: kind, message: `(combined from similar events): ${words.message}` };
  }

  #observe(key: string, involved: JsonObject, message: string, now: Instant): Seen {
    const known = this.#seen.get(key);
    const seen: Seen = known === undefined
      ? { name: `${textOf(involved['name'])}.${nanosecondHex(now, this.#nextExtra())}`, count: 1, first: now, message }
      : { ...known, count: known.count + 1, message };
    this.#seen.set(key, seen);
    return seen;
  }

  #budget(key: string, now: Instant): TokenBucket {
    const known = this.#budgets.get(key);
    if (known !== undefined) return known;
    const bucket = new TokenBucket(1 / 300, 25, now);
    this.#budgets.set(key, bucket);
    return bucket;
  }

  #write(seen: Seen, involved: JsonObject, words: EventWords, message: string, now: Instant): void {
    const event = this.#object(seen, involved, words, message, now);
    if (seen.count === 1) {
      this.#client.post(this.#client.requestToCreateOwn(event, event.reason !== '' && event.source.host !== '' && isWhole(involved)));
      return;
    }
    const body = { count: seen.count, lastTimestamp: timeOf(now), message };
    const address = { group: '', version: 'v1', resource: 'events', namespace: event.metadata.namespace, name: seen.name };
    this.#client.post({ verb: 'patch', ...address, patch: { type: 'strategic', body } }, (answer) => {
      if (!answer.ok && answer.code === 404) this.#client.post(this.#client.requestToCreate(event));
    });
  }

  #object(seen: Seen, involved: JsonObject, words: EventWords, message: string, now: Instant) {
    const { component, host } = this.#source;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: seen.name, namespace: textOf(involved['namespace'] ?? 'default') },
      involvedObject: involved,
      reason: words.reason,
      message,
      source: host === undefined ? { component } : { component, host },
      firstTimestamp: timeOf(seen.first),
      lastTimestamp: timeOf(now),
      count: seen.count,
      type: words.type,
      eventTime: null,
      reportingComponent: component,
      reportingInstance: host ?? '',
    };
  }

  #nextExtra(): number {
    this.#extra = (this.#extra + 1) % 1000;
    return this.#extra;
  }
}

export interface RepeatedEvent {
  at(moment: Instant): (() => void) | undefined;
  /** To be called after the last of several moments. */
  counted(): void;
}

interface Aggregated {
  readonly key: string;
  readonly message: string;
}

export interface EventSource {
  readonly component: string;
  readonly host?: string;
}

/** The words of an events.k8s.io event. `related` is a second object: the victim's preemptor. */
export interface SeriesWords {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly related?: KubeObject;
}

/**
 * The events of the scheduler and kube-proxy (events.k8s.io): the first is written, the second begins a series, and after that
 * only the end of the series is. The note stays the first one's; an object of another resourceVersion begins a new event.
 * Source: staging/src/k8s.io/client-go/tools/events/{event_recorder,event_broadcaster}.go.
 */
export class SeriesRecorder {
  readonly #agenda: Agenda;
  readonly #client: Client;
  readonly #controller: string;
  readonly #instance: string;
  readonly #owner: object;
  readonly #series = new Map<string, Series>();
  #timer = false;
  #extra = 0;

  constructor(agenda: Agenda, client: Client, names: { readonly controller: string; readonly instance: string }, owner: object) {
    this.#agenda = agenda;
    this.#client = client;
    this.#controller = names.controller;
    this.#instance = names.instance;
    this.#owner = owner;
  }

  event(about: KubeObject, words: SeriesWords): void {
    const regarding = involvedOf(about, undefined);
    const related = words.related === undefined ? undefined : involvedOf(words.related, undefined);
    const key = [words.type, words.action, words.reason, JSON.stringify(regarding), JSON.stringify(related ?? null)].join();
    const known = this.#series.get(key);
    if (known !== undefined) {
      this.#again(known);
      return;
    }
    const event = this.#object(regarding, related, words);
    this.#series.set(key, { namespace: event.metadata.namespace, name: event.metadata.name, count: 1, last: this.#agenda.now });
    this.#client.post(this.#client.requestToCreateOwn(event, words.action !== '' && isWhole(regarding) && (related === undefined || isWhole(related))));
    this.#watchOver();
  }

  #again(series: Series): void {
    series.count++;
    series.last = this.#agenda.now;
    if (series.count === 2) this.#writeSeries(series);
  }

  #writeSeries(series: Series): void {
    const body = { series: { count: series.count, lastObservedTime: microTimeOf(series.last) } };
    const address = { group: 'events.k8s.io', version: 'v1', resource: 'events', namespace: series.namespace, name: series.name };
    this.#client.post({ verb: 'patch', ...address, patch: { type: 'strategic', body } });
  }

  /** Series that were quiet for six minutes are written a last time and forgotten. */
  #watchOver(): void {
    if (this.#timer) return;
    this.#timer = true;
    this.#agenda.after(FINISH_MILLISECONDS, 'finish event series', () => {
      this.#timer = false;
      for (const [key, series] of this.#series) {
        if (series.last > this.#agenda.now - FINISH_MILLISECONDS) continue;
        this.#series.delete(key);
        if (series.count > 2) this.#writeSeries(series);
      }
      if (this.#series.size > 0) this.#watchOver();
    }, { background: true, owner: this.#owner });
  }

  #object(regarding: JsonObject, related: JsonObject | undefined, words: SeriesWords) {
    const now = this.#agenda.now;
    this.#extra = (this.#extra + 1) % 1000;
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: `${textOf(regarding['name'])}.${nanosecondHex(now, this.#extra)}`, namespace: textOf(regarding['namespace'] ?? 'default') },
      eventTime: microTimeOf(now),
      reportingController: this.#controller,
      reportingInstance: this.#instance,
      action: words.action,
      reason: words.reason,
      regarding,
      ...(related === undefined ? {} : { related }),
      note: words.note,
      type: words.type,
    };
  }
}

const CACHE_SIZE = 4096;
const AGGREGATE_MESSAGES = 10;
const AGGREGATE_MILLISECONDS = 600_000;
const FINISH_MILLISECONDS = 360_000;

interface Similar {
  /** The latest different ones, at most ten: the oldest first. */
  readonly messages: string[];
  at: Instant;
}

interface Seen {
  readonly name: string;
  readonly count: number;
  readonly first: Instant;
  readonly message: string;
}

interface Series {
  readonly namespace: string;
  readonly name: string;
  count: number;
  last: Instant;
}

/** A uid says it all, but for those of nodes, which are their names. */
function identity(involved: JsonObject): string {
  const { uid } = involved;
  if (typeof uid === 'string' && uid.length === UUID_LENGTH) return uid;
  return `${textOf(involved['kind'] ?? '')},${textOf(involved['namespace'] ?? '')},${textOf(involved['name'] ?? '')},${textOf(involved['uid'] ?? '')},${textOf(involved['apiVersion'] ?? '')}`;
}

const UUID_LENGTH = 36;

/** Nothing in it is empty, which decoding would leave out. */
function isWhole(involved: JsonObject): boolean {
  return INVOLVED_FIELDS.every((field) => involved[field] !== '');
}

const INVOLVED_FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

function involvedOf(about: Involved, fieldPath: string | undefined): JsonObject {
  const meta: JsonObject = isObject(about) ? about.metadata : (about as unknown as JsonObject);
  const fields: Record<string, Json | undefined> = { kind: about.kind };
  for (const field of ['namespace', 'name', 'uid'] as const) if (meta[field] !== undefined) fields[field] = meta[field];
  fields['apiVersion'] = about.apiVersion;
  if (meta['resourceVersion'] !== undefined) fields['resourceVersion'] = meta['resourceVersion'];
  if (fieldPath !== undefined) fields['fieldPath'] = fieldPath;
  return fields;
}

function isObject(about: Involved): about is KubeObject {
  return 'metadata' in about;
}
