import type { Json, JsonObject } from '../base/json.ts';
import { asNumber, asText, isJsonObject } from '../base/json.ts';
import { parseInstant } from '../base/instant.ts';
import { canonicalJson, withFields } from '../base/json-edit.ts';
import { repeated } from '../base/text.ts';
import type { JournalEntry, JournalRecord } from '../model/journal.ts';
import type { JournalHead } from './journal-head.ts';
import { asJournalEntry } from './journal-shape.ts';
import { sha256 } from './redact.ts';

/** What a journal's text holds, by itself. */
export interface ReadChain {
  readonly records: readonly JournalRecord[];
  /** Bytes of the whole records: what follows was not completely written, and says nothing. */
  readonly wholeBytes: number;
  /** The first line that cannot be relied on, nor what follows it. Lines count from 1. */
  readonly broken?: { readonly kind: 'altered' | 'cut'; readonly line: number; readonly why: string };
}

/** A journal compared with the head that is kept beside it. */
export interface ReadJournal extends ReadChain {
  /** Without a readable head nobody can tell whether records are missing at the end. */
  readonly head: 'read' | 'missing' | 'unreadable';
}

/** What the first record follows. */
export const CHAIN_START = repeated('0', 64);

/** The line of a record, without the line's end, and its digest. */
export function sealed(entry: JournalEntry, seq: number, at: string, before: string): { readonly line: string; readonly hash: string } {
  const record: JsonObject = { seq, at, ...(entry as unknown as JsonObject), before };
  const hash = sha256(canonicalJson(record));
  return { line: JSON.stringify({ ...record, hash }), hash };
}

/** Reads a journal. A last line that was not finished is left out; anything else that is not as it was written breaks the chain. */
export function readChain(bytes: Uint8Array): ReadChain {
  const records: JournalRecord[] = [];
  let [start, hash, line] = [0, CHAIN_START, 0];
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    line += 1;
    const read = recordOf(new TextDecoder().decode(bytes.subarray(start, end)), records.length, hash);
    if (typeof read === 'string') return { records, wholeBytes: start, broken: { kind: 'altered', line, why: read } };
    records.push(read);
    [start, hash] = [end + 1, read.hash];
  }
  return { records, wholeBytes: start };
}

/**
 * What a chain cannot show by itself: that its end is missing. The head is written after each record, so a run that was killed may
 * have one record more than its head says, never fewer.
 */
export function comparedWith(head: JournalHead | 'missing' | 'unreadable', chain: ReadChain): ReadJournal {
  if (typeof head === 'string') return { ...chain, head };
  const { records, broken } = chain;
  if (broken !== undefined) return { ...chain, head: 'read' };
  if (records.length < head.records) {
    const [first, last] = [records.length + 1, head.records];
    const which = first === last ? `record ${first} is missing` : `records ${first} to ${last} are missing`;
    return { ...chain, head: 'read', broken: { kind: 'cut', line: first, why: which } };
  }
  const hash = head.records === 0 ? CHAIN_START : records[head.records - 1]?.hash;
  return hash === head.hash
    ? { ...chain, head: 'read' }
    : { ...chain, head: 'read', broken: { kind: 'altered', line: Math.max(1, head.records), why: 'the head names another record here' } };
}

const NEWLINE = 10;

function recordOf(text: string, seq: number, before: string): JournalRecord | string {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return 'the line is not valid JSON';
  }
  if (!isJsonObject(value)) return 'the line is not a record';
  const { hash, ...rest } = value;
  const [at, number] = [asText(value['at']), asNumber(value['seq'])];
  if (number !== seq) return `expected seq ${seq}, found ${number ?? 'none'}: a record was removed, repeated or moved`;
  if (value['before'] !== before) return 'the record does not follow the previous one';
  // A line that is read differently from how it looks (a repeated field, blanks) was not written by podcheck.
  if (at === undefined || asText(hash) !== sha256(canonicalJson(rest)) || JSON.stringify(value) !== text)
    return 'the record was changed after it was written';
  const entry = asJournalEntry(withFields(rest, { seq: undefined, at: undefined, before: undefined }));
  // Whoever writes a record can also reckon its digest: what is in it is no less foreign for that.
  if (entry === undefined || parseInstant(at) === undefined) return 'the record is not one that this podcheck writes';
  return { seq, at, entry, hash: asText(hash) ?? '' };
}
