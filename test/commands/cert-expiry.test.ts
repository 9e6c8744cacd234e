import { parseAllDocuments } from 'yaml';
import { describe, expect, it } from 'vitest';
import type { Issued } from '../support/certificates.ts';
import { issueCertificate } from '../support/certificates.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';
import { schemaProblems } from '../support/schema-problems.ts';

const NOW = '2026-01-14T09:00:00Z';
const AUTHORITY = issueCertificate({
  commonName: 'kubernetes',
  isAuthority: true,
  notBefore: '2025-01-01T00:00:00Z',
  notAfter: '2034-12-30T00:00:00Z',
});

function adminUntil(notAfter: string): Issued {
  return issueCertificate({
    commonName: 'kubernetes-admin',
    organizations: ['kubeadm:cluster-admins'],
    issuer: AUTHORITY,
    notBefore: '2025-01-14T09:00:00Z',
    notAfter,
  });
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
    expect(out).toMatch(/EXPIRED {2}client certificate of a kubeconfig, expired 2026-01-10 \(4d ago\)/);
    expect(out).toMatch(/Unauthorized/);
    expect(out).toMatch(/kubeadm certs renew admin\.conf/);
  });

  it('gives JSON that its published schema describes', async () => {
    const { out } = await looked(adminUntil('2026-01-20T09:00:00Z'), '-o', 'json');
    const report = JSON.parse(out) as { certificates: readonly object[] };
    expect(schemaProblems('certificates.v1.json', report)).toEqual([]);
    expect(report.certificates).toHaveLength(2);
    expect(report.certificates[0]).toMatchObject({
      status: 'CRITICAL',
      daysLeft: 6,
      stage: 'authentication',
      rotatedBy: 'kubeadm',
      role: 'kubeconfig-client',
    });
  });

  it('never shows the key beside the certificate', async () => {
    const admin = adminUntil('2026-01-20T09:00:00Z');
    const key = admin.key.split('\n')[1] ?? '';
    expect(key.length).toBeGreaterThan(40);
    for (const format of ['table', 'wide', 'json', 'yaml']) expect((await looked(admin, '-o', format)).out).not.toContain(key);
  });
});

describe('a kubeconfig that cannot be read', () => {
  it.each([
    [
      'of broken YAML',
      'apiVersion: v1\nusers:\n- name: eve\n  user:\n    token: hunter2-planted\n   client-key-data: hunter2-planted\n - x: [\n',
    ],
    [
      'with fields of other types',
      JSON.stringify({ users: [{ name: 'eve', user: { token: { nested: 'hunter2-planted' }, 'client-key-data': ['hunter2-planted'] } }] }),
    ],
    [
      'with a certificate that is none',
      JSON.stringify({
        'current-context': 'shop',
        contexts: [{ name: 'shop', context: { cluster: 'shop', user: 'eve' } }],
        clusters: [{ name: 'shop', cluster: { server: 'https://127.0.0.1:1' } }],
        users: [
          {
            name: 'eve',
            user: {
              'client-certificate-data': Buffer.from('hunter2-planted').toString('base64'),
              'client-key-data': Buffer.from('hunter2-planted').toString('base64'),
            },
          },
        ],
      }),
    ],
  ])('%s is told of without a word of what it holds', async (_, text) => {
    const folder = folderWith({ config: text });
    const { code, out, err } = await podcheck(['cert-expiry', '--kubeconfig', `${folder}/config`, '-o', 'json']);
    expect([2, 3]).toContain(code);
    expect(out + err).not.toBe('');
    for (const planted of ['hunter2', Buffer.from('hunter2-planted').toString('base64')]) expect(out + err).not.toContain(planted);
  });
});

describe('the formats', () => {
  it('prometheus has the names and labels of x509-certificate-exporter, and each series once', async () => {
    const { out } = await looked(adminUntil('2026-01-10T09:00:00Z'), '-o', 'prometheus');
    expect(out).toMatch(
      /^x509_cert_not_after\{serial_number="[0-9A-F]+",subject_CN="kubernetes-admin",issuer_CN="kubernetes",[^}]*\} 1768035600$/m,
    );
    expect(out).toMatch(/^x509_cert_expired\{[^}]*subject_CN="kubernetes-admin"[^}]*\} 1$/m);
    expect(out).toMatch(/^podcheck_certificate_tier_checked\{tier="served"\} 0$/m);
    const names = out
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.slice(0, line.lastIndexOf(' ')));
    expect(names.length).toBeGreaterThan(8);
    expect(new Set(names).size).toBe(names.length);
    for (const line of out.split('\n').filter((one) => one !== ''))
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{(?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*\})? -?[\d.]+)$/);
  });

  it('markdown is a section for each that needs a hand', async () => {
    expect((await looked(adminUntil('2026-01-10T09:00:00Z'), '-o', 'markdown')).out).toMatch(
      /^# Certificates of [^]*^## EXPIRED: client certificate of a kubeconfig, expired 2026-01-10/m,
    );
  });

  it('fit 80 columns', async () => {
    const { out } = await looked(adminUntil('2026-01-10T09:00:00Z'));
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe('the window', () => {
  it.each([
    ['1d', 3],
    ['30d', 1],
  ])('of %s makes the exit code %d for what ends in 20 days', async (within, code) => {
    // Without a cluster that answers, all fine is only the kubeconfig's part of it.
    expect((await looked(adminUntil('2026-02-03T09:00:00Z'), '--within', within)).code).toBe(code);
  });

  it('has to be a duration', async () => {
    expect(await looked(adminUntil('2026-02-03T09:00:00Z'), '--within', 'soon')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--within: "soon" is not a valid duration') as string,
    });
  });
});

describe('the manifest', () => {
  it('is a CronJob with rights to list what is read and nothing else', async () => {
    const { code, out } = await podcheck(['cert-expiry', '--manifest']);
    expect(code).toBe(0);
    const documents = parseAllDocuments(out).map(
      (document) => document.toJS() as { kind: string; rules?: { verbs: string[]; resources: string[] }[] },
    );
    expect(documents.map(({ kind }) => kind)).toEqual(['Namespace', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'CronJob']);
    const rules = documents.flatMap(({ rules = [] }) => rules);
    expect(new Set(rules.flatMap(({ verbs }) => verbs))).toEqual(new Set(['list']));
    expect(rules.flatMap(({ resources }) => resources)).not.toContain('secrets');
  });

  it('may read Secrets only when asked to, and writes for the textfile collector with prometheus', async () => {
    const { out } = await podcheck(['cert-expiry', '--manifest', '--secrets', '-o', 'prometheus', '-n', 'monitoring']);
    expect(parseAllDocuments(out).flatMap(({ errors }) => errors)).toEqual([]);
    expect(out).toMatch(/resources: \[configmaps, secrets\]/);
    expect(out).toContain('--secrets -o prometheus > /textfile/podcheck.prom.new');
    expect(out).toContain('namespace: monitoring');
  });
});
