import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a program to its end, in a world without a kubeconfig, colours or a home. */
export function runProgram(
  program: string,
  args: readonly string[],
  given: { readonly cwd: string; readonly stdin?: string; readonly path?: string; readonly env?: Readonly<Record<string, string>> },
): Ended {
  const ended = spawnSync(program, args, {
    cwd: given.cwd,
    input: given.stdin ?? '',
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: {
      PATH: [given.path, process.env['PATH']].filter((part) => part !== undefined).join(delimiter),
      HOME: given.cwd,
      KUBECONFIG: join(given.cwd, 'no-kubeconfig'),
      LANG: 'C.UTF-8',
      ...given.env,
    },
  });
  if (ended.error !== undefined) throw ended.error;
  return { code: ended.status, out: ended.stdout, err: ended.stderr };
}

/** Whether a program can be started here at all. */
export function isThere(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** An empty folder, and how to be rid of it. */
export function emptyFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'podcheck-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
