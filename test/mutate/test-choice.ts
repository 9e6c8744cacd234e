import { SWEEPS } from '../../.build/sweeps.ts';
import type { Executions, FileExecutions, FileTests, MutatedPlace } from './executions.ts';
import { executionsOf, shortestThrough, testsThrough, timeOf } from './executions.ts';
import type { KeptExecutions } from './kept-executions.ts';
import type { RelatedTest, RelatedTests } from './related-tests.ts';
import type { AskedTests, Recorded } from './session.ts';
import type { TestRunner } from './test-runner.ts';

export interface ChosenTests {
  readonly tests: readonly AskedTests[];
  /** Tests that take longer do so because of a change. */
  readonly limitMilliseconds: number;
}

/** Files further off whose tests are tried for one source: they hardly ever notice what the nearer ones did not. */
const MOST_FAR = 8;
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
/** What the nearest tests may take together to be run first. */
const FIRST_SHARE = 1 / 10;
/** To find out once which functions their tests execute; of other files in so many times what their tests may take for a change. */
const RECORD_MILLISECONDS = 900_000;
const RECORD_SHARE = 4;
const RECORD_FAR_SHARE = 1 / 2;
const SHORT_MILLISECONDS = 1000;
const PATIENCE = 4;
const LEAST_LIMIT_MILLISECONDS = 8000;

/**
 * Which tests are run for a change: those that execute its place. Which functions a test executes, and how long it takes, is found out when
 * it is first needed.
 */
export class TestChoice {
  readonly #related: RelatedTests;
  readonly #runner: TestRunner;
  readonly #kept: KeptExecutions;
  readonly #milliseconds: number;
  readonly #isNear: boolean;
  /** Undefined for files that are too slow, or fail by themselves. */
  readonly #known = new Map<string, Executions | undefined>();

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

  /**
   * Step by step those to run next, if nothing noticed the change before: the shortest of the nearest files, the others, and of those that
   * try everything. Most changes are noticed in the first step, in a hundredth of the time of all.
   */
  async *of(place: MutatedPlace): AsyncGenerator<ChosenTests> {
    const related = this.#related.of(place.file).filter(({ distance }) => isNear(distance) || !this.#isNear);
    const wide = Object.entries(WIDE_FILES).flatMap(([file, sources]) =>
      place.file.startsWith(sources) && related.some(({ test }) => test === file) ? [file] : [],
    );
    const tried = related.filter(({ test }) => isTried(test));
    const near = tried.filter(({ distance }) => isNear(distance));
    const far = tried.filter(({ distance }) => !isNear(distance)).slice(0, wide.length > 0 ? FEW_FAR : MOST_FAR);
    const own = near.filter(({ distance }) => distance === 0);
    const first = shortestThrough(place, await this.#executionsOf(own), this.#milliseconds * FIRST_SHARE);
    if (first.length > 0) yield stepOf(first);
    const ran = new Set(first.flatMap(({ tests }) => tests));
    const chosen = shortestThrough(place, await this.#executionsOf([...near, ...far]), this.#milliseconds);
    const others = chosen
      .map((one) => ({ ...one, tests: one.tests.filter((test) => !ran.has(test)) }))
      .filter(({ tests }) => tests.length > 0);
    if (others.length > 0) yield stepOf(others);
    const all = [];
    for (const file of wide) {
      const executions = await this.#executions(file, RECORD_MILLISECONDS);
      const tests = testsThrough(place, executions, this.#milliseconds * WIDE_SHARE);
      if (tests.length > 0) all.push({ file, tests, loadMilliseconds: executions.loadMilliseconds });
    }
    if (all.length > 0) yield stepOf(all);
  }

  /** Tests that were never run with a change. */
  slow(): readonly string[] {
    return [...this.#known].filter(([, known]) => known === undefined).map(([test]) => test);
  }

  async #executionsOf(files: readonly RelatedTest[]): Promise<readonly FileExecutions[]> {
    const all = [];
    for (const { test: file, distance } of files) {
      const share = isNear(distance) ? RECORD_SHARE : RECORD_FAR_SHARE;
      all.push({ file, distance, ...(await this.#executions(file, share * this.#milliseconds)) });
    }
    return all;
  }

  async #executions(file: string, limitMilliseconds: number): Promise<Executions> {
    if (!this.#known.has(file)) {
      const kept = this.#kept.read(file);
      const isEnough = kept !== undefined && (kept.recorded !== undefined || kept.milliseconds >= limitMilliseconds);
      const recorded = isEnough ? kept.recorded : await this.#record(file, limitMilliseconds);
      const executions = recorded === undefined ? undefined : executionsOf(recorded);
      // What its tests keep when they first run is not to be made of changed sources.
      if (isEnough && executions !== undefined && !isTried(file)) await this.#load(file, executions);
      this.#kept.keepSituations();
      this.#known.set(file, executions);
    }
    return this.#known.get(file) ?? { loaded: new Set(), tests: [], loadMilliseconds: 0 };
  }

  async #load(file: string, { tests }: Executions): Promise<void> {
    const ids = tests.flatMap(({ id, milliseconds }) => (milliseconds < SHORT_MILLISECONDS ? [id] : [])).slice(0, 1);
    await this.#runner.run({ changed: undefined, tests: [{ file, ids }] }, RECORD_MILLISECONDS);
  }

  async #record(file: string, limitMilliseconds: number): Promise<readonly Recorded[] | undefined> {
    const asked = { changed: undefined, tests: [{ file }], record: true };
    const { ended, recorded = [], milliseconds } = await this.#runner.run(asked, limitMilliseconds);
    if (ended !== 'failed') this.#kept.write(file, ended === 'passed' ? { recorded, milliseconds } : { milliseconds });
    return ended === 'passed' ? recorded : undefined;
  }
}

/** Alone each file loads what all of them need. */
function stepOf(files: readonly Omit<FileTests, 'distance'>[]): ChosenTests {
  const tests = files.reduce((sum, one) => sum + timeOf(one.tests), 0);
  const load = Math.max(...files.map(({ loadMilliseconds }) => loadMilliseconds));
  const loads = files.reduce((sum, one) => sum + one.loadMilliseconds, 0);
  return {
    tests: files.map(({ file, tests: some }) => ({ file, ids: some.map(({ id }) => id) })),
    limitMilliseconds: LEAST_LIMIT_MILLISECONDS + PATIENCE * (tests + load) + loads,
  };
}

function isNear(distance: number): boolean {
  return distance <= 1;
}

/** Not those that try everything, nor those whose time is their work. */
function isTried(test: string): boolean {
  return !Object.hasOwn(WIDE_FILES, test) && !Object.hasOwn(SWEEPS, test);
}
