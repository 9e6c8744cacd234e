import { describe, expect, it } from 'vitest';
import { kubeconfigParts, kubeconfigSightings } from '../../src/certificates/kubeconfig.ts';
import type { KubeconfigUser } from '../../src/certificates/kubeconfig.ts';
import type { Sighting } from '../../src/certificates/seen-certificate.ts';
import { AUTHORITY, LEAF, base64, linesOf } from './objects.ts';

const TOKEN = `a.${base64(JSON.stringify({ sub: 'deployer', exp: 4_000_000_000 }))}.c`;
const FILES: Readonly<Record<string, string | Error>> = {
  'ca.crt': AUTHORITY.cert,
  'web.crt': LEAF.cert,
  token: TOKEN,
  gone: Object.assign(new Error('no such file'), { code: 'ENOENT' }),
  shut: Object.assign(new Error('permission denied'), { code: 'EACCES' }),
};

async function seen(clusters: readonly object[], users: readonly Omit<KubeconfigUser, 'name'>[]): Promise<readonly Sighting[]> {
  return kubeconfigSightings(
    {
      file: 'config',
      clusters: clusters.map((cluster) => ({ name: 'shop', ...cluster })),
      users: users.map((user) => ({ name: 'anna', ...user })),
    },
    {
      tier: 'kubeconfig',
      clientRole: 'kubeconfig-client',
      readFile: (path) => Promise.resolve(FILES[path] ?? new Error('unexpected')),
    },
  );
}

describe('a kubeconfig', () => {
  it('holds certificates, or names the files that do; what it holds wins', async () => {
    const found = await seen(
      [
        { caData: base64(AUTHORITY.cert), caFile: 'gone' },
        { caFile: 'ca.crt' },
        { caFile: 'gone' },
        { caFile: 'shut' },
        {},
        { caData: '%' },
      ],
      [{ certData: base64(LEAF.cert) }, { certFile: 'web.crt' }],
    );
    expect(linesOf(found)).toEqual([
      'config cluster shop | kubeconfig-ca | - | CN=shop-ca',
      'config cluster shop: ca.crt | kubeconfig-ca | - | CN=shop-ca',
      'config cluster shop: gone | kubeconfig-ca | - | missing: the file it names does not exist',
      'config cluster shop: shut | kubeconfig-ca | - | unreadable: the file it names cannot be read: permission denied',
      'config cluster shop | kubeconfig-ca | - | unreadable: its -data field is not base64',
      'config user anna | kubeconfig-client | - | CN=web',
      'config user anna: web.crt | kubeconfig-client | - | CN=web',
    ]);
  });

  it('holds tokens that end; one that says nothing of it is left alone, and so is a program that fetches them', async () => {
    const found = await seen(
      [],
      [
        { token: TOKEN },
        { tokenFile: 'token', tokenRotatedBy: 'kubelet' },
        { token: 'opaque' },
        { tokenFile: 'shut' },
        { exec: 'aws-iam-authenticator' },
      ],
    );
    const program = 'credentials come from the program aws-iam-authenticator, which is not run for this';
    expect(linesOf(found)).toEqual([
      'config user anna | kubeconfig-token | - | described deployer',
      'config user anna: token | kubeconfig-token | kubelet | described deployer',
      'config user anna: shut | kubeconfig-token | - | unreadable: the token file cannot be read: permission denied',
      `config user anna | kubeconfig-token | - | unchecked: ${program} | ${program}`,
    ]);
  });

  it('is read by its fields, and only if it is one', () => {
    const cluster = { server: 'https://kube', 'certificate-authority-data': 'QQ==', 'certificate-authority': 'ca.crt' };
    const user = {
      'client-certificate-data': 'Qg==',
      'client-certificate': 'web.crt',
      token: 't',
      tokenFile: 'token',
      exec: { command: 'aws' },
    };
    expect(kubeconfigParts({ clusters: [{ name: 'shop', cluster }], users: [{ name: 'anna', user }, {}] }, 'config')).toEqual({
      file: 'config',
      clusters: [{ name: 'shop', server: 'https://kube', caData: 'QQ==', caFile: 'ca.crt' }],
      users: [
        { name: 'anna', certData: 'Qg==', certFile: 'web.crt', token: 't', tokenFile: 'token', exec: 'aws' },
        { name: '', certData: undefined, certFile: undefined, token: undefined, tokenFile: undefined, exec: undefined },
      ],
    });
    expect(kubeconfigParts({ kind: 'Config' }, 'config')).toEqual({ file: 'config', clusters: [], users: [] });
    expect(kubeconfigParts({ kind: 'Pod' }, 'config')).toBeUndefined();
    const many = Array.from({ length: 2001 }, () => ({ name: 'x' }));
    expect(kubeconfigParts({ clusters: many }, 'config')?.clusters).toHaveLength(2000);
  });
});
