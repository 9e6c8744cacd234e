import { describe, expect, it } from 'vitest';
import { placeOfLog, podNames } from '../../../src/clusters/snapshot/log-places.ts';
import { boundedLog, readLogText } from '../../../src/clusters/snapshot/log-text.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';

function pod(namespace: string, name: string, ...containers: readonly string[]): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace },
    spec: { containers: containers.map((container) => ({ name: container })) },
  };
}

const NAMES = podNames([
  pod('shop', 'web-1', 'app'),
  pod('shop', 'cart-1', 'app', 'proxy'),
  pod('shop', 'db-0', 'mysql'),
  pod('staging', 'db-0', 'mysql'),
]);

function place(path: string): string | undefined {
  const found = placeOfLog(path, NAMES);
  return found === undefined
    ? undefined
    : `${found.pod.namespace ?? ''}/${found.pod.name}/${found.container}${found.previous ? ' previous' : ''}`;
}

describe('whose log a file is', () => {
  it.each([
    ['shop/web-1/logs.txt', 'shop/web-1/app'],
    ['cluster-resources/pods/logs/shop/cart-1/proxy.log', 'shop/cart-1/proxy'],
    ['cluster-resources/pods/logs/shop/cart-1/proxy-previous.log', 'shop/cart-1/proxy previous'],
    ['namespaces/shop/pods/cart-1/app/app/logs/current.log', 'shop/cart-1/app'],
    ['namespaces/shop/pods/cart-1/app/app/logs/previous.log', 'shop/cart-1/app previous'],
    ['podlogs/shop/web-1/logs/app.txt', 'shop/web-1/app'],
    ['logs/shop/cart-1/app.log.1', 'shop/cart-1/app previous'],
    ['logs-cart-1-proxy-20261120-191948.log', 'shop/cart-1/proxy'],
    ['logs-cart-1-proxy-20261120-191948-prev.log', 'shop/cart-1/proxy previous'],
    ['web-1.log', 'shop/web-1/app'],
    ['web-1-previous.log', 'shop/web-1/app previous'],
    ['cart-1_proxy.log', 'shop/cart-1/proxy'],
    ['shop_cart-1_proxy.log', 'shop/cart-1/proxy'],
    ['staging/db-0/mysql.log', 'staging/db-0/mysql'],
  ])('knows %s', (path, expected) => expect(place(path)).toBe(expected));

  it.each([
    'cart-1.log',
    'shop/cart-1/logs.txt',
    'db-0.log',
    'elsewhere/db-0/mysql.log',
    'shop/other-1/app.log',
    'app.log',
    'namespaces/shop/pods/web-1/app/app/logs/rotated/0.log',
  ])('does not guess whose %s is', (path) => expect(place(path)).toBeUndefined());
});

describe('the lines of a log', () => {
  it('are kept from the end, and it is said when some are left out', () => {
    expect(readLogText('one\r\ntwo\n', false)).toEqual({ lines: ['one', 'two'], filtered: false });
    expect(readLogText('', false)).toEqual({ lines: [], filtered: false });
    expect(readLogText('e\ntwo\nthree\n', true)).toEqual({ lines: ['two', 'three'], filtered: true });
    const many = boundedLog(Array.from({ length: 3000 }, (_, index) => `line ${String(index)}`));
    expect([many.lines.length, many.lines.at(-1), many.filtered]).toEqual([2000, 'line 2999', true]);
  });

  it('are cut when one of them is endless', () => {
    const { lines } = boundedLog(['x'.repeat(1_000_000), 'the end']);
    expect(lines.map(({ length }) => length)).toEqual([16 * 1024, 7]);
  });
});
