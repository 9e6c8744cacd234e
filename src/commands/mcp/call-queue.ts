/** Work of which only so much runs at a time. */
export interface CallQueue {
  /** Begins the work when its turn has come. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  /** Comes back when nothing runs and nothing waits. */
  readonly idle: () => Promise<void>;
}

/** Lets no more than `most` pieces of work run at a time; others wait for their turn, in their order. */
export function callQueue(most: number): CallQueue {
  let running = 0;
  const waiting: (() => void)[] = [];
  let whenIdle: (() => void)[] = [];
  return {
    run: async (work) => {
      if (running >= most) await new Promise<void>((resolve) => void waiting.push(resolve));
      else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        // Its place goes to the next one.
        if (next === undefined) running--;
        else next();
        if (running === 0) {
          for (const tell of whenIdle) tell();
          whenIdle = [];
        }
      }
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => void whenIdle.push(resolve))),
  };
}
