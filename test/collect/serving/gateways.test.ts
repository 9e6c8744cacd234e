import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { evidenceOf, factsIn, objectOf } from '../../support/collected.ts';

function service(name: string, metadata: JsonObject = {}): KubeObject {
  return objectOf('Service', name, { spec: { selector: { app: name }, ports: [{ port: 80 }] } }, metadata);
}

const INGRESS = objectOf('Ingress', 'front', {
  spec: {
    rules: [{ host: 'shop.example', http: { paths: [{ path: '/', backend: { service: { name: 'cart', port: { number: 80 } } } }] } }],
  },
});
const TARGET = { kind: 'Ingress', namespace: 'shop', name: 'front' };

async function routes(objects: readonly KubeObject[], around: Parameters<typeof evidenceOf>[1] = {}): Promise<ReturnType<typeof factsIn>> {
  return factsIn(await evidenceOf(objects, around), 'route');
}

const services = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
  (await routes(objects)).map((fact) => [fact['route'], fact['path'], fact['service'], fact['port']]);

function nginx(...lines: readonly string[]): KubeObject {
  return objectOf('ConfigMap', 'gateway', { data: { 'nginx.conf': lines.join('\n') } });
}

describe('an Ingress that is asked about', () => {
  it('is judged by itself, where somebody looked for the Service', async () => {
    expect(await routes([INGRESS, service('web')], { target: TARGET })).toMatchObject([{ wrong: 'name', service: 'cart' }]);
    expect(await routes([INGRESS, service('cart')], { target: TARGET })).toEqual([]);
    const { facts } = await evidenceOf([INGRESS, service('web')], { target: TARGET });
    expect(facts.find(({ kind }) => kind === 'route')?.about).toMatchObject({ kind: 'Ingress', name: 'front' });
  });

  it('is not judged where Services could not be read, nor beside a pod', async () => {
    expect(await routes([INGRESS], { target: TARGET, refused: ['Service'] })).toEqual([]);
    const pod = objectOf('Pod', 'web-1', { spec: {}, status: {} });
    expect(await routes([INGRESS, service('web'), pod], { target: { kind: 'Pod', namespace: 'shop', name: 'web-1' } })).toEqual([]);
  });
});

describe('a route of nginx', () => {
  it('is where its location says, whatever its kind', async () => {
    const found = await services(
      nginx(
        'location = /cart {',
        '  proxy_pass http://cart:81/;',
        '}',
        'location ~* /till/list {',
        '  proxy_pass https://till;',
        '}',
        '  proxy_pass http://bank:82;',
      ),
      service('web'),
    );
    expect(found).toEqual([
      ['cart', '/cart', 'cart', '81'],
      ['list', '/till/list', 'till', undefined],
      ['list', '/till/list', 'bank', '82'],
    ]);
    expect(await services(nginx('location / {', '  proxy_pass http://cart;', '}'), service('web'))).toEqual([
      ['/', '/', 'cart', undefined],
    ]);
  });

  it('leads elsewhere with a dot, an address, or to its own host', async () => {
    expect(
      await services(
        nginx('proxy_pass http://cart.example;', 'proxy_pass http://10.0.0.1:80;', 'proxy_pass http://localhost:80;'),
        service('web'),
      ),
    ).toEqual([]);
  });
});

describe('a route of Spring', () => {
  const spring = (text: string): string => `spring:\n  cloud:\n    gateway:\n${text}`;
  const entry = (indent: string): string => `${indent}routes:\n${indent}  - id: cart\n${indent}    uri: lb://cart:81\n`;

  it('is of either gateway, without a path of all paths', async () => {
    const config = (text: string): KubeObject => objectOf('ConfigMap', 'gateway', { data: { 'application.yml': text } });
    expect(await services(config(spring(entry('      '))), service('web'))).toEqual([['cart', '/', 'cart', '81']]);
    expect(await services(config(spring(`      server:\n        webflux:\n${entry('          ')}`)), service('web'))).toEqual([
      ['cart', '/', 'cart', '81'],
    ]);
    expect(await services(config(entry('      ')), service('web'))).toEqual([]);
  });

  it('may be that of a manifest of the namespace', async () => {
    const manifest = (namespace: string | null): KubeObject =>
      objectOf('AppliedManifest', 'm', {
        spec: {
          file: 'a.yaml',
          object: { kind: 'ConfigMap', metadata: { name: 'gateway', namespace }, data: { 'application.yml': spring(entry('      ')) } },
        },
      });
    expect(await services(manifest('shop'), service('web'))).toEqual([['cart', '/', 'cart', '81']]);
    expect(await services(manifest('till'), service('web'))).toEqual([]);
  });
});

describe('an address in the environment', () => {
  const web = (container: JsonObject): KubeObject =>
    objectOf('Deployment', 'web', {
      spec: { replicas: 1, template: { spec: { containers: [{ name: 'web', ...container }] } } },
      status: {},
    });
  const hosts = async (container: JsonObject, ...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
    factsIn(await evidenceOf([web(container), service('x'), ...objects]), 'dependency')
      .filter(({ host }) => host !== undefined)
      .map((fact) => [fact['variable'], fact['host'], fact['port']]);
  const env = (...pairs: readonly (readonly [string, string])[]): JsonObject => ({ env: pairs.map(([name, value]) => ({ name, value })) });

  it('has the name of one, or a scheme or port', async () => {
    for (const name of [
      'CART_HOST',
      'CART_ADDR',
      'CART_ADDRESS',
      'CART_URL',
      'CART_URI',
      'CART_ENDPOINT',
      'CART_SERVER',
      'cart.hostname',
      'CART_DSN',
      'CART_BROKERS',
      'UPSTREAM',
      'BACKEND',
    ])
      expect(await hosts(env([name, 'cart'])), name).toEqual([[name, 'cart', undefined]]);
    expect(await hosts(env(['MODE', 'cart'], ['REGION', 'north']))).toEqual([]);
    expect(await hosts(env(['MODE', 'cart:80'], ['SINK', 'http://till']))).toEqual([
      ['MODE', 'cart', '80'],
      ['SINK', 'till', undefined],
    ]);
    expect(await hosts(env(['CART_PORT', 'tcp://10.0.0.1:80']))).toEqual([]);
  });

  it('may be in a Secret of which the manifest is there, in its last words', async () => {
    const from = { envFrom: [{ prefix: 'A_', secretRef: { name: 'till' } }] };
    const manifest = (index: number, url: string, namespace = 'shop'): KubeObject =>
      objectOf('AppliedManifest', `m-${String(index)}`, {
        spec: {
          file: 'a.yaml',
          object: { kind: 'Secret', metadata: { name: 'till', namespace }, stringData: { URL: url, EMPTY_URL: '' } },
        },
      });
    expect(await hosts(from, manifest(0, 'http://old'), manifest(1, 'http://new'))).toEqual([['A_URL', 'new', undefined]]);
    expect(await hosts(from, manifest(0, 'http://old', 'till'))).toEqual([]);
  });

  it('is that of the manifest where the template was not seen whole', async () => {
    const manifest = objectOf('AppliedManifest', 'm', {
      spec: {
        file: 'a.yaml',
        object: {
          kind: 'Deployment',
          metadata: { name: 'web' },
          spec: { template: { spec: { containers: [{ name: 'web', ...env(['CART_HOST', 'cart']) }] } } },
        },
      },
    });
    const bare = objectOf('Deployment', 'web', { spec: { replicas: 1, template: { spec: {} } }, status: {} });
    expect(factsIn(await evidenceOf([bare, manifest, service('x')]), 'dependency').filter(({ host }) => host !== undefined)).toMatchObject([
      { host: 'cart' },
    ]);
    expect(await hosts({}, manifest)).toEqual([]);
  });
});
