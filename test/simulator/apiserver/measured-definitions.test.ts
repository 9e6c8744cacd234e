import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { create, failureOf, objectOf, send, shop } from '../shop.ts';
import { definition } from './custom/definitions.ts';

const [KIND, NAME] = ['CustomResourceDefinition', 'parcels.shop.example'];
const OUTSIDE = { tracksFields: true, manager: 'hand', namespace: undefined } as const;

function got(cluster: Cluster): KubeObject {
  return objectOf(send(cluster, 'get', KIND, NAME, { namespace: undefined }));
}

function patched(cluster: Cluster, body: JsonObject, subresource?: string): KubeObject {
  const place = subresource === undefined ? {} : { subresource };
  return objectOf(send(cluster, 'patch', KIND, NAME, { patch: { type: 'merge', body }, ...OUTSIDE, ...place }));
}

function terminating(object: KubeObject): Json | undefined {
  return asList(dig(object, 'status', 'conditions')).find((condition) => dig(condition, 'type') === 'Terminating');
}

/** What `npm run differ` found about the definitions of a real API server (1.36), one thing each. */
describe('a definition', () => {
  test('keeps a list without members, for no protobuf is made of it', () => {
    const cluster = shop();
    objectOf(create(cluster, definition(), OUTSIDE));
    expect(dig(patched(cluster, { status: { conditions: [] } }, 'status'), 'status', 'conditions')).toEqual([]);
  });

  test('has an object where its objects have a status', () => {
    const versions = [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, subresources: { status: 'x' } },
    ];
    expect(failureOf(create(shop(), definition({ versions }), OUTSIDE)).message).toBe(
      'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: json: cannot unmarshal string into Go struct field CustomResourceSubresources.spec.versions.subresources.status of type v1.CustomResourceSubresourceStatus',
    );
  });

  test('that waits for somebody says that its objects are gone, and the server owns what it says', () => {
    const cluster = shop();
    objectOf(create(cluster, definition(), OUTSIDE));
    cluster.advance(1000);
    patched(cluster, { metadata: { finalizers: ['shop.example/hold'] } });
    send(cluster, 'delete', KIND, NAME, { namespace: undefined });
    const left = got(cluster);
    expect(terminating(left)).toMatchObject({ status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' });
    const entry = asList(left.metadata['managedFields']).find((one) => dig(one, 'manager') === 'kube-apiserver');
    expect(dig(entry, 'fieldsV1', 'f:status', 'f:conditions', 'k:{"type":"Terminating"}')).toEqual({
      'f:message': {},
      'f:reason': {},
      'f:status': {},
    });
  });

  test('that was never established says so when it is deleted', () => {
    const cluster = shop();
    objectOf(create(cluster, definition(), OUTSIDE));
    cluster.advance(1000);
    patched(cluster, { metadata: { finalizers: ['shop.example/hold'] } });
    patched(cluster, { status: { conditions: [] } }, 'status');
    send(cluster, 'delete', KIND, NAME, { namespace: undefined });
    expect(terminating(got(cluster))).toMatchObject({ reason: 'NeverEstablished', message: 'resource was never established' });
  });
});
