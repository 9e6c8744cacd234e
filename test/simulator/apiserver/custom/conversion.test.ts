import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { asList, asObject, asText, dig } from '../../../../src/base/json.ts';
import type { Answer } from '../../../../src/simulator/apiserver/request.ts';
import type { OutsideRequest } from '../../../../src/simulator/cluster-options.ts';
import type { Cluster } from '../../../../src/simulator/cluster.ts';
import { createCluster } from '../../../../src/simulator/index.ts';
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

const HOOK_PORT = 8443;

/** A pod behind a Service that answers reviews of conversions so. */
function answered(respond: (review: Json) => JsonObject): Cluster {
  const cluster = createCluster({ seed: 5, preset: 'one-node' });
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'convert', namespace: 'shop', labels: { app: 'convert' } },
    spec: { containers: [{ name: 'web', image: 'shop/web:1.0', ports: [{ containerPort: 80 }] }] },
  };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'convert', namespace: 'shop' },
    spec: { selector: { app: 'convert' }, ports: [{ port: 443, targetPort: HOOK_PORT }] },
  };
  const clientConfig = { ...BY_SERVICE.webhook.clientConfig, caBundle: 'c29tZQ==' };
  const { webhook } = BY_SERVICE;
  cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }]);
  cluster.advance(2000);
  cluster.apply([pod, service, converted({ ...BY_SERVICE, webhook: { ...webhook, clientConfig } })]);
  cluster.advance(30_000);
  const found = objectOf(cluster.request({ verb: 'get', group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'convert' }));
  cluster.world.datacenter.network.at(asText(dig(found, 'status', 'podIP')) ?? '')?.open('', HOOK_PORT, {
    kind: 'https',
    respond: (_path, caller) => ({
      status: 200,
      body: JSON.stringify({ response: respond(JSON.parse(caller?.body ?? '') as Json) }),
      afterMilliseconds: 1,
      headers: { 'content-type': 'application/json' },
    }),
    changesIn: () => undefined,
  });
  return cluster;
}

const moved = (review: Json, more: JsonObject = {}): JsonObject => ({
  ...asObject(dig(review, 'request', 'objects', 0)),
  apiVersion: dig(review, 'request', 'desiredAPIVersion'),
  ...more,
});
const success = (...convertedObjects: readonly Json[]): JsonObject => ({ result: { status: 'Success' }, convertedObjects });

describe('a conversion webhook that a pod serves', () => {
  it('changes what is read, listed, watched, written and stored', () => {
    const reviews: Json[] = [];
    const cluster = answered((review) => {
      reviews.push(review);
      const by = asText(dig(review, 'request', 'desiredAPIVersion'));
      return success(
        moved(review, { spec: { to: 'jane', by }, metadata: { ...metadataIn(review), labels: { by: 'hook' }, generation: 99 } }),
      );
    });
    const made = objectOf(ask(cluster, 'v2', { verb: 'create', body: parcel('v2') }));
    expect(made).toMatchObject({ apiVersion: 'shop.example/v2', spec: { by: 'shop.example/v2' } });
    const read = (version: string): JsonObject => objectOf(ask(cluster, version, { verb: 'get', name: 'first' }));
    expect(read('v1')).toMatchObject({ spec: { by: 'shop.example/v1' }, metadata: { labels: { by: 'hook' }, generation: 1 } });
    expect(read('v2')).toMatchObject({ spec: { by: 'shop.example/v2' } });
    const items = asList(objectOf(ask(cluster, 'v2', { verb: 'list' }))['items']);
    expect(items).toMatchObject([{ apiVersion: 'shop.example/v2', spec: { by: 'shop.example/v2' } }]);
    const patch = { type: 'merge' as const, body: { spec: { more: 1 } } };
    expect(objectOf(ask(cluster, 'v2', { verb: 'patch', name: 'first', patch }))).toMatchObject({ spec: { by: 'shop.example/v2' } });
    expect(asObject(reviews[0])).toMatchObject({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { desiredAPIVersion: 'shop.example/v1', objects: [{ apiVersion: 'shop.example/v2' }] },
    });
  });

  it.each<[words: string, respond: (review: Json) => JsonObject]>([
    ['failed: no way', () => ({ result: { status: 'Failure', message: 'no way' } })],
    ["failed: response.result.status was 'Failure', not 'Success'", () => ({ result: { status: 'Failure' } })],
    ['returned 2 objects, expected 1', (review) => success(moved(review), moved(review))],
    [
      'returned invalid object at index 0: invalid groupVersion (expected shop.example/v2, received shop.example/v9)',
      (review) => success(moved(review, { apiVersion: 'shop.example/v9' })),
    ],
    [
      'returned invalid object at index 0: invalid kind (expected Parcel, received Letter)',
      (review) => success(moved(review, { kind: 'Letter' })),
    ],
    [
      'returned invalid object: must have the same name: first != other',
      (review) => success(moved(review, { metadata: { ...metadataIn(review), name: 'other' } })),
    ],
  ])('%s', (words, respond) => {
    const cluster = answered(respond);
    objectOf(ask(cluster, 'v1', { verb: 'create', body: parcel('v1') }));
    expect(failureOf(ask(cluster, 'v2', { verb: 'get', name: 'first' }))).toMatchObject({
      code: 500,
      message: `conversion webhook for shop.example/v1, Kind=Parcel ${words}`,
    });
  });
});

function metadataIn(review: Json): JsonObject {
  return asObject(dig(review, 'request', 'objects', 0, 'metadata'));
}
