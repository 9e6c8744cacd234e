import type { Recorded } from './session.ts';

/** A test of a file, with how long it takes and the functions it executes, as `src/shop.ts#isFree`. */
export interface Execution {
  readonly id: string;
  readonly milliseconds: number;
  readonly functions: ReadonlySet<string>;
}

/** Which functions each test of one file executes. */
export interface Executions {
  /** What is executed while the file is loaded counts for each of its tests. */
  readonly loaded: ReadonlySet<string>;
  readonly tests: readonly Execution[];
  /** Processor time that it takes to read what they import. */
  readonly loadMilliseconds: number;
}

/** Where a mutation is: names of the functions around it, the innermost first. */
export interface MutatedPlace {
  readonly file: string;
  readonly inside: readonly string[];
}

/**
 * The tests that execute the place: as many as together take so long, spread over all of them. Tests that are next to one another are
 * about the same rule.
 */
export function testsThrough(place: MutatedPlace, executions: Executions, milliseconds: number): readonly Execution[] {
  return spread(through(knownName(place, [executions]), executions), milliseconds);
}

/** Tests of a file that are run for a place. */
export interface FileTests {
  readonly file: string;
  /** How far the file is from the place: 0 if it is about its folder. */
  readonly distance: number;
  readonly tests: readonly Execution[];
  readonly loadMilliseconds: number;
}

/** What the tests of one of several files execute. */
export interface FileExecutions extends Executions {
  readonly file: string;
  readonly distance: number;
}

/**
 * The same of several files: as many as together take so long, the nearest first, and of those that are as near the shortest. In the time
 * of one that plays everything there are many that are about a rule each.
 */
export function shortestThrough(place: MutatedPlace, files: readonly FileExecutions[], milliseconds: number): readonly FileTests[] {
  const known = knownName(place, files);
  const near = files.map((one) => ({ ...one, tests: known === undefined ? testsOfSource(place.file, one) : through(known, one) }));
  const all = near.some(({ tests }) => tests.length > 0) ? near : files;
  const chosen = new Set<Execution>();
  let left = milliseconds;
  const inOrder = all
    .flatMap(({ tests, distance }) => tests.map((test) => ({ test, distance })))
    .toSorted((a, b) => a.distance - b.distance || a.test.milliseconds - b.test.milliseconds);
  for (const { test } of inOrder) {
    if (chosen.size > 0 && test.milliseconds > left) break;
    left -= test.milliseconds;
    chosen.add(test);
  }
  return all.map((one) => ({ ...one, tests: one.tests.filter((test) => chosen.has(test)) })).filter(({ tests }) => tests.length > 0);
}

/** Callbacks have no name, and the program may call a function otherwise than its source does: then the next one around it decides. */
function knownName({ file, inside }: MutatedPlace, among: readonly Executions[]): string | undefined {
  return inside
    .map((name) => `${file}#${name}`)
    .find((name) => among.some(({ loaded, tests }) => loaded.has(name) || tests.some(({ functions }) => functions.has(name))));
}

/** What no function is around is used by those of its file. */
function testsOfSource(file: string, { tests }: Executions): readonly Execution[] {
  return tests.filter(({ functions }) => [...functions].some((name) => name.startsWith(`${file}#`)));
}

function through(known: string | undefined, { loaded, tests }: Executions): readonly Execution[] {
  return known === undefined || loaded.has(known) ? tests : tests.filter(({ functions }) => functions.has(known));
}

export function timeOf(tests: readonly Execution[]): number {
  return tests.reduce((sum, one) => sum + one.milliseconds, 0);
}

/** As many of them as take so long, and one at least. A test that takes longer by itself plays everything, and is left out. */
function spread(tests: readonly Execution[], milliseconds: number): readonly Execution[] {
  const short = tests.filter((one) => one.milliseconds <= milliseconds);
  if (short.length === 0) return tests.toSorted((a, b) => a.milliseconds - b.milliseconds).slice(0, 1);
  const count = Math.max(1, Math.floor(short.length * Math.min(1, milliseconds / timeOf(short))));
  return Array.from({ length: count }, (_, index) => short[Math.floor((index * short.length) / count)]).filter((one) => one !== undefined);
}

/** What the tests of a file told, in their order. */
export function executionsOf(recorded: readonly Recorded[]): Executions {
  const names: string[] = [];
  const loaded = new Set<string>();
  const tests = recorded.map(({ id, milliseconds = 0, executed = [], named = [], firstNamed = 0, loaded: more = [] }) => {
    for (const [index, name] of named.entries()) names[firstNamed + index] = name;
    for (const name of more) loaded.add(name);
    return { id, milliseconds, functions: new Set(executed.flatMap((number) => names[number] ?? [])) };
  });
  return { loaded, tests, loadMilliseconds: recorded[0]?.loadMilliseconds ?? 0 };
}
