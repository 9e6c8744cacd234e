import type { Diagnosis } from '../model/diagnosis.ts';
import { printableUpTo } from '../base/text.ts';
import type { Running } from './running.ts';
import { lookAgain } from './running.ts';

/** A clone begins with new pods: how long it may take until they fail as the real ones do. */
const PATIENCE_MILLISECONDS = 120_000;
const LOOK_EVERY_MILLISECONDS = 15_000;

/**
 * Why nothing that is tried in a simulated clone tells of its original: what is wrong there is not wrong in the clone. Undefined where
 * it is. The clone's time passes while it is watched.
 */
export async function unlikeOriginal(running: Running, original: Diagnosis): Promise<string | undefined> {
  for (let waited = 0; waited <= PATIENCE_MILLISECONDS; waited += LOOK_EVERY_MILLISECONDS) {
    const sight = running.state.sight ?? (await lookAgain(running));
    if (isLike(sight.diagnosis, original) || running.ports.signal.aborted) return undefined;
    await running.ports.pause(LOOK_EVERY_MILLISECONDS);
    running.state.sight = undefined;
  }
  const [cause] = original.causes;
  const shown = cause === undefined ? `that the target is ${original.outcome}` : printableUpTo(`${cause.what} (${cause.rule})`, 400);
  return `the simulated clone does not reproduce it: ${shown}`;
}

function isLike(clone: Diagnosis, original: Diagnosis): boolean {
  return clone.outcome === original.outcome && clone.causes[0]?.rule === original.causes[0]?.rule;
}
