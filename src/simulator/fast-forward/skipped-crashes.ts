import type { Instant } from '../../base/instant.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { Prng } from '../../base/prng.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Task } from '../time/agenda.ts';
import { backOffOf } from '../kubelet/containers/container-start.ts';
import type { SkippedCrashes, CrashLoop } from './crash-loop.ts';
import { applyLeap, crashLoopAfter, leapOver, stillLoops } from './crash-loop.ts';
import type { KubeletParts } from '../kubelet/kubelet-parts.ts';
import type { RepeatedCrashes, ShownCrashes } from '../kubelet/pods/repeated-crashes.ts';
import type { SyncEnd } from '../kubelet/pods/sync-end.ts';

/** The restarts of a pod in times in which nobody looks (fast-forward.ts): worked out, and not lived through one by one. */
export class UnwrittenCrashes implements RepeatedCrashes {
  chance: Prng;
  readonly #parts: KubeletParts;
  #loop: CrashLoop | undefined;
  #hidden: { readonly from: Instant; readonly leap: SkippedCrashes; readonly task: Task } | undefined;

  constructor(uid: string, parts: KubeletParts) {
    this.#parts = parts;
    this.chance = parts.host.prng.split(`pod ${uid}`);
  }

  after(end: SyncEnd, pod: KubeObject): void {
    this.#loop = crashLoopAfter(end, pod, this.#parts);
  }

  /** If nobody looks, and the last crash led to nothing new, `show` is called when there is something to see again. */
  hide(pod: KubeObject, show: () => void): boolean {
    const { host } = this.#parts;
    const { unwritten } = host.world;
    const loop = this.#loop;
    if (loop === undefined) return false;
    const now = host.now();
    const until = unwritten.untilOf(host.node, now);
    const { kind, uid } = ownerOf(pod);
    if (now >= until || !unwritten.isSteadySince(loop.last.startedAt ?? now) || !REPEATS.has(kind) || !stillLoops(loop, pod, this.#parts))
      return false;
    const { whole, butLast } = leapOver(loop, now, this.chance, this.#parts, until);
    if (whole === undefined || butLast === undefined) return false;
    const { unready } = whole;
    if (unready !== undefined) unwritten.readyUntil(uid, unready);
    const wait = (leap: SkippedCrashes, due: () => void): void => {
      this.#hidden = { from: now, leap, task: host.at(leap.until, `restarts of ${pod.metadata.name}`, due) };
    };
    // Conditions tell when a Deployment last had a pod that was ready: of its pods, the last one that was must be seen.
    if (kind !== 'ReplicaSet' || unready === undefined) wait(whole, show);
    else wait(butLast, () => (unwritten.isLastReady(uid, unready) ? show() : wait(whole, show)));
    unwritten.hide(loop.last.podUid);
    return true;
  }

  show(): ShownCrashes | undefined {
    const hidden = this.#hidden;
    if (hidden === undefined) return undefined;
    this.forget();
    const { loop } = hidden.leap;
    const now = this.#parts.host.now();
    const leap = now >= hidden.leap.until ? hidden.leap : leapOver(loop, hidden.from, this.chance, this.#parts, now).whole;
    if (leap === undefined) return { container: loop.last.name, waiting: undefined, next: now };
    applyLeap(leap, this.#parts);
    this.chance = leap.chance;
    return { container: loop.last.name, waiting: backOffOf(loop.request, this.#parts), next: leap.next };
  }

  forget(): void {
    if (this.#hidden !== undefined) this.#parts.host.world.unwritten.show(this.#hidden.leap.loop.last.podUid);
    this.#hidden?.task.cancel();
    this.#hidden = undefined;
    this.#loop = undefined;
  }
}

/** Whose other doings do not hang on how often a pod was restarted: a Job's do. */
const REPEATS: ReadonlySet<string> = new Set(['', 'ReplicaSet', 'StatefulSet', 'DaemonSet']);

function ownerOf(pod: KubeObject): { readonly kind: string; readonly uid: string } {
  const owner = asList(pod.metadata['ownerReferences']).find((reference) => dig(reference, 'controller') === true);
  return { kind: asText(dig(owner, 'kind')) ?? '', uid: asText(dig(owner, 'uid')) ?? '' };
}
