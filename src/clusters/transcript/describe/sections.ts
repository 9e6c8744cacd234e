import type { Line } from '../clean-lines.ts';
import { cellsOf } from '../tables.ts';

/** A `Key:  value` of a describe with the lines under it. */
export interface Section {
  readonly key: string;
  /** What stands behind the colon; empty when there is nothing. */
  readonly value: string;
  /** Deeper lines and, after a text with line breaks of its own, whatever follows it. */
  readonly body: readonly Line[];
  readonly line: number;
}

const KEY = /^([^:]{1,253}):(?:\s+(.*)|$)/;

/**
 * Cuts lines into the sections at the indentation of the first of them. Lines that are deeper, or that no key begins, belong to the
 * section before. `known` limits the keys: a message with line breaks prints its lines at the left margin, where they would look
 * like keys.
 */
export function sectionsOf(lines: readonly Line[], known?: ReadonlySet<string>): readonly Section[] {
  const sections: { key: string; value: string; body: Line[]; line: number }[] = [];
  const first = lines.find(({ text }) => text.trim() !== '');
  const indent = first === undefined ? 0 : indentOf(first.text);
  for (const line of known === undefined ? lines : lines.flatMap((each) => apart(each, known))) {
    const key = indentOf(line.text) === indent ? KEY.exec(line.text.slice(indent)) : null;
    if (key !== null && (known === undefined || known.has(key[1] ?? ''))) {
      sections.push({ key: key[1] ?? '', value: (key[2] ?? '').trim(), body: [], line: line.number });
    } else sections.at(-1)?.body.push(line);
  }
  return sections;
}

/**
 * Of annotations that are all left out, kubectl up to 1.18 prints the key alone, and the next key behind it. Source:
 * staging/src/k8s.io/kubectl/pkg/describe/describe.go (printAnnotationsMultiline).
 */
function apart(line: Line, known: ReadonlySet<string>): readonly Line[] {
  const [, spaces = '', next = '', key = ''] = /^( {0,12})Annotations:\s{1,40}(([A-Z][A-Za-z ]{1,40}):(?:\s.*|$))/.exec(line.text) ?? [];
  return known.has(key)
    ? [
        { ...line, text: `${spaces}Annotations:` },
        { ...line, text: spaces + next },
      ]
    : [line];
}

/** Sections by key; of equal keys the first. */
export class Sections {
  readonly all: readonly Section[];
  readonly #byKey: ReadonlyMap<string, Section>;

  constructor(lines: readonly Line[], known?: ReadonlySet<string>) {
    this.all = sectionsOf(lines, known);
    this.#byKey = new Map(this.all.toReversed().map((section) => [section.key, section]));
  }

  get(...keys: readonly string[]): Section | undefined {
    for (const key of keys) {
      const section = this.#byKey.get(key);
      if (section !== undefined) return section;
    }
    return undefined;
  }

  /** The section a text without an Events section ends with: it may have been cut off within it. */
  get cut(): string | undefined {
    return this.has('Events') ? undefined : this.all.at(-1)?.key;
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  value(...keys: readonly string[]): string | undefined {
    return this.get(...keys)?.value;
  }

  /** The section's value and the lines under it as one text. */
  text(...keys: readonly string[]): string | undefined {
    const section = this.get(...keys);
    return section === undefined ? undefined : textOf(section);
  }

  /** The section's value and each line under it, trimmed. */
  values(key: string): readonly string[] | undefined {
    const section = this.get(key);
    return section === undefined ? undefined : valuesOf(section);
  }
}

/** The value with its further lines: what a text with line breaks was. */
export function textOf({ value, body }: Section): string {
  const lines = [value, ...body.map(({ text }) => text.trim())];
  while (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.join('\n');
}

export function valuesOf({ value, body }: Section): readonly string[] {
  return [value, ...body.map(({ text }) => text.trim())].filter((text) => text !== '');
}

/** The least indentation of lines that are not blank; 0 when all are. */
export function marginOf(lines: readonly Line[]): number {
  let margin = Number.POSITIVE_INFINITY;
  for (const { text } of lines) if (text.trim() !== '') margin = Math.min(margin, indentOf(text));
  return Number.isFinite(margin) ? margin : 0;
}

export function indentOf(text: string): number {
  let indent = 0;
  while (text.charCodeAt(indent) === 0x20 || text.charCodeAt(indent) === 0x09) indent++;
  return indent;
}

/** Rows of a table within a describe, by column title: a title line, a line of dashes, then the rows. */
export function describedTable(lines: readonly Line[]): readonly { readonly line: Line; readonly cells: ReadonlyMap<string, string> }[] {
  const dashes = lines.findIndex(({ text }) => /^\s*-{2,}(?:\s+-{2,})*\s*$/.test(text));
  const headerIndex = dashes > 0 ? dashes - 1 : 0;
  const header = lines[headerIndex]?.text ?? '';
  const titled = [...header.matchAll(/\S+(?: \S+)*/g)].map((match) => ({ title: match[0], start: match.index }));
  // Each title has as many dashes below it as it has letters, which tells them apart where only single blanks are left.
  const ruled = [...(lines[dashes]?.text ?? '').matchAll(/-+/g)].map(({ 0: rule, index }) => ({
    title: header.slice(index, index + rule.length),
    start: index,
  }));
  const columns = dashes > 0 && ruled.length > titled.length ? ruled : titled;
  const rows: { line: Line; cells: ReadonlyMap<string, string> }[] = [];
  for (const line of lines.slice(dashes > 0 ? dashes + 1 : headerIndex + 1)) {
    if (line.text.trim() === '') continue;
    rows.push({ line, cells: cellsOf(line.text, columns) });
  }
  return rows;
}
