import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { canonicalJson } from '../../../src/base/json-edit.ts';
import { controllerOf } from '../../../src/model/kube-object.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { deployment, objectOf, pod, send } from '../shop.ts';
import { apply, exists, get, list, names, workshop } from './workshop.ts';

function patch(cluster: Cluster, kind: string, name: string, body: JsonObject): void {
  objectOf(send(cluster, 'patch', kind, name, { patch: { type: 'merge', body } }));
}

describe('what owns what', () => {
  test('a Job adopts a pod that lost its owner, and lets one go that lost its labels', () => {
    const cluster = workshop();
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'shop/import:1.0' }] } };
    apply(cluster, [
      { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'import' }, spec: { parallelism: 2, completions: 4, template } },
    ]);
    const [name = ''] = names(cluster, 'Pod');
    patch(cluster, 'Pod', name, { metadata: { ownerReferences: null } });
    cluster.advance(10_000);
    expect(controllerOf(get(cluster, 'Pod', name))).toMatchObject({ kind: 'Job', name: 'import' });
    patch(cluster, 'Pod', name, { metadata: { labels: null } });
    cluster.advance(10_000);
    expect(controllerOf(get(cluster, 'Pod', name))).toBeUndefined();
  });

  test('what is in no namespace stays when something in one owns it', () => {
    const cluster = workshop();
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '11111111-2222-3333-4444-555555555555' };
    const owned = { metadata: { name: 'fast', ownerReferences: [owner] } };
    const settings = (name: string, apiVersion: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, ownerReferences: [{ ...owner, apiVersion }] },
    });
    apply(cluster, [settings('orphan', 'v1')]);
    expect(exists(cluster, 'ConfigMap', 'orphan')).toBe(false);
    // What was not found as one thing may be there as another.
    apply(
      cluster,
      [settings('foreign', 'unheard/v1'), { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: 5, ...owned }],
      10_000,
    );
    expect(exists(cluster, 'ConfigMap', 'foreign')).toBe(true);
    expect(exists(cluster, 'PriorityClass', 'fast')).toBe(true);
  });

  test('a circle of owners that wait for each other is deleted', () => {
    const cluster = workshop();
    const all = ['one', 'two', 'three'];
    apply(
      cluster,
      all.map((name) => pod(name)),
    );
    for (const [index, name] of all.entries()) {
      const owner = get(cluster, 'Pod', all[(index + 2) % 3] ?? '').metadata;
      const reference = {
        apiVersion: 'v1',
        kind: 'Pod',
        name: owner.name,
        uid: owner.uid ?? '',
        controller: true,
        blockOwnerDeletion: true,
      };
      patch(cluster, 'Pod', name, { metadata: { ownerReferences: [reference] } });
    }
    cluster.advance(5000);
    objectOf(send(cluster, 'delete', 'Pod', 'one', { delete: { propagationPolicy: 'Foreground' } }));
    cluster.advance(120_000);
    expect(names(cluster, 'Pod')).toEqual([]);
  });

  test('a revision of 64 bits is counted exactly', () => {
    const cluster = workshop();
    apply(cluster, [deployment('web')]);
    const [first] = list(cluster, 'ReplicaSet');
    const annotations = { 'deployment.kubernetes.io/revision': '3546343826724305832' };
    patch(cluster, 'ReplicaSet', first?.metadata.name ?? '', { metadata: { annotations } });
    apply(cluster, [deployment('web', 1, { image: 'shop/web:2.0' })], 20_000);
    expect(dig(get(cluster, 'Deployment', 'web'), 'metadata', 'annotations', 'deployment.kubernetes.io/revision')).toBe(
      '3546343826724305833',
    );
  });

  test('the data of a revision have their keys in order, as Go writes them', () => {
    const cluster = workshop();
    const labels = { app: 'agent' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'shop/agent:1.0' }] } };
    apply(cluster, [
      { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent' }, spec: { selector: { matchLabels: labels }, template } },
    ]);
    const [revision] = list(cluster, 'ControllerRevision');
    expect(JSON.stringify(revision?.['data'])).toBe(canonicalJson(revision?.['data']));
  });

  test('a Service without affinity has no settings of it', () => {
    const cluster = workshop();
    const service = (sessionAffinity: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { sessionAffinity, ports: [{ port: 80 }] },
    });
    apply(cluster, [service('ClientIP')]);
    const { spec, metadata } = get(cluster, 'Service', 'web');
    const body = { ...service('None'), metadata, spec: { ...(spec as JsonObject), sessionAffinity: 'None' } };
    const answer = send(cluster, 'update', 'Service', 'web', { body });
    expect(dig(objectOf(answer), 'spec', 'sessionAffinityConfig')).toBeUndefined();
  });

  test('a definition that goes as soon as it comes keeps nobody from collecting', () => {
    const cluster = workshop();
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'baskets.shop.example' },
      spec: {
        group: 'shop.example',
        scope: 'Namespaced',
        names: { plural: 'baskets', kind: 'Basket' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    for (let delay = 0; delay < 12; delay++) {
      apply(cluster, [definition], delay);
      objectOf(send(cluster, 'delete', 'CustomResourceDefinition', 'baskets.shop.example'));
      cluster.advance(500);
    }
    apply(cluster, [deployment('web')]);
    objectOf(send(cluster, 'delete', 'Deployment', 'web'));
    cluster.advance(60_000);
    expect(names(cluster, 'ReplicaSet')).toEqual([]);
  });
});
