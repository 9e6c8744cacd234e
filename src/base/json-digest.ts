import { Digest } from './digest.ts';
import type { Json, JsonObject } from './json.ts';

/**
 * A running 128-bit digest of JSON values without writing them out: the same for a value and for what its JSON text is read as,
 * another for another value or another order of fields. Values become words, and the words are mixed a buffer at a time by
 * MurmurHash3 (x86, 128 bits); not for secrets. Of the objects in a long list their digests are words: one of a Service's hundred
 * endpoints has changed, and all words of all of them took longer to mix than all else of it.
 */
export class JsonDigest {
  readonly #words = new Int32Array(BUFFERED);
  /** Words in the buffer that are not mixed yet. */
  #length = 0;
  #mixed = 0;
  #state: State = START;
  #isKept = false;
  /** For members of long lists. */
  #inner: JsonDigest | undefined;

  /** The same for a value nothing of which is ever changed in place: what long lists of it hold is read once. */
  addKept(value: Json): this {
    this.#isKept = true;
    this.add(value);
    this.#isKept = false;
    return this;
  }

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
    return this.#parts()
      .map((word) => (word >>> 0).toString(16).padStart(8, '0'))
      .join('');
  }

  #parts(): readonly number[] {
    const rest = this.#length & 3;
    const state = mix(this.#state, this.#words, this.#length - rest);
    const tail = new Int32Array(4);
    tail.set(this.#words.subarray(this.#length - rest, this.#length));
    return finishedState(rest === 0 ? state : mix(state, tail, 4), this.#mixed + this.#length);
  }

  #list(list: readonly Json[]): void {
    this.#word(MARK.list);
    this.#word(list.length);
    // By number: going through a list made an object for each of its members here.
    const isLong = list.length >= LONG_LIST;
    for (let index = 0; index < list.length; index++)
      if (isLong) this.#member(list[index] as Json);
      else this.add(list[index]);
  }

  #member(member: Json): void {
    if (typeof member !== 'object' || member === null) return void this.add(member);
    this.#word(MARK.member);
    const place = this.#isKept ? keptParts.of(member) : undefined;
    if (place !== undefined) return this.#kept(place);
    const parts = this.#partsOf(member);
    for (const part of parts) this.#word(part);
    if (this.#isKept) keptParts.keep(member, parts);
  }

  /** A word at a time, asking of each whether there is room, took longer than to mix them. */
  #kept(place: number): void {
    const [kept, words] = [keptParts.words, this.#words];
    let at = this.#length;
    if (at > BUFFERED - PARTS) {
      for (let index = place; index < place + PARTS; index++) this.#word(kept[index] as number);
      return;
    }
    for (let index = place; index < place + PARTS; index++) words[at++] = kept[index] as number;
    this.#length = at;
  }

  #partsOf(member: Json): readonly number[] {
    const inner = (this.#inner ??= new JsonDigest());
    [inner.#length, inner.#mixed, inner.#state, inner.#isKept] = [0, 0, START, this.#isKept];
    return inner.add(member).#parts();
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
      FLOAT.setFloat64(0, value);
      this.#word(MARK.number);
      this.#word(FLOAT.getInt32(0));
      this.#word(FLOAT.getInt32(4));
    }
  }

  /** Two characters at a time, and the length at the end. */
  #text(text: string): void {
    const { length } = text;
    const even = length & ~1;
    let at = this.#length;
    const words = this.#words;
    for (let index = 0; index < even; index += 2) {
      if (at === BUFFERED) at = this.#mix();
      words[at++] = text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16);
    }
    this.#length = at;
    if (length > even) this.#word(text.charCodeAt(even));
    this.#word(MARK.text ^ length);
  }

  #word(word: number): void {
    if (this.#length === BUFFERED) this.#mix();
    this.#words[this.#length++] = word;
  }

  /** Mixes the full buffer and begins it anew. */
  #mix(): 0 {
    this.#state = mix(this.#state, this.#words, BUFFERED);
    this.#mixed += BUFFERED;
    this.#length = 0;
    return 0;
  }
}

const LONG_LIST = 16;
/** Words of a digest. */
const PARTS = 4;

/** The digests of values in one list of bounded length, which begins anew when it is full. */
class KeptParts {
  words = new Int32Array(0);
  #places = new WeakMap<object, number>();
  #length = 0;

  /** Where a value's digest is. */
  of(value: object): number | undefined {
    return this.#places.get(value);
  }

  keep(value: object, parts: readonly number[]): void {
    if (this.words.length === 0) this.words = new Int32Array(MAX_KEPT);
    if (this.#length >= MAX_KEPT) [this.#length, this.#places] = [0, new WeakMap()];
    this.#places.set(value, this.#length);
    this.words.set(parts, this.#length);
    this.#length += PARTS;
  }
}

/** 2 MB: those of 130,000 endpoints. */
const MAX_KEPT = 524_288;
const keptParts = new KeptParts();

/** A multiple of four. */
const BUFFERED = 4096;
const FLOAT = new DataView(new ArrayBuffer(8));

interface State {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

const START: State = { a: 0, b: 0, c: 0, d: 0 };

/** The body of MurmurHash3: so many words, which are a multiple of four. */
function mix(state: State, words: Int32Array, length: number): State {
  let { a, b, c, d } = state;
  for (let index = 0; index < length; index += 4) {
    a ^= Math.imul(turned(Math.imul(words[index] ?? 0, C1), 15), C2);
    a = (Math.imul((turned(a, 19) + b) | 0, 5) + 0x561ccd1b) | 0;
    b ^= Math.imul(turned(Math.imul(words[index + 1] ?? 0, C2), 16), C3);
    b = (Math.imul((turned(b, 17) + c) | 0, 5) + 0x0bcaa747) | 0;
    c ^= Math.imul(turned(Math.imul(words[index + 2] ?? 0, C3), 17), C4);
    c = (Math.imul((turned(c, 15) + d) | 0, 5) + 0x96cd1c35) | 0;
    d ^= Math.imul(turned(Math.imul(words[index + 3] ?? 0, C4), 18), C1);
    d = (Math.imul((turned(d, 13) + a) | 0, 5) + 0x32ac3b17) | 0;
  }
  return { a, b, c, d };
}

const [C1, C2, C3, C4] = [0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93];

function turned(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function finishedState({ a, b, c, d }: State, length: number): readonly number[] {
  const first = finished(a ^ length);
  const [second, third, fourth] = [finished(b ^ length), finished(c ^ length), finished(d ^ length)];
  const sum = (first + second + third + fourth) | 0;
  return [sum, (second + sum) | 0, (third + sum) | 0, (fourth + sum) | 0];
}

function finished(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** What kind of value follows or ends; numbers that small integers and characters are not. */
const MARK = {
  null: 0x7e000001,
  true: 0x7e000002,
  false: 0x7e000003,
  list: 0x7e000004,
  object: 0x7e000005,
  end: 0x7e000006,
  integer: 0x7e000007,
  number: 0x7e000008,
  member: 0x7e000009,
  text: 0x7d000000,
} as const;

/**
 * Names of fields are few and come again and again: each is digested once, but for those of a cluster that has too many. Objects
 * of a kind have the same fields in the same order, so what came next the last two times is looked at first.
 */
function wordsOf(field: string): Name {
  const { next, other } = last;
  if (next !== undefined && next.field === field) {
    last = next;
    return next;
  }
  const name = other !== undefined && other.field === field ? other : nameOf(field);
  last.other = next;
  last.next = name;
  last = name;
  return name;
}

function nameOf(field: string): Name {
  const known = names.get(field);
  if (known !== undefined) return known;
  const [first, second] = new Digest().add(field).words();
  const name: Name = { field, first: first | 0, second: second | 0, next: undefined, other: undefined };
  if (names.size < MAX_NAMES && field.length <= MAX_LENGTH) names.set(field, name);
  return name;
}

interface Name {
  readonly field: string;
  readonly first: number;
  readonly second: number;
  /** What came after it the last time. */
  next: Name | undefined;
  /** What came after it before that. */
  other: Name | undefined;
}

const names = new Map<string, Name>();
let last: Name = { field: '', first: 0, second: 0, next: undefined, other: undefined };
const MAX_NAMES = 5000;
const MAX_LENGTH = 100;
