import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PodcheckError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { asText, dig } from '../base/json.ts';
import { systemReason } from '../base/system-error.ts';
import { makeFolder } from '../files/make-folder.ts';
import { stateFolder } from '../files/state-folder.ts';

/** Somebody has read a playbook file and trusts it as it is: the digest is of its bytes. */
export interface Trust {
  readonly digest: string;
  /** Where it was, in full. */
  readonly file: string;
  /** RFC 3339. */
  readonly at: string;
}

/** `$XDG_STATE_HOME/podcheck/trust`: one file for each digest. Source: XDG Base Directory Specification. */
export function trustFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return stateFolder('trust', env, home);
}

export function digestOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Everything that is trusted, oldest first. */
export function trusts(folder: string): readonly Trust[] {
  return namesIn(folder)
    .flatMap((name) => trustOf(folder, name.slice(0, -'.json'.length)) ?? [])
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

export function trustOf(folder: string, digest: string): Trust | undefined {
  try {
    const value = JSON.parse(readFileSync(join(folder, `${digest}.json`), 'utf8')) as Json;
    if (asText(dig(value, 'digest')) !== digest) return undefined;
    return { digest, file: asText(dig(value, 'file')) ?? '', at: asText(dig(value, 'at')) ?? '' };
  } catch {
    // Not there, or nothing that podcheck wrote: not trusted.
    return undefined;
  }
}

/** Throws a PodcheckError when it cannot be written. */
export function addTrust(folder: string, trust: Trust): void {
  const file = join(folder, `${trust.digest}.json`);
  try {
    makeFolder(folder);
    writeFileSync(`${file}.next`, `${JSON.stringify(trust)}\n`, { mode: 0o600 });
    renameSync(`${file}.next`, file);
  } catch (error) {
    throw new PodcheckError(
      'bad-input',
      `cannot save the trust in ${folder}: ${systemReason(error)}`,
      'set XDG_STATE_HOME to a writable folder',
    );
  }
}

export function removeTrust(folder: string, digest: string): void {
  try {
    unlinkSync(join(folder, `${digest}.json`));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw new PodcheckError('bad-input', `cannot remove the trust from ${folder}: ${systemReason(error)}`, 'nothing was removed');
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}
