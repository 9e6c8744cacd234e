import { setTimeout as pause } from 'node:timers/promises';
import { largest } from '../../base/lists.ts';
import { withoutUndefined } from '../../base/without-undefined.ts';
import type { DueLook } from '../../watch/casebook.ts';
import { Casebook } from '../../watch/casebook.ts';
import { Gaps } from '../../watch/gaps.ts';
import { Inventory } from '../../watch/inventory.ts';
import type { Share } from '../../watch/share.ts';
import { WHOLE } from '../../watch/share.ts';
import { StageTimes } from '../../watch/stage-times.ts';
import type { Instant } from '../../base/instant.ts';
import type { FollowListener, WatchGap } from '../../model/followed.ts';
import { refOf } from '../../model/kube-object.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import type { Change, WatchView } from '../../model/watch-change.ts';
import type { SharedWork } from './shared-work.ts';

/** What a watcher may touch of the world. */
export interface WatchPorts {
  readonly clock: () => Instant;
  readonly signal: AbortSignal;
  /** Lists a kind and watches it until the signal is raised. */
  readonly follow: (followed: Followed, listener: FollowListener) => Promise<void>;
  /** A diagnosis of one workload; undefined where the cluster could not be asked. Never rejects. */
  readonly diagnose: (look: DueLook) => Promise<Diagnosis | undefined>;
  /** Told when something large was read and is not needed any more. */
  readonly tidy?: () => void;
  /** Told of changes in their order; done when they have arrived where they must not be lost. */
  readonly tell: (changes: readonly Change[]) => Promise<void>;
  /** Where the work is shared with others, or what was told is kept. */
  readonly shared: SharedWork | undefined;
}

export interface Followed {
  readonly kind: string;
  readonly namespace: string | undefined;
}

/** What is well and what is not at the moment, and how the watching goes. */
export interface Watching {
  readonly view: () => WatchView;
  /** Resolves when the signal is raised. */
  readonly done: Promise<void>;
}

const TICK_MILLISECONDS = 500;

/** Follows everything, has what is not well diagnosed, and tells what changes, until the signal is raised. */
export function startWatching(
  followed: readonly Followed[],
  { scope, most }: { readonly scope: string; readonly most: number },
  ports: WatchPorts,
): Watching {
  const [inventory, casebook, gaps, stageTimes] = [new Inventory(), new Casebook(most), new Gaps(), new StageTimes()];
  const { clock, signal, shared } = ports;
  const heard = new Map<string, Instant>();
  const settled = new Set<string>();
  const tell = (changes: readonly Change[]): void => {
    if (changes.length === 0) return;
    void ports.tell(changes).then(() => shared?.note(changes));
  };
  const presentShare = (): Share | undefined => (shared === undefined ? WHOLE : shared.share());
  const isComplete = (): boolean => settled.size === followed.length;

  function listenerFor({ kind, namespace }: Followed): FollowListener {
    const name = `${kind} ${namespace ?? ''}`;
    return {
      listing: () => inventory.listing(name),
      seen: (object) => {
        const pod = { isNew: !inventory.knows(object.metadata.uid), isOwn: () => presentShare()?.tells(refOf(object)) === true };
        if (kind === 'Pod') stageTimes.seen(object, pod, clock());
        inventory.seen(name, object, clock());
      },
      gone: (uid) => {
        stageTimes.gone(uid);
        inventory.gone(uid);
      },
      listed: () => {
        inventory.listed(name, kind, namespace);
        settled.add(name);
        ports.tidy?.();
      },
      gap: (gap: WatchGap | undefined) => {
        if (gap !== undefined) settled.add(name);
        tell(gaps.set(name, gap, clock()));
      },
      missed: (detail) => tell([{ type: 'missed', at: clock(), detail }]),
      heard: () => void heard.set(name, clock()),
    };
  }

  async function look(due: DueLook): Promise<void> {
    const diagnosis = await ports.diagnose(due);
    ports.tidy?.();
    if (!signal.aborted) tell(casebook.answered(due.ref, diagnosis, clock()));
  }

  function tick(): void {
    const now = clock();
    for (const [kind, gap] of Object.entries(shared?.gaps() ?? {})) tell(gaps.set(kind, gap, now));
    const share = presentShare();
    casebook.release((ref) => share?.shows(ref) ?? false);
    // Until all is listed, or listed again, a pod is seen without its owner; and without an answer nothing is well or ill.
    if (!isComplete() || share === undefined || gaps.isReturning(now)) return;
    casebook.restore(shared?.restored() ?? [], now);
    const [sick, provenAt] = [inventory.sickWorkloads(), inventory.provenAt(now)];
    tell(casebook.update({ sick, provenAt, exists: (ref) => existsIn(inventory, ref), isOwn: share.tells }, now));
    for (const due of casebook.due(now)) void look(due);
  }

  const ticking = (async () => {
    while (!signal.aborted) {
      tick();
      await pause(TICK_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    }
  })();
  const following = followed.map((one) => ports.follow(one, listenerFor(one)));
  return {
    view: () =>
      withoutUndefined({
        at: clock(),
        scope,
        complete: isComplete(),
        objects: inventory.size,
        courses: casebook.courses(),
        past: casebook.past(),
        pending: casebook.pending,
        gaps: gaps.open(),
        lagSeconds: largest([0, ...Array.from(heard.values(), (at) => (clock() - at) / 1000)]),
        shard: shared?.shard(),
        stageTimes: stageTimes.times(),
      }),
    done: Promise.all([ticking, ...following, shared?.done]).then(() => undefined),
  };
}

/** CronJobs are not followed, and whatever made a Job of one may come back with the next. */
function existsIn(inventory: Inventory, ref: ObjectRef): boolean {
  return ref.kind === 'CronJob' || ref.kind === 'ReplicationController' || inventory.has(ref);
}
