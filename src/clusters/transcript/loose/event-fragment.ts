import type { Instant } from '../../../base/instant.ts';
import { formatInstant, parseInstant } from '../../../base/instant.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asNumber, asText, dig, isJsonObject } from '../../../base/json.ts';
import { parsedJson } from '../../../base/parsed-json.ts';
import { parseKubeYaml } from '../../../base/yaml/kube-yaml.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { involvedIn as involvedOf } from '../../../model/event-fields.ts';
import type { Line } from '../clean-lines.ts';
import { indentOf } from '../describe/sections.ts';
import { eventObject } from '../events.ts';
import { involvedIn, unnamed } from './involved.ts';
import { namedIn } from './named-objects.ts';

const BEGINS =
  /^(?:- )?"?(?:reason|message|note|type|count|action|eventTime|firstTimestamp|lastTimestamp|involvedObject|regarding|reportingComponent|reportingController|source)"?:(?:\s|$)/;
const GOES_ON = /^(?:[\w.$/-]{1,80}:(?:\s|$)|"[^"]{1,80}":|[\]}],?\s{0,8}$)/;
const MAX_LINES = 60;

/** An event of which somebody pasted some fields as YAML or JSON, without the line that says that it is one. */
export interface EventFragment {
  readonly object: KubeObject;
  readonly next: number;
}

/** Whether such a fragment may begin on a line. */
export function mayBeginEvent(text: string): boolean {
  return BEGINS.test(text.trimStart());
}

/**
 * Reads the fragment that begins on a line: it has a reason and a message, and a type or an object that only events have. Undefined when
 * none does. `about` is the pod that is spoken of.
 */
export function eventFragment(lines: readonly Line[], index: number, about: ObjectRef | undefined, at: Instant): EventFragment | undefined {
  const first = lines[index]?.text ?? '';
  const indent = indentOf(first) + (first.trimStart().startsWith('- ') ? 2 : 0);
  let next = index + 1;
  while (next < lines.length && next - index < MAX_LINES && goesOn(lines[next]?.text ?? '', indent)) next++;
  const body = lines
    .slice(index, next)
    .map(({ text }, number) => (number === 0 ? text.trimStart().replace(/^- /, '') : text.slice(indent)));
  const value = isEventLike(body) ? parsed(body) : undefined;
  const event = value === undefined ? undefined : eventIn(value, lines[index]?.number ?? 0, about, at);
  return event === undefined ? undefined : { object: event, next };
}

/** Fields in which programs that forward events have them. Source: heptio/eventrouter, GKE's event exporter. */
const FORWARDED = ['event', 'jsonPayload', 'object'];

/** An event that a program forwarded as one line of JSON; undefined for any other line. */
export function forwardedEvent({ text, number }: Line, at: Instant): KubeObject | undefined {
  const start = text.indexOf('{');
  if (start < 0 || !/"(?:involvedObject|regarding)"/.test(text)) return undefined;
  const value = parsedJson(text.slice(start));
  const event = [value, ...FORWARDED.map((field) => dig(value, field))].find((one) => namedObject(one) !== undefined);
  return isJsonObject(event) ? eventIn(event, number, undefined, at) : undefined;
}

function goesOn(text: string, indent: number): boolean {
  const own = indentOf(text);
  return text.trim() !== '' && (own > indent || (own === indent && GOES_ON.test(text.slice(own))));
}

/** Parsing costs time: without these words a text is no event. */
function isEventLike(body: readonly string[]): boolean {
  const has = (field: RegExp): boolean => body.some((line) => field.test(line));
  return has(/^"?reason"?:/) && has(/^"?(?:message|note)"?:/) && has(/^"?(?:type|involvedObject|regarding)"?:/);
}

function parsed(body: readonly string[]): JsonObject | undefined {
  const text = body.join('\n').trim();
  const whole = text.startsWith('"') ? `{${text.replace(/[,}\s]{0,20}$/, '')}}` : text;
  const { documents, errors } = parseKubeYaml(whole, 'fragment');
  const value: Json | undefined = errors.length > 0 ? undefined : documents[0]?.value;
  return isJsonObject(value) ? value : undefined;
}

function eventIn(value: JsonObject, line: number, about: ObjectRef | undefined, at: Instant): KubeObject | undefined {
  const [reason, type] = [asText(value['reason']), asText(value['type'])];
  const message = asText(value['message']) ?? asText(value['note']);
  const told = namedObject(value);
  if (reason === undefined || message === undefined || !(told !== undefined || type === 'Normal' || type === 'Warning')) return undefined;
  const row = { type: type ?? 'Warning', reason, message, age: '', source: sourceOf(value) };
  const pod = about?.kind === 'Pod' ? about : unnamed('Pod');
  return { ...eventObject({ ...row, at, about: told ?? involvedIn(row, namedIn(message), about, pod) }, line), ...ownFields(value) };
}

function sourceOf(value: JsonObject): string {
  const [component, host] = [asText(dig(value, 'source', 'component')) ?? asText(value['reportingComponent']) ?? '', hostOf(value)];
  return component === '' || host === undefined ? component : `${component}, ${host}`;
}

function hostOf(value: JsonObject): string | undefined {
  const host = asText(dig(value, 'source', 'host'));
  return host === '' ? undefined : host;
}

function namedObject(value: Json | undefined): ObjectRef | undefined {
  if (!isJsonObject(value)) return undefined;
  const [kind, name, namespace] = ['kind', 'name', 'namespace'].map((field) => asText(dig(involvedOf(value), field)));
  return kind === undefined || name === undefined ? undefined : { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** What the fragment says of how often and when it was seen, and of which part of the object. */
function ownFields(value: JsonObject): JsonObject {
  const first = parseInstant(value['firstTimestamp']);
  const seen = parseInstant(value['lastTimestamp']) ?? parseInstant(value['eventTime']);
  const count = asNumber(value['count']);
  return {
    ...(first === undefined ? {} : { firstTimestamp: formatInstant(first) }),
    ...(seen === undefined ? {} : { lastTimestamp: formatInstant(seen) }),
    ...(count === undefined ? {} : { count }),
    ...(namedObject(value) === undefined ? {} : { involvedObject: involvedOf(value) }),
  };
}
