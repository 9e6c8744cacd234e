import type { Node } from 'yaml';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { parseInteger } from '../number.ts';
import { once } from '../once.ts';

/** Both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Where the fields of a document stand. */
export interface DocumentPlaces {
  /**
   * Of a field, or the last of its path that is there: what is missing is missed where it should be. Undefined when nothing of the
   * path is there. Paths are those of the API's errors: `spec.containers[0].image`, `metadata.labels`.
   */
  readonly of: (field: string) => Place | undefined;
  /** All plain values with their paths, in the order of the text. */
  readonly values: () => readonly ValuePlace[];
}

export interface ValuePlace extends Place {
  readonly path: string;
  readonly text: string;
}

/**
 * The places in a document that begins at a line of a text, or in a part of it: `items[3]`. It is parsed once, when they are first asked
 * for.
 */
export function documentPlaces(text: string, begin: number): (part?: string) => DocumentPlaces {
  const parsed = once(() => parse(text, begin));
  return (part = '') => ({
    of: (field) => {
      const { root, placeAt } = parsed();
      let node: unknown = root;
      let offset: number | undefined;
      for (const step of [...stepsOf(part), ...stepsOf(field)]) {
        const next = stepInto(node, step);
        if (next === undefined) break;
        offset = startOf(next.at) ?? offset;
        node = next.node;
      }
      return offset === undefined ? undefined : placeAt(offset);
    },
    values: once(() => {
      const { root, placeAt } = parsed();
      let node: unknown = root;
      for (const step of stepsOf(part)) node = stepInto(node, step)?.node;
      const found: ValuePlace[] = [];
      collect(node, '', (path, scalar, offset) => found.push({ path, text: scalar, ...placeAt(offset) }));
      return found;
    }),
  });
}

function parse(text: string, begin: number): { readonly root: Node | null; readonly placeAt: (offset: number) => Place } {
  const lines = new LineCounter();
  const rest = text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .slice(begin - 1)
    .join('\n');
  const [own = ''] = rest.split(/^---(?:\s|$)/m, 1);
  const document = parseDocument(own, { lineCounter: lines, logLevel: 'silent', uniqueKeys: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: begin - 1 + line, column: col };
  };
  return { root: document.contents, placeAt };
}

/** The node behind a step of a path, and what stands where it begins: the key of a field. */
function stepInto(node: unknown, step: string): { readonly node: unknown; readonly at: unknown } | undefined {
  if (isSeq(node)) {
    const item: unknown = node.items[parseInteger(step) ?? -1];
    return item === undefined ? undefined : { node: item, at: item };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
  return pair === undefined ? undefined : { node: pair.value, at: pair.key };
}

function collect(node: unknown, path: string, found: (path: string, text: string, offset: number) => void): void {
  if (isMap(node)) {
    for (const { key, value } of node.items)
      if (isScalar(key)) collect(value, path === '' ? String(key.value) : `${path}.${String(key.value)}`, found);
  } else if (isSeq(node)) for (const [index, item] of node.items.entries()) collect(item, `${path}[${index}]`, found);
  else if (isScalar(node)) found(path, String(node.value), startOf(node) ?? 0);
}

function stepsOf(field: string): readonly string[] {
  return [...field.slice(0, 1000).matchAll(/[^.[\]]+/g)].map(([step]) => step);
}

function startOf(node: unknown): number | undefined {
  const range: unknown = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
  const start: unknown = Array.isArray(range) ? range[0] : undefined;
  return typeof start === 'number' ? start : undefined;
}
