import { defineConfig } from 'vitest/config';
import { SWEEPS } from './sweeps.ts';
import config, { BUILT, UNIT } from './vitest.config.ts';

const left = Object.keys(SWEEPS);

/** What `npm run check` runs: every test file that is no sweep. */
export default defineConfig({
  root: config.root,
  test: {
    maxWorkers: '100%',
    projects: [{ test: { ...UNIT, exclude: [...UNIT.exclude, ...left] } }, { test: { ...BUILT, exclude: left } }],
  },
});
