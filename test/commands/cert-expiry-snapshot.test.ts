import { describe, expect, it } from 'vitest';
import { issueCertificate } from '../support/certificates.ts';
import { stringify } from 'yaml';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';
import { NOW, authority, KUBERNETES, leaf, look, saved, configMap, secret, request } from './certificate-snapshot.ts';
import type { Row, Looked } from './certificate-snapshot.ts';

describe('certificates of a snapshot', () => {
  it('are one row each, with all the places they are at', async () => {
    const { rows } = await look(
      ['shop', 'kitchen', 'till'].map((namespace) => configMap(namespace, 'kube-root-ca.crt', { 'ca.crt': KUBERNETES.cert })),
    );
    expect(rows).toMatchObject([{ role: 'pod-trust-ca', status: 'OK', stage: 'containers' }]);
    expect(rows[0]?.places).toHaveLength(3);
  });

  it('are judged by the time given', async () => {
    const items = [
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-1', namespace: 'shop', creationTimestamp: '2020-05-05T00:00:00Z' } },
      secret('web-tls', { 'tls.crt': leaf('web', '2026-01-10T00:00:00Z').cert }),
    ];
    expect((await look(items)).code).toBe(4);
  });

  it('are judged by the newest time at which something happened in a file', async () => {
    const ran = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-1', namespace: 'shop' },
      status: { startTime: '2026-01-09T00:00:00Z' },
    };
    expect(await saved([ran, secret('web-tls', { 'tls.crt': leaf('web', '2026-01-10T00:00:00Z').cert })])).toMatchObject({
      at: '2026-01-09T00:00:00Z',
      certificates: [{ status: 'CRITICAL' }],
    });
  });

  it('are never judged by a time before they were issued: a renewal leaves the creation of its Secret as it was', async () => {
    const renewed = secret(
      'till-tls',
      { 'tls.crt': leaf('till', '2046-03-01T00:00:00Z', { notBefore: '2045-12-01T00:00:00Z' }).cert },
      { creationTimestamp: '2020-05-05T00:00:00Z' },
    );
    expect(await saved([renewed])).toMatchObject({ at: '2045-12-01T00:00:00Z', certificates: [{ status: 'OK' }] });
  });

  it('are judged by the present when they are piped in', async () => {
    const old = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-1', namespace: 'shop', creationTimestamp: '2020-05-05T00:00:00Z' },
      status: { startTime: '2020-05-05T00:00:01Z' },
    };
    const items = [
      old,
      secret(
        'till-tls',
        { 'tls.crt': leaf('till', '2021-01-10T00:00:00Z', { notBefore: '2020-01-10T00:00:00Z' }).cert },
        { creationTimestamp: '2020-01-10T08:00:00Z' },
      ),
    ];
    const { out, code } = await podcheck(['cert-expiry', '--from', '-', '-o', 'json'], {
      stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
    });
    expect(JSON.parse(out)).toMatchObject({ certificates: [{ status: 'EXPIRED' }] });
    expect(code).toBe(4);
  });

  it('that were not collected are not checked, and that is no success', async () => {
    const { code, tiers } = await look([{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-1', namespace: 'shop' } }]);
    expect(code).toBe(3);
    expect(tiers).toMatchObject({ kubeconfig: { state: 'NOT_CHECKED' }, api: { state: 'NOT_CHECKED' }, secrets: { state: 'NOT_CHECKED' } });
  });

  it('of one namespace are those of -n', async () => {
    const items = [
      configMap('shop', 'trust', { 'ca.pem': KUBERNETES.cert }),
      configMap('till', 'trust', { 'ca.pem': authority('till').cert }),
    ];
    expect((await look(items, '-n', 'till')).rows.map(({ subject }) => subject)).toEqual(['CN=till']);
    expect((await look(items, '-A')).rows).toHaveLength(2);
  });
});

describe('manifests nobody has applied yet', () => {
  it('count as what they will be', async () => {
    const folder = folderWith({
      'trust.yaml': stringify(configMap('shop', 'trust', { 'ca.pem': authority('till', { notAfter: '2026-01-10T00:00:00Z' }).cert })),
      'web.yaml': stringify(secret('web-tls', { 'tls.crt': leaf('web', '2026-06-01T00:00:00Z').cert, 'tls.key': 'hunter2' })),
    });
    const { code, out } = await podcheck(['cert-expiry', '--from', folder, '--now', NOW, '-o', 'json']);
    const { certificates } = JSON.parse(out) as { certificates: readonly Row[] };
    expect(code).toBe(4);
    expect(certificates.map(({ subject, status }) => [subject, status])).toEqual([
      ['CN=till', 'EXPIRED'],
      ['CN=web', 'OK'],
    ]);
  });
});

describe('what collectors wrote of certificates', () => {
  const POD = stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1', namespace: 'shop', uid: 'a1', creationTimestamp: '2026-01-14T08:59:00Z' },
  });
  const PRINTED = `Certificate:
    Data:
        Version: 3 (0x2)
        Serial Number: 5577006791947779410 (0x4d65822107fcfd52)
        Signature Algorithm: ecdsa-with-SHA256
        Issuer: CN = k3s-client-ca@1700000000
        Validity
            Not Before: Jan 10 09:00:00 2025 GMT
            Not After : Jan 10 09:00:00 2026 GMT
        Subject: O = system:masters, CN = system:kube-scheduler
        X509v3 extensions:
            X509v3 Subject Alternative Name:
                DNS:shop, IP Address:10.0.0.1
`;

  async function folderLooked(files: Readonly<Record<string, string>>): Promise<{
    readonly code: number;
    readonly certificates: readonly (Row & { readonly names: readonly string[]; readonly serial: string | null })[];
  }> {
    const { code, out } = await podcheck(['cert-expiry', '--from', folderWith({ 'pods.yaml': POD, ...files }), '--now', NOW, '-o', 'json']);
    return {
      code,
      ...(JSON.parse(out) as { certificates: readonly (Row & { readonly names: readonly string[]; readonly serial: string | null })[] }),
    };
  }

  it('is read as openssl prints it', async () => {
    const { code, certificates } = await folderLooked({ 'k3s/certs/server/client-scheduler.crt': PRINTED });
    expect(code).toBe(4);
    expect(certificates).toMatchObject([
      {
        role: 'scheduler-client',
        rotatedBy: 'k3s',
        subject: 'CN=system:kube-scheduler,O=system:masters',
        serial: '4D65822107FCFD52',
        names: ['shop', '10.0.0.1'],
        status: 'EXPIRED',
      },
    ]);
  });

  it('is read as PEM', async () => {
    const { certificates } = await folderLooked({
      'node/etc/kubernetes/pki/apiserver.crt': leaf('kube-apiserver', '2026-12-01T00:00:00Z').cert,
    });
    expect(certificates).toMatchObject([{ role: 'apiserver-serving', status: 'OK' }]);
  });

  it('is read as a support bundle has it', async () => {
    const source = { secret: 'web-tls', namespace: 'shop' };
    const chain = [
      {
        certificate: 'tls.crt',
        subject: 'CN=web',
        subjectAlternativeNames: ['web.shop.example'],
        issuer: 'CN=shop',
        notBefore: '2025-12-01T00:00:00Z',
        notAfter: '2026-01-16T00:00:00Z',
        isValid: true,
        isCA: false,
      },
    ];
    const { code, certificates } = await folderLooked({
      'certificates/certificates.json': JSON.stringify([
        { source, certificateChain: chain },
        { source: { secret: 'cart-tls', namespace: 'shop' }, errors: ['secrets "cart-tls" not found'] },
      ]),
    });
    expect(code).toBe(1);
    expect(certificates.map(({ places, status }) => [places[0]?.where, status])).toEqual([
      ['Secret/shop/cart-tls', 'MISSING'],
      ['Secret/shop/web-tls tls.crt', 'CRITICAL'],
    ]);
  });
});

describe('members of bundles', () => {
  it('of public authorities are no findings, ended or not, but for those the cluster lives on', async () => {
    const roots = Array.from(
      { length: 40 },
      (_, index) => authority(`Public Root ${index}`, { notAfter: index === 0 ? '2025-06-01T00:00:00Z' : '2040-01-01T00:00:00Z' }).cert,
    );
    const { code, rows } = await look([
      configMap('shop', 'trusted', { 'ca-bundle.crt': [...roots, KUBERNETES.cert].join('') }),
      configMap('shop', 'kube-root-ca.crt', { 'ca.crt': KUBERNETES.cert }),
    ]);
    expect(code).toBe(0);
    expect(rows.filter(({ status }) => status === 'INFO')).toHaveLength(40);
    expect(rows[0]).toMatchObject({ role: 'pod-trust-ca', status: 'OK' });
  });

  it('that have ended are no findings while others of a small bundle are valid', async () => {
    const [old, current] = [authority('signer@1', { notAfter: '2026-01-01T00:00:00Z' }), authority('signer@2')];
    expect((await look([configMap('shop', 'client-ca', { 'ca.crt': old.cert + current.cert })])).rows.map(({ status }) => status)).toEqual([
      'OK',
      'INFO',
    ]);
    expect((await look([configMap('shop', 'client-ca', { 'ca.crt': old.cert })])).rows.map(({ status }) => status)).toEqual(['EXPIRED']);
  });

  it('that have ended are findings when something in use is signed by them', async () => {
    const [old, current] = [authority('signer@1', { notAfter: '2026-01-01T00:00:00Z' }), authority('signer@2')];
    const web = issueCertificate({ commonName: 'web', issuer: old, notBefore: '2025-12-01T00:00:00Z', notAfter: '2026-12-01T00:00:00Z' });
    const { rows } = await look([
      configMap('shop', 'client-ca', { 'ca.crt': old.cert + current.cert }),
      secret('web-tls', { 'tls.crt': web.cert }),
    ]);
    expect(rows.find(({ subject }) => subject === 'CN=signer@1')?.status).toBe('EXPIRED');
  });
});

describe('what pods trust', () => {
  it('does not fit where one namespace has another authority than the rest', async () => {
    const { code, rows } = await look([
      ...['shop', 'kitchen', 'default'].map((namespace) => configMap(namespace, 'kube-root-ca.crt', { 'ca.crt': KUBERNETES.cert })),
      configMap('till', 'kube-root-ca.crt', { 'ca.crt': authority('kubernetes').cert }),
    ]);
    expect(code).toBe(1);
    expect(rows[0]).toMatchObject({ status: 'MISMATCH', places: [{ where: 'ConfigMap/till/kube-root-ca.crt ca.crt' }] });
  });
});

describe('requests', () => {
  const kubelet = (notAfter: string): string => leaf('system:node:worker-1', notAfter, { organizations: ['system:nodes'] }).cert;

  it('give what was issued last, and what was issued before does not matter', async () => {
    const { code, rows } = await look([
      request('csr-a', { user: 'system:node:worker-1', cert: kubelet('2026-01-13T00:00:00Z'), age: '2026-01-12T00:00:00Z' }),
      request('csr-b', { user: 'system:node:worker-1', cert: kubelet('2026-12-01T00:00:00Z') }),
    ]);
    expect(code).toBe(0);
    expect(rows.map(({ role, status, rotatedBy }) => [role, status, rotatedBy])).toEqual([
      ['kubelet-client', 'OK', 'kubelet'],
      ['kubelet-client', 'INFO', 'kubelet'],
    ]);
  });

  it('that nobody approves are missing certificates, after a while', async () => {
    const pending = (age: string): object =>
      request('csr-c', { user: 'system:node:worker-2', age, signer: 'kubernetes.io/kubelet-serving' });
    expect((await look([pending('2026-01-14T08:00:00Z')])).rows).toMatchObject([
      { role: 'kubelet-serving', status: 'MISSING', reason: expect.stringContaining('waits for approval') as string },
    ]);
    expect((await look([pending('2026-01-14T08:58:00Z')])).rows).toEqual([]);
  });

  it('that were denied say why', async () => {
    const { rows } = await look([
      request('csr-d', { user: 'system:node:worker-2', conditions: [{ type: 'Denied', message: 'not one of ours' }] }),
    ]);
    expect(rows).toMatchObject([{ status: 'MISSING', reason: 'the request was denied: not one of ours' }]);
  });
});

describe('a simulated cluster', () => {
  it('is read with the same rows, as long after its start as is asked for', async () => {
    const at = async (duration: string): Promise<Looked> => {
      const { code, out } = await podcheck(['cert-expiry', '--scenario', 'healthy/deployment', '--at', duration, '-o', 'json']);
      const report = JSON.parse(out) as { certificates: readonly Row[] };
      return { code, rows: report.certificates, tiers: {}, out };
    };
    const [soon, later] = [await at('1m'), await at('366d')];
    expect(soon.code).toBe(0);
    expect(soon.rows.map(({ role }) => role)).toEqual(
      expect.arrayContaining(['apiserver-serving', 'kubelet-client', 'kubeconfig-client', 'etcd-server']),
    );
    expect(later.code).toBe(4);
    expect(later.rows.filter(({ status }) => status === 'EXPIRED').map(({ role }) => role)).toContain('apiserver-serving');
  });
});
