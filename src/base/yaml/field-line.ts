import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { parseInteger } from '../number.ts';

/**
 * The line (from 1) on which a field stands in a document that begins at a line of a text, or the last of its path that is there:
 * what is missing is missed where it should be. Undefined when nothing of the path is there. Paths are those of the API's
 * errors: `spec.containers[0].image`, `metadata.labels`.
 */
export function fieldLine(text: string, begin: number, field: string): number | undefined {
  const lines = new LineCounter();
  const rest = text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .slice(begin - 1)
    .join('\n');
  const [own = ''] = rest.split(/^---(?:\s|$)/m, 1);
  const document = parseDocument(own, { lineCounter: lines, logLevel: 'silent', uniqueKeys: false });
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const step of stepsOf(field)) {
    if (isSeq(node)) {
      const item: unknown = node.items[parseInteger(step) ?? -1];
      if (item === undefined) break;
      node = item;
      offset = startOf(item) ?? offset;
    } else if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else break;
  }
  return offset === undefined ? undefined : begin - 1 + lines.linePos(offset).line;
}

function stepsOf(field: string): readonly string[] {
  return [...field.slice(0, 1000).matchAll(/[^.[\]]+/g)].map(([step]) => step);
}

function startOf(node: unknown): number | undefined {
  const range: unknown = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
  const start: unknown = Array.isArray(range) ? range[0] : undefined;
  return typeof start === 'number' ? start : undefined;
}
