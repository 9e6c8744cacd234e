import { SWEEPS } from '../../.build/sweeps.ts';
import type { Execution, Executions, FileExecutions, MutatedPlace } from './executions.ts';
import { executionsOf, shortestThrough, testsThrough } from './executions.ts';
import type { KeptExecutions, KeptRun } from './kept-executions.ts';
import type { RelatedTest, RelatedTests } from './related-tests.ts';
import type { AskedTests } from './session.ts';
import type { TestRunner } from './test-runner.ts';

export interface ChosenTests {
  readonly tests: readonly AskedTests[];
  /** Tests that take longer do so because of a change. */
  readonly limitMilliseconds: number;
}

/** Files further off that are tried for one source, and whose time is measured for it: they hardly ever notice what the nearer ones did not. */
const MOST_FAR = 8;
const MOST_MEASURED = 16;
const FEW_FAR = 2;
/**
 * Files that try everything, and what of the sources they are for: of their tests only those are run that execute the place of a change, and
 * of them as many as a part of the time is enough for.
 */
const WIDE_FILES = {
  'test/situations.test.ts': 'src/',
  'test/rules.test.ts': 'src/',
  'test/playbooks.test.ts': 'src/runbook/',
} as const;
const WIDE_SHARE = 1 / 4;
/** To find out once which functions their tests execute; of a near file in so many times what its tests may take for a change. */
const RECORD_MILLISECONDS = 900_000;
const RECORD_SHARE = 4;
const PATIENCE = 4;
const LEAST_LIMIT_MILLISECONDS = 8000;

/**
 * Which tests are run for a change: of the near files and of those that try everything the tests that execute its place, and a few files
 * that are further off. Which functions a test executes, and how long it takes, is found out when it is first needed.
 */
export class TestChoice {
  readonly #related: RelatedTests;
  readonly #runner: TestRunner;
  readonly #kept: KeptExecutions;
  readonly #milliseconds: number;
  readonly #isNear: boolean;
  /** Undefined for tests that are too slow, or fail by themselves. */
  readonly #measured = new Map<string, number | undefined>();
  readonly #recorded = new Map<string, Executions | undefined>();

  constructor(
    related: RelatedTests,
    runner: TestRunner,
    kept: KeptExecutions,
    { seconds, isNear }: { readonly seconds: number; readonly isNear: boolean },
  ) {
    this.#related = related;
    this.#runner = runner;
    this.#kept = kept;
    this.#milliseconds = seconds * 1000;
    this.#isNear = isNear;
  }

  async of(place: MutatedPlace): Promise<ChosenTests> {
    const related = this.#related.of(place.file).filter(({ isNear }) => isNear || !this.#isNear);
    const wide = Object.entries(WIDE_FILES).flatMap(([file, sources]) =>
      place.file.startsWith(sources) && related.some(({ test }) => test === file) ? [file] : [],
    );
    const tests: AskedTests[] = [];
    let [sum, load] = [0, 0];
    const add = (file: string, chosen: readonly Execution[], loadMilliseconds: number): void => {
      if (chosen.length === 0) return;
      sum += chosen.reduce((all, { milliseconds }) => all + milliseconds, 0);
      // Alone each file loads what all of them need.
      load = Math.max(load, loadMilliseconds) + loadMilliseconds / PATIENCE;
      tests.push({ file, ids: chosen.map(({ id }) => id) });
    };
    for (const { file, tests: chosen, loadMilliseconds } of shortestThrough(place, await this.#near(related), this.#milliseconds))
      add(file, chosen, loadMilliseconds);
    const far = single(related, wide.length > 0);
    for (const file of far.slice(0, MOST_MEASURED)) {
      const taken = tests.length < MOST_FAR ? await this.#time(file) : undefined;
      if (taken === undefined || sum + taken > this.#milliseconds) continue;
      sum += taken;
      tests.push({ file });
    }
    for (const file of wide) {
      const executions = await this.#executions(file);
      add(file, testsThrough(place, executions, this.#milliseconds * WIDE_SHARE), executions.loadMilliseconds);
    }
    return { tests, limitMilliseconds: LEAST_LIMIT_MILLISECONDS + PATIENCE * (sum + load) };
  }

  async #near(related: readonly RelatedTest[]): Promise<readonly FileExecutions[]> {
    const files = [];
    for (const { test: file, isNear, isOwn } of related)
      if (isNear && isTried(file)) files.push({ file, isOwn, ...(await this.#executions(file)) });
    return files;
  }

  /** Tests that were never run with a change. */
  slow(): readonly string[] {
    return [...this.#measured, ...this.#recorded].filter(([, known]) => known === undefined).map(([test]) => test);
  }

  async #time(test: string): Promise<number | undefined> {
    if (!this.#measured.has(test)) {
      const { ended, milliseconds } = await this.#runner.run({ changed: undefined, tests: [{ file: test }] }, this.#milliseconds / 2);
      this.#measured.set(test, ended === 'passed' ? milliseconds : undefined);
    }
    return this.#measured.get(test);
  }

  async #executions(file: string): Promise<Executions> {
    if (!this.#recorded.has(file)) {
      const recorded = this.#kept.read(file) ?? (await this.#record(file));
      this.#recorded.set(file, recorded === undefined ? undefined : executionsOf(recorded));
    }
    return this.#recorded.get(file) ?? { loaded: new Set(), tests: [], loadMilliseconds: 0 };
  }

  async #record(file: string): Promise<KeptRun | undefined> {
    const asked = { changed: undefined, tests: [{ file }], record: true };
    const limit = isTried(file) ? RECORD_SHARE * this.#milliseconds : RECORD_MILLISECONDS;
    const { ended, recorded = [], milliseconds } = await this.#runner.run(asked, limit);
    if (ended !== 'passed') return undefined;
    const run = { recorded, milliseconds };
    this.#kept.write(file, run);
    return run;
  }
}

/** Not those that try everything, nor those whose time is their work. */
function isTried(test: string): boolean {
  return !Object.hasOwn(WIDE_FILES, test) && !Object.hasOwn(SWEEPS, test);
}

/** Files that are far off: few where others try everything. */
function single(related: readonly RelatedTest[], hasWide: boolean): readonly string[] {
  const far = related.filter(({ test, isNear }) => !isNear && isTried(test)).map(({ test }) => test);
  return hasWide ? far.slice(0, FEW_FAR) : far;
}
