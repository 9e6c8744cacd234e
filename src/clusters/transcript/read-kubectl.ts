import type { Line } from './clean-lines.ts';
import type { Command } from './command.ts';
import { flagOf, hasFlag, namedBy } from './command.ts';
import { customEvents } from './custom-columns.ts';
import { resourceNamed, resourceOfKind } from '../../model/resources.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { describesIn } from './describe/describe.ts';
import { readDocuments } from './documents.ts';
import { Draft } from './draft.ts';
import { readErrors, splitErrors, splitServerErrors } from './error-lines.ts';
import { headlessEvent, tableEvents } from './events.ts';
import { unnamed } from './loose/involved.ts';
import { logBehindDescribe, logBehindTable } from './log-behind.ts';
import { readLeftovers } from './loose/leftovers.ts';
import type { Reading } from './reading.ts';
import { readLoosely, readPieces } from './read-loosely.ts';
import { tellDescribe } from './tell-describe.ts';
import { kindOfTable, linesBeside, tableObjects, tellsReasons } from './table-objects.ts';
import type { Table } from './tables.ts';
import { isHeader, readTable } from './tables.ts';
import { withoutRows } from './headless-rows.ts';

/** `kubectl get` in any output format. */
export function readGet(command: Command, all: readonly Line[], namespace: string | undefined, reading: Reading): void {
  if (flagOf(command, 'raw') !== undefined) return;
  const output = withoutLog(all, logBehindTable(all), reading);
  const { errors, rest } = splitErrors(output);
  const format = (flagOf(command, 'o', 'output') ?? '').split('=')[0] ?? '';
  const everywhere = hasFlag(command, 'A', 'all-namespaces');
  const scope = everywhere ? undefined : namespace;
  const isDocument = format === 'yaml' || format === 'json';
  const whole =
    command.reshaped || (command.filtered && isDocument)
      ? readReshaped('the output was piped through another program', command, rest, scope, reading)
      : readFormat(format, command, rest, scope, reading);
  tellErrors(errors, command, scope, reading);
  tellCollected(command, readErrors(errors, scope), whole && rest.length > 0, reading);
}

/** Reads the log that stands behind the output of a command, and gives that output. */
function withoutLog(output: readonly Line[], log: number | undefined, reading: Reading): readonly Line[] {
  if (log === undefined) return output;
  readLoosely(output.slice(log), reading, undefined, { intro: 'log' });
  return output.slice(0, log);
}

/** Whether all of the output was read. */
function readFormat(format: string, command: Command, lines: readonly Line[], namespace: string | undefined, reading: Reading): boolean {
  switch (format) {
    case '':
    case 'wide':
      return readTables(command, lines, namespace, reading);
    case 'yaml':
    case 'json':
      return (
        readObjects(lines, flagOf(command, 'n', 'namespace'), reading) ??
        readReshaped('no object is whole', command, lines, namespace, reading)
      );
    case 'name':
      return readNames(command, lines, namespace, reading);
    case 'custom-columns':
      return readCustom(command, lines, namespace, reading);
    default:
      return readReshaped(`output format ${format}`, command, lines, namespace, reading);
  }
}

/** Columns that a person chose: known are those of events. */
function readCustom(command: Command, lines: readonly Line[], namespace: string | undefined, reading: Reading): false {
  const [kind] = namedBy(command.args).kinds;
  const spec = (flagOf(command, 'o', 'output') ?? '').replace(/^custom-columns=/, '');
  const table = kind === 'Event' ? customEvents(spec, lines) : undefined;
  const { read } = table === undefined ? { read: [] } : tableEvents(table, namespace, reading.at);
  for (const event of read) reading.gathering.see(event, 'table');
  return read.length > 0 ? false : readReshaped('output format custom-columns', command, lines, namespace, reading);
}

/** What jq, awk or a template made of objects: lines that may tell something of the object that the command names. */
function readReshaped(why: string, command: Command, lines: readonly Line[], namespace: string | undefined, reading: Reading): false {
  const { gathering } = reading;
  const [first] = lines;
  const seen = (): number => gathering.sightings.length + gathering.events.length + gathering.logs.length;
  const before = seen();
  readPieces(lines, reading, askedFor(command, namespace));
  if (first !== undefined && seen() === before) gathering.note(first.number, `not read: ${why}`);
  return false;
}

export function readDescribes(command: Command, all: readonly Line[], namespace: string | undefined, reading: Reading): void {
  const output = withoutLog(all, logBehindDescribe(all), reading);
  const { errors, rest } = splitServerErrors(output);
  const everywhere = hasFlag(command, 'A', 'all-namespaces');
  const { kinds } = namedBy(command.args);
  const [kind] = kinds;
  const chunks = describesIn(rest);
  let whole = chunks.length > 0;
  for (const lines of chunks)
    whole =
      tellDescribe(
        lines,
        kinds.length === 1 ? kind : undefined,
        everywhere ? undefined : namespace,
        namespace === undefined && !everywhere,
        reading,
      ) && whole;
  const known = chunks[0]?.[0]?.number ?? Number.POSITIVE_INFINITY;
  const before = rest.filter(({ number }) => number < known);
  // Of what went through grep only parts are left.
  const readRest = chunks.length === 0 ? readPieces : readLeftovers;
  if (before.some(({ text }) => text.trim() !== '')) readRest(before, reading, askedFor(command, namespace));
  tellErrors(errors, command, everywhere ? undefined : namespace, reading);
  tellCollected(command, readErrors(errors, namespace), whole, reading);
}

/** The one object that a command names. */
export function askedFor(command: Command, namespace: string | undefined): ObjectRef | undefined {
  const { kinds, objects } = namedBy(command.args);
  const [first, ...more] = objects;
  if (first === undefined) return kinds.length === 1 && kinds[0] !== undefined ? unnamed(kinds[0]) : undefined;
  if (more.length > 0) return undefined;
  const scoped = resourceOfKind(first.kind)?.namespaced === false ? undefined : namespace;
  return NAMES.test(first.name)
    ? { kind: first.kind, ...(scoped === undefined ? {} : { namespace: scoped }), name: first.name }
    : unnamed(first.kind);
}

/** What people write where a name should not be read: `<pod>`, `$POD`. */
const NAMES = /^[a-z0-9][a-z0-9.-]{0,252}$/;

/** `kubectl events`, whose tables are those of `get events`. */
export function readEvents(command: Command, output: readonly Line[], namespace: string | undefined, reading: Reading): void {
  const { errors, rest } = splitErrors(output);
  const scope = hasFlag(command, 'A', 'all-namespaces') ? undefined : namespace;
  const about = flagOf(command, 'for');
  const whole = readEventLines(rest, scope, reading) && (rest.length > 0 || errors.some(({ text }) => text.startsWith('No events found')));
  tellErrors(errors, command, scope, reading);
  if (whole && !command.filtered && !command.reshaped && about === undefined && !hasFlag(command, 'types'))
    collectList(command, 'Event', reading);
  else reading.gathering.collect({ ...scopeOf(command, 'Event'), complete: false });
}

/** Whether every line was an event. */
function readEventLines(lines: readonly Line[], namespace: string | undefined, reading: Reading): boolean {
  const { gathering, at } = reading;
  const header = lines.findIndex(({ text }) => isHeader(text));
  const left: Line[] = [];
  for (const line of header < 0 ? lines : lines.slice(0, header)) {
    const event = headlessEvent(line, namespace, at);
    if (event !== undefined) gathering.see(event, 'table');
    else if (line.text.trim() !== '') left.push(line);
  }
  if (header < 0) return readRest(left, reading);
  const { table, next } = readTable(lines, header);
  const events = tableEvents(table, namespace, at);
  for (const event of events.read) gathering.see(event, 'table');
  const unread = new Set(events.unread);
  return readRest([...left, ...lines.filter(({ number }, index) => index >= next || unread.has(number))], reading);
}

/** Reads lines that are in no table; whether there are none. */
function readRest(lines: readonly Line[], reading: Reading): boolean {
  readLeftovers(lines, reading);
  return lines.every(({ text }) => text.trim() === '');
}

/** Whether every line was read: rows without a title line are not. */
function readTables(command: Command, lines: readonly Line[], namespace: string | undefined, reading: Reading): boolean {
  const { kinds } = namedBy(command.args);
  let whole = true;
  const left: Line[] = [];
  if (kinds.length === 1 && kinds[0] === 'Event') return readEventLines(lines, namespace, reading);
  for (let index = 0; index < lines.length;) {
    const line = lines[index];
    if (line !== undefined && isHeader(line.text)) {
      const { next } = readTable(lines, index);
      whole = readOneTable(kinds, lines.slice(index, next), namespace, reading) && whole;
      index = next;
      continue;
    }
    if (line !== undefined && line.text.trim() !== '') {
      if (left.length === 0) reading.gathering.note(line.number, `table row without a header: ${line.text.slice(0, 120)}`);
      left.push(line);
    }
    index++;
  }
  return readRest(withoutRows(left, namespace, reading, true), reading) && left.length === 0 && whole;
}

/** Whether every row was read. Beside other kinds a list of events is known by its titles. */
function readOneTable(kinds: readonly string[], lines: readonly Line[], namespace: string | undefined, reading: Reading): boolean {
  const { table } = readTable(lines, 0);
  if (kindOfTable(table) === 'Event') return readEventLines(lines, namespace, reading);
  const objects = tableObjects(table, kinds.length === 1 ? kinds[0] : undefined, namespace, reading.at);
  for (const { object } of objects) reading.gathering.see(object, 'table');
  if (objects.length === 0) readReasons(kinds, table, lines.slice(1), reading);
  else readLeftovers(linesBeside(objects, lines.slice(1)), reading);
  return objects.length === table.rows.length;
}

/** Custom resources whose kind nobody knows here may still tell why they are not ready. */
function readReasons(kinds: readonly string[], table: Table, rows: readonly Line[], reading: Reading): void {
  if (kinds.length === 0 && tellsReasons(table)) readLeftovers(rows, reading);
}

/** Whether the text was read to its end, and did not break off. */
/** Undefined where a person left only a part of an object. */
function readObjects(lines: readonly Line[], namespace: string | undefined, reading: Reading): boolean | undefined {
  if (lines.length === 0) return false;
  const { objects, cut, error } = readDocuments(lines, reading.name);
  if (objects.length === 0 && isPart(lines)) return undefined;
  for (const object of objects) {
    reading.gathering.see(object, 'whole');
    if (namespace === undefined && object.metadata.namespace !== undefined && objects.length === 1)
      reading.gathering.useContext(object.metadata.namespace);
  }
  if (error !== undefined) reading.gathering.note(error.line, error.message);
  return !cut;
}

/** An empty list is none. */
function isPart(lines: readonly Line[]): boolean {
  return !lines.slice(0, 4).some(({ text }) => /^\s{0,8}"?(?:items|kind)"?: /.test(text));
}

/** `pod/web-1`, one to a line. */
function readNames(command: Command, lines: readonly Line[], namespace: string | undefined, { gathering }: Reading): boolean {
  const everywhere = hasFlag(command, 'A', 'all-namespaces');
  let whole = true;
  for (const { text } of lines) {
    const [, word = '', name] = /^([a-z][\w.-]*)\/(\S+)$/.exec(text.trim()) ?? [];
    const kind = resourceNamed(word)?.kind;
    if (kind === undefined || name === undefined || (everywhere && resourceOfKind(kind)?.namespaced === true)) whole = false;
    else gathering.see(new Draft(kind, name, namespace).build(), 'table');
  }
  return whole;
}

/** Takes in what kubectl said did not exist, was refused, or could not be answered. */
export function tellErrors(errors: readonly Line[], command: Command, namespace: string | undefined, { gathering }: Reading): void {
  const { absent, refused, unanswered, unserved } = readErrors(errors, namespace);
  for (const ref of absent) gathering.miss(ref);
  for (const refusal of refused) gathering.refuse(refusal);
  const { kinds } = namedBy(command.args);
  const reads = command.verb === 'get' || command.verb === 'describe';
  for (const kind of kinds) {
    if (unanswered !== undefined && reads)
      gathering.refuse({ kind, ...(namespace === undefined ? {} : { namespace }), why: 'failed', detail: unanswered });
  }
  for (const word of unserved) {
    const kind = resourceNamed(word)?.kind;
    if (kind !== undefined) gathering.collect({ kind, complete: true });
  }
}

/**
 * A list command shows all there is of its kinds in its scope, unless something took lines away or refused. Silence is no empty list:
 * kubectl says so.
 */
function tellCollected(command: Command, errors: ReturnType<typeof readErrors>, whole: boolean, reading: Reading): void {
  const { kinds, objects } = namedBy(command.args);
  if (objects.length > 0 || errors.unanswered !== undefined) return;
  if (errors.emptyNamespace !== undefined && flagOf(command, 'n', 'namespace') === undefined)
    reading.gathering.useContext(errors.emptyNamespace);
  for (const kind of kinds) {
    if (errors.refused.some((refusal) => refusal.kind === kind) || errors.unserved.some((word) => resourceNamed(word)?.kind === kind))
      continue;
    if (!command.filtered && !command.reshaped && (whole || errors.nothing)) collectList(command, kind, reading);
    else reading.gathering.collect({ ...scopeOf(command, kind), complete: false });
  }
}

function collectList(command: Command, kind: string, { gathering }: Reading): void {
  const [labelSelector, fieldSelector] = [flagOf(command, 'l', 'selector'), flagOf(command, 'field-selector')];
  gathering.collect({
    ...scopeOf(command, kind),
    complete: true,
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  });
}

/** Where the namespace was left to the context it stays open here: an empty text, filled in once it is known. */
function scopeOf(command: Command, kind: string): { readonly kind: string; readonly namespace?: string } {
  if (hasFlag(command, 'A', 'all-namespaces') || resourceOfKind(kind)?.namespaced === false) return { kind };
  return { kind, namespace: flagOf(command, 'n', 'namespace') ?? '' };
}
