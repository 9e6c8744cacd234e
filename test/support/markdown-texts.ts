import { readFileSync } from 'node:fs';
import type { Text } from './read-texts.ts';

/** The paragraphs, list items, headings and table cells of a Markdown file, without code blocks and addresses of links. */
export function markdownTexts(file: string): readonly Text[] {
  const texts: Text[] = [];
  let block: { readonly line: number; readonly lines: string[] } | undefined;
  let isCode = false;
  const close = (): void => {
    if (block !== undefined) texts.push({ place: `${file}:${String(block.line)}`, field: 'markdown', text: block.lines.join(' ') });
    block = undefined;
  };
  for (const [index, raw] of readFileSync(file, 'utf8').split('\n').entries()) {
    const line = raw.replaceAll(/\]\([^)]*\)/g, ']').trim();
    const isFence = line.startsWith('```');
    if (isFence) isCode = !isCode;
    if (isFence || isCode || line === '' || /^(#|[-*] |\d+\. |\||<)/.test(line)) close();
    if (isFence || isCode || line === '' || line.startsWith('<')) continue;
    if (line.startsWith('|')) {
      texts.push(
        ...line
          .split('|')
          .filter((cell) => /[A-Za-z]/.test(cell))
          .map((cell) => ({ place: `${file}:${String(index + 1)}`, field: 'markdown', text: cell.trim() })),
      );
      continue;
    }
    block ??= { line: index + 1, lines: [] };
    block.lines.push(line.replace(/^(#+|[-*]|\d+\.) /, ''));
  }
  close();
  return texts;
}
