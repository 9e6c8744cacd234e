import type { Written } from '../model/cluster-changer.ts';
import type { Json } from '../base/json.ts';
import { sameJson } from '../base/json-edit.ts';
import { printableUpTo } from '../base/text.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';
import type { PlaybookStep, StepAction } from '../model/playbook.ts';
import { changeCommand, commandLine } from '../report/kubectl-words.ts';
import type { Plan, PlannedWrite } from './change-plan.ts';
import { filledChange, planChange } from './change-plan.ts';
import type { DiffBounds } from './object-diff.ts';
import { boundedDiff, diffLines, KEPT_DIFF, ownPart, remakeable, SHOWN_DIFF } from './object-diff.ts';
import { waitFor } from './perform-look.ts';
import type { Confirmation } from './ports.ts';
import { withoutSecrets } from './redact.ts';
import type { Running, StepOutcome } from './running.ts';
import { decided, inWords } from './running.ts';
import { undoWrites } from './undo.ts';

type ChangeStep = Extract<StepAction, { readonly kind: 'change' }>;

/**
 * Shows a change, has it confirmed, looks whether all is still as it was, does it and proves it. What cannot be done or does not
 * help goes on at `fail`; without that the run ends as failed.
 */
export async function performChange(step: PlaybookStep, action: ChangeStep, running: Running): Promise<StepOutcome> {
  const { state, ports } = running;
  if (state.begun === step.id && (await wasDone(step, action, running))) return ports.view.during(inWords(running, step.say), (say) => proved(action, running, say));
  if (state.barred.has(step.id)) return unable(action, 'the right to do it is missing', 'not-evaluated');
  const plan = await planChange(action.change, state.variables, ports.reader, ports.clock());
  if (!plan.ok) return state.withheld !== undefined || plan.unresolved ? notEvaluated(action, plan.cannot, running, step) : unable(action, plan.cannot, 'failed');
  const overCap = capWords(plan.writes, running);
  if (overCap !== undefined) return { result: 'failed', words: overCap, stop: { status: 'failed', why: overCap } };
  const shown = await showChange(step, action, plan, running);
  if (!shown.ok) return running.mode === 'dry-run' ? notEvaluated(action, shown.words, running, step) : unable(action, shown.words, 'failed');
  const withheld = await refusedByWord(step, action, shown.confirmation, running);
  if (withheld !== undefined) return withheld;
  return ports.view.during(inWords(running, step.say), async (say) => (await doWrites(step, action, plan.writes, running, say)) ?? proved(action, running, say));
}

/** Whether the change of a step that was interrupted had been done: by what was written down, else by how things are now. */
async function wasDone(step: PlaybookStep, action: ChangeStep, { state, ports }: Running): Promise<boolean> {
  state.begun = undefined;
  if (action.change.change !== 'drain' && state.changes.some((change) => change.step === step.id)) return true;
  const plan = await planChange(action.change, state.variables, ports.reader, ports.clock());
  const ends = action.change.change === 'delete' || action.change.change === 'evict';
  if (!plan.ok) return ends && !plan.unresolved;
  if (ends) return false;
  for (const { request, before } of plan.writes) {
    const tried = await ports.changer?.send(request, true);
    const isSame = tried?.ok === true ? request.verb === 'patch' && tried.object !== undefined && diffLines(before, tried.object).length === 0 : tried?.reason === 'AlreadyExists';
    if (!isSame) return false;
  }
  return true;
}

async function proved(action: ChangeStep, running: Running, say: (words: string) => void): Promise<StepOutcome> {
  say('proving it');
  const { is, why, bindings } = await waitFor(action.verify.until, action.verify, running, say);
  if (is === 'true') return { result: 'passed', words: why, bound: bindings };
  if (running.ports.signal.aborted) return { result: 'unknown', words: `done, but interrupted before it was proved: ${why}`, stop: { status: 'interrupted', why: 'interrupted' } };
  const words = `done, but not proved within ${Math.round(action.verify.limitMilliseconds / 1000)} s: ${why}`;
  return unable(action, words, is === 'unknown' ? 'unknown' : 'failed');
}

/** It was not done, or did not help: on at `fail`, or the end. */
function unable(action: ChangeStep, words: string, result: 'failed' | 'unknown' | 'declined' | 'not-evaluated'): StepOutcome {
  return action.fail === undefined ? { result, words, stop: { status: 'failed', why: words } } : { result, words, next: action.fail };
}

function notEvaluated(action: ChangeStep, why: string, { state, mode }: Running, { id }: PlaybookStep): StepOutcome {
  state.withheld ??= id;
  return mode === 'run' ? unable(action, why, 'not-evaluated') : { result: 'not-evaluated', words: why };
}

function capWords(writes: readonly PlannedWrite[], { state, playbook }: Running): string | undefined {
  const all = new Set([...state.touched, ...writes.map(({ ref }) => formatRef(ref))]);
  return all.size <= playbook.limits.objects ? undefined : `it would touch ${all.size} objects in all, and the playbook allows ${playbook.limits.objects}: ${[...all].slice(0, 8).join(', ')}`;
}

type ShownChange = { readonly ok: true; readonly confirmation: Confirmation } | { readonly ok: false; readonly words: string };

/** The command, the objects and what would become different, by a dry run on the server. */
async function showChange(step: PlaybookStep, action: ChangeStep, plan: Plan & { readonly ok: true }, running: Running): Promise<ShownChange> {
  const { ports, state, journal } = running;
  const command = withoutSecrets(commandLine(changeCommand(plan.action)), state.secrets);
  const [shown, kept]: [string[], string[]] = [[], []];
  let isWhole = true;
  for (const write of plan.writes) {
    const { request, ref } = write;
    const tried = await ports.changer?.send(request, true);
    if (tried?.ok === false && !cannotTry(tried)) return { ok: false, words: refusalWords(formatRef(ref), tried) };
    const head = `${request.verb === 'delete' ? 'delete ' : request.subresource === 'eviction' ? 'evict ' : ''}${formatRef(ref)}`;
    const whole = tried?.ok === false ? UNSHOWN : differences(write, tried?.object, SHOWN_DIFF);
    isWhole &&= whole.isWhole;
    shown.push(head, ...whole.lines.map((line) => `  ${line}`));
    kept.push(head, ...(tried?.ok === false ? UNSHOWN : differences(write, tried?.object, KEPT_DIFF)).lines.map((line) => `  ${line}`));
  }
  const safe = (lines: readonly string[]): readonly string[] => lines.map((line) => withoutSecrets(line, state.secrets));
  journal.append({ type: 'change', step: step.id, command, objects: plan.writes.map(({ ref }) => formatRef(ref)), diff: safe(kept) });
  const [first] = plan.writes;
  const lines = [command, ...safe(shown), ...(action.effect === 'destructive' ? ['What this ends cannot be brought back.'] : []), ...(isWhole ? [] : ['Not all of this change can be shown here.'])];
  // What nobody has seen whole is not done by a quick yes.
  const typed = action.effect === 'destructive' || !isWhole ? { typed: first?.ref.name ?? step.id } : {};
  return { ok: true, confirmation: { question: `${step.say.replace(/[.?!]$/, '')}?`, lines, ...typed } };
}

const UNSHOWN = { lines: ['(the server cannot show what becomes different)'], isWhole: true };

/** A webhook that may do something besides keeps the server from trying; that is no reason against the change itself. */
function cannotTry({ reason, message }: Written & { readonly ok: false }): boolean {
  return reason === 'BadRequest' && message.includes('does not support dry run');
}

function differences({ request: { verb, subresource }, before }: PlannedWrite, after: KubeObject | undefined, bounds: DiffBounds): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  if (verb === 'delete' || subresource === 'eviction' || after === undefined) return { lines: [], isWhole: true };
  const diff = boundedDiff(before, before === undefined ? remakeable(after) : after, bounds);
  return diff.lines.length === 0 && subresource === undefined ? { lines: ['(nothing becomes different)'], isWhole: true } : diff;
}

/** What came of asking, unless the word is yes: not done in a dry run, where nothing can be changed, or where nobody says so. */
async function refusedByWord(step: PlaybookStep, action: ChangeStep, confirmation: Confirmation, running: Running): Promise<StepOutcome | undefined> {
  const { ports, state, mode } = running;
  const [command = ''] = confirmation.lines;
  if (mode === 'dry-run' || ports.changer === undefined) {
    ports.view.lines([...(mode === 'dry-run' ? ['would be done:'] : ['cannot be done here:']), ...confirmation.lines]);
    state.withheld ??= step.id;
    return { result: 'skipped', words: mode === 'dry-run' ? `not done, for this is a dry run: ${command}` : `not done, for what was saved cannot be changed: ${command}` };
  }
  const answer = await ports.prompt.confirm(confirmation);
  decided(running, step.id, confirmation.question, answer);
  if (answer === 'stop') return { result: 'declined', words: 'stopped before it was done', stop: { status: 'aborted', why: 'somebody stopped it' } };
  if (answer === 'no') return unable(action, 'somebody said no', 'declined');
  if (answer === 'nobody') {
    state.withheld ??= step.id;
    return { result: 'not-evaluated', words: `nobody was there to confirm: ${command}` };
  }
  return undefined;
}

async function doWrites(step: PlaybookStep, action: ChangeStep, writes: readonly PlannedWrite[], running: Running, say: (words: string) => void): Promise<StepOutcome | undefined> {
  for (const write of writes) {
    const drift = await driftOf(write, running);
    if (drift !== undefined) return { result: 'failed', words: drift, stop: { status: 'failed', why: drift } };
  }
  for (const write of writes) {
    say(formatRef(write.ref));
    const written = await persist(write, action, running);
    if (!written.ok) return unable(action, refusalWords(formatRef(write.ref), written), 'failed');
    keepChange(step, action, write, written.object, running);
  }
  running.state.sight = undefined;
  running.looker.forgetPasted();
  return undefined;
}

/** Whether an object is no longer what the person was shown. Status may change; nothing else may. */
async function driftOf({ ref, before }: PlannedWrite, { ports }: Running): Promise<string | undefined> {
  const now = await ports.reader.get(ref);
  if (before === undefined) return now.ok ? `${formatRef(ref)} is there now: somebody else made it` : undefined;
  if (!now.ok) return now.why === 'absent' ? `${formatRef(ref)} is gone: somebody else deleted it` : `${formatRef(ref)} could not be read again: ${now.detail}`;
  if (now.value.metadata.uid !== before.metadata.uid) return `${formatRef(ref)} is another object of the same name now`;
  // What a pod's owner or kubelet writes into it while it is on its way out is no reason not to send it away.
  if (ref.kind === 'Pod' || sameJson(ownPart(now.value), ownPart(before))) return undefined;
  return `${formatRef(ref)} has changed since it was shown: ${diffLines(before, now.value).slice(0, 4).join('; ')}`;
}

const EVICTION_PAUSE_MILLISECONDS = 5000;

/** An eviction that a disruption budget holds back for now is tried again until the change's limit. */
async function persist({ request }: PlannedWrite, { verify }: ChangeStep, { ports }: Running): Promise<Written> {
  const end = ports.clock() + verify.limitMilliseconds;
  for (;;) {
    const written = await (ports.changer?.send(request, false) ?? Promise.resolve<Written>({ ok: false, reason: 'Unsupported', message: 'nothing can be changed here' }));
    const isHeld = !written.ok && written.reason === 'TooManyRequests' && request.subresource === 'eviction';
    if (!isHeld || ports.signal.aborted || ports.clock() + EVICTION_PAUSE_MILLISECONDS > end) return written;
    await ports.pause(EVICTION_PAUSE_MILLISECONDS);
  }
}

function keepChange(step: PlaybookStep, action: ChangeStep, write: PlannedWrite, after: KubeObject | undefined, { state, journal }: Running): void {
  const object = formatRef(write.ref);
  const undo = undoWrites(action.undo, write, after);
  // What is to be done to go back is settled now: later the variables may stand for something else.
  const isFirst = !state.changes.some((change) => change.step === step.id);
  const back = action.undo.undo === 'change' && isFirst ? filledChange(action.undo.change, state.variables) : undefined;
  state.touched.add(object);
  state.changes.push({ step: step.id, object, back, writes: undo.writes, why: undo.why });
  // Content of a Secret is never written down, so going back from its change is possible in this run only.
  const holdsSecret = (write.ref.kind === 'Secret' && undo.writes?.some(({ verb }) => verb !== 'delete') === true) || hasSecret(undo.writes, state.secrets);
  const recorded = holdsSecret ? null : (undo.writes ?? null);
  journal.append({ type: 'changed', step: step.id, object, uid: after?.metadata.uid ?? write.before?.metadata.uid ?? '', undo: recorded, back: (hasSecret(back, state.secrets) ? null : (back ?? null)) as Json, why: undo.why });
}

function hasSecret(value: unknown, secrets: Iterable<string>): boolean {
  const text = JSON.stringify(value) ?? '';
  return withoutSecrets(text, secrets) !== text;
}

function refusalWords(object: string, { reason, message }: Written & { readonly ok: false }): string {
  return `${object} is refused: ${printableUpTo(message, 400)}${reason === '' ? '' : ` (${reason})`}`;
}
