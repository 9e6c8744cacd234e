import type { RunRecord } from '../../src/drill/run-record.ts';
import { CAUSE, NOW } from './diagnoses.ts';

const MOMENT = { at: NOW, wall: NOW };
/** A run with something in every field. */
export const RECORD: RunRecord = {
  schema: 'podcheck.drill/v1',
  run: 'r',
  trainee: 'eve',
  drill: 'd',
  title: 't',
  difficulty: 'easy',
  seed: 's',
  started: MOMENT,
  ended: MOMENT,
  ending: 'fixed',
  broke: [{ at: NOW, what: 'w' }],
  faults: [
    {
      cause: 'c',
      stage: 'volumes',
      title: 't',
      target: CAUSE.object,
      object: CAUSE.object,
      what: 'w',
      evidence: CAUSE.evidence,
      path: ['kubectl get pods'],
      fix: CAUSE.fix,
      looked: MOMENT,
      named: MOMENT,
      mended: MOMENT,
      state: 'mended',
    },
  ],
  timeline: [{ ...MOMENT, kind: 'look', what: 'w', telling: true }],
  requests: { reads: 1, writes: 1, destructive: 0 },
  hints: { given: 1, cost: 5 },
  wrongAnswers: 1,
  shortcuts: ['s'],
  damage: ['d'],
  score: { points: 10, parts: [{ what: 'w', points: 1, of: 2 }] },
  practise: ['p'],
};
