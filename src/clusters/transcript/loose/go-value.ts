import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { parseInteger } from '../../../base/number.ts';

/** Longer lines are no status that somebody printed. */
const MAX_LENGTH = 16_384;
const MAX_DEPTH = 12;

/**
 * Fields of a pod's status, lower case, with their names in the API. Go prints texts without quotation marks, so that only the names of
 * fields tell where a text ends. Source: staging/src/k8s.io/api/core/v1/types.go (PodStatus).
 */
const FIELDS: ReadonlyMap<string, string> = new Map(
  [
    'conditions',
    'containerID',
    'containerStatuses',
    'exitCode',
    'finishedAt',
    'hostIP',
    'image',
    'imageID',
    'initContainerStatuses',
    'lastProbeTime',
    'lastState',
    'lastTransitionTime',
    'message',
    'name',
    'phase',
    'podIP',
    'qosClass',
    'ready',
    'reason',
    'restartCount',
    'running',
    'signal',
    'started',
    'startedAt',
    'startTime',
    'state',
    'status',
    'terminated',
    'type',
    'waiting',
  ].map((field) => [field.toLowerCase(), field] as const),
);
/** What the field is called in Go, where the API has another name for it. */
const RENAMED: ReadonlyMap<string, string> = new Map([['lastterminationstate', 'lastState']]);
const NUMBERS: ReadonlySet<string> = new Set(['exitCode', 'signal', 'restartCount']);
const FLAGS: ReadonlySet<string> = new Set(['ready', 'started']);

const OPENS = /^(?:&?[A-Za-z][\w.]{0,60})?(?:map\[|\{|\[)|^&[A-Za-z][\w.]{0,60}\{/;
const KEY = /(?:^|[\s,[{])([A-Za-z]{2,24}): ?/g;
/** A field whose value is a map or a struct: only such texts are printed by Go. */
const STATE = /\b(?:lastTerminationState|last ?state|state): ?(?:map\[|\{(?:Waiting|Running|Terminated):)/i;

/**
 * The fields of a status as Go prints them, `State:map[waiting:map[reason:CrashLoopBackOff]]` or
 * `State:{Waiting:&ContainerStateWaiting{Reason:CrashLoopBackOff,} Running:nil}`; undefined for any other text.
 */
export function goFields(text: string): JsonObject | undefined {
  const begin = text.length > MAX_LENGTH ? null : STATE.exec(text);
  if (begin === null) return undefined;
  const value = fieldsIn(text.slice(groupAround(text, begin.index)).replace(/\bLast State:/g, 'LastState:'), 0);
  return isJsonObject(value) ? value : undefined;
}

/** Where the fields begin that stand in the same brackets; without brackets the field itself. */
function groupAround(text: string, index: number): number {
  let closed = 0;
  for (let at = index - 1; at >= 0; at--) {
    const sign = text.charAt(at);
    if (sign === ']' || sign === '}') closed++;
    else if (sign === '[' || sign === '{') closed--;
    if (closed < 0) return at + 1;
  }
  return index;
}

function fieldsIn(text: string, depth: number): JsonObject | undefined {
  const fields: Record<string, Json> = {};
  let end = 0;
  for (const match of text.matchAll(KEY)) {
    const name = fieldNamed(match[1] ?? '');
    // What lies within the value of the field before is read with that.
    if (name === undefined || match.index < end) continue;
    const from = match.index + match[0].length;
    end = from + endOfValue(text.slice(from));
    const value = valueOf(name, text.slice(from, end), depth);
    if (value !== undefined && fields[name] === undefined) fields[name] = value;
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}

function fieldNamed(word: string): string | undefined {
  const lower = word.toLowerCase();
  return RENAMED.get(lower) ?? FIELDS.get(lower);
}

/** The length of the value that a text begins with: a whole pair of brackets, or up to the next field. */
function endOfValue(text: string): number {
  const open = OPENS.exec(text);
  if (open !== null) return closingAfter(text, open[0].length) + 1;
  for (const match of text.matchAll(KEY)) if (match.index > 0 && fieldNamed(match[1] ?? '') !== undefined) return match.index;
  return text.length;
}

function closingAfter(text: string, from: number): number {
  let depth = 1;
  for (let index = from; index < text.length; index++) {
    const sign = text.charAt(index);
    if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    if (depth === 0) return index;
  }
  return text.length;
}

function valueOf(name: string, text: string, depth: number): Json | undefined {
  const open = OPENS.exec(text);
  if (open !== null) return depth >= MAX_DEPTH ? undefined : groupIn(name, open[0], text.slice(open[0].length, -1), depth);
  const plain = text.replace(/[\s,\]}]{1,200}$/, '').trim();
  if (plain === '' || plain === 'nil' || plain === '<nil>') return undefined;
  if (NUMBERS.has(name)) return parseInteger(plain);
  return FLAGS.has(name) ? (/^\*?true$/.test(plain) ? true : /^\*?false$/.test(plain) ? false : undefined) : plain;
}

/** A map, a struct, or a list of them. */
function groupIn(name: string, open: string, inner: string, depth: number): Json | undefined {
  if (!open.endsWith('[') || open.endsWith('map[')) return fieldsIn(inner, depth + 1) ?? (open.endsWith('map[') ? {} : undefined);
  if (!/tatuses$|^conditions$/.test(name)) return undefined;
  const items: Json[] = [];
  for (let at = 0; at < inner.length && items.length < 64;) {
    const found = OPENS.exec(inner.slice(at));
    if (found === null) {
      at++;
      continue;
    }
    const from = at + found[0].length;
    const end = closingAfter(inner, from);
    const item = fieldsIn(inner.slice(from, end), depth + 1);
    if (item !== undefined) items.push(item);
    at = end + 1;
  }
  return items;
}
