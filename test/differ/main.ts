import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../../src/base/errors.ts';
import { differenceLines, summaryLines } from './report.ts';
import { playEach } from './each.ts';
import type { DifferOptions } from './options.ts';
import { readOptions } from './options.ts';
import type { Generator } from './generate.ts';
import { sequenceOf } from './generate.ts';
import { readKinds } from './kinds.ts';
import { readReasons } from './known.ts';
import { lasting } from './lasting.ts';
import type { Sequence } from './operation.ts';
import type { Played, Sides } from './play.ts';
import { playSequence } from './play.ts';
import { shrunk } from './shrink.ts';
import type { Side } from './side.ts';
import { SideGone, sideOf } from './side.ts';
import type { Mechanism, Tally } from './tally.ts';
import { count, emptyTally, mechanismsOf } from './tally.ts';
import { readValues } from './values.ts';

export interface Surroundings {
  /** Of manifests, values and reasons. */
  readonly folder: string;
  readonly kubeconfigs: { readonly real: string; readonly simulated: string };
  readonly write: (text: string) => void;
}

const SETTLE_MILLISECONDS = 400;
/** For what differed once: is it a matter of time? */
const LONG_SETTLE_MILLISECONDS = 1500;
/** For what differed twice, when nothing else is played. */
const LONGEST_SETTLE_MILLISECONDS = 2500;
const TRIES_TO_SHRINK = 60;
/** So often a sequence is played again because a connection broke. */
const MAX_BROKEN = 3;
const TRIES_TO_ANSWER = 20;
const ANSWER_MILLISECONDS = 100;

/** `npm run differ`. Exits with 0 when nothing without a reason differs, 1 when something does, 2 when it could not be compared. */
export async function main(words: readonly string[], { folder, kubeconfigs, write }: Surroundings): Promise<number> {
  const all = readKinds(join(folder, 'manifests.yaml'));
  const options = readOptions(words, all);
  if (typeof options === 'string') {
    write(`${options}\n`);
    return 2;
  }
  const sides: Sides = {
    real: sideOf('the real cluster', kubeconfigs.real),
    simulated: sideOf('the simulated cluster', kubeconfigs.simulated),
  };
  const generator = { kinds: options.kinds, values: readValues(join(folder, 'values.yaml')) };
  const tally = emptyTally();
  const run = new Run(sides, options, generator, tally, folder);
  let gone: string | undefined;
  try {
    await run.all();
    await report(run, tally, options, write);
  } catch (error) {
    gone = reasonOf(error);
  } finally {
    sides.real.close();
    sides.simulated.close();
  }
  if (gone !== undefined) write(`stopped after ${tally.operations} operations: ${gone}\n`);
  write(`${summaryLines(tally).join('\n')}\n`);
  if (gone !== undefined) return 2;
  return mechanismsOf(tally).some(({ because }) => because === undefined) ? 1 : 0;
}

async function report(run: Run, tally: Tally, { show }: DifferOptions, write: (text: string) => void): Promise<void> {
  for (const mechanism of mechanismsOf(tally).slice(0, show)) {
    const smallest = await run.smallest(mechanism);
    write(`${differenceLines(mechanism, smallest).join('\n')}\n\n`);
  }
}

/** Plays sequences, several at a time, each in a namespace of its own. */
class Run {
  readonly #sides: Sides;
  readonly #options: DifferOptions;
  readonly #generator: Generator;
  readonly #tally: Tally;
  readonly #reasons: ReturnType<typeof readReasons>;
  readonly #prefix = Date.now().toString(36).slice(-5);
  /** Sequences that differed twice, and what came of the second time. */
  readonly #doubtful: { readonly sequence: Sequence; readonly played: readonly Played[] }[] = [];
  #names = 0;
  #next = 0;
  #operations = 0;

  constructor(sides: Sides, options: DifferOptions, generator: Generator, tally: Tally, folder: string) {
    this.#sides = sides;
    this.#options = options;
    this.#generator = generator;
    this.#tally = tally;
    this.#reasons = readReasons(join(folder, 'known.yaml'));
  }

  async all(): Promise<void> {
    if (this.#options.each) {
      for (const kind of this.#options.kinds)
        await playEach(this.#sides, kind, this.#generator.values, this.#name(), this.#tally, this.#reasons);
      return;
    }
    await Promise.all(Array.from({ length: this.#options.workers }, () => this.#work()));
    await this.#judge();
  }

  /** The shortest sequence found that shows a mechanism. */
  smallest({ first, name }: Mechanism): Promise<Sequence> {
    if (!this.#options.shrinks) return Promise.resolve(first);
    return shrunk(first, (sequence) => this.#shows(sequence, name), TRIES_TO_SHRINK);
  }

  async #work(): Promise<void> {
    for (;;) {
      const seed = this.#seed();
      if (seed === undefined) return;
      const sequence = sequenceOf(this.#generator, seed);
      let played = await this.#play(sequence, SETTLE_MILLISECONDS);
      const differed = differs(played);
      if (differed) played = await this.#play(sequence, LONG_SETTLE_MILLISECONDS);
      this.#operations += played.length;
      if (differs(played)) this.#doubtful.push({ sequence, played });
      else this.#count(sequence, played, differed);
    }
  }

  /** Plays what differed twice once more, one sequence at a time: neither cluster has anything else to do then. */
  async #judge(): Promise<void> {
    for (const { sequence, played } of this.#doubtful) {
      const lasts = lasting(played, await this.#play(sequence, LONGEST_SETTLE_MILLISECONDS));
      this.#count(sequence, lasts, !differs(lasts));
    }
  }

  #count(sequence: Sequence, played: readonly Played[], passed: boolean): void {
    if (passed) this.#tally.passing += 1;
    count(this.#tally, sequence, played, this.#reasons);
  }

  /**
   * A sequence in which a connection broke is played again from its start, in another namespace, as soon as that cluster answers. One that
   * breaks it each time (a server panics) is left out.
   */
  async #play(sequence: Sequence, settleMilliseconds: number): Promise<readonly Played[]> {
    for (let left = MAX_BROKEN; left > 0; left--) {
      try {
        return await playSequence(this.#sides, sequence, { run: this.#name(), settleMilliseconds });
      } catch (error) {
        if (!(error instanceof SideGone) || !(await answersAgain(Object.values(this.#sides)))) throw error;
        this.#tally.broken += 1;
        if (left === 1) this.#tally.leftOut.push({ seed: sequence.seed, because: error.message });
      }
    }
    return [];
  }

  #seed(): string | undefined {
    const { seed, count } = this.#options;
    if (seed.includes('/')) return this.#next++ === 0 ? seed : undefined;
    return this.#operations < count ? `${seed}/${this.#next++}` : undefined;
  }

  async #shows(sequence: Sequence, mechanism: string): Promise<boolean> {
    const played = await this.#play(sequence, SETTLE_MILLISECONDS);
    return played.some(({ differences }) => differences.some((difference) => difference.mechanism === mechanism));
  }

  /** Of one length: the order of names is that of the sequences. */
  #name(): string {
    return `d${this.#prefix}x${String(10_000_000 + this.#names++).slice(1)}`;
  }
}

function differs(played: readonly Played[]): boolean {
  return played.some(({ differences }) => differences.length > 0);
}

/** Whether all of them are ready within a few seconds. */
async function answersAgain(sides: readonly Side[]): Promise<boolean> {
  for (const side of sides) {
    let ready = false;
    for (let tries = 0; !ready && tries < TRIES_TO_ANSWER; tries++) {
      ready = await side.ask({ method: 'GET', path: '/readyz' }).then(
        ({ code }) => code === 200,
        () => false,
      );
      if (!ready) await pause(ANSWER_MILLISECONDS);
    }
    if (!ready) return false;
  }
  return true;
}
