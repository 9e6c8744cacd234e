import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/model/journal.ts';
import { readChain } from '../../src/runbook/journal-chain.ts';
import { beginJournal, continueJournal, defaultJournalFolder, readJournal, runsIn } from '../../src/runbook/journal-file.ts';
import { lockTarget } from '../../src/runbook/lock.ts';
import { keptOutput } from '../../src/runbook/redact.ts';
import { folderWith } from '../support/folder.ts';
import { play, playbookOf } from '../support/runbook-runs.ts';
import { shop, steps, WEB } from './shop.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const clock = (): number => NOON;

function note(words: string): JournalEntry {
  return { type: 'precondition', say: words, is: 'true', why: 'seen — gesehen 상점' };
}

function written(folder: string, count: number): string {
  const journal = beginJournal(folder, 'web-1', clock);
  for (let index = 0; index < count; index++) journal.append(note(`entry ${index}`));
  journal.close();
  return journal.file;
}

describe('a journal', () => {
  it('is a chain that only its owner can read', () => {
    const folder = join(folderWith({}), 'journal');
    const file = written(folder, 3);
    expect(readJournal(folder, 'web-1')).toMatchObject({ records: [{ seq: 0 }, { seq: 1 }, { seq: 2, entry: { say: 'entry 2' } }], wholeBytes: statSync(file).size });
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(runsIn(folder)).toEqual(['web-1']);
  });

  it('goes on after it was cut off at any byte, with all that was whole', () => {
    const folder = folderWith({});
    const whole = readFileSync(written(folder, 4));
    const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1);
    for (let length = 0; length <= whole.length; length++) {
      const read = readChain(whole.subarray(0, length));
      const records = ends.filter((end) => end <= length).length;
      expect([read.records.length, read.broken, read.wholeBytes]).toEqual([records, undefined, ends[records - 1] ?? 0]);
      if (length % 37 !== 0 && ends.every((end) => Math.abs(end - length) > 1)) continue;
      const where = folderWith({});
      writeFileSync(join(where, 'web-1.jsonl'), whole.subarray(0, length));
      const again = continueJournal(where, 'web-1', read, clock);
      again.append(note('gone on'));
      again.close();
      const after = readJournal(where, 'web-1');
      expect([after.broken, after.records.length, after.records.at(-1)?.entry]).toEqual([undefined, records + 1, note('gone on')]);
    }
  });

  it('tells where it was changed, cut out of or added to', () => {
    const lines = readFileSync(written(folderWith({}), 4), 'utf8').trimEnd().split('\n');
    const broken = (changed: readonly (string | undefined)[]): unknown => readChain(Buffer.from(`${changed.join('\n')}\n`)).broken;
    expect(broken(lines)).toBeUndefined();
    expect(broken(lines.with(1, lines[1]?.replace('entry 1', 'entry 9') ?? ''))).toEqual({ line: 2, why: 'it was changed after it was written' });
    expect(broken(lines.toSpliced(1, 1))).toEqual({ line: 2, why: 'record 1 was expected, and this is 2' });
    expect(broken(lines.with(2, '{'))).toEqual({ line: 3, why: 'it is no JSON' });
    expect(broken([...lines, lines[3]])).toEqual({ line: 5, why: 'record 4 was expected, and this is 3' });
    expect(broken(lines.toSpliced(0, 1))).toEqual({ line: 1, why: 'record 0 was expected, and this is 1' });
  });

  it('is never written over another', () => {
    const folder = folderWith({});
    written(folder, 1);
    expect(() => written(folder, 1)).toThrow('the journal cannot be kept in');
  });

  it.skipIf(process.getuid?.() === 0)('says when its folder is read-only (not run by root, who may write anywhere)', () => {
    const folder = folderWith({});
    chmodSync(folder, 0o500);
    expect(() => written(folder, 1)).toThrow(/the journal cannot be kept in .*EACCES/);
  });

  it('leaves nothing of a record that could not be written whole', () => {
    const folder = folderWith({});
    const journal = beginJournal(folder, 'web-1', clock);
    journal.append(note('entry 0'));
    journal.close();
    expect(() => journal.append(note('entry 1'))).toThrow(/the journal .*web-1\.jsonl cannot be written/);
    expect(readJournal(folder, 'web-1').records.length).toBe(1);
  });

  it('lies where the state of programs lies', () => {
    expect(defaultJournalFolder({ XDG_STATE_HOME: '/var/state' }, '/home/eve')).toBe('/var/state/podcheck/journal');
    expect(defaultJournalFolder({}, '/home/eve')).toBe('/home/eve/.local/state/podcheck/journal');
  });
});

describe('an output that is kept', () => {
  it('is bounded and harmless, and has a digest of the whole', () => {
    const long = keptOutput('x'.repeat(200_000), []);
    expect(long.cut).toBe(true);
    expect(long.text.length).toBeLessThan(20_000);
    expect(keptOutput('\u001B[2Jweb', []).text).toBe(String.raw`\x1b[2Jweb`);
  });

  it('has nothing that looks like a secret', () => {
    const key = ['-----BEGIN RSA', 'KEY-----\nMIIabc\n-----END RSA', 'KEY-----'].join(' PRIVATE ');
    expect(keptOutput(`DB_PASSWORD=hunter22 token: eyJhbGciOiJSUzI1NiIs.eyJzdWIiOiJ3ZWIifQ.c2ln\n${key}\nmode=dark`, []).text).toBe('DB_PASSWORD=*** token: ***\n(private key)\nmode=dark');
  });
});

describe('two runs on one target', () => {
  it('are refused with the name of the other, until it has ended', () => {
    const folder = folderWith({});
    const release = lockTarget(folder, 'shop Deployment/shop/web', 'web-1');
    expect(() => lockTarget(folder, 'shop Deployment/shop/web', 'web-2')).toThrow('web-1 is under way on shop Deployment/shop/web');
    lockTarget(folder, 'shop Deployment/shop/cart', 'cart-1')();
    release();
    lockTarget(folder, 'shop Deployment/shop/web', 'web-3')();
  });

  it('are not refused when the other was killed', () => {
    const folder = folderWith({});
    lockTarget(folder, 'web', 'web-1');
    const [file = ''] = readdirSync(join(folder, 'locks'));
    writeFileSync(join(folder, 'locks', file), JSON.stringify({ run: 'web-1', target: 'web', process: 2 ** 22 + 1, host: hostname() }));
    lockTarget(folder, 'web', 'web-2')();
  });
});

const RESUMABLE = `- { id: look, diagnose: target }
- { id: why, say: Ask., ask: { as: why, type: text, default: none } }
- { id: grow, say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, verify: { until: { all: [{ fact: workload, where: { top: true, ready: 3 } }] }, every: 5s, limit: 2m }, undo: restore }
- { id: make, say: Note it., change: { create: { apiVersion: v1, kind: ConfigMap, metadata: { name: web-notes }, data: { why: "{{ why }}" } } }, verify: { until: { outcome: healthy }, limit: 1m }, undo: restore }
- { id: see, say: See it., show: { get: "{{ target }}" } }
- { id: last, note: Done. }`;

describe('a run that was killed', () => {
  it('goes on from wherever it was, does nothing twice, and ends as it would have', async () => {
    const playbook = playbookOf(steps(RESUMABLE));
    const { entries: whole, end } = await play(playbook, { cluster: shop(), target: WEB });
    expect(end).toMatchObject({ status: 'completed', result: 'fixed' });
    const head = { type: 'run', run: 'web-1', playbook: 'shop-trouble', word: '', digest: '', copy: null, params: {}, target: 'Deployment/shop/web', known: {}, mode: 'run', who: '', context: '', versions: {}, alerts: [] } as const;
    for (let kept = 0; kept < whole.length; kept++) {
      const cluster = shop();
      const earlier: JournalEntry[] = [head];
      const onEntry = (entry: JournalEntry): void => {
        if (earlier.length > kept) throw new Error('killed');
        earlier.push(entry);
      };
      await expect(play(playbook, { cluster, target: WEB, onEntry })).rejects.toThrow('killed');
      const { end: resumed, entries } = await play(playbook, { cluster, target: WEB, earlier });
      expect(resumed, `killed after ${kept} entries: ${resumed.words}`).toMatchObject({ status: 'completed', result: 'fixed' });
      const done = [...earlier, ...entries].flatMap((entry) => (entry.type === 'done' ? [entry.step] : []));
      expect(done).toEqual(['look', 'why', 'grow', 'make', 'see', 'last']);
      expect((await cluster.reader().get({ kind: 'ConfigMap', namespace: 'shop', name: 'web-notes' })).ok, `killed after ${kept} entries`).toBe(true);
    }
  });
});
