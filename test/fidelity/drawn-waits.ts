import type { Instant } from '../../src/base/instant.ts';
import type { Json } from '../../src/base/json.ts';
import { asList, asNumber, asText, dig } from '../../src/base/json.ts';
import { parseInteger } from '../../src/base/number.ts';
import type { WatchLine } from './watch-lines.ts';

/**
 * How many times as long as its back-off a container that had crashed waited for its next start. A kubelet draws this, from 1 to 1.5
 * (as `sync-times.ts` of the simulator does): with other draws another thing runs, or does not, at the moment of the dump.
 */
export interface DrawnWait {
  /** When the container was started for the last time before it. */
  readonly from: Instant;
  readonly factor: number;
}

/** The lives of one container, by how often it had been restarted. */
interface Life {
  readonly began: Instant;
  ended?: Instant;
  /** Seconds that its kubelet said it waits for after it. */
  backOff?: number;
}

/** Those of the one container that crashes again and again; none where several do, for the kubelet draws for each. */
export function waitsIn(lines: readonly WatchLine[]): readonly DrawnWait[] {
  const containers = new Map<string, Map<number, Life>>();
  for (const { at, object } of lines)
    for (const field of ['initContainerStatuses', 'containerStatuses'])
      for (const status of asList(dig(object, 'status', field))) {
        const key = `${object.metadata.uid ?? ''}/${asText(dig(status, 'name')) ?? ''}`;
        const lives = containers.get(key) ?? new Map<number, Life>();
        containers.set(key, lives);
        noteLife(lives, status, at);
      }
  const [crashing, another] = [...containers.values()].filter((lives) => [...lives.values()].some(({ backOff }) => backOff !== undefined));
  return crashing === undefined || another !== undefined
    ? []
    : [...crashing].flatMap(([restarts, life]) => waitAfter(life, crashing.get(restarts + 1)));
}

function noteLife(lives: Map<number, Life>, status: Json, at: Instant): void {
  const restarts = asNumber(dig(status, 'restartCount')) ?? 0;
  const life = lives.get(restarts) ?? { began: at };
  lives.set(restarts, life);
  if (dig(status, 'state', 'running') === undefined) life.ended ??= at;
  const said = /^back-off (?:(\d+)m)?(\d+)s restarting/.exec(asText(dig(status, 'state', 'waiting', 'message')) ?? '');
  if (said !== null) life.backOff = 60 * (parseInteger(said[1]) ?? 0) + (parseInteger(said[2]) ?? 0);
}

function waitAfter({ began, ended, backOff }: Life, next: Life | undefined): readonly DrawnWait[] {
  // A longer one is looked at once a minute, and each look draws.
  if (ended === undefined || next === undefined || backOff === undefined || backOff > LONGEST_SECONDS) return [];
  const factor = (next.began - ended - START_MILLISECONDS) / (1000 * backOff - SEEN_MILLISECONDS);
  return [{ from: began, factor: Math.min(1.5, Math.max(1, factor)) }];
}

const LONGEST_SECONDS = 40;
/** From when the wait is over until the watch tells of the start: the rest of a second of the kubelet's loop, and the start itself. */
const START_MILLISECONDS = 650;
/** From a container's end until the kubelet sees it, in the mean. */
const SEEN_MILLISECONDS = 500;
