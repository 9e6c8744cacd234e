import type { Diagnosis } from '../model/diagnosis.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { objectWords } from '../report/format/object-words.ts';
import type { Problem } from '../report/pipeline/check.ts';
import { problemsOf } from '../report/pipeline/check.ts';
import { causeProblem } from '../report/pipeline/diagnosis-checks.ts';
import type { WatchedCause } from '../model/watch-change.ts';

/** What a diagnosis says of a workload; undefined where it is well or only starting. */
export function watchedCause(diagnosis: Diagnosis, workload: ObjectRef): WatchedCause | undefined {
  const { outcome, causes, reason, gaps } = diagnosis;
  const [first] = causes;
  if (first !== undefined) {
    const problem = causeProblem(first, 'error', { subject: workload });
    const full = { ...first, evidence: first.evidence.slice(0, MOST_QUOTES), affected: first.affected.slice(0, MOST_AFFECTED) };
    return { ...known(problem, workload), stage: first.stage, says: first.what, evidence: full.evidence, stages: diagnosis.stages, full };
  }
  const looks = reason === undefined ? '' : ` (${reason})`;
  if (outcome === 'unexplained') {
    const says = `${objectWords(workload)} is unhealthy${looks}, and no rule names the cause.`;
    return known(bare('podcheck/unexplained', 'Unhealthy, and no rule names the cause', says, workload), workload);
  }
  if (outcome !== 'inconclusive') return undefined;
  const needs = [...new Set(gaps.flatMap((gap) => gap.needs ?? []))].slice(0, MOST_NEEDS);
  const says = `${objectWords(workload)} is unhealthy${looks}, and what would show the cause could not be read.`;
  return { ...known(bare('podcheck/inconclusive', 'Unhealthy, and required evidence is missing', says, workload), workload), needs };
}

/** A workload of a thousand pods has thousands of quotes that say the same. */
const MOST_QUOTES = 20;
const MOST_AFFECTED = 21;
const MOST_NEEDS = 10;

function known(problem: Problem, workload: ObjectRef): WatchedCause {
  const [one] = problemsOf([{ ref: workload, verdict: 'failed', problems: [problem] }]);
  const { rule, title, says, object, fix } = problem;
  return { fingerprint: one?.fingerprint ?? '', rule, title, says, workload, object, fix, evidence: [], needs: [], stages: [] };
}

function bare(rule: string, title: string, says: string, ref: ObjectRef): Problem {
  return { rule, level: 'warning', title, says, fix: [], evidence: [], subject: ref, object: ref, references: [] };
}
