import { Digest } from './digest.ts';

/**
 * A seeded source of numbers (sfc32), the same on every machine. `split` gives streams that do not depend on how much was drawn
 * from this one, so that a new draw in one place does not change the numbers of another.
 */
export class Prng {
  /** Of the seed: what is added to a seed for a stream of its own is all that is digested then. */
  readonly #seed: Digest;
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(seed: string | number | Digest | Prng) {
    if (seed instanceof Prng) {
      this.#seed = seed.#seed;
      [this.#a, this.#b, this.#c, this.#counter] = [seed.#a, seed.#b, seed.#c, seed.#counter];
      return;
    }
    this.#seed = seed instanceof Digest ? seed : new Digest().add(String(seed));
    const [a, b, c, counter] = this.#seed.words();
    this.#a = a | 0;
    this.#b = b | 0;
    this.#c = c | 0;
    this.#counter = counter | 0;
    this.skip(12);
  }

  /** An own stream for a purpose: the same label always gives the same stream. */
  split(label: string): Prng {
    return new Prng(this.#seed.copy().add('/').add(label));
  }

  /** The same stream from here on, drawn from on its own. */
  copy(): Prng {
    return new Prng(this);
  }

  /** Leaves out so many draws, as if `bits` were asked for each. */
  skip(draws: number): void {
    let [a, b, c, counter] = [this.#a, this.#b, this.#c, this.#counter];
    for (let index = 0; index < draws; index++) {
      const sum = (a + b + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + sum) | 0;
    }
    [this.#a, this.#b, this.#c, this.#counter] = [a, b, c, counter];
  }

  /** 32 random bits as an unsigned number. */
  bits(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** At least 0, below 1. */
  fraction(): number {
    return this.bits() / 0x1_0000_0000;
  }

  /** A whole number of at least 0 and below the limit (at most 2^32). */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** At least `low`, below `high`. */
  between(low: number, high: number): number {
    return low + this.fraction() * (high - low);
  }

  pick<T>(choices: readonly T[]): T | undefined {
    return choices[this.below(choices.length)];
  }

  /** `length` characters of the alphabet. */
  text(alphabet: string, length: number): string {
    // In one piece: a text put together character by character is kept as a chain of them.
    const codes: number[] = [];
    for (let index = 0; index < length; index++) codes.push(alphabet.charCodeAt(this.below(alphabet.length)));
    return String.fromCharCode(...codes);
  }

  hex(length: number): string {
    const codes: number[] = [];
    // The first four bits are what `below` makes of all.
    for (let index = 0; index < length; index++) codes.push(HEX.charCodeAt(this.bits() >>> 28));
    return String.fromCharCode(...codes);
  }

  /** In the form of a version 4 UUID. */
  uuid(): string {
    const [a, b, c, d] = [this.bits(), this.bits(), this.bits(), this.bits()];
    const codes: number[] = [];
    digits(codes, a, 28, 0);
    codes.push(DASH);
    digits(codes, b, 28, 16);
    codes.push(DASH, HEX.charCodeAt(4));
    digits(codes, b, 8, 0);
    codes.push(DASH, HEX.charCodeAt(8 + ((c >>> 28) % 4)));
    digits(codes, c, 24, 16);
    codes.push(DASH);
    digits(codes, c, 12, 0);
    digits(codes, d, 28, 0);
    return String.fromCharCode(...codes);
  }
}

const HEX = '0123456789abcdef';
const DASH = 45;

/** Appends the hex digits of a word from one bit down to another. */
function digits(codes: number[], word: number, from: number, to: number): void {
  for (let bit = from; bit >= to; bit -= 4) codes.push(HEX.charCodeAt((word >>> bit) & 15));
}
