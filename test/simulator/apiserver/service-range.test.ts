import { expect, test } from 'vitest';
import { dig } from '../../../src/base/json.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';
import { objectOf, send, shop } from '../shop.ts';

test('a cluster begins with the range of its Services, ready and protected', () => {
  const range = objectOf(send(shop(), 'get', 'ServiceCIDR', 'kubernetes'));
  expect(range['spec']).toEqual({ cidrs: ['10.96.0.0/16'] });
  expect(dig(range, 'status', 'conditions', 0, 'type')).toBe('Ready');
  expect(range.metadata['finalizers']).toEqual(['networking.k8s.io/service-cidr-finalizer']);
});

test('it is another object in another cluster, and the same one in the same', () => {
  const uidOf = (seed: number) =>
    objectOf(send(createCluster({ seed, preset: 'no-nodes' }), 'get', 'ServiceCIDR', 'kubernetes')).metadata.uid;
  expect(uidOf(1)).toBe(uidOf(1));
  expect(uidOf(1)).not.toBe(uidOf(2));
});
