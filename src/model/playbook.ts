import type { Scalar } from './fact.ts';
import type { ChangeAction, Effect } from './playbook-change.ts';
import type { Condition } from './playbook-condition.ts';
import type { StageId } from './stage.ts';

/**
 * What a person on call does about one kind of trouble, step by step. `playbooks/<name>.yaml` holds one; its file name is its name.
 *
 * Words and commands are templates: `{{ name }}` stands for a variable. Variables are what the target gives (`GIVEN_VARIABLES`),
 * the parameters, and what the patterns of a check or a wait before have bound.
 */
export interface Playbook {
  readonly name: string;
  readonly title: string;
  /** When it is the right one. */
  readonly use: string;
  readonly for: PlaybookPurpose;
  /** Who answers for it, and when it was last read over; free text. */
  readonly owner?: string;
  readonly reviewed?: string;
  readonly params: readonly PlaybookParam[];
  /** Must hold before the first step, and again before a run goes on. */
  readonly preconditions: readonly Precondition[];
  readonly limits: PlaybookLimits;
  readonly steps: readonly PlaybookStep[];
  /** Done, after the changes' own undoings, when somebody decides to go back. */
  readonly rollback: readonly PlaybookStep[];
  readonly escalation: Escalation;
}

/** What leads to it. A rule may be written `stage/*`. */
export interface PlaybookPurpose {
  readonly alerts: readonly string[];
  readonly rules: readonly string[];
  readonly stages: readonly StageId[];
}

export interface PlaybookLimits {
  /** Objects that changes of one run may touch. */
  readonly objects: number;
}

export const PARAM_TYPES = ['text', 'number', 'flag', 'name', 'object', 'duration', 'quantity'] as const;
export type ParamType = (typeof PARAM_TYPES)[number];

/** A value the playbook needs: from `--param`, from the cause's parameter named `cause`, its default, or the person, in this order. */
export interface PlaybookParam {
  readonly name: string;
  readonly type: ParamType;
  readonly says: string;
  readonly required: boolean;
  readonly default?: Scalar;
  /** The whole text must fit it. */
  readonly pattern?: string;
  readonly oneOf?: readonly Scalar[];
  /** Never shown, never written down. */
  readonly secret: boolean;
  /** Name of the parameter of the diagnosed cause that it is taken from. */
  readonly cause?: string;
}

export interface Precondition {
  readonly say: string;
  readonly when: Condition;
}

/** When to call somebody else, and whom, and with what in hand. */
export interface Escalation {
  readonly say: string;
  readonly to?: string;
  readonly bring: readonly string[];
}

export interface PlaybookStep {
  /** Unique in its playbook. */
  readonly id: string;
  readonly say: string;
  /** What its answer tells. */
  readonly tells?: string;
  /** Should be done so long after the start of the run, in milliseconds. */
  readonly withinMilliseconds?: number;
  /** Where it goes on afterwards; the next step without it. */
  readonly next?: StepTarget;
  readonly action: StepAction;
}

/** Id of a step, or `END`. */
export type StepTarget = string;
export const END: StepTarget = 'end';

export type StepAction =
  | { readonly kind: 'diagnose'; readonly object?: string; readonly branches: readonly Branch[]; readonly else?: StepTarget }
  | {
      readonly kind: 'check';
      readonly condition: Condition;
      readonly pass?: StepTarget;
      readonly fail?: StepTarget;
      readonly unknown?: StepTarget;
    }
  | { readonly kind: 'show'; readonly show: ShowAction }
  | { readonly kind: 'run'; readonly argv: readonly string[]; readonly effect: Effect; readonly node?: string }
  | { readonly kind: 'decide'; readonly branches: readonly Branch[]; readonly else: StepTarget }
  | { readonly kind: 'ask'; readonly variable: string; readonly question: AskedValue }
  | { readonly kind: 'manual'; readonly commands: readonly string[] }
  | {
      readonly kind: 'wait';
      readonly until: Condition;
      readonly everyMilliseconds: number;
      readonly limitMilliseconds: number;
      readonly timeout?: StepTarget;
    }
  | {
      readonly kind: 'change';
      readonly change: ChangeAction;
      readonly effect: Effect;
      readonly verify: Verification;
      readonly undo: Undo;
      readonly fail?: StepTarget;
    }
  | { readonly kind: 'include'; readonly playbook: string; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'note' }
  | { readonly kind: 'escalate'; readonly escalation: Escalation };

export type StepKind = StepAction['kind'];
export const STEP_KINDS = [
  'diagnose',
  'check',
  'show',
  'run',
  'decide',
  'ask',
  'manual',
  'wait',
  'change',
  'include',
  'note',
  'escalate',
] as const satisfies readonly StepKind[];

/** The first branch whose condition holds is taken. */
export interface Branch {
  readonly when: Condition;
  readonly goto: StepTarget;
}

/** A read, through the port of all clusters. Objects are templates of `Kind/name` or `Kind/namespace/name`. */
export type ShowAction =
  | { readonly show: 'get' | 'describe' | 'events'; readonly object: string }
  | { readonly show: 'list'; readonly of: string; readonly namespace?: string; readonly selector?: string }
  | { readonly show: 'logs'; readonly object: string; readonly container?: string; readonly previous: boolean; readonly tail: number };

export interface AskedValue {
  readonly type: ParamType;
  readonly default?: string;
  readonly pattern?: string;
  readonly oneOf?: readonly Scalar[];
  readonly secret: boolean;
}

/** How a change is proved: until when, looking how often, giving up after how long. */
export interface Verification {
  readonly until: Condition;
  readonly everyMilliseconds: number;
  readonly limitMilliseconds: number;
}

/** How to go back: put what was there before back, do another change, or a reason why it cannot be undone. */
export type Undo =
  | { readonly undo: 'restore' }
  | { readonly undo: 'change'; readonly change: ChangeAction }
  | { readonly undo: 'none'; readonly why: string };

/** Variables every run has, as far as they are known: what is asked about, and what the last diagnosis said. */
export const GIVEN_VARIABLES = {
  target: 'what is asked about, as Kind/namespace/name',
  kind: 'its kind',
  name: 'its name',
  namespace: 'its namespace',
  workload: 'the workload, as Kind/name',
  pod: 'a pod of it, an unhealthy one if possible',
  container: 'the container named by the alert or the cause',
  node: 'the node of that pod, or the node asked about',
  outcome: 'of the last diagnosis: healthy, explained, unexplained or inconclusive',
  cause: 'rule of the cause that was named last',
  fix: 'the command that its fix begins with; empty where that is not one command',
  object: 'the object that was at fault, as Kind/namespace/name',
  objectKind: 'its kind',
  objectName: 'its name',
} as const satisfies Readonly<Record<string, string>>;
