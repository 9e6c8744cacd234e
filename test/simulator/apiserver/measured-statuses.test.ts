import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import type { Failure } from '../../../src/simulator/apiserver/request.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { create, failureOf, objectOf, pod, send, shop } from '../shop.ts';
import { definition } from './custom/definitions.ts';

const OUTSIDE = { tracksFields: true, manager: 'hand' } as const;

function of(apiVersion: string, kind: string, more: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web' }, ...more };
}

function statusPatch(cluster: Cluster, kind: string, name: string, status: JsonObject) {
  return send(cluster, 'patch', kind, name, { subresource: 'status', patch: { type: 'merge', body: { status } }, ...OUTSIDE });
}

function fieldsOf({ status }: Failure): readonly (Json | undefined)[] {
  return asList(dig(status, 'details', 'causes')).map((cause) => dig(cause, 'field'));
}

function managersOf({ metadata }: KubeObject): readonly string[] {
  return asList(metadata['managedFields']).map((entry) =>
    `${textOf(dig(entry, 'manager'))} ${textOf(dig(entry, 'subresource') ?? '')}`.trim(),
  );
}

const CLAIM = of('resource.k8s.io/v1', 'ResourceClaim', {
  spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }] } },
});
const DEVICE = { driver: 'gpu.example.com', pool: 'rack', device: 'gpu-1' };

/** What `npm run differ` found about statuses that somebody writes to a real API server (1.36). */
describe('the status of a claim for devices', () => {
  const refused = (status: JsonObject): Failure => {
    const cluster = shop();
    create(cluster, CLAIM);
    return failureOf(statusPatch(cluster, 'ResourceClaim', 'web', status));
  };

  test('has devices with conditions, data and networks that are right', () => {
    const conditions = [{ type: 'a b', status: 'Perhaps', reason: 'Known', lastTransitionTime: '2026-01-01T00:00:00Z' }];
    const networkData = { interfaceName: 'x'.repeat(257), ips: ['192.168.7.1', '192.168.7.1/24', '192.168.7.1/33', '192.168.7.1/24'] };
    const failure = refused({ devices: [{ ...DEVICE, conditions, data: 7, networkData }] });
    expect(fieldsOf(failure)).toEqual([
      'status.devices[0]',
      'status.devices[0].conditions[0].type',
      'status.devices[0].conditions[0].status',
      'status.devices[0].data',
      'status.devices[0].networkData.interfaceName',
      'status.devices[0].networkData.ips[0]',
      'status.devices[0].networkData.ips[2]',
      'status.devices[0].networkData.ips[3]',
    ]);
    expect(failure.message).toContain('must be an allocated device in the claim');
    expect(failure.message).toContain('"192.168.7.1": must be a valid address in CIDR form');
  });

  test('has at most eight conditions of a device', () => {
    const condition = (type: string): JsonObject => ({ type, status: 'True', reason: 'Known', lastTransitionTime: '2026-01-01T00:00:00Z' });
    const conditions = Array.from('abcdefghi').map(condition);
    expect(refused({ devices: [{ ...DEVICE, conditions }] }).message).toContain('conditions: Too many: 9: must have at most 8 items');
  });

  test('has an allocation whose shares, conditions and configurations are right', () => {
    const result = { request: 'gpu', ...DEVICE, shareID: 'one', bindingConditions: ['Ready'] };
    const config = [{ source: 'Elsewhere', requests: ['other'], opaque: { driver: 'gpu.example.com', parameters: {} } }, {}];
    const failure = refused({ allocation: { devices: { results: [result], config } } });
    expect(fieldsOf(failure)).toEqual([
      'status.allocation.devices.results[0].bindingFailureConditions',
      'status.allocation.devices.results[0].shareID',
      'status.allocation.devices.config[0].source',
      'status.allocation.devices.config[0].requests[0]',
      'status.allocation.devices.config[1].source',
      'status.allocation.devices.config[1].opaque',
    ]);
    expect(failure.message).toContain('error validating uid: invalid UUID length: 3');
    expect(failure.message).toContain('Unsupported value: "Elsewhere": supported values: "FromClaim", "FromClass"');
  });

  test('is taken when it is right', () => {
    const cluster = shop();
    create(cluster, CLAIM);
    const devices = { results: [{ request: 'gpu', ...DEVICE }] };
    const status = { allocation: { devices }, devices: [{ ...DEVICE, data: { link: 'up' }, networkData: { ips: ['fd00::1/64'] } }] };
    expect(objectOf(statusPatch(cluster, 'ResourceClaim', 'web', status))['status']).toMatchObject(status);
  });
});

describe('the addresses of a pod', () => {
  const refused = (addresses: readonly string[]): Failure => {
    const cluster = shop();
    create(cluster, pod('till'));
    return failureOf(statusPatch(cluster, 'Pod', 'till', { podIPs: addresses.map((ip) => ({ ip })) }));
  };

  test('are one of each family at most', () => {
    const words = 'status.podIPs: Invalid value: [{"IP":"10.1.0.1"},{"IP":"10.1.0.2"}]: may specify no more than one IP for each IP family';
    expect(refused(['10.1.0.1', '10.1.0.2']).message).toContain(words);
  });

  test('have no family where one of them is none', () => {
    expect(refused(['fd00::1', '/srv']).message).toContain(
      'status.podIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: /srv',
    );
  });
});

describe('the phase of a volume', () => {
  const disk = of('v1', 'PersistentVolume', {
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: '', nfs: { server: 'nfs', path: '/' } },
  });

  test('gets its time from the registry, which nobody owns', () => {
    const cluster = shop();
    create(cluster, disk, OUTSIDE);
    cluster.advance(5000);
    const changed = objectOf(statusPatch(cluster, 'PersistentVolume', 'web', { phase: 'Released' }));
    const owned = asList(changed.metadata['managedFields']).find((entry) => dig(entry, 'subresource') === 'status');
    expect(dig(owned, 'fieldsV1')).toEqual({ 'f:status': { 'f:phase': {} } });
    const time = dig(changed, 'status', 'lastPhaseTransitionTime');
    expect(time).not.toBe(changed.metadata['creationTimestamp']);
    const kept = objectOf(statusPatch(cluster, 'PersistentVolume', 'web', { lastPhaseTransitionTime: null }));
    expect(dig(kept, 'status', 'lastPhaseTransitionTime')).toBe(time);
  });

  test('stands beside a class that is not stored when it is empty', () => {
    expect(dig(objectOf(create(shop(), disk)), 'spec', 'storageClassName')).toBeUndefined();
  });
});

describe('a status without what it must have', () => {
  test('of a namespace is that of an active one', () => {
    const cluster = shop();
    expect(dig(objectOf(statusPatch(cluster, 'Namespace', 'shop', { phase: null })), 'status', 'phase')).toBe('Active');
  });

  test('of a definition has the version that objects are stored in', () => {
    const cluster = shop();
    create(cluster, definition());
    const after = objectOf(statusPatch(cluster, 'CustomResourceDefinition', 'parcels.shop.example', { storedVersions: [] }));
    expect(dig(after, 'status', 'storedVersions')).toEqual(['v1']);
  });
});

describe('the accepted names of a definition', () => {
  const NAME = 'parcels.shop.example';
  const read = (cluster: Cluster): KubeObject => objectOf(send(cluster, 'get', 'CustomResourceDefinition', NAME));

  test('are its own again, whatever somebody writes', () => {
    const cluster = shop();
    create(cluster, definition(), OUTSIDE);
    statusPatch(cluster, 'CustomResourceDefinition', NAME, { acceptedNames: { kind: 'Other' } });
    cluster.advance(1000);
    expect(dig(read(cluster), 'status', 'acceptedNames')).toEqual(dig(read(cluster), 'spec', 'names'));
    expect(managersOf(read(cluster))).toContain('kube-apiserver status');
  });

  test('stay without those that another definition of the group has', () => {
    const cluster = shop();
    create(cluster, definition());
    const names = { plural: 'boxes', kind: 'Parcel', listKind: 'BoxList', singular: 'box' };
    create(cluster, { ...definition({ names }), metadata: { name: 'boxes.shop.example' } });
    const patch = { type: 'merge' as const, body: { status: { acceptedNames: { kind: 'Box' } } } };
    send(cluster, 'patch', 'CustomResourceDefinition', 'boxes.shop.example', { subresource: 'status', patch, ...OUTSIDE });
    cluster.advance(1000);
    const boxes = objectOf(send(cluster, 'get', 'CustomResourceDefinition', 'boxes.shop.example'));
    expect(dig(boxes, 'status', 'acceptedNames', 'kind')).toBe('Box');
    expect(asList(dig(boxes, 'status', 'conditions'))).toContainEqual(
      expect.objectContaining({ type: 'NamesAccepted', status: 'False', reason: 'KindConflict', message: '"Parcel" is already in use' }),
    );
  });
});
