import type { Json, JsonObject } from '../../base/json.ts';
import { textOf } from '../../base/json-text.ts';
import type { Instant } from '../../base/instant.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Agenda } from '../time/agenda.ts';
import type { Client } from './client.ts';
import { LruMap } from '../../base/lru-map.ts';
import { microTimeOf, nanosecondHex, timeOf } from '../time/api-times.ts';
import { TokenBucket } from '../time/token-bucket.ts';

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
    const now = this.#agenda.now;
    const keys = this.#keysOf(about, words);
    const { key, message } = this.#aggregate(keys, words, now);
    const seen = this.#observe(key, keys.involved, message, now);
    if (this.#budget(keys.spam, now).take(now)) this.#write(seen, keys.involved, words, now);
  }

  /**
   * An event that comes again and again: counted at moments that may have passed, each not before the one before, with nothing
   * else recorded in between.
   */
  repeated(about: Involved, words: EventWords): RepeatedEvent {
    const keys = this.#keysOf(about, words);
    // What the first moment found is at hand for all that follow, unless it was aggregated.
    let found: { readonly similar: Similar; readonly bucket: TokenBucket } | undefined;
    let seen: Seen | undefined;
    let [count, written, writtenAt] = [0, 0, 0];
    const first = (moment: Instant): TokenBucket => {
      const { key, message } = this.#aggregate(keys, words, moment);
      seen = this.#observe(key, keys.involved, message, moment);
      count = seen.count;
      const bucket = this.#budget(keys.spam, moment);
      const similar = this.#similar.get(keys.kind);
      if (key === keys.key && similar !== undefined) found = { similar, bucket };
      return bucket;
    };
    const again = (moment: Instant, { similar, bucket }: { readonly similar: Similar; readonly bucket: TokenBucket }): TokenBucket => {
      if (moment - similar.at > AGGREGATE_MILLISECONDS) similar.messages.splice(0, AGGREGATE_MESSAGES, words.message);
      similar.at = moment;
      count++;
      return bucket;
    };
    return {
      at: (moment) => {
        const bucket = found === undefined ? first(moment) : again(moment, found);
        if (!bucket.take(moment)) return false;
        [written, writtenAt] = [count, moment];
        return true;
      },
      counted: () => {
        if (found !== undefined && seen !== undefined) this.#seen.set(keys.key, { ...seen, count });
      },
      write: () => {
        if (seen !== undefined && written > 0) this.#write({ ...seen, count: written }, keys.involved, words, writtenAt);
      },
    };
  }

  #keysOf(about: Involved, words: EventWords): EventKeys {
    const involved = involvedOf(about, words.fieldPath);
    const whom = `${identity(involved)},${words.type}`;
    const kind = `${whom},${words.reason}`;
    const { component, host = '' } = this.#source;
    return { involved, kind, key: `${kind},${words.fieldPath ?? ''},${words.message}`, spam: `${component},${host},${whom}` };
  }

  /** From the tenth different message of one kind within ten minutes on, one event stands for all that follow. */
  #aggregate({ kind, key }: EventKeys, words: EventWords, now: Instant): Aggregated {
    const known = this.#similar.get(kind);
    // One message from the start: an empty list grows to room for seventeen, of which most events need one.
    const similar = known === undefined || now - known.at > AGGREGATE_MILLISECONDS ? { messages: [words.message], at: now } : known;
    if (!similar.messages.includes(words.message)) similar.messages.push(words.message);
    similar.at = now;
    this.#similar.set(kind, similar);
    if (similar.messages.length < AGGREGATE_MESSAGES) return { key, message: words.message };
    similar.messages.shift();
    return { key: kind, message: `(combined from similar events): ${words.message}` };
  }

  #observe(key: string, involved: JsonObject, message: string, now: Instant): Seen {
    const known = this.#seen.get(key);
    const seen: Seen =
      known === undefined
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

  #write(seen: Seen, involved: JsonObject, words: EventWords, now: Instant): void {
    const event = this.#object(seen, involved, words, now);
    if (seen.count === 1) {
      this.#client.post(this.#client.requestToCreateOwn(event, event.reason !== '' && event.source.host !== '' && isWhole(involved)));
      return;
    }
    const body = { count: seen.count, lastTimestamp: timeOf(now), message: seen.message };
    const address = { group: '', version: 'v1', resource: 'events', namespace: event.metadata.namespace, name: seen.name };
    this.#client.post({ verb: 'patch', ...address, patch: { type: 'strategic', body } }, (answer) => {
      if (!answer.ok && answer.code === 404) this.#client.post(this.#client.requestToCreate(event));
    });
  }

  #object(seen: Seen, involved: JsonObject, words: EventWords, now: Instant) {
    const { component, host } = this.#source;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: seen.name, namespace: textOf(involved['namespace'] ?? 'default') },
      involvedObject: involved,
      reason: words.reason,
      message: seen.message,
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
  /** False when it is one too many. */
  at(moment: Instant): boolean;
  /** To be called after the last of several moments. */
  counted(): void;
  /** Writes it as it was at the last moment at which it was not one too many. */
  write(): void;
}

interface EventKeys {
  readonly involved: JsonObject;
  /** Whose and of what kind: what is aggregated. */
  readonly kind: string;
  readonly key: string;
  /** Whose: what is cut off. */
  readonly spam: string;
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
    const key = `${words.type},${words.action},${words.reason},${stateOf(regarding)},${related === undefined ? '' : stateOf(related)}`;
    const known = this.#series.get(key);
    if (known !== undefined) {
      this.#again(known);
      return;
    }
    const event = this.#object(regarding, related, words);
    this.#series.set(key, { namespace: event.metadata.namespace, name: event.metadata.name, count: 1, last: this.#agenda.now });
    this.#client.post(
      this.#client.requestToCreateOwn(event, words.action !== '' && isWhole(regarding) && (related === undefined || isWhole(related))),
    );
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
    this.#agenda.after(
      FINISH_MILLISECONDS,
      'finish event series',
      () => {
        this.#timer = false;
        for (const [key, series] of this.#series) {
          if (series.last > this.#agenda.now - FINISH_MILLISECONDS) continue;
          this.#series.delete(key);
          if (series.count > 2) this.#writeSeries(series);
        }
        if (this.#series.size > 0) this.#watchOver();
      },
      { background: true, owner: this.#owner },
    );
  }

  #object(regarding: JsonObject, related: JsonObject | undefined, words: SeriesWords) {
    const now = this.#agenda.now;
    this.#extra = (this.#extra + 1) % 1000;
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: {
        name: `${textOf(regarding['name'])}.${nanosecondHex(now, this.#extra)}`,
        namespace: textOf(regarding['namespace'] ?? 'default'),
      },
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

/** An object as it was at a revision. */
function stateOf(involved: JsonObject): string {
  return `${identity(involved)},${textOf(involved['resourceVersion'] ?? '')}`;
}

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
