import { diagnose } from '../engine/diagnose.ts';
import type { Diagnosis, Evidence } from '../model/diagnosis.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';

/** What the rules make of evidence that was collected for one target: verdicts for every stage, and the ranked causes. */
export function judge(evidence: Evidence, rules: readonly Rule[], target: ObjectRef): Diagnosis {
  return diagnose(evidence, rules, target);
}
