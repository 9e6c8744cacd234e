import type { WriteRequest, Written } from '../model/cluster-changer.ts';
import { sameJson } from '../base/json-edit.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';
import type { PlannedWrite } from './change-plan.ts';
import { diffLines, ownPart } from './object-diff.ts';
import type { RunPorts } from './ports.ts';
import type { Carried } from './write-outcome.ts';
import { carriedOut } from './write-outcome.ts';

/**
 * What came of a write. `drifted`: the object is no longer what was shown, and nothing was sent. `refused`: it was certainly not carried
 * out. `unknown`: nobody can tell.
 */
export type Sent =
  | { readonly sent: 'done'; readonly object: KubeObject | undefined }
  | { readonly sent: 'drifted' | 'interrupted'; readonly why: string }
  | { readonly sent: 'refused'; readonly reason: string; readonly message: string }
  | { readonly sent: 'unknown'; readonly why: string };

type SendPorts = Pick<RunPorts, 'reader' | 'changer' | 'elapsed' | 'pause' | 'signal'>;

/** A conflict, a lost answer or too many requests is no reason to give up at once, but so often it is. */
const ATTEMPTS = 4;
const EVICTION_PAUSE_MILLISECONDS = 5000;
const BUSY_PAUSE_MILLISECONDS = 1000;

/**
 * Sends a write that somebody has confirmed, for the object as they were shown it: the version is read just before and goes with the
 * write, so that a change in between is a conflict and not overwritten. After a lost answer the object says whether it was carried out;
 * only what certainly was not is sent again. An eviction that a disruption budget holds back is tried until the limit.
 */
export async function sendWrite(write: PlannedWrite, limitMilliseconds: number, ports: SendPorts): Promise<Sent> {
  const end = ports.elapsed() + limitMilliseconds;
  let last: Sent = { sent: 'refused', reason: '', message: 'this source cannot be changed' };
  let isDoubtful = false;
  for (let left = ATTEMPTS; left > 0;) {
    if (ports.signal.aborted) return { sent: 'interrupted', why: 'interrupted before it was sent' };
    const now = await unchanged(write, ports);
    // What was sent before may have come through late: then it is the reason for the difference.
    if (typeof now === 'string') return isDoubtful ? lateOr(write, now, ports) : { sent: 'drifted', why: now };
    const written = await ports.changer?.send(guarded(write.request, now), false);
    if (written === undefined) return last;
    if (written.ok) return { sent: 'done', object: written.object };
    isDoubtful ||= written.isUnknown === true;
    last = await afterFailure(write, written, ports);
    if (last.sent !== 'refused' || !isPassing(written)) return last;
    const isHeld = heldBack(write.request, written);
    const wait = pauseAfter(written.reason, isHeld, ATTEMPTS - left + 1);
    if (isHeld && ports.elapsed() + wait > end) return last;
    if (wait > 0) await ports.pause(wait);
    left -= isHeld ? 0 : 1;
  }
  return last;
}

/** A server that is busy is given more time at each attempt. */
function pauseAfter(reason: string, isHeld: boolean, attempt: number): number {
  if (isHeld) return EVICTION_PAUSE_MILLISECONDS;
  return reason === 'TooManyRequests' ? BUSY_PAUSE_MILLISECONDS * attempt : 0;
}

/** What a write would come to, by a dry run on the server: nothing is changed, so it may be asked for again. */
export async function tryWrite(request: WriteRequest, ports: SendPorts): Promise<Written | undefined> {
  for (let left = ATTEMPTS; ; left--) {
    const tried = await ports.changer?.send(request, true);
    const isBusy = tried?.ok === false && (tried.isUnknown === true || tried.reason === 'TooManyRequests') && !heldBack(request, tried);
    if (!isBusy || left <= 1 || ports.signal.aborted) return tried;
    await ports.pause(BUSY_PAUSE_MILLISECONDS * (ATTEMPTS - left + 1));
  }
}

/** A disruption budget holds an eviction back for now. Source: pkg/registry/core/pod/storage/eviction.go (createTooManyRequestsError). */
export function heldBack({ subresource }: WriteRequest, { reason }: Failed): boolean {
  return subresource === 'eviction' && reason === 'TooManyRequests';
}

async function lateOr({ ref, request, before }: PlannedWrite, why: string, { reader, changer }: SendPorts): Promise<Sent> {
  const carried = await carriedOut({ ref, request, uid: before?.metadata.uid ?? '' }, reader, changer);
  return carried.was === 'carried-out' ? { sent: 'done', object: carried.object } : { sent: 'unknown', why };
}

type Failed = Extract<Written, { readonly ok: false }>;

/** Another attempt may go through: nothing was done, and the reason is no answer to what was asked. */
function isPassing({ reason, isUnknown }: Failed): boolean {
  return reason === 'Conflict' || reason === 'TooManyRequests' || isUnknown === true;
}

async function afterFailure(
  { ref, request, before }: PlannedWrite,
  { reason, message, isUnknown }: Failed,
  { reader, changer }: SendPorts,
): Promise<Sent> {
  if (isUnknown !== true) return { sent: 'refused', reason, message };
  const carried: Carried = await carriedOut({ ref, request, uid: before?.metadata.uid ?? '' }, reader, changer);
  switch (carried.was) {
    case 'carried-out':
      return { sent: 'done', object: carried.object };
    case 'not-carried-out':
      return { sent: 'refused', reason, message };
    case 'unknown':
      return { sent: 'unknown', why: `${message} ${carried.why}` };
  }
}

/**
 * The object as it is now if it is still what the person was shown (undefined for one to be made); else why not. Status may change; nothing
 * else may.
 */
export async function unchanged(
  { ref, before }: PlannedWrite,
  { reader }: Pick<RunPorts, 'reader'>,
): Promise<KubeObject | undefined | string> {
  const now = await reader.get(ref);
  if (before === undefined)
    return now.ok
      ? `${formatRef(ref)} now exists: another client created it`
      : now.why === 'absent'
        ? undefined
        : `${formatRef(ref)} could not be read again: ${now.detail}`;
  if (!now.ok)
    return now.why === 'absent'
      ? `${formatRef(ref)} is gone: another client deleted it`
      : `${formatRef(ref)} could not be read again: ${now.detail}`;
  if (now.value.metadata.uid !== before.metadata.uid) return `${formatRef(ref)} is now another object of the same name`;
  // What a pod's owner or kubelet writes into it while it is on its way out is no reason not to send it away.
  if (ref.kind === 'Pod' || sameJson(ownPart(now.value), ownPart(before))) return now.value;
  return `${formatRef(ref)} has changed since it was shown: ${diffLines(before, now.value).slice(0, 4).join('; ')}`;
}

/** The write for this version of its object only. A pod's status changes too often for that; its uid says enough. */
function guarded(request: WriteRequest, now: KubeObject | undefined): WriteRequest {
  const version = now?.metadata['resourceVersion'];
  const canBeGuarded =
    (request.verb === 'patch' || request.verb === 'delete') && request.subresource === undefined && request.kind !== 'Pod';
  return canBeGuarded && typeof version === 'string' ? { ...request, resourceVersion: version } : request;
}
