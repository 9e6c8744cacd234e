import type { Span } from './span.ts';

const SHOWN = '(private key)';
/** An END further away belongs to another block. */
const LONGEST = 16_384;
const EDGE = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** Private keys in PEM: whole ones, on many lines or on one, and what is left of one that was cut at either end. */
export function privateKeySpans(text: string): readonly Span[] {
  if (!text.includes('PRIVATE KEY')) return [];
  const edges = [...text.matchAll(EDGE)].map((match) => ({ is: match[1], start: match.index, end: match.index + match[0].length }));
  const spans: Span[] = [];
  let covered = 0;
  for (const [index, edge] of edges.entries()) {
    if (edge.start < covered) continue;
    const next = edges[index + 1];
    const start = edge.is === 'BEGIN' ? edge.start : bodyStart(text, edge.start, covered);
    const isWhole = edge.is === 'BEGIN' && next?.is === 'END' && next.end - edge.end <= LONGEST;
    covered = isWhole ? next.end : edge.is === 'BEGIN' ? bodyEnd(text, edge.end) : edge.end;
    spans.push({ start, end: covered, shown: SHOWN });
  }
  return spans;
}

/** A line of a key: white space and JSON's `\n` before it, also a list's or a log's quotes. */
const LINE = /(?:\s|\\{1,3}[nrt]|["',|>-]){0,200}((?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{0,100}|[A-Za-z0-9+/]{1,20000}={0,2})/y;

/** Where the body of a key that has no END is over: at the first word that is not base64. */
function bodyEnd(text: string, from: number): number {
  let end = from;
  for (LINE.lastIndex = from; ;) {
    const line = LINE.exec(text)?.[1];
    if (line === undefined || (line.length < 16 && /^[A-Za-z][a-z]*$/.test(line))) return end;
    end = LINE.lastIndex;
  }
}

/** Where the body of a key that has no BEGIN starts, not before `limit`. */
function bodyStart(text: string, from: number, limit: number): number {
  let start = from;
  while (start > limit && /[A-Za-z0-9+/=\s\\]/.test(text.charAt(start - 1))) start--;
  return start;
}
