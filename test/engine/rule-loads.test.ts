import { expect, it } from 'vitest';
import { logSeconds, workloadMilliseconds } from './rule-loads.ts';

// How long each takes is for `npm run bench` to say.
it('the loads of the bench find what they are made of', async () => {
  expect((await logSeconds()).heard).toBe(1000);
  expect((await workloadMilliseconds()).cause).toBe('volumes/configmap-not-found');
}, 60_000);
