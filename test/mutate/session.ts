import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule, TestSequencer, TestSpecification, Vitest } from 'vitest/node';
import { createVitest } from 'vitest/node';
import type { Executed, Loaded } from './record-executed.ts';

/** A test file, or some of its tests. */
export interface AskedTests {
  readonly file: string;
  readonly ids?: readonly string[];
}

/** What a session is told: to run these tests after this source has been written. */
export interface Asked {
  readonly changed: string | undefined;
  readonly tests: readonly AskedTests[];
  /** Of processor time: a run that takes more ends this process. */
  readonly limitMilliseconds: number;
  /** To tell which functions each test executes, too. */
  readonly record?: boolean;
}

/** What it answers: the names of tests that failed, first of all whatever kept a file from being loaded. */
export interface Answered {
  readonly failed: readonly string[];
  /** Processor time that the tests took, with that of reading what they need. */
  readonly milliseconds: number;
  readonly recorded?: readonly Recorded[];
}

/** What one test told of itself. */
export interface Recorded extends Partial<Executed>, Partial<Loaded> {
  readonly id: string;
}

const WATCH_MILLISECONDS = 200;
/** Next to this program. */
const RECORDER = fileURLToPath(new URL('record-executed.mjs', import.meta.url));

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
process.send?.({ failed: [], milliseconds: 0 } satisfies Answered);

async function answer({ changed, tests, limitMilliseconds, record = false }: Asked): Promise<void> {
  const begun = processorMilliseconds();
  const watch = setInterval(() => {
    if (processorMilliseconds() - begun > limitMilliseconds) process.kill(process.pid, 'SIGKILL');
  }, WATCH_MILLISECONDS);
  for (const file of [changedBefore, changed]) if (file !== undefined) vitest.invalidateFile(resolve(file));
  changedBefore = changed;
  const units = vitest.projects.filter(({ name }) => name === 'unit');
  for (const { config } of units) config.setupFiles = record ? [RECORDER] : [];
  const specifications = tests.flatMap(({ file, ids }) =>
    units.map((project) => project.createSpecification(resolve(file), ids === undefined ? [] : { testIds: [...ids] })),
  );
  ended.length = 0;
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  clearInterval(watch);
  process.exitCode = 0;
  const untold = ended.length === 0 && tests.length > 0 ? ['no test file could be started'] : [];
  const failed = [...ended.flatMap(failuresOf), ...unhandledErrors.map(String), ...untold];
  const milliseconds = processorMilliseconds() - begun;
  process.send?.({ failed, milliseconds, ...(record ? { recorded: ended.flatMap(recordedOf) } : {}) } satisfies Answered);
}

/** Of all threads: what else the machine does counts for nothing. */
function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function failuresOf(module: TestModule): readonly string[] {
  if (module.state() !== 'failed') return [];
  const tests = [...module.children.allTests('failed')].map(({ fullName }) => `${module.relativeModuleId}: ${fullName}`);
  return tests.length > 0 ? tests : [`${module.relativeModuleId}: cannot be loaded`];
}

function recordedOf(module: TestModule): readonly Recorded[] {
  return [...module.children.allTests()].map((test) => ({
    ...(test.meta() as Partial<Executed & Loaded>),
    id: test.id,
  }));
}
