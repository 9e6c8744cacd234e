import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';
import { DISRUPTION_CONTROLLER } from '../../../src/simulator/controllers/disruption/disruption.ts';
import { create, namespace, pod, send } from '../shop.ts';

const BUDGETS = 'poddisruptionbudgets.policy';

function cluster(): Cluster {
  const objects = [namespace('shop'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'shop' } }];
  return createCluster({ seed: 1, preset: 'no-nodes', objects }, { components: [DISRUPTION_CONTROLLER], freeze: true });
}

function budget(name: string, spec: JsonObject): JsonObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: 'shop' },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  };
}

/** A ready pod with the label app=web. */
function readyPod(shop: Cluster, name: string, owner?: JsonObject): void {
  const made = pod(name);
  create(shop, {
    ...made,
    metadata: { name, namespace: 'shop', labels: { app: 'web' }, ...(owner === undefined ? {} : { ownerReferences: [owner] }) },
  });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  send(shop, 'patch', 'Pod', name, { subresource: 'status', patch: { type: 'merge', body: { status } } });
}

function statusOf(shop: Cluster, name: string): JsonObject {
  return dig(shop.store.get(BUDGETS, 'shop', name), 'status') as JsonObject;
}

function verdict(shop: Cluster, name: string): string {
  return asList(statusOf(shop, name)['conditions'])
    .map((one) => `${asText(dig(one, 'status'))} ${asText(dig(one, 'reason'))}`)
    .join();
}

function eventsOf(shop: Cluster, name: string): readonly string[] {
  return shop.store
    .list('events')
    .filter((event) => dig(event, 'involvedObject', 'name') === name)
    .map(
      (event) =>
        `${asText(event['type'])} ${asText(event['reason'])} ${asText(dig(event, 'source', 'component'))} ${asText(event['message'])}`,
    );
}

function setOf(shop: Cluster, replicas: number): JsonObject {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'shop/web:1.0' }] } };
  const answer = create(shop, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, template },
  });
  if (!answer.ok) throw new Error(answer.message);
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: answer.object.metadata.uid ?? '', controller: true };
}

test('a budget without pods allows nothing and says that it found none', () => {
  const shop = cluster();
  create(shop, budget('web', { minAvailable: 1 }));
  shop.runUntilSettled();
  expect(statusOf(shop, 'web')).toMatchObject({
    observedGeneration: 1,
    disruptionsAllowed: 0,
    currentHealthy: 0,
    desiredHealthy: 1,
    expectedPods: 0,
  });
  expect(verdict(shop, 'web')).toBe('False InsufficientPods');
  expect(eventsOf(shop, 'web')).toEqual(['Normal NoPods controllermanager No matching pods found']);
});

test('healthy pods beyond the minimum may be evicted, each once', () => {
  const shop = cluster();
  create(shop, budget('web', { minAvailable: 1 }));
  for (const name of ['web-1', 'web-2', 'web-3']) readyPod(shop, name);
  shop.runUntilSettled();
  expect(statusOf(shop, 'web')).toMatchObject({ disruptionsAllowed: 2, currentHealthy: 3, expectedPods: 3 });
  const evict = (name: string): boolean =>
    send(shop, 'create', 'Pod', name, {
      subresource: 'eviction',
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'shop' } },
    }).ok;
  expect(['web-1', 'web-2', 'web-3'].map(evict)).toEqual([true, true, false]);
  shop.runUntilSettled();
  expect(statusOf(shop, 'web')).toMatchObject({ disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 });
});

test('a percentage is of what the controllers of the pods want, rounded up', () => {
  const shop = cluster();
  const owner = setOf(shop, 4);
  create(shop, budget('web', { maxUnavailable: '30%' }));
  for (const name of ['web-1', 'web-2', 'web-3']) readyPod(shop, name, owner);
  shop.runUntilSettled();
  expect(statusOf(shop, 'web')).toMatchObject({ expectedPods: 4, desiredHealthy: 2, currentHealthy: 3, disruptionsAllowed: 1 });
});

test('pods of a controller that cannot be scaled make a percentage fail', () => {
  const shop = cluster();
  create(shop, budget('web', { maxUnavailable: 1 }));
  readyPod(shop, 'web-1', { apiVersion: 'batch/v1', kind: 'Job', name: 'web', uid: 'b2c7', controller: true });
  shop.runUntilSettled();
  expect(verdict(shop, 'web')).toBe('False SyncFailed');
  expect(eventsOf(shop, 'web')).toContain(
    'Warning CalculateExpectedPodCountFailed controllermanager Failed to calculate the number of expected pods: found no controllers for pod "web-1"',
  );
});

test('pods without a controller are named as such', () => {
  const shop = cluster();
  create(shop, budget('web', { maxUnavailable: 1 }));
  readyPod(shop, 'web-1');
  shop.runUntilSettled();
  expect(
    eventsOf(shop, 'web').some((event) =>
      event.startsWith(
        'Warning UnmanagedPods controllermanager Pods selected by this PodDisruptionBudget (selector: app=web) were found to be unmanaged.',
      ),
    ),
  ).toBe(true);
});

test('of two budgets for a pod one is chosen', () => {
  const shop = cluster();
  create(shop, budget('first', { minAvailable: 1 }));
  create(shop, budget('second', { minAvailable: 1 }));
  shop.runUntilSettled();
  readyPod(shop, 'web-1');
  shop.runUntilSettled();
  expect(eventsOf(shop, 'web-1')[0]).toBe(
    'Warning MultiplePodDisruptionBudgets controllermanager Pod "shop"/"web-1" matches multiple PodDisruptionBudgets.  Chose "first" arbitrarily.',
  );
  expect(statusOf(shop, 'first')['currentHealthy']).toBe(1);
});
