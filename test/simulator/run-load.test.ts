import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LOADS } from './loads.ts';
import { runLoad } from './run-load.ts';

test('a load that is not there is no load of nothing', () => {
  expect(() => runLoad('sim-carnival')).toThrow('no load is called sim-carnival');
});

test('every load has its bounds in the bench', () => {
  const bench = readFileSync('.build/bench.mjs', 'utf8');
  const bounded = [...bench.matchAll(/\{ name: '(sim-[a-z-]+)', seconds: \d+, megabytes: \d+(?:, named: true)? \}/g)].map(
    ([, name]) => name,
  );
  expect(bounded).toEqual(LOADS.map(({ name }) => name));
});
