import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector';
import { relative } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** What a test tells of itself in its meta data. Functions are numbers: `named` has those that no test before it has executed. */
export interface Executed {
  readonly executed: readonly number[];
  /** Processor time it took. */
  readonly milliseconds: number;
  /** `src/shop.ts#isFree`, from the number `firstNamed` on. */
  readonly named: readonly string[];
  readonly firstNamed: number;
}

/** What was executed while the test file was loaded: told by its first test. */
export interface Loaded {
  readonly loaded: readonly string[];
  /** Processor time that it took. */
  readonly loadMilliseconds: number;
}

// A setup file of a run whose tests are to tell which functions they execute.
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const numbers = new Map<string, number>();
let isLoaded = false;
const loading = process.cpuUsage();
let begun = loading;

beforeEach(({ task }) => {
  if (!isLoaded) {
    isLoaded = true;
    Object.assign(task.meta, { loaded: executedSince(), loadMilliseconds: millisecondsSince(loading) } satisfies Loaded);
  }
  // What is executed between two tests counts for the later one, but not its time, most of which it takes to ask for that.
  begun = process.cpuUsage();
});

afterEach(({ task }) => {
  const milliseconds = millisecondsSince(begun);
  const firstNamed = numbers.size;
  const named: string[] = [];
  const executed = executedSince().map((name) => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    named.push(name);
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  });
  Object.assign(task.meta, { executed, milliseconds, named, firstNamed } satisfies Executed);
});

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Functions of the sources that were executed since this was asked last. */
function executedSince(): readonly string[] {
  let scripts: readonly Profiler.ScriptCoverage[] = [];
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    scripts = result;
  });
  const names = new Set<string>();
  for (const { url, functions } of scripts) {
    const file = relative(process.cwd(), url.replace(/^file:\/\//, '')).replaceAll('\\', '/');
    if (!file.startsWith('src/')) continue;
    for (const { functionName, ranges } of functions) if ((ranges[0]?.count ?? 0) > 0) names.add(`${file}#${functionName}`);
  }
  return [...names];
}
