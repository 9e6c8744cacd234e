import { assert } from '../../../base/assert.ts';
import { pieceOf, PieceSearch } from '../../../base/wording/piece-search.ts';
import { readTemplate } from '../../../base/wording/read-template.ts';
import type { Template } from '../../../base/wording/template.ts';
import { parseTemplate } from '../../../base/wording/template.ts';
import type { Opening } from '../../../model/rule.ts';

export interface FoundOpening {
  readonly opening: Opening;
  /** The text from its opening on, or what stands in it in quotation marks. */
  readonly message: string;
  /** Where it begins in the text. */
  readonly index: number;
  /** The text it was found in: inline code, or all of it. */
  readonly text: string;
}

interface Ready {
  readonly opening: Opening;
  readonly template: Template;
}

/** Looks for many openings at once; of several in a text the first counts, which is the outermost. */
export class OpeningSearch {
  readonly #openings: readonly Ready[];
  readonly #search: PieceSearch;

  constructor(openings: readonly Opening[]) {
    this.#openings = openings.map(ready);
    this.#search = new PieceSearch(this.#openings.map(({ template }) => pieceOf(template.pieces)));
  }

  /** Inline code is searched first; a mark that nothing closes begins none. */
  in(text: string): FoundOpening | undefined {
    const pieces = text.includes('`') ? text.split('`').filter((_, index, { length }) => index % 2 === 1 && index < length - 1) : [];
    for (const piece of [...pieces, text]) {
      const found = this.#first(piece);
      if (found !== undefined) return { ...found, text: piece.trim() };
    }
    return undefined;
  }

  #first(text: string): Omit<FoundOpening, 'text'> | undefined {
    let best: Omit<FoundOpening, 'text'> | undefined;
    let literal = 0;
    for (const number of this.#search.in(text)) {
      const one = this.#openings[number];
      const found = one === undefined ? undefined : read(one, text);
      if (one === undefined || found === undefined) continue;
      const earlier = best === undefined || found.index < best.index || (found.index === best.index && one.template.literal > literal);
      if (earlier) [best, literal] = [found, one.template.literal];
    }
    return best;
  }
}

function ready(opening: Opening): Ready {
  const template = parseTemplate(opening.text);
  assert(!('problem' in template), 'the catalog has made sure that openings can be read');
  return { opening, template };
}

function read({ opening, template }: Ready, text: string): Omit<FoundOpening, 'text'> | undefined {
  const captured = readTemplate(template, text, text);
  if (captured === undefined) return undefined;
  const first = text.indexOf(template.pieces.find((piece) => piece !== '') ?? '');
  // What is captured at the beginning is part of the message.
  const lead = template.pieces[0] === '' ? captured[template.captures[0]?.name ?? ''] : undefined;
  const index = first - String(lead ?? '').length;
  const inner = captured['message'];
  const message = typeof inner === 'string' ? unquoted(inner) : withoutMark(text.slice(index).trim(), text.charAt(index - 1));
  return { opening, message: message.startsWith(opening.begins) ? message : `${opening.begins}${message}`, index };
}

/** Without the quotation mark at its end, where one stands before it. */
function withoutMark(message: string, before: string): string {
  return before === '"' && message.endsWith('"') ? message.slice(0, -1) : message;
}

/** The quotation mark that ends a message within a log line, with the fields behind it. A CNI plugin's `type="…" name="…"` is in the message. */
function unquoted(text: string): string {
  const end = text.search(/"(?: (?!name=)[a-zA-Z]{1,30}=|,? failed to "|\]?$)/);
  return end < 0 ? text : text.slice(0, end);
}
