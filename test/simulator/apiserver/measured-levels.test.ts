import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import { create, failureOf, objectOf, send, shop } from '../shop.ts';

const level = (queuing: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name: 'slow' },
  spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing }, ...more } },
});

/** What `npm run differ` found about levels, flows and nodes by a real API server (1.36). */
test.each([
  [{ queues: -1, handSize: 4, queueLengthLimit: 20 }, 'queuing.queues: Invalid value: -1: must be positive'],
  [{ queues: 16, handSize: -1, queueLengthLimit: 20 }, 'queuing.handSize: Invalid value: -1: must be positive'],
  [{ queues: 16, handSize: 4, queueLengthLimit: -1 }, 'queuing.queueLengthLimit: Invalid value: -1: must be positive'],
  [{ queues: 16, handSize: 17, queueLengthLimit: 20 }, 'handSize: Invalid value: 17: should not be greater than queues (16)'],
])('the queues %j are refused', (queuing, words) => {
  expect(failureOf(create(shop(), level(queuing))).message).toContain(words);
});

test('the shares of a level are looked at before its queues', () => {
  const { message } = failureOf(create(shop(), level({ queues: -1, handSize: 4, queueLengthLimit: 20 }, { nominalConcurrencyShares: -1 })));
  expect(message.indexOf('nominalConcurrencyShares')).toBeLessThan(message.indexOf('queues'));
});

test('a namespace of a flow is one, or all', () => {
  const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['Shop'] };
  const subjects = [{ kind: 'User', user: { name: 'ada' } }];
  const spec = {
    matchingPrecedence: 9000,
    priorityLevelConfiguration: { name: 'workload-low' },
    rules: [{ subjects, resourceRules: [rule] }],
  };
  const flow = { apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind: 'FlowSchema', metadata: { name: 'slow' }, spec };
  expect(failureOf(create(shop(), flow)).message).toContain(
    'namespaces[0]: Invalid value: "Shop": each member of this list must be \'*\' or a DNS-1123 label; a lowercase RFC 1123 label',
  );
});

test('a patch of a list that has never had a member is taken as it is', () => {
  const cluster = shop();
  objectOf(
    create(
      cluster,
      { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name: 'one' }, spec: { drivers: null } },
      { tracksFields: true },
    ),
  );
  const patch = { type: 'strategic' as const, body: { spec: { drivers: [{ nodeID: 'a' }] } } };
  expect(failureOf(send(cluster, 'patch', 'CSINode', 'one', { patch, tracksFields: true })).message).toContain(
    'spec.drivers[0].name: Required value',
  );
});

test('a cluster begins with the levels of its server', () => {
  const cluster = shop();
  const names = (kind: string): readonly string[] =>
    asList(objectOf(send(cluster, 'list', kind, undefined))['items'])
      .map((item) => asText(dig(item, 'metadata', 'name')) ?? '')
      .toSorted();
  expect(names('PriorityLevelConfiguration')).toEqual([
    'catch-all',
    'exempt',
    'global-default',
    'leader-election',
    'node-high',
    'system',
    'workload-high',
    'workload-low',
  ]);
  expect(objectOf(send(cluster, 'get', 'PriorityLevelConfiguration', 'workload-low'))['spec']).toEqual({
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: 100,
      lendablePercent: 90,
      limitResponse: { type: 'Queue', queuing: { queues: 128, handSize: 6, queueLengthLimit: 50 } },
    },
  });
  expect(objectOf(send(cluster, 'get', 'PriorityLevelConfiguration', 'exempt'))['spec']).toEqual({
    type: 'Exempt',
    exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 },
  });
});

test.each([
  ['workload-low', 'False', 'Found', 'and it exists'],
  ['slow', 'True', 'NotFound', 'but there is no such object'],
])('a FlowSchema says whether the level %s is missing: %s', (name, status, reason, words) => {
  const cluster = shop();
  const spec = { matchingPrecedence: 9000, priorityLevelConfiguration: { name } };
  objectOf(create(cluster, { apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind: 'FlowSchema', metadata: { name: 'slow' }, spec }));
  cluster.advance(1000);
  const [condition] = asList(dig(objectOf(send(cluster, 'get', 'FlowSchema', 'slow')), 'status', 'conditions'));
  expect(condition).toMatchObject({ type: 'Dangling', status, reason });
  expect(dig(condition, 'message')).toContain(words);
});
