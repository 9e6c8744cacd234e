import type { WriteRequest } from './cluster-changer.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Scalar } from './fact.ts';
import type { StepResult } from './playbook-condition.ts';

export type RunMode = 'run' | 'dry-run' | 'simulate' | 'auto-read';
/** How the run itself went; whether it helped is its result. */
export type RunStatus = 'completed' | 'failed' | 'aborted' | 'interrupted';
export type RunResult = 'fixed' | 'not fixed' | 'unknown';

/** What is written down, in the order in which it happens. Values of secrets are never in it. */
export type JournalEntry =
  | {
      readonly type: 'run';
      readonly run: string;
      readonly playbook: string;
      /** How the playbook was named: its name or its file. */
      readonly word: string;
      /** Of the playbook and all it includes. */
      readonly digest: string;
      readonly copy: Json;
      /** Values at the start; those of secrets are masked. */
      readonly params: Readonly<Record<string, Scalar>>;
      /** Names of those that were given on the command line, and not taken from a cause, a default or a person. */
      readonly given: readonly string[];
      readonly target: string;
      /** What an alert said besides. */
      readonly known: Readonly<Record<string, Scalar>>;
      readonly mode: RunMode;
      readonly who: string;
      readonly context: string;
      readonly versions: Readonly<Record<string, string>>;
      readonly alerts: readonly string[];
    }
  | { readonly type: 'resumed'; readonly who: string; readonly step: string; readonly note: string }
  /** `variables`: what the look told; it is no longer to be seen once it is mended. */
  | {
      readonly type: 'before';
      readonly outcome: string;
      readonly cause: string;
      readonly words: string;
      readonly variables: Readonly<Record<string, Scalar>>;
    }
  | { readonly type: 'precondition'; readonly say: string; readonly is: string; readonly why: string }
  | { readonly type: 'step'; readonly step: string; readonly kind: string; readonly say: string }
  | {
      readonly type: 'output';
      readonly step: string;
      readonly of: string;
      readonly text: string;
      readonly digest: string;
      readonly cut: boolean;
    }
  | { readonly type: 'decision'; readonly step: string; readonly by: string; readonly question: string; readonly answer: string }
  | {
      readonly type: 'change';
      readonly step: string;
      readonly command: string;
      readonly objects: readonly string[];
      readonly diff: readonly string[];
    }
  /** Before a write is sent; `uid` is of the object as it was before. A run that was killed finds out by it whether it was carried out. */
  | {
      readonly type: 'writing';
      readonly step: string;
      readonly object: string;
      readonly uid: string;
      readonly request: WriteRequest | null;
      readonly undo: readonly WriteRequest[] | null;
      readonly made: JsonObject | null;
      readonly why: string;
    }
  /** `made`: what became different by it, as a merge patch; it may be undone while that still holds. */
  | {
      readonly type: 'changed';
      readonly step: string;
      readonly object: string;
      readonly uid: string;
      readonly undo: readonly WriteRequest[] | null;
      readonly back: Json;
      readonly made: JsonObject | null;
      readonly why: string;
    }
  | { readonly type: 'undone'; readonly step: string; readonly object: string; readonly ok: boolean; readonly words: string }
  | {
      readonly type: 'done';
      readonly step: string;
      readonly result: StepResult;
      readonly words: string;
      readonly next: string;
      readonly bound: Readonly<Record<string, Scalar>>;
      readonly milliseconds: number;
    }
  | {
      readonly type: 'end';
      readonly status: RunStatus;
      readonly result: RunResult;
      readonly outcome: string;
      readonly cause: string;
      readonly words: string;
      readonly escalated: JsonObject | null;
    };

/** Where a run is written down. Throws when it cannot be: then nothing more is done. */
export interface JournalPort {
  append(entry: JournalEntry): void;
}

/** An entry as it stands in the file: with its place, its time, and the digest of itself and all before it. */
export interface JournalRecord {
  readonly seq: number;
  /** RFC 3339, to the millisecond. */
  readonly at: string;
  readonly entry: JournalEntry;
  readonly hash: string;
}
