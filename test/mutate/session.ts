import { resolve } from 'node:path';
import type { Reporter, TestModule, TestSequencer, TestSpecification, Vitest } from 'vitest/node';
import { createVitest } from 'vitest/node';

/** What a session is told: to run these test files after this source has been written. */
export interface Asked {
  readonly changed: string | undefined;
  readonly tests: readonly string[];
}

/** What it answers: the names of tests that failed, first of all whatever kept a file from being loaded. */
export interface Answered {
  readonly failed: readonly string[];
}

/** The nearest test is run first: it is the likeliest to fail. */
class AsAsked implements TestSequencer {
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }

  sort(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}

/** The test files of this run. */
const ended: TestModule[] = [];
/** Runs tests, time after time, in one process, which is the one to end when a change makes them run for ever. */
const vitest: Vitest = await createVitest('test', {
  config: '.build/vitest.config.ts',
  project: ['unit'],
  watch: false,
  bail: 1,
  maxWorkers: 1,
  // What a run gives at its end is about all files that ever ran in this process.
  reporters: [{ onTestModuleEnd: (module) => void ended.push(module) } satisfies Reporter],
  passWithNoTests: true,
  sequence: { sequencer: AsAsked },
  // A session that was ended because a test ran for ever starts again with what was read already.
  experimental: { fsModuleCache: true, fsModuleCachePath: resolve('.cache') },
});
/** The file that was changed last: it has been put back since. */
let changedBefore: string | undefined;
process.on('message', (asked: Asked) => void answer(asked));
process.on('disconnect', () => process.exit());
process.send?.({ failed: [] } satisfies Answered);

async function answer({ changed, tests }: Asked): Promise<void> {
  for (const file of [changedBefore, changed]) if (file !== undefined) vitest.invalidateFile(resolve(file));
  changedBefore = changed;
  const specifications = tests.flatMap((file) =>
    vitest.projects.filter(({ name }) => name === 'unit').map((project) => project.createSpecification(resolve(file))),
  );
  ended.length = 0;
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  process.exitCode = 0;
  const untold = ended.length === 0 && tests.length > 0 ? ['no test file could be started'] : [];
  process.send?.({ failed: [...ended.flatMap(failuresOf), ...unhandledErrors.map(String), ...untold] } satisfies Answered);
}

function failuresOf(module: TestModule): readonly string[] {
  if (module.state() !== 'failed') return [];
  const tests = [...module.children.allTests('failed')].map(({ fullName }) => `${module.relativeModuleId}: ${fullName}`);
  return tests.length > 0 ? tests : [`${module.relativeModuleId}: cannot be loaded`];
}
