import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { serviceNamed } from '../../../src/collect/serving/dependencies.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { collected, objectOf } from '../../support/collected.ts';

function web(env: Readonly<Record<string, string>>, more: JsonObject = {}): KubeObject {
  const container = { name: 'web', image: 'a', env: Object.entries(env).map(([name, value]) => ({ name, value })), ...more };
  return objectOf('Deployment', 'web', {
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
    },
    status: {},
  });
}

function service(name: string, ports: readonly number[], more: JsonObject = {}): KubeObject {
  return objectOf('Service', name, { spec: { selector: { app: name }, ports: ports.map((port) => ({ port })), ...more } });
}

async function dependencies(env: Readonly<Record<string, string>>, ...others: readonly KubeObject[]): Promise<readonly unknown[]> {
  return (await collected('dependency', [web(env), ...others])).filter(({ service: name }) => name !== undefined);
}

describe('a Service that a configuration names', () => {
  it('is there with its port, or not', async () => {
    expect(await dependencies({ CART_URL: 'http://cart:8080/api' }, service('cart', [8080]))).toEqual([
      {
        on: 'Service/shop/cart',
        service: 'cart',
        host: 'cart',
        port: '8080',
        variable: 'CART_URL',
        scheme: 'http',
        exists: true,
        offers: '8080',
      },
    ]);
    expect(await dependencies({ CART_URL: 'http://cart:80' }, service('cart', [8080]))).toMatchObject([
      { wrong: 'port', offers: '8080', container: 'web', correction: 'CART_URL=http://cart:8080' },
    ]);
    expect(await dependencies({ CART_URL: 'http://cart:80' }, service('cart', [8080, 9090]))).toMatchObject([
      { wrong: 'port', offers: '8080, 9090' },
    ]);
    expect((await dependencies({ CART_URL: 'http://cart:80' }, service('cart', [8080, 9090])))[0]).not.toHaveProperty('correction');
  });

  it('is not there, but one of nearly its name is', async () => {
    expect(await dependencies({ CART_URL: 'http://crat:8080' }, service('cart', [8080]))).toEqual([
      {
        service: 'crat',
        host: 'crat',
        port: '8080',
        variable: 'CART_URL',
        scheme: 'http',
        exists: false,
        wrong: 'name',
        similar: 'cart',
        container: 'web',
        correction: 'CART_URL=http://cart:8080',
      },
    ]);
  });

  it('may have its port in another variable', async () => {
    expect(await dependencies({ CART_HOST: 'cart', CART_PORT: '80' }, service('cart', [8080]))).toMatchObject([
      { port: '80', variable: 'CART_HOST', portVariable: 'CART_PORT', wrong: 'port', correction: 'CART_PORT=8080' },
    ]);
    expect((await dependencies({ CART_HOST: 'cart', TILL_PORT: '80' }, service('cart', [8080])))[0]).not.toHaveProperty('port');
    expect((await dependencies({ CART_HOST: 'cart', CART_PORT: 'http' }, service('cart', [8080])))[0]).not.toHaveProperty('portVariable');
  });

  it('takes any port where it is headless or stands for another name', async () => {
    for (const more of [{ clusterIP: 'None' }, { type: 'ExternalName' }]) {
      const [found] = await dependencies({ CART_URL: 'http://cart:80' }, service('cart', [8080], more));
      expect(found).toMatchObject({ exists: true });
      expect(found).not.toHaveProperty('wrong');
    }
  });

  it('may have been rejected by a full quota', async () => {
    const quota = (used: string): KubeObject =>
      objectOf('ResourceQuota', 'few', { status: { hard: { services: '1' }, used: { services: used } } });
    expect((await dependencies({ CART_URL: 'http://cart:80' }, service('till', [1]), quota('1')))[0]).not.toHaveProperty('wrong');
    expect(await dependencies({ CART_URL: 'http://cart:80' }, service('till', [1]), quota('0'))).toMatchObject([{ wrong: 'name' }]);
  });

  it.each([
    [{ A_URL: 'mysql://db:1' }, 'mysql'],
    [{ A_HOST: 'mariadb' }, 'mysql'],
    [{ A_URL: 'x://db:5432' }, 'postgres'],
    [{ A_URL: 'postgres://db' }, 'postgres'],
    [{ A_HOST: 'redis' }, 'redis'],
    [{ A_URL: 'x://valkey' }, 'redis'],
    [{ A_URL: 'mongodb://db' }, 'mongodb'],
    [{ A_URL: 'amqp://queue' }, 'rabbitmq'],
    [{ A_URL: 'http://cart' }, undefined],
  ])('%j is a server of the family %s', async (env, server) => {
    const [found] = await dependencies(env, service('till', [1]));
    expect((found as { readonly server?: string }).server).toBe(server);
  });

  it('may be named by a ConfigMap, with a prefix', async () => {
    const envFrom = { envFrom: [{ prefix: 'SHOP_', configMapRef: { name: 'settings' } }] };
    const settings = objectOf('ConfigMap', 'settings', { data: { CART_URL: 'http://crat:80', MODE: 'cart' } });
    const found = (await collected('dependency', [web({}, envFrom), settings, service('cart', [80])])).filter(
      ({ service: name }) => name !== undefined,
    );
    expect(found).toMatchObject([{ variable: 'SHOP_CART_URL', similar: 'cart' }]);
    expect(found[0]).not.toHaveProperty('correction');
  });

  it('may be named by the command of an init container, of which the port is looked at', async () => {
    const called = async (command: string, ...others: readonly KubeObject[]): Promise<readonly unknown[]> => {
      const initContainers = [{ name: 'wait', image: 'busybox', command: ['sh', '-c', command] }];
      const spec = { containers: [{ name: 'web', image: 'a' }], initContainers };
      return collected('dependency', [objectOf('Pod', 'web-1', { spec }), ...others]);
    };
    const own = { service: 'cart', host: 'cart.shop', container: 'wait', called: true };
    const [right] = await called('wget -qO- http://cart.shop:8080/', service('cart', [8080]));
    expect(right).toMatchObject({ ...own, port: '8080' });
    expect(right).not.toHaveProperty('wrong');
    expect(await called('wget -qO- http://cart.shop:8080/', service('cart', [80, 9090]))).toMatchObject([
      { ...own, wrong: 'port', offers: '80, 9090', variable: 'command of container wait' },
    ]);
    expect(await called('wget -qO- http://cart.shop/', service('cart', [8080]))).toMatchObject([{ ...own, port: '80', wrong: 'port' }]);
    expect(await called('wget -qO- https://cart.shop/', service('cart', [443]))).toMatchObject([{ ...own, port: '443' }]);
    expect(await called('nc -z cart.shop 8080', service('till', [8080]))).toEqual([{ ...own, port: '8080', exists: false }]);
    const other = { ...service('cart', [8080]), metadata: { name: 'cart', namespace: 'till' } };
    expect(await called('nc -z cart.till 8080', other)).toEqual([]);
  });

  it.each<readonly [string, object | undefined]>([
    ['cart', { name: 'cart', namespace: 'shop' }],
    ['cart.till.svc', { name: 'cart', namespace: 'till' }],
    ['cart.till.svc.cluster.local', { name: 'cart', namespace: 'till' }],
    ['cart.till.svc.cluster.local.', { name: 'cart', namespace: 'till' }],
    ['cart.shop', { name: 'cart', namespace: 'shop' }],
    ['cart.till', undefined],
    ['cart.shop.example', undefined],
    ['10.0.0.1', undefined],
    ['localhost', undefined],
    ['Cart', undefined],
    ['cart-', undefined],
  ])('%s is %j', (host, expected) => {
    expect(serviceNamed(host, 'shop')).toEqual(expected);
    if (!host.includes('.')) expect(serviceNamed(host, undefined)).toBeUndefined();
  });
});
