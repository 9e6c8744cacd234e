import { closeSync, fsyncSync, openSync, readFileSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { asNumber, asText, dig } from '../base/json.ts';
import { parsedJson } from '../base/parsed-json.ts';

/** How many records a journal has, and the digest of the last one. It is kept beside the journal, so that a cut tail shows. */
export interface JournalHead {
  readonly records: number;
  readonly hash: string;
}

/** `web-1.head.json` for `web-1.jsonl`. */
export function headFile(journal: string): string {
  return journal.replace(/\.jsonl$/, '.head.json');
}

/** Replaces the head in one step: a reader finds the old one or the new one, whole. Throws what the file system throws. */
export function writeHead(journal: string, { records, hash }: JournalHead): void {
  const [file, next] = [headFile(journal), `${headFile(journal)}.next`];
  try {
    const descriptor = openSync(next, 'w', 0o600);
    try {
      writeSync(descriptor, `${JSON.stringify({ records, hash })}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(next, file);
  } catch (error) {
    removeQuietly(next);
    throw error;
  }
}

/** The head beside a journal. `unreadable` is one that does not have the shape of a head. */
export function readHead(journal: string): JournalHead | 'missing' | 'unreadable' {
  let text: string;
  try {
    text = readFileSync(headFile(journal), 'utf8');
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'missing' : 'unreadable';
  }
  const value = parsedJson(text);
  const [records, hash] = [asNumber(dig(value, 'records')), asText(dig(value, 'hash'))];
  return records !== undefined && Number.isInteger(records) && records >= 0 && hash !== undefined ? { records, hash } : 'unreadable';
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Nothing was written.
  }
}
