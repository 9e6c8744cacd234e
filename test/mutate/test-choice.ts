import { SWEEPS } from '../../.build/sweeps.ts';
import type { Executions, MutatedPlace } from './executions.ts';
import { executionsOf, testsThrough } from './executions.ts';
import type { KeptExecutions } from './kept-executions.ts';
import type { RelatedTest, RelatedTests } from './related-tests.ts';
import type { AskedTests, Recorded } from './session.ts';
import type { TestRunner } from './test-runner.ts';

export interface ChosenTests {
  readonly tests: readonly AskedTests[];
  /** Tests that take longer do so because of a change. */
  readonly limitMilliseconds: number;
}

/** Files that are tried for one source: those that are further off hardly ever notice what the nearer ones did not. */
const MOST_FILES = 8;
/** Files whose time is measured for one source, however many of them are too slow. */
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
/** To find out once which functions their tests execute. */
const RECORD_MILLISECONDS = 900_000;
const PATIENCE = 4;
const LEAST_LIMIT_MILLISECONDS = 8000;

/** Which tests are run for a change: the nearest, as many as there is time for. How long each takes is measured when it is first needed. */
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
    let sum = 0;
    for (const { test: file, isNear } of single(related, wide.length > 0)) {
      if (tests.length === MOST_FILES) break;
      const taken = await this.#time(file, isNear);
      // Alone each loads what all of them need: near ones take far less together.
      if (taken === undefined || (!isNear && sum + taken > this.#milliseconds)) continue;
      sum += taken;
      tests.push({ file });
    }
    for (const file of wide) {
      const chosen = testsThrough(place, await this.#executions(file), this.#milliseconds * WIDE_SHARE);
      sum += chosen.reduce((all, { milliseconds }) => all + milliseconds, 0);
      if (chosen.length > 0) tests.push({ file, ids: chosen.map(({ id }) => id) });
    }
    return { tests, limitMilliseconds: LEAST_LIMIT_MILLISECONDS + PATIENCE * sum };
  }

  /** Tests that were never run with a change. */
  slow(): readonly string[] {
    return [...this.#measured, ...this.#recorded].filter(([, known]) => known === undefined).map(([test]) => test);
  }

  async #time(test: string, isNear: boolean): Promise<number | undefined> {
    if (!this.#measured.has(test)) {
      const run = (): ReturnType<TestRunner['run']> =>
        this.#runner.run({ changed: undefined, tests: [{ file: test }] }, isNear ? this.#milliseconds : this.#milliseconds / 2);
      const first = await run();
      // The first after a start has to read all sources.
      const { ended, milliseconds } = isNear && first.ended === 'timeout' ? await run() : first;
      this.#measured.set(test, ended === 'passed' ? milliseconds : undefined);
    }
    return this.#measured.get(test);
  }

  async #executions(file: string): Promise<Executions> {
    if (!this.#recorded.has(file)) {
      const recorded = this.#kept.read(file) ?? (await this.#record(file));
      this.#recorded.set(file, recorded === undefined ? undefined : executionsOf(recorded));
    }
    return this.#recorded.get(file) ?? { loaded: new Set(), tests: [] };
  }

  async #record(file: string): Promise<readonly Recorded[] | undefined> {
    const { ended, recorded = [] } = await this.#runner.run({ changed: undefined, tests: [{ file }], record: true }, RECORD_MILLISECONDS);
    if (ended !== 'passed') return undefined;
    this.#kept.write(file, recorded);
    return recorded;
  }
}

/** Files whose time is measured: not those whose time is their work, and few that are far off where others try everything. */
function single(related: readonly RelatedTest[], isTried: boolean): readonly RelatedTest[] {
  const known = related.filter(({ test }) => !Object.hasOwn(WIDE_FILES, test) && !Object.hasOwn(SWEEPS, test));
  const [near, far] = [known.filter(({ isNear }) => isNear), known.filter(({ isNear }) => !isNear)];
  return [...near, ...(isTried ? far.slice(0, FEW_FAR) : far)].slice(0, MOST_MEASURED);
}
