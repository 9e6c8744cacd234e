import type { Json, JsonObject } from '../../base/json.ts';
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-bytes.ts';

/** Where the texts of a JSON object stand that are values, in their order, and which part of it each belongs to. */
export interface TextPlaces {
  /** Positions of the first byte of each text, and of the quote behind it. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Of each text, the number of the part it is in, and the field or position there. */
  readonly partOf: Int32Array;
  readonly fields: readonly string[];
  /** The objects and lists; the first is the whole. */
  readonly parts: readonly {
    readonly value: Json;
    /** The part that this one is in; -1 for the whole. */
    readonly within: number;
    readonly field: string;
  }[];
  /** How many values there are, at most. */
  readonly values: number;
}

/** `value` is what JSON.parse makes of the bytes. Undefined where a field comes twice in one object, or has an odd name. */
export function textPlaces(bytes: Uint8Array, value: JsonObject): TextPlaces | undefined {
  const walk = new Walk(bytes, value);
  return walk.ok() ? walk.places() : undefined;
}

interface Open {
  readonly part: number;
  readonly value: Json;
  readonly keys: Set<string> | undefined;
  /** The field that is read, or the position in a list. */
  field: string;
  position: number;
}

class Walk {
  readonly #bytes: Uint8Array;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #partOf: number[] = [];
  readonly #fields: string[] = [];
  readonly #parts: TextPlaces['parts'][number][] = [];
  readonly #open: Open[] = [];
  #values = 0;
  /** The next text of an object is the name of a field. */
  #isName = false;

  constructor(bytes: Uint8Array, value: JsonObject) {
    this.#bytes = bytes;
    this.#enter(value, -1, '');
  }

  places(): TextPlaces {
    const [starts, ends, partOf] = [this.#starts, this.#ends, this.#partOf].map((list) => Int32Array.from(list)) as [
      Int32Array,
      Int32Array,
      Int32Array,
    ];
    return { starts, ends, partOf, fields: this.#fields, parts: this.#parts, values: this.#values };
  }

  /** Goes through all of it. */
  ok(): boolean {
    const bytes = this.#bytes;
    for (let at = bytes.indexOf(OPEN_BRACE) + 1; at < bytes.length; at++) {
      const code = bytes[at];
      if (code === QUOTE) {
        const end = endOfText(bytes, at + 1);
        if (!this.#text(at + 1, end)) return false;
        at = end;
      } else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#begin();
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#end();
      else if (code === COMMA) this.#next();
    }
    return this.#open.length === 0;
  }

  #enter(value: Json, within: number, field: string): void {
    this.#values++;
    const isList = Array.isArray(value);
    this.#open.push({ part: this.#parts.length, value, keys: isList ? undefined : new Set(), field: '0', position: 0 });
    this.#parts.push({ value, within, field });
    this.#isName = !isList;
  }

  #begin(): void {
    const { value, field, part } = this.#open.at(-1) as Open;
    this.#enter((value as JsonObject)[field] as Json, part, field);
  }

  #end(): void {
    this.#open.pop();
    this.#isName = false;
  }

  #next(): void {
    this.#values++;
    const open = this.#open.at(-1) as Open;
    if (open.keys === undefined) open.field = String(++open.position);
    else this.#isName = true;
  }

  #text(start: number, end: number): boolean {
    const open = this.#open.at(-1) as Open;
    if (this.#isName) return this.#name(open, Buffer.from(this.#bytes.subarray(start, end)).toString('utf8'));
    this.#starts.push(start);
    this.#ends.push(end);
    this.#partOf.push(open.part);
    this.#fields.push(open.field);
    return true;
  }

  /** To assign to `__proto__` is something else than to have a field of that name. */
  #name(open: Open, name: string): boolean {
    if (open.keys?.has(name) !== false || name.includes('\\') || name === '__proto__') return false;
    open.keys.add(name);
    open.field = name;
    this.#isName = false;
    return true;
  }
}

function endOfText(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
