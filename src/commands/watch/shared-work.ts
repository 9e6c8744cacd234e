import { setTimeout as pause } from 'node:timers/promises';
import type { WatchGap } from '../../model/followed.ts';
import type { Change, Course, ShardInfo } from '../../model/watch-change.ts';
import { LEASE_TIMES } from '../../watch/members.ts';
import type { Share } from '../../watch/share.ts';
import { commonShare, WHOLE } from '../../watch/share.ts';
import type { LeaseClocks } from './slot-lease.ts';
import { SlotLease } from './slot-lease.ts';
import type { LedgerPorts } from './told-ledger.ts';
import { ToldLedger } from './told-ledger.ts';

/** Of which workloads a replica tells the causes, and what of them was told before. */
export interface SharedWork {
  /** Undefined while it has no share: then nothing is diagnosed. */
  readonly share: () => Share | undefined;
  /** Causes that were told before, of workloads that came to the share since this was last asked. */
  readonly restored: () => readonly Course[];
  readonly note: (changes: readonly Change[]) => void;
  /** What the cluster does not allow or do, by the kind of object. */
  readonly gaps: () => Readonly<Record<'leases' | 'configmaps', WatchGap | undefined>>;
  readonly shard: () => ShardInfo | undefined;
  /** Resolves once the signal is raised, and all is written. */
  readonly done: Promise<void>;
}

const STEP_MILLISECONDS = 500;

/** Shares the work with other replicas by Leases, and keeps what was told in ConfigMaps, until the signal is raised. */
export function shareWork(
  ports: LedgerPorts,
  wish: { readonly slots: number; readonly identity: string },
  { signal, ...clocks }: LeaseClocks & { readonly signal: AbortSignal },
): SharedWork {
  const work = new Work(ports, clocks, wish);
  const done = (async () => {
    while (!signal.aborted) {
      await work.step();
      await pause(STEP_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    }
    await work.end();
  })();
  return {
    share: () => work.share(),
    restored: () => work.restored(),
    note: (changes) => work.note(changes),
    gaps: () => work.gaps,
    shard: () => work.shard(),
    done,
  };
}

class Work {
  readonly gaps: Record<'leases' | 'configmaps', WatchGap | undefined> = { leases: undefined, configmaps: undefined };
  readonly #lease: SlotLease;
  readonly #ledger: ToldLedger;
  readonly #clocks: LeaseClocks;
  readonly #slots: number;
  #steppedAt = -Infinity;
  /** The share of which it knows what was told. */
  #known: Share | undefined;
  #restored: readonly Course[] = [];
  /** The Leases may not be used: everybody does all. */
  #isAlone = false;

  constructor(ports: LedgerPorts, clocks: LeaseClocks, wish: { readonly slots: number; readonly identity: string }) {
    this.#lease = new SlotLease(ports, clocks, wish);
    this.#ledger = new ToldLedger(ports);
    this.#clocks = clocks;
    this.#slots = wish.slots;
  }

  share(): Share | undefined {
    const present = this.#present();
    return present === undefined || this.#known === undefined ? undefined : commonShare(this.#known, present);
  }

  restored(): readonly Course[] {
    const restored = this.#restored;
    this.#restored = [];
    return restored;
  }

  shard(): ShardInfo | undefined {
    const now = this.#clocks.elapsed();
    const own = this.#lease.members.own(now);
    return own === undefined ? undefined : { shard: own, of: this.#lease.members.size(now) };
  }

  note(changes: readonly Change[]): void {
    const share = this.share();
    // A webhook may have taken its time, and others have the workload by now.
    this.#ledger.note(changes.filter((change) => 'course' in change && share?.shows(change.course.cause.workload)));
  }

  async step(): Promise<void> {
    const { elapsed } = this.#clocks;
    const before = this.#lease.members.own(elapsed());
    if (elapsed() - this.#steppedAt >= LEASE_TIMES.retry) {
      this.#steppedAt = elapsed();
      this.gaps.leases = await this.#lease.step();
      this.#isAlone = this.gaps.leases?.needs !== undefined;
      const own = this.#lease.members.own(elapsed());
      // Who has just got its Lease looks again at once.
      if (own !== undefined && before === undefined) this.#steppedAt = -Infinity;
    }
    await this.#learn();
    const own = this.#own();
    if (own !== undefined && this.#ledger.isBehind) this.gaps.configmaps = await this.#ledger.flush(own);
  }

  async end(): Promise<void> {
    const own = this.#own();
    if (own !== undefined && this.#ledger.isBehind) await this.#ledger.flush(own);
    await this.#lease.release();
  }

  /** Reads what was told of the workloads that are new in the share. */
  async #learn(): Promise<void> {
    const [present, own] = [this.#present(), this.#own()];
    if (present?.id === this.#known?.id) return;
    if (present === undefined || own === undefined) {
      // Whoever has them from now on knows more of them.
      this.#known = undefined;
      this.#ledger.release(() => false);
      return;
    }
    this.#ledger.release(present.shows);
    const taken = await this.#ledger.take(own, this.#slots, present.tells);
    if ('verb' in taken) {
      this.gaps.configmaps = taken;
      // What may not be read is not waited for.
      if (taken.needs === undefined) return;
    } else {
      this.#restored = [...this.#restored, ...taken];
      if (this.gaps.configmaps?.verb === 'get') this.gaps.configmaps = undefined;
    }
    this.#known = present;
  }

  #present(): Share | undefined {
    return this.#isAlone ? WHOLE : this.#lease.members.share(this.#clocks.elapsed());
  }

  #own(): number | undefined {
    return this.#isAlone ? 0 : this.#lease.members.own(this.#clocks.elapsed());
  }
}
