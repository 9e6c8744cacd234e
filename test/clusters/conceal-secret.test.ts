import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { concealManifest, concealSecrets } from '../../src/clusters/conceal-secret.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const VALUE = 'Tr0ub4dor';

/** A Secret whose value stands at every place that can hold it. */
function secret(kind: Json | undefined, applied: Json): Json {
  return {
    apiVersion: 'v1',
    ...(kind === undefined ? {} : { kind }),
    type: 'Opaque',
    metadata: {
      name: 'db',
      annotations: {
        [LAST_APPLIED]: typeof applied === 'string' ? applied : JSON.stringify(applied),
        'openshift.io/token-secret.value': VALUE,
      },
      managedFields: [{ manager: 'kubectl', time: '2026-01-15T12:00:00Z', fieldsV1: { 'f:data': { 'f:password': VALUE } } }],
    },
    data: { password: VALUE },
  };
}

const APPLIED = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: { name: 'db' }, stringData: { password: VALUE } };
const { kind: _kind, ...WITHOUT_KIND } = APPLIED;

describe('values of a Secret', () => {
  it.each([
    ['an object with its kind', secret('Secret', APPLIED)],
    ['an object whose annotation has no kind', secret('Secret', WITHOUT_KIND)],
    ['an object whose annotation is cut off', secret('Secret', JSON.stringify(WITHOUT_KIND).slice(0, -5))],
    ['an object without a kind', secret(undefined, APPLIED)],
    ['an object without a kind, whose annotation has none either', secret(undefined, WITHOUT_KIND)],
    ['an object whose kind is misspelt', secret('secret', APPLIED)],
    ['an item of a List', { kind: 'List', items: [secret('Secret', APPLIED), secret(undefined, APPLIED)] }],
    [
      'an item of a SecretList, which has no kind',
      { kind: 'SecretList', items: [{ metadata: { name: 'db' }, data: { password: VALUE } }] },
    ],
    ['a list within a list', { kind: 'List', items: [{ kind: 'List', items: [secret('Secret', APPLIED)] }] }],
    ['data that is no map', { kind: 'Secret', metadata: { name: 'db' }, data: VALUE, stringData: [VALUE] }],
    ['metadata that is a list', { kind: 'Secret', metadata: [], stringData: { password: VALUE } }],
  ])('do not stay in %s', (_title, document) => {
    expect(JSON.stringify(concealSecrets(document))).not.toContain(VALUE);
    expect(JSON.stringify(concealManifest(document))).not.toContain(`"password":"${VALUE}"`);
  });

  it('go, but their keys, the times of writes and the keys of annotations stay', () => {
    expect(concealSecrets(secret('Secret', APPLIED))).toMatchObject({
      data: { password: '' },
      metadata: {
        annotations: { [LAST_APPLIED]: '' },
        managedFields: [{ manager: 'kubectl', time: '2026-01-15T12:00:00Z', fieldsV1: { 'f:data': { 'f:password': {} } } }],
      },
    });
  });

  it('are no others: a ConfigMap stays as it is', () => {
    const configMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'web', annotations: { [LAST_APPLIED]: '{"data":{"mode":"dark"}}' } },
      data: { mode: 'dark' },
    };
    expect(concealSecrets(configMap)).toBe(configMap);
    const { kind: _, ...untold } = configMap;
    expect(concealSecrets(untold)).toBe(untold);
  });
});
