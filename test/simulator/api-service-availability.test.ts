import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { asList, dig } from '../../src/base/json.ts';
import { createCluster } from '../../src/simulator/cluster.ts';
import { namespace, pod } from './shop.ts';

const API: JsonObject = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1.prices.shop.example' },
  spec: {
    group: 'prices.shop.example',
    version: 'v1',
    groupPriorityMinimum: 100,
    versionPriority: 100,
    service: { name: 'prices', namespace: 'shop' },
  },
};

test('an APIService tells which part of the way to its server is missing', () => {
  const cluster = createCluster({ seed: 1, preset: 'one-node' });
  const available = (): unknown => {
    cluster.advance(10_000);
    const [condition] = asList(
      dig(cluster.store.get('apiservices.apiregistration.k8s.io', undefined, 'v1.prices.shop.example'), 'status', 'conditions'),
    );
    return [dig(condition, 'status'), dig(condition, 'reason'), dig(condition, 'message')];
  };
  cluster.apply([namespace('shop'), API]);
  expect(available()).toEqual(['False', 'ServiceNotFound', 'service/prices in "shop" is not present']);
  cluster.apply([
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'prices', namespace: 'shop' },
      spec: { selector: { app: 'prices' }, ports: [{ name: 'https', port: 443 }] },
    },
  ]);
  expect(available()).toEqual([
    'False',
    'MissingEndpoints',
    'endpointslices for service/prices in "shop" have no addresses with port name "https"',
  ]);
  cluster.apply([{ ...pod('prices'), metadata: { name: 'prices', namespace: 'shop', labels: { app: 'prices' } } }]);
  expect(available()).toEqual([
    'False',
    'FailedDiscoveryCheck',
    expect.stringMatching(/^failing or missing response from https:\/\/10\.96\.\d+\.\d+:443\/apis\/prices\.shop\.example\/v1: Get /),
  ]);
});

test('the API of a metrics server that runs is available', () => {
  const cluster = createCluster({ seed: 1 });
  cluster.apply([
    {
      ...API,
      metadata: { name: 'v1beta1.metrics.k8s.io' },
      spec: {
        group: 'metrics.k8s.io',
        version: 'v1beta1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        service: { name: 'metrics-server', namespace: 'kube-system' },
      },
    },
  ]);
  cluster.advance(120_000);
  expect(
    dig(cluster.store.get('apiservices.apiregistration.k8s.io', undefined, 'v1beta1.metrics.k8s.io'), 'status', 'conditions', 0),
  ).toMatchObject({ type: 'Available', status: 'True', reason: 'Passed', message: 'all checks passed' });
});
