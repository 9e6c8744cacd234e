import { parseDuration } from '../../../base/duration.ts';
import type { ObjectRef } from '../../../model/kube-object.ts';
import { resourceNamed, resourceOfKind } from '../../../model/resources.ts';
import { withoutUndefined } from '../../../base/without-undefined.ts';
import { integer } from '../draft.ts';
import { withoutStamp } from '../events.ts';

/** What a row of events shows, whichever columns it has. */
export interface EventRow {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** `5m (x3 over 10m)`, or empty. */
  readonly age: string;
  readonly source: string;
  readonly about?: ObjectRef;
  readonly fieldPath?: string;
  readonly count?: number;
  readonly firstAge?: string;
}

/** Longer rows are read up to here: no message of Kubernetes is longer than 1 KiB, but some carry the output of a command. */
export const MAX_ROW = 8192;
const TYPE_AND_REASON = /(?:^|[\s`>])(Normal|Warning)[ \t]{1,200}([A-Z][A-Za-z]{2,80})(?=[ \t]|$)/;

/**
 * Reads one event by what its cells look like, not by where they stand: type and reason stand beside each other in every layout since 1.1,
 * with ages, counts, the object and the source before or behind them, and the message last.
 */
export function eventRow(line: string): EventRow | undefined {
  const text = line.slice(0, MAX_ROW);
  const begin = TYPE_AND_REASON.exec(text);
  if (begin === null) return undefined;
  const [all, type = '', reason = ''] = begin;
  const before = cellsBefore(text.slice(0, begin.index));
  const after = cellsAfter(text.slice(begin.index + all.length).trim());
  const [age, firstAge] = after.age === '' ? youngest(before.ages) : [after.age, undefined];
  const row: EventRow = withoutUndefined({
    type,
    reason,
    message: after.message,
    age,
    source: after.source || before.source,
    about: after.about ?? before.about,
    fieldPath: after.fieldPath ?? before.fieldPath,
    count: before.count,
    firstAge,
  });
  const isBare = row.about === undefined && row.fieldPath === undefined && row.source === '' && age === '';
  return isBare && !BARE.test(text) ? undefined : row;
}

/** Type, reason and message with the gaps of a table: of other words alone nobody can tell whether they are a row or a sentence. */
const BARE = /^[\s#>*-]{0,12}(?:Normal|Warning) {2,40}[A-Z][A-Za-z]{4,80} {2,40}\S{1,200} \S/;

/** Old layouts print when an event was first and last seen, in either order. */
function youngest(ages: readonly string[]): readonly [string, string | undefined] {
  const sorted = ages.toSorted((a, b) => (parseDuration(a) ?? 0) - (parseDuration(b) ?? 0));
  return [sorted[0] ?? '', sorted[1]];
}

/** The cells before type and reason, as far as they were read. */
interface Before {
  readonly ages: string[];
  source: string;
  count: number | undefined;
  about: ObjectRef | undefined;
  fieldPath: string | undefined;
  namespace: string | undefined;
  /** The last word that may be a name: of the object, where its kind follows. */
  name: string | undefined;
}

const OLD_SOURCE = /\{([\w.-]{1,100}) {0,2}([\w.:-]{0,253}) {0,2}\}/;
const FIELD_PATH = /^(?:implicitly|spec\.\w{1,40}\{[^}\s]{1,253}\}?)$/;
const MAX_WORDS = 40;

function cellsBefore(text: string): Before {
  const old = OLD_SOURCE.exec(text);
  const words = text
    .replace(OLD_SOURCE, ' ')
    .split(/\s/)
    .filter((word) => word !== '')
    .slice(-MAX_WORDS);
  const cells: Before = {
    ages: [],
    source: old === null ? '' : sourceOf(old),
    count: undefined,
    about: undefined,
    fieldPath: undefined,
    namespace: undefined,
    name: undefined,
  };
  for (const [index, word] of words.entries()) {
    if (CELL_READERS.some((read) => read(word, cells, words[index + 1] ?? ''))) continue;
    if (index === 0 && NAME.test(word) && !DATE.test(word)) cells.namespace = word;
    cells.name = word;
  }
  return cells;
}

const DATE = /^\d{4}-\d\d-\d\d/;

/** What a word may be, in the order in which it is tried. Each reader tells whether the word was that; `next` is the word behind it. */
const CELL_READERS: readonly ((word: string, cells: Before, next: string) => boolean)[] = [
  function age(word, { ages }) {
    if (!isAge(word)) return false;
    ages.push(word.replace(')', ''));
    return true;
  },
  function count(word, cells) {
    const times = /^(?:\(?x)?(\d{1,9})$/.exec(word)?.[1];
    if (times === undefined) return false;
    cells.count = integer(times);
    return true;
  },
  function fieldPath(word, cells) {
    if (!FIELD_PATH.test(word)) return false;
    cells.fieldPath = word.startsWith('spec.') ? word : undefined;
    return true;
  },
  function source(word, cells, next) {
    if (word !== 'kubelet,' && !isComponent(word)) return false;
    cells.source = word === 'kubelet,' ? `kubelet, ${next}` : word;
    return true;
  },
  function object(word, cells) {
    if (!word.includes('/')) return false;
    cells.about = objectNamed(word, cells.namespace) ?? cells.about;
    return true;
  },
  function kindBehindName(word, cells) {
    const kind = /^[A-Z]/.test(word) ? resourceNamed(word)?.kind : undefined;
    if (kind === undefined || cells.name === undefined || !NAME.test(cells.name)) return false;
    cells.about = refOf(kind, withoutStamp(cells.name), cells.namespace);
    return true;
  },
];

interface After {
  readonly age: string;
  readonly source: string;
  readonly message: string;
  readonly about?: ObjectRef;
  readonly fieldPath?: string;
}

const AGE =
  /^((?:\d{1,9}(?:ms|[smhdwy])){1,4}|<unknown>|<invalid>)(?: ago)?(?:[ \t]{1,4}\(x(\d{1,9}) over ((?:\d{1,9}(?:ms|[smhdwy])){1,4})\))?(?=\s|$)/;
const OBJECT = /^([A-Za-z][\w.]{0,100}\/[\w.:-]{1,253})(?=\s|$)/;
const SUBOBJECT = /^(spec\.\w{1,40}\{[^}\s]{1,253}\})(?=\s|$)/;
const SOURCE = /^(?:kubelet(?:, ?[\w.:-]{1,253})?|\{[\w.-]{1,100} {0,2}[\w.:-]{0,253} {0,2}\}|[a-z][\w./@:-]{1,200})(?=\s)/;
/** What wide tables print behind the message: when it was first seen, how often, and the event's name. */
const WIDE_TAIL = /[ \t]{2,200}(?:\d{1,9}(?:ms|[smhdwy])){1,4}[ \t]{1,200}\d{1,9}[ \t]{1,200}[\w.-]{1,253}\.[0-9a-f]{6,20}$/;
const TRAILING_AGE = /[ \t]{1,200}(?:about )?(?:\d{1,9}|an?) (?:sec|second|min|minute|hour|day)s? ago$/;

function cellsAfter(text: string): After {
  const [age, afterAge] = takeAge(text);
  const [about, afterObject] = takeObject(afterAge);
  const [fieldPath, afterPath] = takeFieldPath(afterObject);
  const [source, rest] = takeSource(afterPath);
  // A row that was cut within the source has no message.
  const isCut = source === '' && age !== '' && about === undefined && /^(?:[a-z-]{0,40}|kubelet, ?[\w.:-]{0,253})$/.test(rest);
  return withoutUndefined({ age, source, message: isCut ? '' : messageIn(rest), about, fieldPath });
}

/** A cell that stands at the beginning of a text, and the text behind it. */
type Taken<Cell> = readonly [cell: Cell, rest: string];

function takeAge(text: string): Taken<string> {
  const [all = '', last = '', times, over = ''] = AGE.exec(text) ?? [];
  return [times === undefined ? last : `${last} (x${times} over ${over})`, text.slice(all.length).trimStart()];
}

function takeObject(text: string): Taken<ObjectRef | undefined> {
  const object = OBJECT.exec(text)?.[1] ?? '';
  const about = objectNamed(object, undefined);
  return about === undefined ? [undefined, text] : [about, text.slice(object.length).trimStart()];
}

function takeFieldPath(text: string): Taken<string | undefined> {
  const fieldPath = SUBOBJECT.exec(text)?.[1];
  return fieldPath === undefined ? [undefined, text] : [fieldPath, text.slice(fieldPath.length).trimStart()];
}

function takeSource(text: string): Taken<string> {
  const cell = SOURCE.exec(text)?.[0] ?? '';
  const rest = text.slice(cell.length);
  if (cell.startsWith('{')) return [sourceOf(OLD_SOURCE.exec(cell)), rest.trimStart()];
  const isSource = cell !== '' && (isComponent(cell.split(/[,\s]/)[0] ?? '') || /^\s{2}/.test(rest));
  return isSource ? [cell, rest.trimStart()] : ['', text];
}

function messageIn(text: string): string {
  return text
    .replace(WIDE_TAIL, '')
    .replace(TRAILING_AGE, '')
    .replace(/`{1,3}$/, '')
    .trim();
}

function sourceOf(old: RegExpExecArray | null): string {
  const [, component = '', host = ''] = old ?? [];
  return host === '' ? component : `${component}, ${host}`;
}

function isAge(word: string): boolean {
  return /^(?:(?:\d{1,9}(?:ms|[smhdwy])){1,4}\)?|<unknown>|<invalid>)$/.test(word);
}

/** Names of the components that record events: the kubelet, schedulers, controllers, drivers. */
function isComponent(word: string): boolean {
  return /^(?:kubelet|multus|taint-eviction-controller|scheduler|cluster-autoscaler|karpenter|service-controller|[a-z][\w.-]{0,100}-(?:scheduler|controller|manager|autoscaler|provisioner|attacher|resizer|proxy|operator)(?:[\w./-]{0,150})?)$/.test(
    word,
  );
}

const NAME = /^[a-z0-9][\w.:-]{0,252}$/;

/** `pod/web-1`, `Pod/web-1`, `deployment.apps/web`: an object of a kind that is known. */
export function objectNamed(text: string, namespace: string | undefined): ObjectRef | undefined {
  const slash = text.indexOf('/');
  const [word, name] = [text.slice(0, slash), text.slice(slash + 1)];
  const kind = slash <= 0 ? undefined : resourceNamed(word)?.kind;
  return kind === undefined || !NAME.test(name) ? undefined : refOf(kind, name, namespace);
}

export function refOf(kind: string, name: string, namespace: string | undefined): ObjectRef {
  return resourceOfKind(kind)?.namespaced === false || namespace === undefined ? { kind, name } : { kind, namespace, name };
}
