import { append } from '../../../base/lists.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import type { Line } from '../clean-lines.ts';
import { Draft } from '../draft.ts';
import { INFORMS } from '../quoted-words.ts';
import type { Reading } from '../reading.ts';
import type { CodeBlock } from '../code-block.ts';
import { asAnswer } from './answer-text.ts';
import type { EventRow } from './event-row.ts';
import { eventInLog } from './event-in-log.ts';
import { eventRow } from './event-row.ts';
import type { Unframed } from './log-frame.ts';
import { unframed } from './log-frame.ts';
import type { Named } from './named-objects.ts';
import type { LooseEvent } from './loose-events.ts';
import { isHeading, seeEvents, underHeadings, withoutOver } from './loose-events.ts';
import { mentionsIn } from './mentions.ts';
import { namedIn, podNamed } from './named-objects.ts';
import { withoutObjectParts } from './object-part.ts';
import { oldestFirst } from './newest-first.ts';
import { isLayout, passages } from './passages.ts';
import type { FoundOpening, OpeningSearch } from './opening-search.ts';
import { unnamed } from './involved.ts';
import { podOfFields } from './labelled-fields.ts';
import { withoutPrefixed } from './prefixed-lines.ts';
import { isOfAnotherClient, isUnnamedServer, otherServer } from './other-server.ts';
import { linesCalledLog, programLines } from './program-lines.ts';
import type { Services } from './service-lines.ts';
import { toldState } from './told-states.ts';
import { addServiceLine, programsIn, seeServices } from './service-lines.ts';

/** If there are more lines, only the first and the last are read, and a note says so. */
const FIRST_LINES = 3000;
const LAST_LINES = 7000;

/** What is known of the lines around one. */
interface Context {
  /** Programs by the process that klog's header names. */
  readonly programs: ReadonlyMap<string, string>;
  readonly services: Services;
  /** Messages about the API server in the log of a service that may have ended for another reason. */
  readonly held: { readonly program: string; readonly output: string }[];
  /** Lines whose message was taken in otherwise than as an event. */
  readonly told: Set<number>;
  /** Lines of logs that stand alone. */
  readonly alone: number[];
  /** Lines that somebody calls a log. */
  readonly logged: ReadonlySet<number>;
}

/**
 * Reads lines that are part of no table, describe or document: rows of events in whatever layout, lines of logs, and messages of
 * components, alone or amid prose. They become events about the object that they or their surroundings name, answers, or lines of a
 * service. `about` is the object a command before them named. Gives what is none of these.
 */
export function readLeftovers(all: readonly Line[], reading: Reading, about?: ObjectRef, block?: CodeBlock): readonly Line[] {
  const lines = withoutPrefixed(boundedLines(all, reading), reading);
  const left: Line[] = [];
  const found: LooseEvent[] = [];
  const spoken = about ?? podOfCommand(lines);
  const rest = withoutFailedOpen(withoutObjectParts(lines, reading, spoken), reading);
  const context: Context = {
    programs: programsIn(rest),
    services: new Map(),
    held: [],
    told: new Set(),
    alone: [],
    logged: linesCalledLog(rest, block),
  };
  for (const { number, text } of rest) if (isLayout(text) || isHeading(text)) reading.gathering.explain(number, 'layout');
  for (const passage of passages(
    rest,
    (text) => saysSomething(text, reading.openings),
    (text) => saysSomething(text, reading.openings, true),
  )) {
    const { line, more } = passage;
    const outer = namedIn(line.text);
    // A text within a text names its pod between escaped quotation marks.
    const named = outer.pod === undefined && line.text.includes('\\"') ? { ...outer, ...namedIn(unframed(line.text).text) } : outer;
    mention(line.text, reading);
    const one = readPassage(line, named, context, reading);
    if (one === undefined) left.push(line);
    else {
      found.push(one);
      for (const number of more) reading.gathering.explain(number, 'goes on');
    }
  }
  seeServices(context.services, reading);
  const ended = new Set([...context.services.values()].flatMap((one) => (one.ended ? one.service : [])));
  for (const { program, output } of context.held) if (!ended.has(program)) answer(output, reading);
  const headings = rest.filter(({ text }) => isHeading(text));
  const ordered = oldestFirst(rest);
  const { shown, isOver } = withoutOver(found, left, ordered);
  const labelled = podOfFields(rest) ?? unnamed('Pod');
  for (const { events, about: own } of underHeadings(shown, headings, ordered !== rest))
    seeEvents(events, own === undefined ? spoken : listed(own, reading), labelled, reading);
  // Who logs what becomes of pods is no container of theirs, and neither are the other lines of that process.
  const reporters = new Set(found.flatMap(({ line, alone }) => (alone === true ? (unframed(line.text).pid ?? []) : [])));
  const taken = takeProgramLines(
    left.filter(({ number, text }) => !context.told.has(number) && !reporters.has(unframed(text).pid ?? '')),
    ordered,
    { about: spoken, block },
    reading,
  );
  takeConnections(
    left.filter(({ number }) => !taken.has(number)),
    context.alone,
    reading,
  );
  return left.filter((line) => !taken.has(line.number) && !isOver(line));
}

/**
 * With failurePolicy Ignore the API server only logs that it could not call a webhook: nothing was rejected. Source:
 * staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/{mutating,validating}/dispatcher.go.
 */
function withoutFailedOpen(lines: readonly Line[], { gathering }: Reading): readonly Line[] {
  return lines.filter(({ number, text }) => {
    const failsOpen = text.includes('Failed calling webhook, failing open ');
    if (failsOpen) gathering.explain(number, 'line of an API server log');
    return !failsOpen;
  });
}

/** A line of a log that stands alone is over where the program says below, in a line of its own, that it is connected. */
function takeConnections(left: readonly Line[], alone: readonly number[], { gathering }: Reading): void {
  const [since, log] = [alone.at(-1), gathering.logs.at(-1)];
  if (since === undefined || log === undefined) return;
  const told = left.filter(({ number, text }) => number > since && CONNECTED.test(text));
  for (const { number } of told) gathering.explain(number, 'line of a log');
  gathering.logs[gathering.logs.length - 1] = { ...log, lines: [...log.lines, ...told.map(({ text }) => text.trim())] };
}

const CONNECTED = /^\s{0,8}(?:\S{1,80} ){0,4}?connection (?:to|with) \S.{0,80}\bestablished\b/i;

/** A heading may call a pod by its workload: the only one of that workload that a list shows. */
function listed(pod: ObjectRef, { gathering: { sightings } }: Reading): ObjectRef {
  const names = new Set(sightings.flatMap(({ object: { kind, metadata } }) => (kind === 'Pod' ? [metadata.name] : [])));
  const of = [...names].filter((name) => name.startsWith(`${pod.name}-`));
  return names.has(pod.name) || of.length !== 1 ? pod : { ...pod, name: of[0] ?? pod.name };
}

function mention(text: string, { gathering }: Reading): void {
  const project = OF_PROJECT.exec(text)?.[1];
  if (project !== undefined) gathering.useContext(project);
  if (gathering.mentioned.length < MAX_MENTIONED) append(gathering.mentioned, mentionsIn(text));
}

/** The first line of `oc status`. */
const OF_PROJECT = /^\s{0,8}In project (?:.{1,200} \()?([a-z0-9][a-z0-9-]{0,62})\)? on server https?:/;
const MAX_MENTIONED = 1000;

/** Lines of logs that are also kept as texts by themselves. */
const MAX_LOG_TEXTS = 400;

/** What stands around lines: the object that is spoken of, and the block of code that they are. */
interface Around {
  readonly about: ObjectRef | undefined;
  readonly block: CodeBlock | undefined;
}

/** Takes in what programs wrote as the log of the pod that is spoken of. Gives the numbers of these lines. */
function takeProgramLines(
  left: readonly Line[],
  all: readonly Line[],
  { about, block: code }: Around,
  { gathering }: Reading,
): ReadonlySet<number> {
  const unread = new Set(left.map(({ number }) => number));
  const taken = new Set<number>();
  const block = programLines(all, ({ number }) => unread.has(number), code);
  if (block.length === 0) return taken;
  const told = block.map(({ text }) => unframed(text).pod).find((name) => name !== undefined);
  const pod = told === undefined ? (about?.kind === 'Pod' ? about : unnamed('Pod')) : podNamed(told);
  for (const { number, text } of block) {
    taken.add(number);
    gathering.explain(number, 'line of a log');
    // Whose words they are is a guess: rules may know them from elsewhere.
    if (gathering.looseTexts.length < MAX_LOG_TEXTS) gathering.looseTexts.push({ text: text.trim(), line: number });
  }
  const { name, namespace } = pod;
  const lines = block.map(({ text }) => text);
  gathering.logs.push({
    of: { by: 'pod', pod: name },
    ...(namespace === undefined ? {} : { namespace }),
    all: false,
    previous: false,
    lines,
    filtered: true,
    segment: gathering.segment,
  });
  return taken;
}

function boundedLines(all: readonly Line[], { gathering }: Reading): readonly Line[] {
  const over = all.length - FIRST_LINES - LAST_LINES;
  if (over <= 0) return all;
  gathering.note(all[FIRST_LINES]?.number ?? 0, `too many lines without a command: the ${over} lines from here were not read`);
  return [...all.slice(0, FIRST_LINES), ...all.slice(-LAST_LINES)];
}

/** The pod that a command names, also when the command stands within a sentence. */
export function podOfCommand(lines: readonly Line[]): ObjectRef | undefined {
  for (const { text } of lines) if (/\b(?:kubectl|oc|k) .{0,100}(?:describe|logs?|get) /.test(text)) return namedIn(text).pod;
  return undefined;
}

/** Whether a line that begins like an error of a client is the message of an event. */
export function isEventMessage(text: string, openings: OpeningSearch): boolean {
  return openings.in(text)?.opening.place === 'event';
}

/** `anew`: what may also be the rest of the line before does not count. */
function saysSomething(text: string, openings: OpeningSearch, anew = false): boolean {
  if (eventRow(text) !== undefined || eventInLog(text) !== undefined) return true;
  const opening = openings.in(unframed(text).text)?.opening;
  return opening !== undefined && !(anew && opening.within === true);
}

function readPassage(line: Line, named: Named, context: Context, reading: Reading): LooseEvent | undefined {
  const row = eventRow(line.text) ?? eventInLog(line.text);
  if (row !== undefined) {
    reading.gathering.explain(line.number, `event ${row.reason}`);
    return { line, row: withInner(row, reading.openings), named: namedIn(row.message) };
  }
  const state = toldState(line.text);
  if (state !== undefined) {
    seeState(state, line, reading);
    context.told.add(line.number);
  }
  const frame = unframed(line.text);
  const found = reading.openings.in(frame.text);
  const ofVolume = found?.opening.place === 'event' && OF_VOLUMES.has(found.opening.reason);
  if (!ofVolume && addServiceLine(line, frame, context.programs, context.services)) {
    reading.gathering.explain(line.number, 'line of a service of a node');
    if (found === undefined) context.told.add(line.number);
  }
  if (found === undefined) return undefined;
  if (found.opening.place === 'event') return eventAlone(line, named, frame, found, reading);
  if (found.opening.place === 'answer' && isOfAnother(line, frame, context)) return undefined;
  tell(line, frame, context);
  if (found.opening.place === 'answer') takeAnswer(line, frame, found, context, reading);
  else if (found.opening.place === 'condition') takeCondition(line, frame, found, reading);
  else {
    context.alone.push(line.number);
    takeLogLine(line, named, frame, found, reading);
  }
  return undefined;
}

const OF_WEBHOOK =
  /\bfailed calling (?:admission )?webhook "|\bconversion webhook for .{1,300} failed: |\badmission webhook "[^"]{1,253}" denied the request/i;

/**
 * Whether an answer is not that of the API server to a client: what a program was answered is its own trouble. Of a webhook only
 * the API server tells.
 */
function isOfAnother({ number, text: line }: Line, { text, isLog, pid }: Unframed, { logged }: Context): boolean {
  if (OF_WEBHOOK.test(text)) return false;
  if (isOfAnotherClient(line)) return true;
  return otherServer(text) !== undefined || isUnnamedServer(text) || ((!isLog || pid === '1') && logged.has(number));
}

/**
 * What a controller that lists and watches is answered in its container is a line of the log of that container, too. Source:
 * k8s.io/client-go tools/cache/reflector.go.
 */
function tell({ number, text }: Line, { pid }: Unframed, { told }: Context): void {
  if (pid !== '1' || !/ reflector\.go:\d{1,6}\] /.test(text)) told.add(number);
}

function seeState(state: KubeObject, { number }: Line, { gathering }: Reading): void {
  gathering.explain(number, `state of ${state.kind} ${state.metadata.name}`);
  gathering.see(state, 'table');
  gathering.collect({ kind: state.kind, namespace: '', complete: false });
}

function takeAnswer(line: Line, { program, isLog }: Unframed, { text }: FoundOpening, { held }: Context, reading: Reading): void {
  const { number } = line;
  if (program === 'kubelet') return;
  const namespace = isLog || line.text.includes('\t{"') || line.text.includes(' {"') ? LOGGED_NAMESPACE.exec(line.text)?.[1] : undefined;
  reading.gathering.explain(number, 'answer of the API server');
  if (program === undefined) answer(asAnswer(text), reading, namespace);
  else held.push({ program, output: asAnswer(text) });
}

/** A controller logs the namespace of what it was refused as a field of the line. */
const LOGGED_NAMESPACE = /(?:\snamespace="?|"namespace": ?")([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?=["\s]|$)/;

function answer(output: string, { gathering }: Reading, namespace?: string): void {
  const command = namespace === undefined ? 'kubectl' : `kubectl -n ${namespace}`;
  gathering.answers.push({ command, verb: '', output, order: gathering.answers.length });
}

function takeCondition({ number }: Line, { host, text }: Unframed, found: FoundOpening, { gathering }: Reading): void {
  gathering.explain(number, 'condition of a node');
  // The kubelet logs a condition as Go prints it.
  const message = text.includes('{Type:Ready ') ? found.message.replace(/\}$/, '') : found.message;
  const draft = new Draft('Node', host ?? '<node>', undefined).set('status.conditions', [
    { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message },
  ]);
  gathering.see(draft.covers('status.conditions.type', 'status.conditions.status').build(), 'table');
}

function takeLogLine({ number }: Line, named: Named, frame: Unframed, { text }: FoundOpening, { gathering }: Reading): void {
  gathering.explain(number, 'line of a log');
  const pod = frame.pod === undefined ? (named.pod ?? unnamed('Pod')) : podNamed(frame.pod);
  gathering.logs.push({
    of: { by: 'pod', pod: pod.name },
    ...(pod.namespace === undefined ? {} : { namespace: pod.namespace }),
    all: false,
    previous: false,
    lines: [text.startsWith('Error: ') ? text : `Error: ${text}`],
    filtered: true,
    segment: gathering.segment,
  });
}

/** The event that a message stands in; what is quoted within the words of a line that only informs, and of nobody's pod, is none. */
function eventAlone(
  line: Line,
  named: Named,
  frame: Unframed,
  { opening, message, index }: FoundOpening,
  { gathering }: Reading,
): LooseEvent | undefined {
  if (index > 0 && named.pod === undefined && frame.pod === undefined && INFORMS.test(line.text)) return undefined;
  const { reason, component } = opening;
  gathering.explain(line.number, `message of an event ${reason}`);
  const host = frame.host ?? named.node;
  const source = component === 'kubelet' && host !== undefined ? `kubelet, ${host}` : component === 'controller' ? '' : component;
  const pod = frame.pod === undefined ? undefined : podNamed(frame.pod);
  return {
    line,
    row: { type: 'Warning', reason, message: withoutDetail(message), age: '', source, ...(pod === undefined ? {} : { about: pod }) },
    named: { ...named, ...(frame.container === undefined ? {} : { container: frame.container }) },
    alone: true,
  };
}

/** What fails with a volume is about the pod that uses it, not about the service of the node that logs it. */
const OF_VOLUMES: ReadonlySet<string> = new Set(['FailedMount', 'FailedMapVolume', 'FailedAttachVolume']);

/**
 * Logs tell more of a volume than events do: its unique name, the pod and the node. Source: pkg/volume/util/types (GenerateMsg),
 * pkg/kubelet/volumemanager/cache.
 */
const VOLUME_DETAIL =
  /( for volume "[^"]{1,300}") \(UniqueName: "[^"]{1,600}"\)(?: pod "[^"]{1,300}" \(UID: "[^"]{0,100}"\)| from node "[^"]{1,300}")?(?: (?=: )|[ "]{0,3}$)/;

function withoutDetail(message: string): string {
  return message.slice(0, 4000).replace(VOLUME_DETAIL, '$1 ') + message.slice(4000);
}

/** Before 1.9 the kubelet recorded the same event for every reason that kept it from syncing a pod. The message has the reason. */
function withInner(row: EventRow, openings: OpeningSearch): EventRow {
  const found = row.reason === 'FailedSync' ? openings.in(row.message) : undefined;
  return found?.opening.place === 'event' ? { ...row, reason: found.opening.reason, message: found.message } : row;
}
