import type { Evidence, Finding, Target } from '../model/diagnosis.ts';
import { formatRef } from '../model/kube-object.ts';
import { stageOrder } from '../model/stage.ts';
import type { Explanations } from './explain.ts';

/** Findings no other one accounts for, the likeliest cause first; equal findings always come in the same order. */
export function rank(findings: readonly Finding[], explanations: Explanations, evidence: Evidence): readonly Finding[] {
  const explained = new Set([...explanations.values()].flatMap((set) => [...set]));
  const sick = unhealthyKeys(evidence.targets);
  const scored = findings
    .filter((finding) => !explained.has(finding))
    .map((finding) => ({ finding, key: sortKey(finding, explanations, sick) }));
  return scored.toSorted((a, b) => compare(a.key, b.key)).map(({ finding }) => finding);
}

type SortKey = readonly (number | string)[];

/** Smaller is likelier: what stops a workload now before what only could, causes before symptoms, wide before narrow, early before late. */
function sortKey(finding: Finding, explanations: Explanations, sick: ReadonlySet<string>): SortKey {
  const objects = [finding.object, ...finding.affected, ...(finding.workload === undefined ? [] : [finding.workload])].map(formatRef);
  const stopped = new Set(objects.filter((key) => sick.has(key)));
  const stopsWorkload = [...stopped].some((key) => !key.startsWith('Service/'));
  return [
    stopsWorkload ? 0 : 1,
    finding.rule.kind === 'cause' ? 0 : 1,
    stopped.size > 0 ? 0 : 1,
    -(explanations.get(finding)?.size ?? 0),
    stageOrder(finding.rule.stage),
    -stopped.size,
    -finding.support.length,
    finding.rule.id,
    formatRef(finding.object),
  ];
}

function unhealthyKeys(targets: readonly Target[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const target of targets) {
    if (target.state === 'unhealthy' || target.state === 'progressing')
      for (const ref of [target.ref, ...target.members]) keys.add(formatRef(ref));
  }
  return keys;
}

function compare(a: SortKey, b: SortKey): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined || left === right) continue;
    return left < right ? -1 : 1;
  }
  return 0;
}
