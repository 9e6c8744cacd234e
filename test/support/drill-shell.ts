import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DrillStartOptions } from '../../src/commands/drill/drill-start.ts';
import { runDrillStart } from '../../src/commands/drill/drill-start.ts';
import { liveRuns, runsFolder } from '../../src/server/run-folder.ts';
import type { WrittenContext } from './context.ts';
import { writtenContext } from './context.ts';

/** Begins a drill whose shell is open until `closeShell`. */
export function startDrill(
  word: string,
  folder: string,
  options: DrillStartOptions = {},
): { readonly context: WrittenContext; readonly running: Promise<unknown> } {
  const context = surroundings(folder);
  const running = runDrillStart(word, { speed: 'max', ...options }, context);
  // Who waits for it to begin is not to wait for ever where it does not.
  running.catch((error: unknown) => context.write(`it did not begin: ${String(error)}\n`));
  return { context, running };
}

/** Surroundings in which the shell is a script that waits until it may end. */
export function surroundings(folder: string): WrittenContext {
  const shell = join(folder, 'shell');
  writeFileSync(shell, `#!/bin/sh\nwhile [ ! -e ${folder}/done ]; do sleep 0.05; done\n`);
  chmodSync(shell, 0o700);
  const context = writtenContext(folder);
  return {
    ...context,
    clock: Date.now,
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'state'), SHELL: shell, USER: 'pat', KUBECONFIG: '', PODCHECK_RUN: undefined },
  };
}

export function closeShell(folder: string): void {
  writeFileSync(join(folder, 'done'), '');
}

/** When the drill has begun. */
export async function opened(context: WrittenContext): Promise<{ readonly run: string }> {
  for (;;) {
    const [run] = await liveRuns(runsFolder(context.env, context.homeFolder));
    if (context.out().startsWith('it did not begin')) throw new Error(context.out());
    if (run !== undefined && context.out() !== '') return { run: run.id };
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
}
