import { expect, test } from 'vitest';
import { parseInstant } from '../../../src/base/instant.ts';
import { asList, dig } from '../../../src/base/json.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';
import { create, namespace, objectOf, pod, send, shop } from '../shop.ts';
import { eventsOf, get } from './workshop.ts';

test('a pod that is ready when it comes to a node that is not is marked so', () => {
  const cluster = createCluster({ seed: 1, preset: 'one-node' });
  cluster.apply([namespace('shop')]);
  cluster.inject({ fault: 'part', part: 'machine', what: 'worker-1', with: { cniConfigMissing: true } });
  cluster.advance(30_000);
  cluster.inject({ fault: 'stop', process: 'kubelet', node: 'worker-1' });
  create(cluster, pod('web', { schedulerName: 'nobody', tolerations: [{ operator: 'Exists' }] }));
  const conditions = [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: '2026-11-20T09:00:00Z' }];
  send(cluster, 'patch', 'Pod', 'web', { patch: { type: 'merge', body: { status: { conditions } } }, subresource: 'status' });
  send(cluster, 'create', 'Pod', 'web', {
    subresource: 'binding',
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'web' }, target: { kind: 'Node', name: 'worker-1' } },
  });
  cluster.advance(2000);
  expect(asList(dig(get(cluster, 'Pod', 'web'), 'status', 'conditions')).find((one) => dig(one, 'type') === 'Ready')).toMatchObject({
    status: 'False',
  });
  expect(eventsOf(cluster, 'Pod', 'web')).toContain('Warning NodeNotReady Node is not ready');
});

test('the node a pod was nominated to is forgotten when it is bound', () => {
  const cluster = shop();
  create(cluster, pod('web'));
  send(cluster, 'patch', 'Pod', 'web', { patch: { type: 'merge', body: { status: { nominatedNodeName: 'oak' } } }, subresource: 'status' });
  expect(dig(objectOf(send(cluster, 'get', 'Pod', 'web')), 'status', 'nominatedNodeName')).toBe('oak');
  send(cluster, 'create', 'Pod', 'web', {
    subresource: 'binding',
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'web' }, target: { kind: 'Node', name: 'oak' } },
  });
  const bound = objectOf(send(cluster, 'get', 'Pod', 'web'));
  expect([dig(bound, 'spec', 'nodeName'), dig(bound, 'status', 'nominatedNodeName')]).toEqual(['oak', undefined]);
});

test('nodes of a zone that fall silent together are emptied one after the other, ten seconds apart', () => {
  const zone = (name: string, letter: string) => ({ name, labels: { 'topology.kubernetes.io/zone': `zone-${letter}` } });
  const lost = ['worker-1', 'worker-2', 'worker-3', 'worker-4'];
  const cluster = createCluster({ seed: 1, preset: { nodes: [...lost.map((name) => zone(name, 'a')), zone('worker-5', 'b')] } });
  for (const node of lost) cluster.inject({ fault: 'stop', process: 'kubelet', node });
  cluster.advance(120_000);
  const times = lost.map((name) => {
    const taints = asList(dig(cluster.store.get('nodes', undefined, name), 'spec', 'taints'));
    return (
      parseInstant(
        dig(
          taints.find((taint) => dig(taint, 'effect') === 'NoExecute'),
          'timeAdded',
        ),
      ) ?? 0
    );
  });
  expect(times.toSorted((a, b) => a - b).map((time) => time - Math.min(...times))).toEqual([0, 10_000, 20_000, 30_000]);
});
