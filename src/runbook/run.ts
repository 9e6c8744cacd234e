import { PodcheckError } from '../base/errors.ts';
import type { Diagnosis } from '../model/diagnosis.ts';
import { formatRef } from '../model/kube-object.ts';
import type { PlaybookStep, StepTarget } from '../model/playbook.ts';
import { END } from '../model/playbook.ts';
import { fill } from '../model/placeholders.ts';
import type { RunResult, RunStatus } from '../model/journal.ts';
import { performChange } from './perform-change.ts';
import { answerTo, diagnosisWords, performCheck, performDecide, performDiagnose, performWait } from './perform-look.ts';
import { performAsk, performEscalate, performManual } from './perform-person.ts';
import { performRun } from './perform-run.ts';
import { performShow } from './perform-show.ts';
import { withoutSecrets } from './redact.ts';
import type { Running, StepOutcome } from './running.ts';
import { inWords, lookAgain, withoutSecretValues } from './running.ts';
import { offerUndo } from './undo.ts';
import type { Variables } from './variables.ts';

/** What came of a run: how it went, and whether it helped. */
export interface RunEnd {
  readonly status: RunStatus;
  readonly result: RunResult;
  readonly diagnosis: Diagnosis | undefined;
  readonly words: string;
  readonly escalated?: { readonly step: string; readonly say: string; readonly to: string };
}

type Stop = NonNullable<StepOutcome['stop']>;

/** Goes through the steps from the first, or from the one an interrupted run had come to, to its end. */
export async function runSteps(running: Running, from: StepTarget): Promise<RunEnd> {
  const stop = interruptedStop(unlikeStop(running) ?? (await preconditionStop(running)) ?? (await walk(running, from)), running);
  if (stop.status !== 'completed' && running.state.changes.length > 0 && running.mode === 'run') await recoveredUndo(running);
  return finish(running, stop);
}

/** Goes on with an undo in which a run was interrupted: its steps are not gone on with. */
export async function continueUndo(running: Running): Promise<RunEnd> {
  await recoveredUndo(running);
  return finish(running, { status: 'aborted', why: 'its changes were being undone' });
}

async function recoveredUndo(running: Running): Promise<void> {
  try {
    await running.ports.recover?.();
  } catch (error) {
    if (!(error instanceof PodcheckError)) throw error;
    running.ports.view.lines([`the cluster cannot be reached to undo anything: ${error.message}`]);
  }
  await offerUndo(running);
}

/** Whoever stops by Ctrl-C at a question has interrupted the run. */
function interruptedStop(stop: Stop, { ports }: Running): Stop {
  return ports.signal.aborted && stop.status !== 'completed' ? { ...stop, status: 'interrupted' } : stop;
}

function unlikeStop({ state: { unlike } }: Running): Stop | undefined {
  return unlike === undefined ? undefined : { status: 'aborted', why: unlike };
}

async function preconditionStop(running: Running): Promise<Stop | undefined> {
  for (const { say, when } of running.playbook.preconditions) {
    const { is, why } = await answerTo(when, running);
    if (running.ports.signal.aborted) return { status: 'interrupted', why: 'interrupted before the first step' };
    const words = inWords(running, say);
    running.journal.append({ type: 'precondition', say: words, is, why: withoutSecrets(why, running.state.secrets) });
    if (is === 'true') continue;
    if (is === 'false') return { status: 'aborted', why: `precondition is false: ${words} (${why})` };
    const answer = await running.ports.prompt.confirm({ question: 'This precondition is unknown. Continue anyway?', lines: [words, why] });
    if (answer !== 'yes') return { status: 'aborted', why: `precondition is unknown: ${words} (${why})` };
  }
  return undefined;
}

async function walk(running: Running, from: StepTarget): Promise<Stop> {
  const { steps } = running.playbook;
  let at = from;
  // No way leads in circles, so every step is taken once at most.
  for (let left = steps.length; at !== END && left > 0; left--) {
    if (running.ports.signal.aborted) return { status: 'interrupted', why: `interrupted before step ${at}` };
    const index = steps.findIndex(({ id }) => id === at);
    const step = steps[index];
    if (step === undefined) break;
    const outcome = await takeStep(step, steps[index + 1]?.id ?? END, running);
    if (outcome.stop !== undefined) return outcome.stop;
    at = outcome.next;
  }
  return { status: 'completed', why: '' };
}

async function takeStep(step: PlaybookStep, following: StepTarget, running: Running): Promise<StepOutcome & { readonly next: StepTarget }> {
  const { journal, ports, state } = running;
  const say = inWords(running, step.say);
  journal.append({ type: 'step', step: step.id, kind: step.action.kind, say });
  const [began, before] = [ports.elapsed(), { ...state.variables }];
  const outcome = withoutInterrupted(step, await performed(step, say, running), running);
  const milliseconds = Math.round(ports.elapsed() - began);
  Object.assign(state.variables, outcome.bound ?? {});
  state.results.set(step.id, outcome.result);
  const next = outcome.stop === undefined ? (outcome.next ?? step.next ?? following) : END;
  const words = withoutSecrets(outcome.words, state.secrets);
  journal.append({
    type: 'done',
    step: step.id,
    result: outcome.result,
    words,
    next: outcome.stop === undefined ? next : step.id,
    bound: withoutSecretValues(changedVariables(before, state.variables), running),
    milliseconds,
  });
  ports.view.ended({
    step: step.id,
    title: say,
    result: outcome.result,
    words,
    lines: [...(outcome.lines ?? []), ...lateLines(step, running)],
    milliseconds,
  });
  return { ...outcome, next };
}

function lateLines({ withinMilliseconds }: PlaybookStep, { ports, start }: Running): readonly string[] {
  const late = withinMilliseconds === undefined ? 0 : ports.elapsed() - start - withinMilliseconds;
  return late > 0 ? [`${Math.round(late / 1000)} s later than its time limit`] : [];
}

/**
 * What was interrupted meanwhile and rests on reads or answers has no result of its own: a run that is resumed takes the step once more.
 */
function withoutInterrupted({ action }: PlaybookStep, outcome: StepOutcome, { ports }: Running): StepOutcome {
  const stands =
    action.kind === 'note' ||
    action.kind === 'include' ||
    action.kind === 'run' ||
    (action.kind === 'change' && outcome.result === 'passed');
  if (!ports.signal.aborted || stands || outcome.stop !== undefined) return outcome;
  return {
    result: 'unknown',
    words: `interrupted: ${outcome.words}`,
    stop: { status: 'interrupted', why: 'interrupted' },
  };
}

async function performed(step: PlaybookStep, say: string, running: Running): Promise<StepOutcome> {
  const { action } = step;
  const { view } = running.ports;
  switch (action.kind) {
    case 'diagnose':
      return view.during(say, () => performDiagnose(step, action, running));
    case 'check':
      return view.during(say, () => performCheck(action, running));
    case 'show':
      return view.during(say, () => performShow(step, action, running));
    case 'decide':
      return performDecide(action, running);
    case 'wait':
      return view.during(say, (tell) => performWait(action, running, tell));
    case 'run':
      return performRun(step, action, running);
    case 'ask':
      return performAsk(step, action, running);
    case 'manual':
      return performManual(step, action, running);
    case 'change':
      return performChange(step, action, running);
    case 'include':
      return performInclude(step, action.params, running);
    case 'note':
      return { result: 'done', words: say };
    case 'escalate':
      return performEscalate(step, action.escalation, running);
  }
}

/** Gives the included playbook its parameters; its steps come next. */
function performInclude(step: PlaybookStep, params: Readonly<Record<string, string>>, { state, playbook }: Running): StepOutcome {
  const own = playbook.included.get(step.id) ?? [];
  const bound = Object.fromEntries(
    own.flatMap(({ name, default: fallback }) => {
      const template = params[name];
      if (template !== undefined) return [[name, fill(template, state.variables)] as const];
      return fallback === undefined || state.variables[name] !== undefined ? [] : [[name, fallback] as const];
    }),
  );
  return { result: 'done', words: 'its steps are next', bound };
}

/** What a step has bound, and what its looks have told. */
function changedVariables(before: Variables, now: Variables): Variables {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => before[name] !== value));
}

async function finish(running: Running, { status, why, escalated }: Stop): Promise<RunEnd> {
  const { journal, state } = running;
  const diagnosis = state.unlike === undefined ? await lastLook(running) : '';
  const isDeleted = await isDeletedNow(running, diagnosis);
  const result = isDeleted ? 'fixed' : resultOf(running, diagnosis);
  const found = isDeleted
    ? `${formatRef(running.target)} is deleted`
    : typeof diagnosis === 'string'
      ? diagnosis
      : diagnosisWords(diagnosis);
  const words = withoutSecrets([why, found].filter((part) => part !== '').join('. '), state.secrets);
  const known = typeof diagnosis === 'string' ? undefined : diagnosis;
  journal.append({
    type: 'end',
    status,
    result,
    outcome: known?.outcome ?? '',
    cause: known?.causes[0]?.rule ?? '',
    words,
    escalated: escalated ?? null,
  });
  return { status, result, diagnosis: known, words, ...(escalated === undefined ? {} : { escalated }) };
}

/** Of a target that was stuck in its deletion: nothing is left that could be healthy. */
async function isDeletedNow({ state, ports, target }: Running, diagnosis: Diagnosis | string): Promise<boolean> {
  if (!state.wasDeleting || state.withheld !== undefined || typeof diagnosis === 'string' || diagnosis.outcome !== 'inconclusive')
    return false;
  const read = await ports.reader.get(target);
  return !read.ok && read.why === 'absent';
}

async function lastLook(running: Running): Promise<Diagnosis | string> {
  return running.ports.signal.aborted ? 'not checked after the interruption' : (await lookAgain(running)).diagnosis;
}

/** By the last diagnosis alone; where changes were withheld (a dry run) nothing can be said of whether they would have helped. */
function resultOf({ state }: Running, diagnosis: Diagnosis | string): RunResult {
  if (typeof diagnosis === 'string' || state.withheld !== undefined) return 'unknown';
  if (diagnosis.outcome === 'healthy') return 'fixed';
  return diagnosis.outcome === 'inconclusive' ? 'unknown' : 'not fixed';
}
