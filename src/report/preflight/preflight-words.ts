import { formatDuration } from '../../base/duration.ts';
import { formatInstant } from '../../base/instant.ts';
import { counted } from '../../base/counted.ts';
import type { Place } from '../pipeline/check.ts';
import type { Preflight, PreflightVerdict, WorkloadOutcome } from './preflight.ts';
import { isStale } from './preflight.ts';

/** The first line of an answer: what stops how many of the workloads. */
export function titleWords({ files, workloads, remarks }: Preflight): string {
  const count = (verdict: PreflightVerdict): number => workloads.filter((one) => one.verdict === verdict).length;
  const [blocked, unknown] = [count('blocked'), count('unknown')];
  const rejected = remarks.filter(({ level }) => level === 'error').length;
  const parts = [
    ...(blocked === 0 ? [] : [`${blocked} of ${counted(workloads.length, 'workload')} blocked`]),
    ...(rejected === 0 ? [] : [`${counted(rejected, 'object')} rejected`]),
    ...(unknown === 0 ? [] : [`${unknown} without a known obstacle`]),
    ...(count('starts') === 0 ? [] : [`${count('starts')} would start`]),
  ];
  return `${files.join(', ')}: ${parts.length === 0 ? 'nothing that runs pods' : parts.join(', ')}`;
}

/** In which cluster it was tried, and as of when. */
export function clusterWords({ cluster, at, ageSeconds, known }: Preflight): string {
  const age = ageSeconds === undefined || ageSeconds < 60 ? '' : `, ${formatDuration(ageSeconds)} old`;
  const stale = isStale(ageSeconds) ? '; what changed since is not known' : '';
  const baseline = known === 0 ? '' : `; ${counted(known, 'finding')} of the baseline left out`;
  return `Tried in ${cluster}, as of ${formatInstant(at)}${age}${stale}${baseline}.`;
}

/** `is blocked by 2 obstacles`: how it stands with a workload. */
export function verdictWords({ verdict, obstacles }: WorkloadOutcome): string {
  if (verdict === 'blocked') return `is blocked by ${counted(obstacles.length, 'obstacle')}`;
  return verdict === 'starts' ? 'would start' : 'has no known obstacle';
}

/** How far it came, and whether there may be more behind it. */
export function reachWords({ obstacles, lastStage, unknown }: WorkloadOutcome): string {
  const open = obstacles.findIndex(({ assumed }) => assumed === undefined);
  const reached =
    lastStage === undefined
      ? []
      : [`${obstacles.length > 0 && open < 0 ? 'with all obstacles removed, ' : ''}last stage passed: ${lastStage}`];
  return [
    ...(open < 0
      ? []
      : [
          `no change is known that removes ${open === obstacles.length - 1 ? 'the last obstacle' : `obstacle ${open + 1}`}, so what comes after it is not known`,
        ]),
    ...reached,
    ...unknown,
  ].join('; ');
}

export function placeText({ file, line, column }: Place): string {
  return `${file}${line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`}`;
}
