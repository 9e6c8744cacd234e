import { closeSync, fsyncSync, ftruncateSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { PodcheckError } from '../base/errors.ts';
import type { Instant } from '../base/instant.ts';
import { formatMilliseconds } from '../base/instant.ts';
import { systemReason } from '../base/system-error.ts';
import { nearest } from '../base/text.ts';
import { makeFolder } from '../files/make-folder.ts';
import { stateFolder } from '../files/state-folder.ts';
import type { ReadChain, ReadJournal } from './journal-chain.ts';
import { CHAIN_START, comparedWith, readChain, sealed } from './journal-chain.ts';
import { readHead, writeHead } from './journal-head.ts';
import type { JournalEntry, JournalPort } from '../model/journal.ts';

export interface JournalFile extends JournalPort {
  readonly file: string;
  close(): void;
}

/** Where journals are kept when nobody says otherwise. Source: XDG Base Directory Specification. */
export function defaultJournalFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return stateFolder('journal', env, home);
}

/** Begins the journal of a run. Only its owner can read it. Throws a PodcheckError when it cannot be written. */
export function beginJournal(folder: string, run: string, clock: () => Instant): JournalFile {
  const file = fileOf(folder, run);
  return attempt(folder, () => {
    makeFolder(folder);
    const descriptor = openSync(file, 'wx', 0o600);
    writeHead(file, { records: 0, hash: CHAIN_START });
    return writer(file, descriptor, { seq: 0, hash: CHAIN_START, bytes: 0 }, clock);
  });
}

/** Continues a journal after its last whole record; what a crash has left after that is removed. */
export function continueJournal(folder: string, run: string, { records, wholeBytes }: ReadChain, clock: () => Instant): JournalFile {
  const file = fileOf(folder, run);
  return attempt(folder, () => {
    const from = { seq: records.length, hash: records.at(-1)?.hash ?? CHAIN_START, bytes: wholeBytes };
    const descriptor = openSync(file, 'r+');
    ftruncateSync(descriptor, wholeBytes);
    writeHead(file, { records: from.seq, hash: from.hash });
    return writer(file, descriptor, from, clock);
  });
}

export function readJournal(folder: string, run: string): ReadJournal {
  const file = fileOf(folder, run);
  try {
    // The head first: a run that is under way may write more records meanwhile, but never fewer.
    const head = readHead(file);
    return comparedWith(head, readChain(readFileSync(file)));
  } catch (error) {
    const near = nearest(run, runsIn(folder));
    throw new PodcheckError(
      'not-found',
      `journal of run "${run}" not found in ${folder}: ${systemReason(error)}`,
      near.length === 0 ? '`podcheck runbook journal list` lists all runs' : `did you mean ${near.join(' or ')}?`,
    );
  }
}

/** Names of all runs with a journal, oldest first: a name ends with the time at which its run began. */
export function runsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => name.slice(0, -'.jsonl'.length))
      .map((run) => ({ run, key: `${timeIn(run)} ${run}` }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ run }) => run);
  } catch {
    return [];
  }
}

function timeIn(run: string): string {
  return /-(\d{8}-\d{6})-[0-9a-f]+$/.exec(run)?.[1] ?? '';
}

function fileOf(folder: string, run: string): string {
  if (!/^[\w.-]{1,200}$/.test(run) || run.startsWith('.'))
    throw new PodcheckError('usage', `"${run}" is not a valid run ID`, '`podcheck runbook journal list` lists all runs');
  return join(folder, `${run}.jsonl`);
}

function writer(
  file: string,
  descriptor: number,
  from: { readonly seq: number; readonly hash: string; readonly bytes: number },
  clock: () => Instant,
): JournalFile {
  let { seq, hash, bytes } = from;
  return {
    file,
    append: (entry: JournalEntry) => {
      const next = sealed(entry, seq, formatMilliseconds(clock()), hash);
      const line = Buffer.from(`${next.line}\n`);
      try {
        writeWhole(descriptor, line, bytes);
        fsyncSync(descriptor);
        writeHead(file, { records: seq + 1, hash: next.hash });
      } catch (error) {
        // Half a line would break the chain for whoever appends to it later.
        ftruncateQuietly(descriptor, bytes);
        throw new PodcheckError(
          'bad-input',
          `cannot write the journal ${file}: ${systemReason(error)}`,
          'free disk space or choose another folder with --journal, then resume the run with --resume',
        );
      }
      [seq, hash, bytes] = [seq + 1, next.hash, bytes + line.length];
    },
    close: () => closeSync(descriptor),
  };
}

function writeWhole(descriptor: number, line: Buffer, position: number): void {
  for (let written = 0; written < line.length;) written += writeSync(descriptor, line, written, line.length - written, position + written);
}

function ftruncateQuietly(descriptor: number, bytes: number): void {
  try {
    ftruncateSync(descriptor, bytes);
  } catch {
    // The reader leaves out half a line by itself.
  }
}

function attempt<T>(folder: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof PodcheckError) throw error;
    throw new PodcheckError(
      'bad-input',
      `cannot write the journal to ${folder}: ${systemReason(error)}`,
      'choose another folder with --journal; nothing was done',
    );
  }
}
