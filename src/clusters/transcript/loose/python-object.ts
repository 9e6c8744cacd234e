import { formatInstant, instantOf } from '../../../base/instant.ts';
import type { Json } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { parseDecimal, parseInteger } from '../../../base/number.ts';
import { withoutUndefined } from '../../../base/without-undefined.ts';
import type { Line } from '../clean-lines.ts';

/** How Python's client begins an object, a status and the states of containers. */
const BEGINS = /(?:\{|\[\{)'(?:api_version|apiVersion|kind|metadata|conditions|allocated_resources|container_id|image|last_state|name)':/;
const OF_POD = /'(?:containerS|container_s)tatuses': |'(?:restart_c|restartC)ount': |'(?:lastT|last_t)ransition/;
/** Objects that are looked at, and lines of one. */
const MAX_OBJECTS = 100;
const MAX_LINES = 4000;
const MAX_TEXT = 512 * 1024;
const MAX_DEPTH = 40;
const TOKEN =
  /\s*(?:([{}[\](),:])|[bu]?'([^'\\]*(?:\\.[^'\\]*)*)'|[bu]?"([^"\\]*(?:\\.[^"\\]*)*)"|(None|True|False)\b|(-?\d+(?:\.\d+)?)|datetime\.datetime\(([\d, ]+)(?:, tzinfo=[\w.]+\([^()]*\))?\))/y;

/**
 * Lines in which an object as Python prints it stands as JSON, with the names of the API: what Airflow and others tell of their pods. All
 * other lines stay. Source: kubernetes-client/python kubernetes/client/models (to_dict, to_str).
 */
export function withoutPython(lines: readonly Line[]): readonly Line[] {
  if (!lines.some(({ text }) => BEGINS.test(text))) return lines;
  const rest: Line[] = [];
  let objects = 0;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    const begin = line === undefined || objects >= MAX_OBJECTS ? null : BEGINS.exec(line.text);
    if (line === undefined) break;
    const printed = begin === null ? undefined : objectIn(lines.slice(index, index + MAX_LINES), begin.index);
    objects += begin === null ? 0 : 1;
    if (printed === undefined) rest.push(line);
    else for (const text of printed.json) rest.push({ number: line.number, text });
    index += printed === undefined ? 0 : printed.lines - 1;
  }
  return rest;
}

function objectIn(lines: readonly Line[], start: number): { readonly json: readonly string[]; readonly lines: number } | undefined {
  const text = lines
    .map((line) => line.text)
    .join('\n')
    .slice(0, MAX_TEXT);
  const reader = new PythonReader(text, start);
  const value = reader.value(0);
  const read = text.slice(start, reader.at);
  if (value === undefined || !(OF_POD.test(read) || /'kind': /.test(read))) return undefined;
  return { json: JSON.stringify(named(value), undefined, 1).split('\n'), lines: text.slice(0, reader.at).split('\n').length };
}

/** Reads dictionaries, lists, texts, numbers and times; undefined where anything else stands. */
class PythonReader {
  at: number;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  value(depth: number): Json | undefined {
    const token = this.#next();
    if (token === undefined || depth > MAX_DEPTH) return undefined;
    const [, sign, single, double, word, number, time] = token;
    if (sign === '{') return this.#dictionary(depth);
    if (sign === '[' || sign === '(') return this.#list(sign === '[' ? ']' : ')', depth);
    const text = single ?? double;
    if (text !== undefined) return `${unescaped(text)}${this.#moreText()}`;
    if (word !== undefined) return word === 'None' ? null : word === 'True';
    if (number !== undefined) return parseDecimal(number);
    return time === undefined ? undefined : timeOf(time);
  }

  #next(): RegExpExecArray | undefined {
    TOKEN.lastIndex = this.at;
    const token = TOKEN.exec(this.#text) ?? undefined;
    if (token !== undefined) this.at = TOKEN.lastIndex;
    return token;
  }

  /** Whether this sign is next: then it is taken. */
  #takes(sign: string): boolean {
    const before = this.at;
    if (this.#next()?.[1] === sign) return true;
    this.at = before;
    return false;
  }

  /** A long text is printed in several parts. */
  #moreText(): string {
    let whole = '';
    for (let before = this.at; ; before = this.at) {
      const token = this.#next();
      const part = token?.[2] ?? token?.[3];
      if (part === undefined) {
        this.at = before;
        return whole;
      }
      whole += unescaped(part);
    }
  }

  #dictionary(depth: number): Json | undefined {
    const fields: Record<string, Json> = {};
    while (!this.#takes('}')) {
      const key = this.value(depth + 1);
      const value = typeof key === 'string' && this.#takes(':') ? this.value(depth + 1) : undefined;
      if (typeof key !== 'string' || value === undefined) return undefined;
      fields[key] = value;
      if (!this.#takes(',') && this.#text[this.at] !== '}') return undefined;
    }
    return fields;
  }

  #list(end: string, depth: number): Json | undefined {
    const items: Json[] = [];
    while (!this.#takes(end)) {
      const item = this.value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
      if (!this.#takes(',') && this.#text[this.at] !== end) return undefined;
    }
    return end === ')' && items.length === 1 ? items[0] : items;
  }
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, mark: string) => (mark === 'n' ? '\n' : mark === 't' ? '\t' : mark));
}

function timeOf(parts: string): string | undefined {
  const [year = 0, month = 1, day = 1, hour, minute, second] = parts.split(',').map((part) => parseInteger(part.trim()));
  const time = instantOf(withoutUndefined({ year, month, day, hour, minute, second }));
  return time === undefined ? undefined : formatInstant(time);
}

/** Fields whose own fields are names that people gave. */
const FREE: ReadonlySet<string> = new Set(['labels', 'annotations', 'matchLabels', 'nodeSelector', 'limits', 'requests', 'data']);
const RENAMED: Readonly<Record<string, string>> = { podIp: 'podIP', hostIp: 'hostIP', containerId: 'containerID', imageId: 'imageID' };

/** `container_statuses` as the API has it; what is None is not there. */
function named(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(named);
  if (!isJsonObject(value)) return value;
  const fields: Record<string, Json> = {};
  for (const [key, field] of Object.entries(value)) {
    const name = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (field !== undefined && field !== null) fields[RENAMED[name] ?? name] = FREE.has(name) ? field : named(field);
  }
  return fields;
}
