import { describe, expect, test } from 'vitest';
import { asNumber, asText, dig } from '../../../src/base/json.ts';
import { objectOf, send } from '../shop.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { apply, db, eventsOf, exists, get, list, names, workshop } from './workshop.ts';

const NEW_TEMPLATE = { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'db', image: 'shop/db:2.0' }] } };

function setReady(cluster: Cluster, pod: string, status: 'True' | 'False'): void {
  const body = { status: { conditions: [{ type: 'Ready', status }] } };
  objectOf(send(cluster, 'patch', 'Pod', pod, { subresource: 'status', patch: { type: 'strategic', body } }));
}

/** A pod with a finalizer is still there after it was deleted. */
function setFinalizers(cluster: Cluster, pod: string, finalizers: readonly string[] | null): void {
  objectOf(send(cluster, 'patch', 'Pod', pod, { patch: { type: 'merge', body: { metadata: { finalizers } } } }));
}

function isDeleted(cluster: Cluster, pod: string): boolean {
  return get(cluster, 'Pod', pod).metadata['deletionTimestamp'] !== undefined;
}

function imagesOf(cluster: Cluster): readonly unknown[] {
  return list(cluster, 'Pod').map((one) => [one.metadata.name, dig(one, 'spec', 'containers', 0, 'image')]);
}

/** The pods that the StatefulSet has deleted, in their order. */
function deletions(cluster: Cluster): readonly string[] {
  const events = list(cluster, 'Event').flatMap((event) => {
    const pod = /Delete Pod (\S+)/.exec(asText(event['message']) ?? '')?.[1];
    return pod === undefined
      ? []
      : Array.from({ length: asNumber(event['count']) ?? 1 }, () => [Number(event.metadata.resourceVersion), pod] as const);
  });
  return events.sort(([a], [b]) => a - b).map(([, pod]) => pod);
}

describe('StatefulSets and DaemonSets', () => {
  test('pods come one after the other, each with its claim', () => {
    const cluster = workshop();
    apply(cluster, [
      db({
        volumeClaimTemplates: [
          { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
        ],
      }),
    ]);
    expect(names(cluster, 'Pod')).toEqual(['db-0', 'db-1']);
    expect(names(cluster, 'PersistentVolumeClaim')).toEqual(['data-db-0', 'data-db-1']);
    expect(eventsOf(cluster, 'StatefulSet', 'db')).toEqual([
      'Normal SuccessfulCreate Create Claim data-db-0 Pod db-0 in StatefulSet db success',
      'Normal SuccessfulCreate Create Pod db-0 in StatefulSet db successful',
      'Normal SuccessfulCreate Create Claim data-db-1 Pod db-1 in StatefulSet db success',
      'Normal SuccessfulCreate Create Pod db-1 in StatefulSet db successful',
    ]);
    expect(get(cluster, 'Pod', 'db-0').metadata['labels']).toMatchObject({
      'apps.kubernetes.io/pod-index': '0',
      'statefulset.kubernetes.io/pod-name': 'db-0',
    });
  });

  test('a pod that is never ready keeps its successors away, and nothing says so', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [db()], 60_000);
    expect(names(cluster, 'Pod')).toEqual(['db-0']);
    expect(dig(get(cluster, 'StatefulSet', 'db'), 'status')).toMatchObject({
      replicas: 1,
      currentReplicas: 1,
      updatedReplicas: 1,
      availableReplicas: 0,
    });
    expect(eventsOf(cluster, 'StatefulSet', 'db')).toHaveLength(1);
  });

  test('with Parallel all come at once', () => {
    const cluster = workshop({ preset: 'no-nodes' });
    apply(cluster, [db({ podManagementPolicy: 'Parallel' })]);
    expect(names(cluster, 'Pod')).toEqual(['db-0', 'db-1']);
  });

  test('a new template replaces pods from the highest number down', () => {
    const cluster = workshop();
    apply(cluster, [db()]);
    apply(cluster, [db({ template: NEW_TEMPLATE })], 20_000);
    expect(eventsOf(cluster, 'StatefulSet', 'db').filter((event) => event.includes('Delete Pod'))).toEqual([
      'Normal SuccessfulDelete Delete Pod db-1 in StatefulSet db successful',
      'Normal SuccessfulDelete Delete Pod db-0 in StatefulSet db successful',
    ]);
    const status = dig(get(cluster, 'StatefulSet', 'db'), 'status');
    expect(dig(status, 'currentRevision')).toBe(dig(status, 'updateRevision'));
  });

  test('a partition keeps the pods below it on the old template, also those that are made anew', () => {
    const cluster = workshop();
    apply(cluster, [db({ replicas: 3 })]);
    const changed = {
      replicas: 3,
      updateStrategy: { rollingUpdate: { partition: 1 } },
      template: NEW_TEMPLATE,
    };
    apply(cluster, [db(changed)], 20_000);
    const partly = [
      ['db-0', 'shop/db:1.0'],
      ['db-1', 'shop/db:2.0'],
      ['db-2', 'shop/db:2.0'],
    ];
    expect(imagesOf(cluster)).toEqual(partly);
    expect(deletions(cluster)).toEqual(['db-2', 'db-1']);
    for (const name of ['db-0', 'db-1']) objectOf(send(cluster, 'delete', 'Pod', name));
    cluster.advance(20_000);
    expect(imagesOf(cluster)).toEqual(partly);
    expect(dig(get(cluster, 'StatefulSet', 'db'), 'status')).toMatchObject({ currentReplicas: 1, updatedReplicas: 2 });
  });

  test('a partition counts pods, whatever number the first one has', () => {
    const cluster = workshop();
    apply(cluster, [db({ replicas: 3, ordinals: { start: 5 } })]);
    const changed = {
      replicas: 3,
      ordinals: { start: 5 },
      updateStrategy: { rollingUpdate: { partition: 2 } },
      template: NEW_TEMPLATE,
    };
    apply(cluster, [db(changed)], 60_000);
    expect(imagesOf(cluster)).toEqual([
      ['db-5', 'shop/db:1.0'],
      ['db-6', 'shop/db:1.0'],
      ['db-7', 'shop/db:2.0'],
    ]);
    expect(deletions(cluster)).toEqual(['db-7']);
  });

  test('the next pod is replaced, or goes, when the one before has been ready for minReadySeconds', () => {
    const cluster = workshop();
    apply(cluster, [db({ minReadySeconds: 60 })], 200_000);
    const template = NEW_TEMPLATE;
    apply(cluster, [db({ minReadySeconds: 60, template })], 50_000);
    const images = (): readonly unknown[] => list(cluster, 'Pod').map((one) => dig(one, 'spec', 'containers', 0, 'image'));
    expect(images()).toEqual(['shop/db:1.0', 'shop/db:2.0']);
    cluster.advance(60_000);
    expect(images()).toEqual(['shop/db:2.0', 'shop/db:2.0']);
    apply(cluster, [db({ minReadySeconds: 60, replicas: 1, template })], 10_000);
    expect(names(cluster, 'Pod')).toEqual(['db-0', 'db-1']);
    cluster.advance(120_000);
    expect(names(cluster, 'Pod')).toEqual(['db-0']);
  });

  test('pods that are too many go one after the other from the highest number down, each when the one before is gone', () => {
    const cluster = workshop();
    apply(cluster, [db({ replicas: 3 })]);
    setFinalizers(cluster, 'db-2', ['shop.example/backup']);
    apply(cluster, [db({ replicas: 1 })], 20_000);
    expect(['db-0', 'db-1', 'db-2'].map((name) => isDeleted(cluster, name))).toEqual([false, false, true]);
    setFinalizers(cluster, 'db-2', null);
    cluster.advance(20_000);
    expect(names(cluster, 'Pod')).toEqual(['db-0']);
  });

  test('of pods that are too many, one that is not ready waits for one below it that is not ready either', () => {
    const cluster = workshop();
    apply(cluster, [db({ replicas: 3 })]);
    for (const name of ['db-1', 'db-2']) setReady(cluster, name, 'False');
    apply(cluster, [db({ replicas: 1 })], 20_000);
    expect(names(cluster, 'Pod')).toEqual(['db-0', 'db-1', 'db-2']);
    setReady(cluster, 'db-1', 'True');
    cluster.advance(20_000);
    expect(names(cluster, 'Pod')).toEqual(['db-0']);
  });

  test('of pods that are too many, one that is not ready waits for one below it that is going', () => {
    const cluster = workshop();
    apply(cluster, [db({ replicas: 3 })]);
    setFinalizers(cluster, 'db-1', ['shop.example/backup']);
    setReady(cluster, 'db-2', 'False');
    // Someone else deletes it while it still serves.
    objectOf(send(cluster, 'delete', 'Pod', 'db-1'));
    apply(cluster, [db({ replicas: 1 })], 20_000);
    expect(['db-0', 'db-1', 'db-2'].map((name) => isDeleted(cluster, name))).toEqual([false, true, false]);
    setFinalizers(cluster, 'db-1', null);
    cluster.advance(20_000);
    expect(names(cluster, 'Pod')).toEqual(['db-0']);
  });

  test('with Parallel all that are too many go at once, whatever state each is in', () => {
    const cluster = workshop();
    const scale = (replicas: number): void => apply(cluster, [db({ replicas, podManagementPolicy: 'Parallel' })], 20_000);
    scale(4);
    setFinalizers(cluster, 'db-3', ['shop.example/backup']);
    for (const name of ['db-1', 'db-2']) setReady(cluster, name, 'False');
    scale(3);
    expect(names(cluster, 'Pod')).toHaveLength(4);
    scale(1);
    expect(names(cluster, 'Pod')).toEqual(['db-0', 'db-3']);
    expect(deletions(cluster)).toEqual(['db-3', 'db-2', 'db-1']);
  });

  test('a new template replaces one pod after the other also with Parallel, each when the one before is back and ready', () => {
    const cluster = workshop();
    const parallel = { replicas: 3, podManagementPolicy: 'Parallel' };
    apply(cluster, [db(parallel)]);
    setFinalizers(cluster, 'db-2', ['shop.example/backup']);
    apply(cluster, [db({ ...parallel, template: NEW_TEMPLATE })], 20_000);
    // What happens to the others meanwhile deletes nothing a second time.
    setReady(cluster, 'db-0', 'True');
    cluster.advance(20_000);
    expect(deletions(cluster)).toEqual(['db-2']);
    setFinalizers(cluster, 'db-2', null);
    cluster.advance(300);
    expect(deletions(cluster)).toEqual(['db-2']);
    cluster.advance(20_000);
    expect(deletions(cluster)).toEqual(['db-2', 'db-1', 'db-0']);
    expect(imagesOf(cluster)).toEqual(['db-0', 'db-1', 'db-2'].map((name) => [name, 'shop/db:2.0']));
  });

  test('with OnDelete a new template waits until somebody deletes the pod', () => {
    const cluster = workshop();
    apply(cluster, [db({ updateStrategy: { type: 'OnDelete' } })]);
    apply(cluster, [db({ updateStrategy: { type: 'OnDelete' }, template: NEW_TEMPLATE })], 20_000);
    expect(imagesOf(cluster)).toEqual(['db-0', 'db-1'].map((name) => [name, 'shop/db:1.0']));
    objectOf(send(cluster, 'delete', 'Pod', 'db-0'));
    cluster.advance(20_000);
    expect(imagesOf(cluster)).toEqual([
      ['db-0', 'shop/db:2.0'],
      ['db-1', 'shop/db:1.0'],
    ]);
  });

  test('a DaemonSet has one pod for each node it tolerates', () => {
    const cluster = workshop({}, { scheduler: false });
    objectOf(
      send(cluster, 'patch', 'Node', 'worker-3', {
        patch: { type: 'merge', body: { spec: { taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] } } },
      }),
    );
    apply(cluster, [
      {
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        metadata: { name: 'agent' },
        spec: {
          selector: { matchLabels: { app: 'agent' } },
          template: { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'agent', image: 'shop/agent:1.0' }] } },
        },
      },
    ]);
    const targets = list(cluster, 'Pod')
      .map((one) =>
        dig(
          one,
          'spec',
          'affinity',
          'nodeAffinity',
          'requiredDuringSchedulingIgnoredDuringExecution',
          'nodeSelectorTerms',
          0,
          'matchFields',
          0,
          'values',
          0,
        ),
      )
      .map((name) => asText(name) ?? '')
      .toSorted();
    expect(targets).toEqual(['worker-1', 'worker-2']);
    expect(dig(get(cluster, 'DaemonSet', 'agent'), 'status')).toMatchObject({
      desiredNumberScheduled: 2,
      currentNumberScheduled: 2,
      numberMisscheduled: 0,
      updatedNumberScheduled: 2,
    });
    expect(
      exists(
        cluster,
        'ControllerRevision',
        `agent-${asText(dig(list(cluster, 'Pod')[0], 'metadata', 'labels', 'controller-revision-hash')) ?? ''}`,
      ),
    ).toBe(true);
  });
});
