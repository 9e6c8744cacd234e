import type { Evidence, ScanResult, Target } from '../model/diagnosis.ts';
import { formatRef } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import { toCauses } from './cause.ts';
import { isStarting, reason, relevantGaps } from './diagnose.ts';
import { objectsOf } from './rank.ts';
import { sharedOnce } from './shared-causes.ts';
import { verdicts } from './verdicts.ts';

/** What the rules make of a whole scope: each cause once, with everything it stops; and what is sick without a known cause. */
export function scan(evidence: Evidence, rules: readonly Rule[], scope: { readonly namespace?: string }): ScanResult {
  const { judged, ...reasoned } = reason(evidence, rules);
  const { explanations, ranked } = sharedOnce(reasoned.ranked, reasoned.explanations);
  const named = new Set(judged.findings.flatMap((finding) => objectsOf(finding)));
  const unnamed = evidence.targets.filter(
    ({ state, ref, members }) =>
      (state === 'unhealthy' || state === 'progressing') && ![ref, ...members].some((one) => named.has(formatRef(one))),
  );
  const starting = unnamed.filter(
    (target) => target.state === 'progressing' || isStarting(evidence, target, verdicts(evidence, target, reasoned.ranked)),
  );
  const unexplained = withoutAny(unnamed, starting);
  const inactive = evidence.targets.filter(
    ({ ref, state, reason: words }) => state === 'healthy' && words !== undefined && !named.has(formatRef(ref)),
  );
  return {
    at: evidence.at,
    scope,
    counts: { targets: evidence.targets.length, ...countStates(evidence.targets), unexplained: unexplained.length },
    causes: toCauses(ranked, explanations),
    unexplained,
    ...(starting.length === 0 ? {} : { starting }),
    ...(inactive.length === 0 ? {} : { inactive }),
    gaps: relevantGaps(evidence, judged),
  };
}

function withoutAny(targets: readonly Target[], others: readonly Target[]): readonly Target[] {
  const left = new Set(others);
  return targets.filter((target) => !left.has(target));
}

function countStates(targets: readonly Target[]): { healthy: number; unhealthy: number; unknown: number } {
  const counts = { healthy: 0, unhealthy: 0, unknown: 0 };
  for (const { state } of targets) {
    if (state === 'healthy') counts.healthy++;
    else if (state === 'unknown') counts.unknown++;
    else counts.unhealthy++;
  }
  return counts;
}
