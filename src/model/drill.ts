import type { ObjectRef } from './kube-object.ts';
import type { Scenario } from './scenario.ts';

export const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

/**
 * A rehearsal: a simulated cluster with faults in it, for somebody to find and mend. Every scenario that goes wrong is one;
 * `playbooks/drills/<name>.yaml` holds those with several faults, cascades, red herrings and healthy look-alikes.
 */
export interface Drill {
  /** A scenario's id, `drills/<name>`, or `random/<seed>`. */
  readonly id: string;
  readonly difficulty: Difficulty;
  /** What is said at the start besides the alert: what the cluster is for, what was done lately. Gives nothing away. */
  readonly story: string | undefined;
  readonly scenario: Scenario;
  /** What is wrong, the first to be named first. */
  readonly faults: readonly DrillFault[];
  /** Things that are well and look as if they were not. */
  readonly lookAlikes: readonly ObjectRef[];
}

/** One thing that is wrong: which rule names it, where it is seen. */
export interface DrillFault {
  /** The rule of the cause. */
  readonly cause: string;
  /** What does not come up for it. */
  readonly target: ObjectRef;
  /** The object at fault, where the scenario says. */
  readonly object: ObjectRef | undefined;
  /** It only shows beside other things: all of the target's namespace, or of the cluster, is looked at for it. */
  readonly scan?: 'namespace' | 'cluster';
  /** What is well when it is mended, where that is something else than the target (Scenario.cured). */
  readonly cured?: NonNullable<Scenario['cured']>;
}
