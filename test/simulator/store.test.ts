import { expect, test } from 'vitest';
import { withPath } from '../../src/base/json-edit.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import type { Change } from '../../src/simulator/store/store.ts';
import { Store } from '../../src/simulator/store/store.ts';

function pod(name: string, node?: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop' }, spec: node === undefined ? {} : { nodeName: node } };
}

function storeAt(clock: { now: number }): Store {
  return new Store({ now: () => clock.now, freeze: true, historyMilliseconds: 300_000 });
}

test('every change has a revision of its own, whatever its resource', () => {
  const store = storeAt({ now: 0 });
  const web = store.create('pods', pod('web'));
  const config = store.create('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'app-config', namespace: 'shop' } });
  const changed = store.update('pods', withPath(web, ['spec', 'nodeName'], 'worker-1'));
  expect([web, config, changed].map((object) => Number(object.metadata['resourceVersion']))).toEqual([2, 3, 4]);
  expect(store.revision).toBe(4);
});

test('what was read before an update is not changed by it', () => {
  const store = storeAt({ now: 0 });
  const before = store.create('pods', pod('web'));
  store.update('pods', withPath(before, ['spec', 'nodeName'], 'worker-1'));
  expect(before['spec']).toEqual({});
});

test('a list is in the order of keys, of all namespaces or one', () => {
  const store = storeAt({ now: 0 });
  for (const name of ['c', 'a', 'b']) store.create('pods', pod(name));
  store.create('pods', { ...pod('z'), metadata: { name: 'z', namespace: 'cellar' } });
  expect(store.list('pods').map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`)).toEqual([
    'cellar/z',
    'shop/a',
    'shop/b',
    'shop/c',
  ]);
  expect(store.list('pods', 'shop').map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
});

test('a watcher of a node is told of the pods that come to it and go from it, and of no others', () => {
  const store = storeAt({ now: 0 });
  const told: string[] = [];
  store.subscribe('pods', (change) => void told.push(`${change.type} ${change.object.metadata.name}`), { partition: 'worker-1' });
  store.create('pods', pod('elsewhere', 'worker-2'));
  const web = store.create('pods', pod('web'));
  store.update('pods', withPath(web, ['spec', 'nodeName'], 'worker-1'));
  store.delete('pods', 'shop', 'web');
  expect(told).toEqual(['MODIFIED web', 'DELETED web']);
  expect(store.listPartition('pods', 'worker-2').map(({ metadata }) => metadata.name)).toEqual(['elsewhere']);
  expect(store.listPartition('pods', 'worker-1')).toEqual([]);
});

test('the watchers of both nodes are told of a pod that goes from one to the other, and each once of any other change', () => {
  const store = storeAt({ now: 0 });
  const told: string[] = [];
  for (const node of ['worker-1', 'worker-2'])
    store.subscribe('pods', ({ type, object }) => void told.push(`${node}: ${type} ${object.metadata.name}`), { partition: node });
  const web = store.create('pods', pod('web', 'worker-1'));
  store.update('pods', withPath(web, ['spec', 'nodeName'], 'worker-2'));
  store.update('pods', withPath(web, ['spec'], { nodeName: 'worker-2', priority: 1 }));
  expect(told).toEqual(['worker-1: ADDED web', 'worker-2: MODIFIED web', 'worker-1: MODIFIED web', 'worker-2: MODIFIED web']);
  expect(['worker-1', 'worker-2'].map((node) => store.listPartition('pods', node).length)).toEqual([0, 1]);
});

test('a watch can start in the past, until the past is compacted away', () => {
  const store = storeAt({ now: 0 });
  for (const name of ['a', 'b', 'c']) store.create('pods', pod(name));
  expect(store.changesSince('pods', 2)?.map((change: Change) => change.object.metadata.name)).toEqual(['b', 'c']);
  store.compact(3);
  expect(store.changesSince('pods', 2)).toBeUndefined();
  expect(store.changesSince('pods', 3)?.map((change) => change.object.metadata.name)).toEqual(['c']);
});

test('changes are forgotten five minutes later, when something changes', () => {
  const clock = { now: 0 };
  const store = storeAt(clock);
  store.create('pods', pod('a'));
  clock.now = 301_000;
  store.create('pods', pod('b'));
  expect(store.changesSince('pods', 1)).toBeUndefined();
  expect(store.changesSince('pods', 2)).toHaveLength(1);
});

test('a component that changes a shared object fails at once when objects are frozen', () => {
  const store = storeAt({ now: 0 });
  const stored = store.create('pods', pod('web')) as unknown as { spec: { nodeName?: string } };
  expect(() => {
    stored.spec.nodeName = 'worker-1';
  }).toThrow(TypeError);
});
