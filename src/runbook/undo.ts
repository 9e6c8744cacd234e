import type { WriteRequest } from '../model/cluster-changer.ts';
import { mergeDiff } from '../base/json-edit.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';
import type { PlaybookStep, Undo } from '../model/playbook.ts';
import { changeCommand, commandLine } from '../report/kubectl-words.ts';
import type { PlannedWrite } from './change-plan.ts';
import { planChange } from './change-plan.ts';
import { ownPart, remakeable } from './object-diff.ts';
import { withoutSecrets } from './redact.ts';
import type { DoneChange, Running } from './running.ts';
import { decided } from './running.ts';

/** Writes that put back what was there before a write; undefined with the reason where there are none. */
export function undoWrites(undo: Undo, { request, before, ref }: PlannedWrite, after: KubeObject | undefined): { readonly writes: readonly WriteRequest[] | undefined; readonly why: string } {
  if (undo.undo === 'none') return { writes: undefined, why: undo.why };
  if (undo.undo === 'change') return { writes: undefined, why: WITH_STEP };
  const place = { kind: ref.kind, ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }), name: ref.name };
  if (request.subresource === 'eviction') return { writes: undefined, why: 'a pod that was evicted does not come back; its controller makes another' };
  // Nobody may take an approval back (pkg/apis/certificates/validation); without its request nothing more is issued for it.
  if (request.subresource === 'approval') return { writes: [{ verb: 'delete', ...place, ...(before?.metadata.uid === undefined ? {} : { uid: before.metadata.uid }) }], why: 'the request is deleted, for no approval can be taken back; a certificate that was issued holds until it ends' };
  if (request.verb === 'create' && request.subresource === undefined) return { writes: [{ verb: 'delete', ...place, ...(after?.metadata.uid === undefined ? {} : { uid: after.metadata.uid }) }], why: '' };
  if (request.verb === 'delete' && before !== undefined) return { writes: [{ verb: 'create', apiVersion: before.apiVersion, ...place, body: remakeable(before) }], why: '' };
  if (request.verb !== 'patch' || request.subresource !== undefined || before === undefined || after === undefined) return { writes: undefined, why: 'what was there before cannot be put back' };
  const body = mergeDiff(ownPart(after), ownPart(before));
  return { writes: body === undefined ? [] : [{ verb: 'patch', apiVersion: before.apiVersion, ...place, patch: { type: 'merge', body } }], why: '' };
}

/** A further write of a step whose first one is taken back by another change. */
const WITH_STEP = 'goes back with the step';

/** Offers to take back what the run has changed, last change first; whoever is asked may say no. True when all that was wanted was done. */
export async function offerUndo(running: Running): Promise<boolean> {
  const { state, ports } = running;
  const open = state.changes.toReversed().filter(({ writes, back, why }) => writes !== undefined || back !== undefined || why !== WITH_STEP);
  if (open.length === 0) return true;
  const lines = open.map((change) => `${change.step}: ${change.object}${change.writes === undefined && change.back === undefined ? ` (cannot be undone: ${change.why})` : change.why === '' ? '' : ` (${change.why})`}`);
  const answer = await ports.prompt.confirm({ question: `Undo ${open.length === 1 ? 'the change' : `the ${open.length} changes`} of this run?`, lines });
  decided(running, '', 'undo?', answer);
  if (answer !== 'yes') return false;
  for (const change of open) await undoOne(change, running);
  for (const step of running.playbook.rollback) await rollBack(step, running);
  return true;
}

async function undoOne(change: DoneChange, running: Running): Promise<void> {
  const { ports, state, journal } = running;
  const say = (ok: boolean, words: string): void => {
    journal.append({ type: 'undone', step: change.step, object: change.object, ok, words: withoutSecrets(words, state.secrets) });
    ports.view.lines([`${ok ? 'undone' : 'not undone'}: ${change.object}${words === '' ? '' : `: ${withoutSecrets(words, state.secrets)}`}`]);
  };
  const requests = await requestsFor(change, running);
  if (typeof requests === 'string') return say(false, requests);
  for (const request of requests) {
    const written = await ports.changer?.send(request, false);
    if (written?.ok !== true) return say(false, written?.message ?? 'nothing can be changed here');
  }
  state.changes.splice(state.changes.indexOf(change), 1);
  return say(true, '');
}

async function requestsFor({ back, writes, why }: DoneChange, { state, ports }: Running): Promise<readonly WriteRequest[] | string> {
  if (back === undefined) return writes ?? why;
  const plan = await planChange(back, state.variables, ports.reader, ports.clock());
  return plan.ok ? plan.writes.map(({ request }) => request) : plan.cannot;
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
  const answer = await ports.prompt.confirm({ question: say, lines: [commandLine(changeCommand(plan.action)), ...plan.writes.map(({ ref }) => formatRef(ref))] });
  decided(running, id, say, answer);
  if (answer !== 'yes') return undefined;
  for (const { request, ref } of plan.writes) {
    const written = await ports.changer?.send(request, false);
    journal.append({ type: 'undone', step: id, object: formatRef(ref), ok: written?.ok === true, words: written?.ok === false ? written.message : '' });
  }
  return undefined;
}
