import { Digest } from './digest.ts';
import type { Json, JsonObject } from './json.ts';

/**
 * A running 128-bit digest of JSON values without writing them out: the same for a value and for what its JSON text is read as,
 * another for another value or another order of fields. Made as `Digest` is, word by word; not for secrets.
 */
export class JsonDigest {
  #a = 1779033703;
  #b = 3144134277 | 0;
  #c = 1013904242;
  #d = 2773480762 | 0;
  /** The number written out last: times come several in a row. */
  #lastNumber = 0;
  #lastText = '0';

  add(value: Json | undefined): this {
    if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'number') this.#number(value);
    else if (value === null || value === undefined) this.#word(MARK.null);
    else if (typeof value === 'boolean') this.#word(value ? MARK.true : MARK.false);
    else if (Array.isArray(value)) this.#list(value as readonly Json[]);
    else this.#object(value as JsonObject);
    return this;
  }

  /** The digest of all that was added so far, 32 hex digits; more may be added afterwards. */
  hex(): string {
    return new Digest().add([this.#a, this.#b, this.#c, this.#d].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')).hex();
  }

  #list(list: readonly Json[]): void {
    this.#word(MARK.list);
    this.#word(list.length);
    for (const member of list) this.add(member);
  }

  /** Fields that are undefined are not there, as in JSON text. */
  #object(object: JsonObject): void {
    this.#word(MARK.object);
    // Goes through the same fields in the same order as Object.keys, without a list of them.
    for (const field in object) {
      const value = object[field];
      if (value === undefined) continue;
      const { first, second } = wordsOf(field);
      this.#word(first);
      this.#word(second);
      this.add(value);
    }
    this.#word(MARK.end);
  }

  #number(value: number): void {
    if (!Number.isFinite(value)) this.#word(MARK.null);
    else if (Number.isInteger(value) && Math.abs(value) < 0x4000_0000) {
      this.#word(MARK.integer);
      this.#word(value);
    } else {
      this.#word(MARK.number);
      if (value !== this.#lastNumber) {
        this.#lastNumber = value;
        this.#lastText = String(value);
      }
      this.#text(this.#lastText);
    }
  }

  /** Two characters at a time, and the length at the end. */
  #text(text: string): void {
    let [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d];
    const even = text.length & ~1;
    for (let index = 0; index < even; index += 2) {
      const pair = text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16);
      a = b ^ Math.imul(a ^ pair, 597399067);
      b = c ^ Math.imul(b ^ pair, 2869860233);
      c = d ^ Math.imul(c ^ pair, 951274213);
      d = a ^ Math.imul(d ^ pair, 2716044179);
    }
    [this.#a, this.#b, this.#c, this.#d] = [a, b, c, d];
    if (text.length > even) this.#word(text.charCodeAt(even));
    this.#word(MARK.text ^ text.length);
  }

  #word(word: number): void {
    this.#a = this.#b ^ Math.imul(this.#a ^ word, 597399067);
    this.#b = this.#c ^ Math.imul(this.#b ^ word, 2869860233);
    this.#c = this.#d ^ Math.imul(this.#c ^ word, 951274213);
    this.#d = this.#a ^ Math.imul(this.#d ^ word, 2716044179);
  }
}

/** What kind of value follows or ends; numbers that small integers and characters are not. */
const MARK = { null: 0x7e000001, true: 0x7e000002, false: 0x7e000003, list: 0x7e000004, object: 0x7e000005, end: 0x7e000006, integer: 0x7e000007, number: 0x7e000008, text: 0x7d000000 } as const;

/**
 * Names of fields are few and come again and again: each is digested once, but for those of a cluster that has too many. Objects
 * of a kind have the same fields in the same order, so the one that came next the last time is looked at first.
 */
function wordsOf(field: string): Name {
  const guess = last.next;
  if (guess !== undefined && guess.field === field) {
    last = guess;
    return guess;
  }
  const name = nameOf(field);
  last.next = name;
  last = name;
  return name;
}

function nameOf(field: string): Name {
  const known = names.get(field);
  if (known !== undefined) return known;
  const [first, second] = new Digest().add(field).words();
  const name: Name = { field, first: first | 0, second: second | 0, next: undefined };
  if (names.size < MAX_NAMES && field.length <= MAX_LENGTH) names.set(field, name);
  return name;
}

interface Name {
  readonly field: string;
  readonly first: number;
  readonly second: number;
  /** What came after it the last time. */
  next: Name | undefined;
}

const names = new Map<string, Name>();
let last: Name = { field: '', first: 0, second: 0, next: undefined };
const MAX_NAMES = 5000;
const MAX_LENGTH = 100;
