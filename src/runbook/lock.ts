import { createHash, randomInt } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PodcheckError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { asNumber, asText, dig } from '../base/json.ts';
import { systemReason } from '../base/system-error.ts';
import { makeFolder } from '../files/make-folder.ts';

/** Who holds something, as it stands in the file of a claim. */
interface Claim {
  readonly file: string;
  readonly run: string;
  readonly process: number;
  readonly host: string;
}

/** Two runs that start in the same moment both give way; one of them gets through with a later attempt. */
const ATTEMPTS = 6;
const LONGEST_PAUSE_MILLISECONDS = 120;

/**
 * Holds something (a target, a journal) for a run until it is released: two runs on one target would undo each other's work. A run
 * first writes its claim, then looks for others, so of two that start together at most one goes on. A claim whose process has ended
 * counts for nothing. Throws a PodcheckError that names the other run.
 */
export async function hold(folder: string, what: string, run: string): Promise<() => void> {
  const thing = thingOf(what);
  const own = `${thing}${run}.${process.pid}.json`;
  for (let left = ATTEMPTS; ; left--) {
    const other = attempt(folder, () => {
      claim(folder, own, { run, what, process: process.pid, host: hostname() });
      return otherClaim(folder, thing, own);
    });
    if (other === undefined) return () => release(join(folder, own));
    release(join(folder, own));
    if (left <= 1)
      throw new PodcheckError(
        'unsupported',
        `${other.run} is already running on ${what} (process ${other.process} on ${other.host})`,
        `wait until it exits, or stop it; if this process is not podcheck, delete ${other.file}. Nothing was done`,
      );
    await pause(randomInt(LONGEST_PAUSE_MILLISECONDS));
  }
}

/** Whether a run that is still going on holds it. Nothing is changed. */
export function isHeld(folder: string, what: string): boolean {
  const thing = thingOf(what);
  try {
    return readdirSync(folder).some((name) => {
      const claim = name.startsWith(thing) && name.endsWith('.json') ? readClaim(join(folder, name)) : undefined;
      return claim !== undefined && (claim.host !== hostname() || isAlive(claim.process));
    });
  } catch {
    return false;
  }
}

function thingOf(what: string): string {
  return `${createHash('sha256').update(what).digest('hex').slice(0, 24)}.`;
}

/** A claim is there at once with all that it says: nobody ever reads half of it. */
function claim(folder: string, own: string, content: Json): void {
  makeFolder(folder);
  const draft = join(folder, `${own}.draft`);
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(draft, join(folder, own));
}

function otherClaim(folder: string, thing: string, own: string): Claim | undefined {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(thing) || !name.endsWith('.json') || name === own) continue;
    const other = readClaim(join(folder, name));
    if (other === undefined) continue;
    if (other.host !== hostname() || isAlive(other.process)) return other;
    // Its name has the process in it: nobody else's claim is taken away.
    release(other.file);
  }
  return undefined;
}

/** Undefined for one that has been released meanwhile. What cannot be read is somebody's: nobody can tell whose. */
function readClaim(file: string): Claim | undefined {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Json;
    return {
      file,
      run: asText(dig(value, 'run')) ?? 'another run',
      process: asNumber(dig(value, 'process')) ?? 0,
      host: asText(dig(value, 'host')) ?? '',
    };
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
      ? undefined
      : { file, run: 'another run', process: 0, host: '' };
  }
}

function isAlive(id: number): boolean {
  if (id <= 0) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function release(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It is gone already: nobody holds anything by it any more.
  }
}

function attempt<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PodcheckError) throw error;
    throw new PodcheckError(
      'bad-input',
      `cannot lock the target in ${folder}: ${systemReason(error)}`,
      'choose another folder with --journal; nothing was done',
    );
  }
}
