import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { BACKSLASH, QUOTE, SPACE } from './json-bytes.ts';
import type { TextPlaces } from './text-places.ts';
import { textPlaces } from './text-places.ts';

/**
 * Reads JSON objects that differ from one before them in nothing but texts, as the pods of a Deployment do: what is the same is compared
 * byte by byte, and taken from that one. It takes a third of the time of parsing, makes no garbage, and what is the same is kept once.
 */
export class AlikeObjects {
  /** The one that fitted last comes first. */
  readonly #models: Model[] = [];
  #given: Uint8Array | undefined;
  #view: DataView = new DataView(new ArrayBuffer(0));
  /** Objects of which a model was made in vain, one after another, and those that were passed over since then. */
  #vain = 0;
  #passed = 0;
  /** The position behind the last object, and how many values it had, at most. */
  end = -1;
  values = 0;

  /** The object that begins here; undefined where it is like none, or these bytes do not show all of it. */
  read(bytes: Uint8Array, from: number): JsonObject | undefined {
    const models = this.#models;
    const view = this.#viewOf(bytes);
    for (let index = 0; index < models.length; index++) {
      const model = models[index] as Model;
      this.end = model.match(bytes, view, from);
      if (this.end < 0) continue;
      if (index > 0) {
        models.splice(index, 1);
        models.unshift(model);
      }
      this.#vain = 0;
      this.values = model.values;
      return model.made(bytes, from, this.end);
    }
    return undefined;
  }

  #viewOf(bytes: Uint8Array): DataView {
    if (this.#given !== bytes) [this.#given, this.#view] = [bytes, viewOf(bytes)];
    return this.#view;
  }

  /** Takes an object for a model of those that follow. `value` is what comes of the text. */
  learn(text: string, value: Json): void {
    if (this.#vain > MOST_VAIN && ++this.#passed % EVERY !== 0) return;
    this.#vain++;
    const bytes = Buffer.from(text);
    const places = isJsonObject(value) ? textPlaces(bytes, value) : undefined;
    if (places === undefined) return;
    this.#models.unshift(new Model(bytes, places));
    this.#models.length = Math.min(this.#models.length, MOST_MODELS);
  }
}

type Part = Record<string, Json>;

/** The object that came last of those that are alike. */
class Model {
  readonly values: number;
  #bytes: Buffer;
  #view: DataView;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #partOf: Int32Array;
  readonly #fields: readonly string[];
  readonly #parts: TextPlaces['parts'];
  /** The parts of the last object, and those of the one that is being made. */
  readonly #last: Json[];
  readonly #copies: (Part | undefined)[] = [];
  readonly #makers: Maker[] = [];
  /** Texts of the object that are not those of the last one, and how long each is. */
  #changed = 0;
  readonly #which: Int32Array;
  readonly #lengths: Int32Array;
  /** By length: where the last text of that length begins that was made of the object, and the text. */
  readonly #madeAt = new Int32Array(LONGEST_REPEATED).fill(-1);
  readonly #madeTexts: string[] = [];

  constructor(bytes: Buffer, { starts, ends, partOf, fields, parts, values }: TextPlaces) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    [this.#starts, this.#ends, this.#partOf, this.#fields, this.#parts] = [starts, ends, partOf, fields, parts];
    this.#last = parts.map(({ value }) => value);
    [this.#which, this.#lengths] = [new Int32Array(starts.length), new Int32Array(starts.length)];
    this.values = values;
  }

  /** The position behind an object that is like the last one; -1 where it is not. */
  match(bytes: Uint8Array, view: DataView, from: number): number {
    const [like, own, starts, ends] = [this.#bytes, this.#view, this.#starts, this.#ends];
    this.#changed = 0;
    let [shift, text, at] = [from, 0, 0];
    for (;;) {
      // Byte by byte took three times as long. Numbers of the same value have the same bytes here: no text has a byte of zero.
      const last = Math.min(like.length, bytes.length - shift) - WORD;
      while (at <= last && own.getFloat64(at) === view.getFloat64(at + shift)) at += WORD;
      while (at < like.length && bytes[at + shift] === like[at]) at++;
      if (at === like.length) return at + shift;
      while (text < ends.length && (ends[text] as number) < at) text++;
      const start = starts[text];
      if (start === undefined || at < start) return -1;
      const end = endOfPlain(bytes, start + shift);
      if (end < 0) return -1;
      this.#which[this.#changed] = text;
      this.#lengths[this.#changed++] = end - start - shift;
      at = ends[text] as number;
      shift = end - at;
    }
  }

  /** The last one with the texts that are others; parts without any are the same. */
  made(bytes: Uint8Array, from: number, end: number): JsonObject {
    if (this.#changed === 0) return this.#last[0] as JsonObject;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from);
    const view = viewOf(buffer);
    const root = this.#copyOf(0);
    this.#madeAt.fill(-1);
    let [next, shift] = [0, 0];
    for (let text = 0; text < this.#starts.length; text++) {
      const start = (this.#starts[text] as number) + shift;
      this.#starts[text] = start;
      if (this.#which[next] === text && next < this.#changed) {
        const behind = start + (this.#lengths[next++] as number);
        shift = behind - (this.#ends[text] as number);
        this.#copyOf(this.#partOf[text] as number)[this.#fields[text] as string] = this.#text(buffer, view, start, behind);
      }
      this.#ends[text] = (this.#ends[text] as number) + shift;
    }
    this.#bytes = buffer;
    this.#view = view;
    this.#copies.length = 0;
    return root;
  }

  /** One value for the texts of an object that are the same, as most of its times are. */
  #text(buffer: Buffer, view: DataView, start: number, end: number): string {
    const length = end - start;
    if (length < WORD || length >= LONGEST_REPEATED) return buffer.toString('utf8', start, end);
    const known = this.#madeAt[length] as number;
    if (known >= 0 && areSame(view, known, start, length)) return this.#madeTexts[length] as string;
    const text = buffer.toString('utf8', start, end);
    this.#madeAt[length] = start;
    this.#madeTexts[length] = text;
    return text;
  }

  #copyOf(index: number): Part {
    const known = this.#copies[index];
    if (known !== undefined) return known;
    const value = this.#last[index];
    const { within, field } = this.#parts[index] as TextPlaces['parts'][number];
    const copy = (
      Array.isArray(value) ? [...(value as readonly Json[])] : Object.assign(new (this.#makers[index] ??= maker())(false), value)
    ) as Part;
    this.#copies[index] = copy;
    this.#last[index] = copy;
    if (within >= 0) this.#copyOf(within)[field] = copy;
    return copy;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Bytes that are compared at once. */
const WORD = 8;
const LONGEST_REPEATED = 64;

/** Whether the same bytes stand at two places. The last word may overlap with the one before. */
function areSame(view: DataView, one: number, other: number, length: number): boolean {
  const last = length - WORD;
  for (let at = 0; at < last; at += WORD) if (view.getFloat64(one + at) !== view.getFloat64(other + at)) return false;
  return view.getFloat64(one + last) === view.getFloat64(other + last);
}

type Maker = new (wide: boolean) => Part;

/**
 * Makes objects that have room for as many fields as the first few have got. Code that copies objects of all sorts with `{ ...one }` gives
 * each room for four, and keeps the others in a list: that took a quarter more memory and 3 % more time.
 */
function maker(): Maker {
  function made(this: Part, wide: boolean): void {
    if (!wide) return;
    // Never run: V8 counts the fields that are written here, gives room for eight more, and takes back what is not used.
    this.a = 0;
    this.b = 0;
    this.c = 0;
    this.d = 0;
    this.e = 0;
    this.f = 0;
    this.g = 0;
    this.h = 0;
  }
  made.prototype = Object.prototype;
  return made as unknown as Maker;
}

/** The position of the closing quote of a text without escapes; -1 where there is none. */
function endOfPlain(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const code = bytes[at] as number;
    if (code === QUOTE) return at;
    if (code === BACKSLASH || code < SPACE) return -1;
  }
  return -1;
}

/** Objects of so many shapes that follow one another are known. */
const MOST_MODELS = 4;
/** After so many objects that were like none, only every so many-th is taken for a model. */
const MOST_VAIN = 16;
const EVERY = 16;
