import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { dig } from '../../../../src/base/json.ts';
import type { Answer } from '../../../../src/simulator/apiserver/request.ts';
import type { OutsideRequest } from '../../../../src/simulator/cluster-options.ts';
import type { Cluster } from '../../../../src/simulator/cluster.ts';
import { failureOf, objectOf, shop } from '../../shop.ts';
import { definition } from './definitions.ts';

const UNREACHABLE = 'Post "https://convert.shop.svc:443/parcels?timeout=30s": service "convert" not found';

/** Parcels in two versions, stored as v1, with this in the way between them. */
function converted(conversion: JsonObject): JsonObject {
  const version = (name: string): JsonObject => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  });
  return definition({ versions: [version('v1'), version('v2')], conversion });
}

const BY_SERVICE = {
  strategy: 'Webhook',
  webhook: { conversionReviewVersions: ['v1'], clientConfig: { service: { namespace: 'shop', name: 'convert', path: '/parcels' } } },
};

function defined(conversion: JsonObject): Cluster {
  const cluster = shop();
  cluster.apply([converted(conversion)]);
  cluster.runUntilSettled({ milliseconds: 10_000 });
  return cluster;
}

function ask(cluster: Cluster, version: string, request: Partial<OutsideRequest> & Pick<OutsideRequest, 'verb'>): Answer {
  return cluster.request({ group: 'shop.example', version, resource: 'parcels', namespace: 'shop', ...request });
}

function parcel(version: string): JsonObject {
  return { apiVersion: `shop.example/${version}`, kind: 'Parcel', metadata: { name: 'first' }, spec: { to: 'jane' } };
}

describe('a conversion webhook that is not there', () => {
  it('is in nobody’s way who asks for the version that is stored', () => {
    const cluster = defined(BY_SERVICE);
    objectOf(ask(cluster, 'v1', { verb: 'create', body: parcel('v1') }));
    expect(dig(objectOf(ask(cluster, 'v1', { verb: 'get', name: 'first' })), 'spec', 'to')).toBe('jane');
  });

  it('lets nobody have what is there in another version, one by one or all together', () => {
    const cluster = defined(BY_SERVICE);
    objectOf(ask(cluster, 'v1', { verb: 'create', body: parcel('v1') }));
    const words = `conversion webhook for shop.example/v1, Kind=Parcel failed: ${UNREACHABLE}`;
    for (const request of [{ verb: 'get', name: 'first' }, { verb: 'list' }, { verb: 'delete', name: 'first' }] as const)
      expect(failureOf(ask(cluster, 'v2', request))).toMatchObject({ code: 500, message: words });
    const watched = cluster.watch(
      { verb: 'watch', group: 'shop.example', version: 'v2', resource: 'parcels', namespace: 'shop' },
      () => undefined,
      () => undefined,
    );
    expect(watched).toMatchObject({ ok: false, message: words });
  });

  it('lets nobody write in another version, and is not asked where there is nothing to convert', () => {
    const cluster = defined(BY_SERVICE);
    expect(objectOf(ask(cluster, 'v2', { verb: 'list' }))['items']).toEqual([]);
    expect(failureOf(ask(cluster, 'v2', { verb: 'get', name: 'first' })).code).toBe(404);
    expect(failureOf(ask(cluster, 'v2', { verb: 'create', body: parcel('v2') })).message).toBe(
      `conversion webhook for shop.example/v2, Kind=Parcel failed: ${UNREACHABLE}`,
    );
  });
});

describe('versions without a webhook between them', () => {
  it('have the same object', () => {
    const cluster = defined({ strategy: 'None' });
    objectOf(ask(cluster, 'v1', { verb: 'create', body: parcel('v1') }));
    expect(objectOf(ask(cluster, 'v2', { verb: 'get', name: 'first' }))).toMatchObject({
      apiVersion: 'shop.example/v2',
      spec: { to: 'jane' },
    });
  });
});

describe('a conversion webhook that answers', () => {
  it('leaves the object as it is', () => {
    const url = {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1:9443/parcels' } },
    };
    const cluster = defined(url);
    const certificate = cluster.world.certificates.get('apiserver');
    cluster.inject({
      fault: 'webhook-server',
      server: {
        address: '127.0.0.1:9443',
        certificate: certificate === undefined ? undefined : { ...certificate, ipAddresses: ['127.0.0.1'] },
        caBundle: '*',
        paths: { '/parcels': { answer: 'allow' } },
      },
    });
    objectOf(ask(cluster, 'v1', { verb: 'create', body: parcel('v1') }));
    expect(objectOf(ask(cluster, 'v2', { verb: 'get', name: 'first' }))).toMatchObject({
      apiVersion: 'shop.example/v2',
      spec: { to: 'jane' },
    });
    cluster.inject({ fault: 'webhook-server', server: { address: '127.0.0.1:9443', certificate: undefined, paths: {}, down: true } });
    expect(failureOf(ask(cluster, 'v2', { verb: 'get', name: 'first' })).message).toBe(
      'conversion webhook for shop.example/v1, Kind=Parcel failed: Post "https://127.0.0.1:9443/parcels?timeout=30s": dial tcp 127.0.0.1:9443: connect: connection refused',
    );
  });
});
