import type { Instant } from '../base/instant.ts';
import { parseInstant } from '../base/instant.ts';
import type { Json } from '../base/json.ts';
import { dig } from '../base/json.ts';

/** What an Event is about: `involvedObject` in v1, `regarding` in events.k8s.io/v1. */
export function involvedIn(event: Json): Json | undefined {
  return dig(event, 'involvedObject') ?? dig(event, 'regarding');
}

/** When an event was last seen. */
export function eventTime(event: Json): Instant | undefined {
  return (
    parseInstant(dig(event, 'series', 'lastObservedTime')) ??
    parseInstant(dig(event, 'lastTimestamp')) ??
    parseInstant(dig(event, 'eventTime')) ??
    parseInstant(dig(event, 'firstTimestamp'))
  );
}

/** When the latest of them was last seen; 0 where none has a time. */
export function latestTime(events: readonly Json[]): Instant {
  let latest = 0;
  for (const event of events) latest = Math.max(latest, eventTime(event) ?? 0);
  return latest;
}
