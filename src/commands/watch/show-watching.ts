import { setTimeout as pause } from 'node:timers/promises';
import { maskedJson } from '../../base/mask/masked-json.ts';
import type { Change } from '../../model/watch-change.ts';
import { jsonLine } from '../../report/diagnosis/cause-json.ts';
import { changeJson } from '../../report/watching/change-json.ts';
import { changeText } from '../../report/watching/change-text.ts';
import { watchTable } from '../../report/watching/watch-table.ts';
import type { CommandContext, Screen } from '../context.ts';
import type { FormatOf } from '../formats.ts';
import type { ServeAddress } from './serve-view.ts';
import { serveView } from './serve-view.ts';
import type { Others } from './tell-others.ts';
import type { Watching } from './watcher.ts';

/** How a watch is shown: a table on a terminal, else lines; and to whom it is served. */
export interface Shown {
  readonly format: FormatOf<'watch'>;
  readonly address: ServeAddress | undefined;
}

/** Tells changes on stdout, where no table shows them, and to all others; done when these have them. */
export function teller({ format, address }: Shown, others: Others, context: CommandContext): (changes: readonly Change[]) => Promise<void> {
  const isDrawn = screenOf({ format, address }, context) !== undefined;
  return async (changes) => {
    if (!isDrawn) for (const change of changes) context.write(lineOf(change, format, context));
    await others.tell(changes);
  };
}

/** Shows what is watched until it is done. */
export async function showWatching(watching: Watching, shown: Shown, others: Others, context: CommandContext): Promise<void> {
  const { address } = shown;
  const screen = screenOf(shown, context);
  const served = address === undefined ? undefined : await serveView(address, watching.view, context.version ?? '0.0.0');
  if (served !== undefined) context.note(`serving ${served.url}: /metrics, /causes, /healthz, /readyz and a page\n`);
  try {
    await Promise.all([screen === undefined ? watching.done : drawn(watching, screen, context), others.resend(watching.view)]);
  } finally {
    await served?.close();
  }
}

function screenOf({ format, address }: Shown, { screen }: CommandContext): Screen | undefined {
  return format === 'text' && address === undefined ? screen : undefined;
}

function lineOf(change: Change, format: FormatOf<'watch'>, { look }: CommandContext): string {
  return format === 'json' ? jsonLine(maskedJson(changeJson(change))) : changeText(change, look);
}

const DRAW_MILLISECONDS = 1000;

async function drawn(watching: Watching, screen: Screen, { signal, look }: CommandContext): Promise<void> {
  try {
    while (!signal.aborted) {
      screen.draw(watchTable(watching.view(), look, screen.rows()));
      await pause(DRAW_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    }
    await watching.done;
  } finally {
    screen.end();
  }
}
