import { expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { TimeShift } from '../../src/server/time-shift.ts';

const HOUR = 3_600_000;

test('times of objects go over the wire by the wall clock and come back; what users wrote stays', () => {
  const shift = new TimeShift(
    () => 0,
    () => HOUR,
  );
  const object = {
    status: { allocation: { allocationTimestamp: '1970-01-01T00:00:05Z' } },
    data: { note: '"startTime":"1970-01-01T00:00:05Z"' },
  };
  const sent = shift.toWall(JSON.stringify(object));
  expect(JSON.parse(sent)).toEqual({ ...object, status: { allocation: { allocationTimestamp: '1970-01-01T01:00:05Z' } } });
  expect(shift.toVirtual(JSON.parse(sent) as Json)).toEqual(object);
});

test('steady times stay as they were first sent, however fast the cluster runs', () => {
  let now = 0;
  const times = (steady: boolean): readonly string[] => {
    now = 0;
    const shift = new TimeShift(
      () => now * 15,
      () => HOUR + now,
      steady,
    );
    const sent = (): string => shift.toWall('{"creationTimestamp":"1970-01-01T00:00:05Z"}');
    const first = sent();
    now = HOUR;
    return [first, sent()];
  };
  const [first, later] = times(true);
  expect(first).toBe('{"creationTimestamp":"1970-01-01T01:00:05Z"}');
  expect(later).toBe(first);
  expect(new Set(times(false)).size).toBe(2);
});

test('a time that no clock ever showed stays, and a refused one is told as it was sent', () => {
  const shift = new TimeShift(
    () => 0,
    () => HOUR,
  );
  const none = '{"creationTimestamp":"0001-01-01T00:00:00Z"}';
  expect(shift.toWall(none)).toBe(none);
  expect(shift.toVirtual(JSON.parse(none) as Json)).toEqual(JSON.parse(none));
});

test.each([
  ['what cannot be read', 'parsing time "1970-01-01T00:00:05.5" as RFC 3339', 'parsing time "1970-01-01T01:00:05.5" as RFC 3339'],
  ['a value as Go has it', 'map[spec:map[renewTime:1970-01-01T00:00:05Z]]', 'map[spec:map[renewTime:1970-01-01T01:00:05Z]]'],
  ['a value as JSON has it', '{"spec":{"renewTime":"1970-01-01T00:00:05Z"}}', '{"spec":{"renewTime":"1970-01-01T01:00:05Z"}}'],
  ['JSON in a quoted text', String.raw`"{\"renewTime\":\"1970-01-01T00:00:05Z\"}"`, String.raw`"{\"renewTime\":\"1970-01-01T01:00:05Z\"}"`],
  [
    'a value of a field',
    'completionTime: Invalid value: "1970-01-01T00:00:05Z": no',
    'completionTime: Invalid value: "1970-01-01T01:00:05Z": no',
  ],
  ['what is no time of an object', 'label: Invalid value: "1970-01-01T00:00:05Z"', 'label: Invalid value: "1970-01-01T00:00:05Z"'],
])('a refused time is told as it was sent: %s', (_, message, told) => {
  const shift = new TimeShift(
    () => 0,
    () => HOUR,
  );
  expect(JSON.parse(shift.refusedToWall(JSON.stringify({ message })))).toEqual({ message: told });
});

test('a refused time is told as it was sent in a cause, which names its field last', () => {
  const shift = new TimeShift(
    () => 0,
    () => HOUR,
  );
  const cause = (time: string, field: string): Json => ({ reason: 'FieldValueInvalid', message: `Invalid value: "${time}": no`, field });
  const sent = [cause('1970-01-01T00:00:05Z', 'status.completionTime'), cause('1970-01-01T00:00:05Z', 'metadata.labels')];
  const told = [cause('1970-01-01T01:00:05Z', 'status.completionTime'), cause('1970-01-01T00:00:05Z', 'metadata.labels')];
  expect(JSON.parse(shift.refusedToWall(JSON.stringify(sent)))).toEqual(told);
});

test('a step of a JSON patch that sets a time sets that of the cluster', () => {
  const shift = new TimeShift(
    () => 0,
    () => HOUR,
  );
  const step = (path: string, value: string): Json => ({ op: 'add', path, value });
  const sent = [step('/spec/renewTime', '1970-01-01T01:00:05Z'), step('/data/note', '1970-01-01T01:00:05Z')];
  expect(shift.toVirtual(sent)).toEqual([step('/spec/renewTime', '1970-01-01T00:00:05Z'), step('/data/note', '1970-01-01T01:00:05Z')]);
});
