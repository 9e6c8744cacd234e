import type { KeptRun } from './kept-executions.ts';

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
  /** Processor time besides that of the tests: mostly to read what they import. */
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
  readonly tests: readonly Execution[];
  readonly loadMilliseconds: number;
}

/** What the tests of one of several files execute; its own are those about the folder of the place. */
export interface FileExecutions extends Executions {
  readonly file: string;
  readonly isOwn: boolean;
}

/**
 * The same of several files: as many as together take so long, those about its folder first, and of them the shortest. In the time of one
 * that plays everything there are many that are about a rule each.
 */
export function shortestThrough(place: MutatedPlace, files: readonly FileExecutions[], milliseconds: number): readonly FileTests[] {
  const known = knownName(place, files);
  const near = files.map((one) => ({ ...one, tests: known === undefined ? testsOfSource(place.file, one) : through(known, one) }));
  const all = near.some(({ tests }) => tests.length > 0) ? near : files;
  const chosen = new Set<Execution>();
  let left = milliseconds;
  const inOrder = [true, false].flatMap((own) =>
    all
      .filter(({ isOwn }) => isOwn === own)
      .flatMap(({ tests }) => tests)
      .toSorted((a, b) => a.milliseconds - b.milliseconds),
  );
  for (const test of inOrder) {
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

function timeOf(tests: readonly Execution[]): number {
  return tests.reduce((sum, one) => sum + one.milliseconds, 0);
}

/** As many of them as take so long, and one at least. */
function spread(tests: readonly Execution[], milliseconds: number): readonly Execution[] {
  const all = timeOf(tests);
  if (all <= milliseconds) return tests;
  const count = Math.max(1, Math.floor((tests.length * milliseconds) / all));
  return Array.from({ length: count }, (_, index) => tests[Math.floor((index * tests.length) / count)]).filter((one) => one !== undefined);
}

/** What the tests of a file told, in their order; the whole run took so long. */
export function executionsOf({ recorded, milliseconds: whole }: KeptRun): Executions {
  const names: string[] = [];
  const loaded = new Set<string>();
  const tests = recorded.map(({ id, milliseconds = 0, executed = [], named = [], firstNamed = 0, loaded: more = [] }) => {
    for (const [index, name] of named.entries()) names[firstNamed + index] = name;
    for (const name of more) loaded.add(name);
    return { id, milliseconds, functions: new Set(executed.flatMap((number) => names[number] ?? [])) };
  });
  return { loaded, tests, loadMilliseconds: Math.max(0, whole - timeOf(tests)) };
}
