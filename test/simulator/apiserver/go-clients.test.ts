import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import { encodeBase64 } from '../../../src/base/base64.ts';
import { Prng } from '../../../src/base/prng.ts';
import { writeRequest } from '../../../src/simulator/x509/request-writer.ts';
import { create, failureOf, objectOf, send, shop } from '../shop.ts';

describe('what clients of Kubernetes rely on', () => {
  test('a token that was made is found good, and any other is not', () => {
    const cluster = shop();
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['shop'] } };
    const token = textOf(
      dig(objectOf(send(cluster, 'create', 'ServiceAccount', 'default', { subresource: 'token', body })), 'status', 'token'),
    );
    const review = (given: string, audiences: readonly string[]) =>
      dig(
        objectOf(
          create(cluster, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: { token: given, audiences } }),
        ),
        'status',
      );
    expect(review(token, ['shop'])).toMatchObject({
      authenticated: true,
      audiences: ['shop'],
      user: { username: 'system:serviceaccount:shop:default' },
    });
    expect(dig(review(token, ['other']), 'authenticated')).toBeUndefined();
    expect(dig(review('wrong', ['shop']), 'error')).toBe('invalid bearer token');
  });

  test('an approval changes conditions and metadata of a certificate request, and nothing else', () => {
    const cluster = shop();
    const request = encodeBase64(writeRequest({ commonName: 'jane', organizations: [] }, new Prng(1)));
    const spec = { request, signerName: 'shop.example/people', usages: ['client auth'] };
    const made = create(cluster, {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'jane' },
      spec,
    });
    objectOf(made);
    const patch = {
      type: 'merge' as const,
      body: {
        metadata: { annotations: { by: 'ann' } },
        spec: { signerName: 'other.example/people' },
        status: { certificate: 'eA==', conditions: [{ type: 'Approved', status: 'True', reason: 'Known', message: 'known' }] },
      },
    };
    const approved = objectOf(send(cluster, 'patch', 'CertificateSigningRequest', 'jane', { subresource: 'approval', patch }));
    expect(approved.metadata['annotations']).toEqual({ by: 'ann' });
    expect(approved['spec']).toMatchObject({ signerName: 'shop.example/people' });
    expect([dig(approved, 'status', 'certificate'), dig(approved, 'status', 'conditions', 0, 'type')]).toEqual([undefined, 'Approved']);
  });

  test('events of both groups are found by their own fields, and by no others', () => {
    const cluster = shop();
    create(cluster, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'first', namespace: 'shop' },
      involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web' },
      reason: 'Started',
      type: 'Normal',
      reportingComponent: 'shop-controller',
    });
    const found = (group: string, fieldSelector: string) =>
      cluster.request({ verb: 'list', group, version: 'v1', resource: 'events', namespace: 'shop', fieldSelector });
    expect(asList(objectOf(found('events.k8s.io', 'reportingController=shop-controller'))['items'])).toHaveLength(1);
    expect(asList(objectOf(found('events.k8s.io', 'regarding.name=other'))['items'])).toHaveLength(0);
    expect(failureOf(found('', 'reportingController=shop-controller')).message).toBe('field label not supported: reportingController');
    expect(failureOf(found('events.k8s.io', 'involvedObject.name=web')).message).toBe('field label not supported: involvedObject.name');
  });

  test('an IP address of version 6 is a name of an IPAddress', () => {
    const cluster = shop();
    const address = (name: string) =>
      create(cluster, {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'IPAddress',
        metadata: { name },
        spec: { parentRef: { group: 'shop', resource: 'things', name: 'one' } },
      });
    expect(address('fe80::42:1dff:fe84:f9e2').ok).toBe(true);
    expect(failureOf(address('no-address')).message).toContain('metadata.name: Invalid value: "no-address"');
  });

  test('a list whose token has become too old goes on with what is there by then', () => {
    const cluster = shop();
    const put = (name: string) => create(cluster, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' } });
    for (const name of ['a', 'b', 'c']) put(name);
    const page = (continueToken?: string) =>
      send(cluster, 'list', 'ConfigMap', undefined, { limit: 2, ...(continueToken === undefined ? {} : { continueToken }) });
    const first = objectOf(page());
    put('d');
    cluster.store.compact(cluster.store.revision);
    const refused = failureOf(page(asText(dig(first, 'metadata', 'continue'))));
    expect(refused.code).toBe(410);
    const rest = objectOf(page(asText(dig(refused.status, 'metadata', 'continue'))));
    expect(asList(rest['items']).map((item) => dig(item, 'metadata', 'name'))).toEqual(['c', 'd']);
    expect(dig(rest, 'metadata', 'resourceVersion')).toBe(String(cluster.store.revision));
  });

  test('unknown and doubled fields are named in the order of the body', () => {
    const cluster = shop();
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, colour: 'red', data: { mode: 'fast' } };
    const refused = failureOf(create(cluster, body, { fieldValidation: 'Strict', duplicateFields: ['data.mode'] }));
    expect(refused.message).toContain('strict decoding error: unknown field "colour", duplicate field "data.mode"');
  });
});

describe('a custom resource', () => {
  const definition = (properties: JsonObject): JsonObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'baskets.shop.example' },
    spec: {
      group: 'shop.example',
      scope: 'Namespaced',
      names: { plural: 'baskets', kind: 'Basket' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
        },
      ],
    },
  });
  const basket = { apiVersion: 'shop.example/v1', kind: 'Basket', metadata: { name: 'first' }, spec: { items: 2 } };

  test('has defaults that its definition got after it was stored', () => {
    const cluster = shop();
    const items = { type: 'integer' };
    create(cluster, definition({ items }));
    objectOf(create(cluster, basket));
    const properties = { items, colour: { type: 'string', default: 'red' } };
    const patch = { type: 'merge' as const, body: { spec: definition(properties)['spec'] ?? {} } };
    objectOf(send(cluster, 'patch', 'CustomResourceDefinition', 'baskets.shop.example', { patch }));
    expect(objectOf(send(cluster, 'get', 'Basket', 'first'))['spec']).toEqual({ items: 2, colour: 'red' });
  });

  test('is not applied with a field that its schema does not know', () => {
    const cluster = shop();
    create(cluster, definition({ items: { type: 'integer' } }));
    const body = { ...basket, metadata: { name: 'first', colour: 'red' }, spec: { items: 2, weight: 3 } };
    const refused = failureOf(send(cluster, 'patch', 'Basket', 'first', { patch: { type: 'apply', body }, manager: 'ann' }));
    expect(refused.message).toContain('.metadata.colour: field not declared in schema');
    expect(refused.message).toContain('.spec.weight: field not declared in schema');
  });
});
