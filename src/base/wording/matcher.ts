import { pieceOf, PieceSearch } from './piece-search.ts';
import type { Located } from './read-template.ts';
import { locateTemplate } from './read-template.ts';
import type { Template } from './template.ts';

/** A template to be looked for. `anyCase`: the case of its letters does not count; `general`: any other that fits is better. */
export interface Matchable {
  readonly template: Template;
  readonly anyCase: boolean;
  readonly general?: boolean;
}

/** A template that fits a text, with what it captured there. */
export interface Fitting<W> extends Located {
  readonly wording: W;
}

/**
 * Many templates compiled to be held against a text at once. One pass over the text finds those whose longest literal stands in it; only
 * these are read, so the time is linear in the text and hardly depends on how many templates there are.
 */
export class Matcher<W extends Matchable> {
  readonly #wordings: readonly W[];
  readonly #search: PieceSearch;
  /** Templates without an ASCII literal: they are always read. */
  readonly #unsearched: readonly number[];

  constructor(wordings: readonly W[]) {
    this.#wordings = wordings.toSorted((a, b) => bySpecificity(a, b));
    const pieces = this.#wordings.map(({ template }) => pieceOf(template.pieces));
    this.#search = new PieceSearch(pieces);
    this.#unsearched = pieces.flatMap((piece, index) => (piece === '' ? [index] : []));
  }

  /** The most particular template that fits the text, of those that are accepted. */
  best(text: string, accepts: (wording: W) => boolean): Fitting<W> | undefined {
    const candidates = [...this.#search.in(text), ...this.#unsearched];
    if (candidates.length === 0) return undefined;
    let folded: string | undefined;
    for (const index of candidates.toSorted((a, b) => a - b)) {
      const wording = this.#wordings[index];
      if (wording === undefined || !accepts(wording)) continue;
      const located = locateTemplate(wording.template, text, wording.anyCase ? (folded ??= foldCase(text)) : text);
      if (located !== undefined) return { wording, ...located };
    }
    return undefined;
  }
}

/**
 * The more particular of two templates first: one that is not general; more literal characters; then fewer captures; then the one in which
 * case counts. What is
 * left is in the order it was given.
 */
function bySpecificity(a: Matchable, b: Matchable): number {
  return (
    (a.general === true ? 1 : 0) - (b.general === true ? 1 : 0) ||
    b.template.literal - a.template.literal ||
    a.template.captures.length - b.template.captures.length ||
    (a.anyCase ? 1 : 0) - (b.anyCase ? 1 : 0)
  );
}

/** Lower case of ASCII letters only: each character stays where it is. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
