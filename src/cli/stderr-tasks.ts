import type { Listr, ListrDefaultRenderer, ListrDefaultRendererLogLevels, ListrTask } from 'listr2';

/**
 * Tasks that listr2 draws on stderr and takes away at the end, whatever stdout is: listr2 itself would write plain lines into a
 * stdout that is no terminal. It is loaded only for this, and is not given the signals: cli ends the program itself.
 */
export async function stderrTasks(
  stderr: NodeJS.WriteStream,
  tasks: readonly ListrTask<unknown, ListrDefaultRenderer>[],
  options: { readonly concurrent?: boolean; readonly exitOnError?: boolean } = {},
): Promise<Listr<unknown, ListrDefaultRenderer>> {
  const { getRendererClass, Listr, ListrLogger, ProcessOutput } = await import('listr2');
  const logger = new ListrLogger<ListrDefaultRendererLogLevels>({
    processOutput: new ProcessOutput(stderr, stderr, { leaveEmptyLine: false }),
  });
  const DefaultRenderer = getRendererClass('default') as ListrDefaultRenderer;
  class StderrRenderer extends DefaultRenderer {
    static override nonTTY = true;
  }
  return new Listr([...tasks], {
    ...options,
    renderer: StderrRenderer,
    registerSignalListeners: false,
    rendererOptions: { logger, clearOutput: true, collapseSkips: false, formatOutput: 'truncate' },
  });
}
