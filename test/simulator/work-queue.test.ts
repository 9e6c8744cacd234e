import { expect, test } from 'vitest';
import { Agenda } from '../../src/simulator/time/agenda.ts';
import type { Routine } from '../../src/simulator/time/routine.ts';
import { runRoutine, together, wait } from '../../src/simulator/time/routine.ts';
import { TokenBucket } from '../../src/simulator/time/token-bucket.ts';
import type { SyncResult } from '../../src/simulator/components/work-queue.ts';
import { WorkQueue } from '../../src/simulator/components/work-queue.ts';

function pause(agenda: Agenda, milliseconds: number): Routine {
  return wait<void>((resume) => void agenda.after(milliseconds, 'pause', () => resume()));
}

test('a key that is added again while it waits is worked on once', () => {
  const agenda = new Agenda(0);
  const worked: string[] = [];
  const queue = new WorkQueue(agenda, { name: 'test' }, function* sync(key): Routine<SyncResult> {
    worked.push(key);
    yield* pause(agenda, 0);
  });
  for (const key of ['shop/web', 'shop/db', 'shop/web']) queue.add(key);
  while (agenda.step());
  expect(worked).toEqual(['shop/web', 'shop/db']);
});

test('a key that is added while it is worked on is worked on again afterwards, never twice at a time', () => {
  const agenda = new Agenda(0);
  const log: string[] = [];
  const queue = new WorkQueue(agenda, { name: 'test' }, function* sync(key): Routine<SyncResult> {
    log.push(`begin@${agenda.now}`);
    if (log.length === 1) queue.add(key);
    yield* pause(agenda, 10);
    log.push(`end@${agenda.now}`);
  });
  queue.add('shop/web');
  while (agenda.step());
  expect(log).toEqual(['begin@0', 'end@10', 'begin@10', 'end@20']);
});

test('no more keys are worked on at a time than there are workers', () => {
  const agenda = new Agenda(0);
  let [busy, most] = [0, 0];
  const queue = new WorkQueue(agenda, { name: 'test', workers: 2 }, function* sync(): Routine<SyncResult> {
    most = Math.max(most, ++busy);
    yield* pause(agenda, 10);
    busy--;
  });
  for (const key of ['a', 'b', 'c', 'd', 'e']) queue.add(key);
  while (agenda.step());
  expect(most).toBe(2);
  expect(agenda.now).toBe(30);
});

test('a key that failed comes back after waits that double, and at once when it succeeded', () => {
  const agenda = new Agenda(0);
  const at: number[] = [];
  const queue = new WorkQueue(agenda, { name: 'test' }, function* sync(): Routine<SyncResult> {
    at.push(agenda.now);
    yield* pause(agenda, 0);
    return at.length < 6 ? { retry: 'not yet' } : undefined;
  });
  queue.add('shop/web');
  while (agenda.step());
  expect(at).toEqual([0, 5, 15, 35, 75, 155]);
  expect(queue.failuresOf('shop/web')).toBe(0);
});

test('after so many failures a key is dropped', () => {
  const agenda = new Agenda(0);
  let tries = 0;
  const queue = new WorkQueue(agenda, { name: 'test', maxRetries: 3 }, function* sync(): Routine<SyncResult> {
    tries++;
    yield* pause(agenda, 0);
    return { retry: 'never' };
  });
  queue.add('shop/web');
  while (agenda.step());
  expect(tries).toBe(4);
});

test('a bucket lets a burst through and then keeps its pace', () => {
  const bucket = new TokenBucket(20, 30, 0);
  const waits = Array.from({ length: 33 }, () => bucket.reserve(0));
  expect(waits.slice(0, 30).every((milliseconds) => milliseconds === 0)).toBe(true);
  expect(waits.slice(30)).toEqual([50, 100, 150]);
  expect(bucket.take(100)).toBe(false);
  expect(bucket.take(200)).toBe(true);
});

test('routines side by side give their results in the order they were given', () => {
  const agenda = new Agenda(0);
  let results: readonly number[] = [];
  function* after(milliseconds: number): Routine<number> {
    yield* pause(agenda, milliseconds);
    return milliseconds;
  }
  runRoutine(together([after(30), after(10), after(20)]), (value) => void (results = value));
  while (agenda.step());
  expect(results).toEqual([30, 10, 20]);
  expect(agenda.now).toBe(30);
});

test('a hundred thousand effects that are over at once do not pile up', () => {
  let total = 0;
  function* count(): Routine {
    for (let index = 0; index < 100_000; index++) total += yield* wait<number>((resume) => resume(1));
  }
  runRoutine(count());
  expect(total).toBe(100_000);
});
