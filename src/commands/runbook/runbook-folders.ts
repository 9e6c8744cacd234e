import { accessSync, constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import { stateFolder } from '../../files/state-folder.ts';
import { defaultJournalFolder } from '../../runbook/journal-file.ts';
import type { CommandContext } from '../context.ts';

interface JournalOption {
  readonly journal?: string;
}

/** Where runs are written down. */
export function journalFolder({ journal }: JournalOption, { env, homeFolder, workingFolder }: CommandContext): string {
  return journal === undefined ? defaultJournalFolder(env, homeFolder) : resolve(workingFolder, journal);
}

/** Runs of one user exclude one another wherever their journals are; only who has no home keeps locks beside the journal. */
export function locksFolder(options: JournalOption, context: CommandContext): string {
  try {
    const folder = stateFolder('locks', context.env, context.homeFolder);
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return join(journalFolder(options, context), 'locks');
  }
}
