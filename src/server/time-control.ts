import { PodcheckError } from '../base/errors.ts';
import { formatInstant } from '../base/instant.ts';
import type { JsonObject } from '../base/json.ts';
import { asNumber, asText } from '../base/json.ts';
import { parseDecimal } from '../base/number.ts';
import type { Clock, Speed } from './clock.ts';

/**
 * The control endpoint of a cluster's time: `do` is pause, resume, speed (with `speed`), advance (with `milliseconds`), or nothing to ask.
 */
export async function controlTime(clock: Clock, body: JsonObject): Promise<JsonObject> {
  switch (asText(body['do'])) {
    case undefined:
      break;
    case 'pause':
      clock.pause();
      break;
    case 'resume':
      clock.resume();
      break;
    case 'speed':
      clock.speed = speedOf(asText(body['speed']) ?? '');
      break;
    case 'advance': {
      const milliseconds = asNumber(body['milliseconds']) ?? 0;
      if (!(milliseconds >= 0 && milliseconds <= LONGEST_MILLISECONDS))
        throw new PodcheckError('usage', 'the clock can be advanced by at most 10 years');
      await clock.advance(milliseconds);
      break;
    }
    default:
      throw new PodcheckError('usage', `unknown action "${asText(body['do']) ?? ''}"`, 'one of: pause, resume, speed, advance');
  }
  const { now, speed, paused } = clock.state();
  return { now: formatInstant(now), speed: String(speed), paused };
}

/** `1`, `10`, `0.5`, `max`. */
export function speedOf(text: string): Speed {
  if (text === 'max') return 'max';
  const speed = /^\d{1,5}(\.\d{1,6})?$/.test(text) ? (parseDecimal(text) ?? 0) : 0;
  if (speed > 0 && speed <= FASTEST) return speed;
  throw new PodcheckError('usage', `"${text}" is not a valid speed`, `give virtual seconds per second, up to ${FASTEST}, or max`);
}

const FASTEST = 10_000;
const LONGEST_MILLISECONDS = 10 * 365 * 86_400_000;
