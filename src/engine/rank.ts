import type { Evidence, Finding, Target } from '../model/diagnosis.ts';
import { formatRef } from '../model/kube-object.ts';
import { stageOrder } from '../model/stage.ts';
import type { Explanations } from './explain.ts';
import { isElsewhere, isNamed } from './explain.ts';

/** Findings no other one accounts for, the likeliest cause first; equal findings always come in the same order. */
export function rank(findings: readonly Finding[], explanations: Explanations, evidence: Evidence): readonly Finding[] {
  const explained = new Set([...explanations.values()].flatMap((set) => [...set]));
  const sick = unhealthyKeys(evidence.targets);
  const first = findings.filter(({ rule }) => rule.before.length > 0);
  const isLater = (finding: Finding): boolean =>
    first.some((earlier) => isNamed(finding, earlier.rule.before) && isBehind(finding, earlier, explanations));
  const scored = findings
    .filter((finding) => !explained.has(finding))
    .map((finding) => ({ finding, key: sortKey(finding, isLater(finding), explanations, sick) }));
  return scored.toSorted((a, b) => compare(a.key, b.key)).map(({ finding }) => finding);
}

/** Whether a finding matters only when an earlier one is over: of the same pods, of another container, and not why that one is there. */
function isBehind(finding: Finding, earlier: Finding, explanations: Explanations): boolean {
  if (finding === earlier || explanations.get(finding)?.has(earlier) === true) return false;
  if (earlier.params['container'] !== undefined && !isElsewhere(finding, earlier)) return false;
  const own = new Set(objectsOf(earlier).filter((key) => !/^(?:Node|Namespace)\//.test(key)));
  return objectsOf(finding).some((key) => own.has(key));
}

type SortKey = readonly (number | string)[];

/** Smaller is likelier: what stops a workload now before what only could, causes before symptoms, wide before narrow, early before late. */
function sortKey(finding: Finding, isLater: boolean, explanations: Explanations, sick: ReadonlySet<string>): SortKey {
  const stopped = new Set(objectsOf(finding).filter((key) => sick.has(key)));
  const stopsWorkload = [...stopped].some((key) => !/^(?:Service|HorizontalPodAutoscaler)\//.test(key));
  return [
    stopsWorkload ? 0 : 1,
    isLater ? 1 : 0,
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

/** Every object that a finding says something about, by key. */
export function objectsOf({ object, affected, workload }: Finding): readonly string[] {
  return [object, ...affected, ...(workload === undefined ? [] : [workload])].map(formatRef);
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
