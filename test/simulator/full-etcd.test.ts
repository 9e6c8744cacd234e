import { expect, it } from 'vitest';
import { createCluster } from '../../src/simulator/cluster.ts';

const POD = { metadata: { labels: { app: 'till' } }, spec: { containers: [{ name: 'till', image: 'nginx' }] } };

it('two thousand million replicas fill etcd, and the cluster can still be asked and scaled down', () => {
  const cluster = createCluster({ seed: 1, preset: 'one-node', maxObjects: 1000 });
  const deployments = { group: 'apps', version: 'v1', resource: 'deployments', namespace: 'default' } as const;
  cluster.apply(
    [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'till', namespace: 'default' },
        spec: { replicas: 2_147_483_647, selector: { matchLabels: { app: 'till' } }, template: POD },
      },
    ],
    { namespace: 'default' },
  );
  cluster.advance(180_000);
  expect(cluster.store.total).toBe(1000);
  const refused = cluster.request({
    verb: 'create',
    group: '',
    version: 'v1',
    resource: 'configmaps',
    namespace: 'default',
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one-more' } },
  });
  expect(refused).toMatchObject({ code: 500, message: 'etcdserver: mvcc: database space exceeded' });
  const reviewed = cluster.request({
    verb: 'create',
    group: 'authorization.k8s.io',
    version: 'v1',
    resource: 'selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    },
  });
  expect(reviewed.code).toBe(201);
  const scaled = cluster.request({
    verb: 'patch',
    ...deployments,
    name: 'till',
    patch: { type: 'merge', body: { spec: { replicas: 1 } } },
  });
  expect(scaled.code).toBe(200);
  cluster.advance(180_000);
  expect(cluster.store.count('pods', 'default')).toBe(1);
});
