import { describe, expect, it } from 'vitest';
import { fit } from '../../src/engine/bind-variables.ts';
import { fact, pod, rule } from '../support/facts.ts';

function bindings(where: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, string | number | boolean>>): unknown {
  const [pattern] = rule({ all: [{ fact: 'event', where }] }).when.all;
  return pattern === undefined ? undefined : fit(pattern, fact('event', pod('web-1'), fields), {});
}

describe('a pattern', () => {
  it('fits no fact of another kind', () => {
    const [pattern] = rule({ all: [{ fact: 'event', where: {} }] }).when.all;
    expect(pattern && [fit(pattern, fact('event', pod('a'), {}), {}), fit(pattern, fact('container', pod('a'), {}), {})]).toEqual([
      {},
      undefined,
    ]);
  });

  it('knows of a pod which workload it belongs to, and of nothing else that it is one', () => {
    const [pattern] = rule({ all: [{ fact: 'event', where: { workload: '$workload' } }] }).when.all;
    const web = { kind: 'Deployment', namespace: 'shop', name: 'web' };
    const node = { kind: 'Node', name: 'worker-1' };
    expect(
      [fact('event', pod('a'), {}, web), fact('event', pod('a'), {}), fact('event', node, {}, web), fact('event', node, {})].map(
        (one) => pattern && fit(pattern, one, {})?.['workload'],
      ),
    ).toEqual(['Deployment/shop/web', 'Pod/shop/a', 'Deployment/shop/web', undefined]);
  });

  it('reads the parts of a message that stand for something', () => {
    expect(
      bindings(
        { message: { parse: 'exceeded quota: ${quota}, requested: ${asked}, used: ${used}' } },
        { message: 'pods is forbidden: exceeded quota: team, requested: pods=1, used: pods=3, limited: pods=3' },
      ),
    ).toEqual({ quota: 'team', asked: 'pods=1', used: 'pods=3, limited: pods=3' });
  });

  it('tries each wording of a message', () => {
    const where = { message: { parse: ['secret "${name}" not found', "couldn't find key ${key} in Secret ${name}"] } };
    expect(bindings(where, { message: "Error: couldn't find key password in Secret shop/db" })).toEqual({
      key: 'password',
      name: 'shop/db',
    });
  });

  it('takes linear time for any text', () => {
    expect(bindings({ message: { parse: 'a${x}a${y}b' } }, { message: 'a'.repeat(200_000) })).toBeUndefined();
  });

  it.each([
    [{ count: { above: 3 } }, { count: 4 }, true],
    [{ count: { above: 3 } }, { count: 3 }, false],
    [{ count: { atLeast: 3, below: 5 } }, { count: 3 }, true],
    [{ count: { atLeast: 3 } }, { count: 2 }, false],
    [{ count: { atMost: 3 } }, { count: 3 }, true],
    [{ count: { atMost: 3 } }, { count: 4 }, false],
    [{ count: { below: 5 } }, { count: 5 }, false],
    [{ count: { above: 3 } }, { count: '4' }, false],
    [{ message: { endsWith: 'refused' } }, { message: 'refused by all' }, false],
    [{ message: { endsWith: 'refused' } }, { message: 'connection refused' }, true],
    [{ reason: { oneOf: ['Failed', 'BackOff'] } }, { reason: 'BackOff' }, true],
    [{ reason: { not: ['Failed', 'BackOff'] } }, { reason: 'BackOff' }, false],
    [{ reason: { not: 'Failed' } }, {}, false],
    [{ reason: { absent: true } }, {}, true],
    [{ message: { contains: ['refused', 'timeout'] } }, { message: 'i/o timeout' }, true],
    [{ message: { startsWith: 'Back-off', lacks: 'pulling' } }, { message: 'Back-off pulling image' }, false],
    [{ reason: { not: 'Failed' } }, { reason: 'Failed' }, false],
    [{ reason: { not: ['Failed', 'BackOff'] } }, { reason: 'Pulled' }, true],
    [{ message: { startsWith: 'Back-off', lacks: 'pulling' } }, { message: 'Back-off restarting failed container' }, true],
    [{ message: { contains: 'refused' } }, { message: 'connection refused by all' }, true],
    [{ message: { parse: 'quota: ${quota}, used' } }, { message: 'limit: team, used: 3' }, false],
    [{ namespace: 'shop' }, {}, true],
    [{ name: 'web-1' }, {}, true],
    [{ name: 'web-2' }, {}, false],
    [{ objectKind: 'Pod' }, {}, true],
    [{ objectKind: 'Node' }, {}, false],
    [{ pod: 'web-2' }, {}, false],
  ])('%j against %j is %s', (where, fields, fits) => {
    expect(bindings(where, fields as Readonly<Record<string, string | number>>) !== undefined).toBe(fits);
  });

  it('joins a variable with what it is bound to, numbers and texts of one spelling alike', () => {
    const where = { reason: '$same', message: '$same' };
    expect(bindings(where, { reason: 'Failed', message: 'Failed' })).toEqual({ same: 'Failed' });
    expect(bindings(where, { reason: 'Failed', message: 'BackOff' })).toBeUndefined();
    expect(bindings({ reason: '$same', count: '$same' }, { reason: '3', count: 3 })).toEqual({ same: '3' });
  });

  it('refuses what a variable is bound to, and takes all else', () => {
    const where = { reason: '$same', message: { not: '$same' } };
    expect(bindings(where, { reason: 'Failed', message: 'Failed' })).toBeUndefined();
    expect(bindings(where, { reason: 'Failed', message: 'BackOff' })).toEqual({ same: 'Failed' });
  });

  it('binds a value that is also checked', () => {
    const where = { message: { as: '$words', contains: 'refused' } };
    expect(bindings(where, { message: 'connection refused' })).toEqual({ words: 'connection refused' });
    expect(bindings(where, { message: 'connection reset' })).toBeUndefined();
  });

  it('binds an optional variable only when there is something to bind', () => {
    expect(bindings({ container: { maybe: '$container' } }, {})).toEqual({});
    expect(bindings({ container: { maybe: '$container' } }, { container: 'web' })).toEqual({ container: 'web' });
  });
});
