import { expect, test } from 'vitest';
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
