import { smallest } from '../lists.ts';
/** So many characters of a piece are looked for first: enough to be rare, few enough that hardly any piece is shorter. */
const GRAM = 4;

/**
 * Finds which of many pieces stand in a text, in one pass over the text (Karp, Rabin: Efficient randomized pattern-matching algorithms,
 * 1987): at each place the next four characters are looked up in a table of the pieces that have them, and only these are compared. The
 * case of letters is ignored; of pieces only ASCII counts. Making the table takes about as long as reading the pieces.
 */
export class PieceSearch {
  readonly #pieces: readonly Piece[];
  /** Each with the numbers it was given under; pieces that are the same are compared once. */
  readonly #numbers: readonly (readonly number[])[];
  /** The last piece of each slot, counted from one; 0: there is none. */
  readonly #slots: Uint16Array;
  readonly #mask: number;
  /** The piece before in the same slot. */
  readonly #before: Uint16Array;
  /** Pieces that are shorter than what is looked up. */
  readonly #short: readonly number[];

  /** A piece without ASCII characters is never found: `pieceOf` gives none. At most 65,535 pieces. */
  constructor(pieces: readonly string[]) {
    const numbers = new Map<string, number[]>();
    for (const [number, piece] of pieces.entries()) {
      if (piece === '') continue;
      const same = numbers.get(piece);
      if (same === undefined) numbers.set(piece, [number]);
      else same.push(number);
    }
    this.#numbers = [...numbers.values()];
    this.#mask = slotsFor(numbers.size) - 1;
    this.#slots = new Uint16Array(this.#mask + 1);
    this.#before = new Uint16Array(numbers.size + 1);
    this.#pieces = this.#place([...numbers.keys()]);
    this.#short = this.#pieces.flatMap(({ text }, index) => (text.length < GRAM ? [index] : []));
  }

  /** Numbers of the pieces that stand in the text, each once, in no order. */
  in(text: string): readonly number[] {
    let found = this.#longIn(text);
    for (const index of this.#short) if (standsAnywhere(this.#pieces[index]?.text ?? '', text)) (found ??= new Set()).add(index);
    return found === undefined ? [] : [...found].flatMap((index) => this.#numbers[index] ?? []);
  }

  #longIn(text: string): Set<number> | undefined {
    const [slots, mask, before] = [this.#slots, this.#mask, this.#before];
    let found: Set<number> | undefined;
    let gram = 0;
    for (let end = 0; end < text.length; end++) {
      gram = (gram << 8) | foldedCode(text, end);
      for (let one = slots[slotOf(gram, mask)] ?? 0; one !== 0; one = before[one] ?? 0) {
        const piece = this.#pieces[one - 1];
        if (piece === undefined || piece.gram !== gram || found?.has(one - 1) === true) continue;
        if (standsAt(piece.text, text, end + 1 - GRAM - piece.offset)) (found ??= new Set()).add(one - 1);
      }
    }
    return found;
  }

  /** Each piece goes by the four of its characters that fewest pieces have, so that a slot holds few. */
  #place(texts: readonly string[]): readonly Piece[] {
    const counts = new Uint16Array(this.#mask + 1);
    for (const text of texts)
      for (const gram of gramsOf(text)) counts[slotOf(gram, this.#mask)] = (counts[slotOf(gram, this.#mask)] ?? 0) + 1;
    return texts.map((text, index) => {
      const grams = gramsOf(text);
      const rarity = grams.map((gram) => counts[slotOf(gram, this.#mask)] ?? 0);
      const offset = rarity.indexOf(smallest(rarity));
      const gram = grams[offset];
      if (gram === undefined) return { text, gram: 0, offset: 0 };
      const slot = slotOf(gram, this.#mask);
      this.#before[index + 1] = this.#slots[slot] ?? 0;
      this.#slots[slot] = index + 1;
      return { text, gram, offset };
    });
  }
}

/** A piece with the characters that it is looked up by, and where in it these are. */
interface Piece {
  readonly text: string;
  readonly gram: number;
  readonly offset: number;
}

/** A power of two, of which one in eight is taken. */
function slotsFor(pieces: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(32, pieces) * 8));
}

/** A multiplication spreads the grams (Knuth, The Art of Computer Programming 3, 6.4). */
function slotOf(gram: number, mask: number): number {
  return (Math.imul(gram, 0x9e_37_79_b1) >>> 12) & mask;
}

function gramsOf(text: string): readonly number[] {
  const grams: number[] = [];
  let gram = 0;
  for (let index = 0; index < text.length; index++) {
    gram = (gram << 8) | foldedCode(text, index);
    if (index + 1 >= GRAM) grams.push(gram);
  }
  return grams;
}

/** The code of a character in lower case; 0 for what is not ASCII. */
function foldedCode(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code >= 65 && code <= 90) return code + 32;
  return code < 128 ? code : 0;
}

function standsAt(piece: string, text: string, start: number): boolean {
  if (start < 0 || start + piece.length > text.length) return false;
  for (let index = 0; index < piece.length; index++) {
    if (piece.charCodeAt(index) !== foldedCode(text, start + index)) return false;
  }
  return true;
}

function standsAnywhere(piece: string, text: string): boolean {
  for (let start = 0; start + piece.length <= text.length; start++) if (standsAt(piece, text, start)) return true;
  return false;
}

/** Longest run of ASCII in a text, at most 24 characters of it: enough to leave few texts that have it by chance. */
export function pieceOf(texts: readonly string[]): string {
  let longest = '';
  for (const text of texts) for (const [run] of text.matchAll(/[ -~]+/g)) if (run.length > longest.length) longest = run;
  return longest.slice(0, PIECE_LENGTH).toLowerCase();
}

const PIECE_LENGTH = 24;
