import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** What `npm run live` runs: inside the network of a real cluster, which .build/live.mjs starts. */
export default defineConfig({
  root: config.root,
  test: {
    name: 'live',
    include: ['test/live/every-fault.ts', 'test/live/healthy-workloads.ts', 'test/live/restricted-users.ts'],
    pool: 'forks',
    // Beside the faults, healthy workloads start and users look.
    maxWorkers: 3,
    maxConcurrency: 6,
    testTimeout: 600_000,
    hookTimeout: 180_000,
  },
});
