import type { WriteRequest } from '../model/cluster-changer.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { mergeDiff } from '../base/json-edit.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';
import type { PlaybookStep, StepAction } from '../model/playbook.ts';
import type { ChangeAction } from '../model/playbook-change.ts';
import type { PlannedWrite } from './change-plan.ts';
import { filledChange } from './change-plan.ts';
import { ownPart } from './object-diff.ts';
import { withoutSecrets } from './redact.ts';
import type { PendingWrite, Running } from './running.ts';
import { undoWrites } from './undo.ts';

export type ChangeStep = Extract<StepAction, { readonly kind: 'change' }>;

/**
 * Writes down that a write is about to be sent, with all that a later run needs to find out whether it was carried out, and to take it
 * back.
 */
export function keepWriting(
  step: PlaybookStep,
  { undo }: ChangeStep,
  write: PlannedWrite,
  predicted: KubeObject | undefined,
  { state, journal }: Running,
): void {
  const { writes, why } = undoWrites(undo, write, predicted);
  const safe = keeper(write.ref.kind, state.secrets);
  // The uid of an object that a dry run has made is nobody's.
  const back = write.request.verb === 'create' ? writes?.map(({ uid: _uid, ...request }) => request) : writes;
  journal.append({
    type: 'writing',
    step: step.id,
    object: formatRef(write.ref),
    uid: write.before?.metadata.uid ?? '',
    request: safe(write.request),
    undo: safe(back),
    made: safe(madeBy(write, predicted)),
    why,
  });
}

/** Writes down a write that was carried out, and how it is taken back. */
export function keepChange(
  step: PlaybookStep,
  action: ChangeStep,
  write: PlannedWrite,
  after: KubeObject | undefined,
  running: Running,
): void {
  const { writes, why } = undoWrites(action.undo, write, after);
  keep(
    step,
    action,
    {
      object: formatRef(write.ref),
      kind: write.ref.kind,
      uid: after?.metadata.uid ?? write.before?.metadata.uid ?? '',
      writes,
      made: madeBy(write, after),
      why,
    },
    running,
  );
}

/** As `keepChange`, of a write that an earlier run had sent; `now` is the object as it is. */
export function keepPending(
  step: PlaybookStep,
  action: ChangeStep,
  { object, uid, request, undo, made, why }: PendingWrite,
  now: KubeObject | undefined,
  running: Running,
): void {
  const own = now?.metadata.uid ?? uid;
  const writes = request?.verb === 'create' && own !== '' ? undo?.map((write) => ({ ...write, uid: own })) : undo;
  keep(
    step,
    action,
    { object, kind: object.split('/')[0] ?? '', uid: own, writes: writes ?? undefined, made: made ?? undefined, why },
    running,
  );
}

interface Kept {
  readonly object: string;
  readonly kind: string;
  readonly uid: string;
  readonly writes: readonly WriteRequest[] | undefined;
  readonly made: JsonObject | undefined;
  readonly why: string;
}

function keep(step: PlaybookStep, { undo }: ChangeStep, { object, kind, uid, writes, made, why }: Kept, { state, journal }: Running): void {
  // What is to be done to go back is settled now: later the variables may stand for something else.
  const isFirst = !state.changes.some((change) => change.step === step.id);
  const back = undo.undo === 'change' && isFirst ? filledChange(undo.change, state.variables) : undefined;
  const safe = keeper(kind, state.secrets);
  state.touched.add(object);
  state.changes.push({ step: step.id, object, back, writes, made, why });
  journal.append({
    type: 'changed',
    step: step.id,
    object,
    uid,
    undo: safe(writes),
    back: safe(back as ChangeAction & Json),
    made: safe(made),
    why,
  });
}

/** What became different, as a merge patch. */
function madeBy({ before }: PlannedWrite, after: KubeObject | undefined): JsonObject | undefined {
  return before === undefined || after === undefined ? undefined : mergeDiff(ownPart(before), ownPart(after));
}

/** Content of a Secret, and what has the value of a secret in it, is never written down: what needs it is possible in this run only. */
function keeper(kind: string, secrets: Iterable<string>): <T>(value: T | undefined) => T | null {
  return (value) => {
    const text = JSON.stringify(value) ?? '';
    const holdsContent = kind === 'Secret' && /"(body|data|stringData)":/.test(text);
    return value === undefined || holdsContent || withoutSecrets(text, secrets) !== text ? null : value;
  };
}
