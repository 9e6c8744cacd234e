import { ConnectionFailure } from '../connection/connection-error.ts';

/** Lets at most `places` in at a time, in the order they came. What it gives back is how to leave. */
export function gate(places: number): (signal?: AbortSignal) => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let free = places;
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const once = (): (() => void) => {
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  };
  return (signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(givenUp());
      if (free > 0) {
        free -= 1;
        return resolve(once());
      }
      const enter = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve(once());
      };
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(givenUp());
      };
      waiting.push(enter);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
}

function givenUp(): ConnectionFailure {
  return new ConnectionFailure('aborted', 'The request was canceled.');
}
