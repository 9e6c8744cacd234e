import type { Json } from '../../src/base/json.ts';
import type { Prng } from '../../src/base/prng.ts';
import { HOSTILE } from '../support/hostile.ts';

/** Values that no field expects. */
const JUNK: readonly Json[] = [
  null,
  0,
  -1,
  0.5,
  1e308,
  -1e308,
  4_294_967_296,
  9_007_199_254_740_991,
  '',
  ' ',
  true,
  false,
  [],
  {},
  [null],
  [[]],
  { a: null },
  ['', {}],
  { __proto__: null },
  { constructor: { prototype: {} } },
  '9'.repeat(400),
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'a,b',
  'x=y,(z',
  '../../etc/passwd',
  '/dev/zero',
  'a\\',
  'web\nnode',
  '2026-13-45T99:99:99Z',
  '99999999999d',
  '-1h',
  '1e9999',
  '-5Gi',
  '1e400Gi',
  '0x10',
  'NaN',
  'Infinity',
  '-0',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '+275760-09-13T00:00:00Z',
  'a'.repeat(70_000),
  '('.repeat(500),
  '((((((a+)+)+)+)+)+)$',
  '(a|a)*b',
  '\\',
  '%',
  '%00',
  '{{',
  '}}',
  '{{ a }}',
  '$a',
  '$(a)',
  '!!js/function',
  '&a *a',
  '<<',
  '~',
  'yes',
  '- -',
  ': :',
  '? ?',
  '😀',
  'İ',
  'ß',
  ...HOSTILE,
];

export function pick<T>(values: readonly T[], prng: Prng): T {
  return values[prng.below(values.length)] as T;
}

/** The value with some members left out, of another type, doubled, or under another key. */
export function spoilt(value: Json | undefined, prng: Prng, share: number): Json | undefined {
  if (prng.fraction() < share) return prng.fraction() < 0.3 ? undefined : pick(JUNK, prng);
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((member) => repeated(spoilt(member, prng, share) ?? [], prng, share));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [prng.fraction() < share / 2 ? hostileText(prng) : key, spoilt(member, prng, share)] as const)
      .filter(([, member]) => member !== undefined),
  );
}

/** The value with hostile words in texts of several words, which are mostly prose or patterns: its fields stay as they are. */
export function reworded(value: Json, prng: Prng, share: number): Json {
  if (typeof value === 'string')
    return value.includes(' ') && prng.fraction() < share * 4 ? value.replace(/ \S*/, () => ` ${hostileText(prng)}`) : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((member) => reworded(member, prng, share));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, member === undefined ? undefined : reworded(member, prng, share)]),
  );
}

function repeated(value: Json, prng: Prng, share: number): Json[] {
  return prng.fraction() < share ? Array.from({ length: 1 + prng.below(20) }, () => value) : [value];
}

/** A share of members that are spoilt: mostly few, so that the rest is still read. */
export function shareOf(prng: Prng): number {
  return pick([0, 0.002, 0.01, 0.03, 0.1], prng);
}

/** The text with lines lost, doubled, cut off, moved, from elsewhere in it, or hostile. */
export function torn(text: string, prng: Prng): string {
  const lines = text.split('\n');
  const rate = pick([0, 0.02, 0.1, 0.3], prng);
  return lines.flatMap((line) => (prng.fraction() < rate ? tornLine(line, lines, prng) : [line])).join('\n');
}

function tornLine(line: string, lines: readonly string[], prng: Prng): readonly string[] {
  const at = prng.below(line.length + 1);
  switch (prng.below(9)) {
    case 0:
      return [];
    case 1:
      return [line, line];
    case 2:
      return [line.slice(0, at)];
    case 3:
      return [line.trimStart()];
    case 4:
      return [`  ${line}`];
    case 5:
      return [pick(lines, prng), line];
    case 6:
      return [line.slice(0, at) + hostileText(prng) + line.slice(at)];
    case 7:
      return [line, hostileText(prng)];
    default:
      return [line.replace(/:.*/, () => `: ${hostileText(prng)}`)];
  }
}

export function hostileText(prng: Prng): string {
  const junk = pick(JUNK, prng);
  return typeof junk === 'string' ? junk : JSON.stringify(junk);
}

/** Bytes of which some are others, or are gone. */
export function bitten(bytes: Uint8Array, prng: Prng): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (let bites = prng.below(4); bites > 0 && copy.length > 0; bites--) copy[prng.below(copy.length)] = prng.below(256);
  return prng.fraction() < 0.2 ? copy.subarray(0, prng.below(copy.length + 1)) : copy;
}
