import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { collected, objectOf } from '../../support/collected.ts';

function service(name: string, ...ports: readonly JsonObject[]): KubeObject {
  return objectOf('Service', name, { spec: { selector: { app: name }, ports: ports.length === 0 ? [{ port: 80 }] : [...ports] } });
}

function ingress(paths: readonly (readonly [path: string | undefined, service: string, port: JsonObject])[], host?: string): KubeObject {
  return objectOf('Ingress', 'front', {
    spec: {
      rules: [
        {
          ...(host === undefined ? {} : { host }),
          http: {
            paths: paths.map(([path, name, port]) => ({ ...(path === undefined ? {} : { path }), backend: { service: { name, port } } })),
          },
        },
      ],
    },
  });
}

const routes = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('route', objects);

describe('a route of an Ingress', () => {
  it('to a Service that is there and offers the port is well', async () => {
    const named = service('web', { port: 80, name: 'http' });
    expect(
      await routes(
        ingress([
          ['/', 'web', { number: 80 }],
          ['/a', 'web', { name: 'http' }],
        ]),
        named,
      ),
    ).toEqual([]);
    expect(await routes(ingress([['/', 'web', {}]]), named)).toEqual([]);
  });

  it('to a Service that is not there names it', async () => {
    expect(await routes(ingress([['/cart', 'cart', { number: 80 }]], 'shop.example'), service('web'))).toEqual([
      {
        gateway: 'Ingress/front',
        route: 'shop.example',
        path: '/cart',
        service: 'cart',
        port: '80',
        wrong: 'name',
        pointer: '/spec/rules/0/http/paths/0/backend/service/port',
      },
    ]);
    expect(await routes(ingress([[undefined, 'cart', {}]]), service('web'))).toMatchObject([{ route: '*', path: '/', wrong: 'name' }]);
  });

  it('to a port that the Service does not offer tells those that it does, and the only one', async () => {
    const two = service('web', { port: 80, name: 'http' }, { port: 443 });
    expect(
      await routes(
        ingress([
          ['/', 'web', { number: 80 }],
          ['/b', 'web', { number: 8080 }],
        ]),
        two,
      ),
    ).toEqual([
      {
        gateway: 'Ingress/front',
        route: '*',
        path: '/b',
        service: 'web',
        port: '8080',
        wrong: 'port',
        offers: '80, http, 443',
        pointer: '/spec/rules/0/http/paths/1/backend/service/port',
      },
    ]);
    expect(await routes(ingress([['/', 'web', { name: 'https' }]]), service('web'))).toMatchObject([
      { wrong: 'port', port: 'https', onlyPort: 80 },
    ]);
  });

  it('is not judged where no Service of its namespace was seen', async () => {
    const elsewhere = objectOf('Service', 'web', { spec: {} }, { namespace: 'till' });
    expect(await routes(ingress([['/', 'cart', { number: 80 }]]), elsewhere)).toEqual([]);
  });
});

describe('a route of an HTTPRoute', () => {
  const route = (backend: JsonObject, more: JsonObject = {}): KubeObject =>
    objectOf('HTTPRoute', 'front', { spec: { rules: [{ backendRefs: [backend], ...more }] } });

  it('names its first path, and is not judged in another namespace', async () => {
    const matches = [{ path: { value: '/cart' } }, { path: { value: '/other' } }];
    expect(await routes(route({ name: 'cart', port: 80 }, { matches }), service('web'))).toEqual([
      { gateway: 'HTTPRoute/front', route: 'front', path: '/cart', service: 'cart', port: '80', wrong: 'name' },
    ]);
    expect(await routes(route({ name: 'cart', namespace: 'till', port: 80 }), service('web'))).toEqual([]);
    expect(await routes(route({ name: 'web', port: 81 }), service('web'))).toMatchObject([{ path: '/', wrong: 'port', onlyPort: 80 }]);
  });
});

describe('a route in the configuration of a gateway', () => {
  const config = (text: string): KubeObject => objectOf('ConfigMap', 'gateway', { data: { 'application.yml': text } });
  const spring = (...lines: readonly (readonly [id: string, uri: string, path: string])[]): KubeObject =>
    config(
      `spring:\n  cloud:\n    gateway:\n      routes:\n${lines
        .map(([id, uri, path]) => `        - id: ${id}\n          uri: ${uri}\n          predicates: [Path=${path}]\n`)
        .join('')}`,
    );

  it('of Spring leads to the wrong Service where another is meant by its name', async () => {
    const services = [service('cart-service'), service('till-service')];
    const right = spring(['cart', 'http://cart-service:80', '/cart/**'], ['till', 'http://till-service:80', '/till/**']);
    expect(await routes(right, ...services)).toEqual([]);
    const wrong = spring(['cart', 'http://cart-service:80', '/cart/**'], ['till', 'http://cart-service:80', '/till/**']);
    expect(await routes(wrong, ...services)).toEqual([
      {
        gateway: 'ConfigMap/gateway',
        route: 'till',
        path: '/till/**',
        service: 'cart-service',
        port: '80',
        wrong: 'other',
        meant: 'till-service',
        offers: '80',
      },
    ]);
    const port = spring(['cart', '${CART:http://cart-service:81}', '/cart']);
    expect(await routes(port, ...services)).toMatchObject([{ wrong: 'port', port: '81', onlyPort: 80 }]);
    expect(await routes(spring(['cart', 'https://cart.example', '/cart']), ...services)).toEqual([]);
    expect(await routes(config('routes: [\nuri: {'), ...services)).toEqual([]);
  });

  it('of nginx is the place in which it stands', async () => {
    const nginx = config(
      'server {\n  location / { root /srv; }\n  location ^~ /till/ {\n    proxy_pass http://till:8080;\n  }\n  location = /out {\n    proxy_pass http://shop.example/;\n  }\n  location /me {\n    proxy_pass http://localhost:1;\n  }\n}\n',
    );
    expect(await routes(nginx, service('web'))).toEqual([
      { gateway: 'ConfigMap/gateway', route: 'till', path: '/till/', service: 'till', port: '8080', wrong: 'name' },
    ]);
    expect(await routes(nginx, service('till', { port: 80 }, { port: 81 }))).toMatchObject([{ wrong: 'port', offers: '80, 81' }]);
  });
});
