import { setImmediate as turn } from 'node:timers/promises';

/**
 * Ctrl-C and its like are caught only while somebody has to know of them. At all other times the system ends the program at once,
 * however busy it is with a file or a simulation: Node would not get to say so before that is done.
 */
const holders = new Set<symbol>();
const heeders = new Set<symbol>();
let told: (caught: boolean) => void = () => undefined;

/** Lets the first Ctrl-C only raise the signal, until the function that is given back is called. */
export function holdInterruption(): () => void {
  const release = entered(holders);
  return () => void release();
}

export function isInterruptionHeld(): boolean {
  return holders.size > 0;
}

/** Does the work; Ctrl-C raises the signal, and what its listeners do at once is done, before the program ends. */
export async function heedInterruption<T>(work: () => Promise<T>): Promise<T> {
  const release = entered(heeders);
  try {
    return await work();
  } finally {
    await release();
  }
}

/** The same pieces; Ctrl-C is heeded while they come, and no longer when somebody makes something of them all. */
export async function* heeding<T>(pieces: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const release = entered(heeders);
  try {
    yield* pieces;
  } finally {
    await release();
  }
}

/** Who catches the signals of the system is told here whether to. */
export function whenHeeded(change: (caught: boolean) => void): void {
  told = change;
  told(isHeeded());
}

function isHeeded(): boolean {
  return holders.size + heeders.size > 0;
}

function entered(set: Set<symbol>): () => Promise<void> {
  const one = Symbol('one');
  set.add(one);
  told(true);
  return async () => {
    // A signal that has come and was not told yet would be lost: the next turn tells it.
    await turn();
    set.delete(one);
    told(isHeeded());
  };
}
