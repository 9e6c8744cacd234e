import type { Branch, PlaybookStep, StepAction, StepTarget } from '../model/playbook.ts';
import { isUnread } from '../model/fact.ts';
import type { Condition } from '../model/playbook-condition.ts';
import type { Diagnosis } from '../model/diagnosis.ts';
import { formatRef } from '../model/kube-object.ts';
import { resourceOfKind } from '../model/resources.ts';
import type { Answer } from './evaluate.ts';
import { evaluate } from './evaluate.ts';
import type { Running, StepOutcome } from './running.ts';
import { lookAgain } from './running.ts';
import { missing, objectOf } from './variables.ts';

type Action<K extends StepAction['kind']> = Extract<StepAction, { readonly kind: K }>;

export async function performDiagnose(step: PlaybookStep, action: Action<'diagnose'>, running: Running): Promise<StepOutcome> {
  if (running.state.withheld !== undefined) return withheld(running, action.branches.length > 0 || action.else !== undefined);
  const diagnosis = await diagnosisFor(action.object, running);
  if (typeof diagnosis === 'string') return { result: 'not-evaluated', words: diagnosis };
  const words = diagnosisWords(diagnosis);
  const result = diagnosis.outcome === 'healthy' ? 'passed' : diagnosis.outcome === 'inconclusive' ? 'unknown' : 'done';
  const chosen = choose(action.branches, running, diagnosis);
  if (action.branches.length === 0 && action.else === undefined) return { result, words };
  const next = chosen?.goto ?? action.else ?? step.next;
  return { result, words, ...(next === undefined ? {} : { next }), ...(chosen === undefined ? {} : { bound: chosen.bound }) };
}

async function diagnosisFor(object: string | undefined, running: Running): Promise<Diagnosis | string> {
  if (object === undefined) return (await lookAgain(running)).diagnosis;
  const lacking = missing(object, running.state.variables);
  if (lacking.length > 0) return `${lacking.join(', ')} has no value`;
  const ref = objectOf(object, running.state.variables, (kind) => resourceOfKind(kind)?.namespaced ?? true);
  return ref === undefined ? `${object} is not a valid object reference` : (await running.looker.look(ref)).diagnosis;
}

/** `Deployment/shop/web: explained, volumes/configmap-not-found (…)`. */
export function diagnosisWords({ target, outcome, state, causes: [cause], gaps }: Diagnosis): string {
  if (cause !== undefined) return `${formatRef(target)}: ${cause.what} (${cause.rule})`;
  const needs = [...new Set(gaps.flatMap((gap) => (isUnread(gap) && gap.needs !== undefined ? [gap.needs] : [])))];
  if (outcome !== 'inconclusive' || needs.length === 0) return `${formatRef(target)}: ${outcome}`;
  return `${formatRef(target)}: ${outcome}${state === 'healthy' ? ', looks healthy' : ''}; needs: ${needs.slice(0, NEEDS).join('; ')}`;
}

/** Missing permissions that one line names. */
const NEEDS = 3;

export async function performCheck(action: Action<'check'>, running: Running): Promise<StepOutcome> {
  if (running.state.withheld !== undefined && restsOnSight(action.condition))
    return withheld(
      running,
      [action.pass, action.fail, action.unknown].some((target) => target !== undefined),
    );
  const { is, why, bindings } = await answerTo(action.condition, running);
  const next = is === 'true' ? action.pass : is === 'false' ? action.fail : action.unknown;
  return {
    result: is === 'true' ? 'passed' : is === 'false' ? 'failed' : 'unknown',
    words: why,
    bound: is === 'true' ? bindings : {},
    ...(next === undefined ? {} : { next }),
  };
}

export async function performDecide(action: Action<'decide'>, running: Running): Promise<StepOutcome> {
  if (running.state.withheld !== undefined && action.branches.some(({ when }) => restsOnSight(when))) return withheld(running, true);
  if (action.branches.some(({ when }) => restsOnSight(when)) && running.state.sight === undefined) await lookAgain(running);
  const chosen = choose(action.branches, running);
  if (chosen !== undefined) return { result: 'done', words: `${chosen.why}; next: ${chosen.goto}`, next: chosen.goto, bound: chosen.bound };
  const unsure = action.branches.map(({ when }) => ask(when, running)).find(({ is }) => is === 'unknown');
  return {
    result: 'done',
    words: `${unsure === undefined ? 'no condition matched' : `not known (${unsure.why})`}; next: ${action.else}`,
    next: action.else,
  };
}

export async function performWait(action: Action<'wait'>, running: Running, say: (words: string) => void): Promise<StepOutcome> {
  if (running.state.withheld !== undefined && restsOnSight(action.until)) return withheld(running, action.timeout !== undefined);
  const { byHand } = running.state;
  // Nobody did the manual step of a simulation: it is enough to see whether time alone heals it.
  const looks = byHand === undefined ? action : { ...action, everyMilliseconds: action.limitMilliseconds };
  const { is, why, bindings } = await waitFor(action.until, looks, running, say);
  if (is === 'true') return { result: 'passed', words: why, bound: bindings };
  if (running.ports.signal.aborted)
    return { result: 'unknown', words: `interrupted: ${why}`, stop: { status: 'interrupted', why: 'interrupted' } };
  if (byHand !== undefined) return leftByHand(byHand, why);
  const words = `not within ${Math.round(action.limitMilliseconds / 1000)} s: ${why}`;
  return { result: is === 'unknown' ? 'unknown' : 'failed', words, ...(action.timeout === undefined ? {} : { next: action.timeout }) };
}

/** A simulated run ends where it waits for what only a person could do: nobody is called for that. */
function leftByHand({ step, say }: NonNullable<Running['state']['byHand']>, why: string): StepOutcome {
  return {
    result: 'failed',
    words: why,
    stop: { status: 'completed', why: `The manual step ${step} is needed: ${say.replace(/\.$/, '')}` },
  };
}

/** Looks again and again until the condition holds, the limit is reached or somebody stops it. At least one look is taken. */
export async function waitFor(
  condition: Condition,
  { everyMilliseconds, limitMilliseconds }: { readonly everyMilliseconds: number; readonly limitMilliseconds: number },
  running: Running,
  say: (words: string) => void,
): Promise<Answer> {
  const { ports } = running;
  const end = ports.elapsed() + limitMilliseconds;
  for (;;) {
    const answer = await answerTo(condition, running);
    if (answer.is === 'true' || ports.isStill === true || ports.signal.aborted || ports.elapsed() + everyMilliseconds > end) return answer;
    say(answer.why);
    await ports.pause(everyMilliseconds);
  }
}

/** The answer to a condition after a fresh look. */
export async function answerTo(condition: Condition, running: Running): Promise<Answer> {
  if (restsOnSight(condition)) await lookAgain(running);
  return ask(condition, running);
}

function ask(condition: Condition, { state }: Running, diagnosis = state.sight?.diagnosis): Answer {
  const evidence = state.sight?.evidence ?? { at: 0, facts: [], gaps: [], targets: [] };
  return evaluate(condition, { evidence, diagnosis, variables: state.variables, results: state.results });
}

function choose(
  branches: readonly Branch[],
  running: Running,
  diagnosis?: Diagnosis,
): { readonly goto: StepTarget; readonly why: string; readonly bound: Answer['bindings'] } | undefined {
  for (const { when, goto } of branches) {
    const { is, why, bindings } = ask(when, running, diagnosis);
    if (is === 'true') return { goto, why, bound: bindings };
  }
  return undefined;
}

/** Whether a condition is about the cluster, and not only about the run itself. */
export function restsOnSight(condition: Condition): boolean {
  if (condition.test === 'not') return restsOnSight(condition.condition);
  return condition.test === 'facts' || condition.test === 'outcome' || condition.test === 'cause' || condition.test === 'stage';
}

/** What depends on a change that was not done has no answer; where it decides the way, the way ends here. */
function withheld({ state }: Running, decides: boolean): StepOutcome {
  const words = `depends on ${state.withheld ?? ''}, which was not done`;
  return {
    result: 'not-evaluated',
    words,
    ...(decides ? { stop: { status: 'completed' as const, why: `${words}: next step unknown` } } : {}),
  };
}
