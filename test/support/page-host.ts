import { shippedDrills, shippedRules, shippedScenarios } from '../../src/catalog/bundled-data.ts';
import { Host } from '../../src/page/host.ts';
import type { Asked, Told } from '../../src/page/messages.ts';

export interface OpenHost {
  readonly host: Host;
  readonly told: Told[];
  /** What the page is told of one question. */
  readonly ask: (asked: Asked) => Promise<readonly Told[]>;
  /** What a line of the console prints. */
  readonly line: (line: string, text?: string) => Promise<string>;
}

/**
 * What runs in the Worker of the page, with all scenarios; with one of them opened and played to its end where it is named. The
 * clock goes on a little each time it is asked: by that of a slow machine a tick would end before its work is done.
 */
export async function openHost(id?: string, drill = false, clock = slowClock(0.01)): Promise<OpenHost> {
  const told: Told[] = [];
  const host = new Host({
    rules: await shippedRules(),
    scenarios: await shippedScenarios(),
    drills: await shippedDrills(),
    version: '1.2.3',
    look: { width: 80, color: false, unicode: true },
    tell: (one) => told.push(one),
    clock,
  });
  const ask = async (asked: Asked): Promise<readonly Told[]> => {
    const before = told.length;
    await host.ask(asked);
    return told.slice(before);
  };
  const line = async (words: string, text?: string): Promise<string> => {
    const answers = await ask({ do: 'line', line: words, ...(text === undefined ? {} : { text }) });
    return answers.flatMap((one) => (one.tell === 'answer' ? [one.output] : [])).join('\n');
  };
  if (id !== undefined) await ask({ do: 'open', id, seed: 1, drill });
  if (id !== undefined) await ask({ do: 'finish' });
  return { host, told, ask, line };
}

/** Goes on by so many milliseconds whenever it is asked. */
export function slowClock(milliseconds: number): () => number {
  let now = 0;
  return () => (now += milliseconds);
}
