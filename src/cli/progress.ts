import { printable } from '../base/text.ts';
import { fit } from '../report/format/display-width.ts';

/** Waits so long before it shows anything: most commands are done by then. */
const PATIENCE_MILLISECONDS = 1000;
const CLEAR_LINE = '\r\u001B[2K';

/**
 * Runs the work; where somebody watches stderr and it takes long, a line says what goes on and is taken away at the end. The cursor
 * stays as it is, so that the program can be ended at any moment.
 */
export async function withProgress<T>(
  stderr: Pick<NodeJS.WriteStream, 'write' | 'columns'> | undefined,
  title: string,
  work: (say: (step: string) => void) => Promise<T>,
): Promise<T> {
  if (stderr === undefined) return work(() => undefined);
  let [step, shown] = [title, false];
  const show = (): void => {
    shown = true;
    stderr.write(`${CLEAR_LINE}${fit(`${step} ...`, Math.max(1, stderr.columns - 1))}`);
  };
  const timer = setTimeout(show, PATIENCE_MILLISECONDS);
  try {
    return await work((next) => {
      // Names in it may come from a cluster.
      step = printable(next);
      if (shown) show();
    });
  } finally {
    clearTimeout(timer);
    if (shown) stderr.write(CLEAR_LINE);
  }
}
