import { formatInstant, parseInstant } from '../../../base/instant.ts';

/**
 * A time as it is stored, in UTC: to the second, or to the microsecond. What is none gives Go's error.
 * Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/{time,micro_time}.go, Go's time/format.go.
 */
export function decodeTime(text: string, micro: boolean): string | { readonly error: string } {
  const wrong = firstWrong(text, micro);
  if (wrong !== undefined) {
    const layout = micro ? '2006-01-02T15:04:05.000000Z07:00' : '2006-01-02T15:04:05Z07:00';
    return { error: `parsing time ${JSON.stringify(text)} as "${layout}": cannot parse ${JSON.stringify(wrong.rest)} as "${wrong.as}"` };
  }
  const utc = text.endsWith('Z') ? text : inUtc(text);
  return micro ? utc : utc.replace(/\.\d+Z$/, 'Z');
}

/** The parts of a time with what stands for them in Go's layout. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}/, '2006'],
  [/^-/, '-'],
  [/^(?:0[1-9]|1[0-2])/, '01'],
  [/^-/, '-'],
  [/^(?:0[1-9]|[12]\d|3[01])/, '02'],
  [/^T/, 'T'],
  [/^(?:[01]\d|2[0-3])/, '15'],
  [/^:/, ':'],
  [/^[0-5]\d/, '04'],
  [/^:/, ':'],
  [/^[0-5]\d/, '05'],
];
const ZONE: readonly [RegExp, string] = [/^(?:Z|[+-]\d\d:\d\d)$/, 'Z07:00'];

function firstWrong(text: string, micro: boolean): { readonly rest: string; readonly as: string } | undefined {
  let rest = text;
  const fraction: readonly [RegExp, string] = micro ? [/^\.\d{6}/, '.000000'] : [/^(?:[.,]\d+)?/, ''];
  for (const [form, as] of [...PARTS, fraction, ZONE]) {
    const found = form.exec(rest);
    if (found === null) return { rest, as };
    rest = rest.slice(found[0].length);
  }
  return undefined;
}

function inUtc(text: string): string {
  const instant = parseInstant(text);
  if (instant === undefined) return text;
  const fraction = /\.\d+/.exec(text)?.[0] ?? '';
  return formatInstant(instant).replace(/(?:\.\d+)?Z$/, `${fraction}Z`);
}
