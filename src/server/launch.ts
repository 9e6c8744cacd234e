import { spawn } from 'node:child_process';
import { PodcheckError } from '../base/errors.ts';
import { asText, dig } from '../base/json.ts';
import type { Json } from '../base/json.ts';

/**
 * Starts podcheck once more with these arguments as a process of its own, which goes on when this one ends, and waits for the
 * line of JSON it says when it serves (announce). What it complains of before that is a PodcheckError.
 */
export function launchDetached(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<Json> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env, [ANNOUNCE]: '1' },
    });
    let [said, complained] = ['', ''];
    const letGo = (): void => {
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
    };
    child.stderr.on('data', (part: Buffer) => {
      complained = (complained + part.toString()).slice(-LONGEST);
    });
    child.stdout.on('data', (part: Buffer) => {
      said = (said + part.toString()).slice(0, LONGEST);
      const end = said.indexOf('\n');
      if (end < 0) return;
      letGo();
      resolve(JSON.parse(said.slice(0, end)) as Json);
    });
    child.once('error', reject);
    child.once('exit', () => {
      letGo();
      const [first = '', hint = ''] = complained.split('\n');
      reject(
        new PodcheckError('bad-input', first.replace(/^error: /, '') || 'the cluster could not be served', hint.replace(/^hint: /, '')),
      );
    });
  });
}

/** Whether whoever started this process waits for it to announce what it serves. */
export function isAwaited(env: Readonly<Record<string, string | undefined>>): boolean {
  return env[ANNOUNCE] === '1';
}

/** What an announcement says under a name. */
export function announced(announcement: Json, name: string): string {
  return asText(dig(announcement, name)) ?? '';
}

const ANNOUNCE = 'PODCHECK_ANNOUNCE';
const LONGEST = 100_000;
