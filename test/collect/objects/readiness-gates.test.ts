import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { collected, podWith } from '../../support/collected.ts';

it('a readiness gate is also known from what the condition of the pod says', async () => {
  const conditions = (message: string): JsonObject => ({
    status: {
      conditions: [
        { type: 'ContainersReady', status: 'True' },
        { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message },
      ],
    },
  });
  const gates = (message: string): ReturnType<typeof collected> =>
    collected('readiness-gate', [podWith('web-1', {}, {}, conditions(message))]);
  expect(await gates('corresponding condition of pod readiness gate "shop.example/open" does not exist.')).toEqual([
    { gate: 'shop.example/open' },
  ]);
  expect(await gates('containers with unready status: [web]')).toEqual([]);
});
