import type { Outcome } from './diagnosis.ts';
import type { Scalar } from './fact.ts';
import type { When } from './rule.ts';
import type { StageId, Verdict } from './stage.ts';

/**
 * What a check, a decision, a wait or a precondition asks. Three-valued, as a rule is: what rests on something that could not be
 * looked at is unknown, never true and never false.
 */
export type Condition =
  /** Patterns over facts, as in a rule; `$name` joins the run's variables. */
  | { readonly test: 'facts'; readonly when: When }
  /** Of a diagnosis of the target. */
  | { readonly test: 'outcome'; readonly is: readonly Outcome[] }
  /** The first cause of a diagnosis of the target is of one of these rules; `stage/*` stands for all of a stage. */
  | { readonly test: 'cause'; readonly is: readonly string[] }
  | { readonly test: 'stage'; readonly stage: StageId; readonly is: readonly Verdict[] }
  /** How a step before ended. */
  | { readonly test: 'step'; readonly step: string; readonly is: readonly StepResult[] }
  /** A variable has one of these values. */
  | { readonly test: 'variable'; readonly name: string; readonly is: readonly Scalar[] }
  /** A variable has any value. */
  | { readonly test: 'known'; readonly name: string }
  | { readonly test: 'not'; readonly condition: Condition };

/** What a step came to. `passed`, `failed` and `unknown` are answers; the others say why there is none. */
export const STEP_RESULTS = ['passed', 'failed', 'unknown', 'done', 'declined', 'skipped', 'not-evaluated'] as const;
export type StepResult = (typeof STEP_RESULTS)[number];
