import { isJsonObject } from '../../base/json.ts';
import { parsedJson } from '../../base/parsed-json.ts';
import { AlikeText, viewOf } from './alike-text.ts';
import type { Outline } from './outline.ts';
import { SHORTEST_TIME, SLOTS } from './outline.ts';
import type { TextPlaces } from './text-places.ts';
import { textPlaces } from './text-places.ts';

/** What an outline told of the object that came last of those that are alike: of the next one only the texts that are others are looked at. */
export class AlikeOutline extends AlikeText {
  /** How many values the object has, at most. */
  readonly values: number;
  #bytes: Buffer;
  /** The number of the text that each slot has, and the slot of each text; -1 for none. */
  readonly #textOf: Int32Array;
  readonly #slotOf: Int8Array;
  readonly #texts: (string | undefined)[] = [];

  constructor(bytes: Buffer, places: Pick<TextPlaces, 'starts' | 'ends'>, textOf: Int32Array, values: number) {
    super(bytes, places);
    [this.#bytes, this.#textOf, this.values] = [bytes, textOf, values];
    this.#slotOf = new Int8Array(places.starts.length).fill(-1);
    for (const [slot, text] of textOf.entries()) if (text >= 0) this.#slotOf[text] = slot;
  }

  /** Whether a text of the object that was matched here is a time that has to be looked at, or names it with an escape. */
  isOdd(bytes: Uint8Array, from: number, outline: Outline): boolean {
    let shift = from;
    for (let index = 0; index < this.changed; index++) {
      const text = this.which[index] as number;
      if (this.escaped[index] === 1 && (this.#slotOf[text] as number) >= 0) return true;
      const [start, length] = [(this.starts[text] as number) + shift, this.lengths[index] as number];
      if (length >= SHORTEST_TIME && outline.mayBeNewest(bytes, start, start + length)) return true;
      shift = start + length - (this.ends[text] as number);
    }
    return false;
  }

  /** Takes the object that was matched here for the last one. */
  take(bytes: Uint8Array, from: number, end: number): void {
    if (this.changed === 0) return;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from);
    this.follow(this.#bytes, viewOf(this.#bytes));
    for (let index = 0; index < this.changed; index++) {
      const slot = this.#slotOf[this.which[index] as number] as number;
      if (slot >= 0) this.#texts[slot] = undefined;
    }
  }

  /** The text of a slot; undefined where the object has none. */
  text(slot: number): string | undefined {
    const text = this.#textOf[slot] as number;
    if (text < 0) return undefined;
    return (this.#texts[slot] ??= this.#bytes.toString('utf8', this.starts[text], this.ends[text]));
  }
}

/** A model of the object that an outline was just taken of; undefined where it is no JSON, or odd. */
export function alikeOutline(outline: Outline, bytes: Uint8Array, from: number, end: number): AlikeOutline | undefined {
  const own = Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from);
  const value = parsedJson(own.toString('utf8'));
  const places = isJsonObject(value) ? textPlaces(own, value) : undefined;
  if (places === undefined) return undefined;
  const texts = new Map(Array.from(places.starts, (start, text) => [start, text] as const));
  const textOf = new Int32Array(SLOTS).fill(-1);
  for (let slot = 0; slot < SLOTS; slot++) {
    const start = outline.startOf(slot);
    if (start < 0) continue;
    const text = texts.get(start - from);
    if (text === undefined) return undefined;
    textOf[slot] = text;
  }
  return new AlikeOutline(own, places, textOf, outline.values);
}
