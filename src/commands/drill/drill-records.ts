import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PodcheckError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { systemReason } from '../../base/system-error.ts';
import { asRunRecord } from '../../drill/record-shape.ts';
import type { RunRecord } from '../../drill/run-record.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { readBounded } from '../../files/read-bounded.ts';
import { stateFolder } from '../../files/state-folder.ts';
import type { CommandContext } from '../context.ts';

/** `$XDG_STATE_HOME/podcheck/drills`: what is left of a run when its cluster is gone. */
export function recordsFolder({ env, homeFolder }: CommandContext): string {
  return stateFolder('drills', env, homeFolder);
}

/** Keeps a record, in the place of what was kept of the run before, which stays where the disk is full. */
export function keepRecord(folder: string, record: RunRecord): string {
  const file = join(folder, `${record.run}.json`);
  try {
    makeFolder(folder);
    writeFileSync(`${file}.next`, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.next`, file);
  } catch (error) {
    removeQuietly(`${file}.next`);
    throw new PodcheckError(
      'bad-input',
      `cannot write the record of the run to ${file}: ${systemReason(error)}`,
      'set XDG_STATE_HOME to a writable folder',
    );
  }
  return file;
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // There is no folder that it could be in.
  }
}

/** All records of a folder, the last started first. Files that are none are left out. */
export async function readRecords(folder: string): Promise<readonly RunRecord[]> {
  let files: readonly string[];
  try {
    files = await readdir(folder);
  } catch (error) {
    throw new PodcheckError(
      'not-found',
      `cannot read records in ${folder}: ${systemReason(error)}`,
      'create the first with `podcheck drill start`',
    );
  }
  const records = await Promise.all(files.filter((file) => file.endsWith('.json')).map((file) => readRecord(join(folder, file))));
  return records.filter((record) => record !== undefined).toSorted((a, b) => b.started.wall - a.started.wall);
}

/** The record of a run by the beginning of its id, by its file, or the last one. */
export async function recordNamed(word: string | undefined, context: CommandContext): Promise<RunRecord> {
  if (word?.endsWith('.json') === true) {
    const record = await readRecord(word);
    if (record === undefined)
      throw new PodcheckError('bad-input', `${word} is not a drill record`, 'a drill record is JSON with "schema": "podcheck.drill/v1"');
    return record;
  }
  const folder = recordsFolder(context);
  const records = existsSync(folder) ? await readRecords(folder) : [];
  const found = word === undefined ? records[0] : records.find(({ run }) => run.startsWith(word));
  if (found === undefined)
    throw new PodcheckError(
      'not-found',
      word === undefined ? 'no drill has been run yet' : `no record of run ${word}`,
      records.length === 0
        ? 'start one with `podcheck drill start`'
        : `recorded runs: ${records
            .slice(0, 5)
            .map(({ run, drill }) => `${run} (${drill})`)
            .join(', ')}`,
    );
  return found;
}

async function readRecord(file: string): Promise<RunRecord | undefined> {
  try {
    return asRunRecord(JSON.parse((await readBounded(file)).toString('utf8')) as Json);
  } catch {
    return undefined;
  }
}
