import { parseDuration } from '../../../base/duration.ts';
import type { ObjectRef } from '../../../model/kube-object.ts';
import { resourceNamed, resourceOfKind } from '../../../model/resources.ts';
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
const MAX_ROW = 8192;
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
  const about = after.about ?? before.about;
  const [fieldPath, source] = [after.fieldPath ?? before.fieldPath, after.source || before.source];
  const [age, older] = after.age === '' ? youngest(before.ages) : [after.age, undefined];
  // Of words alone nobody can tell whether they are a row or a sentence.
  if (about === undefined && fieldPath === undefined && source === '' && age === '') return undefined;
  return {
    type,
    reason,
    message: after.message,
    age,
    source,
    ...(about === undefined ? {} : { about }),
    ...(fieldPath === undefined ? {} : { fieldPath }),
    ...(before.count === undefined ? {} : { count: before.count }),
    ...(older === undefined ? {} : { firstAge: older }),
  };
}

/** Old layouts print when an event was first and last seen, in either order. */
function youngest(ages: readonly string[]): readonly [string, string | undefined] {
  const sorted = ages.toSorted((a, b) => (parseDuration(a) ?? 0) - (parseDuration(b) ?? 0));
  return [sorted[0] ?? '', sorted[1]];
}

interface Before {
  readonly ages: readonly string[];
  readonly count?: number;
  readonly source: string;
  readonly about?: ObjectRef;
  readonly fieldPath?: string;
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
  const ages: string[] = [];
  let [source, count, about, fieldPath, name]: [string, number | undefined, ObjectRef | undefined, string | undefined, string | undefined] =
    [old === null ? '' : sourceOf(old), undefined, undefined, undefined, undefined];
  let namespace: string | undefined;
  for (const [index, word] of words.entries()) {
    const times = /^\(?x(\d{1,9})$/.exec(word)?.[1];
    if (isAge(word)) ages.push(word.replace(')', ''));
    else if (times !== undefined || /^\d{1,9}$/.test(word)) count = integer(times ?? word);
    else if (FIELD_PATH.test(word)) fieldPath = word.startsWith('spec.') ? word : undefined;
    else if (word === 'kubelet,' || word === 'kubelet') source = `kubelet${word.endsWith(',') ? `, ${words[index + 1] ?? ''}` : ''}`;
    else if (isComponent(word)) source = word;
    else if (word.includes('/')) about = objectNamed(word, namespace) ?? about;
    else if (/^[A-Z]/.test(word) && resourceNamed(word) !== undefined && name !== undefined && NAME.test(name))
      about = refOf(resourceNamed(word)?.kind ?? word, withoutStamp(name), namespace);
    else {
      if (index === 0 && NAME.test(word)) namespace = word;
      name = word;
    }
  }
  return {
    ages,
    source,
    ...(count === undefined ? {} : { count }),
    ...(about === undefined ? {} : { about }),
    ...(fieldPath === undefined ? {} : { fieldPath }),
  };
}

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
  let rest = text;
  let [age, source, about, fieldPath]: [string, string, ObjectRef | undefined, string | undefined] = ['', '', undefined, undefined];
  const found = AGE.exec(rest);
  if (found !== null) {
    age = `${found[1] ?? ''}${found[2] === undefined ? '' : ` (x${found[2]} over ${found[3] ?? ''})`}`;
    rest = rest.slice(found[0].length).trimStart();
  }
  const object = OBJECT.exec(rest)?.[1];
  about = object === undefined ? undefined : objectNamed(object, undefined);
  if (object !== undefined && about !== undefined) rest = rest.slice(object.length).trimStart();
  fieldPath = SUBOBJECT.exec(rest)?.[1];
  if (fieldPath !== undefined) rest = rest.slice(fieldPath.length).trimStart();
  const cell = SOURCE.exec(rest)?.[0];
  if (cell !== undefined && (isComponent(cell.split(/[,\s]/)[0] ?? '') || cell.startsWith('{') || /^\s{2}/.test(rest.slice(cell.length)))) {
    source = cell.startsWith('{') ? sourceOf(OLD_SOURCE.exec(cell)) : cell;
    rest = rest.slice(cell.length).trimStart();
  }
  // A row that was cut within the source has no message.
  const isCut = source === '' && age !== '' && about === undefined && /^(?:[a-z-]{0,20}|kubelet, ?[\w.:-]{0,253})$/.test(rest);
  const message = isCut
    ? ''
    : rest
        .replace(WIDE_TAIL, '')
        .replace(TRAILING_AGE, '')
        .replace(/`{1,3}$/, '')
        .trim();
  return { age, source, message, ...(about === undefined ? {} : { about }), ...(fieldPath === undefined ? {} : { fieldPath }) };
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

function refOf(kind: string, name: string, namespace: string | undefined): ObjectRef {
  return resourceOfKind(kind)?.namespaced === false || namespace === undefined ? { kind, name } : { kind, namespace, name };
}

/** Layouts in which every event is a sentence: dumps of e2e tests, the recorder's own log line. */
const EVENT_IN_LOG = /event for ([\w.-]{1,253}): \{([\w.-]{1,100}) {0,2}([\w.:-]{0,253}) {0,2}\} ([A-Z][A-Za-z]{2,80}): (.*)/;
const RECORDED =
  /Event\((?:\w{1,10}\.)?ObjectReference\{Kind:"(\w{1,63})", Namespace:"([^"]{0,253})", Name:"([^"]{1,253})"[^}]{0,500}?(?:FieldPath:"([^"]{0,300})")?\}\): type: '(\w{1,20})' reason: '(\w{1,80})' (.*)/;

/** An event that a line of a log describes. */
export function eventInLog(line: string): EventRow | undefined {
  const text = line.slice(0, MAX_ROW);
  const parts = text.includes('event for ') ? EVENT_IN_LOG.exec(text) : null;
  if (parts !== null) {
    const [, name = '', component = '', host = '', reason = '', message = ''] = parts;
    return {
      type: reason.startsWith('Fail') || reason === 'BackOff' || reason === 'Unhealthy' ? 'Warning' : 'Normal',
      reason,
      message,
      age: '',
      source: host === '' ? component : `${component}, ${host}`,
      about: { kind: 'Pod', name },
    };
  }
  const recorded = text.includes('ObjectReference{') ? RECORDED.exec(text) : null;
  if (recorded === null) return undefined;
  const [, kind = '', namespace = '', name = '', fieldPath = '', type = '', reason = '', message = ''] = recorded;
  return {
    type,
    reason,
    message,
    age: '',
    source: '',
    about: refOf(kind, name, namespace === '' ? undefined : namespace),
    ...(fieldPath === '' ? {} : { fieldPath }),
  };
}
