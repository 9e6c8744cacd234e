import type { JsonObject } from '../base/json.ts';
import type { WriteRequest } from '../model/cluster-changer.ts';
import type { Evidence } from '../model/diagnosis.ts';
import type { Scalar } from '../model/fact.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import type { PlaybookParam, StepTarget } from '../model/playbook.ts';
import type { ChangeAction } from '../model/playbook-change.ts';
import type { StepResult } from '../model/playbook-condition.ts';
import type { Rule } from '../model/rule.ts';
import { withClusterFlags } from '../report/format/kubectl-words.ts';
import { fill } from '../model/placeholders.ts';
import type { FlatPlaybook } from './flatten.ts';
import type { JournalEntry, JournalPort, RunMode, RunStatus } from '../model/journal.ts';
import type { Looker, Sight } from './look-at-target.ts';
import type { RunPorts } from './ports.ts';
import { keptOutput, withoutSecrets } from './redact.ts';
import { variablesOfDiagnosis } from './variables.ts';

/** A run under way: what it is, and what it has come to. */
export interface Running {
  readonly playbook: FlatPlaybook;
  readonly target: ObjectRef;
  readonly rules: readonly Rule[];
  readonly mode: RunMode;
  readonly ports: RunPorts;
  readonly journal: JournalPort;
  readonly looker: Looker;
  /** By `ports.elapsed`. */
  readonly start: number;
  /** Values given on the command line: for parameters, and for what is asked. */
  readonly given: Readonly<Record<string, Scalar>>;
  readonly state: RunState;
}

export interface RunState {
  variables: Record<string, Scalar>;
  readonly results: Map<string, StepResult>;
  readonly secrets: Set<string>;
  /** Objects that changes have touched. */
  readonly touched: Set<string>;
  readonly changes: DoneChange[];
  /** Steps whose rights are missing and that somebody wanted to go on without. */
  readonly barred: Set<string>;
  /** A change was not done: what depends on it cannot be evaluated. */
  withheld: string | undefined;
  /** The target was being deleted when the run began: what cures that is that it is gone. */
  wasDeleting: boolean;
  /** Why what is tried in a simulated clone tells nothing of its original. */
  unlike: string | undefined;
  /** The first step of a simulated run that only a person could do: it was left undone, and the run went on without it. */
  byHand: { readonly step: string; readonly say: string } | undefined;
  sight: Sight | undefined;
  /** The step a resumed run continues with, and the write of it of which nobody knows whether it was carried out. */
  begun: { readonly step: string; readonly write: PendingWrite | undefined } | undefined;
}

/** A write that was about to be sent when the run was killed. */
export type PendingWrite = Extract<JournalEntry, { readonly type: 'writing' }>;

/** A change that was done, and how to go back. */
export interface DoneChange {
  readonly step: string;
  readonly object: string;
  /** A change that goes back, for all writes of the step. */
  readonly back: ChangeAction | undefined;
  /** Writes that put back what was there; undefined where there are none, with `why`. */
  readonly writes: readonly WriteRequest[] | undefined;
  /** What became different, as a merge patch; undefined where that is not known or not kept. */
  readonly made: JsonObject | undefined;
  readonly why: string;
}

/** What a step came to. `stop` ends the run. */
export interface StepOutcome {
  readonly result: StepResult;
  readonly words: string;
  /** Shown below it, one a line, as they are: what was read, commands to copy. */
  readonly lines?: readonly string[];
  /** Where it goes on; where the step says otherwise. */
  readonly next?: StepTarget;
  readonly bound?: Readonly<Record<string, Scalar>>;
  readonly stop?: {
    readonly status: RunStatus;
    readonly why: string;
    readonly escalated?: { readonly step: string; readonly say: string; readonly to: string };
  };
}

/** A fresh look at the target; what it tells is known from then on. */
export async function lookAgain(running: Running): Promise<Sight> {
  const sight = await running.looker.look(running.target);
  running.state.sight = sight;
  learn(running, sight);
  return sight;
}

/** Takes over what the diagnosis says: given variables, and parameters that come from the cause. */
function learn(
  { state, playbook, given }: Running,
  { diagnosis, evidence }: { readonly diagnosis: Sight['diagnosis']; readonly evidence: Evidence },
): void {
  for (const [name, value] of Object.entries(variablesOfDiagnosis(diagnosis, evidence))) {
    // What was at fault is still known once it is mended: those who write it up need its name.
    if (value !== undefined) state.variables[name] = value;
  }
  const params: readonly PlaybookParam[] = [...playbook.params, ...[...playbook.included.values()].flat()];
  for (const { name, cause } of params) {
    const value = cause === undefined ? undefined : diagnosis.causes[0]?.params[cause];
    if (value !== undefined && !Object.hasOwn(given, name)) state.variables[name] = value;
  }
}

/** Words with the run's variables filled in, without secrets. */
export function inWords({ state }: Running, template: string): string {
  return withoutSecrets(fill(template, state.variables), state.secrets);
}

/** A command for a person to copy: it leads to the cluster of the run, and holds no secret. */
export function commandOfPerson(command: string, { ports: { flags }, state }: Running): string {
  return withoutSecrets(flags === undefined ? command : withClusterFlags(command, flags), state.secrets);
}

/** Writes down what a step read or printed. */
export function keepOutput({ journal, state }: Running, step: string, of: string, text: string): void {
  journal.append({ type: 'output', step, of: withoutSecrets(of, state.secrets), ...keptOutput(text, state.secrets) });
}

export function decided({ journal, ports, state }: Running, step: string, question: string, answer: string): void {
  journal.append({
    type: 'decision',
    step,
    by: ports.prompt.who,
    question: withoutSecrets(question, state.secrets),
    answer: withoutSecrets(answer, state.secrets),
  });
}

/** Variables as they may be written down: one with the value of a secret is left out, and asked for again when the run is resumed. */
export function withoutSecretValues(variables: Readonly<Record<string, Scalar>>, { state }: Running): Readonly<Record<string, Scalar>> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => !state.secrets.has(String(value))));
}
