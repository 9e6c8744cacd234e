import type { RelatedTests } from './related-tests.ts';
import type { TestRunner } from './test-runner.ts';

export interface ChosenTests {
  readonly tests: readonly string[];
  /** Tests that take longer do so because of a change. */
  readonly limitMilliseconds: number;
}

/** Files that are tried for one source: those that are further off hardly ever notice what the nearer ones did not. */
const MOST_FILES = 8;
/** Files whose time is measured for one source, however many of them are too slow. */
const MOST_MEASURED = 16;
const PATIENCE = 4;
const LEAST_LIMIT_MILLISECONDS = 15_000;

/** Which tests are run for a change: the nearest, as many as there is time for. How long each takes is measured when it is first needed. */
export class TestChoice {
  readonly #related: RelatedTests;
  readonly #runner: TestRunner;
  readonly #milliseconds: number;
  /** Undefined for tests that are too slow, or fail by themselves. */
  readonly #measured = new Map<string, number | undefined>();

  constructor(related: RelatedTests, runner: TestRunner, seconds: number) {
    this.#related = related;
    this.#runner = runner;
    this.#milliseconds = seconds * 1000;
  }

  async of(file: string): Promise<ChosenTests> {
    const tests: string[] = [];
    let sum = 0;
    for (const test of this.#related.of(file).slice(0, MOST_MEASURED)) {
      if (tests.length === MOST_FILES) break;
      const taken = await this.#time(test);
      if (taken === undefined || sum + taken > this.#milliseconds) continue;
      sum += taken;
      tests.push(test);
    }
    return { tests, limitMilliseconds: LEAST_LIMIT_MILLISECONDS + PATIENCE * sum };
  }

  /** Tests that were never run with a change. */
  slow(): readonly string[] {
    return [...this.#measured].filter(([, taken]) => taken === undefined).map(([test]) => test);
  }

  async #time(test: string): Promise<number | undefined> {
    if (!this.#measured.has(test)) {
      const { ended, milliseconds } = await this.#runner.run({ changed: undefined, tests: [test] }, this.#milliseconds / 2);
      this.#measured.set(test, ended === 'passed' ? milliseconds : undefined);
    }
    return this.#measured.get(test);
  }
}
