import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from '../../src/base/base64.ts';
import type { Json } from '../../src/base/json.ts';
import { asText, dig } from '../../src/base/json.ts';
import { ValueMasks } from '../../src/clusters/mask-values.ts';
import { issueCertificate } from '../support/certificates.ts';

const SECRET = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'db',
    namespace: 'shop',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"password":"hunter2-planted"}}' },
  },
  stringData: { password: 'hunter2-planted', port: 5432 },
  data: { token: encodeBase64('hunter2-planted'), plain: 'hunter2-planted!' },
};
const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    template: {
      spec: {
        containers: [
          {
            name: 'web',
            args: ['--port=80'],
            env: [
              { name: 'DB', value: 'planted-env' },
              { name: 'NUMBER', value: 80 },
              { name: 'EMPTY', value: '' },
              { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'settings', key: 'url' } } },
            ],
          },
        ],
      },
    },
  },
};
const CONFIG = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'settings',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"kind":"ConfigMap","data":{"url":"planted-data"}}' },
  },
  data: { url: 'planted-data', long: 'y'.repeat(2000) },
  binaryData: { logo: encodeBase64('planted-data') },
};

function masked(document: Json, plain = true): Json {
  return new ValueMasks({ plain }).document(document);
}

function decoded(value: Json | undefined, ...path: readonly string[]): string {
  return decodeBase64(asText(dig(value, ...path)) ?? '');
}

describe('masked documents', () => {
  it('have no value of a Secret, in a List or with another spelling of the kind', () => {
    for (const document of [SECRET, { ...SECRET, kind: 'secret' }, { kind: 'List', items: [SECRET] }]) {
      const text = JSON.stringify(masked(document, false));
      expect(text).not.toContain('hunter2');
      expect(text).not.toContain(encodeBase64('hunter2-planted').slice(0, 12));
      expect(text).toContain('"password"');
    }
  });

  it('keep what the API server would say of a value: its type, whether it is base64, its size when large', () => {
    const secret = masked(SECRET, false);
    expect(dig(secret, 'stringData', 'port')).toBe(0);
    expect(decoded(secret, 'data', 'token')).toBe(dig(secret, 'stringData', 'password'));
    expect(dig(secret, 'data', 'plain')).toMatch(/^<.*>$/);
    const config = masked(CONFIG);
    expect(asText(dig(config, 'data', 'long'))).toHaveLength(2000);
    expect(asText(dig(config, 'binaryData', 'logo'))).toMatch(/^A+=*$/);
  });

  it('keep a registry login one, for the same server, and certificates', () => {
    const { cert, key } = issueCertificate({ commonName: 'web.shop' });
    const login = JSON.stringify({
      auths: { 'registry.shop.example': { username: 'eve', password: 'hunter2-planted', auth: encodeBase64('eve:hunter2-planted') } },
    });
    const secret = masked(
      {
        kind: 'Secret',
        type: 'kubernetes.io/dockerconfigjson',
        data: { '.dockerconfigjson': encodeBase64(login), 'tls.crt': encodeBase64(cert), 'tls.key': encodeBase64(key) },
      },
      false,
    );
    const entry = dig(JSON.parse(decoded(secret, 'data', '.dockerconfigjson')) as Json, 'auths', 'registry.shop.example');
    const [user = '', password = ''] = [asText(dig(entry, 'username')), asText(dig(entry, 'password'))];
    expect(decoded(entry, 'auth')).toBe(`${user}:${password}`);
    expect(JSON.stringify(entry)).not.toMatch(/hunter2|eve/);
    expect(decoded(secret, 'data', 'tls.crt')).toContain('BEGIN CERTIFICATE');
    expect(decoded(secret, 'data', 'tls.key')).not.toContain('PRIVATE KEY');
  });

  it('have no value of an environment variable and no data of a ConfigMap, where that is asked for', () => {
    expect(masked(DEPLOYMENT, false)).toEqual(DEPLOYMENT);
    expect(masked(CONFIG, false)).toEqual(CONFIG);
    const env = dig(masked(DEPLOYMENT), 'spec', 'template', 'spec', 'containers', 0, 'env');
    expect(env).toEqual([
      { name: 'DB', value: '<redacted-1>' },
      { name: 'NUMBER', value: 0 },
      { name: 'EMPTY', value: '' },
      { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'settings', key: 'url' } } },
    ]);
    const text = JSON.stringify(masked(CONFIG));
    expect(text).not.toContain('planted');
    expect(text).toContain('"url"');
  });

  it('mask the same value alike, also where it stands outside of documents', () => {
    const masks = new ValueMasks({ plain: false });
    const password = asText(dig(masks.document(SECRET), 'stringData', 'password')) ?? '';
    expect(masks.words({ registry: { logins: [{ password: 'hunter2-planted' }, 'other'] } })).toEqual({
      registry: { logins: [{ password }, 'other'] },
    });
    expect(masks.text('password: hunter2-planted')).toBe(`password: ${password}`);
    expect(masks.count).toBe(4);
  });
});
