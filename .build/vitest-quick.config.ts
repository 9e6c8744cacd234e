import { defineConfig } from 'vitest/config';
import { SWEEPS } from './sweeps.ts';
import config, { UNIT } from './vitest.config.ts';

/** What `npm test` runs while something is being changed: nothing that starts the built program, and no sweep. */
export default defineConfig({
  root: config.root,
  test: { maxWorkers: '100%', projects: [{ test: { ...UNIT, exclude: [...UNIT.exclude, ...Object.keys(SWEEPS)] } }] },
});
