import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dig } from '../../src/base/json.ts';
import { readJournal } from '../../src/runbook/journal-file.ts';
import { journalState, stateWords } from '../../src/runbook/journal-state.ts';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { shop, WEB } from '../runbook/shop.ts';
import { emptyFolder } from '../support/built-program.ts';
import { randomFrom } from '../support/random.ts';
import { prepareRunToKill } from '../support/run-to-kill-program.ts';

/** More of them by PODCHECK_TEST_KILLS, others by PODCHECK_TEST_SEED. */
const KILLS = Number(process.env['PODCHECK_TEST_KILLS'] ?? '10');
const SEED = Number(process.env['PODCHECK_TEST_SEED'] ?? '1');

const folder = emptyFolder();
let program: string;
let serving: Serving;

beforeAll(async () => {
  serving = await startServing({ cluster: shop(), speed: 1000 });
  program = await prepareRunToKill(folder.path, serving.kubeconfig);
});
afterAll(async () => {
  await serving.close();
  folder.remove();
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly milliseconds: number;
}

/** When a process is killed: so long after its start, or after the moment its journal has so many lines. */
interface Kill {
  readonly lines?: number;
  readonly milliseconds: number;
}

/** Runs it in a process of its own, and kills that. */
async function run(words: readonly string[], kill?: Kill): Promise<Ended> {
  const began = performance.now();
  const child = spawn(process.execPath, [program, folder.path, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const over = new AbortController();
  if (kill !== undefined) void killed(child, kill, words[1], over.signal);
  const [code] = (await once(child, 'close')) as [number | null];
  over.abort();
  return { code, out: Buffer.concat(chunks).toString(), milliseconds: performance.now() - began };
}

async function killed(child: ChildProcess, { lines, milliseconds }: Kill, resumed: string | undefined, over: AbortSignal): Promise<void> {
  const known = new Set(runs());
  while (lines !== undefined && !over.aborted && linesOf(resumed ?? runs().find((name) => !known.has(name))) < lines) await sleep(2);
  await sleep(milliseconds, undefined, { signal: over }).catch(() => undefined);
  child.kill('SIGKILL');
}

function linesOf(name: string | undefined): number {
  return name === undefined ? -1 : readFileSync(join(folder.path, 'journal', `${name}.jsonl`), 'utf8').split('\n').length - 1;
}

/** Mostly in the middle of the journal, where there is something to lose; now and then at any moment of the process. */
function someKill(random: () => number, whole: number, from: number): Kill {
  if (random() < 0.2) return { milliseconds: random() * whole };
  return { lines: from + Math.floor(random() * LINES), milliseconds: random() < 0.5 ? 0 : random() * 40 };
}

/** Of the journal of a run that nobody interrupts. */
const LINES = 20;

function runs(): readonly string[] {
  try {
    return readdirSync(join(folder.path, 'journal'))
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => name.replace('.jsonl', ''));
  } catch {
    return [];
  }
}

async function revision(): Promise<number> {
  const read = await serving.cluster.reader().get(WEB);
  return Number(read.ok ? dig(read.value, 'metadata', 'annotations', 'deployment.kubernetes.io/revision') : Number.NaN);
}

interface Counts {
  kills: number;
  resumed: number;
  /** Runs that were killed before their journal had a record. */
  beforeJournal: number;
}

/** Where kills come from; `whole` is how long a run takes that nobody interrupts, in milliseconds. */
interface Chance {
  readonly random: () => number;
  readonly whole: number;
}

/** Kills a run and resumes it, now and then killing it again, until it is complete. Gives its name. */
async function runToEnd(note: string, index: number, { random, whole }: Chance, counts: Counts): Promise<string | undefined> {
  let { made, ended } = await runOnce(note, undefined, someKill(random, whole, 0), counts);
  for (let again = 0; ended.code !== 0; again++) {
    const told = `seed ${SEED}, run ${index} (${made ?? 'no journal'}), attempt ${again}`;
    const last = made === undefined ? undefined : lastEntry(made, told);
    // Killed after its end record: nothing is left to be done.
    if (last === 'end') break;
    if (last === undefined) counts.beforeJournal += 1;
    else counts.resumed += 1;
    expect(again, told).toBeLessThan(8);
    const resumed = last === undefined ? undefined : made;
    const kill = again < 3 && random() < 0.4 ? someKill(random, whole, linesOf(resumed)) : undefined;
    ({ made, ended } = await runOnce(note, resumed, kill, counts));
    if (ended.code !== null) expect(ended.out, told).toContain('Fixed. The run is complete.');
  }
  return made;
}

/** Runs the playbook, or resumes a run of it. `made` is the run's name, once it has a journal. */
async function runOnce(
  note: string,
  resumed: string | undefined,
  kill: Kill | undefined,
  counts: Counts,
): Promise<{ readonly made: string | undefined; readonly ended: Ended }> {
  const known = new Set(runs());
  const ended = await run([note, ...(resumed === undefined ? [] : [resumed])], kill);
  if (ended.code === null) counts.kills += 1;
  return { made: resumed ?? runs().find((name) => !known.has(name)), ended };
}

/** The type of a journal's last record, after a look at whether the journal is sound; undefined where it has none. */
function lastEntry(name: string, told: string): string | undefined {
  const read = readJournal(join(folder.path, 'journal'), name);
  expect(`${journalState(read)}: ${stateWords(read)}`, told).toMatch(/^(unfinished|complete): /);
  return read.records.at(-1)?.entry.type;
}

describe('a run that is killed with SIGKILL', () => {
  it(
    `loses nothing, does nothing twice and is gone on with (${KILLS} kills, seed ${SEED})`,
    async () => {
      const random = randomFrom(SEED);
      const whole = await run(['notes-whole']);
      expect(whole).toMatchObject({ code: 0, out: expect.stringContaining('Fixed. The run is complete.') as string });
      const counts: Counts = { kills: 0, resumed: 0, beforeJournal: 0 };
      for (let index = 0; counts.kills < KILLS; index++) {
        const note = `notes-${index}`;
        const before = await revision();
        const made = await runToEnd(note, index, { random, whole: whole.milliseconds }, counts);
        // The Deployment's controller may not have seen the last change yet.
        for (let left = 500; (await revision()) === before && left > 0; left--) await sleep(20);
        const read = readJournal(join(folder.path, 'journal'), made ?? '');
        const changed = read.records.flatMap(({ entry }) => (entry.type === 'changed' ? [entry.step] : []));
        const notes = await serving.cluster.reader().get({ kind: 'ConfigMap', namespace: 'shop', name: note });
        expect(
          { run: made, state: journalState(read), changed, restarts: (await revision()) - before, notes: notes.ok },
          `seed ${SEED}, run ${index}`,
        ).toEqual({ run: made, state: 'complete', changed: ['again', 'make'], restarts: 1, notes: true });
      }
      process.stdout.write(
        `${KILLS} kills: ${counts.resumed} runs resumed, ${counts.beforeJournal} begun anew (killed before the journal)\n`,
      );
    },
    60_000 + KILLS * 60_000,
  );
});
