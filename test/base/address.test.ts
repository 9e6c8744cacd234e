import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../src/base/address.ts';

describe('an address', () => {
  it.each([
    ['db', { host: 'db' }],
    ['db:5432', { host: 'db', port: 5432 }],
    ['http://catalog.shop.svc:8080/items', { host: 'catalog.shop.svc', port: 8080, scheme: 'http' }],
    ['jdbc:mysql://db:3306/shop?useSSL=false', { host: 'db', port: 3306, scheme: 'jdbc:mysql' }],
    ['redis://user:secret@cache:6379/0', { host: 'cache', port: 6379, scheme: 'redis' }],
    ['broker-0:9092,broker-1:9092', { host: 'broker-0', port: 9092 }],
  ])('%s is read', (text, address) => {
    expect(parseAddress(text)).toEqual(address);
  });

  it.each(['', 'two words', '8080', '/var/run/x.sock', 'a'.repeat(600), '-x'])('%j is none', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});
