import { canonicalJson, sameJson } from '../../base/json-edit.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asText, dig, isJsonObject } from '../../base/json.ts';
import { momentWords } from '../../model/moment-words.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { controllerOf } from '../../model/kube-object.ts';
import type { Moment, MomentWord } from '../../model/trace-record.ts';
import type { RecordedTrace } from './trace-file.ts';
import { moments } from './trace-walk.ts';

/** How two traces differ: where first, and what followed from it. Times (`t`) are milliseconds since each cluster was up. */
export interface Divergence {
  /** Fields of the clusters' beginnings that are not the same: `seed`, `preset`. */
  readonly beginnings: readonly BeginningDifference[];
  /** Records that are the same in both before anything differs; the first record (the beginning) aside. */
  readonly common: number;
  /** The first record that is not the same; undefined when the traces are. */
  readonly first: FirstDifference | undefined;
  /** What was the case only in one of them, in the order of time. Times, addresses and random parts of names do not count. */
  readonly followed: readonly OneSided[];
}

export interface FirstDifference {
  readonly t: number;
  readonly a: TimedMoment | undefined;
  readonly b: TimedMoment | undefined;
  /** The fields of the two records that are not the same, a few of them: `object.metadata.uid`. */
  readonly fields: readonly string[];
}

export interface TimedMoment {
  readonly t: number;
  readonly moment: Moment;
}

export interface BeginningDifference {
  readonly field: string;
  readonly a: string;
  readonly b: string;
}

export interface OneSided {
  readonly only: 'a' | 'b';
  /** When it first was. */
  readonly t: number;
  readonly word: MomentWord;
  /** How often it was in each, where it was in both but not as often. */
  readonly times: { readonly a: number; readonly b: number };
}

/** Compares two traces record by record, then by what they say of each object. */
export function compareTraces(a: RecordedTrace, b: RecordedTrace): Divergence {
  const common = sameRecords(a, b);
  const first = common + 1 >= Math.max(a.lines.length, b.lines.length) ? undefined : firstDifference(a, b, common + 1);
  return { beginnings: beginningsOf(a, b), common, first, followed: first === undefined ? [] : oneSided(a, b) };
}

/** Lines that are the same from the second on: the first says how each cluster began. */
function sameRecords(a: RecordedTrace, b: RecordedTrace): number {
  const length = Math.min(a.lines.length, b.lines.length);
  let index = 1;
  while (index < length && a.lines[index] === b.lines[index]) index++;
  return Math.max(0, index - 1);
}

function firstDifference(a: RecordedTrace, b: RecordedTrace, index: number): FirstDifference {
  const [one, other] = [momentAt(a, index), momentAt(b, index)];
  return {
    t: Math.min(one?.t ?? Number.POSITIVE_INFINITY, other?.t ?? Number.POSITIVE_INFINITY),
    a: one,
    b: other,
    fields: differingFields(one?.moment.record, other?.moment.record).slice(0, FIELDS),
  };
}

const FIELDS = 5;

function differingFields(a: Json | undefined, b: Json | undefined): readonly string[] {
  if (!isJsonObject(a) || !isJsonObject(b)) return [];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((field) => {
    if (sameJson(a[field], b[field])) return [];
    const inner = differingFields(a[field], b[field]);
    return inner.length === 0 ? [field] : inner.map((path) => `${field}.${path}`);
  });
}

function momentAt(trace: RecordedTrace, index: number): TimedMoment | undefined {
  let at = 0;
  for (const moment of moments(trace.records.slice(0, index + 1))) if (at++ === index) return { t: moment.record.t - trace.up, moment };
  return undefined;
}

function beginningsOf(a: RecordedTrace, b: RecordedTrace): readonly BeginningDifference[] {
  const [one, other] = [a.options, b.options] as unknown as readonly [JsonObject, JsonObject];
  const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  const differences = fields.map((field) => ({ field, a: canonicalJson(one[field]), b: canonicalJson(other[field]) }));
  return differences.filter((difference) => difference.a !== difference.b);
}

interface Said {
  readonly t: number;
  readonly word: MomentWord;
  count: number;
}

function oneSided(a: RecordedTrace, b: RecordedTrace): readonly OneSided[] {
  const [saidA, saidB] = [saidIn(a), saidIn(b)];
  const sided: OneSided[] = [];
  for (const [key, { t, word, count }] of saidA) {
    const other = saidB.get(key)?.count ?? 0;
    if (other === 0 || (counts(word) && other < count)) sided.push({ only: 'a', t, word, times: { a: count, b: other } });
  }
  for (const [key, { t, word, count }] of saidB) {
    const other = saidA.get(key)?.count ?? 0;
    if (other === 0 || (counts(word) && other < count)) sided.push({ only: 'b', t, word, times: { a: other, b: count } });
  }
  return sided.sort((one, two) => one.t - two.t);
}

/** How many of a kind came and went is a difference, how often something was said of them is not. */
function counts({ text }: MomentWord): boolean {
  return text === 'appears' || text === 'is gone';
}

/** Everything a trace says from its first input on (or from the beginning), each thing once, under names without random parts. */
function saidIn(trace: RecordedTrace): ReadonlyMap<string, Said> {
  const names = new Map<string, string>();
  const said = new Map<string, Said>();
  for (const moment of moments(trace.records)) {
    learnName(moment.object, names);
    for (const word of momentWords(moment)) {
      if (word.passing) continue;
      const key = `${masked(word.subject, names)}\n${masked(word.text, names)}`;
      const known = said.get(key);
      if (known === undefined) said.set(key, { t: moment.record.t - trace.up, word, count: 1 });
      else known.count++;
    }
  }
  return said;
}

/** `web-7c9d8-x2x4z` is one of `web-*-*`: whatever the cluster made up itself is not the same in another. */
function learnName(object: KubeObject | undefined, names: Map<string, string>): void {
  if (object === undefined || names.has(object.metadata.name)) return;
  const { name } = object.metadata;
  const prefix = asText(dig(object, 'metadata', 'generateName'));
  const owner = controllerOf(object);
  if (prefix !== undefined && owner !== undefined) names.set(name, `${names.get(owner.name) ?? owner.name}-*`);
  else if (prefix !== undefined) names.set(name, `${prefix}*`);
  else if (owner?.kind === 'Deployment') names.set(name, `${owner.name}-*`);
}

const UID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

function masked(text: string, names: ReadonlyMap<string, string>): string {
  return text
    .replaceAll(UID, 'UID')
    .replaceAll(/\b(?:sha256:)?[0-9a-f]{64}\b/g, 'HASH')
    .replaceAll(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?/g, 'ADDRESS')
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b\d+(?:\.\d+)?(?:ms|m?s|µs)\b/g, 'DURATION')
    .replaceAll(/[a-z0-9][a-z0-9.-]*/g, (token) => names.get(token) ?? token);
}
