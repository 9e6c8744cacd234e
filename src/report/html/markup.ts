import { clusterBlock, clusterLine } from '../format/cluster-text.ts';

/** Text that is HTML already. It is made by `html` and `block` only, so that no foreign text becomes markup. */
export interface Html {
  readonly html: string;
}

/** What can be put into HTML. `undefined` is left out. */
export type Piece = string | number | Html | readonly Html[] | undefined;

/** HTML of a template: every text that is put in is escaped, in an attribute, too, and what is HTML stays. Attributes stand in `"`. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return { html: parts.map((part, index) => part + written(values[index])).join('') };
}

/** Text with its lines, for `<pre>`: a quote as long as a person reads it, or all of a command. */
export function block(text: string, whole: boolean): Html {
  return { html: escaped(clusterBlock(text, whole)) };
}

function written(value: Piece): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(clusterLine(value, LINE_LIMIT));
  return 'html' in value ? value.html : value.map((piece) => piece.html).join('');
}

/** Characters of one text. */
const LINE_LIMIT = 1200;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
