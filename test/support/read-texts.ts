import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineCounter, parseDocument, visit } from 'yaml';

/** A text that a person reads, and where it stands. */
export interface Text {
  readonly place: string;
  /** The field it is the value of; `comment` for comments. */
  readonly field: string;
  readonly text: string;
}

/** Fields of rules, scenarios, playbooks and drills whose values are prose. The bodies of objects have none of them but `title`. */
const PROSE: ReadonlySet<string> = new Set(['title', 'what', 'why', 'say', 'says', 'use', 'tells', 'manual', 'note', 'escalate', 'story']);

/** Every prose text and comment of the YAML files below a folder. */
export function yamlTexts(folder: string): readonly Text[] {
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted();
  return files.flatMap((file) => textsOfYaml(join(folder, file)));
}

function textsOfYaml(file: string): readonly Text[] {
  const lines = new LineCounter();
  const source = readFileSync(file, 'utf8');
  const texts: Text[] = commentsOf(file, source);
  visit(parseDocument(source, { lineCounter: lines }), {
    Pair(_, { key, value }) {
      const [field, text] = [scalarOf(key), scalarOf(value)];
      if (field !== undefined && text !== undefined && PROSE.has(field))
        texts.push({ place: `${file}:${String(lines.linePos(offsetOf(value)).line)}`, field, text });
    },
  });
  return texts;
}

function scalarOf(node: unknown): string | undefined {
  const value = typeof node === 'object' && node !== null && 'value' in node ? node.value : undefined;
  return typeof value === 'string' ? value : undefined;
}

function offsetOf(node: unknown): number {
  const range = typeof node === 'object' && node !== null && 'range' in node ? (node.range as readonly number[] | undefined) : undefined;
  return range?.[0] ?? 0;
}

function commentsOf(file: string, source: string): Text[] {
  return source.split('\n').flatMap((line, index) => {
    const text = /^\s*#\s?(.*)$/.exec(line)?.[1];
    return text === undefined ? [] : [{ place: `${file}:${String(index + 1)}`, field: 'comment', text }];
  });
}
