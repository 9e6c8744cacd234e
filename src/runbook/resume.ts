import { MASK } from '../base/mask/masked.ts';
import type { Scalar } from '../model/fact.ts';
import type { StepTarget } from '../model/playbook.ts';
import { GIVEN_VARIABLES } from '../model/playbook.ts';
import type { ChangeAction } from '../model/playbook-change.ts';
import type { StepResult } from '../model/playbook-condition.ts';
import type { JournalEntry, JournalRecord } from '../model/journal.ts';
import { performAsk } from './perform-person.ts';
import { UNDO_QUESTION } from './undo.ts';
import type { DoneChange, PendingWrite, Running } from './running.ts';

/** How far a run had come, by its journal. */
export interface Progress {
  readonly head: Extract<JournalEntry, { readonly type: 'run' }>;
  /** The step to go on with. */
  readonly at: StepTarget;
  readonly variables: Readonly<Record<string, Scalar>>;
  readonly results: ReadonlyMap<string, StepResult>;
  readonly changes: readonly DoneChange[];
  /** A change had been shown in the step to go on with: its writes may have been carried out already. */
  readonly begun: boolean;
  /** The write that was about to be sent, if nothing says what came of it. */
  readonly pending: PendingWrite | undefined;
  /** Somebody had decided to undo its changes; those that are left are in `changes`. */
  readonly undoing: boolean;
  /** The run had come to its end and wrote that down; without its end record it still has to look what it came to. */
  readonly over: boolean;
  /** How the target was before the first step. */
  readonly atStart: AtStart | undefined;
}

/** What was wrong with the target when its run began. */
export type AtStart = Pick<Extract<JournalEntry, { readonly type: 'before' }>, 'outcome' | 'cause'>;

/** Reads from a journal how far its run had come; undefined when not even its beginning was written. */
export function progressOf(records: readonly JournalRecord[], first: StepTarget): Progress | undefined {
  const [head] = records;
  if (head?.entry.type !== 'run') return undefined;
  let [at, begun, undoing, over] = [first, false, false, false];
  let pending: PendingWrite | undefined;
  let atStart: AtStart | undefined;
  const variables: Record<string, Scalar> = {};
  const results = new Map<string, StepResult>();
  const changes: DoneChange[] = [];
  for (const { entry } of records) {
    switch (entry.type) {
      case 'step':
        // A run that is continued takes the step it was killed in once more: what was begun in it still is.
        if (entry.step !== at) [begun, pending] = [false, undefined];
        at = entry.step;
        break;
      case 'change':
        begun = true;
        break;
      case 'writing':
        pending = entry;
        break;
      case 'changed':
        pending = undefined;
        changes.push({
          step: entry.step,
          object: entry.object,
          back: (entry.back ?? undefined) as ChangeAction | undefined,
          writes: entry.undo ?? undefined,
          made: entry.made ?? undefined,
          why: entry.why,
        });
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
        [at, begun, pending] = [entry.next, false, undefined];
        break;
      case 'end':
        over = entry.status === 'completed';
        break;
      case 'before':
        Object.assign(variables, entry.variables);
        atStart ??= entry;
        break;
      case 'run':
      case 'resumed':
      case 'precondition':
      case 'output':
        break;
      case 'decision':
        if (entry.question === UNDO_QUESTION) undoing = entry.answer === 'yes';
        break;
    }
  }
  return { head: head.entry, at, variables, results, changes, begun, pending, undoing, over, atStart };
}

/** Gives a new run what the one before had come to. What the present look tells of the target is newer than what was written down. */
export function takeOver({ state, given }: Running, progress: Progress): void {
  const { params } = progress.head;
  for (const [name, value] of Object.entries({ ...params, ...progress.variables })) {
    if (value === MASK || Object.hasOwn(given, name) || (Object.hasOwn(GIVEN_VARIABLES, name) && state.variables[name] !== undefined))
      continue;
    state.variables[name] = value;
  }
  for (const [step, result] of progress.results) state.results.set(step, result);
  for (const change of progress.changes) {
    state.touched.add(change.object);
    state.changes.push(change);
  }
  if (progress.begun) state.begun = { step: progress.at, write: progress.pending };
}

/** What was given on the command line then, as it would be given now; secrets have to be given again. */
export function givenBefore({ params, given }: Progress['head']): Readonly<Record<string, string>> {
  // A journal of an earlier version does not say which were given.
  return Object.fromEntries(
    (given ?? []).flatMap((name) => (params[name] === undefined || params[name] === MASK ? [] : [[name, String(params[name])] as const])),
  );
}

/** Names of the parameters whose values were secret, and are needed again. */
export function secretsBefore({ params }: Progress['head']): ReadonlySet<string> {
  return new Set(Object.keys(params).filter((name) => params[name] === MASK));
}

/** Asks once more for the secrets that steps before had asked for: they were not written down. */
export async function askAgain(running: Running): Promise<void> {
  const { playbook, state } = running;
  for (const step of playbook.steps) {
    const { action } = step;
    if (
      action.kind !== 'ask' ||
      !action.question.secret ||
      state.results.get(step.id) !== 'done' ||
      state.variables[action.variable] !== undefined
    )
      continue;
    const { bound } = await performAsk(step, action, running);
    Object.assign(state.variables, bound ?? {});
  }
}
