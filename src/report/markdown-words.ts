import { printableUpTo, repeated } from '../base/text.ts';
import { clusterLine } from './cluster-text.ts';

/** Text that stays text: everything that Markdown or HTML would read as markup is escaped. */
export function escaped(text: string): string {
  return clusterLine(text, 1200).replaceAll(/[\\`*_{}[\]()#+!|~]/g, String.raw`\$&`).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A word in code. */
export function code(text: string): string {
  return `\`${clusterLine(text, 300).replaceAll('`', "'")}\``;
}

/** A block whose fence is longer than any in the text. */
export function fenced(text: string, indent: string): readonly string[] {
  const safe = printableUpTo(text, 4000);
  const fence = repeated('`', Math.max(3, ...[...safe.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return [fence, ...safe.split('\n'), fence].map((line) => indent + line);
}

/** The lines as a file. */
export function document(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
