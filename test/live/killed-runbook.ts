import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJournal } from '../../src/runbook/journal-file.ts';
import { journalState } from '../../src/runbook/journal-state.ts';
import { emptyFolder } from '../support/built-program.ts';
import { prepareRunToKill } from '../support/run-to-kill-program.ts';
import { kubectl } from './real-commands.ts';

const folder = emptyFolder();
const journals = join(folder.path, 'journal');
let program: string;

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: '127.0.0.1:5000/web:1.0' }] } },
  },
};

function runs(): readonly string[] {
  try {
    return readdirSync(journals).flatMap((name) => (name.endsWith('.jsonl') ? [name.replace('.jsonl', '')] : []));
  } catch {
    // Before the first run there is no folder.
    return [];
  }
}

function linesOf(name: string | undefined): number {
  return name === undefined ? 0 : readFileSync(join(journals, `${name}.jsonl`), 'utf8').split('\n').length - 1;
}

/** Runs the playbook, or goes on with a run; kills it once its journal has so many lines. Answers its name and exit code. */
async function run(
  note: string,
  resumed?: string,
  lines?: number,
): Promise<{ readonly name: string | undefined; readonly code: number | null; readonly out: string }> {
  const known = new Set(runs());
  const words = [folder.path, note, ...(resumed === undefined ? [] : [resumed])];
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'inherit'], timeout: 120_000 });
  let out = '';
  child.stdout.on('data', (part: Buffer) => (out += part.toString()));
  const over = once(child, 'close');
  const name = (): string | undefined => resumed ?? runs().find((one) => !known.has(one));
  while (lines !== undefined && child.exitCode === null && linesOf(name()) < lines) await pause(5);
  if (lines !== undefined) child.kill('SIGKILL');
  const [code] = (await over) as [number | null];
  return { name: name(), code, out };
}

async function revision(): Promise<number> {
  const words = [
    '-n',
    'shop',
    'get',
    'deployment',
    'web',
    '-o',
    String.raw`jsonpath={.metadata.annotations.deployment\.kubernetes\.io/revision}`,
  ];
  return Number((await kubectl(words)).out);
}

describe('a runbook on a real cluster that is killed with SIGKILL', () => {
  beforeAll(async () => {
    program = await prepareRunToKill(folder.path, readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8'));
    expect((await kubectl(['create', 'namespace', 'shop'])).code).toBe(0);
    const applied = await kubectl(['apply', '-f', '-'], JSON.stringify(web));
    expect(applied.code, applied.err).toBe(0);
    const ready = await kubectl(['-n', 'shop', 'rollout', 'status', 'deployment/web', '--timeout=100s']);
    expect(ready.code, ready.err).toBe(0);
  });
  afterAll(() => folder.remove());

  it.each([2, 4, 6, 8, 10, 12, 14])('after %i lines of its journal is resumed, and changes nothing twice', async (lines) => {
    const before = await revision();
    const note = `note-${lines}`;
    const killed = await run(note, undefined, lines);
    const resumed = killed.code === null ? await run(note, killed.name) : killed;
    // The new pod may still be on its way.
    expect(resumed.out).toContain('The run is complete.');
    const read = readJournal(journals, resumed.name ?? '');
    expect(journalState(read)).toBe('complete');
    expect(read.records.flatMap(({ entry }) => (entry.type === 'changed' ? [entry.step] : []))).toEqual(['again', 'make']);
    expect((await kubectl(['-n', 'shop', 'get', 'configmap', note])).code).toBe(0);
    expect((await revision()) - before).toBe(1);
  });
});
