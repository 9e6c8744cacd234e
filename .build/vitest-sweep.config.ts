import { defineConfig } from 'vitest/config';
import { SWEEPS } from './sweeps.ts';
import config, { BUILT, UNIT } from './vitest.config.ts';

const files = Object.keys(SWEEPS);
const built = files.filter((file) => file.endsWith('.e2e.test.ts'));

/** What `npm run sweep` runs: the sweeps and nothing else. */
export default defineConfig({
  root: config.root,
  test: { maxWorkers: '100%', projects: [{ test: { ...UNIT, include: files } }, { test: { ...BUILT, include: built } }] },
});
