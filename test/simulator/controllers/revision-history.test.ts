import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asObject } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { annotationsOf } from '../../../src/model/kube-object.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { deployment, objectOf, send } from '../shop.ts';
import { apply, list, workshop } from './workshop.ts';

const revisionOf = (set: KubeObject): string | undefined => annotationsOf(set)['deployment.kubernetes.io/revision'];

/** Of all ReplicaSets, the oldest first. */
function revisions(cluster: Cluster): readonly string[] {
  return list(cluster, 'ReplicaSet')
    .map((set) => revisionOf(set) ?? '')
    .toSorted((a, b) => Number(a) - Number(b));
}

describe('revisionHistoryLimit of a Deployment', () => {
  const limited = (version: string, limit: number, more: JsonObject = {}): JsonObject => {
    const made = deployment('web', 1, { image: `shop/web:${version}` });
    return withPath(made, ['spec'], { ...asObject(made['spec']), revisionHistoryLimit: limit, ...more });
  };

  test('counts by revision, so that a set that was rolled back to is young again', () => {
    const cluster = workshop();
    for (const version of ['1.0', '2.0', '3.0', '1.0']) apply(cluster, [limited(version, 9)], 10_000);
    apply(cluster, [limited('4.0', 2)], 10_000);
    expect(revisions(cluster)).toEqual(['3', '4', '5']);
  });

  test('leaves a set that still has pods, and does not count one that is being deleted', () => {
    const stuck = workshop({ preset: 'no-nodes' });
    apply(stuck, [deployment('web', 4)]);
    apply(stuck, [deployment('web', 4, { image: 'shop/web:2.0' })], 60_000);
    apply(stuck, [limited('2.0', 0, { replicas: 4, paused: true })], 10_000);
    expect(revisions(stuck)).toEqual(['1', '2']);

    const cluster = workshop();
    for (const version of ['1.0', '2.0', '3.0']) apply(cluster, [limited(version, 9)], 10_000);
    const second = list(cluster, 'ReplicaSet').find((set) => revisionOf(set) === '2')?.metadata.name ?? '';
    const finalizers = { type: 'merge', body: { metadata: { finalizers: ['shop.example/audit'] } } } as const;
    objectOf(send(cluster, 'patch', 'ReplicaSet', second, { patch: finalizers }));
    objectOf(send(cluster, 'delete', 'ReplicaSet', second));
    apply(cluster, [limited('3.0', 1)], 10_000);
    expect(revisions(cluster)).toEqual(['1', '2', '3']);
  });
});
