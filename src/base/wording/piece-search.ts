/**
 * Finds which of many pieces stand in a text, in one pass over the text whatever it and they are (Aho, Corasick: Efficient String Matching,
 * 1975). The case of letters is ignored; of pieces only ASCII counts.
 */
export class PieceSearch {
  readonly #classes = new Uint8Array(128);
  readonly #width: number;
  /** Next state by state and class of character: a state is the longest beginning of a piece that the text ends with. */
  readonly #next: Uint32Array;
  /** Pieces that end in a state, and the next shorter state in which one ends. */
  readonly #ends: (readonly number[] | undefined)[];
  readonly #shorter: Uint32Array;

  /** A piece without ASCII characters is never found: `pieceOf` gives none. */
  constructor(pieces: readonly string[]) {
    let width = 1;
    for (const piece of pieces) for (const code of codesOf(piece)) if (this.#classes[code] === 0) this.#classes[code] = width++;
    for (let code = 65; code <= 90; code++) this.#classes[code] = this.#classes[code + 32] ?? 0;
    this.#width = width;
    const states = pieces.reduce((sum, piece) => sum + piece.length, 1);
    this.#next = new Uint32Array(states * width);
    this.#shorter = new Uint32Array(states);
    this.#ends = Array.from({ length: states });
    const parents = this.#plant(pieces);
    this.#link(parents);
  }

  /** Numbers of the pieces that stand in the text, each once, in no order. */
  in(text: string): readonly number[] {
    const [next, width, classes] = [this.#next, this.#width, this.#classes];
    let found: Set<number> | undefined;
    for (let index = 0, state = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      const kind = code < 128 ? (classes[code] ?? 0) : 0;
      state = kind === 0 ? 0 : (next[state * width + kind] ?? 0);
      for (let at = this.#ends[state] === undefined ? (this.#shorter[state] ?? 0) : state; at !== 0; at = this.#shorter[at] ?? 0) {
        found ??= new Set();
        for (const piece of this.#ends[at] ?? []) found.add(piece);
      }
    }
    return found === undefined ? [] : [...found];
  }

  /** The tree of all pieces. Gives its states in the order of their depth, each with its parent and character. */
  #plant(pieces: readonly string[]): readonly (readonly [state: number, parent: number, kind: number])[] {
    const levels: (readonly [number, number, number])[][] = [];
    let states = 1;
    for (const [number, piece] of pieces.entries()) {
      let state = 0;
      for (const [depth, code] of codesOf(piece).entries()) {
        const kind = this.#classes[code] ?? 0;
        const place = state * this.#width + kind;
        if (this.#next[place] === 0) {
          this.#next[place] = states;
          (levels[depth] ??= []).push([states, state, kind]);
          states++;
        }
        state = this.#next[place] ?? 0;
      }
      this.#ends[state] = [...(this.#ends[state] ?? []), number];
    }
    return levels.flat();
  }

  /** Where a state has no child for a character, its longest proper suffix goes on. */
  #link(states: readonly (readonly [number, number, number])[]): void {
    const [next, width] = [this.#next, this.#width];
    const suffixes = new Uint32Array(this.#shorter.length);
    for (const [state, parent, kind] of states) {
      const suffix = parent === 0 ? 0 : (next[(suffixes[parent] ?? 0) * width + kind] ?? 0);
      suffixes[state] = suffix;
      this.#shorter[state] = this.#ends[suffix] === undefined ? (this.#shorter[suffix] ?? 0) : suffix;
      for (let each = 1; each < width; each++) {
        if (next[state * width + each] === 0) next[state * width + each] = next[suffix * width + each] ?? 0;
      }
    }
  }
}

/** Longest run of ASCII in a text, at most 24 characters of it: enough to leave few texts that have it by chance. */
export function pieceOf(texts: readonly string[]): string {
  let longest = '';
  for (const text of texts) for (const [run] of text.matchAll(/[ -~]+/g)) if (run.length > longest.length) longest = run;
  return longest.slice(0, PIECE_LENGTH).toLowerCase();
}

const PIECE_LENGTH = 24;

function codesOf(piece: string): readonly number[] {
  return Array.from({ length: piece.length }, (_, index) => piece.charCodeAt(index));
}
