import { Prng } from '../../src/base/prng.ts';
import { printable, printableUpTo } from '../../src/base/text.ts';
import { KINDS } from './kinds.ts';
import { LIVE_KINDS } from './live-kinds.ts';
import { LiveRunner } from './live-runner.ts';
import type { Outcome } from './runner.ts';
import { Runner } from './runner.ts';

const USAGE =
  'npm run attack -- --minutes N [--seed S] [--kinds A,B]     tries for N minutes\nnpm run attack -- --seed KIND/NUMBER         tries one case again';
/** Characters of an answer that are shown. */
const SAID = 4000;
/** What fell of one kind is shown so often; the rest is counted. */
const SHOWN = 5;

interface Count {
  tried: number;
  /** With exit code 2: nothing beyond the reading of it was tried. */
  refused: number;
  fell: number;
}

/** What has a server in it is tried in this process, all else in a thread of its own. */
interface Runners {
  readonly stored: Runner;
  readonly live: LiveRunner;
}

const NAMES: readonly string[] = [...Object.keys(KINDS), ...Object.keys(LIVE_KINDS)];

interface Wish {
  readonly minutes: number;
  readonly seed: string;
  readonly kinds: readonly string[];
}

/** Tries what can be tried until the time is up. Gives the exit code: 1 when something fell. */
export async function main(argv: readonly string[], worker: URL, write: (text: string) => void): Promise<number> {
  const wish = wishOf(argv);
  if (wish === undefined) {
    write(`${USAGE}\nkinds: ${NAMES.join(', ')}\n`);
    return 2;
  }
  const [kind, number] = wish.seed.split('/');
  const only = kind !== undefined && number !== undefined && NAMES.includes(kind) ? wish.seed : undefined;
  const runner: Runners = { stored: new Runner(worker), live: new LiveRunner(new URL('killed.mjs', worker)) };
  try {
    return only === undefined ? await many(wish, runner, write) : await single(only, runner, write);
  } finally {
    await runner.stored.end();
    await runner.live.end();
  }
}

function wishOf(argv: readonly string[]): Wish | undefined {
  const value = (flag: string): string | undefined => (argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined);
  const known = argv.every((word, index) => ['--minutes', '--seed', '--kinds'].includes(index % 2 === 0 ? word : '--seed'));
  const minutes = Number(value('--minutes') ?? (value('--seed')?.includes('/') === true ? 0 : Number.NaN));
  const kinds = value('--kinds')?.split(',') ?? NAMES;
  return known && argv.length % 2 === 0 && Number.isFinite(minutes) && kinds.every((kind) => NAMES.includes(kind))
    ? { minutes, seed: value('--seed') ?? String(Date.now()), kinds }
    : undefined;
}

async function single(seed: string, runner: Runners, write: (text: string) => void): Promise<number> {
  const { fell, said } = await tried(seed, runner);
  write(`${printableUpTo(said, SAID)}\n`);
  write(fell.length === 0 ? `${seed} holds\n` : `${seed} fell:\n${linesOf(fell)}`);
  return fell.length === 0 ? 0 : 1;
}

async function many({ minutes, seed, kinds }: Wish, runner: Runners, write: (text: string) => void): Promise<number> {
  write(`seed ${seed}, for ${String(minutes)} min\n`);
  const end = performance.now() + minutes * 60_000;
  const counts = new Map<string, Count>(kinds.map((kind) => [kind, { tried: 0, refused: 0, fell: 0 }]));
  const prng = new Prng(seed);
  while (performance.now() < end) {
    for (const [kind, count] of counts) {
      const one = `${kind}/${String(prng.bits())}`;
      const { fell, refused } = await tried(one, runner);
      count.tried++;
      if (refused) count.refused++;
      if (fell.length === 0) continue;
      count.fell++;
      if (count.fell <= SHOWN) write(`FELL ${one}: npm run attack -- --seed ${one}\n${linesOf(fell)}`);
    }
  }
  write('\n');
  for (const [kind, { tried: all, refused, fell }] of counts)
    write(
      `${kind.padEnd(14)}${String(all).padStart(7)} tried${String(refused).padStart(7)} refused as bad input${fell === 0 ? '' : `${String(fell).padStart(6)} FELL`}\n`,
    );
  const sum = [...counts.values()].map(({ fell }) => fell).filter((fell) => fell > 0).length;
  write(sum === 0 ? 'all held\n' : 'something fell\n');
  return sum === 0 ? 0 : 1;
}

function tried(seed: string, runner: Runners): Promise<Outcome> {
  const [kind = ''] = seed.split('/');
  const live = LIVE_KINDS[kind];
  if (live !== undefined) return runner.live.run(live, new Prng(seed));
  const make = KINDS[kind];
  if (make === undefined) throw new Error(`there is no kind ${kind}`);
  return runner.stored.run(make(new Prng(seed)));
}

function linesOf(fell: readonly string[]): string {
  return fell.map((words) => `    ${printable(words)}\n`).join('');
}
