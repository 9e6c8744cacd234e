import { asText, dig } from '../../base/json.ts';
import type { Instant } from '../../base/instant.ts';
import { formatMilliseconds, parseInstant } from '../../base/instant.ts';
import type { WatchGap } from '../../model/followed.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { LeaseRecord } from '../../watch/members.ts';
import { LEASE_TIMES, Members } from '../../watch/members.ts';
import { slotName } from '../rbac/state-manifests.ts';
import type { LedgerPorts } from './told-ledger.ts';

export interface LeaseClocks {
  /** Milliseconds, by a clock that never jumps. */
  readonly elapsed: () => number;
  /** For the times in a Lease, which others compare and people read: as even as `elapsed`. */
  readonly clock: () => Instant;
}

/**
 * Holds one of so many Leases, and knows who holds the others. Where it may not read them, it works alone; where it may not write, it
 * cannot hold one.
 */
export class SlotLease {
  readonly members: Members;
  readonly #ports: LedgerPorts;
  readonly #clocks: LeaseClocks;
  readonly #slots: number;
  readonly #identity: string;
  #acquiredAt: Instant = 0;

  constructor(ports: LedgerPorts, clocks: LeaseClocks, { slots, identity }: { readonly slots: number; readonly identity: string }) {
    this.members = new Members(identity);
    this.#ports = ports;
    this.#clocks = clocks;
    this.#slots = slots;
    this.#identity = identity;
  }

  /** Renews its Lease, or takes one that is free, and reads all others; a gap where that is not possible. */
  async step(): Promise<WatchGap | undefined> {
    const found = new Map<number, KubeObject | undefined>();
    for (let slot = 0; slot < this.#slots; slot++) {
      const begun = this.#clocks.elapsed();
      const read = await this.#ports.reader.get(this.#ref(slot));
      if (!read.ok && read.why !== 'absent')
        return { ...this.#gap('get', read.detail), ...(read.needs === undefined ? {} : { needs: read.needs }) };
      const object = read.ok ? read.value : undefined;
      found.set(slot, object);
      const record = recordOf(object);
      const own = this.members.own(begun);
      if (own === slot && record.holder === this.#identity) {
        const gap = await this.#write(slot, object, begun);
        if (gap !== undefined) return gap;
      } else if (own === slot) this.members.lost();
      this.members.saw(slot, record, begun);
    }
    for (const [slot, object] of found) {
      const now = this.#clocks.elapsed();
      if (this.members.own(now) !== undefined) break;
      if (!this.members.isFree(slot, now)) continue;
      // What was read is from before it was there: the next step looks.
      return this.#write(slot, object, now);
    }
    this.members.looked(this.#clocks.elapsed());
    return undefined;
  }

  /** Lets others have it at once. */
  async release(): Promise<void> {
    const slot = this.members.own(this.#clocks.elapsed());
    if (slot === undefined) return;
    const read = await this.#ports.reader.get(this.#ref(slot));
    if (!read.ok || recordOf(read.value).holder !== this.#identity) return;
    this.members.lost();
    await this.#send(slot, read.value, { holderIdentity: '' });
  }

  async #write(slot: number, object: KubeObject | undefined, begun: number): Promise<WatchGap | undefined> {
    const isNew = this.members.own(begun) !== slot;
    const now = this.#clocks.clock();
    if (isNew) this.#acquiredAt = now;
    const written = await this.#send(slot, object, {
      holderIdentity: this.#identity,
      leaseDurationSeconds: Math.trunc(LEASE_TIMES.duration / 1000),
      acquireTime: microTime(this.#acquiredAt),
      renewTime: microTime(now),
    });
    if (written.ok) this.members.renewed(slot, begun);
    // Or another one was quicker.
    if (written.ok || written.reason === 'Conflict' || written.reason === 'AlreadyExists') return undefined;
    const needs = written.reason === 'Forbidden' ? { needs: `patch leases.coordination.k8s.io in ${this.#ports.namespace}` } : {};
    return { ...this.#gap('patch', written.message), ...needs };
  }

  #send(
    slot: number,
    object: KubeObject | undefined,
    spec: Readonly<Record<string, string | number>>,
  ): ReturnType<LedgerPorts['changer']['send']> {
    const { namespace, changer } = this.#ports;
    const name = slotName(slot);
    const resourceVersion = asText(dig(object, 'metadata', 'resourceVersion'));
    if (resourceVersion === undefined) {
      const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace }, spec };
      return changer.send({ verb: 'create', kind: 'Lease', namespace, name, body }, false);
    }
    return changer.send(
      { verb: 'patch', kind: 'Lease', namespace, name, resourceVersion, patch: { type: 'merge', body: { spec } } },
      false,
    );
  }

  #ref(slot: number): { readonly kind: string; readonly namespace: string; readonly name: string } {
    return { kind: 'Lease', namespace: this.#ports.namespace, name: slotName(slot) };
  }

  #gap(verb: WatchGap['verb'], detail: string): WatchGap {
    return { verb, resource: 'leases.coordination.k8s.io', namespace: this.#ports.namespace, detail };
  }
}

function recordOf(lease: KubeObject | undefined): LeaseRecord {
  return {
    holder: asText(dig(lease, 'spec', 'holderIdentity')) ?? '',
    acquiredAt: parseInstant(dig(lease, 'spec', 'acquireTime')),
    renewedAt: parseInstant(dig(lease, 'spec', 'renewTime')),
  };
}

/** Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/micro_time.go: six digits. */
function microTime(instant: Instant): string {
  return formatMilliseconds(instant).replace(/Z$/, '000Z');
}
