import type { Instant } from '../base/instant.ts';
import type { Cause, Quote, StageVerdict } from './diagnosis.ts';
import type { WatchGap } from './followed.ts';
import type { ObjectRef } from './kube-object.ts';
import type { Fix } from './rule.ts';
import type { StageId } from './stage.ts';

/** Why one workload is not well, as it is told: once, and again only when it changes or returns. */
export interface WatchedCause {
  /** Made of rule, workload and object alone, as in SARIF: the same as long as these are. */
  readonly fingerprint: string;
  /** The rule's id, or `podcheck/unexplained`, `podcheck/inconclusive`. */
  readonly rule: string;
  /** Where the workload is blocked; undefined where no rule names the cause. */
  readonly stage?: StageId;
  readonly title: string;
  readonly says: string;
  readonly workload: ObjectRef;
  readonly object: ObjectRef;
  readonly fix: readonly Fix[];
  readonly evidence: readonly Quote[];
  /** Permissions without which the cause cannot be told. */
  readonly needs: readonly string[];
  /** How the workload was doing, stage by stage, and the cause in full, with some of what suffers from it; for a page. */
  readonly stages: readonly StageVerdict[];
  readonly full?: Cause;
}

/** Whether somebody would rather keep what was known than take this: evidence goes away, such as events after an hour. */
export function isVague({ rule }: WatchedCause): boolean {
  return rule.startsWith('podcheck/');
}

/** A cause with its course. */
export interface Course {
  /** Its name, where several are watched. */
  readonly cluster?: string;
  readonly cause: WatchedCause;
  /** When the workload became ill. */
  readonly since: Instant;
  /** When this cause was first named. */
  readonly foundAt: Instant;
  /** Pods of the workload that are not well, when last counted. */
  readonly pods: number;
  /** What its objects look like: `CrashLoopBackOff`, `1/3 ready`. */
  readonly reasons: readonly string[];
  /** How often it was found, with cures between. */
  readonly times: number;
}

/** A cause that is over. */
export interface PastCourse extends Course {
  readonly endedAt: Instant;
  readonly ended: 'well' | 'deleted' | 'changed';
}

/** What a watch tells. */
export type Change =
  | { readonly type: 'found'; readonly at: Instant; readonly course: Course }
  | { readonly type: 'changed'; readonly at: Instant; readonly course: Course; readonly before: WatchedCause }
  | { readonly type: 'cured'; readonly at: Instant; readonly course: PastCourse }
  | { readonly type: 'gap'; readonly at: Instant; readonly gap: WatchGap }
  | { readonly type: 'gap-closed'; readonly at: Instant; readonly gap: WatchGap; readonly since: Instant }
  | { readonly type: 'missed'; readonly at: Instant; readonly detail: string };

/** Which of several replicas a watch is: its number from 0, and how many there are. */
export interface ShardInfo {
  readonly shard: number;
  readonly of: number;
}

/** Upper bounds of the times that are counted, in seconds. */
export const STAGE_BUCKETS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600] as const;

/** How long pods that came up were in a stage. */
export interface StageTime {
  readonly stage: StageId;
  /** Pods up to each of `STAGE_BUCKETS`. */
  readonly counts: readonly number[];
  /** Of all, in seconds. */
  readonly sum: number;
  readonly count: number;
}

/** All that a watch knows at one moment. */
export interface WatchView {
  readonly at: Instant;
  /** `all namespaces`, `namespace shop`. */
  readonly scope: string;
  /** False until everything was listed once. */
  readonly complete: boolean;
  readonly objects: number;
  /** The newest first. */
  readonly courses: readonly Course[];
  readonly past: readonly PastCourse[];
  /** Workloads that are not well and have no cause yet. */
  readonly pending: number;
  readonly gaps: readonly { readonly gap: WatchGap; readonly since: Instant }[];
  /** Since the server was last heard of, by the kind that has been silent longest. */
  readonly lagSeconds: number;
  /** Where it shares the work with others. */
  readonly shard?: ShardInfo;
  readonly stageTimes?: readonly StageTime[];
}
