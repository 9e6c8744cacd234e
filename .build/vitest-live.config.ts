import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** What `npm run live` runs: inside the network of a real cluster, which .build/live.mjs starts. */
export default defineConfig({
  root: config.root,
  test: {
    name: 'live',
    include: ['every-fault', 'healthy-workloads', 'killed-runbook', 'restricted-users', 'selected-faults', 'watched-cluster'].map(
      (file) => `test/live/${file}.ts`,
    ),
    pool: 'forks',
    // Beside the faults, healthy workloads start and users look.
    maxWorkers: 3,
    maxConcurrency: 6,
    testTimeout: 900_000,
    hookTimeout: 180_000,
  },
});
