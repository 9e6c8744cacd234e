import { textFields } from '../../base/parsed-json.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { isLogEntry } from '../snapshot/recognise.ts';
import type { Line } from './clean-lines.ts';
import { beginsDescribe } from './describe/describe.ts';
import { kindOfHeadless, mayGoOnDescribe } from './describe/headless.ts';
import { indentOf } from './describe/sections.ts';
import { withoutResults } from './loose/ansible-result.ts';
import { withoutExport } from './loose/exported-log.ts';
import { documentAt } from './loose/document-piece.ts';
import { readErrors } from './error-lines.ts';
import { isEventMessage, readLeftovers, podOfCommand } from './loose/leftovers.ts';
import { mentionsIn } from './loose/mentions.ts';
import { conditionLines, withHead } from './loose/node-conditions.ts';
import { objectPartAt } from './loose/object-part.ts';
import { withoutPython } from './loose/python-object.ts';
import { headlessEvent, tableEvents } from './events.ts';
import { journalHost, readStatus, statusHeadEnd } from './node-service.ts';
import { withoutRows } from './headless-rows.ts';
import { isLogBehindEvents } from './log-behind.ts';
import { podOfHeading } from './loose/loose-events.ts';
import { podOfOwnEvent } from './loose/named-objects.ts';
import { linesCalledLog, tellsErrno } from './loose/program-lines.ts';
import { foundOver } from './loose/service-lines.ts';
import type { OpeningSearch } from './loose/opening-search.ts';
import { toldState } from './loose/told-states.ts';
import { unnamed } from './loose/involved.ts';
import { tellDescribe } from './tell-describe.ts';
import type { Reading } from './reading.ts';
import type { CodeBlock } from './code-block.ts';
import { kindOfTable, linesBeside, tableObjects, tellsReasons } from './table-objects.ts';
import { isHeader, readTable } from './tables.ts';

/** Text without a command: finds the describes, tables, documents and error messages in it, and reads the rest line by line. */
export function readLoosely(lines: readonly Line[], reading: Reading, about?: ObjectRef, block?: CodeBlock): void {
  for (const line of readPieces(lines, reading, about, block)) keep(line, reading);
}

/** The same, but that it gives the lines which are part of nothing. */
export function readPieces(printed: readonly Line[], reading: Reading, about?: ObjectRef, block?: CodeBlock): readonly Line[] {
  const lines = withoutPython(withoutExport(withoutResults(printed), reading));
  const left: Line[] = [];
  const spoken = about ?? podOfCommand(lines);
  const levels: Levels = new Map([[0, lines]]);
  const logged = linesCalledLog(lines, block);
  const headings = lines.map(({ text }) => podOfHeading(text));
  const areSeveral = headings.filter((pod) => pod !== undefined).length > 1;
  let under = spoken;
  for (let index = 0; index < lines.length;) {
    if (areSeveral) under = headings[index] ?? under;
    const next = pieceAt(lines, index, { reading, about: under, levels, logged });
    const line = lines[index];
    if (next === undefined && line !== undefined) left.push(line);
    for (const { number } of lines.slice(index, next ?? index)) reading.gathering.explain(number, pieceNamed(line?.text.trim() ?? ''));
    index = next ?? index + 1;
  }
  return readLeftovers(withoutRows(left, undefined, reading), reading, spoken, block);
}

/** What a piece is that begins with this line. */
function pieceNamed(first: string): string {
  if (first.startsWith('Name:')) return 'describe';
  if (isHeader(first)) return 'table';
  if (/^(?:Error|error|Unable|The |No resources)/.test(first)) return 'answer of the API server';
  return /^(?:State|Last State):/.test(first) ? 'state of a container' : 'part of an object';
}

/** Lines that are kept though they are part of nothing, and characters of each: rules may know their wording. */
const LOOSE_LINES = 2000;
const LOOSE_LENGTH = 4000;

function keep({ text, number }: Line, { gathering }: Reading): void {
  const trimmed = text.trim();
  if (gathering.looseTexts.length < 3 && !gathering.isExplained(number)) gathering.note(number, `unknown line: ${trimmed.slice(0, 120)}`);
  if (gathering.looseTexts.length < LOOSE_LINES) gathering.looseTexts.push({ text: trimmed.slice(0, LOOSE_LENGTH), line: number });
}

/**
 * All lines without their first so many blanks, for each indentation that was asked for: made once, for a describe may begin on each line.
 */
type Levels = Map<number, readonly Line[]>;

function atLevel(lines: readonly Line[], indent: number, levels: Levels): readonly Line[] {
  const known =
    levels.get(indent) ?? lines.map((line) => ({ number: line.number, text: line.text.slice(Math.min(indent, indentOf(line.text))) }));
  levels.set(indent, known);
  return known;
}

interface Around {
  readonly reading: Reading;
  readonly about: ObjectRef | undefined;
  readonly levels: Levels;
  /** Numbers of the lines that somebody calls a log. */
  readonly logged: ReadonlySet<number>;
}

/** Reads the piece that begins on a line; the line after it, or undefined when nothing known begins here. */
function pieceAt(lines: readonly Line[], index: number, { reading, about, levels, logged }: Around): number | undefined {
  const text = lines[index]?.text ?? '';
  const indent = indentOf(text);
  if (text.trim() === '' || indent > 40) return undefined;
  const part = objectPartAt(lines, index, reading, about);
  if (part !== undefined || indent > 12) return part;
  const bare = text.slice(indent);
  if (bare.startsWith('Name:')) return describeAt(lines, index, atLevel(lines, indent, levels), reading);
  const headless =
    conditionsAt(lines, index, about, reading) ??
    (mayGoOnDescribe(bare) && reading.gathering.mayTry()
      ? headlessAt(lines, index, atLevel(lines, indent, levels), { reading, about })
      : undefined);
  if (headless !== undefined) return headless;
  if (isHeader(text)) return tableAt(lines, index, reading);
  if (beginsDocument(bare)) return documentAt(lines, index, indent, reading);
  return saidAt(lines, index, reading, logged);
}

/** Reads what systemd, a client or a component said. */
function saidAt(lines: readonly Line[], index: number, reading: Reading, logged: Around['logged']): number | undefined {
  return serviceAt(lines, index, reading) ?? errorAt(lines, index, reading, logged) ?? eventAt(lines, index, reading);
}

/** Reads the status of a service of a node; its journal, which names the node, is read line by line as well. */
function serviceAt(lines: readonly Line[], index: number, { gathering, zoneMinutes }: Reading): number | undefined {
  const end = statusHeadEnd(lines, index);
  if (end === undefined) return undefined;
  const [status] = readStatus(lines.slice(index, end), [], zoneMinutes);
  const host = journalHost(lines.slice(end, end + JOURNAL_BEGINS));
  if (status !== undefined) gathering.services.push({ ...status, node: host ?? unnamed('Node').name });
  return end;
}

/** The journal begins below a blank line. */
const JOURNAL_BEGINS = 2;

/** In a log it is the program that begins so: kubectl itself does not, and Helm says what has failed. */
const IN_LOG = /^Error: (?!Error from server|[A-Z]{3,20} FAILED)/;

/** Whether a document may begin with a line; one entry of a log that is kept as JSON, also cut at its end, is none. */
function beginsDocument(bare: string): boolean {
  if (!/^(?:apiVersion|kind): \S|^---\s*$|^- apiVersion: \S|^[[{]\s*$|^\{"/.test(bare)) return false;
  if (isLogEntry(bare)) return false;
  const fields = bare.startsWith('{') && bare.endsWith('}') ? textFields(bare) : undefined;
  if (fields === undefined) return !bare.startsWith('{"') || OF_OBJECTS.test(bare);
  return fields.has('kind') || (FIELD_OF_OBJECTS.test(bare) && !['level', 'severity', 'lvl'].some((field) => fields.has(field)));
}

/** What parts of objects and of their statuses have; any other object on a line of its own is what somebody picked, or an entry of a log. */
const FIELD_OF_OBJECTS =
  /"(?:apiVersion|metadata|items|spec|status|data|type|reason|state|lastState|waiting|running|terminated|phase|conditions|containerStatuses|image)" ?:/;

/** The first field of an object, of a list and of what a watch gives. */
const OF_OBJECTS = /^\{"(?:apiVersion|kind|metadata|items|spec|status|data|type)" ?:/;

/** `rest` are the same lines without the indentation of the first of the describe. */
function describeAt(lines: readonly Line[], index: number, rest: readonly Line[], reading: Reading): number | undefined {
  const indent = indentOf(lines[index]?.text ?? '');
  if (!beginsDescribe(rest, index)) return undefined;
  const end = describeEnd(rest, index, (at) => isOutdented(lines[at], indent));
  tellDescribe(rest.slice(index, end), undefined, undefined, true, reading);
  return end;
}

/** Reads a describe whose first lines were cut off: of the object that is spoken of, or of one without a name. */
function headlessAt(
  lines: readonly Line[],
  index: number,
  rest: readonly Line[],
  { reading, about }: Pick<Around, 'reading' | 'about'>,
): number | undefined {
  const indent = indentOf(lines[index]?.text ?? '');
  const end = describeEnd(rest, index, (at) => isOutdented(lines[at], indent) || isFence(lines[at]));
  const body = rest.slice(index, end);
  const kind = kindOfHeadless(body);
  if (kind === undefined) return undefined;
  const { name, namespace } = about?.kind === kind ? about : ((kind === 'Pod' ? ownName(body) : undefined) ?? unnamed(kind));
  const number = body[0]?.number ?? 0;
  const head = [`Name:  ${name}`, ...(namespace === undefined ? [] : [`Namespace:  ${namespace}`])].map((text) => ({ number, text }));
  return tellDescribe([...head, ...body], kind, undefined, false, reading) ? end : undefined;
}

/** The name of a pod whose describe has lost it, as its events have it. */
function ownName(body: readonly Line[]): ObjectRef | undefined {
  for (const { text } of body) {
    const pod = podOfOwnEvent(text);
    if (pod !== undefined) return pod;
  }
  return undefined;
}

/** Reads conditions of a node that stand alone, or below its name. */
function conditionsAt(lines: readonly Line[], index: number, about: ObjectRef | undefined, reading: Reading): number | undefined {
  const found = conditionLines(lines, index);
  if (found.length === 0) return undefined;
  const above = lines.slice(Math.max(0, index - NAME_ABOVE), index).map(({ text }) => /^Name:\s{1,60}(\S{1,253})\s*$/.exec(text)?.[1]);
  const { name: spoken } = about?.kind === 'Node' ? about : unnamed('Node');
  const name = above.findLast((one) => one !== undefined) ?? spoken;
  tellDescribe(withHead(found, name), 'Node', undefined, false, reading);
  return index + found.length;
}

const NAME_ABOVE = 3;

/** The line after a describe, which ends before a line that `stops` it at the latest. */
function describeEnd(lines: readonly Line[], index: number, stops: (at: number) => boolean): number {
  let end = index + 1;
  for (let events = false; end < lines.length && !endsDescribe(lines, end, events) && !stops(end); end++)
    events ||= lines[end]?.text.startsWith('Events:') === true;
  return end;
}

function isFence(line: Line | undefined): boolean {
  return line !== undefined && /^\s*(?:`{3}|~{3})/.test(line.text);
}

/** Within a block of code everything has the block's indentation. */
function isOutdented(line: Line | undefined, indent: number): boolean {
  return line !== undefined && line.text.trim() !== '' && indentOf(line.text) < indent;
}

function endsDescribe(lines: readonly Line[], index: number, afterEvents: boolean): boolean {
  const text = lines[index]?.text ?? '';
  if (afterEvents && isLogBehindEvents(lines, index)) return true;
  if (lines[index - 1]?.text.trim() !== '') return false;
  if (afterEvents && text.trim() !== '' && indentOf(text) === 0) return true;
  return (
    beginsDescribe(lines, index) ||
    (isHeader(text) && /^(?:NAME|NAMESPACE|LAST SEEN)\s/.test(text)) ||
    /^(?:apiVersion: |Error from server)/.test(text)
  );
}

function tableAt(lines: readonly Line[], index: number, reading: Reading): number {
  const { gathering, at } = reading;
  const { table, next } = readTable(lines, index);
  const kind = kindOfTable(table);
  if (kind === 'Event') {
    const { read, unread } = tableEvents(table, undefined, at);
    for (const event of read) gathering.see(event, 'table');
    const numbers = new Set(unread);
    if (numbers.size > 0)
      readLeftovers(
        lines.slice(index, next).filter(({ number }) => numbers.has(number)),
        reading,
      );
    gathering.collect({ kind, namespace: '', complete: false });
    return next;
  }
  // What a screen says of an object may be the message of an event.
  if (table.columns.includes('HEALTH') || (kind === undefined && tellsReasons(table))) readLeftovers(lines.slice(index + 1, next), reading);
  if (kind === undefined) gathering.note(lines[index]?.number ?? 0, 'table of an unknown kind');
  else {
    const objects = tableObjects(table, undefined, undefined, at);
    for (const { object } of objects) gathering.see(object, 'table');
    readLeftovers(linesBeside(objects, lines.slice(index + 1, next)), reading);
  }
  if (kind !== undefined) gathering.collect({ kind, namespace: '', complete: false });
  return next;
}

function errorAt(lines: readonly Line[], index: number, { gathering, openings }: Reading, logged: Around['logged']): number | undefined {
  const line = lines[index];
  if (
    line === undefined ||
    !/^\s*(?:Error from server|error: |Error: |Unable to connect to the server|No resources found|The connection to the server|The \S+ "[^"]{0,253}" is invalid)/.test(
      line.text,
    )
  )
    return undefined;
  const { text, end: begun } = wholeList(lines, index);
  if (isAboutObject(text, openings) || isOfProgram(text, logged.has(line.number)) || isQuotedLog(lines, index)) return undefined;
  const { absent, refused } = readErrors([{ number: line.number, text }], undefined);
  for (const ref of absent) gathering.miss(ref);
  for (const refusal of refused) gathering.refuse(refusal);
  let end = begun;
  while (end < lines.length && GOES_ON.test(lines[end]?.text ?? '') && !isAboutObject(lines[end]?.text ?? '', openings, true)) end++;
  const output = [text, ...lines.slice(begun, end).map((one) => one.text.trim())].join('\n');
  gathering.answers.push({ command: 'kubectl', verb: '', output, order: gathering.answers.length });
  return end;
}

/** What minikube shows of the log of a component. Source: kubernetes/minikube pkg/minikube/logs (OutputProblems). */
function isQuotedLog(lines: readonly Line[], index: number): boolean {
  const indent = indentOf(lines[index]?.text ?? '');
  const above = lines.slice(Math.max(0, index - MAX_COMPLAINTS), index).findLast(({ text }) => indentOf(text) < indent);
  return above !== undefined && /\bProblems detected in /.test(above.text);
}

/** What is wrong with an object in one line, also where a person or Helm put each complaint on a line of its own, and the line behind it. */
function wholeList(lines: readonly Line[], index: number): { readonly text: string; readonly end: number } {
  let text = lines[index]?.text.trim() ?? '';
  let end = index + 1;
  for (; end - index < MAX_COMPLAINTS && isUnfinished(text); end++) {
    const next = lines[end]?.text.trim() ?? '';
    if (next === '' || GOES_ON.test(next)) break;
    text += ` ${next}`;
  }
  return { text, end };
}

const MAX_COMPLAINTS = 20;

function isUnfinished(text: string): boolean {
  return (text.endsWith(':') && text.includes('" is invalid:')) || (text.includes('" is invalid: [') && !text.endsWith(']'));
}

/** Whether another program than a client ends with these words. */
function isOfProgram(text: string, isLogged: boolean): boolean {
  // eksctl-io/eksctl pkg/actions/nodegroup, cmd/kubeadm/app/cmd/phases/init/waitcontrolplane.go
  if (/^(?:Error: timed out \(after |error: error execution phase wait-control-plane: )/.test(text)) return true;
  return /^error: /i.test(text) && ((isLogged && IN_LOG.test(text)) || tellsErrno(text) || foundOver(text) !== undefined);
}

/** Whether a line tells of an object in the cluster, and not what became of a request; `within` a list of errors it may only name its pod. */
function isAboutObject(text: string, openings: OpeningSearch, within = false): boolean {
  return isEventMessage(text, openings) || toldState(text) !== undefined || (within && mentionsIn(text).some(({ kind }) => kind === 'Pod'));
}

const GOES_ON = /^\s*(?:\*|\{APIGroups:|Resource: |Name: "|from server for: |for: )/;

function eventAt(lines: readonly Line[], index: number, { gathering, at }: Reading): number | undefined {
  const line = lines[index];
  const event = line === undefined ? undefined : headlessEvent(line, undefined, at);
  if (event === undefined) return undefined;
  gathering.see(event, 'table');
  gathering.collect({ kind: 'Event', namespace: '', complete: false });
  return index + 1;
}
