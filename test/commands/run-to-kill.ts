import { join } from 'node:path';
import { runRunbookRun } from '../../src/commands/runbook/runbook-run.ts';
import { writtenContext } from '../support/context.ts';

/**
 * A run on a real cluster with somebody who says yes, to be a process of its own that can be killed: the folder has the playbook and the
 * kubeconfig; further words are the ConfigMap to make and, where a run is to be resumed, its name.
 */
export async function runToKill([folder = '', note = '', resume]: readonly string[]): Promise<void> {
  const yes = (): Promise<string> => Promise.resolve('y');
  const context = {
    ...writtenContext(folder),
    clock: () => Date.now(),
    typing: { line: yes, hidden: yes, block: () => Promise.resolve(undefined) },
  };
  const words = resume === undefined ? [join(folder, 'slow-shop.yaml'), 'deploy/web'] : [];
  const given = { kubeconfig: join(folder, 'kubeconfig'), namespace: 'shop', journal: join(folder, 'journal') };
  try {
    process.exitCode = await runRunbookRun(
      words,
      { ...given, ...(resume === undefined ? { param: [`note=${note}`] } : { resume }) },
      context,
    );
  } catch (error) {
    process.stdout.write(`${context.out()}\n${String(error)}\n`);
    process.exitCode = 2;
    return;
  }
  process.stdout.write(context.out());
}
