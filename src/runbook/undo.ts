import { counted } from '../base/counted.ts';
import type { WriteRequest } from '../model/cluster-changer.ts';
import { mergeDiff } from '../base/json-edit.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { formatRef, inNamespace } from '../model/kube-object.ts';
import type { PlaybookStep, Undo } from '../model/playbook.ts';
import { changeCommand, commandLine } from '../report/format/kubectl-words.ts';
import { leafLine, leavesOf } from '../report/format/leaf-lines.ts';
import type { PlannedWrite } from './change-plan.ts';
import { planChange } from './change-plan.ts';
import { ownPart, remakeable } from './object-diff.ts';
import { withoutSecrets } from './redact.ts';
import type { RunPorts } from './ports.ts';
import type { DoneChange, Running } from './running.ts';
import { decided } from './running.ts';
import type { Sent } from './send-write.ts';
import { sendWrite } from './send-write.ts';
import { holds } from './write-outcome.ts';

/** Writes that put back what was there before a write; undefined with the reason where there are none. */
export function undoWrites(
  undo: Undo,
  { request, before, ref }: PlannedWrite,
  after: KubeObject | undefined,
): { readonly writes: readonly WriteRequest[] | undefined; readonly why: string } {
  if (undo.undo === 'none') return { writes: undefined, why: undo.why };
  if (undo.undo === 'change') return { writes: undefined, why: WITH_STEP };
  const place = { kind: ref.kind, ...inNamespace(ref.namespace), name: ref.name };
  if (request.subresource === 'eviction')
    return { writes: undefined, why: 'an evicted pod cannot be restored; its controller creates another one' };
  // Nobody may take an approval back (pkg/apis/certificates/validation); without its request nothing more is issued for it.
  if (request.subresource === 'approval')
    return {
      writes: [deletionOf(place, before)],
      why: 'the request is deleted, because an approval cannot be withdrawn; an issued certificate is valid until it expires',
    };
  if (request.verb === 'create' && request.subresource === undefined) return { writes: [deletionOf(place, after)], why: '' };
  if (request.verb === 'delete' && before !== undefined)
    return { writes: [{ verb: 'create', apiVersion: before.apiVersion, ...place, body: remakeable(before) }], why: '' };
  if (request.verb !== 'patch' || request.subresource !== undefined || before === undefined || after === undefined)
    return { writes: undefined, why: 'the previous state cannot be restored' };
  const body = mergeDiff(ownPart(after), ownPart(before));
  return {
    writes: body === undefined ? [] : [{ verb: 'patch', apiVersion: before.apiVersion, ...place, patch: { type: 'merge', body } }],
    why: '',
  };
}

function deletionOf(place: Pick<WriteRequest, 'kind' | 'namespace' | 'name'>, object: KubeObject | undefined): WriteRequest {
  const uid = object?.metadata.uid;
  return { verb: 'delete', ...place, ...(uid === undefined ? {} : { uid }) };
}

/** A further write of a step whose first one is taken back by another change. */
const WITH_STEP = 'undone by the step';

/** As it stands in a journal. */
export const UNDO_QUESTION = 'undo?';

/** Offers to take back what the run has changed, last change first; whoever is asked may say no. True when all that was wanted was done. */
export async function offerUndo(running: Running): Promise<boolean> {
  const { state, ports } = running;
  const open = state.changes
    .toReversed()
    .filter(({ writes, back, why }) => writes !== undefined || back !== undefined || why !== WITH_STEP);
  if (open.length === 0) return true;
  const lines = open.flatMap((change) => undoLines(change, running));
  const answer = await ports.prompt.confirm({
    question: `Undo ${open.length === 1 ? 'the change' : `the ${open.length} changes`} of this run?`,
    lines,
  });
  decided(running, '', UNDO_QUESTION, answer);
  if (answer !== 'yes') return false;
  for (const change of open) await undoOne(change, running);
  for (const step of running.playbook.rollback) await rollBack(step, running);
  return true;
}

const LONGEST = 300;
const LINES = 40;

/** What will be sent, not only to which object: a person says yes to no more than they see. */
function undoLines({ step, object, back, writes, why }: DoneChange, { state }: Running): readonly string[] {
  if (back !== undefined) return [`${step}: ${commandLine(changeCommand(back))}`];
  if (writes === undefined) return [`${step}: ${object} (cannot be undone: ${why})`];
  const sent = writes.flatMap(({ verb, kind, namespace, name, patch, body }) => {
    const content = kind === 'Secret' ? undefined : (patch?.body ?? body);
    const leaves = content === undefined ? [] : leavesOf(content).map((leaf) => `  ${leafLine(leaf, LONGEST)}`);
    return [
      `${verb} ${formatRef({ kind, name, ...inNamespace(namespace) })}`,
      ...leaves.slice(0, LINES),
      ...(leaves.length > LINES ? [`  and ${counted(leaves.length - LINES, 'more line')}`] : []),
    ];
  });
  return [`${step}: ${object}${why === '' ? '' : ` (${why})`}`, ...sent.map((line) => `  ${withoutSecrets(line, state.secrets)}`)];
}

async function undoOne(change: DoneChange, running: Running): Promise<void> {
  const { ports, state, journal } = running;
  const say = (ok: boolean, words: string): void => {
    journal.append({ type: 'undone', step: change.step, object: change.object, ok, words: withoutSecrets(words, state.secrets) });
    ports.view.lines([
      `${ok ? 'undone' : 'not undone'}: ${change.object}${words === '' ? '' : `: ${withoutSecrets(words, state.secrets)}`}`,
    ]);
  };
  const writes = await writesFor(change, running);
  if (typeof writes === 'string') return say(false, writes);
  for (const write of writes) {
    const trouble = troubleOf(await sendBack(write, ports));
    if (trouble !== undefined) return say(false, trouble);
  }
  state.changes.splice(state.changes.indexOf(change), 1);
  return say(true, '');
}

const UNDO_LIMIT_MILLISECONDS = 60_000;

/** Ctrl-C has led to the undo: it does not end the undo as well (a second one ends the program). */
function sendBack(write: PlannedWrite, ports: RunPorts): Promise<Sent> {
  return sendWrite(write, UNDO_LIMIT_MILLISECONDS, { ...ports, signal: new AbortController().signal });
}

function troubleOf(sent: Sent): string | undefined {
  return sent.sent === 'done' ? undefined : sent.sent === 'refused' ? sent.message : sent.why;
}

/**
 * The writes that go back, each with the object as it is now; a sentence where there are none, or where they would undo somebody else's
 * work.
 */
async function writesFor({ back, writes, made, why }: DoneChange, { state, ports }: Running): Promise<readonly PlannedWrite[] | string> {
  if (back !== undefined) {
    const plan = await planChange(back, state.variables, ports.reader, ports.clock());
    return plan.ok ? plan.writes : plan.cannot;
  }
  if (writes === undefined) return why;
  const planned: PlannedWrite[] = [];
  for (const request of writes) {
    const { kind, namespace, name } = request;
    const ref = { kind, ...inNamespace(namespace), name };
    const now = await ports.reader.get(ref);
    if (!now.ok && now.why !== 'absent') return `${formatRef(ref)} could not be read: ${now.detail}`;
    const object = now.ok ? now.value : undefined;
    if (isUndone(request, object)) continue;
    if (request.verb === 'patch' && object !== undefined && made !== undefined && !holds(object, made))
      return `${formatRef(ref)} has changed since this run: an undo would also revert the change of another client`;
    planned.push({ ref, request, before: object });
  }
  return planned;
}

function isUndone(request: WriteRequest, object: KubeObject | undefined): boolean {
  // What this run made is gone; one of the same name is somebody else's.
  if (request.verb === 'delete' && (object === undefined || (request.uid !== undefined && object.metadata.uid !== request.uid)))
    return true;
  // A run that was killed while it undid may have done this already.
  return object !== undefined && holds(object, bodyOf(request));
}

function bodyOf({ verb, patch, body }: WriteRequest): WriteRequest['body'] | NonNullable<WriteRequest['patch']>['body'] {
  return verb === 'patch' ? patch?.body : verb === 'create' ? body : undefined;
}

/** A further step back that the playbook names: a change is shown and confirmed like any other. */
async function rollBack({ id, say, action }: PlaybookStep, running: Running): Promise<void> {
  const { ports, state, journal } = running;
  if (action.kind !== 'change') {
    ports.view.lines([say, ...(action.kind === 'manual' ? action.commands : [])]);
    return;
  }
  const plan = await planChange(action.change, state.variables, ports.reader, ports.clock());
  if (!plan.ok) return ports.view.lines([`${say} ${plan.cannot}`]);
  const answer = await ports.prompt.confirm({
    question: say,
    lines: [...plan.actions.map((one) => commandLine(changeCommand(one))), ...plan.writes.map(({ ref }) => formatRef(ref))],
  });
  decided(running, id, say, answer);
  if (answer !== 'yes') return undefined;
  for (const write of plan.writes) {
    const trouble = troubleOf(await sendBack(write, ports));
    journal.append({ type: 'undone', step: id, object: formatRef(write.ref), ok: trouble === undefined, words: trouble ?? '' });
  }
  return undefined;
}
