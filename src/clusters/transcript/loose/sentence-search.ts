import { assert } from '../../../base/assert.ts';
import { pieceOf, PieceSearch } from '../../../base/wording/piece-search.ts';
import type { Captured } from '../../../base/wording/read-template.ts';
import { readTemplate } from '../../../base/wording/read-template.ts';
import type { Template } from '../../../base/wording/template.ts';
import { parseTemplate } from '../../../base/wording/template.ts';

/** What a sentence is part of where it does not stand alone. */
export type Carrier =
  | {
      readonly as: 'event';
      readonly reason: string;
      readonly component: string;
      /** What the event's message begins with, where a log leaves it out. */
      readonly prefix?: string;
    }
  | { readonly as: 'answer' }
  /** The message of a node's condition Ready. */
  | { readonly as: 'node' }
  /** A line of a program's log. */
  | { readonly as: 'log' };

export interface ReadySentence {
  readonly carrier: Carrier;
  readonly template: Template;
}

export interface FoundSentence {
  readonly carrier: Carrier;
  /** The sentence from its beginning, or what stands in it in quotation marks. */
  readonly message: string;
  readonly captured: Captured;
  /** Where it begins in the text. */
  readonly index: number;
}

export function sentence(carrier: Carrier, text: string): ReadySentence {
  const template = parseTemplate(text);
  assert(!('problem' in template), `the sentence ${JSON.stringify(text)} can be read`);
  return { carrier, template };
}

/** Looks for many sentences at once; of several in a text the first counts, which is the outermost. */
export class SentenceSearch {
  readonly #sentences: readonly ReadySentence[];
  readonly #search: PieceSearch;

  constructor(sentences: readonly ReadySentence[]) {
    this.#sentences = sentences;
    this.#search = new PieceSearch(sentences.map(({ template }) => pieceOf(template.pieces)));
  }

  first(text: string): FoundSentence | undefined {
    let best: FoundSentence | undefined;
    let literal = 0;
    for (const number of this.#search.in(text)) {
      const one = this.#sentences[number];
      const found = one === undefined ? undefined : read(one, text);
      if (one === undefined || found === undefined) continue;
      const earlier = best === undefined || found.index < best.index || (found.index === best.index && one.template.literal > literal);
      if (earlier) [best, literal] = [found, one.template.literal];
    }
    return best;
  }
}

function read({ carrier, template }: ReadySentence, text: string): FoundSentence | undefined {
  const captured = readTemplate(template, text, text);
  if (captured === undefined) return undefined;
  const index = text.indexOf(template.pieces.find((piece) => piece !== '') ?? '');
  const inner = captured['message'];
  const message = typeof inner === 'string' ? unquoted(inner) : text.slice(index).trim();
  return {
    carrier,
    message:
      carrier.as === 'event' && carrier.prefix !== undefined && !message.startsWith(carrier.prefix)
        ? `${carrier.prefix}${message}`
        : message,
    captured,
    index,
  };
}

/** The quotation mark that ends a message within a log line, with the fields behind it. */
function unquoted(text: string): string {
  const end = text.search(/"(?: [a-zA-Z]{1,30}=|,? failed to "|\]?$)/);
  return end < 0 ? text : text.slice(0, end);
}
