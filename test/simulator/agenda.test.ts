import { expect, test } from 'vitest';
import { Agenda } from '../../src/simulator/time/agenda.ts';

test('tasks run in the order of their time, and of scheduling where times are the same', () => {
  const agenda = new Agenda(0);
  const ran: string[] = [];
  for (const [at, name] of [
    [20, 'late'],
    [10, 'first'],
    [10, 'second'],
    [5, 'early'],
  ] as const)
    agenda.at(at, name, () => void ran.push(`${name}@${agenda.now}`));
  while (agenda.step());
  expect(ran).toEqual(['early@5', 'first@10', 'second@10', 'late@20']);
});

test('a task may schedule others, also for the same time', () => {
  const agenda = new Agenda(0);
  const ran: string[] = [];
  agenda.at(1, 'outer', () => {
    agenda.at(0, 'past', () => void ran.push(`past@${agenda.now}`));
    agenda.after(1, 'next', () => void ran.push(`next@${agenda.now}`));
  });
  while (agenda.step());
  expect(ran).toEqual(['past@1', 'next@2']);
});

test('a cancelled task does not run and does not hold anything up', () => {
  const agenda = new Agenda(0);
  let runs = 0;
  const task = agenda.at(5, 'cancelled', () => void runs++);
  task.cancel();
  task.cancel();
  expect(agenda.foreground).toBe(0);
  expect(agenda.step()).toBe(false);
  expect(runs).toBe(0);
  expect(agenda.now).toBe(0);
});

test('the tasks of an owner go together', () => {
  const agenda = new Agenda(0);
  const kubelet = {};
  const ran: string[] = [];
  agenda.at(1, 'probe', () => void ran.push('probe'), { owner: kubelet });
  agenda.at(2, 'sync', () => void ran.push('sync'), { owner: kubelet });
  agenda.at(3, 'other', () => void ran.push('other'));
  agenda.cancelOwned(kubelet);
  while (agenda.step());
  expect(ran).toEqual(['other']);
});

test('background tasks are not waited for but do run in their time', () => {
  const agenda = new Agenda(0);
  let expired = false;
  agenda.at(1000, 'events expire', () => void (expired = true), { background: true });
  expect(agenda.foreground).toBe(0);
  while (agenda.step(1000));
  expect(expired).toBe(true);
});

test('time does not pass what is due', () => {
  const agenda = new Agenda(0);
  agenda.at(5, 'due', () => undefined);
  expect(() => agenda.moveTo(6)).toThrow('time does not pass a task that is due');
  agenda.moveTo(5);
  expect(agenda.now).toBe(5);
});

test('an hour of thousands of cancelled and real tasks keeps its order', () => {
  const agenda = new Agenda(0);
  const times: number[] = [];
  for (let index = 0; index < 20_000; index++) {
    const task = agenda.at((index * 7919) % 3_600_000, 'task', () => void times.push(agenda.now));
    if (index % 3 !== 0) task.cancel();
  }
  while (agenda.step());
  expect(times).toHaveLength(6667);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});
