import { describe, expect, test } from 'vitest';
import { asList, dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { create, pod, send } from '../shop.ts';
import { eventsOf, node, nodeOf, requesting, schedulingShop, whyNot } from './scheduling.ts';

describe('preemption', () => {
  const high = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'orders-first' }, value: 1000 };

  test('a more important pod takes the place of as little as has to go', () => {
    const cluster = schedulingShop([node('worker-1'), high]);
    create(cluster, pod('report-1', {}, requesting('1')));
    create(cluster, pod('report-2', {}, requesting('500m')));
    cluster.runUntilSettled();
    create(cluster, pod('order-1', { priorityClassName: 'orders-first' }, requesting('1')));
    cluster.runUntilSettled();
    const victim = cluster.store.get('pods', 'shop', 'report-2');
    expect(victim?.metadata['deletionTimestamp']).toBeDefined();
    expect(asList(dig(victim, 'status', 'conditions')).map((condition) => dig(condition, 'reason'))).toContain('PreemptionByScheduler');
    expect(cluster.store.get('pods', 'shop', 'report-1')?.metadata['deletionTimestamp']).toBeUndefined();
    const order = cluster.store.get('pods', 'shop', 'order-1');
    expect(dig(order, 'status', 'nominatedNodeName')).toBe('worker-1');
    expect(whyNot(cluster, 'order-1')).toBe('0/1 nodes are available: 1 Insufficient cpu.');
    expect(eventsOf(cluster, 'report-2').map((event) => event['message'])).toContain(
      `Preempted by pod ${order?.metadata.uid ?? ''} on node worker-1`,
    );
    send(cluster, 'delete', 'Pod', 'report-2', { delete: { gracePeriodSeconds: 0 } });
    cluster.runUntilSettled();
    expect(nodeOf(cluster, 'order-1')).toBe('worker-1');
  });

  test('a pod that a PodDisruptionBudget keeps goes only where no other will do', () => {
    const [low, budget] = [
      { ...high, metadata: { name: 'reports' }, value: 10 },
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'reports', namespace: 'shop' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'report' } } },
      },
    ];
    const reports = (): Cluster => {
      const cluster = schedulingShop([node('worker-1'), node('worker-2'), high, low, budget]);
      // Without the budget the less important one would go.
      create(cluster, {
        ...pod('report-1', { nodeSelector: { 'kubernetes.io/hostname': 'worker-1' } }, requesting('2')),
        metadata: { name: 'report-1', namespace: 'shop', labels: { app: 'report' } },
      });
      create(
        cluster,
        pod('batch-1', { priorityClassName: 'reports', nodeSelector: { 'kubernetes.io/hostname': 'worker-2' } }, requesting('2')),
      );
      cluster.runUntilSettled();
      return cluster;
    };
    const victims = (cluster: Cluster): readonly string[] =>
      cluster.store
        .list('pods', 'shop')
        .filter(({ metadata }) => metadata['deletionTimestamp'] !== undefined)
        .map(({ metadata }) => metadata.name);
    const spared = reports();
    create(spared, pod('order-1', { priorityClassName: 'orders-first' }, requesting('1')));
    spared.runUntilSettled();
    expect(victims(spared)).toEqual(['batch-1']);
    const allowed = reports();
    send(allowed, 'patch', 'PodDisruptionBudget', 'reports', {
      subresource: 'status',
      patch: { type: 'merge', body: { status: { disruptionsAllowed: 1 } } },
    });
    create(allowed, pod('order-1', { priorityClassName: 'orders-first' }, requesting('1')));
    allowed.runUntilSettled();
    expect(victims(allowed)).toEqual(['report-1']);
    const forced = reports();
    create(
      forced,
      pod('order-1', { priorityClassName: 'orders-first', nodeSelector: { 'kubernetes.io/hostname': 'worker-1' } }, requesting('1')),
    );
    forced.runUntilSettled();
    expect(victims(forced)).toEqual(['report-1']);
  });

  describe('budgets', () => {
    const low = { ...high, metadata: { name: 'reports' }, value: 10 };
    const budgetIn = (namespace: string) => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'reports', namespace },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'report' } } },
    });
    /** Of a report that a budget of this namespace may keep, and a more important batch job, what goes. */
    const victim = (namespace: string, status: Readonly<Record<string, unknown>> = {}): readonly string[] => {
      const cluster = schedulingShop([node('worker-1'), high, low, budgetIn(namespace)]);
      const report = { name: 'report-1', namespace: 'shop', labels: { app: 'report' } };
      create(cluster, { ...pod('report-1', {}, requesting('1')), metadata: report });
      create(cluster, pod('batch-1', { priorityClassName: 'reports' }, requesting('1')));
      cluster.runUntilSettled();
      if (Object.keys(status).length > 0)
        send(cluster, 'patch', 'PodDisruptionBudget', 'reports', {
          subresource: 'status',
          patch: { type: 'merge', body: { status: { disruptionsAllowed: 0, ...status } } },
        });
      create(cluster, pod('order-1', { priorityClassName: 'orders-first' }, requesting('1')));
      cluster.runUntilSettled();
      return cluster.store
        .list('pods', 'shop')
        .filter(({ metadata }) => metadata['deletionTimestamp'] !== undefined)
        .map(({ metadata }) => metadata.name);
    };

    test('of the pods of a node, one that a budget keeps stays before one that is more important', () => {
      expect(victim('shop')).toEqual(['batch-1']);
    });

    test('a budget keeps no pods of another namespace, and none whose disruption it has counted already', () => {
      expect(victim('default')).toEqual(['report-1']);
      expect(victim('shop', { disruptedPods: { 'report-1': '2026-11-20T09:00:00Z' } })).toEqual(['report-1']);
    });
  });

  test('room made for one pod is not given to another of lower priority', () => {
    const cluster = schedulingShop([node('worker-1'), high]);
    create(cluster, pod('report-1', {}, requesting('2')));
    cluster.runUntilSettled();
    create(cluster, pod('order-1', { priorityClassName: 'orders-first' }, requesting('2')));
    cluster.runUntilSettled();
    create(cluster, pod('report-2', {}, requesting('2')));
    send(cluster, 'delete', 'Pod', 'report-1', { delete: { gracePeriodSeconds: 0 } });
    cluster.runUntilSettled();
    expect([nodeOf(cluster, 'order-1'), nodeOf(cluster, 'report-2')]).toEqual(['worker-1', '']);
  });
});
