import { describe, expect, it } from 'vitest';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import type { LeaseRecord } from '../../src/watch/members.ts';
import { LEASE_TIMES, Members } from '../../src/watch/members.ts';
import { shareOf } from '../../src/watch/share.ts';

const START = Date.parse('2026-11-20T09:00:00Z');
const WORKLOADS: readonly ObjectRef[] = Array.from({ length: 200 }, (_, number) => ({
  kind: 'Deployment',
  namespace: `team-${number}`,
  name: 'web',
}));

/** Three Leases, and replicas that hold them by a clock that the test moves. */
class Leases {
  now = 0;
  readonly records: LeaseRecord[] = Array.from({ length: 3 }, () => ({ holder: '', acquiredAt: undefined, renewedAt: undefined }));
  readonly replicas = new Map<string, Members>();

  /** What a replica does every two seconds. */
  step(name: string): void {
    const members = this.replicas.get(name) ?? new Members(name);
    this.replicas.set(name, members);
    // The clock of each is wrong by another hour.
    const clock = START + this.now + this.replicas.size * 3_600_000;
    for (const [slot, record] of this.records.entries()) {
      if (members.own(this.now) === slot && record.holder === name) {
        this.records[slot] = { ...record, renewedAt: clock };
        members.renewed(slot, this.now);
      } else if (members.own(this.now) === slot) members.lost();
      members.saw(slot, this.records[slot] ?? record, this.now);
    }
    for (const slot of this.records.keys()) {
      if (members.own(this.now) !== undefined) break;
      if (!members.isFree(slot, this.now)) continue;
      this.records[slot] = { holder: name, acquiredAt: clock, renewedAt: clock };
      members.renewed(slot, this.now);
      return;
    }
    members.looked(this.now);
  }

  /** Lets the named replicas live for some seconds, one after the other. No two ever tell the same. */
  pass(seconds: number, ...names: readonly string[]): void {
    for (let half = 0; half < seconds * 2; half++) {
      this.now += 500;
      for (const [index, name] of names.entries()) if ((half + index) % 4 === 0) this.step(name);
      for (const workload of WORKLOADS) expect(this.tellers(workload).length).toBeLessThan(2);
    }
  }

  tellers(workload: ObjectRef): readonly string[] {
    return [...this.replicas].filter(([, members]) => members.share(this.now)?.tells(workload)).map(([name]) => name);
  }

  /** Workloads that each replica tells of. */
  counts(): Readonly<Record<string, number>> {
    const told = WORKLOADS.flatMap((workload) => this.tellers(workload));
    return Object.fromEntries([...this.replicas.keys()].map((name) => [name, told.filter((teller) => teller === name).length]));
  }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

describe('replicas that share the work', () => {
  it('tell of all workloads, each of about a third', () => {
    const leases = new Leases();
    leases.pass(30, 'a', 'b', 'c');
    expect(sum(leases.counts())).toBe(WORKLOADS.length);
    for (const count of Object.values(leases.counts())) expect(count).toBeGreaterThan(40);
  });

  it('take over what a lost one had, within 15 s, and nothing else moves', () => {
    const leases = new Leases();
    leases.pass(30, 'a', 'b', 'c');
    const before = WORKLOADS.map((workload) => leases.tellers(workload));
    leases.pass(15, 'a', 'b');
    expect(leases.counts()['c']).toBe(0);
    expect(sum(leases.counts())).toBe(WORKLOADS.length);
    for (const [index, workload] of WORKLOADS.entries())
      if (before[index]?.[0] !== 'c') expect(leases.tellers(workload)).toEqual(before[index]);
  });

  it('who was alone tells of all at once; a newcomer waits until everybody knows of it', () => {
    const leases = new Leases();
    leases.pass(4, 'a');
    expect(leases.counts()).toEqual({ a: WORKLOADS.length });
    leases.pass(10, 'a', 'b');
    expect(leases.counts()['b']).toBe(0);
    leases.pass(10, 'a', 'b');
    expect(leases.counts()['b']).toBeGreaterThan(60);
    expect(sum(leases.counts())).toBe(WORKLOADS.length);
  });

  it('tells nothing where it could not renew its Lease, before another one has it', () => {
    const leases = new Leases();
    leases.pass(30, 'a', 'b');
    leases.pass(LEASE_TIMES.deadline / 1000, 'b');
    expect(leases.replicas.get('a')?.share(leases.now)).toBeUndefined();
    leases.pass(30, 'a', 'b');
    expect(sum(leases.counts())).toBe(WORKLOADS.length);
  });

  it('who comes when all Leases are held waits for one', () => {
    const leases = new Leases();
    leases.pass(10, 'a', 'b', 'c');
    leases.pass(30, 'a', 'b', 'c', 'd');
    expect(leases.counts()['d']).toBe(0);
    leases.pass(30, 'b', 'c', 'd');
    expect(leases.counts()['d']).toBeGreaterThan(40);
    expect(sum(leases.counts())).toBe(WORKLOADS.length);
  });
});

describe('a share', () => {
  it('keeps what belongs to one namespace together, and spreads nodes', () => {
    const share = shareOf(0, { live: [0, 1, 2], settled: [0, 1, 2] });
    for (const { namespace = '' } of WORKLOADS) {
      const told = ['web', 'till', 'cart'].map((name) => share.tells({ kind: 'Deployment', namespace, name }));
      expect(new Set(told).size).toBe(1);
    }
    const nodes = WORKLOADS.map((_, number) => share.tells({ kind: 'Node', name: `worker-${number}` }));
    expect(new Set(nodes)).toEqual(new Set([true, false]));
  });
});
