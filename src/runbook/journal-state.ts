import type { ReadJournal } from './journal-chain.ts';

/** What can be said of a journal. `unfinished` has no end record: its run was interrupted, killed, or is still running. */
export type JournalState = 'complete' | 'unfinished' | 'altered' | 'cut' | 'unknown';

export function journalState({ records, broken, head }: ReadJournal): JournalState {
  if (broken !== undefined) return broken.kind;
  if (head !== 'read') return 'unknown';
  return records.at(-1)?.entry.type === 'end' ? 'complete' : 'unfinished';
}

/** The state in a sentence: which line, which records, which file. */
export function stateWords(read: ReadJournal): string {
  const { records, broken, head } = read;
  const count = `${records.length} ${records.length === 1 ? 'record' : 'records'}`;
  if (broken?.kind === 'altered')
    return `line ${broken.line}: ${broken.why}; nothing from this line on can be relied on; intact before it: ${count}`;
  if (broken !== undefined) return `${broken.why} at the end; intact before: ${count}`;
  if (head !== 'read') return `${count} intact, but the head file is ${head}: later records may be missing`;
  if (records.length === 0) return 'no record was written: the run stopped before its first step';
  return journalState(read) === 'complete'
    ? `${count}, none missing, none altered; the end record exists`
    : `${count}, none missing, none altered; the end record is missing, so the run did not finish`;
}
