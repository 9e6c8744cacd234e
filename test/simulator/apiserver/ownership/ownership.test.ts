import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { asList, dig } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { compareFields } from '../../../../src/simulator/apiserver/ownership/compare.ts';
import { fieldSetOf, intersect, pathsOf, subtract, union } from '../../../../src/simulator/apiserver/ownership/field-set.ts';
import { mergeApplied } from '../../../../src/simulator/apiserver/ownership/merge.ts';
import { withOwnedFields } from '../../../../src/simulator/apiserver/ownership/owners.ts';
import { create, deployment, failureOf, objectOf, send, shop } from '../../shop.ts';

const POD = { model: 'V1Pod' };
const spec = (image: string, ...names: readonly string[]): JsonObject => ({
  spec: { containers: names.map((name) => ({ name, image, ports: [{ containerPort: 80 }] })) },
});

describe('sets of fields', () => {
  it('name the members of lists by their keys, and owned-in-one-piece things once', () => {
    expect(
      fieldSetOf(POD, {
        spec: { nodeSelector: { disk: 'ssd' }, containers: [{ name: 'web', command: ['run'], ports: [{ containerPort: 80 }] }] },
      }),
    ).toEqual({
      'f:spec': {
        'f:nodeSelector': {},
        'f:containers': {
          'k:{"name":"web"}': {
            '.': {},
            'f:name': {},
            'f:command': {},
            'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
          },
        },
      },
    });
  });

  it('are joined, parted and taken from each other', () => {
    const [a, b] = [{ 'f:x': { 'f:y': {}, 'f:z': {} } }, { 'f:x': { 'f:y': {} }, 'f:w': {} }];
    expect(union(a, b)).toEqual({ 'f:x': { 'f:y': {}, 'f:z': {} }, 'f:w': {} });
    expect(subtract(a, b)).toEqual({ 'f:x': { 'f:z': {} } });
    expect(subtract(a, { 'f:x': {} })).toEqual(a);
    expect(subtract({ 'f:x': { '.': {}, 'f:y': {} } }, { 'f:x': {} })).toEqual({ 'f:x': { 'f:y': {} } });
    expect(union(a, { 'f:x': {} })).toEqual({ 'f:x': { '.': {}, 'f:y': {}, 'f:z': {} } });
    expect(intersect(a, b)).toEqual({ 'f:x': { 'f:y': {} } });
  });

  it('say what a change did', () => {
    const { changed, removed } = compareFields(POD, spec('a', 'web', 'proxy'), spec('b', 'web'));
    expect(pathsOf(changed)).toEqual([['f:spec', 'f:containers', 'k:{"name":"web"}', 'f:image']]);
    expect(removed).toEqual({
      'f:spec': {
        'f:containers': {
          'k:{"name":"proxy"}': {
            '.': {},
            'f:name': {},
            'f:image': {},
            'f:ports': { '.': {}, 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
          },
        },
      },
    });
  });
});

describe('who owns what', () => {
  const ownerOf = (object: KubeObject, manager: string): JsonObject =>
    asList(object.metadata['managedFields']).find((entry) => dig(entry, 'manager') === manager) as JsonObject;
  const replicas = ['fieldsV1', 'f:spec', 'f:replicas'];

  it('goes over to who changes a field last', () => {
    const cluster = shop();
    create(cluster, deployment('web'), { manager: 'maker' });
    const scaled = objectOf(
      send(cluster, 'patch', 'Deployment', 'web', { manager: 'scaler', patch: { type: 'merge', body: { spec: { replicas: 4 } } } }),
    );
    expect(dig(ownerOf(scaled, 'scaler'), ...replicas)).toEqual({});
    expect(dig(ownerOf(scaled, 'maker'), ...replicas)).toBeUndefined();
    expect(dig(ownerOf(scaled, 'maker'), 'fieldsV1', 'f:spec', 'f:template')).toBeDefined();
    expect(
      failureOf(
        send(cluster, 'patch', 'Deployment', 'web', {
          manager: 'release',
          patch: { type: 'apply', body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 2 } } },
        }),
      ).message,
    ).toBe('Apply failed with 1 conflict: conflict with "scaler" using apps/v1: .spec.replicas');
  });

  it('begins with what a client sent, with its defaults, and without what plugins and the registry add', () => {
    const cluster = shop();
    const containers = [{ name: 'web', image: 'nginx:1.27' }];
    const sent = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', labels: { app: 'web' } }, spec: { containers } };
    const pod = objectOf(create(cluster, sent, { manager: 'maker' }));
    expect(dig(ownerOf(pod, 'maker'), 'fieldsV1')).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
      'f:spec': {
        'f:containers': {
          'k:{"name":"web"}': {
            '.': {},
            'f:image': {},
            'f:imagePullPolicy': {},
            'f:name': {},
            'f:resources': {},
            'f:terminationMessagePath': {},
            'f:terminationMessagePolicy': {},
          },
        },
        'f:dnsPolicy': {},
        'f:enableServiceLinks': {},
        'f:restartPolicy': {},
        'f:schedulerName': {},
        'f:securityContext': {},
        'f:terminationGracePeriodSeconds': {},
      },
    });
  });

  it('is worked out for those known as writers only, so that every entry has fields', () => {
    const cluster = shop();
    cluster.apply([deployment('web')], { namespace: 'shop' });
    const stored = objectOf(send(cluster, 'get', 'Deployment', 'web'));
    expect(dig(ownerOf(stored, 'kubectl-client-side-apply'), 'fieldsV1')).toBeUndefined();
    expect(dig(ownerOf(withOwnedFields({ model: 'V1Deployment' }, stored), 'kubectl-client-side-apply'), ...replicas)).toEqual({});
  });

  it('is never taken from what cannot be understood', () => {
    const cluster = shop();
    for (const [index, fieldsV1] of [{ 'k:nothing': {} }, { 'f:spec': 'all' }, { 'x:y': {} }].entries()) {
      const name = `web-${index}`;
      const sent = deployment(name);
      const made = objectOf(
        create(
          cluster,
          {
            ...sent,
            metadata: { ...(sent['metadata'] as JsonObject), managedFields: [{ manager: 'someone', operation: 'Update', fieldsV1 }] },
          },
          { manager: 'maker' },
        ),
      );
      expect(asList(made.metadata['managedFields']).map((entry) => dig(entry, 'manager'))).toEqual(['maker']);
      const patched = objectOf(
        send(cluster, 'patch', 'Deployment', name, {
          manager: 'maker',
          patch: {
            type: 'merge',
            body: { metadata: { managedFields: [{ manager: 'someone', operation: 'Update', fieldsV1 }] }, spec: { replicas: 3 } },
          },
        }),
      );
      expect(asList(patched.metadata['managedFields']).map((entry) => dig(entry, 'manager'))).toEqual(['maker']);
      objectOf(
        send(cluster, 'patch', 'Deployment', name, {
          manager: 'release',
          force: true,
          patch: { type: 'apply', body: deployment(name, 2) },
        }),
      );
    }
  });

  it('is not touched by a dry run, nor by applying the same again', () => {
    const cluster = shop();
    const config = { type: 'apply' as const, body: deployment('web', 2) };
    const first = objectOf(send(cluster, 'patch', 'Deployment', 'web', { manager: 'release', patch: config }));
    send(cluster, 'patch', 'Deployment', 'web', {
      manager: 'other',
      force: true,
      dryRun: true,
      patch: { type: 'apply', body: deployment('web', 5) },
    });
    expect(objectOf(send(cluster, 'patch', 'Deployment', 'web', { manager: 'release', patch: config })).metadata['resourceVersion']).toBe(
      first.metadata['resourceVersion'],
    );
  });
});

describe('a list that is applied over another', () => {
  const ports = (live: readonly number[], applied: readonly number[]): unknown => {
    const of = (numbers: readonly number[]): JsonObject => ({ spec: { ports: numbers.map((port) => ({ port })) } });
    const merged = mergeApplied({ model: 'V1Service' }, of(live), of(applied));
    return asList(dig(merged, 'spec', 'ports')).map((port) => dig(port, 'port'));
  };

  it.each([
    [
      [80, 53],
      [1, 53],
      [80, 1, 53],
    ],
    [
      [80, 53],
      [53, 80],
      [53, 80],
    ],
    [
      [1, 2, 3],
      [3, 4, 1],
      [2, 3, 4, 1],
    ],
    [[1, 2], [3], [1, 2, 3]],
    [[], [2, 1], [2, 1]],
    [[1, 2, 1], [1], [1, 2]],
    [
      [4, 1, 5, 2, 6],
      [2, 7, 1],
      [4, 5, 2, 6, 7, 1],
    ],
  ])('keeps what only the live one has among what both have: %j and %j', (live, applied, merged) => {
    expect(ports(live, applied)).toEqual(merged);
  });
});
