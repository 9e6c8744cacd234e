import type { Scalar } from '../model/fact.ts';
import type { StepTarget } from '../model/playbook.ts';
import { END } from '../model/playbook.ts';
import type { ChangeAction } from '../model/playbook-change.ts';
import type { StepResult } from '../model/playbook-condition.ts';
import type { JournalEntry, JournalRecord } from '../model/journal.ts';
import { performAsk } from './perform-person.ts';
import type { DoneChange, Running } from './running.ts';

/** How far a run had come, by its journal. */
export interface Progress {
  readonly head: Extract<JournalEntry, { readonly type: 'run' }>;
  /** The step to go on with. */
  readonly at: StepTarget;
  readonly variables: Readonly<Record<string, Scalar>>;
  readonly results: ReadonlyMap<string, StepResult>;
  readonly changes: readonly DoneChange[];
  /** A change had been confirmed in the step to go on with: it may have been done already. */
  readonly begun: boolean;
  /** The run had come to its end, and nothing is left to go on with. */
  readonly over: boolean;
}

/** Reads from a journal how far its run had come; undefined when not even its beginning was written. */
export function progressOf(records: readonly JournalRecord[], first: StepTarget): Progress | undefined {
  const [head] = records;
  if (head?.entry.type !== 'run') return undefined;
  let [at, begun, over] = [first, false, false];
  const variables: Record<string, Scalar> = {};
  const results = new Map<string, StepResult>();
  const changes: DoneChange[] = [];
  for (const { entry } of records) {
    switch (entry.type) {
      case 'step':
        [at, begun] = [entry.step, false];
        break;
      case 'change':
        begun = true;
        break;
      case 'changed':
        changes.push({ step: entry.step, object: entry.object, back: (entry.back ?? undefined) as ChangeAction | undefined, writes: entry.undo ?? undefined, why: entry.why });
        break;
      case 'undone': {
        const index = changes.findLastIndex((change) => change.step === entry.step && change.object === entry.object);
        if (entry.ok && index >= 0) changes.splice(index, 1);
        break;
      }
      case 'done':
        Object.assign(variables, entry.bound);
        if (entry.next === entry.step) break;
        results.set(entry.step, entry.result);
        [at, begun] = [entry.next, false];
        break;
      case 'end':
        over = entry.status === 'completed';
        break;
      case 'run':
      case 'resumed':
      case 'before':
      case 'precondition':
      case 'output':
      case 'decision':
        break;
    }
  }
  return { head: head.entry, at, variables, results, changes, begun, over: over || at === END };
}

/** Gives a new run what the one before had come to. */
export function takeOver({ state }: Running, progress: Progress): void {
  Object.assign(state.variables, progress.variables);
  for (const [step, result] of progress.results) state.results.set(step, result);
  for (const change of progress.changes) {
    state.touched.add(change.object);
    state.changes.push(change);
  }
  if (progress.begun) state.begun = progress.at;
}

/** Asks once more for the secrets that steps before had asked for: they were not written down. */
export async function askAgain(running: Running): Promise<void> {
  const { playbook, state } = running;
  for (const step of playbook.steps) {
    const { action } = step;
    if (action.kind !== 'ask' || !action.question.secret || state.results.get(step.id) !== 'done' || state.variables[action.variable] !== undefined) continue;
    const { bound } = await performAsk(step, action, running);
    Object.assign(state.variables, bound ?? {});
  }
}
