import { append } from '../base/lists.ts';
import type { WriteRequest, Written } from '../model/cluster-changer.ts';
import { printableUpTo } from '../base/text.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { formatRef, parseRef } from '../model/kube-object.ts';
import type { PlaybookStep } from '../model/playbook.ts';
import { fixWords } from '../report/format/fix-words.ts';
import { changeCommand, commandLine } from '../report/format/kubectl-words.ts';
import type { Plan, PlannedWrite } from './change-plan.ts';
import { planChange } from './change-plan.ts';
import type { ChangeStep } from './kept-change.ts';
import { keepChange, keepPending, keepWriting } from './kept-change.ts';
import type { DiffBounds } from './object-diff.ts';
import { boundedDiff, KEPT_DIFF, remakeable, SHOWN_DIFF } from './object-diff.ts';
import { waitFor } from './perform-look.ts';
import type { Confirmation, RunPorts } from './ports.ts';
import { withoutSecrets } from './redact.ts';
import type { PendingWrite, Running, StepOutcome } from './running.ts';
import { commandOfPerson, decided, inWords } from './running.ts';
import type { Sent } from './send-write.ts';
import { heldBack, sendWrite, tryWrite, unchanged } from './send-write.ts';
import type { Carried } from './write-outcome.ts';
import { carriedOut } from './write-outcome.ts';

/**
 * Shows a change, has it confirmed, looks whether all is still as it was, does it and proves it. What cannot be done or does not
 * help goes on at `fail`; without that the run ends as failed.
 */
export async function performChange(step: PlaybookStep, action: ChangeStep, running: Running): Promise<StepOutcome> {
  const { state, ports } = running;
  const before = await settled(step, action, running);
  if (before === 'done') return ports.view.during(inWords(running, step.say), (say) => proved(action, running, say));
  if (before !== 'not-done') return before;
  if (state.barred.has(step.id)) return unable(action, 'the permission is missing', 'not-evaluated');
  const plan = await planChange(action.change, state.variables, ports.reader, ports.clock());
  // Not every cause has one: what stands at `fail` is for a person.
  if (!plan.ok && action.change.change === 'fix') return fixByHand(action, plan.cannot, running);
  if (!plan.ok)
    return state.withheld !== undefined || plan.unresolved
      ? notEvaluated(action, plan.cannot, running, step)
      : unable(action, plan.cannot, 'failed');
  const overCap = capWords(plan.writes, running);
  if (overCap !== undefined) return { result: 'failed', words: overCap, stop: { status: 'failed', why: overCap } };
  const shown = await showChange(step, action, plan, running);
  if (!shown.ok)
    return running.mode === 'dry-run' ? notEvaluated(action, shown.words, running, step) : unable(action, shown.words, 'failed');
  const withheld = await refusedByWord(step, action, shown.confirmation, running);
  if (withheld !== undefined) return withheld;
  return ports.view.during(
    inWords(running, step.say),
    async (say) => (await doWrites(step, action, shown.writes, running, say)) ?? proved(action, running, say),
  );
}

/** The fix of the cause as a diagnosis prints it, for the person who must do it. */
function fixByHand(action: ChangeStep, cannot: string, running: Running): StepOutcome {
  const fix = running.state.sight?.diagnosis.causes[0]?.fix ?? [];
  const words = fix.length === 0 ? cannot : `${cannot}: ${fix.map(fixWords).join(' ')}`;
  const commands = fix.flatMap(({ run }) => (run === undefined ? [] : [commandOfPerson(run, running)]));
  return { ...unable(action, words, 'not-evaluated'), lines: commands };
}

/**
 * What came of a change in which the run was killed: its last write is asked about in the cluster. Where that cannot tell, a person
 * has to; nothing is done a second time on a guess.
 */
async function settled(step: PlaybookStep, action: ChangeStep, running: Running): Promise<'done' | 'not-done' | StepOutcome> {
  const { state, ports } = running;
  const { begun } = state;
  if (begun?.step !== step.id) return 'not-done';
  if (begun.write !== undefined) {
    const { object, uid, request } = begun.write;
    const ref = parseRef(object);
    const carried: Carried =
      ref === undefined
        ? { was: 'unknown', why: `${object} is not a valid object reference` }
        : await carriedOut({ ref, request: request ?? undefined, uid }, ports.reader, ports.changer);
    const was = carried.was === 'unknown' ? await askWhether(begun.write, carried.why, running) : carried.was;
    if (was === 'unknown') {
      const words = `the run was interrupted while it wrote ${object}, and it is unknown whether the change was made: ${carried.was === 'unknown' ? carried.why : ''}`;
      return { result: 'unknown', words, stop: { status: 'failed', why: words } };
    }
    if (was === 'carried-out') keepPending(step, action, begun.write, carried.was === 'carried-out' ? carried.object : undefined, running);
  }
  // Of a drain the pods that are still there are left to be done.
  const isDone = action.change.change !== 'drain' && state.changes.some((change) => change.step === step.id);
  return isDone ? 'done' : 'not-done';
}

async function askWhether(
  { step, object }: PendingWrite,
  why: string,
  running: Running,
): Promise<'carried-out' | 'not-carried-out' | 'unknown'> {
  const question = `Was the change of ${object} made?`;
  const answer = await running.ports.prompt.confirm({
    question,
    lines: [
      `The run was interrupted while it wrote ${object}. The result is unknown: ${why}`,
      'Yes: continue after the change. No: show and confirm it again.',
    ],
  });
  decided(running, step, question, answer);
  return answer === 'yes' ? 'carried-out' : answer === 'no' ? 'not-carried-out' : 'unknown';
}

async function proved(action: ChangeStep, running: Running, say: (words: string) => void): Promise<StepOutcome> {
  say('verifying the change');
  const { is, why, bindings } = await waitFor(action.verify.until, action.verify, running, say);
  if (is === 'true') return { result: 'passed', words: why, bound: bindings };
  if (running.ports.signal.aborted)
    return {
      result: 'unknown',
      words: `done, but interrupted before it was verified: ${why}`,
      stop: { status: 'interrupted', why: 'interrupted' },
    };
  const words = `done, but not verified within ${Math.round(action.verify.limitMilliseconds / 1000)} s: ${why}`;
  return unable(action, words, is === 'unknown' ? 'unknown' : 'failed');
}

/** It was not done, or did not help: on at `fail`, or the end. */
function unable(action: ChangeStep, words: string, result: 'failed' | 'unknown' | 'declined' | 'not-evaluated'): StepOutcome {
  return action.fail === undefined ? { result, words, stop: { status: 'failed', why: words } } : { result, words, next: action.fail };
}

function notEvaluated(action: ChangeStep, why: string, { state, mode }: Running, { id }: PlaybookStep): StepOutcome {
  if (mode !== 'simulate') state.withheld ??= id;
  return mode === 'run' || mode === 'simulate' ? unable(action, why, 'not-evaluated') : { result: 'not-evaluated', words: why };
}

function capWords(writes: readonly PlannedWrite[], { state, playbook }: Running): string | undefined {
  const all = new Set([...state.touched, ...writes.map(({ ref }) => formatRef(ref))]);
  return all.size <= playbook.limits.objects
    ? undefined
    : `the change limit of the playbook is exceeded (limit ${playbook.limits.objects}, needed ${all.size}): ${[...all].slice(0, 8).join(', ')}`;
}

/** A write with what the server says would come of it; undefined where it does not say. */
interface TriedWrite extends PlannedWrite {
  readonly predicted: KubeObject | undefined;
}

type ShownChange =
  | { readonly ok: true; readonly confirmation: Confirmation; readonly writes: readonly TriedWrite[] }
  | { readonly ok: false; readonly words: string };

/** The command, the objects and what would become different, by a dry run on the server. */
async function showChange(
  step: PlaybookStep,
  action: ChangeStep,
  plan: Plan & { readonly ok: true },
  running: Running,
): Promise<ShownChange> {
  const { ports, state, journal } = running;
  const command = withoutSecrets(plan.actions.map((one) => commandLine(changeCommand(one))).join(' && '), state.secrets);
  const [shown, kept, writes]: [string[], string[], TriedWrite[]] = [[], [], []];
  let isWhole = true;
  for (const write of plan.writes) {
    const { request, ref } = write;
    const tried = await tryWrite(request, ports);
    const refusal = tried?.ok === false ? tried : undefined;
    const unshown = refusal === undefined ? undefined : whyUnshown(request, refusal);
    if (refusal !== undefined && unshown === undefined) return { ok: false, words: refusalWords(formatRef(ref), refusal) };
    const predicted = tried?.ok === true ? tried.object : undefined;
    const head = `${verbWords(request)}${formatRef(ref)}`;
    const told = (bounds: DiffBounds): ReturnType<typeof boundedDiff> =>
      unshown === undefined ? differences(write, predicted, bounds) : { lines: [unshown], isWhole: true };
    isWhole &&= told(SHOWN_DIFF).isWhole;
    append(shown, [head, ...told(SHOWN_DIFF).lines.map((line) => `  ${line}`)]);
    append(kept, [head, ...told(KEPT_DIFF).lines.map((line) => `  ${line}`)]);
    writes.push({ ...write, predicted });
  }
  const safe = (lines: readonly string[]): readonly string[] => lines.map((line) => withoutSecrets(line, state.secrets));
  journal.append({ type: 'change', step: step.id, command, objects: plan.writes.map(({ ref }) => formatRef(ref)), diff: safe(kept) });
  const warnings = [
    ...(action.effect === 'destructive' ? ['This change cannot be undone.'] : []),
    ...(isWhole ? [] : ['Not all of this change can be shown here.']),
  ];
  // What nobody has seen whole is not done by a quick yes.
  const typed = warnings.length > 0 ? { typed: plan.writes[0]?.ref.name ?? step.id } : {};
  const lines = [command, ...safe(shown), ...warnings];
  return { ok: true, writes, confirmation: { question: `${step.say.replace(/[.?!]$/, '')}?`, lines, ...typed } };
}

function verbWords({ verb, subresource }: WriteRequest): string {
  if (verb === 'delete') return 'delete ';
  return subresource === 'eviction' ? 'evict ' : '';
}

/** Why the server could not try a write that may succeed all the same; undefined for a refusal. */
function whyUnshown(request: WriteRequest, tried: Extract<Written, { readonly ok: false }>): string | undefined {
  if (heldBack(request, tried)) return `(not possible now: ${printableUpTo(tried.message, 300)})`;
  // A webhook that may do something besides keeps the server from trying; that is no reason against the change itself.
  return tried.reason === 'BadRequest' && tried.message.includes('does not support dry run')
    ? '(the server cannot show the difference)'
    : undefined;
}

function differences(
  { request: { verb, subresource }, before }: PlannedWrite,
  after: KubeObject | undefined,
  bounds: DiffBounds,
): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  if (verb === 'delete' || subresource === 'eviction' || after === undefined) return { lines: [], isWhole: true };
  const diff = boundedDiff(before, before === undefined ? remakeable(after) : after, bounds);
  return diff.lines.length === 0 && subresource === undefined ? { lines: ['(no difference)'], isWhole: true } : diff;
}

/** What came of asking, unless the word is yes: not done in a dry run, where nothing can be changed, or where nobody says so. */
async function refusedByWord(
  step: PlaybookStep,
  action: ChangeStep,
  confirmation: Confirmation,
  running: Running,
): Promise<StepOutcome | undefined> {
  const { ports, state, mode } = running;
  const { lines } = confirmation;
  if (mode === 'dry-run' || ports.changer === undefined) {
    state.withheld ??= step.id;
    return {
      result: 'skipped',
      lines,
      words: mode === 'dry-run' ? 'not done (dry run)' : 'not done (saved evidence cannot be changed)',
    };
  }
  const answer = await ports.prompt.confirm(confirmation);
  decided(running, step.id, confirmation.question, answer);
  if (answer === 'stop')
    return { result: 'declined', words: 'stopped before it was done', stop: { status: 'aborted', why: 'the user stopped the run' } };
  if (answer === 'no') return unable(action, 'the user declined', 'declined');
  if (answer === 'nobody') {
    state.withheld ??= step.id;
    return { result: 'not-evaluated', words: 'not confirmed (not interactive)', lines };
  }
  return undefined;
}

async function doWrites(
  step: PlaybookStep,
  action: ChangeStep,
  writes: readonly TriedWrite[],
  running: Running,
  say: (words: string) => void,
): Promise<StepOutcome | undefined> {
  const { ports, state, looker } = running;
  for (const write of writes) {
    const drift = await unchanged(write, ports);
    if (typeof drift === 'string') return stopped(drift, ports);
  }
  for (const write of writes) {
    say(formatRef(write.ref));
    keepWriting(step, action, write, write.predicted, running);
    const sent = await sendWrite(write, action.verify.limitMilliseconds, ports);
    if (sent.sent !== 'done') return notDone(action, formatRef(write.ref), sent, ports);
    keepChange(step, action, write, sent.object, running);
  }
  state.sight = undefined;
  looker.forgetPasted();
  return undefined;
}

function notDone(action: ChangeStep, object: string, sent: Exclude<Sent, { readonly sent: 'done' }>, ports: RunPorts): StepOutcome {
  if (ports.signal.aborted) return stopped('why' in sent ? sent.why : sent.message, ports);
  switch (sent.sent) {
    case 'drifted':
    case 'interrupted':
      return stopped(sent.why, ports);
    case 'refused':
      return unable(action, refusalWords(object, sent), 'failed');
    case 'unknown': {
      const words = `it is unknown whether ${object} was changed: ${printableUpTo(sent.why, 600)}`;
      return unable(action, words, 'unknown');
    }
  }
}

/** What was shown can no longer be done; after Ctrl-C that is no failure of the run. */
function stopped(why: string, { signal }: RunPorts): StepOutcome {
  return { result: signal.aborted ? 'unknown' : 'failed', words: why, stop: { status: signal.aborted ? 'interrupted' : 'failed', why } };
}

function refusalWords(object: string, { reason, message }: { readonly reason: string; readonly message: string }): string {
  return `${object}: the change is denied: ${printableUpTo(message, 400)}${reason === '' ? '' : ` (${reason})`}`;
}
