import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, dig, isJsonObject } from '../../../base/json.ts';
import { append } from '../../../base/lists.ts';
import { API_NAMES, GO_TYPES } from './go-types.ts';
import { selectorValue } from './label-selector.ts';

/**
 * How two objects differ, as the API server shows it: a unified diff, three lines around each change, of their internal types as
 * indented JSON; ends with a line break. Source: staging/src/k8s.io/apimachinery/pkg/util/diff/diff.go.
 */
export function goDiff(
  type: 'PodSpec' | 'PersistentVolumeClaimSpec' | 'PersistentVolumeSource',
  before: JsonObject,
  after: JsonObject,
): string {
  const prepare = type === 'PodSpec' ? withInternalSecurity : (spec: JsonObject): JsonObject => spec;
  return unifiedDiff(linesOf(type, prepare(before)), linesOf(type, prepare(after)));
}

/** What the API has in the spec itself stands in the security context inside. Source: pkg/apis/core/v1/conversion.go. */
function withInternalSecurity(spec: JsonObject): JsonObject {
  const moved = Object.fromEntries(
    ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'].map((field) => [field, spec[field]]),
  );
  return { ...spec, securityContext: { ...asObject(spec['securityContext']), ...moved } };
}

/** A template of pods as its internal type has it: its metadata beside its Spec. */
export function internalTemplate(template: Json | undefined): Json {
  const given = asObject(template);
  return internalOf('PodTemplateSpec', { ...given, spec: withInternalSecurity(asObject(given['spec'])) });
}

/** A value of the API as its internal type has it; null for what is not there. */
export function internalOf(type: string, value: Json | undefined): Json {
  if (!isJsonObject(value)) return null;
  return JSON.parse(linesOf(type, value).join('')) as Json;
}

function linesOf(type: string, value: JsonObject): readonly string[] {
  const lines: string[] = [];
  printStruct(type, value, { indent: '', opening: '', closing: '', print: (text) => lines.push(text) });
  return lines;
}

function printStruct(type: string, value: JsonObject, { indent, opening, closing, print }: Place): void {
  print(`${indent}${opening}{`);
  const fields = (GO_TYPES[type] ?? '').split(', ');
  for (const [index, field] of fields.entries()) {
    const [name = '', kind = ''] = field.split(' ');
    if (name === '') printMetadata(asObject(value['metadata']), `${indent} `, print);
    else
      printField(kind, value[API_NAMES[name] ?? name.charAt(0).toLowerCase() + name.slice(1)], {
        indent: `${indent} `,
        opening: `"${name}": `,
        closing: index === fields.length - 1 ? '' : ',',
        print,
      });
  }
  print(`${indent}}${closing}`);
}

/** In the order of Go's ObjectMeta, which leaves out what is not given. */
function printMetadata(metadata: JsonObject, indent: string, print: Place['print']): void {
  for (const field of METADATA)
    if (metadata[field] !== undefined)
      printLines(inGoOrder(field, metadata[field]), { indent, opening: `"${field}": `, closing: ',', print });
}

/** What structs of it are written by their fields, the rest by its keys. */
function inGoOrder(field: string, value: Json): Json {
  const order = STRUCTS[field];
  if (order === undefined || !Array.isArray(value)) return sorted(value);
  return (value as readonly Json[]).map((member) =>
    Object.fromEntries(order.flatMap((name) => (dig(member, name) === undefined ? [] : [[name, sorted(dig(member, name) ?? null)]]))),
  );
}

const STRUCTS: Readonly<Record<string, readonly string[]>> = {
  ownerReferences: ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'],
  managedFields: ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1', 'subresource'],
};

const METADATA: readonly string[] = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

interface Place {
  readonly indent: string;
  readonly opening: string;
  readonly closing: string;
  readonly print: (line: string) => void;
}

function printField(kind: string, value: Json | undefined, place: Place): void {
  if (kind === 'l') printLines(selectorValue(value), place);
  else if (kind in ZEROES) printJson(value ?? ZEROES[kind], place);
  else if (kind.startsWith('[]')) printList(kind.slice(2), value, place);
  else if (kind.startsWith('*') && !isJsonObject(value)) printJson(null, place);
  else printStruct(kind.replace('*', ''), asObject(value), place);
}

/** Go's zero of each plain kind. */
const ZEROES: Readonly<Record<string, Json>> = { s: '', i: 0, b: false, q: '0', p: null, j: null };

function printList(type: string, value: Json | undefined, { indent, opening, closing, print }: Place): void {
  if (value === undefined || value === null) return print(`${indent}${opening}null${closing}`);
  const items = asList(value);
  if (items.length === 0) return print(`${indent}${opening}[]${closing}`);
  print(`${indent}${opening}[`);
  for (const [index, item] of items.entries())
    printStruct(type, asObject(item), { indent: `${indent} `, opening: '', closing: index === items.length - 1 ? '' : ',', print });
  print(`${indent}]${closing}`);
}

/** As encoding/json has it: maps by their keys, and `<`, `>` and `&` escaped. */
function printJson(value: Json | undefined, place: Place): void {
  printLines(sorted(value ?? null), place);
}

function printLines(value: Json, { indent, opening, closing, print }: Place): void {
  const text = JSON.stringify(value, undefined, 1).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
  const lines = text.split('\n');
  for (const [index, line] of lines.entries())
    print(`${indent}${index === 0 ? opening : ''}${line}${index === lines.length - 1 ? closing : ''}`);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}

const CONTEXT = 3;

/** Source: github.com/pmezard/go-difflib/difflib (GetUnifiedDiffString). */
function unifiedDiff(before: readonly string[], after: readonly string[]): string {
  const edits = editsBetween(before, after);
  const text: string[] = [];
  for (let index = 0; index < edits.length;) {
    let last = index;
    while ((edits[last + 1]?.from ?? Number.POSITIVE_INFINITY) - (edits[last]?.fromEnd ?? 0) <= CONTEXT * 2) last++;
    append(text, hunkOf(edits.slice(index, last + 1), before, after));
    index = last + 1;
  }
  return text.map((line) => `${line}\n`).join('');
}

/** Lines `from` to `fromEnd` became lines `to` to `toEnd`. */
interface Edit {
  readonly from: number;
  readonly fromEnd: number;
  readonly to: number;
  readonly toEnd: number;
}

function hunkOf(edits: readonly Edit[], before: readonly string[], after: readonly string[]): readonly string[] {
  const [first, last] = [edits[0], edits.at(-1)];
  if (first === undefined || last === undefined) return [];
  const lead = Math.min(CONTEXT, first.from);
  const [start, toStart] = [first.from - lead, first.to - lead];
  const [end, toEnd] = [Math.min(before.length, last.fromEnd + CONTEXT), Math.min(after.length, last.toEnd + CONTEXT)];
  const lines = [`@@ -${rangeOf(start, end)} +${rangeOf(toStart, toEnd)} @@`];
  let at = start;
  for (const edit of edits) {
    append(lines, [
      ...before.slice(at, edit.from).map((line) => ` ${line}`),
      ...before.slice(edit.from, edit.fromEnd).map((line) => `-${line}`),
      ...after.slice(edit.to, edit.toEnd).map((line) => `+${line}`),
    ]);
    at = edit.fromEnd;
  }
  return [...lines, ...before.slice(at, end).map((line) => ` ${line}`)];
}

function rangeOf(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

/** Beyond so many lines the two are taken to be different as a whole. */
const MOST_LINES = 3000;

/**
 * The lines between those that match: the longest stretch that both have, then the longest ones before and after it. Of many lines, those
 * that come often begin no stretch. Source: github.com/pmezard/go-difflib/difflib (SequenceMatcher).
 */
function editsBetween(a: readonly string[], b: readonly string[]): readonly Edit[] {
  const edits: Edit[] = [];
  let [from, to] = [0, 0];
  for (const { row, column, size } of [...matchesOf(a, b), { row: a.length, column: b.length, size: 0 }]) {
    if (row > from || column > to) edits.push({ from, fromEnd: row, to, toEnd: column });
    [from, to] = [row + size, column + size];
  }
  return edits;
}

interface Match {
  readonly row: number;
  readonly column: number;
  readonly size: number;
}

function matchesOf(a: readonly string[], b: readonly string[]): readonly Match[] {
  const matches: Match[] = [];
  if (Math.max(a.length, b.length) > MOST_LINES) return matches;
  const places = placesOf(b);
  const collect = (from: number, fromEnd: number, to: number, toEnd: number): void => {
    const { row, column, size } = longestMatch(a, b, places, [from, fromEnd, to, toEnd]);
    if (size === 0) return;
    if (from < row && to < column) collect(from, row, to, column);
    matches.push({ row, column, size });
    if (row + size < fromEnd && column + size < toEnd) collect(row + size, fromEnd, column + size, toEnd);
  };
  collect(0, a.length, 0, b.length);
  return matches;
}

/** Where each line stands. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  const often = lines.length < 200 ? lines.length : Math.floor(lines.length / 100) + 1;
  for (const [line, all] of places) if (all.length > often) places.delete(line);
  return places;
}

function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [from, fromEnd, to, toEnd]: readonly [number, number, number, number],
): Match {
  let [row, column, size] = [from, to, 0];
  let before = new Map<number, number>();
  for (let index = from; index < fromEnd; index++) {
    const lengths = new Map<number, number>();
    for (const place of places.get(a[index] ?? '') ?? []) {
      if (place < to || place >= toEnd) continue;
      const length = (before.get(place - 1) ?? 0) + 1;
      lengths.set(place, length);
      if (length > size) [row, column, size] = [index - length + 1, place - length + 1, length];
    }
    before = lengths;
  }
  while (row > from && column > to && a[row - 1] === b[column - 1]) [row, column, size] = [row - 1, column - 1, size + 1];
  while (row + size < fromEnd && column + size < toEnd && a[row + size] === b[column + size]) size++;
  return { row, column, size };
}
