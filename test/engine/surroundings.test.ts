import { describe, expect, it } from 'vitest';
import { surroundings } from '../../src/engine/surroundings.ts';
import type { Evidence, Finding } from '../../src/model/diagnosis.ts';
import type { Fact } from '../../src/model/fact.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import { formatRef } from '../../src/model/kube-object.ts';
import { fact, pod } from '../support/facts.ts';

function workload(kind: string, name: string): ObjectRef {
  return { kind, namespace: 'shop', name };
}

function named(refKind: string, refName: string, more: Fact['fields'] = {}, about = pod('web-a-1')): Fact {
  return fact('reference', about, { refKind, refName, via: 'volume', exists: true, ...more });
}

interface Scene {
  readonly ref: ObjectRef;
  readonly members: readonly ObjectRef[];
  readonly facts?: readonly Fact[];
  readonly cause?: Partial<Finding>;
}

function linksOf({ ref, members, facts = [], cause }: Scene): readonly string[] {
  const evidence = { at: 0, facts, gaps: [], targets: [] } as Evidence;
  const target = { ref, members, state: 'unhealthy' } as Evidence['targets'][number];
  const finding = cause === undefined ? undefined : ({ affected: [], ...cause } as unknown as Finding);
  return surroundings(evidence, target, finding).map(
    ({ from, to, how, missing }) => `${formatRef(from)} ${how} ${formatRef(to)}${missing === true ? ', which is missing' : ''}`,
  );
}

describe('the objects around a target', () => {
  it('hang below its topmost owner, each below the nearest that its name begins with', () => {
    const members = [pod('web-a-1'), workload('ReplicaSet', 'web-a'), workload('ReplicaSet', 'web-b'), pod('web-b-1')];
    expect(linksOf({ ref: workload('Deployment', 'web'), members })).toEqual([
      'Deployment/shop/web owns ReplicaSet/shop/web-a',
      'Deployment/shop/web owns ReplicaSet/shop/web-b',
      'ReplicaSet/shop/web-a owns Pod/shop/web-a-1',
      'ReplicaSet/shop/web-b owns Pod/shop/web-b-1',
    ]);
  });

  it.each(['StatefulSet', 'DaemonSet', 'Job', 'ReplicaSet'])('hang below a %s', (kind) => {
    expect(linksOf({ ref: pod('till-0'), members: [workload(kind, 'till')] })).toEqual([`${kind}/shop/till owns Pod/shop/till-0`]);
  });

  it('have Jobs below their CronJob', () => {
    expect(linksOf({ ref: workload('CronJob', 'nightly'), members: [workload('Job', 'nightly-1'), pod('nightly-1-x')] })).toEqual([
      'CronJob/shop/nightly owns Job/shop/nightly-1',
      'Job/shop/nightly-1 owns Pod/shop/nightly-1-x',
    ]);
  });

  it('have four pods: those of the cause first', () => {
    const members = [1, 2, 3, 4, 5, 6].map((number) => pod(`web-${String(number)}`));
    expect(linksOf({ ref: workload('DaemonSet', 'web'), members, cause: { affected: [pod('web-6')] } })).toEqual(
      [6, 1, 2, 3].map((number) => `DaemonSet/shop/web owns Pod/shop/web-${String(number)}`),
    );
  });

  it('have what they name once: missing ones first, twelve of them', () => {
    const ref = pod('web-a-1');
    const facts = [
      named('ConfigMap', 'a'),
      named('ConfigMap', 'a'),
      named('Secret', 'b', { exists: false, via: 'env' }),
      named('ConfigMap', 'c', {}, pod('other')),
    ];
    expect(linksOf({ ref, members: [], facts })).toEqual([
      'Pod/shop/web-a-1 env Secret/shop/b, which is missing',
      'Pod/shop/web-a-1 volume ConfigMap/shop/a',
    ]);
    expect(
      linksOf({
        ref,
        members: [],
        facts: ['a', 'b', 'c', 'd'].map((name) => named('ConfigMap', name, { exists: !'bd'.includes(name) })),
      }).map((link) => link.split('ConfigMap/shop/')[1]),
    ).toEqual(['b, which is missing', 'd, which is missing', 'a', 'c']);
    const many = Array.from({ length: 14 }, (_, index) => named('ConfigMap', `c${String(index)}`));
    expect(linksOf({ ref, members: [], facts: many })).toHaveLength(12);
  });

  it.each(['CSIDriver', 'PriorityClass', 'RuntimeClass', 'ClusterRole'])('name a %s outside of their namespace', (kind) => {
    expect(linksOf({ ref: pod('web-a-1'), members: [], facts: [named(kind, 'a')] })).toEqual([`Pod/shop/web-a-1 volume ${kind}/a`]);
  });

  it('depend on the object at fault, unless it is there already', () => {
    const ref = pod('web-a-1');
    const object = { kind: 'Node', name: 'worker-1' };
    expect(linksOf({ ref, members: [], cause: { object } })).toEqual(['Pod/shop/web-a-1 depends on Node/worker-1']);
    expect(linksOf({ ref, members: [], cause: { object: ref } })).toEqual([]);
    const map = { kind: 'ConfigMap', namespace: 'shop', name: 'a' };
    expect(linksOf({ ref, members: [], facts: [named('ConfigMap', 'a')], cause: { object: map } })).toHaveLength(1);
    expect(linksOf({ ref: workload('Deployment', 'web'), members: [pod('web-1')], cause: { object: pod('web-1') } })).toEqual([
      'Deployment/shop/web owns Pod/shop/web-1',
    ]);
  });
});
