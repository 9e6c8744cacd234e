import type { Check, Problem } from '../pipeline/check.ts';
import type { Preflight, WorkloadOutcome } from './preflight.ts';

/** A preflight as checks: one for each workload, and one for whatever else was found. */
export function preflightChecks({ workloads, remarks, effects }: Preflight): readonly Check[] {
  return [...workloads.map(workloadCheck), ...[...remarks, ...effects].map(problemCheck)];
}

function workloadCheck({ ref, place, verdict, obstacles, unknown }: WorkloadOutcome): Check {
  const [reason] = unknown;
  const notes = verdict === 'unknown' ? unknown.map((says): Problem => note(says, { ref, place })) : [];
  return {
    ref,
    place,
    verdict: verdict === 'starts' ? 'passed' : verdict === 'blocked' ? 'failed' : 'unknown',
    ...(reason === undefined ? {} : { reason }),
    problems: [...obstacles, ...notes],
  };
}

function note(says: string, { ref, place }: Pick<WorkloadOutcome, 'ref' | 'place'>): Problem {
  return {
    rule: 'podcheck/not-known',
    level: 'note',
    title: 'It cannot be told whether it starts',
    says,
    fix: [],
    evidence: [],
    subject: ref,
    object: ref,
    place,
    references: [],
  };
}

function problemCheck(problem: Problem): Check {
  const { subject: ref, says: reason, level, place } = problem;
  const verdict = level === 'error' ? 'failed' : level === 'note' ? 'unknown' : 'passed';
  return { ref, verdict, reason, ...(place === undefined ? {} : { place }), problems: [problem] };
}
