import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { readEvent } from '../../../src/collect/events/events.ts';
import { toldSeconds } from '../../../src/collect/events/told-seconds.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';

function event(fields: JsonObject): KubeObject {
  return { apiVersion: 'v1', kind: 'Event', metadata: { name: 'web.1', namespace: 'shop' }, ...fields };
}

const TIMES = ['2026-11-20T09:04:00Z', '2026-11-20T09:03:00Z', '2026-11-20T09:02:00Z', '2026-11-20T09:01:00Z'] as const;
const [SERIES, LAST, TIME, FIRST] = TIMES;

describe('an event', () => {
  it.each([
    [
      'the last of its series',
      { series: { lastObservedTime: SERIES }, lastTimestamp: LAST, eventTime: TIME, firstTimestamp: FIRST },
      SERIES,
    ],
    ['its last time', { series: null, lastTimestamp: LAST, eventTime: TIME, firstTimestamp: FIRST }, LAST],
    ['the time of one that came once', { lastTimestamp: null, eventTime: TIME, firstTimestamp: FIRST }, TIME],
    ['its first time', { lastTimestamp: null, eventTime: null, firstTimestamp: FIRST }, FIRST],
  ])('was last seen at %s', (_, fields, expected) => {
    expect(readEvent(event(fields)).at).toBe(Date.parse(expected));
  });

  it('without any time was seen nobody knows when', () => {
    expect(readEvent(event({})).at).toBeUndefined();
  });

  it('says its message, or what the newer API calls its note', () => {
    expect(
      [{ message: ' 0/3 nodes \n', note: 'other' }, { note: '0/3 nodes' }, {}].map((fields) => readEvent(event(fields)).message),
    ).toEqual(['0/3 nodes', '0/3 nodes', '']);
  });
});

describe('how long an object has been there, as its events tell', () => {
  const NOW = Date.parse('2026-11-20T09:05:00Z');
  const told = (...events: readonly JsonObject[]): number | undefined =>
    toldSeconds(
      events.map((fields) => readEvent(event(fields))),
      NOW,
    );

  it.each<[string, readonly JsonObject[], number | undefined]>([
    [
      'since the earliest of them began',
      [{ firstTimestamp: LAST }, { firstTimestamp: FIRST, lastTimestamp: SERIES }, { lastTimestamp: TIME }],
      240,
    ],
    ['since the last time of one without a first', [{ lastTimestamp: TIME }], 180],
    ['in whole seconds', [{ eventTime: '2026-11-20T09:04:58.600Z' }], 1],
    ['no time at all, where an event is of the future', [{ firstTimestamp: '2026-11-20T09:06:00Z' }], 0],
    ['nobody knows, where no event has a time', [{}], undefined],
    ['nobody knows, without events', [], undefined],
  ])('is %s', (_, events, expected) => {
    expect(told(...events)).toBe(expected);
  });
});
