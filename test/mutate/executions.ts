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
export function testsThrough({ file, inside }: MutatedPlace, { loaded, tests }: Executions, milliseconds: number): readonly Execution[] {
  // Callbacks have no name, and the program may call a function otherwise than its source does: then the next one around it decides.
  const known = inside
    .map((name) => `${file}#${name}`)
    .find((name) => loaded.has(name) || tests.some(({ functions }) => functions.has(name)));
  const through = known === undefined || loaded.has(known) ? tests : tests.filter(({ functions }) => functions.has(known));
  const all = through.reduce((sum, one) => sum + one.milliseconds, 0);
  if (all <= milliseconds) return through;
  const count = Math.max(1, Math.floor((through.length * milliseconds) / all));
  return Array.from({ length: count }, (_, index) => through[Math.floor((index * through.length) / count)]).filter(
    (one) => one !== undefined,
  );
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
  return { loaded, tests };
}
