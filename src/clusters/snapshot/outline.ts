import { BACKSLASH, CAPITAL_T, CAPITAL_Z, COLON, DASH, OPEN_BRACE, QUOTE, SPACE } from './json-bytes.ts';

// Before what uses them: only then the bundler puts their values into the loops.
/** Lengths of times: RFC 3339 up to the minute, up to the second, as the API server writes it, and at most. */
export const SHORTEST_TIME = 16;
const SECONDS = 19;
const USUAL_TIME = 20;
const LONGEST_TIME = 64;

// What a character outside of strings is; most are no JSON there.
const OTHER = 0;
const STRING = 1;
const OPEN = 2;
const CLOSE = 3;
const COMMA = 4;
const ODD = 5;

/**
 * Finds where a JSON object ends and the few texts of it that name it, without parsing it: in half the time, and without garbage. Whatever
 * is not as usual (an escape in one of these texts, a key that comes twice, a time that may be the newest of all) is left to JSON.parse.
 */
export class Outline {
  readonly #starts = new Int32Array(SLOTS);
  readonly #ends = new Int32Array(SLOTS);
  /** The texts that were last made of these bytes, and where they stand. */
  readonly #texts: (string | undefined)[] = [];
  readonly #before = new Int32Array(SLOTS);
  #given: Uint8Array | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  /** What is looked for in the part of the object that is open, and which of its parts were seen. */
  #parent: readonly Key[] = NONE;
  #parents = 0;
  /** No time up to this second is newer than what is known; without it every time may be. */
  #newest: Uint8Array | undefined;
  /** How many values the last object had, at most. */
  values = 0;

  /** Times up to this one, as the API server writes it, need no look; undefined: all do. */
  set newest(time: string | undefined) {
    this.#newest = time === undefined ? undefined : Buffer.from(time, 'latin1').subarray(0, SECONDS);
  }

  /** The position behind the object that begins here; -1 where these bytes do not show all of it, or it has to be parsed. */
  read(bytes: Uint8Array, from: number): number {
    this.#begin(bytes);
    let [values, depth, at] = [1, 1, from + 1];
    while (at < bytes.length) {
      const sort = SORT[bytes[at++] as number] as number;
      if (sort === STRING) {
        const end = endOfString(bytes, at);
        if (end - at >= SHORTEST_TIME && this.mayBeNewest(bytes, at, end)) return -1;
        at = depth < 3 ? this.#string(at, end, depth) : end + 1;
        if (end < 0 || at < 0) return -1;
      } else if (sort === OPEN) {
        values++;
        depth++;
      } else if (sort === COMMA) values++;
      else if (sort === CLOSE) {
        if (--depth === 0) break;
        if (depth === 1) this.#parent = NONE;
      } else if (sort === ODD) return -1;
    }
    this.values = values;
    return depth === 0 ? at : -1;
  }

  /** The text of a slot; undefined where the object has none. Often it is that of the object before it. */
  text(slot: number): string | undefined {
    const [start, end] = [this.#starts[slot] as number, this.#ends[slot] as number];
    if (start < 0) return undefined;
    const [before, known] = [this.#before[slot] as number, this.#texts[slot]];
    if (known !== undefined && areSame(this.#bytes, before, start, end - start) && this.#bytes[before + end - start] === QUOTE)
      return known;
    const text = this.#bytes.toString('utf8', start, end);
    this.#before[slot] = start;
    this.#texts[slot] = text;
    return text;
  }

  #begin(bytes: Uint8Array): void {
    [this.#parent, this.#parents] = [NONE, 0];
    this.#starts.fill(-1);
    if (this.#given === bytes) return;
    this.#given = bytes;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#texts.length = 0;
  }

  /** Behind a string; behind its value, if it is a key that is looked for; -1 where that is not as usual. */
  #string(start: number, end: number, depth: number): number {
    const wanted = depth === 1 ? OWN : this.#parent;
    if (wanted === NONE) return end + 1;
    const bytes = this.#bytes;
    const key = keyAt(bytes, start, end, wanted);
    if (key === undefined && !isEscaped(bytes, start, end)) return end + 1;
    const colon = behindSpace(bytes, end + 1);
    if (bytes[colon] !== COLON) return colon < bytes.length ? end + 1 : -1;
    if (key === undefined) return -1;
    const value = behindSpace(bytes, colon + 1);
    return key.fields === undefined ? this.#take(key.slot, value) : this.#enter(key.slot, key.fields, value);
  }

  /** The text that is the value of a slot. The last of two would count, but neither is usual. */
  #take(slot: number, at: number): number {
    if (this.#bytes[at] !== QUOTE || this.#starts[slot] !== -1) return -1;
    const end = endOfString(this.#bytes, at + 1);
    if (end < 0 || isEscaped(this.#bytes, at + 1, end)) return -1;
    this.#starts[slot] = at + 1;
    this.#ends[slot] = end;
    return end + 1;
  }

  #enter(part: number, fields: readonly Key[], at: number): number {
    if (this.#bytes[at] !== OPEN_BRACE || (this.#parents & part) !== 0) return -1;
    this.#parents |= part;
    this.#parent = fields;
    return at;
  }

  /** Where the text of a slot begins; -1 where the object has none. */
  startOf(slot: number): number {
    return this.#starts[slot] as number;
  }

  /** Whether a text is a time that is, or may be, newer than the newest that is known. */
  mayBeNewest(bytes: Uint8Array, start: number, end: number): boolean {
    if (bytes[start + 4] !== DASH || bytes[start + 7] !== DASH || bytes[start + 13] !== COLON || end - start > LONGEST_TIME) return false;
    const newest = this.#newest;
    const isUsual = bytes[start + 10] === CAPITAL_T && bytes[end - 1] === CAPITAL_Z;
    if (newest === undefined || !isUsual) return true;
    for (let index = 0; index < SECONDS; index++) {
      const difference = (bytes[start + index] as number) - (newest[index] as number);
      if (difference !== 0) return difference > 0;
    }
    // Parts of a second may make it newer.
    return end - start !== USUAL_TIME;
  }
}

/** The position of the closing quote; -1 where there is none on this line. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const code = bytes[at] as number;
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
    else if (code < SPACE) return -1;
  }
  return -1;
}

function isEscaped(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return true;
  return false;
}

function keyAt(bytes: Uint8Array, start: number, end: number, wanted: readonly Key[]): Key | undefined {
  const first = bytes[start];
  for (const key of wanted) if (key.bytes[0] === first && isAt(bytes, start, end, key.bytes)) return key;
  return undefined;
}

/** Whether the bytes from start to end are these. */
function isAt(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): boolean {
  if (end - start !== wanted.length) return false;
  for (let index = 0; index < wanted.length; index++) if (bytes[start + index] !== wanted[index]) return false;
  return true;
}

function areSame(bytes: Uint8Array, one: number, other: number, length: number): boolean {
  for (let index = 0; index < length; index++) if (bytes[one + index] !== bytes[other + index]) return false;
  return true;
}

function behindSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] as number) <= SPACE) at++;
  return at;
}

interface Key {
  readonly bytes: Uint8Array;
  /** Of a part of the object: its bit. */
  readonly slot: number;
  readonly fields?: readonly Key[];
}

function keys(names: Readonly<Record<string, number>>): readonly Key[] {
  return Object.entries(names).map(([name, slot]) => ({ bytes: Buffer.from(name), slot }));
}

/** Numbers of the texts that are found. */
export const SLOT = {
  kind: 0,
  apiVersion: 1,
  name: 2,
  namespace: 3,
  uid: 4,
  resourceVersion: 5,
  creationTimestamp: 6,
  nodeName: 7,
  involvedKind: 8,
  involvedNamespace: 9,
  involvedName: 10,
} as const;
export const SLOTS = 11;
const NONE: readonly Key[] = [];
const INVOLVED = keys({ kind: SLOT.involvedKind, namespace: SLOT.involvedNamespace, name: SLOT.involvedName });
const { name, namespace, uid, resourceVersion, creationTimestamp } = SLOT;
/** The object's own fields; those with fields of their own have a bit each. */
const OWN: readonly Key[] = [
  ...keys({ kind: SLOT.kind, apiVersion: SLOT.apiVersion }),
  { bytes: Buffer.from('metadata'), slot: 1, fields: keys({ name, namespace, uid, resourceVersion, creationTimestamp }) },
  { bytes: Buffer.from('spec'), slot: 2, fields: keys({ nodeName: SLOT.nodeName }) },
  // Of an event, either of them.
  { bytes: Buffer.from('involvedObject'), slot: 4, fields: INVOLVED },
  { bytes: Buffer.from('regarding'), slot: 4, fields: INVOLVED },
];

const SORT = new Uint8Array(256).fill(ODD);
for (const [sort, characters] of [
  [OTHER, ' \t\r\n:0123456789+-.eEtrufalsn'],
  [STRING, '"'],
  [OPEN, '{['],
  [CLOSE, '}]'],
  [COMMA, ','],
] as const)
  for (const character of characters) SORT[character.charCodeAt(0)] = sort;
