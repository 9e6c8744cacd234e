import { BACKSLASH, QUOTE, SPACE } from './json-bytes.ts';
import type { TextPlaces } from './text-places.ts';

/** Bytes that are compared at once. */
export const WORD = 8;

/** The text of the JSON object that came last of those that differ in nothing but texts, and where these texts stand in it. */
export class AlikeText {
  #bytes: Uint8Array;
  #view: DataView;
  /** Of each text, as in `TextPlaces`: of the object that was followed last. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** How many texts of the object that was compared last are others, which these are, in their order, and how long each is. */
  changed = 0;
  readonly which: Int32Array;
  readonly lengths: Int32Array;
  /** Of each of these, 1 where it has escapes. */
  readonly escaped: Uint8Array;

  constructor(bytes: Uint8Array, { starts, ends }: Pick<TextPlaces, 'starts' | 'ends'>) {
    [this.#bytes, this.#view, this.starts, this.ends] = [bytes, viewOf(bytes), starts, ends];
    [this.which, this.lengths] = [new Int32Array(starts.length), new Int32Array(starts.length)];
    this.escaped = new Uint8Array(starts.length);
  }

  /** The position behind an object that is like the last one; -1 where it is not. */
  match(bytes: Uint8Array, view: DataView, from: number): number {
    const [like, own, starts, ends] = [this.#bytes, this.#view, this.starts, this.ends];
    this.changed = 0;
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
      const found = endOfText(bytes, start + shift);
      if (found === 0) return -1;
      const end = Math.abs(found);
      this.which[this.changed] = text;
      this.escaped[this.changed] = found < 0 ? 1 : 0;
      this.lengths[this.changed++] = end - start - shift;
      at = ends[text] as number;
      shift = end - at;
    }
  }

  /** The object that was matched is the last one from now on. `bytes` and `view` are its own. */
  follow(bytes: Uint8Array, view: DataView): void {
    const [starts, ends] = [this.starts, this.ends];
    let [next, shift] = [0, 0];
    for (let text = 0; text < starts.length; text++) {
      const start = (starts[text] as number) + shift;
      starts[text] = start;
      if (this.which[next] === text && next < this.changed) shift = start + (this.lengths[next++] as number) - (ends[text] as number);
      ends[text] = (ends[text] as number) + shift;
    }
    [this.#bytes, this.#view] = [bytes, view];
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The position of the closing quote of a text; the same below zero where the text has escapes, and 0 where it is none for certain. */
function endOfText(bytes: Uint8Array, from: number): number {
  let isEscaped = false;
  for (let at = from; at < bytes.length; at++) {
    const code = bytes[at] as number;
    if (code === QUOTE) return isEscaped ? -at : at;
    if (code < SPACE) return 0;
    if (code !== BACKSLASH) continue;
    if (!ESCAPES.has(bytes[++at])) return 0;
    isEscaped = true;
  }
  return 0;
}

/** What stands behind a backslash, but for the number of a character. */
const ESCAPES: ReadonlySet<number | undefined> = new Set(Array.from('"\\/bfnrt', (sign) => sign.charCodeAt(0)));

/** Texts that objects may be like: those of the last few shapes. The one that fitted last comes first. */
export class AlikeTexts<Model extends AlikeText> {
  readonly #models: Model[] = [];
  #given: Uint8Array | undefined;
  #view: DataView = new DataView(new ArrayBuffer(0));
  /** Objects of which a model was made in vain, one after another, and those that were passed over since then. */
  #vain = 0;
  #passed = 0;
  /** The position behind the object that was found last. */
  end = -1;

  /** The text that the object that begins here is like; undefined where it is like none, or these bytes do not show all of it. */
  find(bytes: Uint8Array, from: number): Model | undefined {
    const models = this.#models;
    if (this.#given !== bytes) [this.#given, this.#view] = [bytes, viewOf(bytes)];
    for (let index = 0; index < models.length; index++) {
      const model = models[index] as Model;
      this.end = model.match(bytes, this.#view, from);
      if (this.end < 0) continue;
      if (index > 0) {
        models.splice(index, 1);
        models.unshift(model);
      }
      this.#vain = 0;
      return model;
    }
    return undefined;
  }

  /** Whether the next object that is like none is to be a model: where most are in vain, only some. */
  wants(): boolean {
    if (this.#vain > MOST_VAIN && ++this.#passed % EVERY !== 0) return false;
    this.#vain++;
    return true;
  }

  add(model: Model): void {
    this.#models.unshift(model);
    this.#models.length = Math.min(this.#models.length, MOST_MODELS);
  }
}

/** Objects of so many shapes that follow one another are known. */
const MOST_MODELS = 4;
/** After so many objects that were like none, only every so many-th is taken for a model. */
const MOST_VAIN = 16;
const EVERY = 16;
