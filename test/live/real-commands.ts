import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program beside the real cluster. It is ended after two minutes. */
export async function runBeside(
  program: string,
  words: readonly string[],
  input?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(program, words, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...env },
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? -1, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

export function kubectl(words: readonly string[], input?: string): Promise<Ended> {
  return runBeside('kubectl', words, input);
}

/** The built program, as a user has it. */
export function podcheck(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended> {
  return runBeside(process.execPath, [resolve('dist', 'podcheck.js'), ...words], undefined, env);
}
