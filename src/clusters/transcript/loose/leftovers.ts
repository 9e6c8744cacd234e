import type { ObjectRef } from '../../../model/kube-object.ts';
import type { Line } from '../clean-lines.ts';
import type { PrintedEvent } from '../events.ts';
import { Draft } from '../draft.ts';
import { eventObject } from '../events.ts';
import type { Reading } from '../reading.ts';
import type { CodeBlock } from '../segments.ts';
import type { EventRow } from './event-row.ts';
import { eventInLog } from './event-in-log.ts';
import { eventRow } from './event-row.ts';
import type { Unframed } from './log-frame.ts';
import { unframed } from './log-frame.ts';
import type { Named } from './named-objects.ts';
import { namedIn } from './named-objects.ts';
import { isLayout, passages } from './passages.ts';
import type { FoundOpening, OpeningSearch } from './opening-search.ts';
import { involvedIn, unnamed } from './involved.ts';
import { programLines } from './program-lines.ts';
import { stateBlock } from './state-block.ts';
import { mayBeginFragment, statusFragment } from './status-fragment.ts';

/** If there are more lines, only the first and the last are read, and a note says so. */
const FIRST_LINES = 3000;
const LAST_LINES = 7000;

/** What is known of the lines around one. */
interface Context {
  /** Programs by the process that klog's header names. */
  readonly programs: ReadonlyMap<string, string>;
  readonly services: Services;
  /** Lines whose message was taken in otherwise than as an event. */
  readonly told: Set<number>;
}

/** Lines of the services of nodes. A service has ended when one of its lines says so. */
type Services = Map<string, { readonly node: string; readonly service: string; ended: boolean; readonly lines: string[] }>;

/** Lines that are kept of one service. */
const SERVICE_LINES = 200;

/** An event that was read from a line. */
interface Found {
  readonly line: Line;
  readonly row: EventRow;
  readonly named: Named;
  /** A message without its event. */
  readonly alone?: true;
}

/**
 * Reads lines that are part of no table, describe or document: rows of events in whatever layout, lines of logs, and messages of
 * components, alone or amid prose. They become events about the object that they or their surroundings name, answers, or lines of a
 * service. `about` is the object a command before them named. Gives what is none of these.
 */
export function readLeftovers(all: readonly Line[], reading: Reading, about?: ObjectRef, block?: CodeBlock): readonly Line[] {
  const lines = boundedLines(all, reading);
  const left: Line[] = [];
  const found: Found[] = [];
  const spoken = about ?? podOfCommand(lines);
  const rest = withoutBlocks(lines, reading, spoken);
  const context: Context = { programs: programsIn(rest), services: new Map(), told: new Set() };
  for (const { number, text } of rest) if (isLayout(text)) reading.gathering.explain(number, 'layout');
  for (const passage of passages(rest, (text) => saysSomething(text, reading.openings))) {
    const { line, more } = passage;
    const named = namedIn(line.text);
    const one = readPassage(line, named, context, reading);
    if (one === undefined) left.push(line);
    else {
      found.push(one);
      for (const number of more) reading.gathering.explain(number, 'goes on');
    }
  }
  for (const { node, service, ended, lines: said } of context.services.values()) {
    const state = ended ? { active: 'failed' } : { active: 'active', sub: 'running' };
    reading.gathering.services.push({ node, service, spec: { ...state, seen: 'journal' }, lines: said.slice(-SERVICE_LINES) });
  }
  for (const block of blocksOf(
    found,
    rest.filter(({ text }) => /^\s*Events:/.test(text)),
  ))
    seeEvents(block, spoken, reading);
  const taken = takeProgramLines(
    left.filter(({ number }) => !context.told.has(number)),
    rest,
    { about: spoken, block },
    reading,
  );
  return left.filter(({ number }) => !taken.has(number));
}

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

/**
 * Takes in the part of an object that begins on a line: the state of a container, a fragment of YAML or JSON. The line after it; undefined
 * when none begins.
 */
export function blockAt(lines: readonly Line[], index: number, { gathering }: Reading, about: ObjectRef | undefined): number | undefined {
  const pod = about?.kind === 'Pod' ? about : unnamed('Pod');
  const block = stateBlock(lines, index, pod);
  const fragment =
    block === undefined && mayBeginFragment(lines[index]?.text ?? '') && gathering.mayTry() ? statusFragment(lines, index, pod) : undefined;
  const found = block?.pod ?? fragment?.object;
  if (found === undefined) return undefined;
  gathering.see(found, 'table');
  gathering.collect({ kind: found.kind, namespace: '', complete: false });
  gathering.explain(lines[index]?.number ?? 0, block === undefined ? 'part of an object' : 'state of a container');
  return block?.next ?? fragment?.next;
}

function withoutBlocks(lines: readonly Line[], reading: Reading, about: ObjectRef | undefined): readonly Line[] {
  const rest: Line[] = [];
  for (let index = 0; index < lines.length;) {
    const next = blockAt(lines, index, reading, about);
    const line = lines[index];
    if (next === undefined && line !== undefined) rest.push(line);
    index = next ?? index + 1;
  }
  return rest;
}

/** Whether a line that begins like an error of a client is the message of an event. */
export function isEventMessage(text: string, openings: OpeningSearch): boolean {
  return openings.in(text)?.opening.place === 'event';
}

/** Programs by the process that klog's header names; the source file in the header often shows which program it is. */
function programsIn(lines: readonly Line[]): ReadonlyMap<string, string> {
  const programs = new Map<string, string>();
  for (const { text } of lines) {
    const { pid, program } = unframed(text);
    if (pid !== undefined && pid !== '1' && program !== undefined) programs.set(pid, program);
  }
  return programs;
}

function saysSomething(text: string, openings: OpeningSearch): boolean {
  return eventRow(text) !== undefined || eventInLog(text) !== undefined || openings.in(unframed(text).text) !== undefined;
}

function readPassage(line: Line, named: Named, context: Context, reading: Reading): Found | undefined {
  const row = eventRow(line.text) ?? eventInLog(line.text);
  if (row !== undefined) {
    reading.gathering.explain(line.number, `event ${row.reason}`);
    return { line, row: withInner(row, reading.openings), named: namedIn(row.message) };
  }
  const frame = unframed(line.text);
  const found = reading.openings.in(frame.text);
  if (found?.opening.place !== 'event' || !OF_VOLUMES.has(found.opening.reason))
    serviceLine(line, frame, context.programs, context.services);
  if (found === undefined) return undefined;
  if (found.opening.place === 'event') return eventAlone(line, named, frame, found, reading);
  context.told.add(line.number);
  if (found.opening.place === 'answer') takeAnswer(line, frame, found, reading);
  else if (found.opening.place === 'condition') takeCondition(line, frame, found, reading);
  else takeLogLine(line, named, frame, found, reading);
  return undefined;
}

function takeAnswer({ number }: Line, { program }: Unframed, { text }: FoundOpening, { gathering }: Reading): void {
  if (program === 'kubelet') return;
  gathering.explain(number, 'answer of the API server');
  gathering.answers.push({ command: 'kubectl', verb: '', output: asAnswer(text), order: gathering.answers.length });
}

function takeCondition({ number }: Line, { host }: Unframed, { message }: FoundOpening, { gathering }: Reading): void {
  gathering.explain(number, 'condition of a node');
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
    lines: [`Error: ${text}`],
    filtered: true,
    segment: gathering.segment,
  });
}

/** The event that a message stands in. */
function eventAlone(line: Line, named: Named, frame: Unframed, { opening, message }: FoundOpening, { gathering }: Reading): Found {
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
  /( for volume "[^"]{1,300}") \(UniqueName: "[^"]{1,600}"\)(?: pod "[^"]{1,300}" \(UID: "[^"]{0,100}"\)| from node "[^"]{1,300}")? (?=: )/;

function withoutDetail(message: string): string {
  return message.slice(0, 4000).replace(VOLUME_DETAIL, '$1 ') + message.slice(4000);
}

/** Before 1.9 the kubelet recorded the same event for every reason that kept it from syncing a pod. The message has the reason. */
function withInner(row: EventRow, openings: OpeningSearch): EventRow {
  const found = row.reason === 'FailedSync' ? openings.in(row.message) : undefined;
  return found?.opening.place === 'event' ? { ...row, reason: found.opening.reason, message: found.message } : row;
}

/**
 * What a client printed, without the prose before it. An answer of the API server gets the beginning that kubectl gives it. Source:
 * staging/src/k8s.io/kubectl/pkg/cmd/util/helpers.go.
 */
function asAnswer(text: string): string {
  const begun =
    /(?:Error from server|Unable to connect to the server: |The connection to the server |[Ee]rror: (?!code))[^]*/.exec(text)?.[0] ?? text;
  const bare = begun.replace(/^[Ee]rror: (?:[A-Z][A-Z ]{3,40}: )?/, '');
  if (/^(?:Error from server|Unable to connect|The connection)/.test(bare)) return bare;
  if (OF_SERVER.test(bare)) return `Error from server: ${bare}`;
  const client = /error validating ".*/.exec(bare)?.[0] ?? bare;
  return `error: ${client}`;
}

/** Words that only the API server uses. */
const OF_SERVER =
  /is forbidden: |Internal error occurred|admission webhook "|failed calling (?:admission )?webhook|" is invalid: |cannot \w{1,12} resource "|etcdserver: |please apply your changes|being terminated|cannot be handled as a|already exists/;

/** Collects lines of the kubelet and of other services of a node. They say something about the node, whichever pod they are about. */
function serviceLine(
  { text }: Line,
  { host, program: own, pid, isLog }: Unframed,
  programs: ReadonlyMap<string, string>,
  services: Services,
): void {
  const inspected = INSPECTED.exec(text)?.[1];
  if (inspected !== undefined)
    services.set(`<node> ${inspected}`, { node: '<node>', service: SNAPS[inspected] ?? inspected, ended: true, lines: [text.trim()] });
  const program = own ?? programs.get(pid ?? '');
  if (!isLog || program === undefined || !SERVICES.has(program)) return;
  const node = host ?? '<node>';
  const key = `${node} ${program}`;
  const known = services.get(key) ?? { node, service: program, ended: false, lines: [] };
  services.set(key, known);
  known.ended ||= ENDS.test(text);
  known.lines.push(text.trim());
  if (known.lines.length > 2 * SERVICE_LINES) known.lines.splice(0, SERVICE_LINES);
}

const SERVICES: ReadonlySet<string> = new Set([
  'kubelet',
  'containerd',
  'crio',
  'dockerd',
  'docker',
  'kube-proxy',
  'k3s',
  'etcd',
  'kube-scheduler',
]);

/** What `microk8s inspect` says of a service that has ended. Source: canonical/microk8s scripts/inspect.sh. */
const INSPECTED = /\bService snap\.microk8s\.daemon-(kubelite|kubelet|containerd|proxy) is not running/;
/** The services by the names they have elsewhere; kubelite is the kubelet and all other components of Kubernetes in one process. */
const SNAPS: Readonly<Record<string, string>> = { kubelite: 'kubelet', proxy: 'kube-proxy' };

/** What systemd and the program itself log when the program ends. */
const ENDS = /main process exited|Main process exited|Failed with result|failed to run Kubelet|"command failed"/;

function podNamed(text: string): ObjectRef {
  const slash = text.indexOf('/');
  return slash < 0 ? { kind: 'Pod', name: text } : { kind: 'Pod', namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** Each heading begins the events of another object. */
function blocksOf(found: readonly Found[], headings: readonly Line[]): readonly (readonly Found[])[] {
  const blocks: Found[][] = [[]];
  let next = 0;
  for (const one of found) {
    for (; next < headings.length && (headings[next]?.number ?? 0) <= one.line.number; next++) blocks.push([]);
    blocks.at(-1)?.push(one);
  }
  return blocks;
}

/** Adds the events. Rows that name no object are about the pod that another row names, or about a pod without a name. */
function seeEvents(found: readonly Found[], about: ObjectRef | undefined, { gathering, at }: Reading): void {
  if (found.length === 0) return;
  const pod =
    about?.kind === 'Pod'
      ? about
      : (found.find(({ row }) => row.about?.kind === 'Pod')?.row.about ??
        found.find(({ named }) => named.pod !== undefined)?.named.pod ??
        unnamed('Pod'));
  const containers = new Set(found.flatMap(({ named }) => named.container ?? []));
  const only = containers.size === 1 ? [...containers][0] : '<container>';
  for (const { line, row, named, alone } of found) {
    const involved = row.about ?? involvedIn(row, named, about, pod);
    const container = named.container ?? (OF_CONTAINERS.has(row.reason) ? only : undefined);
    const fieldPath = row.fieldPath ?? (container === undefined || involved.kind !== 'Pod' ? undefined : `spec.containers{${container}}`);
    const printed: PrintedEvent = {
      ...row,
      about: withNamespace(involved, named),
      at,
      ...(fieldPath === undefined ? {} : { fieldPath }),
      ...(alone === undefined ? {} : { alone }),
    };
    gathering.see(eventObject(printed, line.number), 'table');
  }
  gathering.collect({ kind: 'Event', namespace: '', complete: false });
}

/** Reasons of events that are about one container of their pod. */
const OF_CONTAINERS: ReadonlySet<string> = new Set([
  'Unhealthy',
  'BackOff',
  'Failed',
  'Killing',
  'Created',
  'Started',
  'ErrImageNeverPull',
  'InspectFailed',
  'FailedPostStartHook',
]);

function withNamespace(involved: ObjectRef, { pod }: Named): ObjectRef {
  const same = pod?.namespace !== undefined && involved.namespace === undefined && involved.kind === 'Pod' && involved.name === pod.name;
  return same ? pod : involved;
}
