import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import { labelsOf } from '../../../src/model/kube-object.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { send } from '../shop.ts';
import { apply, list, workshop } from './workshop.ts';

const SERVICE: JsonObject = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'bank' }, spec: { ports: [{ port: 443 }] } };
const endpoints = (...ips: readonly string[]): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 'bank' },
  subsets: [{ addresses: ips.map((ip) => ({ ip })), ports: [{ port: 443 }] }],
});

function mirrored(cluster: Cluster): readonly unknown[] {
  return list(cluster, 'EndpointSlice')
    .filter((slice) => labelsOf(slice)['endpointslice.kubernetes.io/managed-by'] === 'endpointslicemirroring-controller.k8s.io')
    .map((slice) => asList(slice['endpoints']).map((endpoint) => dig(endpoint, 'addresses', 0)));
}

test('endpoints that somebody wrote for a Service without a selector are mirrored as a slice, and follow them', () => {
  const cluster = workshop();
  apply(cluster, [SERVICE, endpoints('192.0.2.7')]);
  expect(mirrored(cluster)).toEqual([['192.0.2.7']]);
  apply(cluster, [endpoints('192.0.2.7', '192.0.2.8')]);
  expect(mirrored(cluster)).toEqual([['192.0.2.7', '192.0.2.8']]);
  send(cluster, 'delete', 'Endpoints', 'bank');
  cluster.advance(3000);
  expect(mirrored(cluster)).toEqual([]);
});

const labelled = (labels: JsonObject, ...ips: readonly string[]): JsonObject => ({
  ...endpoints(...ips),
  metadata: { name: 'bank', labels },
});

test('what a controller left behind is mirrored once its Service has no selector, and what says that it is not to be is not', () => {
  const cluster = workshop();
  apply(cluster, [SERVICE, labelled({ 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' }, '192.0.2.7')]);
  expect(mirrored(cluster)).toEqual([['192.0.2.7']]);
  apply(cluster, [labelled({ 'endpointslice.kubernetes.io/skip-mirror': 'true' }, '192.0.2.7')]);
  expect(mirrored(cluster)).toEqual([]);
});

test("the endpoints of a Service with a selector are nobody's to mirror, and a slice without any has null for its lists", () => {
  const cluster = workshop();
  apply(cluster, [{ ...SERVICE, spec: { selector: { app: 'bank' }, ports: [{ port: 443 }] } }]);
  const slice = list(cluster, 'EndpointSlice').find(({ metadata }) => metadata.namespace === 'shop');
  expect([slice?.['endpoints'], slice?.['ports']]).toEqual([null, null]);
  expect(mirrored(cluster)).toEqual([]);
});

test('a ReplicationController keeps its pods, with the selector of its template', () => {
  const cluster = workshop();
  apply(cluster, [
    {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name: 'till' },
      spec: {
        replicas: 2,
        template: { metadata: { labels: { app: 'till' } }, spec: { containers: [{ name: 'till', image: 'shop/till:1' }] } },
      },
    },
  ]);
  const [controller] = list(cluster, 'ReplicationController');
  expect(dig(controller, 'spec', 'selector')).toEqual({ app: 'till' });
  expect(dig(controller, 'status')).toMatchObject({ replicas: 2, readyReplicas: 2 });
  const [first] = list(cluster, 'Pod');
  send(cluster, 'delete', 'Pod', first?.metadata.name);
  cluster.advance(40_000);
  expect(list(cluster, 'Pod').filter(({ metadata }) => metadata['deletionTimestamp'] === undefined)).toHaveLength(2);
});
