import { describe, expect, it } from 'vitest';
import type { Issued } from '../support/certificates.ts';
import { issueCertificate } from '../support/certificates.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';
import { schemaProblems } from '../support/schema-problems.ts';

const NOW = '2026-01-14T09:00:00Z';
const AUTHORITY = issueCertificate({ commonName: 'kubernetes', isAuthority: true, notBefore: '2025-01-01T00:00:00Z', notAfter: '2034-12-30T00:00:00Z' });

function adminUntil(notAfter: string): Issued {
  return issueCertificate({ commonName: 'kubernetes-admin', organizations: ['kubeadm:cluster-admins'], issuer: AUTHORITY, notBefore: '2025-01-14T09:00:00Z', notAfter });
}

function kubeconfig(admin: Issued): string {
  const data = (pem: string): string => Buffer.from(pem).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'shop',
    contexts: [{ name: 'shop', context: { cluster: 'shop', user: 'admin' } }],
    clusters: [{ name: 'shop', cluster: { server: 'https://127.0.0.1:1', 'certificate-authority-data': data(AUTHORITY.cert) } }],
    users: [{ name: 'admin', user: { 'client-certificate-data': data(admin.cert), 'client-key-data': data(admin.key) } }],
  });
}

async function looked(admin: Issued, ...more: readonly string[]): ReturnType<typeof podcheck> {
  const folder = folderWith({ config: kubeconfig(admin) });
  return podcheck(['cert-expiry', '--kubeconfig', `${folder}/config`, '--now', NOW, ...more]);
}

describe('the certificates of a kubeconfig', () => {
  it('exits with 4 when one has ended, and says what that breaks and how to renew it', async () => {
    const { code, out } = await looked(adminUntil('2026-01-10T09:00:00Z'));
    expect(code).toBe(4);
    expect(out).toMatch(/EXPIRED {2}client certificate of a kubeconfig, ended 2026-01-10 \(4d ago\)/);
    expect(out).toMatch(/Unauthorized/);
    expect(out).toMatch(/kubeadm certs renew admin\.conf/);
  });

  it('gives JSON that its published schema describes', async () => {
    const { out } = await looked(adminUntil('2026-01-20T09:00:00Z'), '-o', 'json');
    const report = JSON.parse(out) as { certificates: readonly object[] };
    expect(schemaProblems('certificates.v1.json', report)).toEqual([]);
    expect(report.certificates).toHaveLength(2);
    expect(report.certificates[0]).toMatchObject({ status: 'CRITICAL', daysLeft: 6, stage: 'authentication', rotatedBy: 'kubeadm', role: 'kubeconfig-client' });
  });

  it('never shows the key beside the certificate', async () => {
    const admin = adminUntil('2026-01-20T09:00:00Z');
    const key = admin.key.split('\n')[1] ?? '';
    expect(key.length).toBeGreaterThan(40);
    for (const format of ['table', 'wide', 'json', 'yaml']) expect((await looked(admin, '-o', format)).out).not.toContain(key);
  });
});
