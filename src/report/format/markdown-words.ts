import { largest } from '../../base/lists.ts';
import { printableUpTo, repeated } from '../../base/text.ts';
import { clusterLine } from './cluster-text.ts';

/** Text that is Markdown already. It is made by `marked`, `code` and `fenced` only, so that nothing foreign becomes markup unescaped. */
export interface Markdown {
  readonly markdown: string;
}

/** Markdown of a template: every text that is put in is escaped, and what is Markdown stays. */
export function marked(parts: TemplateStringsArray, ...values: readonly (string | number | Markdown)[]): Markdown {
  return { markdown: parts.map((part, index) => part + written(values[index] ?? '')).join('') };
}

/** An empty line. */
export const BLANK: Markdown = { markdown: '' };

function written(value: string | number | Markdown): string {
  return typeof value === 'string' ? escaped(value) : typeof value === 'number' ? String(value) : value.markdown;
}

/** Text that stays text: everything that Markdown or HTML would read as markup is escaped, also what is markup only where a line begins. */
function escaped(text: string): string {
  return clusterLine(text, 1200)
    .replaceAll(/[\\`*_{}[\]()#+!|~]/g, String.raw`\$&`)
    .replace(/^[-=]/, String.raw`\$&`)
    .replace(/^(\d{1,9})\./, String.raw`$1\.`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** The pieces with this between them. */
export function joined(pieces: readonly (string | Markdown)[], between: string): Markdown {
  return { markdown: pieces.map(written).join(between) };
}

/** A word in code; nothing where there is none. */
export function code(text: string): Markdown {
  const word = clusterLine(text, 300).replaceAll('`', "'");
  return { markdown: word === '' ? '' : `\`${word}\`` };
}

/** A block whose fence is longer than any in the text. */
export function fenced(text: string, indent: string, language: 'sh' | '' = ''): readonly Markdown[] {
  const safe = printableUpTo(text, 4000);
  const fence = repeated('`', largest([3, ...[...safe.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)]));
  return [fence + language, ...safe.split('\n'), fence].map((line) => ({ markdown: indent + line }));
}

/** The lines as a file. */
export function document(lines: readonly Markdown[]): string {
  return `${lines.map(({ markdown }) => markdown).join('\n')}\n`;
}
