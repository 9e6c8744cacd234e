import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Prng } from '../../../src/base/prng.ts';
import { readJournal } from '../../../src/runbook/journal-file.ts';
import { journalState } from '../../../src/runbook/journal-state.ts';
import { addTrust, digestOfText, trustFolder } from '../../../src/runbook/trust.ts';
import type { Serving } from '../../../src/server/serve.ts';
import { startServing } from '../../../src/server/serve.ts';
import { shop } from '../../runbook/shop.ts';
import type { LiveWorld } from '../live-case.ts';
import type { Outcome } from '../runner.ts';

const PLAYBOOK = `title: The shop needs a note
use: When it is slow.
for: {}
params: { note: { type: name, says: where it is noted, required: true } }
escalation: Call the owner of the shop.
steps:
  - { id: look, diagnose: target }
  - { id: make, say: Note it., change: { create: { apiVersion: v1, kind: ConfigMap, metadata: { name: "{{ note }}" } } }, verify: { until: { all: [{ fact: workload, where: { top: true } }] }, every: 1s, limit: 60s }, undo: restore }
  - { id: pods, say: See the pods., show: { list: Pod, namespace: "{{ namespace }}" } }
`;
/** A run has about so many records, and takes about so long. */
const [RECORDS, MILLISECONDS] = [14, 2500];
const ATTEMPTS = 8;

/**
 * A run that is killed anywhere, again and again: nothing is lost or done twice, it can be resumed, and a cut tail of its journal is told.
 */
export async function killCase(prng: Prng, world: LiveWorld): Promise<Outcome> {
  const serving = await world.once('shop', async () => {
    const made = await startServing({ cluster: shop(), speed: 1000 });
    return { value: made, close: () => made.close() };
  });
  const [folder, note] = [world.folder, `notes-${String(prng.bits())}`];
  writeFileSync(join(folder, 'slow-shop.yaml'), PLAYBOOK);
  writeFileSync(join(folder, 'kubeconfig'), serving.kubeconfig);
  addTrust(trustFolder({}, folder), { digest: digestOfText(PLAYBOOK), file: join(folder, 'slow-shop.yaml'), at: '2026-11-20T12:00:00Z' });
  const [fell, said]: [string[], string[]] = [[], []];
  let done = false;
  for (let attempt = 0; attempt < ATTEMPTS && !done; attempt++) {
    const kill = attempt < 4 && (attempt === 0 || prng.fraction() < 0.6) ? someKill(prng) : undefined;
    const run = runOf(folder);
    const { code, out } = await started(world, [note, ...(run === undefined ? [] : [run])], kill);
    said.push(
      `attempt ${String(attempt)}${run === undefined ? '' : ', resumed'}: ${code === null ? 'killed' : `exit code ${String(code)}`}`,
    );
    if (code !== null && code !== 0) fell.push(`attempt ${String(attempt)} ends with ${String(code)}: ${out.slice(-600)}`);
    const made = runOf(folder);
    if (made === undefined) continue;
    const read = readJournal(join(folder, 'journal'), made);
    const state = journalState(read);
    if (state !== 'complete' && state !== 'unfinished') fell.push(`after attempt ${String(attempt)} the journal is ${state}`);
    fell.push(...cutTails(folder, made, read.records.length, prng));
    done = state === 'complete';
  }
  if (!done) fell.push('the run never came to its end');
  fell.push(...(await truth(serving, folder, note)));
  return { fell, refused: false, said: said.join('\n') };
}

function someKill(prng: Prng): Kill {
  return {
    records: prng.fraction() < 0.7 ? prng.below(RECORDS) : undefined,
    milliseconds: prng.below(prng.fraction() < 0.7 ? 40 : MILLISECONDS),
  };
}

/** What the journal says was done is what was done, once. */
async function truth(serving: Serving, folder: string, note: string): Promise<readonly string[]> {
  const run = runOf(folder);
  if (run === undefined) return ['there is no journal'];
  const changed = readJournal(join(folder, 'journal'), run).records.flatMap(({ entry }) =>
    entry.type === 'changed' ? [entry.object] : [],
  );
  const read = await serving.cluster.reader().get({ kind: 'ConfigMap', namespace: 'shop', name: note });
  return [
    ...(changed.length === 1 ? [] : [`the journal has ${String(changed.length)} changes: ${changed.join(', ')}`]),
    ...(read.ok ? [] : ['what was to be made is not there']),
  ];
}

/** The same journal without its last lines is not whole. Its head may be one record behind: then one line less is what it says. */
function cutTails(folder: string, run: string, records: number, prng: Prng): readonly string[] {
  if (records < 3) return [];
  const journal = join(folder, 'journal');
  const cut = join(folder, 'cut');
  mkdirSync(cut, { recursive: true });
  for (const name of readdirSync(journal).filter((file) => file.startsWith(run)))
    if (!name.endsWith('.lock')) copyFileSync(join(journal, name), join(cut, name));
  const file = join(cut, `${run}.jsonl`);
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, records);
  const kept = 1 + prng.below(records - 2);
  writeFileSync(file, `${lines.slice(0, kept).join('\n')}\n`);
  const state = journalState(readJournal(cut, run));
  return state === 'cut' || state === 'altered' ? [] : [`with ${String(kept)} of ${String(records)} records the journal is ${state}`];
}

function runOf(folder: string): string | undefined {
  try {
    const names = readdirSync(join(folder, 'journal'))
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => name.replace('.jsonl', ''));
    // What was killed before its first record was whole is not gone on with.
    return names.find((name) => readJournal(join(folder, 'journal'), name).records.length > 0);
  } catch {
    return undefined;
  }
}

interface Kill {
  readonly records: number | undefined;
  readonly milliseconds: number;
}

async function started(
  { folder, killed }: LiveWorld,
  words: readonly string[],
  kill: Kill | undefined,
): Promise<{ readonly code: number | null; readonly out: string }> {
  const child = spawn(process.execPath, [fileURLToPath(killed), folder, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] },
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (out += data.toString()));
  const over = new AbortController();
  if (kill !== undefined) void endedBy(child, kill, folder, over.signal);
  const [code] = (await once(child, 'close')) as [number | null];
  over.abort();
  return { code, out };
}

async function endedBy(
  child: { kill(signal: 'SIGKILL'): boolean },
  { records, milliseconds }: Kill,
  folder: string,
  over: AbortSignal,
): Promise<void> {
  while (records !== undefined && !over.aborted && linesIn(folder) < records) await sleep(2);
  await sleep(milliseconds, undefined, { signal: over }).catch(() => undefined);
  child.kill('SIGKILL');
}

function linesIn(folder: string): number {
  try {
    return Math.max(
      0,
      ...readdirSync(join(folder, 'journal'))
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => readFileSync(join(folder, 'journal', name), 'utf8').split('\n').length - 1),
    );
  } catch {
    return -1;
  }
}
