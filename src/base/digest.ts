/**
 * A running 128-bit digest of text, to tell two long texts apart by one word of 32 hex digits. Not for secrets: it is made to be
 * fast and the same on every machine, not to withstand an adversary. Four lanes, after Bryc's cyrb128.
 */
export class Digest {
  // Signed: a field that has once held a larger number is never as fast again.
  #a = 1779033703;
  #b = 3144134277 | 0;
  #c = 1013904242;
  #d = 2773480762 | 0;

  add(text: string): this {
    let [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d];
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      a = b ^ Math.imul(a ^ unit, 597399067);
      b = c ^ Math.imul(b ^ unit, 2869860233);
      c = d ^ Math.imul(c ^ unit, 951274213);
      d = a ^ Math.imul(d ^ unit, 2716044179);
    }
    [this.#a, this.#b, this.#c, this.#d] = [a, b, c, d];
    return this;
  }

  /** The digest of the same text, to which other text may be added. */
  copy(): Digest {
    const copy = new Digest();
    [copy.#a, copy.#b, copy.#c, copy.#d] = [this.#a, this.#b, this.#c, this.#d];
    return copy;
  }

  /** The digest of all that was added so far; more may be added afterwards. */
  hex(): string {
    return this.words()
      .map((word) => word.toString(16).padStart(8, '0'))
      .join('');
  }

  /** The digest as four unsigned 32-bit numbers. */
  words(): readonly [number, number, number, number] {
    let a = Math.imul(this.#c ^ (this.#a >>> 18), 597399067);
    let b = Math.imul(this.#d ^ (this.#b >>> 22), 2869860233);
    let c = Math.imul(a ^ (this.#c >>> 17), 951274213);
    const d = Math.imul(b ^ (this.#d >>> 19), 2716044179);
    a ^= b ^ c ^ d;
    b ^= a;
    c ^= a;
    return [a >>> 0, b >>> 0, c >>> 0, (d ^ a) >>> 0];
  }
}

export function digestOf(text: string): string {
  return new Digest().add(text).hex();
}

/** FNV-1a, 32 bits, over the text's UTF-8 bytes: what Kubernetes hashes pod templates with. */
export function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    const point = text.codePointAt(index) ?? 0;
    if (point > 0xffff) index++;
    for (const byte of utf8(point)) hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash >>> 0;
}

function utf8(point: number): readonly number[] {
  if (point < 0x80) return [point];
  if (point < 0x800) return [0xc0 | (point >> 6), 0x80 | (point & 63)];
  if (point < 0x10000) return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63)];
  return [0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63)];
}
