import type { Json, JsonObject } from '../base/json.ts';
import { asNumber, asText, isJsonObject } from '../base/json.ts';
import { canonicalJson, withFields } from '../base/json-edit.ts';
import type { JournalEntry, JournalRecord } from '../model/journal.ts';
import { sha256 } from './redact.ts';

/** What a journal's text holds. */
export interface ReadJournal {
  readonly records: readonly JournalRecord[];
  /** Bytes of the whole records: what comes after was torn off by a crash, and says nothing. */
  readonly wholeBytes: number;
  /** Where the chain is broken: nothing from this line on can be relied on. Lines count from 1. */
  readonly broken?: { readonly line: number; readonly why: string };
}

/** What the first record follows. */
export const CHAIN_START = '0'.repeat(64);

/** The line of a record, without the line's end, and its digest. */
export function sealed(entry: JournalEntry, seq: number, at: string, before: string): { readonly line: string; readonly hash: string } {
  const record: JsonObject = { seq, at, ...(entry as unknown as JsonObject), before };
  const hash = sha256(canonicalJson(record));
  return { line: JSON.stringify({ ...record, hash }), hash };
}

/** Reads a journal. A last line that was not finished is left out; anything else that is not as it was written breaks the chain. */
export function readChain(bytes: Uint8Array): ReadJournal {
  const records: JournalRecord[] = [];
  let [start, hash, line] = [0, CHAIN_START, 0];
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    line += 1;
    const read = recordOf(new TextDecoder().decode(bytes.subarray(start, end)), records.length, hash);
    if (typeof read === 'string') return { records, wholeBytes: start, broken: { line, why: read } };
    records.push(read);
    [start, hash] = [end + 1, read.hash];
  }
  return { records, wholeBytes: start };
}

const NEWLINE = 10;

function recordOf(text: string, seq: number, before: string): JournalRecord | string {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return 'it is no JSON';
  }
  if (!isJsonObject(value)) return 'it is no record';
  const { hash, ...rest } = value;
  const [at, number] = [asText(value['at']), asNumber(value['seq'])];
  if (number !== seq) return `record ${seq} was expected, and this is ${number ?? 'none'}`;
  if (value['before'] !== before) return 'it does not follow the record before it';
  if (at === undefined || asText(hash) !== sha256(canonicalJson(rest))) return 'it was changed after it was written';
  const entry = withFields(rest, { seq: undefined, at: undefined, before: undefined });
  return { seq, at, entry: entry as unknown as JournalEntry, hash: asText(hash) ?? '' };
}
