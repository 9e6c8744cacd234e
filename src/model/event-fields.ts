import type { Instant } from '../base/instant.ts';
import { parseInstant } from '../base/instant.ts';
import type { Json } from '../base/json.ts';
import { asText, dig } from '../base/json.ts';
import { withoutUndefined } from '../base/without-undefined.ts';
import type { KubeObject } from './kube-object.ts';

/** What an Event is about: `involvedObject` in v1, `regarding` in events.k8s.io/v1. */
export function involvedIn(event: Json): Json | undefined {
  return dig(event, 'involvedObject') ?? dig(event, 'regarding');
}

/** An Event of events.k8s.io as v1 has it. Source: pkg/apis/events/v1/conversion.go. */
export function asCoreEvent(event: KubeObject): KubeObject {
  const { kind, regarding } = event;
  if (kind !== 'Event' || regarding === undefined || event['involvedObject'] !== undefined) return event;
  const core = withoutUndefined({
    involvedObject: regarding,
    message: event['note'],
    source: event['deprecatedSource'] ?? sourceOf(event),
    firstTimestamp: event['deprecatedFirstTimestamp'],
    lastTimestamp: event['deprecatedLastTimestamp'],
    count: event['deprecatedCount'],
    reportingComponent: event['reportingController'],
  });
  return { ...event, ...core, apiVersion: 'v1' };
}

function sourceOf(event: KubeObject): Json | undefined {
  const component = asText(event['reportingController']);
  return component === undefined ? undefined : withoutUndefined({ component, host: asText(event['reportingInstance']) });
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
