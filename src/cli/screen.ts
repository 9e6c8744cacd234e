import type { Screen } from '../commands/context.ts';
import type { Streams } from './streams.ts';

const DEFAULT_ROWS = 24;

/** Draws on a terminal in place: the cursor goes back up over what was drawn before. Undefined where stdout is no terminal. */
export function screenOf({ stdout, env }: Streams): Screen | undefined {
  if (stdout.isTTY !== true || env['TERM'] === 'dumb') return undefined;
  let drawn = 0;
  return {
    rows: () => Math.max(MIN_ROWS, (stdout as { readonly rows?: number }).rows ?? DEFAULT_ROWS),
    draw: (lines) => {
      const begin = drawn === 0 ? HIDE_CURSOR : `\u001B[${drawn}A\r`;
      // Each line is cleared to its end, and then all below the last one.
      stdout.write(`${begin}${lines.map((line) => `${line}\u001B[K\n`).join('')}\u001B[J`);
      drawn = lines.length;
    },
    end: () => void stdout.write(SHOW_CURSOR),
  };
}

const MIN_ROWS = 5;
const HIDE_CURSOR = '\u001B[?25l';
const SHOW_CURSOR = '\u001B[?25h';
