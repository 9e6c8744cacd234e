import type { Environment } from '@marcbachmann/cel-js';
import { bigintOf, numberOf } from '../../../base/number.ts';
import { knownPattern } from '../../../base/pattern/known-pattern.ts';
import type { LinearPattern } from '../../../base/pattern/linear-pattern.ts';

/** Lists, sets and regular expressions. Source: staging/src/k8s.io/apiserver/pkg/cel/library/{lists,regex}.go, cel-go ext/sets.go. */
export function registerCollections(environment: Environment): Environment {
  return environment
    .registerType('Sets', Sets)
    .registerFunction('Sets.contains(list, list): bool', (_: Sets, list: readonly unknown[], part: readonly unknown[]) =>
      part.every((one) => has(list, one)),
    )
    .registerFunction(
      'Sets.equivalent(list, list): bool',
      (_: Sets, a: readonly unknown[], b: readonly unknown[]) => a.every((one) => has(b, one)) && b.every((one) => has(a, one)),
    )
    .registerFunction('Sets.intersects(list, list): bool', (_: Sets, a: readonly unknown[], b: readonly unknown[]) =>
      a.some((one) => has(b, one)),
    )
    .registerFunction('list.isSorted(): bool', (list: readonly unknown[]) =>
      list.every((one, index) => index === 0 || !less(one, list[index - 1])),
    )
    .registerFunction('list.sum(): dyn', sum)
    .registerFunction('list.min(): dyn', (list: readonly unknown[]) => extreme(list, 'min', less))
    .registerFunction('list.max(): dyn', (list: readonly unknown[]) => extreme(list, 'max', (a, b) => less(b, a)))
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], one: unknown) =>
      bigintOf(list.findIndex((other) => same(one, other))),
    )
    .registerFunction('list.lastIndexOf(dyn): int', (list: readonly unknown[], one: unknown) =>
      bigintOf(list.findLastIndex((other) => same(one, other))),
    )
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) => text.replaceAll(from, () => to))
    .registerFunction(
      'string.find(string): string',
      (text: string, pattern: string) => patternOf(pattern, 'Illegal regex: ').find(text)?.text ?? '',
    )
    .registerFunction('string.findAll(string): list', (text: string, pattern: string) => findAll(text, pattern))
    .registerFunction('string.findAll(string, int): list', (text: string, pattern: string, most: bigint) =>
      findAll(text, pattern, numberOf(most)),
    )
    .registerFunction(`string.${LINEAR_MATCHES}(string): bool`, (text: string, pattern: string) => patternOf(pattern, '').test(text))
    .registerFunction(`${LINEAR_MATCHES}(string, string): bool`, (text: string, pattern: string) => patternOf(pattern, '').test(text));
}

/** What stands for `matches`, whose own way may take as good as for ever; as long as that word, so that places stay. */
const LINEAR_MATCHES = 'm_tches';

/** The expression with Go's kind of regular expressions; what is in texts stays. */
export function withLinearPatterns(expression: string): string {
  if (!expression.includes('matches')) return expression;
  let result = '';
  let at = 0;
  for (const { index, 0: found } of expression.matchAll(TEXT_OR_MATCHES)) {
    result += expression.slice(at, index) + (found.startsWith('matches') ? found.replace('matches', LINEAR_MATCHES) : found);
    at = index + found.length;
  }
  return result + expression.slice(at);
}

/** Words about it are about `matches`. */
export function withOwnWords(words: string): string {
  return words.replaceAll(LINEAR_MATCHES, 'matches');
}

const TEXT_OR_MATCHES = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\bmatches(?=\s{0,20}\()/g;

function patternOf(pattern: string, before: string): LinearPattern {
  const known = knownPattern(pattern);
  if ('trouble' in known) throw new Error(`${before}${known.trouble}`);
  return known;
}

/** One after the other; an empty one right after another does not count. Source: Go's regexp (FindAllString). */
function findAll(text: string, pattern: string, most = Number.POSITIVE_INFINITY): readonly string[] {
  const known = patternOf(pattern, 'Illegal regex: ');
  const found: string[] = [];
  let [from, last] = [0, -1];
  while (from <= text.length && (most < 0 || found.length < most)) {
    const one = known.find(text, from);
    if (one === undefined) break;
    const end = one.index + one.text.length;
    if (one.text !== '' || one.index !== last) found.push(one.text);
    last = end;
    from = one.text === '' ? end + ((text.codePointAt(end) ?? 0) > 0xff_ff ? 2 : 1) : end;
  }
  return found;
}

/** The name `sets` stands for, so that `sets.contains(a, b)` is a call. */
class Sets {
  readonly name = 'sets';
}

export const SETS = new Sets();

function has(list: readonly unknown[], one: unknown): boolean {
  return list.some((other) => same(one, other));
}

function same(a: unknown, b: unknown): boolean {
  return a === b || text(a) === text(b);
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member));
}

function less(a: unknown, b: unknown): boolean {
  return (a as bigint | number | string) < (b as bigint | number | string);
}

function sum(list: readonly unknown[]): unknown {
  if (list.some((one) => typeof one === 'number')) {
    let total = 0;
    for (const one of list) total += typeof one === 'bigint' ? numberOf(one) : typeof one === 'number' ? one : 0;
    return total;
  }
  let total = 0n;
  for (const one of list) if (typeof one === 'bigint') total += one;
  return total;
}

function extreme(list: readonly unknown[], name: string, before: (a: unknown, b: unknown) => boolean): unknown {
  if (list.length === 0) throw new Error(`${name} called on empty list`);
  let found: unknown = list[0];
  for (const one of list) if (before(one, found)) found = one;
  return found;
}
