import type { Json } from '../../../base/json.ts';
import { asList, dig, isJsonObject } from '../../../base/json.ts';
import { parsedJson } from '../../../base/parsed-json.ts';
import type { ObjectRef } from '../../../model/kube-object.ts';
import type { Line } from '../clean-lines.ts';
import type { StatusFragment } from './status-fragment.ts';
import { statusObject } from './status-fragment.ts';

const MAX_LINES = 2000;
const MAX_TEXT = 512 * 1024;

/**
 * A status, conditions or container states that jq or `-o jsonpath` took out of an object. `about` is the object they are of, where a
 * command named it. Undefined for whole objects, and for other JSON.
 */
export function jsonPart(lines: readonly Line[], index: number, about: ObjectRef): StatusFragment | undefined {
  const next = endOfJson(lines, index);
  if (next === undefined) return undefined;
  const text = lines.slice(index, next).map((line) => line.text);
  const value = parsedJson(text.join('\n'));
  const status = value === undefined ? undefined : asStatus(value);
  const object = status === undefined ? undefined : statusObject(status, about);
  return object === undefined ? undefined : { object, next };
}

/** Whether JSON begins on a line. */
export function mayBeginJson(text: string): boolean {
  return /^\s{0,40}(?:\{\s{0,8}(?:"|$)|\[\s{0,8}(?:\{|$))/.test(text);
}

/** The line after the one in which the bracket closes that opens the first. */
export function endOfJson(lines: readonly Line[], index: number): number | undefined {
  let [depth, quoted, length] = [0, false, 0];
  for (let at = index; at < lines.length && at - index < MAX_LINES; at++) {
    const { text } = lines[at] ?? { text: '' };
    length += text.length;
    if (length > MAX_TEXT) return undefined;
    for (let place = 0; place < text.length; place++) {
      const sign = text.charAt(place);
      if (sign === '\\') place++;
      else if (sign === '"') quoted = !quoted;
      else if (!quoted && (sign === '{' || sign === '[')) depth++;
      else if (!quoted && (sign === '}' || sign === ']')) depth--;
    }
    if (depth <= 0) return at + 1;
  }
  return undefined;
}

const WHOLE = ['kind', 'apiVersion', 'items', 'involvedObject'];

function asStatus(value: Json): Json | undefined {
  if (isJsonObject(value)) return WHOLE.some((field) => value[field] !== undefined) ? undefined : value;
  const [first] = asList(value);
  if (dig(first, 'type') !== undefined && dig(first, 'status') !== undefined) return { conditions: value };
  return dig(first, 'restartCount') === undefined ? undefined : { containerStatuses: value };
}
