import { describe, expect, it } from 'vitest';
import { dumpRoots, kindNamed, placeOf } from '../../../src/clusters/snapshot/file-place.ts';

const DUMP = ['nodes.json', 'shop/pods.json', 'shop/replication-controllers.json', 'shop/web-1/logs.txt'];

describe('what the place of a file says', () => {
  it('knows a folder of kubectl cluster-info dump, at any depth', () => {
    expect(dumpRoots(DUMP)).toEqual(new Set(['']));
    expect(dumpRoots(DUMP.map((path) => `out/dump/${path}`))).toEqual(new Set(['out/dump']));
    expect(dumpRoots(['shop/pods.json', 'nodes.json'])).toEqual(new Set());
    expect(placeOf('shop/pods.json', new Set(['']))).toEqual({ kind: 'Pod', namespace: 'shop' });
    expect(placeOf('out/dump/shop/replication-controllers.json', new Set(['out/dump']))).toEqual({
      kind: 'ReplicationController',
      namespace: 'shop',
    });
    expect(placeOf('shop/pods.json', new Set())).toEqual({ kind: 'Pod' });
  });

  it.each([
    ['bundle/cluster-resources/pods/shop.json', { kind: 'Pod', namespace: 'shop' }],
    ['bundle/cluster-resources/pvcs/shop.json', { kind: 'PersistentVolumeClaim', namespace: 'shop' }],
    ['bundle/cluster-resources/network-policy/shop.json', { kind: 'NetworkPolicy', namespace: 'shop' }],
    ['bundle/cluster-resources/nodes.json', { kind: 'Node' }],
    ['bundle/cluster-resources/clusterRoleBindings.json', { kind: 'ClusterRoleBinding' }],
    ['bundle/cluster-resources/pods-errors.json', { refusals: true, kind: 'Pod' }],
    ['bundle/cluster-resources/auth-cani-list/shop.json', {}],
    ['gather/namespaces/shop/core/pods.yaml', { kind: 'Pod', namespace: 'shop' }],
    ['gather/namespaces/shop/apps/deployments.yaml', { kind: 'Deployment', namespace: 'shop' }],
    ['resources/ns/shop/core_v1_pods.json', { kind: 'Pod', namespace: 'shop' }],
    ['resources/ns/shop/Events.json', { kind: 'Event', namespace: 'shop' }],
    ['resources/cluster/core_v1_nodes.json', { kind: 'Node' }],
    ['yamls/namespaced/shop/v1/pods.yaml', { kind: 'Pod', namespace: 'shop' }],
    ['k8s-pods-20261120-191948.yaml', { kind: 'Pod' }],
    ['config/pod/shop/web-1.json', { folderKind: 'Pod' }],
    ['notes.json', {}],
  ])('reads %s', (path, place) => expect(placeOf(path, new Set())).toEqual(place));

  it('knows kinds by all their names', () => {
    expect(['pods', 'Pod', 'svc', 'storage-classes', 'rbac.authorization.k8s.io_v1_roles', 'web'].map(kindNamed)).toEqual([
      'Pod',
      'Pod',
      'Service',
      'StorageClass',
      'Role',
      undefined,
    ]);
  });
});
