import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { pod } from '../shop.ts';
import { node, schedulingShop } from './scheduling.ts';

export const DRIVER = 'scanner.shop.example';
export const CLASS = deviceClass('scanner', `device.driver == "${DRIVER}"`);

function deviceClass(name: string, expression: string): JsonObject {
  return { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name }, spec: { selectors: [{ cel: { expression } }] } };
}

export function slice(
  name: string,
  where: JsonObject,
  devices: readonly JsonObject[],
  pool: JsonObject = { name, generation: 1, resourceSliceCount: 1 },
): JsonObject {
  return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name }, spec: { driver: DRIVER, pool, ...where, devices } };
}

export function claim(name: string, requests: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name, namespace: 'shop' },
    spec: { devices: { requests, ...more } },
  };
}

export function exactly(name: string, more: JsonObject = {}): JsonObject {
  return { name, exactly: { deviceClassName: 'scanner', ...more } };
}

export function using(name: string, ...claims: readonly string[]): JsonObject {
  return pod(
    name,
    { resourceClaims: claims.map((one) => ({ name: one, resourceClaimName: one })) },
    { resources: { claims: claims.map((one) => ({ name: one })) } },
  );
}

export function shop(devices: Readonly<Record<string, readonly JsonObject[]>>, ...objects: readonly JsonObject[]): Cluster {
  const nodes = Object.keys(devices).map((name) => node(name));
  const slices = Object.entries(devices)
    .filter(([, own]) => own.length > 0)
    .map(([name, own]) => slice(name, { nodeName: name }, own));
  return schedulingShop([...nodes, ...slices, CLASS, ...objects]);
}

export function devicesOf(cluster: Cluster, name: string): readonly string[] {
  const results = asList(
    dig(cluster.store.get('resourceclaims.resource.k8s.io', 'shop', name), 'status', 'allocation', 'devices', 'results'),
  );
  return results.map((result) => `${asText(dig(result, 'request'))}=${asText(dig(result, 'pool'))}/${asText(dig(result, 'device'))}`);
}
