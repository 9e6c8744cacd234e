import { withoutInvisible } from './invisible.ts';
import { smallest } from './lists.ts';
import { masked } from './mask/masked.ts';

/**
 * Foreign text made safe to show: passwords, tokens and keys are masked, and every character that could be obeyed or not be seen is
 * written out, as `\x1b` or `\u{00AD}`. Newlines and tabs stay.
 */
export function printable(text: string): string {
  return withoutInvisible(masked(text), (character) => {
    const point = character.codePointAt(0) ?? 0;
    const isControl = point < 0x20 || (point >= 0x7f && point < 0xa0);
    return isControl ? `\\x${point.toString(16).padStart(2, '0')}` : `\\u{${point.toString(16).toUpperCase().padStart(4, '0')}}`;
  });
}

/**
 * At most `limit` characters of foreign text, made safe to show. It is cut between two words first, for half a token is not known as one.
 */
export function printableUpTo(text: string, limit: number): string {
  return shorten(printable(text.length <= limit * 4 ? text : upToBlank(text, limit * 4)), limit);
}

function upToBlank(text: string, limit: number): string {
  let end = limit;
  while (end > limit / 2 && !/\s/.test(text.charAt(end))) end--;
  return text.slice(0, end > limit / 2 ? end : limit);
}

/** At most `limit` characters, the cut marked with an ellipsis. */
export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, Math.max(0, limit - 1))}…`;
}

/** Without those of these characters that it ends with: an expression would look from each of them for the end. */
export function withoutTail(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The text so many times; nothing for a number below 1 or not finite, and at most a million characters. */
export function repeated(text: string, times: number): string {
  return times >= 1 && Number.isFinite(times) ? text.repeat(Math.min(times, Math.floor(MAX_REPEATED / Math.max(1, text.length)))) : '';
}

const MAX_REPEATED = 4 * 1024 * 1024;

/** The candidates nearest to a name by edits, best first: at most three, and none that is not really near. */
export function nearest(name: string, candidates: Iterable<string>): readonly string[] {
  const near: { readonly candidate: string; readonly edits: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const limit = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    const contains = name.length > 3 && candidate.length > 3 && (candidate.includes(name) || name.includes(candidate));
    const edits = contains ? 1 : distance(name, candidate, limit);
    if (edits <= limit) near.push({ candidate, edits });
  }
  near.sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1));
  return near.slice(0, 3).map(({ candidate }) => candidate);
}

/** `; did you mean a or b?`; where no candidate is near, `otherwise` with all of them: `; known: a, b, c`, or nothing without it. */
export function didYouMean(name: string, candidates: Iterable<string>, otherwise?: string): string {
  const near = nearest(name, candidates);
  if (near.length > 0) return `; did you mean ${near.join(' or ')}?`;
  return otherwise === undefined ? '' : `; ${otherwise}: ${[...candidates].join(', ')}`;
}

/** Edit distance (insert, delete, replace, swap neighbours), or `limit + 1` as soon as it must exceed the limit. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit || a.length > 256) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      row.push(areSwapped(a, i, b, j) ? Math.min(best, (beforeLast[j - 2] ?? 0) + 1) : best);
    }
    if (smallest(row) > limit) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? limit + 1;
}

function areSwapped(a: string, i: number, b: string, j: number): boolean {
  return i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
}
