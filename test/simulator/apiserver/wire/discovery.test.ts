import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { asList, dig } from '../../../../src/base/json.ts';
import { compareVersions } from '../../../../src/simulator/apiserver/version-order.ts';
import { documentAt } from '../../../../src/simulator/apiserver/wire/documents.ts';
import { ProtobufReader } from '../../../../src/simulator/apiserver/wire/protobuf-reader.ts';
import { create, shop } from '../../shop.ts';

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

function documentOf(
  path: string,
  accept = 'application/json',
  cluster = shop(),
): { readonly contentType: string; readonly body: JsonObject } {
  const found = documentAt(
    path,
    { accept, verbose: false },
    {
      resources: cluster.server.resources,
      store: cluster.store,
      aggregated: cluster.world.aggregated,
      etcdIsUp: true,
      described: () => undefined,
    },
  );
  if (found === undefined) throw new Error(`nothing at ${path}`);
  return { contentType: found.contentType, body: JSON.parse(String(found.text)) as JsonObject };
}

describe('discovery', () => {
  it('is aggregated for those who ask for it, in the version they prefer, and plain for others', () => {
    expect(documentOf('/apis', AGGREGATED)).toMatchObject({
      contentType: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      body: { apiVersion: 'apidiscovery.k8s.io/v2' },
    });
    expect(documentOf('/api', 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList').body).toMatchObject({
      apiVersion: 'apidiscovery.k8s.io/v2beta1',
    });
    expect(documentOf('/apis').body).toMatchObject({ kind: 'APIGroupList' });
    expect(documentOf('/api').body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
  });

  it('tells of short names, categories and the kinds of subresources', () => {
    const resources = asList(documentOf('/api/v1').body['resources']);
    expect(resources.find((one) => dig(one, 'name') === 'pods')).toMatchObject({
      singularName: 'pod',
      shortNames: ['po'],
      categories: ['all'],
      kind: 'Pod',
      namespaced: true,
    });
    expect(resources.find((one) => dig(one, 'name') === 'pods/eviction')).toMatchObject({
      group: 'policy',
      version: 'v1',
      kind: 'Eviction',
      verbs: ['create'],
    });
  });

  it('tells of what a definition adds, and of a server that does not answer', () => {
    const cluster = shop();
    create(cluster, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'parcels.shop.example' },
      spec: {
        group: 'shop.example',
        scope: 'Namespaced',
        names: { plural: 'parcels', kind: 'Parcel', shortNames: ['pa'] },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    create(cluster, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1beta1.metrics.k8s.io' },
      spec: {
        group: 'metrics.k8s.io',
        version: 'v1beta1',
        service: { name: 'metrics-server', namespace: 'kube-system' },
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
      },
    });
    const groups = asList(documentOf('/apis', AGGREGATED, cluster).body['items']);
    const named = (name: string): unknown => groups.find((group) => dig(group, 'metadata', 'name') === name);
    expect(named('shop.example')).toMatchObject({
      versions: [
        { version: 'v1', freshness: 'Current', resources: [{ resource: 'parcels', shortNames: ['pa'], singularResource: 'parcel' }] },
      ],
    });
    expect(named('metrics.k8s.io')).toMatchObject({ versions: [{ freshness: 'Stale', resources: [] }] });
  });

  it('tells in which version a resource is stored, as a hash', () => {
    const hashOf = (path: string, name: string): unknown =>
      dig(
        asList(documentOf(path).body['resources']).find((one) => dig(one, 'name') === name),
        'storageVersionHash',
      );
    // As a cluster of 1.36 tells them.
    expect(hashOf('/api/v1', 'pods')).toBe('xPOwRZ+Yhw8=');
    expect(hashOf('/apis/events.k8s.io/v1', 'events')).toBe('r2yiGXH7wu8=');
    expect(hashOf('/apis/autoscaling/v1', 'horizontalpodautoscalers')).toBe(hashOf('/apis/autoscaling/v2', 'horizontalpodautoscalers'));
    expect(hashOf('/api/v1', 'pods/status')).toBeUndefined();
    expect(hashOf('/api/v1', 'bindings')).toBeUndefined();
  });

  it('puts the preferred version first', () => {
    expect(['v1beta1', 'v2', 'v1alpha1', 'v1', 'v10'].sort(compareVersions)).toEqual(['v10', 'v2', 'v1', 'v1beta1', 'v1alpha1']);
    expect(documentOf('/apis/autoscaling').body).toMatchObject({ preferredVersion: { version: 'v2' } });
  });
});

describe('OpenAPI', () => {
  it('has every group and version at the place its index says, with a schema for each kind', () => {
    const { paths } = documentOf('/openapi/v3').body;
    const places = Object.keys(paths as JsonObject);
    expect(places).toContain('apis/apps/v1');
    for (const place of places) {
      const { body } = documentOf(`/openapi/v3/${place}`);
      const schemas = dig(body, 'components', 'schemas') as JsonObject;
      for (const [, reference = ''] of JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
        expect(schemas, `${reference} of ${place}`).toHaveProperty([reference]);
    }
  });

  it('is told in version 2 as well, in protobuf to those who take nothing else', () => {
    const { body } = documentOf('/openapi/v2');
    const definitions = body['definitions'] as JsonObject;
    for (const [, reference = ''] of JSON.stringify(body).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g))
      expect(definitions, reference).toHaveProperty([reference]);
    expect(dig(definitions, 'io.k8s.apimachinery.pkg.api.resource.Quantity')).toEqual({ type: 'string' });
    const cluster = shop();
    const packed = documentAt(
      '/openapi/v2',
      { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf', verbose: false },
      {
        resources: cluster.server.resources,
        store: cluster.store,
        aggregated: cluster.world.aggregated,
        etcdIsUp: true,
        described: () => undefined,
      },
    );
    const reader = new ProtobufReader(packed?.text as Uint8Array);
    const fields = new Map<number, unknown>();
    while (!reader.done) {
      const { number, value } = reader.next();
      fields.set(number, value);
    }
    expect(Buffer.from(fields.get(1) as Uint8Array).toString()).toBe('2.0');
    const names: string[] = [];
    for (const inner = new ProtobufReader(fields.get(9) as Uint8Array); !inner.done;) {
      const entry = new ProtobufReader(inner.next().value as Uint8Array);
      names.push(Buffer.from(entry.next().value as Uint8Array).toString());
    }
    expect(names.toSorted()).toEqual(Object.keys(definitions).toSorted());
  });

  it('says how lists are merged', () => {
    const { body } = documentOf('/openapi/v3/api/v1');
    expect(dig(body, 'components', 'schemas', 'io.k8s.api.core.v1.PodSpec', 'properties', 'containers')).toMatchObject({
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
  });
});
