import type { Environment } from '@marcbachmann/cel-js';

/** Lists, sets and regular expressions. Source: staging/src/k8s.io/apiserver/pkg/cel/library/{lists,regex}.go, cel-go ext/sets.go. */
export function registerCollections(environment: Environment): Environment {
  return environment
    .registerType('Sets', Sets)
    .registerFunction('Sets.contains(list, list): bool', (_: Sets, list: readonly unknown[], part: readonly unknown[]) => part.every((one) => has(list, one)))
    .registerFunction('Sets.equivalent(list, list): bool', (_: Sets, a: readonly unknown[], b: readonly unknown[]) => a.every((one) => has(b, one)) && b.every((one) => has(a, one)))
    .registerFunction('Sets.intersects(list, list): bool', (_: Sets, a: readonly unknown[], b: readonly unknown[]) => a.some((one) => has(b, one)))
    .registerFunction('list.isSorted(): bool', (list: readonly unknown[]) => list.every((one, index) => index === 0 || !less(one, list[index - 1])))
    .registerFunction('list.sum(): dyn', sum)
    .registerFunction('list.min(): dyn', (list: readonly unknown[]) => extreme(list, 'min', less))
    .registerFunction('list.max(): dyn', (list: readonly unknown[]) => extreme(list, 'max', (a, b) => less(b, a)))
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], one: unknown) => BigInt(list.findIndex((other) => same(one, other))))
    .registerFunction('list.lastIndexOf(dyn): int', (list: readonly unknown[], one: unknown) => BigInt(list.findLastIndex((other) => same(one, other))))
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) => text.replaceAll(from, () => to))
    .registerFunction('string.find(string): string', (text: string, pattern: string) => expression(pattern).exec(bounded(text))?.[0] ?? '')
    .registerFunction('string.findAll(string): list', (text: string, pattern: string) => [...bounded(text).matchAll(expression(pattern, 'g'))].map(([found]) => found));
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
    for (const one of list) total += Number(one);
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

const TEXT_LIMIT = 1000;
const PATTERN_LIMIT = 200;
const REPETITION_LIMIT = 4;

/** Go's expressions are linear; these are kept short, with few repetitions and none of a group that repeats or chooses, and so are the texts. */
function expression(pattern: string, flags = ''): RegExp {
  if (pattern.length > PATTERN_LIMIT || /\([^()]*[|+*{][^()]*\)[+*{]/.test(pattern) || (pattern.match(/[+*]|,\}/g) ?? []).length > REPETITION_LIMIT) throw new Error('regular expression is too complex');
  return new RegExp(pattern, `${flags}u`);
}

function bounded(given: string): string {
  return given.slice(0, TEXT_LIMIT);
}
