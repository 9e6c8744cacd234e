import type { Environment } from '@marcbachmann/cel-js';
import { bigintOf, parseInteger } from '../../../base/number.ts';

/** Versions as semver.org 2.0.0 writes and compares them. Source: staging/src/k8s.io/apiserver/pkg/cel/library/semverlib.go. */
export function registerVersions(environment: Environment): Environment {
  return environment
    .registerType('Semver', Semver)
    .registerFunction('isSemver(string): bool', (text: string) => semverOf(text) !== undefined)
    .registerFunction('semver(string): Semver', (text: string) => {
      const version = semverOf(text);
      if (version === undefined) throw new Error('No Major.Minor.Patch elements found');
      return version;
    })
    .registerFunction('Semver.isGreaterThan(Semver): bool', (one: Semver, other: Semver) => compareVersions(one, other) > 0)
    .registerFunction('Semver.isLessThan(Semver): bool', (one: Semver, other: Semver) => compareVersions(one, other) < 0)
    .registerFunction('Semver.compareTo(Semver): int', (one: Semver, other: Semver) => bigintOf(compareVersions(one, other)))
    .registerFunction('Semver.major(): int', ({ numbers }: Semver) => bigintOf(numbers[0]))
    .registerFunction('Semver.minor(): int', ({ numbers }: Semver) => bigintOf(numbers[1]))
    .registerFunction('Semver.patch(): int', ({ numbers }: Semver) => bigintOf(numbers[2]))
    .registerOperator('Semver == Semver', (one: Semver, other: Semver) => compareVersions(one, other) === 0);
}

export class Semver {
  readonly numbers: readonly [number, number, number];
  readonly before: readonly string[];

  constructor(numbers: readonly [number, number, number], before: readonly string[]) {
    this.numbers = numbers;
    this.before = before;
  }
}

/** `1.2.3-beta.1+build`: what is built of it does not count. */
export function semverOf(text: string): Semver | undefined {
  if (text.length > LONGEST) return undefined;
  const [, major = '', minor = '', patch = '', before, build] = /^(\d+)\.(\d+)\.(\d+)(?:-([^+]+))?(?:\+(.+))?$/.exec(text) ?? [];
  if (major === '' || [major, minor, patch].some((number) => number.length > 1 && number.startsWith('0'))) return undefined;
  const identifiers = before === undefined ? [] : before.split('.');
  const wrong = identifiers.some((one) => !IDENTIFIER.test(one) || /^0\d+$/.test(one));
  if (wrong || (build !== undefined && build.split('.').some((one) => !IDENTIFIER.test(one)))) return undefined;
  return new Semver([parseInteger(major) ?? 0, parseInteger(minor) ?? 0, parseInteger(patch) ?? 0], identifiers);
}

const LONGEST = 200;
const IDENTIFIER = /^[0-9A-Za-z-]+$/;

function compareVersions(one: Semver, other: Semver): number {
  for (const [index, number] of one.numbers.entries()) {
    const against = other.numbers[index] ?? 0;
    if (number !== against) return number > against ? 1 : -1;
  }
  if (one.before.length === 0 || other.before.length === 0) return Math.sign(other.before.length - one.before.length);
  for (let index = 0; index < Math.min(one.before.length, other.before.length); index++) {
    const compared = compareIdentifiers(one.before[index] ?? '', other.before[index] ?? '');
    if (compared !== 0) return compared;
  }
  return Math.sign(one.before.length - other.before.length);
}

/** Numbers by their value and before words. */
function compareIdentifiers(one: string, other: string): number {
  const [a, b] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (a && b) return Math.sign((parseInteger(one) ?? 0) - (parseInteger(other) ?? 0));
  if (a !== b) return a ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
