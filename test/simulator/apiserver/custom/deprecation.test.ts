import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Cluster } from '../../../../src/simulator/cluster.ts';
import { create, shop } from '../../shop.ts';
import { definition } from './definitions.ts';

function defined(first: JsonObject): Cluster {
  const cluster = shop();
  const version = (name: string, more: JsonObject = {}): JsonObject => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object' } },
    ...more,
  });
  const versions = [version('v1'), version('v1beta1', first), version('v1beta2'), version('v2alpha1', { deprecated: true })];
  create(cluster, definition({ versions }));
  cluster.runUntilSettled({ milliseconds: 10_000 });
  return cluster;
}

function warnings(cluster: Cluster, version: string, name?: string): readonly string[] | undefined {
  const place = name === undefined ? {} : { name };
  const verb = name === undefined ? 'list' : 'get';
  return cluster.request({ verb, group: 'shop.example', version, resource: 'parcels', namespace: 'shop', ...place }).warnings;
}

describe('a deprecated version of a definition', () => {
  it('is warned of in each answer, with the best version that is not', () => {
    const cluster = defined({ deprecated: true });
    expect(warnings(cluster, 'v1beta1')).toEqual(['shop.example/v1beta1 Parcel is deprecated; use shop.example/v1 Parcel']);
    expect(warnings(cluster, 'v1beta1', 'nothing')).toEqual(['shop.example/v1beta1 Parcel is deprecated; use shop.example/v1 Parcel']);
    expect(warnings(cluster, 'v1') ?? []).toEqual([]);
    expect(warnings(cluster, 'v1beta2') ?? []).toEqual([]);
  });

  it('is warned of in the words of the definition, where it has some', () => {
    expect(warnings(defined({ deprecated: true, deprecationWarning: 'write to us' }), 'v1beta1')).toEqual(['write to us']);
  });
});
