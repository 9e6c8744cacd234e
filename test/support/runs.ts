import type { Preflight } from '../../src/report/preflight/preflight.ts';
import { causeProblem } from '../../src/report/pipeline/diagnosis-checks.ts';
import type { RunReport } from '../../src/report/simulation/run-text.ts';
import { CAUSE, NOW, STOPPED } from './diagnoses.ts';

const TILL = { kind: 'Pod', namespace: 'shop', name: 'till' };

/** A run with something of everything. */
export const RUN: RunReport = {
  id: 'web.yaml',
  title: 'Result of applying web.yaml',
  seed: 1,
  digest: 'd',
  start: NOW - 60_000,
  now: NOW,
  settled: { settled: true, pending: [] },
  steps: [{ at: NOW - 60_000, what: 'apply Deployment/web' }],
  way: [],
  diagnosis: STOPPED,
  refusals: [{ file: 'web.yaml', line: 3, fields: [{ field: 'spec', line: 4 }], said: 'error: invalid', addedKind: false }],
  cameUp: false,
  leftOut: [{ about: TILL, why: 'it was not read' }],
  others: [{ ref: TILL, reason: 'unhealthy' }],
  alsoHealthy: [TILL],
  assumesStorage: true,
  unknownImages: [{ image: 'shop/web:1', pod: TILL }],
};

const PLACE = { file: 'web.yaml', line: 12, column: 7 };
const PROBLEM = causeProblem(CAUSE, 'error', { subject: STOPPED.target, place: PLACE });

/** A preflight with something of everything. */
export const PREFLIGHT: Preflight = {
  files: ['web.yaml'],
  cluster: 'a clone of saved.json',
  at: NOW,
  ageSeconds: 90_000,
  workloads: [
    {
      ref: STOPPED.target,
      place: PLACE,
      verdict: 'blocked',
      lastStage: 'probes',
      obstacles: [{ ...PROBLEM, stage: 'volumes', assumed: 'ConfigMap shop/web-settings exists' }],
      unknown: [],
    },
    { ref: TILL, place: PLACE, verdict: 'unknown', obstacles: [], unknown: ['image shop/till:1 was not pulled'] },
    { ref: { ...TILL, name: 'kiosk' }, place: PLACE, verdict: 'starts', lastStage: 'probes', obstacles: [], unknown: [] },
  ],
  remarks: [{ ...PROBLEM, rule: 'podcheck/rejected' }],
  effects: [{ ...PROBLEM, rule: 'podcheck/evicts', level: 'warning' }],
  gaps: STOPPED.gaps,
  known: 2,
};
