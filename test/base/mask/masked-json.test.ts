import { describe, expect, it } from 'vitest';
import { maskedJson } from '../../../src/base/mask/masked-json.ts';

describe('a value that is masked', () => {
  it('hides what fields with such a name hold, and what stands in its texts', () => {
    expect(
      maskedJson({
        user: 'shop',
        password: 'Tr0ub4dor',
        apiKey: 'x',
        args: ['--password', 'Tr0ub4dor', '--token=Tr0ub4dor', '-v'],
        quote: 'DB_PASSWORD=Tr0ub4dor',
      }),
    ).toEqual({ user: 'shop', password: '***', apiKey: '***', args: ['--password', '***', '--token=***', '-v'], quote: 'DB_PASSWORD=***' });
  });

  it('hides values of variables by their names, in whatever order', () => {
    expect(
      maskedJson([
        { value: 'Tr0ub4dor', name: 'DB_PASSWORD' },
        { name: 'MODE', value: 'dark' },
        { name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
      ]),
    ).toEqual([
      { value: '***', name: 'DB_PASSWORD' },
      { name: 'MODE', value: 'dark' },
      { name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
    ]);
  });

  it('hides all values of a Secret, also within a list that has the kind', () => {
    expect(maskedJson({ kind: 'Secret', metadata: { name: 'db' }, data: { user: 'c2hvcA==' }, stringData: { mode: 'dark' } })).toEqual({
      kind: 'Secret',
      metadata: { name: 'db' },
      data: { user: '***' },
      stringData: { mode: '***' },
    });
    expect(maskedJson({ kind: 'SecretList', items: [{ metadata: { name: 'db' }, data: { user: 'c2hvcA==' } }] })).toEqual({
      kind: 'SecretList',
      items: [{ metadata: { name: 'db' }, data: { user: '***' } }],
    });
    expect(maskedJson({ kind: 'ConfigMap', data: { mode: 'dark' } })).toEqual({ kind: 'ConfigMap', data: { mode: 'dark' } });
  });

  it('leaves the names that a diagnosis is about', () => {
    const names = {
      rule: 'volumes/secret-not-found',
      params: { secret: 'regcred', key: 'password', volume: 'token' },
      secretName: 'db-password',
      imagePullSecrets: [{ name: 'regcred' }],
    };
    expect(maskedJson(names)).toEqual(names);
  });
});
