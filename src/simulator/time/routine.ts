/**
 * Code of a component that takes time. A routine is a generator: it runs until it needs something that is not there yet (an
 * answer of the API server, a moment later) and goes on when that has come, in virtual time:
 *
 *     function* restart(host: ComponentHost, pod: KubeObject): Routine {
 *       yield* sleep(host, 10_000);
 *       const answer = yield* host.client.delete(refOf(pod));
 *       if (!answer.ok) host.log(answer.message);
 *     }
 *
 * A routine whose process stops is simply never gone on with.
 */
export type Routine<T = void> = Generator<Effect, T, unknown>;

/** Starts something, and calls back with its outcome, at once or later. */
export type Effect = (resume: (outcome: unknown) => void) => void;

/** Runs a routine to its end, as far as it goes now; the rest follows when what it waits for has come. */
export function runRoutine<T>(routine: Routine<T>, done?: (value: T) => void): void {
  advance(routine, undefined, done);
}

/** An effect that gives a value of a known type. */
export function* wait<T>(effect: (resume: (outcome: T) => void) => void): Routine<T> {
  return (yield effect) as T;
}

/** Runs routines side by side and gives their results in the same order. */
export function* together<T>(routines: readonly Routine<T>[]): Routine<readonly T[]> {
  if (routines.length === 0) return [];
  return yield* wait<readonly T[]>((resume) => {
    const results: T[] = [];
    let open = routines.length;
    for (const [index, routine] of routines.entries()) {
      runRoutine(routine, (value) => {
        results[index] = value;
        open--;
        if (open === 0) resume(results);
      });
    }
  });
}

/** An effect that calls back at once goes round the loop instead of growing the stack. */
function advance<T>(routine: Routine<T>, outcome: unknown, done: ((value: T) => void) | undefined): void {
  let value = outcome;
  for (;;) {
    const step = routine.next(value);
    if (step.done === true) {
      done?.(step.value);
      return;
    }
    let answered = false;
    let waiting = false;
    step.value((result) => {
      if (waiting) advance(routine, result, done);
      else {
        answered = true;
        value = result;
      }
    });
    if (!answered) {
      waiting = true;
      return;
    }
  }
}
