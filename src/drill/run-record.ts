import type { Instant } from '../base/instant.ts';
import type { Quote } from '../model/diagnosis.ts';
import type { Difficulty } from '../model/drill.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import type { StageId } from '../model/stage.ts';
import type { Score } from './score.ts';

/** Everything about one run that a review, a comparison or another program needs. Published as `podcheck.drill/v1`. */
export interface RunRecord {
  readonly schema: 'podcheck.drill/v1';
  readonly run: string;
  readonly trainee: string;
  readonly drill: string;
  readonly title: string;
  readonly difficulty: Difficulty;
  readonly seed: number | string;
  readonly started: Moment;
  readonly ended: Moment | undefined;
  readonly ending: 'fixed' | 'gave-up' | 'stopped' | 'open';
  /** What was done to the cluster before the trainee got it. */
  readonly broke: readonly { readonly at: Instant; readonly what: string }[];
  readonly faults: readonly FaultRecord[];
  readonly timeline: readonly Action[];
  readonly requests: { readonly reads: number; readonly writes: number; readonly destructive: number };
  readonly hints: { readonly given: number; readonly cost: number };
  readonly wrongAnswers: number;
  readonly shortcuts: readonly string[];
  readonly damage: readonly string[];
  readonly score: Score;
  /** Rules and stages to practise next. */
  readonly practise: readonly string[];
}

/** The same moment on both clocks. */
export interface Moment {
  readonly at: Instant;
  readonly wall: Instant;
}

export interface FaultRecord {
  readonly cause: string;
  readonly stage: StageId;
  readonly title: string;
  readonly target: ObjectRef;
  readonly object: ObjectRef | undefined;
  readonly what: string;
  readonly evidence: readonly Quote[];
  /** The shortest way to see it: commands, in order. */
  readonly path: readonly string[];
  readonly fix: readonly { readonly say: string; readonly run?: string }[];
  /** When they first looked at something that shows it. */
  readonly looked: Moment | undefined;
  readonly named: Moment | undefined;
  readonly mended: Moment | undefined;
  readonly state: 'mended' | 'coming' | 'symptom' | 'failing';
}

/** One thing the trainee did. `telling` marks a look at something that shows a cause. */
export interface Action extends Moment {
  readonly kind: 'look' | 'write' | 'destroy' | 'hint' | 'answer' | 'check' | 'end';
  readonly what: string;
  readonly telling?: true;
}
