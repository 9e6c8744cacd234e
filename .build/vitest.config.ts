import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// A zone that is no whole number of hours from UTC: what takes the machine's zone for UTC shows in some test.
process.env['TZ'] = 'Asia/Kathmandu';

const E2E = ['test/package.test.ts', 'test/readme.test.ts', 'test/**/*.e2e.test.ts'];

/** Unit tests share their threads: a hundred files start in a second. None may change what the others see. */
export const UNIT = {
  name: 'unit',
  include: ['test/**/*.test.ts'],
  exclude: E2E,
  pool: 'threads' as const,
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

/** These start the built program, npm and kubectl, each in folders of their own. */
export const BUILT = {
  name: 'e2e',
  include: E2E,
  pool: 'forks' as const,
  globalSetup: ['.build/build-once.mjs'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

/** Every test. All cores: the longest files run beside all the others. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: { maxWorkers: '100%', projects: [{ test: UNIT }, { test: BUILT }] },
});
