import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { Rule } from '../../src/model/rule.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { emptyFolder } from './built-program.ts';
import type { Sweep } from './failed-reads.ts';
import type { Plays } from './scenario-plays.ts';

/** One play of a scenario: which, what is wanted of it, and with which seed. */
export interface Job {
  readonly scenario: number;
  readonly play: keyof Plays;
  readonly seed: number;
}

export interface PlayerData {
  readonly scenarios: readonly Scenario[];
  readonly rules: readonly Rule[];
  /** How many reads fail in turn, for plays that let them. */
  readonly sweep?: Sweep;
}

/**
 * Plays the jobs on all cores, in threads that run the bundled simulator. The list of jobs is the order in which they will be
 * asked for: those that follow the one asked for are played ahead, so that nobody waits for long and no thread is ever idle.
 */
export class ScenarioPlayers {
  readonly #jobs: readonly Job[];
  readonly #data: PlayerData;
  readonly #folder = emptyFolder();
  readonly #program = join(this.#folder.path, 'player.mjs');
  readonly #answers = new Map<number, Promise<unknown>>();
  readonly #idle: Worker[] = [];
  readonly #waiting: ((worker: Worker) => void)[] = [];
  readonly #workers: Worker[] = [];

  constructor(jobs: readonly Job[], data: PlayerData) {
    this.#jobs = jobs;
    this.#data = data;
  }

  async start(): Promise<void> {
    await build({
      entryPoints: [resolve('test/support/scenario-player.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: this.#program,
      banner: { js: REQUIRE },
      sourcemap: 'inline',
      logLevel: 'error',
    });
    for (let count = 0; count < Math.min(MOST, availableParallelism()); count++) this.#free(this.#hired());
  }

  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
    this.#folder.remove();
  }

  /** What the job told. It must be one of the list. */
  async told<Play extends keyof Plays>(wanted: Job & { readonly play: Play }): Promise<Plays[Play]> {
    const index = this.#jobs.findIndex(
      ({ scenario, play, seed }) => scenario === wanted.scenario && play === wanted.play && seed === wanted.seed,
    );
    for (let next = index; next < Math.min(index + AHEAD, this.#jobs.length); next++) this.#ask(next);
    return (await this.#answers.get(index)) as Plays[Play];
  }

  #ask(index: number): void {
    const job = this.#jobs[index];
    if (job === undefined || this.#answers.has(index)) return;
    const answer = this.#play(job);
    // Whoever asks for it hears of its trouble; until then nobody needs to.
    answer.catch(() => undefined);
    this.#answers.set(index, answer);
  }

  async #play(job: Job): Promise<unknown> {
    const worker = this.#idle.pop() ?? (await new Promise<Worker>((free) => this.#waiting.push(free)));
    return new Promise((resolved, rejected) => {
      const failed = (error: unknown): void => {
        this.#free(this.#hired());
        rejected(error instanceof Error ? error : new Error(String(error)));
      };
      worker.once('error', failed);
      worker.once('message', ({ told, trouble }: { readonly told?: unknown; readonly trouble?: string }) => {
        worker.off('error', failed);
        this.#free(worker);
        if (trouble === undefined) resolved(told);
        else rejected(new Error(trouble));
      });
      worker.postMessage(job, []);
    });
  }

  /** One that has thrown outside a job, or run out of memory, is gone: another takes its place. */
  #hired(): Worker {
    const worker = new Worker(this.#program, {
      workerData: this.#data,
      execArgv: ['--enable-source-maps'],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    this.#workers.push(worker);
    return worker;
  }

  #free(worker: Worker): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(worker);
    else next(worker);
  }
}

/** Threads have a heap each: more of them than this are no faster than what judges them. */
const MOST = 8;
/** A play leaves much behind that is gone at its end: with room for all of it, hardly anything is carried on. */
const YOUNG_MEGABYTES = 128;
/** Jobs played before they are asked for. */
const AHEAD = 32;
/** Packages in CommonJS ask for Node's own modules, as in the program that is built. */
const REQUIRE = "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);";
