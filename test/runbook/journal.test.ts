import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/model/journal.ts';
import { CHAIN_START, readChain, sealed } from '../../src/runbook/journal-chain.ts';
import { headFile, readHead } from '../../src/runbook/journal-head.ts';
import { journalState, stateWords } from '../../src/runbook/journal-state.ts';
import { beginJournal, continueJournal, defaultJournalFolder, readJournal, runsIn } from '../../src/runbook/journal-file.ts';
import { hold } from '../../src/runbook/lock.ts';
import { keptOutput } from '../../src/runbook/redact.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';
import { play, playbookOf } from '../support/runbook-runs.ts';
import { RUN_HEAD, shop, steps, WEB } from './shop.ts';

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
    expect(readJournal(folder, 'web-1')).toMatchObject({
      records: [{ seq: 0 }, { seq: 1 }, { seq: 2, entry: { say: 'entry 2' } }],
      wholeBytes: statSync(file).size,
    });
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(runsIn(folder)).toEqual(['web-1']);
  });

  it('is listed by the time of its run, whatever its playbook', () => {
    const folder = folderWith({
      'scheduling-20261121-130508-1f3a.jsonl': '',
      'image-pull-20261123-080000-0001.jsonl': '',
      'crash-loop-20261122-235959-ffff.jsonl': '',
    });
    expect(runsIn(folder)).toEqual([
      'scheduling-20261121-130508-1f3a',
      'crash-loop-20261122-235959-ffff',
      'image-pull-20261123-080000-0001',
    ]);
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
    const lines = readFileSync(written(folderWith({}), 4), 'utf8')
      .trimEnd()
      .split('\n');
    const broken = (changed: readonly (string | undefined)[]): unknown => readChain(Buffer.from(`${changed.join('\n')}\n`)).broken;
    expect(broken(lines)).toBeUndefined();
    expect(broken(lines.with(1, lines[1]?.replace('entry 1', 'entry 9') ?? ''))).toEqual({
      kind: 'altered',
      line: 2,
      why: 'the record was changed after it was written',
    });
    expect(broken(lines.toSpliced(1, 1))).toEqual({
      kind: 'altered',
      line: 2,
      why: 'expected seq 1, found 2: a record was removed, repeated or moved',
    });
    expect(broken(lines.with(2, '{'))).toEqual({ kind: 'altered', line: 3, why: 'the line is not valid JSON' });
    expect(broken([...lines, lines[3]])).toEqual({
      kind: 'altered',
      line: 5,
      why: 'expected seq 4, found 3: a record was removed, repeated or moved',
    });
    expect(broken(lines.toSpliced(0, 1))).toEqual({
      kind: 'altered',
      line: 1,
      why: 'expected seq 0, found 1: a record was removed, repeated or moved',
    });
    expect(broken(lines.with(1, lines[1]?.replace('{', '{"say":"nothing was done",') ?? ''))).toEqual({
      kind: 'altered',
      line: 2,
      why: 'the record was changed after it was written',
    });
  });

  it('is broken by a record that follows another than the one before it, though it is whole by itself', () => {
    const at = '2026-11-20T12:00:00.000Z';
    const first = sealed(note('entry 0'), 0, at, CHAIN_START);
    const other = sealed(note('entry 9'), 0, at, CHAIN_START);
    const chain = (before: string): Uint8Array => Buffer.from(`${first.line}\n${sealed(note('entry 1'), 1, at, before).line}\n`);
    expect(readChain(chain(first.hash)).broken).toBeUndefined();
    expect(readChain(chain(other.hash)).broken).toEqual({ kind: 'altered', line: 2, why: 'the record does not follow the previous one' });
  });

  it('says which records are missing at its end, however many, also when none is left', () => {
    const folder = folderWith({});
    const file = written(folder, 4);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const cut = (kept: number): string => {
      writeFileSync(
        file,
        lines
          .slice(0, kept)
          .map((line) => `${line}\n`)
          .join(''),
      );
      const read = readJournal(folder, 'web-1');
      return `${journalState(read)}: ${stateWords(read)}`;
    };
    expect(cut(3)).toBe('cut: record 4 is missing at the end; intact before: 3 records');
    expect(cut(1)).toBe('cut: records 2 to 4 are missing at the end; intact before: 1 record');
    expect(cut(0)).toBe('cut: records 1 to 4 are missing at the end; intact before: 0 records');
    writeFileSync(
      file,
      lines
        .map((line) => `${line}\n`)
        .join('')
        .slice(0, -1),
    );
    expect(journalState(readJournal(folder, 'web-1'))).toBe('cut');
    expect(cut(4)).toMatch(/^unfinished: 4 records, none missing, none altered; the end record is missing/);
  });

  it('is complete with its end record only, and unfinished with one record more than its head', () => {
    const folder = folderWith({});
    const journal = beginJournal(folder, 'web-1', clock);
    expect(stateWords(readJournal(folder, 'web-1'))).toBe('no record was written: the run stopped before its first step');
    journal.append(note('entry 0'));
    const before = readFileSync(headFile(journal.file));
    journal.append({ type: 'end', status: 'completed', result: 'fixed', outcome: 'healthy', cause: '', words: '', escalated: null });
    journal.close();
    expect(journalState(readJournal(folder, 'web-1'))).toBe('complete');
    // Killed between the record and its head.
    writeFileSync(headFile(journal.file), before);
    expect(journalState(readJournal(folder, 'web-1'))).toBe('complete');
    expect(readdirSync(folder).toSorted()).toEqual(['web-1.head.json', 'web-1.jsonl']);
    expect(statSync(headFile(journal.file)).mode & 0o077).toBe(0);
  });

  it('is not verified without a head that can be read', () => {
    const folder = folderWith({});
    const file = written(folder, 2);
    writeFileSync(headFile(file), '{"records":2');
    expect(stateWords(readJournal(folder, 'web-1'))).toBe(
      '2 records intact, but the head file is unreadable: later records may be missing',
    );
    rmSync(headFile(file));
    expect(journalState(readJournal(folder, 'web-1'))).toBe('unknown');
    writeFileSync(file, '');
    expect(journalState(readJournal(folder, 'web-1'))).toBe('unknown');
  });

  it('is not taken for another journal that is whole by itself', () => {
    const [folder, other] = [folderWith({}), folderWith({})];
    const file = written(folder, 3);
    const longer = beginJournal(other, 'web-1', clock);
    for (const words of ['something', 'else', 'was', 'done']) longer.append(note(words));
    longer.close();
    copyFileSync(longer.file, file);
    expect(readJournal(folder, 'web-1').broken).toEqual({ kind: 'altered', line: 3, why: 'the head names another record here' });
  });

  it('is never written over another', () => {
    const folder = folderWith({});
    written(folder, 1);
    expect(() => written(folder, 1)).toThrow('cannot write the journal to');
  });

  it.skipIf(process.getuid?.() === 0)('says when its folder is read-only (not run by root, who may write anywhere)', () => {
    const folder = folderWith({});
    chmodSync(folder, 0o500);
    expect(() => written(folder, 1)).toThrow(/cannot write the journal to .*permission denied/);
  });

  it('leaves nothing of a record that could not be written whole', () => {
    const folder = folderWith({});
    const journal = beginJournal(folder, 'web-1', clock);
    journal.append(note('entry 0'));
    journal.close();
    expect(() => journal.append(note('entry 1'))).toThrow(/cannot write the journal .*web-1\.jsonl/);
    expect(readJournal(folder, 'web-1').records.length).toBe(1);
    expect(readHead(journal.file)).toMatchObject({ records: 1 });
  });

  it('is broken by a record of another shape, also where its digest is right', async () => {
    for (const entry of [
      { type: 'note', words: 'x' },
      { ...note('x'), say: 7 },
      { type: 'run', run: 'web-1' },
      { ...note('x'), type: 'constructor' },
    ]) {
      const { line } = sealed(entry as unknown as JournalEntry, 0, '2026-01-15T12:00:00.000Z', CHAIN_START);
      expect(readChain(Buffer.from(`${line}\n`)).broken).toEqual({
        kind: 'altered',
        line: 1,
        why: 'the record is not one that this podcheck writes',
      });
      const folder = folderWith({ 'web-1.jsonl': `${line}\n` });
      for (const command of [['list'], ['show', 'web-1'], ['verify', 'web-1'], ['export', 'web-1', '-o', 'markdown']])
        expect((await podcheck(['runbook', 'journal', ...command, '--journal', folder])).code).not.toBe(70);
    }
    const { line } = sealed(note('x'), 0, 'yesterday', CHAIN_START);
    expect(readChain(Buffer.from(`${line}\n`)).broken?.kind).toBe('altered');
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
    expect(keptOutput(`DB_PASSWORD=hunter22 token: eyJhbGciOiJSUzI1NiIs.eyJzdWIiOiJ3ZWIifQ.c2ln\n${key}\nmode=dark`, []).text).toBe(
      'DB_PASSWORD=*** token: ***\n(private key)\nmode=dark',
    );
  });

  it('has no value that the cut parts from its name, and none that is written with a control character', () => {
    const text = `${'x'.repeat(200_000 - 8193)}\nDB_PASSWORD=${'Tr0ub4dor'.repeat(910)}\n`;
    expect(keptOutput(text, []).text).not.toContain('ub4dor');
    expect(keptOutput('key is a\u0007bcd', ['a\u0007bcd']).text).toBe('key is ***');
  });
});

describe('two runs on one target', () => {
  it('are refused with the name of the other, until it has ended', async () => {
    const folder = folderWith({});
    const release = await hold(folder, 'Deployment/shop/web on shop', 'web-1');
    await expect(hold(folder, 'Deployment/shop/web on shop', 'web-2')).rejects.toThrow(
      'web-1 is already running on Deployment/shop/web on shop',
    );
    (await hold(folder, 'Deployment/shop/cart on shop', 'cart-1'))();
    release();
    (await hold(folder, 'Deployment/shop/web on shop', 'web-3'))();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are refused, and the claim stays, where the other runs on another machine or its claim cannot be read', async () => {
    const folder = folderWith({});
    (await hold(folder, 'web', 'web-0'))();
    await hold(folder, 'web', 'web-1');
    const [own = ''] = readdirSync(folder);
    // Nobody can tell from here whether a process of another machine still runs.
    const claims = [JSON.stringify({ run: 'web-9', process: 2 ** 22 + 1, host: `not-${hostname()}` }), '{"run":'];
    for (const [index, text] of claims.entries()) {
      const other = own.replace('web-1', 'web-9');
      rmSync(join(folder, index === 0 ? own : other));
      writeFileSync(join(folder, other), text);
      await expect(hold(folder, 'web', 'web-2')).rejects.toThrow(
        index === 0 ? 'web-9 is already running on web' : 'another run is already running on web',
      );
      expect(readdirSync(folder)).toEqual([other]);
    }
  });

  it('are not refused when the other was killed, and never both let through when many start together', async () => {
    const folder = folderWith({});
    await hold(folder, 'web', 'web-1');
    const [file = ''] = readdirSync(folder);
    writeFileSync(
      join(folder, file.replace(String(process.pid), String(2 ** 22 + 1))),
      JSON.stringify({ run: 'web-1', what: 'web', process: 2 ** 22 + 1, host: hostname() }),
    );
    rmSync(join(folder, file));
    // The process of that claim is gone: the first to come gets through.
    (await hold(folder, 'web', 'web-2'))();
    expect(readdirSync(folder)).toEqual([]);
    const tries = await Promise.allSettled(['a', 'b', 'c', 'd'].map((run) => hold(folder, 'web', run)));
    const through = tries.filter(({ status }) => status === 'fulfilled').length;
    expect(through).toBeLessThanOrEqual(1);
    expect(readdirSync(folder).length).toBe(through);
  });
});

const RESUMABLE = `- { id: look, diagnose: target }
- { id: why, say: Ask., ask: { as: why, type: text, default: none } }
- { id: grow, say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, verify: { until: { all: [{ fact: workload, where: { top: true, ready: 3 } }] }, every: 5s, limit: 2m }, undo: restore }
- { id: make, say: Note it., change: { create: { apiVersion: v1, kind: ConfigMap, metadata: { name: web-notes }, data: { why: "{{ why }}" } } }, verify: { until: { outcome: healthy }, limit: 1m }, undo: restore }
- { id: again, say: Restart it., change: { restart: "{{ target }}" }, verify: { until: { all: [{ fact: workload, where: { top: true, ready: 3 } }] }, every: 5s, limit: 2m }, undo: restore }
- { id: away, say: Send one away., change: { evict: "{{ pod }}" }, verify: { until: { outcome: healthy }, every: 5s, limit: 2m }, undo: { none: the pod is gone } }
- { id: see, say: See it., show: { get: "{{ target }}" } }
- { id: last, note: Done. }`;

describe('a run that was killed', () => {
  it('goes on from wherever it was, does nothing twice, and ends as it would have', async () => {
    const playbook = playbookOf(steps(RESUMABLE));
    const { entries: whole, end } = await play(playbook, { cluster: shop(), target: WEB });
    expect(end).toMatchObject({ status: 'completed', result: 'fixed' });
    for (let kept = 0; kept < whole.length; kept++) {
      const cluster = shop();
      const earlier: JournalEntry[] = [RUN_HEAD];
      const onEntry = (entry: JournalEntry): void => {
        if (earlier.length > kept) throw new Error('killed');
        earlier.push(entry);
      };
      await expect(play(playbook, { cluster, target: WEB, onEntry })).rejects.toThrow('killed');
      const { end: resumed, entries } = await play(playbook, { cluster, target: WEB, earlier });
      expect(resumed, `killed after ${kept} entries: ${resumed.words}`).toMatchObject({ status: 'completed', result: 'fixed' });
      expect(entries.at(-1)?.type).toBe('end');
      const done = [...earlier, ...entries].flatMap((entry) => (entry.type === 'done' ? [entry.step] : []));
      expect(done).toEqual(['look', 'why', 'grow', 'make', 'again', 'away', 'see', 'last']);
      const changed = [...earlier, ...entries].flatMap((entry) => (entry.type === 'changed' ? [entry.step] : []));
      expect(changed, `killed after ${kept} entries`).toEqual(['grow', 'make', 'again', 'away']);
      cluster.runUntilSettled({ milliseconds: 120_000 });
      const sets = await cluster.reader().list('ReplicaSet', { namespace: 'shop' });
      expect(sets.ok && sets.value.length, `killed after ${kept} entries`).toBe(2);
      expect(
        (await cluster.reader().get({ kind: 'ConfigMap', namespace: 'shop', name: 'web-notes' })).ok,
        `killed after ${kept} entries`,
      ).toBe(true);
    }
  }, 300_000);
});
