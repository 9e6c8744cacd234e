import { parseInstant } from '../../base/instant.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asText, dig, isJsonObject } from '../../base/json.ts';
import { parsedJson } from '../../base/parsed-json.ts';
import { withoutUndefined } from '../../base/without-undefined.ts';
import { involvedIn } from '../../model/event-fields.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { resourceNamed } from '../../model/resources.ts';

/** Searches answer with envelopes in envelopes, and a log has a text in a text. */
const MAX_DEPTH = 12;

/**
 * Events that a program exported from where events are kept longer than an hour: as they were, somewhere in what a search answered or as
 * the text of a log line, or as a row of fields. Sources: the answers of Elasticsearch, Loki and CloudWatch, LogEntry of Cloud Logging,
 * KubeEvents of Azure Monitor, kubernetes.event of Metricbeat, the line of Grafana's eventhandler.
 */
export function exportedEvents(value: Json | undefined, depth = 0): readonly KubeObject[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof value === 'string') return eventsInText(value, depth);
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((one) => exportedEvents(one, depth + 1));
  if (!isJsonObject(value)) return [];
  const event = eventAsItWas(value) ?? (Object.keys(value).some((key) => REASON.test(key)) ? eventOfRow(fieldsOf(value)) : undefined);
  return event === undefined ? Object.values(value).flatMap((one) => exportedEvents(one, depth + 1)) : [event];
}

const REASON = /^reason$/i;
const IN_TEXT = /"(?:involvedObject|regarding)"/;
const LINE = /^(?=[^"]{0,2000}\bkind=)(?=[^"]{0,2000}\breason=)[^"]{0,2000}\bmsg=/;
const LOGFMT = /(\w{1,40})=(?:"((?:[^"\\]|\\.){0,8000})"|([^\s"]{0,1000}))/g;

function eventsInText(text: string, depth: number): readonly KubeObject[] {
  if (LINE.test(text)) {
    const fields = [...text.matchAll(LOGFMT)].map(([, key = '', quoted, bare = '']) => [key, unquoted(quoted) ?? bare] as const);
    const event = eventOfRow(new Map(fields));
    return event === undefined ? [] : [event];
  }
  const value = IN_TEXT.test(text) ? parsedJson(text) : undefined;
  return isJsonObject(value) ? exportedEvents(value, depth + 1) : [];
}

function unquoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : (asText(parsedJson(`"${text}"`)) ?? text);
}

/** An Event, which exporters leave without its own kind. */
function eventAsItWas(value: JsonObject): KubeObject | undefined {
  const about = involvedIn(value);
  const [reason, message] = [asText(value['reason']), asText(value['message']) ?? asText(value['note'])];
  if (asText(dig(about, 'name')) === undefined || reason === undefined || message === undefined) return undefined;
  const metadata = isJsonObject(value['metadata']) ? value['metadata'] : {};
  const [namespace, name] = [asText(dig(about, 'namespace')), asText(metadata['name'])];
  const named = { namespace: namespace ?? 'default', ...metadata, name: name ?? nameOf([about ?? null, reason, message]) };
  return { ...value, apiVersion: 'v1', kind: 'Event', metadata: named };
}

/** What the fields of a row are called, without the names of the parts they are in. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['objectkind', 'kind'],
  ['involvedobjectkind', 'kind'],
  ['involvedobjectname', 'name'],
  ['metadatanamespace', 'namespace'],
  ['kubeeventtype', 'type'],
  ['msg', 'message'],
  ['timestamplastoccurrence', 'at'],
  ['lastseen', 'at'],
  ['timegenerated', 'at'],
]);

function fieldsOf(value: JsonObject): ReadonlyMap<string, string> {
  return new Map(Object.entries(value).flatMap(([key, field]) => rowField(key, field, 0)));
}

function rowField(key: string, value: Json | undefined, depth: number): readonly (readonly [string, string])[] {
  if (isJsonObject(value) && depth < 2)
    return Object.entries(value).flatMap(([inner, field]) => rowField(`${key}.${inner}`, field, depth + 1));
  return typeof value === 'string' || typeof value === 'number' ? [[key, String(value)]] : [];
}

/** An event as one row: it says of which object, why and what. */
function eventOfRow(row: ReadonlyMap<string, string>): KubeObject | undefined {
  const told = plainFields(row);
  const [object, reason = '', message] = ['object', 'reason', 'message'].map((field) => told.get(field));
  const [word = '', name] = object?.split('/') ?? [told.get('kind'), told.get('name')];
  const kind = resourceNamed(word)?.kind;
  if (kind === undefined || name === undefined || message === undefined || !/^[A-Z]\w{1,127}$/.test(reason)) return undefined;
  const [namespace, at] = [told.get('namespace'), told.get('at')];
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: nameOf([kind, name, reason, message]), namespace: namespace ?? 'default' },
    involvedObject: withoutUndefined({ kind, name, namespace }),
    reason,
    message,
    ...withoutUndefined({ type: told.get('type'), lastTimestamp: parseInstant(at) === undefined ? undefined : at }),
  };
}

function plainFields(row: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const told = new Map<string, string>();
  for (const [key, value] of row) {
    const plain = key.toLowerCase().replaceAll(/[^a-z]/g, '');
    const field = FIELDS.get(plain) ?? plain;
    if (value !== '' && (!told.has(field) || plain !== field)) told.set(field, value);
  }
  return told;
}

/** Two that say the same of the same object are one. */
function nameOf(parts: readonly Json[]): string {
  return JSON.stringify(parts);
}
