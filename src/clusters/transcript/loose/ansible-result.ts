import type { Json } from '../../../base/json.ts';
import { asList, asText, isJsonObject } from '../../../base/json.ts';
import { parsedJson } from '../../../base/parsed-json.ts';
import type { Line } from '../clean-lines.ts';
import { endOfJson } from './json-part.ts';

/** How Ansible begins the result of a task. Source: ansible/ansible lib/ansible/plugins/callback/default.py. */
const RESULT = /^\s{0,12}(?:ok|changed|fatal|failed): \[[^\]]{1,253}\](?:: [A-Z]{4,20}!)?(?: \(item=.{0,200}\))? => (?=\{)/;
/** Results that are looked at, and lines of one. */
const MAX_RESULTS = 200;
const MAX_RESULT_LINES = 1000;

/** Lines in which the result of a task that ran a command stands as what the command printed. All other lines stay. */
export function withoutResults(lines: readonly Line[]): readonly Line[] {
  if (!lines.some(({ text }) => RESULT.test(text))) return lines;
  const rest: Line[] = [];
  let results = 0;
  for (let index = 0; index < lines.length;) {
    const line = lines[index];
    if (line === undefined) break;
    const head = results < MAX_RESULTS ? RESULT.exec(line.text)?.[0] : undefined;
    const end =
      head === undefined
        ? undefined
        : endOfJson([{ ...line, text: line.text.slice(head.length) }, ...lines.slice(index + 1, index + MAX_RESULT_LINES)], 0);
    const printed = head === undefined || end === undefined ? [] : printedBy(lines.slice(index, index + end), head.length);
    results += head === undefined ? 0 : 1;
    for (const text of printed) rest.push({ number: line.number, text });
    if (printed.length === 0) rest.push(line);
    index += printed.length === 0 ? 1 : (end ?? 1);
  }
  return rest;
}

function printedBy(lines: readonly Line[], from: number): readonly string[] {
  const value = parsedJson(lines.map(({ text }, at) => (at === 0 ? text.slice(from) : text)).join('\n'));
  return isJsonObject(value) ? [...outputIn(value, 'stdout'), ...outputIn(value, 'stderr')] : [];
}

/** A variable that a task shows may be the list of lines alone: `out.stdout_lines`. */
function outputIn(result: Readonly<Record<string, Json | undefined>>, stream: string): readonly string[] {
  const whole = asText(result[stream]);
  if (whole !== undefined) return whole === '' ? [] : whole.split('\n');
  const shown = Object.keys(result).find((key) => key === `${stream}_lines` || key.endsWith(`.${stream}_lines`));
  return shown === undefined ? [] : asList(result[shown]).flatMap((line) => asText(line) ?? []);
}
