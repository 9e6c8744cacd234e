import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PodcheckError } from '../base/errors.ts';
import { systemReason } from '../base/system-error.ts';

export interface ShellOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly kubeconfig: string;
  /** Shown in the environment as PODCHECK_RUN: which run the shell belongs to. */
  readonly run: string;
  /** Where it begins; where podcheck was called when nothing is said. */
  readonly folder?: string;
  /** Closes it from outside. */
  readonly ended?: AbortSignal;
}

/**
 * Opens a shell in which kubectl talks to the served cluster, and gives its exit code when it is closed. Ctrl-C is the shell's own
 * meanwhile.
 */
export async function openShell({ env, kubeconfig, run, folder, ended }: ShellOptions): Promise<number> {
  const shell = env['SHELL'] === undefined || env['SHELL'] === '' ? '/bin/sh' : env['SHELL'];
  // A Ctrl-C while the cluster was prepared is heard now, and ends podcheck, before it becomes the shell's own.
  await yieldToEvents();
  const others = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', ignore);
  try {
    return await new Promise<number>((resolve, reject) => {
      const child = spawn(shell, [], {
        stdio: 'inherit',
        ...(folder === undefined ? {} : { cwd: folder }),
        env: { ...env, KUBECONFIG: kubeconfig, PODCHECK_RUN: run },
      });
      child.once('error', (error) =>
        reject(new PodcheckError('bad-input', `cannot open the shell ${shell}: ${systemReason(error)}`, 'set SHELL to an installed shell')),
      );
      // As when its terminal is closed: it ends what runs in it, too.
      ended?.addEventListener('abort', () => void child.kill('SIGHUP'), { once: true });
      child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 0 : 128)));
    });
  } finally {
    process.removeListener('SIGINT', ignore);
    for (const listener of others) process.on('SIGINT', listener as () => void);
  }
}

/** Whether a program lies in one of the folders of PATH. */
export function isOnPath(program: string, env: Readonly<Record<string, string | undefined>>): boolean {
  return (env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder === '' ? '.' : folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Lets everything be heard that has come meanwhile: a signal takes a round to arrive, and another to be acted on. */
async function yieldToEvents(): Promise<void> {
  for (let round = 0; round < 2; round++) await new Promise((resolve) => void setImmediate(resolve));
}

function ignore(): void {
  // The shell hears it too, and it is meant for what runs there.
}
