import type { CommandContext } from '../../src/commands/context.ts';
import { PLAIN } from '../../src/report/format/text-style.ts';

export interface WrittenContext extends CommandContext {
  readonly out: () => string;
  readonly notes: () => string;
}

/** A command's surroundings that keep what it writes; `typed` is what somebody types at a terminal. */
export function writtenContext(workingFolder: string, typed?: string): WrittenContext {
  const [out, notes]: [string[], string[]] = [[], []];
  return {
    out: () => out.join(''),
    notes: () => notes.join(''),
    write: (text) => void out.push(text),
    note: (text) => void notes.push(text),
    look: { ...PLAIN, width: 160 },
    env: {},
    homeFolder: workingFolder,
    workingFolder,
    clock: () => 0,
    signal: new AbortController().signal,
    stdin: () => typing(typed ?? ''),
    stdinIsTerminal: typed !== undefined,
    progress: (_title, work) => work(() => undefined),
  };
}

async function* typing(text: string): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  yield new TextEncoder().encode(text);
}
