import type { CertificateRow } from '../../model/certificate.ts';
import type { Cause, Diagnosis, ScanResult, Target } from '../../model/diagnosis.ts';
import type { Gap } from '../../model/fact.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef } from '../../model/kube-object.ts';
import { endWords, placeWords, roleWords } from '../cert-expiry/certificate-words.ts';
import { objectWords } from '../format/object-words.ts';
import type { Check, Level, Place, Problem } from './check.ts';

/** A diagnosis as checks: its target, and what else is as healthy. `place` is the file it was read from, where it was one. */
export function diagnosisChecks(diagnosis: Diagnosis, place?: Place): readonly Check[] {
  const { target, outcome, reason, causes, gaps, others = [] } = diagnosis;
  const at = place === undefined ? {} : { place };
  const found = causes.map((cause) => causeProblem(cause, cause.rank === 1 ? 'error' : 'warning', { subject: target, ...at }));
  const unknown = [...unsolved(diagnosis), ...gapProblems(gaps, target)].map((problem) => ({ ...problem, ...at }));
  return [
    {
      ref: target,
      verdict: VERDICTS[outcome],
      ...(reason === undefined ? {} : { reason }),
      ...at,
      problems: [...found, ...(outcome === 'healthy' ? [] : unknown)],
    },
    ...others
      .filter(({ ref }) => formatRef(ref) !== formatRef(target))
      .map(({ ref }): Check => ({ ref, verdict: 'passed', ...at, problems: [] })),
  ];
}

const VERDICTS = { healthy: 'passed', explained: 'failed', unexplained: 'failed', waiting: 'unknown', inconclusive: 'unknown' } as const;

/** A scan as checks: one for each target, and one for each cause that is about none of them. */
export function scanChecks(
  { causes, unexplained, certificates = [], gaps }: ScanResult,
  targets: readonly Target[],
  place?: Place,
): readonly Check[] {
  const at = place === undefined ? {} : { place };
  const problems = causes.map((cause) => ({
    cause,
    problem: causeProblem(cause, 'error', { subject: cause.workload ?? cause.object, ...at }),
  }));
  const byObject = new Map<string, Problem[]>();
  for (const { cause, problem } of problems)
    for (const key of new Set([cause.object, cause.workload ?? cause.object, ...cause.affected].map(formatRef)))
      byObject.set(key, [...(byObject.get(key) ?? []), problem]);
  const unknown = new Set(unexplained.map(({ ref }) => formatRef(ref)));
  const told = new Set<Problem>();
  const checks = targets.map(({ ref, state, reason, members }): Check => {
    const own = [...new Set([ref, ...members].flatMap((one) => byObject.get(formatRef(one)) ?? []))];
    for (const problem of own) told.add(problem);
    const isUnsolved = own.length === 0 && unknown.has(formatRef(ref));
    const verdict = own.length > 0 || isUnsolved ? 'failed' : state === 'healthy' ? 'passed' : 'unknown';
    const more = isUnsolved ? [unexplainedProblem(ref, reason)] : [];
    return {
      ref,
      verdict,
      ...(reason === undefined ? {} : { reason }),
      ...at,
      problems: [...own, ...more.map((one) => ({ ...one, ...at }))],
    };
  });
  return [
    ...checks,
    ...problems.filter(({ problem }) => !told.has(problem)).map(({ problem }) => failed(problem)),
    ...certificates.filter(({ status }) => status !== 'OK').map((row) => failed({ ...certificateProblem(row), ...at })),
    ...unread(gaps, at),
  ];
}

/** What could not be looked at, as one object: a scan has many gaps. */
function unread(gaps: readonly Gap[], at: { readonly place?: Place }): readonly Check[] {
  const problems = gapProblems(gaps).map((problem) => ({ ...problem, ...at }));
  const [first] = problems;
  return first === undefined
    ? []
    : [{ ref: { kind: 'Cluster', name: 'not checked' }, verdict: 'unknown', reason: first.says, ...at, problems }];
}

function failed(problem: Problem): Check {
  const { subject: ref, title: reason, level, place } = problem;
  return { ref, verdict: level === 'error' ? 'failed' : 'passed', reason, ...(place === undefined ? {} : { place }), problems: [problem] };
}

/** A cause as a problem of what it stops. Pods and what makes them have names that change with each rollout: their workload stands for them. */
export function causeProblem(
  { rule, title, what, why, fix, evidence, object, workload, references }: Cause,
  level: Level,
  { subject, place }: { readonly subject: ObjectRef; readonly place?: Place },
): Problem {
  const stays = workload === undefined || !NAMED_ANEW.has(object.kind);
  return {
    rule,
    level,
    title,
    says: `${ended(what)} ${why}`,
    fix,
    evidence,
    subject: NAMED_ANEW.has(subject.kind) ? (workload ?? subject) : subject,
    object: stays ? object : workload,
    ...(place === undefined ? {} : { place }),
    references,
  };
}

const NAMED_ANEW: ReadonlySet<string> = new Set(['Pod', 'ReplicaSet', 'Job', 'ControllerRevision']);

function unsolved({ outcome, target, reason }: Diagnosis): readonly Problem[] {
  if (outcome === 'unexplained') return [unexplainedProblem(target, reason)];
  if (outcome !== 'waiting') return [];
  return [bare('podcheck/starting', 'note', target, 'Still starting', `${objectWords(target)} is still starting.`)];
}

function unexplainedProblem(ref: ObjectRef, reason: string | undefined): Problem {
  return bare(
    'podcheck/unexplained',
    'warning',
    ref,
    'Unhealthy, and no rule names the cause',
    `${objectWords(ref)} is unhealthy${reason === undefined ? '' : ` (${reason})`}, and no rule names the cause.`,
  );
}

function gapProblems(gaps: readonly Gap[], subject?: ObjectRef): readonly Problem[] {
  return gaps.map(({ about, reason, needs }) => ({
    ...bare('podcheck/not-checked', 'note', about, 'Required evidence is missing', `${objectWords(about)} was not checked: ${reason}`),
    subject: subject ?? about,
    fix: needs === undefined ? [] : [{ say: `It needs: ${needs}` }],
  }));
}

function certificateProblem(row: CertificateRow): Problem {
  const isOver = row.status === 'EXPIRED';
  const [rule, title, level] = isOver
    ? (['podcheck/certificate-expired', 'Certificate has expired', 'error'] as const)
    : (['podcheck/certificate-expires', 'Certificate expires before it is renewed', 'warning'] as const);
  const says = `${roleWords(row)}, ends ${endWords(row)}, ${placeWords(row, 1).join(', ')}: ${row.breaks}`;
  return { ...bare(rule, level, { kind: 'Certificate', name: row.id }, title, says), fix: [{ say: 'Renew it.', run: row.renew }] };
}

/** As a sentence: what ends with a line of a log has no end of its own. */
function ended(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}

function bare(rule: string, level: Level, ref: ObjectRef, title: string, says: string): Problem {
  return { rule, level, title, says, fix: [], evidence: [], subject: ref, object: ref, references: [] };
}
