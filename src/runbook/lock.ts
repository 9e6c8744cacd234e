import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { PodcheckError, reasonOf } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { asNumber, asText, dig } from '../base/json.ts';

/** Holds a target for a run until it is let go: two runs on one target would undo each other's work. Throws with the other's name. */
export function lockTarget(folder: string, target: string, run: string): () => void {
  const file = join(folder, 'locks', `${createHash('sha256').update(target).digest('hex').slice(0, 24)}.json`);
  const text = `${JSON.stringify({ run, target, process: process.pid, host: hostname() })}\n`;
  try {
    mkdirSync(join(folder, 'locks'), { recursive: true, mode: 0o700 });
    // A lock whose process has ended is nobody's; a second try follows once it is away.
    if (!written(file, text)) {
      refuseIfHeld(file, target);
      unlinkSync(file);
      if (!written(file, text)) refuseIfHeld(file, target);
    }
  } catch (error) {
    if (error instanceof PodcheckError) throw error;
    throw new PodcheckError('bad-input', `the target cannot be held for this run: ${reasonOf(error)}`, 'choose another folder with --journal; nothing was done');
  }
  return () => release(file, run);
}

function written(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function refuseIfHeld(file: string, target: string): void {
  const holder = holderOf(file);
  const [run, id, host] = [asText(dig(holder, 'run')) ?? 'another run', asNumber(dig(holder, 'process')) ?? 0, asText(dig(holder, 'host')) ?? ''];
  if (host === hostname() && !isAlive(id)) return;
  throw new PodcheckError('unsupported', `${run} is under way on ${target} (process ${id} on ${host})`, 'wait for its end, or end it; nothing was done');
}

function holderOf(file: string): Json | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Json;
  } catch {
    return undefined;
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

function release(file: string, run: string): void {
  if (asText(dig(holderOf(file), 'run')) !== run) return;
  try {
    unlinkSync(file);
  } catch {
    // It is gone already: nobody holds the target any more.
  }
}
