import { printable } from '../base/text.ts';
import { stderrTasks } from './stderr-tasks.ts';

/** Waits so long before it shows anything: most commands are done by then. */
const PATIENCE_MILLISECONDS = 1000;

/**
 * Runs the work; where somebody watches stderr and it takes long, a line says what goes on and is taken away at the end.
 */
export async function withProgress<T>(stderr: NodeJS.WriteStream | undefined, title: string, work: (say: (step: string) => void) => Promise<T>): Promise<T> {
  if (stderr === undefined) return work(() => undefined);
  let [step, show] = [title, (_step: string): void => undefined];
  const done = work((next) => {
    // listr2 prints titles as they are, and names in them may come from a cluster.
    step = printable(next);
    show(step);
  });
  let shown: Promise<void> = Promise.resolve();
  const timer = setTimeout(() => {
    shown = showUntil(done, stderr, step, (shower) => {
      show = shower;
    });
  }, PATIENCE_MILLISECONDS);
  try {
    return await done;
  } finally {
    clearTimeout(timer);
    await shown;
  }
}

async function showUntil(done: Promise<unknown>, stderr: NodeJS.WriteStream, first: string, give: (show: (step: string) => void) => void): Promise<void> {
  const tasks = await stderrTasks(stderr, [
    {
      title: first,
      task: async (_, task) => {
        give((step) => {
          task.title = step;
        });
        await done.catch(() => undefined);
      },
    },
  ]);
  await tasks.run();
}
