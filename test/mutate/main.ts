import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shorten } from '../../src/base/text.ts';
import type { Mutant } from './mutants.ts';
import { mutantsOf } from './mutants.ts';
import { KeptExecutions } from './kept-executions.ts';
import { RelatedTests } from './related-tests.ts';
import { TestChoice } from './test-choice.ts';
import { TestRunner } from './test-runner.ts';
import { Types } from './types.ts';

const FOLDERS = ['engine', 'collect', 'catalog', 'runbook', 'certificates'].map((name) => `src/${name}`);
const DEFAULT_SECONDS = 10;
/** Characters of a change that are shown. */
const SHOWN = 60;
const USAGE = `npm run mutate -- [FOLDER|FILE ...] [--count N] [--seed S] [--seconds N] [--near]

Changes the sources one place at a time, and runs the tests that import the file until one fails. A change that does not
compile does not count.
  FOLDER|FILE    below src; without any: ${FOLDERS.join(', ')}
  --count N      only N changes of each folder, chosen by the seed
  --seed S       the same seed chooses the same changes
  --near         only with tests of the folder or of that name, which is quicker and may miss what others notice
  --seconds N    for each change the nearest tests that together take so much processor time (default: ${String(DEFAULT_SECONDS)})
`;

interface Wish {
  readonly paths: readonly string[];
  readonly count: number | undefined;
  readonly seed: string;
  readonly seconds: number;
  readonly isNear: boolean;
}

/** Where the sources are, how to get a copy of them that changes are written to, the program that runs its tests, and where to keep what lasts. */
interface Place {
  readonly root: string;
  readonly copied: () => Promise<string>;
  readonly session: URL;
  readonly kept: string;
  readonly write: (text: string) => void;
}

/** Gives the exit code: 2 for a wrong use. */
export async function main(argv: readonly string[], { root, copied, session, kept, write }: Place): Promise<number> {
  const wish = wishOf(argv, root);
  if (wish === undefined) {
    write(USAGE);
    return 2;
  }
  const copy = await copied();
  const executions = new KeptExecutions(copy, kept);
  const runner = new TestRunner(session, copy, executions.situations);
  const choice = new TestChoice(new RelatedTests(copy), runner, executions, wish);
  write(`seed ${wish.seed}\n`);
  try {
    for (const path of wish.paths) await scoreOf(path, wish, { copy, runner, choice, types: new Types(copy) }, write);
  } finally {
    await runner.end();
  }
  const left = choice.slow();
  if (left.length > 0) write(`\nnot run, as each takes too long or fails without a change:\n${left.map((file) => `  ${file}\n`).join('')}`);
  return 0;
}

function wishOf(argv: readonly string[], root: string): Wish | undefined {
  const options = new Map<string, string>();
  const paths: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--near') options.set(word, '');
    else if (word.startsWith('-')) options.set(word, argv[++index] ?? '');
    else paths.push(word.replace(/\/$/, ''));
  }
  const number = (name: string): number | undefined => (options.has(name) ? Number(options.get(name)) : undefined);
  const numbers = [number('--count'), number('--seconds')];
  const known = [...options.keys()].every((name) => ['--count', '--seed', '--seconds', '--near'].includes(name));
  const sound =
    numbers.every((one) => one === undefined || (Number.isFinite(one) && one >= 1)) &&
    paths.every((path) => path.startsWith('src') && existsSync(join(root, path)));
  return known && sound
    ? {
        paths: paths.length > 0 ? paths : FOLDERS,
        count: numbers[0],
        seed: options.get('--seed') ?? String(Date.now()),
        seconds: numbers[1] ?? DEFAULT_SECONDS,
        isNear: options.has('--near'),
      }
    : undefined;
}

interface Workplace {
  readonly copy: string;
  readonly runner: TestRunner;
  readonly choice: TestChoice;
  readonly types: Types;
}

/** Survivors are shown as soon as they are known, for a run may take hours. A change that does not compile is none. */
async function scoreOf(path: string, { count, seed }: Wish, workplace: Workplace, write: (text: string) => void): Promise<void> {
  const { all, mutants } = mutantsOf(workplace.copy, [path], count === undefined ? undefined : seed);
  const seen = { noticed: 0, survived: 0, invalid: 0 };
  for (const { mutant, isUnfit } of checked(mutants, count ?? TOGETHER, workplace.types)) {
    if (seen.noticed + seen.survived === count) break;
    const came = isUnfit ? 'invalid' : await outcomeOf(mutant, workplace);
    seen[came]++;
    if (came === 'survived')
      write(
        `SURVIVED ${mutant.file}:${String(mutant.line)}:${String(mutant.column)} ${shortened(mutant.was)} → ${shortened(mutant.becomes)}\n`,
      );
  }
  const tried = seen.noticed + seen.survived;
  const score = tried === 0 ? 100 : (100 * seen.noticed) / tried;
  const invalid = seen.invalid === 0 ? '' : `; ${String(seen.invalid)} more did not compile`;
  write(
    `${path}: ${score.toFixed(0)} % (${String(seen.noticed)} of ${String(tried)} changes noticed, of ${String(all)} there are${invalid})\n`,
  );
}

/** Mutants whose types are looked at together. */
const TOGETHER = 100;

function* checked(
  mutants: Iterable<Mutant>,
  together: number,
  types: Types,
): Generator<{ readonly mutant: Mutant; readonly isUnfit: boolean }> {
  let group: Mutant[] = [];
  function* ofGroup(): Generator<{ readonly mutant: Mutant; readonly isUnfit: boolean }> {
    const unfit = types.unfit(group);
    for (const mutant of group) yield { mutant, isUnfit: unfit.has(mutant) };
    group = [];
  }
  for (const mutant of mutants) if (group.push(mutant) === together) yield* ofGroup();
  if (group.length > 0) yield* ofGroup();
}

async function outcomeOf(mutant: Mutant, workplace: Workplace): Promise<'noticed' | 'survived' | 'invalid'> {
  const isNoticed = await noticed(mutant, workplace);
  // Inside of a function a change hardly ever disturbs other sources, which do not see more of it than its types.
  const isToCheck = !isNoticed || mutant.inside.length === 0;
  if (isToCheck && !(await changed(mutant, workplace, () => workplace.types.fit()))) return 'invalid';
  return isNoticed ? 'noticed' : 'survived';
}

/** A change with which the tests run for ever is noticed too. */
async function noticed(mutant: Mutant, workplace: Workplace): Promise<boolean> {
  const { runner, choice } = workplace;
  // Between two steps the source is as it was: what the next tests execute may have to be found out first.
  for await (const { tests, limitMilliseconds } of choice.of(mutant)) {
    const { ended } = await changed(mutant, workplace, () => runner.run({ changed: mutant.file, tests }, limitMilliseconds));
    if (ended !== 'passed') return true;
  }
  return false;
}

/** Does something while the source has the change. */
async function changed<T>({ file, source }: Mutant, { copy }: Workplace, work: () => T | Promise<T>): Promise<T> {
  const whole = join(copy, file);
  const original = readFileSync(whole, 'utf8');
  writeFileSync(whole, source);
  try {
    return await work();
  } finally {
    writeFileSync(whole, original);
  }
}

function shortened(text: string): string {
  return shorten(text.trim().replaceAll(/\s+/g, ' '), SHOWN);
}
