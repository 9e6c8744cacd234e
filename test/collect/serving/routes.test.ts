import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, collectedLive, evidenceOf, factsIn, objectOf } from '../../support/collected.ts';

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

  it('is told about what it leads to, in the words of the Ingress', async () => {
    const told = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
      (await evidenceOf(objects)).facts
        .filter(({ kind }) => kind === 'route')
        .map(({ about, source, quote }) => [`${about.kind}/${about.namespace ?? ''}/${about.name}`, source, quote]);
    expect(await told(ingress([['/', 'cart', { number: 80 }]]), service('web'))).toEqual([
      ['Ingress/shop/front', 'Ingress/shop/front spec.rules', 'route *: / -> cart:80'],
    ]);
    expect(await told(ingress([['/', 'cart', {}]]), service('web'))).toMatchObject([
      [expect.anything(), expect.anything(), 'route *: / -> cart'],
    ]);
    expect(await told(ingress([['/', 'web', { number: 81 }]]), service('web'))).toMatchObject([
      ['Service/shop/web', expect.anything(), expect.anything()],
    ]);
    const route = objectOf('HTTPRoute', 'front', { spec: { rules: [{ backendRefs: [{ name: 'cart' }] }] } });
    expect(await told(route, service('web'))).toEqual([['Service/shop/cart', 'HTTPRoute/shop/front spec.rules', 'route front: / -> cart']]);
  });

  it('to a backend that is no Service is none, and one to a Service without ports is well', async () => {
    const bucket = objectOf('Ingress', 'front', {
      spec: { rules: [{ http: { paths: [{ path: '/', backend: { resource: { name: 'x' } } }] } }] },
    });
    expect(await routes(bucket, service('web'))).toEqual([]);
    const bare = objectOf('Service', 'web', { spec: { selector: { app: 'web' } } });
    expect(await routes(ingress([['/', 'web', { number: 80 }]]), bare)).toEqual([]);
  });

  it('that is asked about is judged where somebody looked for its Service and found none', async () => {
    const target = { kind: 'Ingress', namespace: 'shop', name: 'front' };
    const asked = async (none: readonly string[], ...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
      factsIn(await evidenceOf([ingress([['/', 'cart', { number: 80 }]]), ...objects], { target, none }), 'route').map(
        ({ wrong }) => wrong,
      );
    expect(await asked([], service('web'))).toEqual(['name']);
    expect(await asked([], service('cart'))).toEqual([]);
    expect(await asked([], service('cart', { port: 81 }))).toEqual(['port']);
    const unlisted = async (absent: readonly string[], refused: readonly string[]): Promise<readonly unknown[]> =>
      factsIn(await evidenceOf([ingress([['/', 'cart', { number: 80 }]])], { target, none: absent, refused }), 'route').map(
        ({ wrong }) => wrong,
      );
    expect(await unlisted(['Endpoints'], ['Service'])).toEqual(['name']);
    expect(await unlisted([], ['Service'])).toEqual([]);
    const pod = { kind: 'Pod', namespace: 'shop', name: 'web-1' };
    const one = objectOf('Pod', 'web-1', { spec: { containers: [] }, status: { phase: 'Running', startTime: ago(60) } });
    expect(factsIn(await evidenceOf([ingress([['/', 'cart', {}]]), service('web'), one], { target: pod }), 'route')).toEqual([]);
  });

  it('of a live cluster is judged by its list of Services', async () => {
    expect(await collectedLive('route', [ingress([['/', 'cart', {}]]), service('web')])).toHaveLength(1);
    expect(await collectedLive('route', [ingress([['/', 'cart', {}]])])).toEqual([]);
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

  it.each<readonly [string, id: string, path: string, wanted: string, meant: string | undefined]>([
    ['by its id', 'till', '/x', 'till-service', 'till-service'],
    ['by its id with a word for what it is', 'till-route', '/x', 'till', 'till'],
    ['by all words of its id', 'till-cash', '/x', 'till-cash-svc', 'till-cash-svc'],
    ['by its path', 'x', '/api/tills/**', 'tills', 'tills'],
    ['by its path in one word', 'x', '/tillservice', 'till-service', 'till-service'],
    ['by an id of capitals', 'Till', '/x', 'till', 'till'],
    ['not by half of a name', 'till', '/x', 'till-cash', undefined],
    ['by a name with a short word', 'till', '/x', 'till-v2', 'till-v2'],
    ['not by half of its id', 'till-cash', '/x', 'till', undefined],
    ['not by words for what it is alone', 'api', '/api', 'api-service', undefined],
    ['not by other words', 'x', '/x', 'till', undefined],
    ['not by a part of a word of its path', 'x', '/tillx', 'till', undefined],
  ])('of Spring speaks of a Service %s', async (_, id, path, wanted, meant) => {
    const written = spring(['cart', 'http://cart:80', '/cart'], [id, 'http://cart:80', path]);
    expect((await routes(written, service('cart'), service(wanted))).map((route) => route['meant'])).toEqual(
      meant === undefined ? [] : [meant],
    );
  });

  it('of Spring is as it should be where the Service has no other, or the meant one has its own', async () => {
    const services = [service('cart'), service('till'), service('cash')];
    const to = (...lines: readonly (readonly [id: string, uri: string, path: string])[]): Promise<readonly unknown[]> =>
      routes(spring(...lines), ...services).then((all) => all.map((one) => one['meant']));
    expect(await to(['till', 'http://cart:80', '/till'])).toEqual([]);
    expect(await to(['cart', 'http://cart:80', '/cart'], ['till', 'http://cart:80', '/till'])).toEqual(['till']);
    expect(await to(['cart', 'http://cart:80', '/cart'], ['till', 'http://cart:80', '/till'], ['x', 'http://till:80', '/x'])).toEqual([]);
    expect(await to(['x', 'http://cart:80', '/x'], ['till', 'http://cart:80', '/till'])).toEqual([]);
    expect(await to(['cash', 'http://cash:80', '/cash'], ['till', 'http://cart:80', '/till'])).toEqual([]);
    expect(await to(['cart', 'http://cart:80', '/cart'], ['cart', 'http://cart:80', '/till'])).toEqual([]);
    const two = await routes(
      spring(['cart', 'http://cart:80', '/cart'], ['till', 'http://cart:80', '/till']),
      service('cart'),
      service('till-service'),
      service('till'),
    );
    expect(two).toMatchObject([{ meant: 'till' }]);
    const elsewhere = objectOf('ConfigMap', 'other', {
      data: { 'a.yml': 'spring: {cloud: {gateway: {routes: [{id: cart, uri: "http://cart:80"}]}}}' },
    });
    expect(await routes(spring(['till', 'http://cart:80', '/till']), elsewhere, ...services)).toEqual([]);
  });

  it('of Spring stands at its old or its new place, with the first path of several', async () => {
    const at = (place: string, route: string): Promise<readonly unknown[]> =>
      routes(objectOf('ConfigMap', 'gateway', { data: { 'application.yml': `${place}: {routes: [${route}]}` } }), service('web'));
    expect(await at('spring: {cloud: {gateway', "{id: a, uri: 'lb://cart'}]}}} #")).toMatchObject([
      { path: '/', service: 'cart', route: 'a' },
    ]);
    const server =
      "spring: {cloud: {gateway: {server: {webflux: {routes: [{id: a, uri: 'lb://cart', predicates: [Host=x, Path=/a, Path=/b]}]}}}}}";
    const found = await routes(objectOf('ConfigMap', 'gateway', { data: { 'application.yml': server } }), service('web'));
    expect(found).toMatchObject([{ path: '/a', service: 'cart' }]);
    expect(found[0]).not.toHaveProperty('port');
    expect(await routes(config('routes: []\nurl: x'), service('web'))).toEqual([]);
    expect(await routes(config(`# ${'x'.repeat(256 * 1024)}\n${server}`), service('web'))).toEqual([]);
  });

  it('is read from the manifest that was applied as well, in the namespace that is looked at', async () => {
    const data = { 'nginx.conf': 'proxy_pass http://till;' };
    const applied = (metadata: JsonObject, kind = 'ConfigMap'): KubeObject =>
      objectOf(
        'AppliedManifest',
        'm',
        { spec: { file: 'a.yaml', object: { kind, metadata: { name: 'gateway', ...metadata }, data } } },
        { namespace: null },
      );
    expect(await routes(applied({}), service('web'))).toEqual([
      { gateway: 'ConfigMap/gateway', route: '/', path: '/', service: 'till', wrong: 'name' },
    ]);
    expect(await routes(applied({ namespace: 'shop' }), service('web'))).toHaveLength(1);
    expect(await routes(applied({ namespace: 'till' }), service('web'))).toEqual([]);
    expect(await routes(applied({}, 'Secret'), service('web'))).toEqual([]);
    expect(await routes(applied({}), objectOf('ConfigMap', 'gateway', { data }), service('web'))).toHaveLength(1);
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
