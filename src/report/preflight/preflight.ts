import type { Instant } from '../../base/instant.ts';
import type { Gap } from '../../model/fact.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import type { StageId } from '../../model/stage.ts';
import type { Place, Problem } from '../pipeline/check.ts';

/** What would happen if manifests were applied, as far as it can be known before. */
export interface Preflight {
  /** The files. */
  readonly files: readonly string[];
  /** The cluster they were tried in, in words: `a clone of prod.json`, `a simulated cluster (three-nodes)`. */
  readonly cluster: string;
  /** The time of that cluster. */
  readonly at: Instant;
  /** How old a saved cluster is; undefined where it has no age. */
  readonly ageSeconds?: number;
  readonly workloads: readonly WorkloadOutcome[];
  /** About the documents themselves: duplicates, unknown kinds. */
  readonly remarks: readonly Problem[];
  /** What today's workloads would lose. */
  readonly effects: readonly Effect[];
  readonly gaps: readonly Gap[];
  /** Obstacles that the baseline has, too, and that are left out. */
  readonly known: number;
}

/** `starts`: seen to become ready, and nothing about it was taken for granted. `unknown`: nothing that is known stops it. */
export type PreflightVerdict = 'starts' | 'blocked' | 'unknown';

export interface WorkloadOutcome {
  readonly ref: ObjectRef;
  readonly place: Place;
  readonly verdict: PreflightVerdict;
  /** The last stage that it passed, with all obstacles out of the way that could be moved; undefined for none. */
  readonly lastStage?: StageId;
  /** In the order in which it would meet them. */
  readonly obstacles: readonly Obstacle[];
  /** Why it cannot be told whether it starts: an image that nobody asked for. */
  readonly unknown: readonly string[];
}

export interface Obstacle extends Problem {
  readonly stage: StageId;
  /** What was assumed from here on, so that the play could go on; undefined where nothing is known that would help. */
  readonly assumed?: string;
}

/** Something that applying the manifests does to what runs today. */
export interface Effect extends Problem {
  readonly level: 'warning';
}

/** Days after which a saved cluster says too little about today's. */
export const STALE_DAYS = 1;

export function isStale(ageSeconds: number | undefined): boolean {
  return ageSeconds !== undefined && ageSeconds > STALE_DAYS * 86_400;
}

export function isBlocked({ workloads, remarks }: Preflight): boolean {
  return workloads.some(({ verdict }) => verdict === 'blocked') || remarks.some(({ level }) => level === 'error');
}

export function isUnknown({ workloads, remarks, gaps }: Preflight): boolean {
  return workloads.some(({ verdict }) => verdict === 'unknown') || remarks.some(({ level }) => level === 'note') || gaps.length > 0;
}
