import { defineConfig } from 'vitest/config';
import config, { UNIT } from './vitest.config.ts';

/** Go through all scenarios, playbooks, reads or expressions, or wait for a server under load: half of the time of all unit tests. */
const SWEEPS = [
  'test/scenarios.test.ts', 'test/playbooks.test.ts', 'test/failed-*.test.ts', 'test/unread-evidence.test.ts', 'test/expressions.test.ts', 'test/fuzz.test.ts',
  'test/drill/{every-scenario,drills,runbooks}.test.ts', 'test/server/{robustness,large-bodies}.test.ts', 'test/commands/{runbook-faults,drill-secrecy}.test.ts', 'test/simulator/{fast-forward,determinism}.test.ts',
];

/** What `npm test` runs while something is being changed; `npm run check` runs everything. */
export default defineConfig({ root: config.root, test: { maxWorkers: '100%', projects: [{ test: { ...UNIT, exclude: [...UNIT.exclude, ...SWEEPS] } }] } });
