import { expect, it } from 'vitest';
import { collected, podWith } from '../../support/collected.ts';

it('a readiness gate is also known from what the condition of the pod says', async () => {
  const conditions = (message: string): object => ({
    status: {
      conditions: [
        { type: 'ContainersReady', status: 'True' },
        { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message },
      ],
    },
  });
  const gates = (message: string): ReturnType<typeof collected> =>
    collected('readiness-gate', [podWith('web-1', {}, {}, conditions(message) as Parameters<typeof podWith>[3])]);
  expect(await gates('corresponding condition of pod readiness gate "shop.example/open" does not exist.')).toEqual([
    { gate: 'shop.example/open' },
  ]);
  expect(await gates('containers with unready status: [web]')).toEqual([]);
});
