import type { Json, JsonObject } from '../../base/json.ts';
import { textOf } from '../../base/json-text.ts';
import type { Instant } from '../../base/instant.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Agenda } from '../time/agenda.ts';
import type { Client } from './client.ts';
import type { Noted, Seen } from './event-correlator.ts';
import { again, EventCorrelator } from './event-correlator.ts';
import { microTimeOf, nanosecondHex, timeOf } from '../time/api-times.ts';

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
  /** One value for all events. */
  readonly #source: EventSource;
  /** Of the components of a node few record any. */
  #correlator: EventCorrelator | undefined;
  #involved: { readonly about: Involved; readonly fieldPath: string | undefined; readonly shown: JsonObject } | undefined;
  #extra = 0;

  constructor(agenda: Agenda, client: Client, { component, host }: EventSource) {
    this.#agenda = agenda;
    this.#client = client;
    this.#source = host === undefined ? { component } : { component, host };
  }

  event(about: Involved, words: EventWords): void {
    const now = this.#agenda.now;
    const involved = this.#involvedOf(about, words.fieldPath);
    const { seen, bucket } = this.#note(involved, words, now);
    if (bucket.take(now)) this.#write(seen, involved, words, now);
  }

  /**
   * An event that comes again and again: counted at moments that may have passed, each not before the one before, with nothing
   * else recorded in between.
   */
  repeated(about: Involved, words: EventWords): RepeatedEvent {
    const involved = this.#involvedOf(about, words.fieldPath);
    let noted: Noted | undefined;
    let [count, written, writtenAt] = [0, 0, 0];
    return {
      at: (moment) => {
        // What the first moment found is at hand for all that follow, unless it was aggregated.
        if (noted === undefined || noted.seen.combined) {
          noted = this.#note(involved, words, moment);
          ({ count } = noted.seen);
        } else {
          again(noted.kind, words.message, moment);
          count++;
        }
        if (!noted.bucket.take(moment)) return false;
        [written, writtenAt] = [count, moment];
        return true;
      },
      counted: () => {
        if (noted?.seen.combined === false) this.#note(involved, words, noted.kind.at).seen.count = count;
      },
      write: () => {
        if (noted !== undefined && written > 0) this.#write({ ...noted.seen, count: written }, involved, words, writtenAt);
      },
    };
  }

  /** What is said of one object one after the other is about the same value. */
  #involvedOf(about: Involved, fieldPath: string | undefined): JsonObject {
    const last = this.#involved;
    if (last?.about === about && last.fieldPath === fieldPath) return last.shown;
    const shown = involvedOf(about, fieldPath);
    this.#involved = { about, fieldPath, shown };
    return shown;
  }

  #note(involved: JsonObject, words: EventWords, now: Instant): Noted {
    const whom = words.type === 'Normal' ? identity(involved) : `${identity(involved)},${words.type}`;
    this.#correlator ??= new EventCorrelator();
    return this.#correlator.note(whom, words, now, () => `${textOf(involved['name'])}.${nanosecondHex(now, this.#nextExtra())}`);
  }

  #write(seen: Shown, involved: JsonObject, words: EventWords, now: Instant): void {
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

  #object(seen: Shown, involved: JsonObject, words: EventWords, now: Instant) {
    const { component, host } = this.#source;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: seen.name, namespace: textOf(involved['namespace'] ?? 'default') },
      involvedObject: involved,
      reason: words.reason,
      message: seen.message,
      source: this.#source,
      firstTimestamp: seen.first,
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

type Shown = Pick<Seen, 'name' | 'count' | 'first' | 'message'>;

export interface EventSource extends JsonObject {
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
  #series: Map<string, Series> | undefined;
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
    this.#series ??= new Map();
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
        const all = this.#series ?? new Map<string, Series>();
        for (const [key, series] of all) {
          if (series.last > this.#agenda.now - FINISH_MILLISECONDS) continue;
          all.delete(key);
          if (series.count > 2) this.#writeSeries(series);
        }
        if (all.size > 0) this.#watchOver();
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

const FINISH_MILLISECONDS = 360_000;

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
