import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { create, pod } from '../shop.ts';
import { node, nodeOf, schedulingShop, whyNot } from './scheduling.ts';
import { CLASS, slice, devicesOf } from './device-shop.ts';

describe('extended resources that a device class stands for', () => {
  const asking = (name: string, resource: string, count: string): JsonObject =>
    pod(name, {}, { resources: { requests: { cpu: '100m', [resource]: count }, limits: { [resource]: count } } });
  const standing = { ...CLASS, spec: { selectors: asList(dig(CLASS, 'spec', 'selectors')), extendedResourceName: 'shop.example/scanner' } };
  const cluster = (...more: readonly JsonObject[]): Cluster =>
    schedulingShop([node('worker-1'), slice('worker-1', { nodeName: 'worker-1' }, [{ name: 'a' }, { name: 'b' }, { name: 'c' }]), ...more]);

  test.each(['shop.example/scanner', 'deviceclass.resource.kubernetes.io/scanner'])(
    '%s is had by a claim that is made for the pod',
    (resource) => {
      const shop = cluster(standing);
      create(shop, asking('till-1', resource, '2'));
      shop.runUntilSettled();
      expect(nodeOf(shop, 'till-1')).toBe('worker-1');
      const status = dig(shop.store.get('pods', 'shop', 'till-1'), 'status', 'extendedResourceClaimStatus');
      const name = asText(dig(status, 'resourceClaimName')) ?? '';
      expect(name).toMatch(/^till-1-extended-resources-.{5}$/);
      expect(dig(status, 'requestMappings')).toMatchObject([
        { resourceName: resource, requestName: expect.stringMatching(/^container-0-request-\d$/) as string },
      ]);
      expect(devicesOf(shop, name).map((one) => one.split('=')[1])).toEqual(['worker-1/a', 'worker-1/b']);
    },
  );

  test('are not enough when the devices are taken, and wait for a class when there is none', () => {
    const shop = cluster();
    create(shop, asking('till-1', 'shop.example/scanner', '2'));
    shop.runUntilSettled();
    expect(whyNot(shop, 'till-1')).toContain('0/1 nodes are available: 1 Insufficient shop.example/scanner.');
    create(shop, standing);
    shop.runUntilSettled();
    expect(nodeOf(shop, 'till-1')).toBe('worker-1');
    create(shop, asking('till-2', 'shop.example/scanner', '2'));
    shop.runUntilSettled();
    expect(whyNot(shop, 'till-2')).toContain('0/1 nodes are available: 1 cannot allocate all claims. still not schedulable');
  });

  test('that init containers and containers use one after the other are had once', () => {
    const shop = cluster(standing);
    const wants = (name: string, count: string): JsonObject => ({
      name,
      image: 'shop/till:1',
      resources: { requests: { 'shop.example/scanner': count }, limits: { 'shop.example/scanner': count } },
    });
    create(
      shop,
      withPath(
        withPath(pod('till-1', {}), ['spec', 'initContainers'], [wants('calibrate', '3')]),
        ['spec', 'containers'],
        [wants('till', '2')],
      ),
    );
    shop.runUntilSettled();
    const [made] = shop.store.list('resourceclaims.resource.k8s.io');
    expect(asList(dig(made, 'spec', 'devices', 'requests')).map((one) => [dig(one, 'name'), dig(one, 'exactly', 'count')])).toEqual([
      ['container-0-request-0', 1],
      ['container-1-request-0', 2],
    ]);
    expect(dig(shop.store.get('pods', 'shop', 'till-1'), 'status', 'extendedResourceClaimStatus', 'requestMappings')).toEqual([
      { containerName: 'till', resourceName: 'shop.example/scanner', requestName: 'container-1-request-0' },
      { containerName: 'calibrate', resourceName: 'shop.example/scanner', requestName: 'container-1-request-0' },
      { containerName: 'calibrate', resourceName: 'shop.example/scanner', requestName: 'container-0-request-0' },
    ]);
  });
});
