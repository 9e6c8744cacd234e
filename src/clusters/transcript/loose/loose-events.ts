import { withoutUndefined } from '../../../base/without-undefined.ts';
import type { ObjectRef } from '../../../model/kube-object.ts';
import type { Line } from '../clean-lines.ts';
import type { PrintedEvent } from '../events.ts';
import { eventObject } from '../events.ts';
import type { Reading } from '../reading.ts';
import type { EventRow } from './event-row.ts';
import { unframed } from './log-frame.ts';
import { claimIn, involvedIn, unnamed } from './involved.ts';
import type { Named } from './named-objects.ts';
import { inOwnNamespace, namedIn, podNamed } from './named-objects.ts';

/** An event that was read from a line. */
export interface LooseEvent {
  readonly line: Line;
  readonly row: EventRow;
  readonly named: Named;
  /** A message without its event. */
  readonly alone?: true;
}

/**
 * The events that still hold, for no later line says that it came about, and whether a line is over: a driver logged it of a volume
 * before it mounted that, for the same pod, or for any where the line about that was cut. `lines` are all lines, oldest first.
 */
export function withoutOver(
  events: readonly LooseEvent[],
  left: readonly Line[],
  lines: readonly Line[],
): { readonly shown: readonly LooseEvent[]; readonly isOver: (line: Line) => boolean } {
  const open = withoutEnded(events, lines);
  const mounted = open.findLast(({ alone, row }) => alone === true && row.reason === 'SuccessfulMountVolume');
  if (mounted === undefined) return { shown: open, isOver: () => false };
  const pod = mounted.row.about?.name ?? '';
  const isOver = ({ number, text }: Line): boolean => number <= mounted.line.number && text.includes(pod) && unframed(text).isLog;
  const still = open.filter(({ line }) => !isOver(line));
  // A volume that got mounted at last is told where it is all that such a log holds: it names no pod of other lines.
  return { shown: still.length === 0 && left.every(isOver) ? [mounted] : still, isOver };
}

/** Messages of no image that came later, and of no pod that got a node later. */
function withoutEnded(events: readonly LooseEvent[], lines: readonly Line[]): readonly LooseEvent[] {
  const place = new Map(lines.map(({ number }, index) => [number, index]));
  const placeOf = ({ line }: LooseEvent): number => place.get(line.number) ?? 0;
  const ends = new Map<string, number>();
  for (const event of events)
    if (event.row.reason === 'Pulled') ends.set(imageIn(event.row), Math.max(ends.get(imageIn(event.row)) ?? 0, placeOf(event)));
  for (const [index, { text }] of lines.entries())
    if (ASSIGNS.test(text)) ends.set((namedIn(text).pod ?? podNamed(unframed(text).pod ?? '')).name, index);
  ends.delete('');
  // Of whom the scheduler speaks only what stands around its words tells.
  const namesIn = (event: LooseEvent): readonly string[] =>
    event.row.reason === 'FailedScheduling' ? (lines[placeOf(event)]?.text.split(/[^\w.-]+/) ?? []) : [imageIn(event.row)];
  return events.filter((event) => event.alone !== true || !namesIn(event).some((name) => placeOf(event) < (ends.get(name) ?? 0)));
}

/** What the scheduler records and logs of a pod that gets a node. Source: pkg/scheduler/schedule_one.go. */
const ASSIGNS = /\bSuccessfully (?:assigned|bound pod) /;

function imageIn({ message }: EventRow): string {
  return /image "([^"]{1,300})"/.exec(message)?.[1] ?? '';
}

/** Events under one heading, which names their pod where it is the first line of a description of one. */
interface EventBlock {
  readonly events: LooseEvent[];
  readonly about?: ObjectRef;
}

/** Lines that begin the events of another object: titles, and names that were all that was left of a description. */
export function isHeading(text: string): boolean {
  return /^\s*Events:/.test(text) || nameIn(text) !== undefined;
}

/** The pod that a line is nothing but the name of. */
export function podOfHeading(text: string): ObjectRef | undefined {
  const name = text.startsWith('Name:') ? undefined : nameIn(text);
  return name === undefined ? undefined : { kind: 'Pod', name };
}

/** `Name: till-0`, or as a person writes it: `till pod:`, `Pod till-0`, `### till-0`. */
const NAMED = [
  /^Name:\s{1,60}([a-z0-9][a-z0-9.-]{0,252})\s*$/,
  /^(?:#{1,6} {1,4}|\*\*)?(?:[Tt]he )?`?([a-z0-9][a-z0-9.-]{2,252})`? pod(?:\*\*)?:(?:\*\*)?\s{0,4}$/,
  /^(?:#{1,6} {1,4}|\*\*)?[Pp]od:? `?([a-z0-9][a-z0-9.-]{2,252})`?(?:\*\*)?:?(?:\*\*)?\s{0,4}$/,
  /^#{1,6} {1,4}`?([a-z0-9][a-z0-9.]{0,100}-[a-z0-9.-]{1,150})`?:?\s{0,4}$/,
];

function nameIn(text: string): string | undefined {
  for (const form of NAMED) {
    const name = form.exec(text)?.[1];
    if (name !== undefined) return NO_NAMES.has(name) ? undefined : name;
  }
  return undefined;
}

/** What is written before or after the word pod, and names none. */
const NO_NAMES: ReadonlySet<string> = new Set(
  'this that the one other another first second same failing failed broken pending crashing describe status events logs log yaml spec list output'.split(
    ' ',
  ),
);

/** Each heading begins the events of another object. They are given oldest first. */
export function underHeadings(found: readonly LooseEvent[], headings: readonly Line[], newestFirst: boolean): readonly EventBlock[] {
  const blocks: EventBlock[] = [{ events: [] }];
  let next = 0;
  for (const one of found) {
    for (let heading = headings[next]; heading !== undefined && heading.number <= one.line.number; heading = headings[++next]) {
      const name = nameIn(heading.text);
      blocks.push(name === undefined ? { events: [] } : { events: [], about: { kind: 'Pod', name } });
    }
    blocks.at(-1)?.events.push(one);
  }
  if (newestFirst) for (const { events } of blocks) events.reverse();
  return blocks.map(({ events, about }) => (about !== undefined && events.some(isOfPod) ? { events, about } : { events }));
}

/** Only pods have events of the scheduler and of the kubelet, but for those of nodes, which nobody describes by their name alone. */
function isOfPod({ row }: LooseEvent): boolean {
  return row.about === undefined && /^(?:kubelet|default-scheduler)\b/.test(row.source ?? '');
}

/** Adds the events. Rows that name no object are about the pod that another row names, or `otherwise` about a pod that may have no name. */
export function seeEvents(
  found: readonly LooseEvent[],
  about: ObjectRef | undefined,
  otherwise: ObjectRef,
  { gathering, at }: Reading,
): void {
  if (found.length === 0) return;
  const pod = podOf(found, about) ?? otherwise;
  const claim = claimOf(found);
  const containers = new Set(found.flatMap(({ named }) => named.container ?? []));
  const only = containers.size === 1 ? [...containers][0] : '<container>';
  for (const event of found) {
    const { line, row, named, alone } = event;
    const told = row.about ?? involvedIn(row, named, about, pod);
    const involved = told.kind === claim?.kind && told.name === unnamed(told.kind).name ? claim : told;
    const printed: PrintedEvent = withoutUndefined({
      ...row,
      about: inOwnNamespace(involved, named),
      at,
      fieldPath: row.fieldPath ?? (involved.kind === 'Pod' ? containerPath(event, only) : undefined),
      alone,
    });
    gathering.see(eventObject(printed, line.number), 'table');
  }
  gathering.collect({ kind: 'Event', namespace: '', complete: false });
}

/** The claim of rows that name one: the provisioner names it when it begins, and not when it fails. */
function claimOf(found: readonly LooseEvent[]): ObjectRef | undefined {
  const named = new Map(found.flatMap(({ row }) => (row.about === undefined ? claimIn(row) : [])).map((ref) => [ref.name, ref]));
  return named.size === 1 ? [...named.values()][0] : undefined;
}

function podOf(found: readonly LooseEvent[], about: ObjectRef | undefined): ObjectRef | undefined {
  if (about?.kind === 'Pod') return about;
  const row = found.find((one) => one.row.about?.kind === 'Pod')?.row;
  return row?.about ?? found.find(({ named }) => named.pod !== undefined)?.named.pod;
}

/** `only` is the container that all events name that name one. */
function containerPath({ row, named }: LooseEvent, only: string | undefined): string | undefined {
  const container = named.container ?? (OF_CONTAINERS.has(row.reason) ? only : undefined);
  return container === undefined ? undefined : `spec.containers{${container}}`;
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
