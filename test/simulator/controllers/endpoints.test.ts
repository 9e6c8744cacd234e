import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { deployment, objectOf, send } from '../shop.ts';
import { isReadyPod } from '../shop-objects.ts';
import { apply, get, list, workshop } from './workshop.ts';

const SERVICE: JsonObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
};

test('whatever happens to the pods of a Service, both forms of endpoints have those that are ready, and each once', () => {
  const cluster = workshop({ preset: 'three-nodes' });
  apply(cluster, [deployment('web', 130), SERVICE], 60_000);
  const slices = () => list(cluster, 'EndpointSlice').map((slice) => asList(slice['endpoints']).length);
  expect(slices()).toEqual(expect.arrayContaining([100, 30]));
  expectServed(cluster, 130);

  const [first, second, third] = list(cluster, 'Pod').map(({ metadata }) => metadata.name);
  objectOf(send(cluster, 'delete', 'Pod', first ?? ''));
  patch(cluster, 'Pod', second, { metadata: { labels: { app: 'none' } } });
  cluster.advance(60_000);
  // What is let go is replaced, and what was deleted, too.
  expectServed(cluster, 130);

  const [slice] = list(cluster, 'EndpointSlice');
  const changed = asList(slice?.['endpoints']).map((endpoint, index) =>
    index === 0 ? { ...(endpoint as JsonObject), addresses: ['10.9.9.9'] } : endpoint,
  );
  patch(cluster, 'EndpointSlice', slice?.metadata.name, { endpoints: changed });
  expect(addressesIn(cluster, 'web').sliced).toContain('10.9.9.9');
  patch(cluster, 'Pod', third, { metadata: { labels: { seen: 'yes' } } });
  cluster.advance(10_000);
  expectServed(cluster, 130);

  patch(cluster, 'Deployment', 'web', { spec: { replicas: 20, template: { metadata: { labels: { version: 'two' } } } } });
  cluster.advance(120_000);
  expectServed(cluster, 20);
  patch(cluster, 'Service', 'web', { spec: { selector: { app: 'none' } } });
  cluster.advance(10_000);
  expectServed(cluster, 1, 'none');
  patch(cluster, 'Deployment', 'web', { spec: { replicas: 0 } });
  patch(cluster, 'Service', 'web', { spec: { selector: { app: 'web' } } });
  cluster.advance(60_000);
  expect(list(cluster, 'EndpointSlice').map((empty) => asList(empty['endpoints']))).toEqual([[]]);
  expect(dig(get(cluster, 'Endpoints', 'web'), 'subsets')).toBeUndefined();
});

function expectServed(cluster: Cluster, pods: number, app = 'web'): void {
  const { ready, sliced, listed } = addressesIn(cluster, app);
  expect(ready).toHaveLength(pods);
  expect(sliced.toSorted()).toEqual(ready);
  expect(listed, 'in order').toEqual(ready);
}

/** Of the ready pods, in the slices and in the Endpoints. */
function addressesIn(cluster: Cluster, app: string) {
  const text = (value: Json | undefined) => asText(value) ?? '';
  const pods = list(cluster, 'Pod').filter((pod) => dig(pod, 'metadata', 'labels', 'app') === app && isReadyPod(pod));
  return {
    ready: pods.map((pod) => text(dig(pod, 'status', 'podIP'))).toSorted(),
    sliced: list(cluster, 'EndpointSlice').flatMap((slice) =>
      asList(slice['endpoints']).map((endpoint) => text(dig(endpoint, 'addresses', 0))),
    ),
    listed: asList(dig(get(cluster, 'Endpoints', 'web'), 'subsets', 0, 'addresses')).map((address) => text(dig(address, 'ip'))),
  };
}

function patch(cluster: Cluster, kind: string, name: string | undefined, body: JsonObject): void {
  objectOf(send(cluster, 'patch', kind, name ?? '', { patch: { type: 'merge', body } }));
}
