import { describe, expect, test } from 'vitest';
import { asText, dig } from '../../../src/base/json.ts';
import { deployment, failureOf, objectOf, send, shop } from '../shop.ts';

describe('an object', () => {
  test('applied by kubectl takes over what kubectl applied before on the side of the client', () => {
    const cluster = shop();
    const config = (replicas: number) => ({ ...deployment('web', replicas) });
    cluster.apply([config(2)], { namespace: 'shop' });
    const apply = (manager: string, replicas: number) =>
      send(cluster, 'patch', 'Deployment', 'web', { manager, tracksFields: true, patch: { type: 'apply', body: config(replicas) } });
    expect(failureOf(apply('release', 3)).code).toBe(409);
    const applied = objectOf(apply('kubectl', 3));
    expect(dig(applied, 'spec', 'replicas')).toBe(3);
    const last = asText(dig(applied, 'metadata', 'annotations', 'kubectl.kubernetes.io/last-applied-configuration')) ?? '';
    expect(JSON.parse(last)).toEqual(config(3));
    objectOf(send(cluster, 'patch', 'Deployment', 'web', { manager: 'scaler', patch: { type: 'merge', body: { spec: { replicas: 4 } } } }));
    expect(failureOf(apply('kubectl', 5)).message).toContain('conflict with "scaler"');
  });
});
