import { expect, test } from 'vitest';
import { EventCorrelator } from '../../src/simulator/components/event-correlator.ts';

const STARTED = { reason: 'Started', message: 'Container started', fieldPath: 'spec.containers{web}' };

function correlator() {
  const events = new EventCorrelator();
  let made = 0;
  const note = (
    whom: string,
    words: { readonly reason: string; readonly message: string; readonly fieldPath?: string } = STARTED,
    now = 1000,
  ) => events.note(whom, words, now, () => `event-${++made}`);
  return { note };
}

test('what was noted longest ago of 4,096 is noted as new', () => {
  const { note } = correlator();
  for (let pod = 0; pod < 4096; pod++) note(`pod-${pod}`);
  const again = note('pod-0').seen;
  note('pod-4096');
  const forgotten = note('pod-1').seen;
  expect([again.name, again.count, forgotten.name, forgotten.count]).toEqual(['event-1', 2, 'event-4098', 1]);
  expect(note('pod-0').seen).toBe(again);
});

test('kinds and messages of one object are forgotten one by one', () => {
  const { note } = correlator();
  const first = note('pod', { reason: 'Killing', message: 'Stopping container web' }).seen;
  for (let kind = 0; kind < 4096; kind++) note('pod', { reason: `Kind${kind}`, message: 'again' });
  const anew = note('pod', { reason: 'Killing', message: 'Stopping container web' });
  const kept = note('pod', { reason: 'Kind4095', message: 'again' });
  expect([first.count, anew.seen.count, kept.seen.count]).toEqual([1, 1, 2]);
  expect(anew.bucket).toBe(kept.bucket);
});

test('the tenth message of a kind within ten minutes stands for all that follow, and a message is one of its own for each container', () => {
  const { note } = correlator();
  const names = Array.from(
    { length: 12 },
    (_, index) => note('pod', { reason: 'Unhealthy', message: `failed ${index}` }, 1000 + index).seen.name,
  );
  expect(names.slice(9)).toEqual(['event-10', 'event-10', 'event-10']);
  expect(note('pod', { reason: 'Unhealthy', message: 'failed 12' }, 1012).seen).toMatchObject({
    count: 4,
    message: '(combined from similar events): failed 12',
  });
  expect(note('pod', { reason: 'Unhealthy', message: 'failed 13' }, 700_000).seen.message).toBe('failed 13');
  expect(note('pod').seen).not.toBe(note('pod', { ...STARTED, fieldPath: 'spec.containers{cart}' }).seen);
});
