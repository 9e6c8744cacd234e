import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';
import { CLUSTER_ROLE_AGGREGATION_CONTROLLER } from '../../../src/simulator/controllers/cluster-role-aggregation.ts';

const KIND = 'clusterroles.rbac.authorization.k8s.io';

function cluster(): Cluster {
  return createCluster({ seed: 1, preset: 'no-nodes' }, { components: [CLUSTER_ROLE_AGGREGATION_CONTROLLER], freeze: true });
}

function role(name: string, more: JsonObject): JsonObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, labels: { 'shop.example/staff': 'true' } },
    rules: [],
    ...more,
  };
}

function put(shop: Cluster, ...roles: readonly JsonObject[]): void {
  for (const body of roles)
    shop.request({ verb: 'create', group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles', body });
  shop.runUntilSettled();
}

function rulesOf(shop: Cluster, name: string): number {
  return asList(shop.store.get(KIND, undefined, name)?.['rules']).length;
}

const READ_TILLS = { apiGroups: ['shop.example'], resources: ['tills'], verbs: ['get'] };
const STAFF = role('staff', {
  metadata: { name: 'staff' },
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'shop.example/staff': 'true' } }] },
});

test('the roles every cluster has are filled from the start', () => {
  const shop = cluster();
  expect(rulesOf(shop, 'view')).toBeGreaterThan(5);
  expect(rulesOf(shop, 'edit')).toBeGreaterThan(rulesOf(shop, 'view'));
  expect(rulesOf(shop, 'admin')).toBeGreaterThan(rulesOf(shop, 'edit'));
});

test('a role that is added or taken away changes those that select it', () => {
  const shop = cluster();
  put(shop, STAFF, role('cashier', { rules: [READ_TILLS] }), role('also-cashier', { rules: [READ_TILLS] }));
  expect(shop.store.get(KIND, undefined, 'staff')?.['rules']).toEqual([READ_TILLS]);
  for (const name of ['cashier', 'also-cashier'])
    shop.request({ verb: 'delete', group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles', name });
  shop.runUntilSettled();
  expect(rulesOf(shop, 'staff')).toBe(0);
});
