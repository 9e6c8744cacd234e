import { expect } from 'vitest';
import type { CertificateWish, Issued } from '../support/certificates.ts';
import { issueCertificate } from '../support/certificates.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

export const NOW = '2026-01-14T09:00:00Z';
export const base64 = (text: string): string => Buffer.from(text).toString('base64');
export const authority = (commonName: string, more: Partial<CertificateWish> = {}): Issued =>
  issueCertificate({ commonName, isAuthority: true, notBefore: '2025-01-01T00:00:00Z', notAfter: '2035-01-01T00:00:00Z', ...more });
export const KUBERNETES = authority('kubernetes');
export const leaf = (commonName: string, notAfter: string, more: Partial<CertificateWish> = {}): Issued =>
  issueCertificate({ commonName, issuer: KUBERNETES, notBefore: '2025-12-01T00:00:00Z', notAfter, ...more });

export interface Row {
  readonly role: string;
  readonly status: string;
  readonly reason?: string;
  readonly rotatedBy: string;
  readonly renew: string;
  readonly subject: string;
  readonly stage: string | null;
  readonly places: readonly { readonly where: string }[];
}

export interface Looked {
  readonly code: number;
  readonly rows: readonly Row[];
  readonly tiers: Readonly<Record<string, { readonly state: string; readonly reason?: string }>>;
  readonly out: string;
}

export async function look(items: readonly object[], ...more: readonly string[]): Promise<Looked> {
  const { code, out, err } = await podcheck(['cert-expiry', '--from', '-', '--now', NOW, '-o', 'json', ...more], {
    stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
  });
  expect(out, err).not.toBe('');
  const report = JSON.parse(out) as { certificates: readonly Row[]; tiers: readonly { id: string; state: string; reason?: string }[] };
  return { code, rows: report.certificates, tiers: Object.fromEntries(report.tiers.map((tier) => [tier.id, tier])), out };
}

/** The report on a file without a time given. */
export async function saved(items: readonly object[]): Promise<unknown> {
  const folder = folderWith({ 'shop.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  return JSON.parse((await podcheck(['cert-expiry', '--from', `${folder}/shop.json`, '-o', 'json'])).out);
}

export function configMap(
  namespace: string,
  name: string,
  data: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>> = {},
): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name, labels }, data };
}

export function secret(name: string, data: Readonly<Record<string, string>>, more: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { namespace: 'shop', name, ...more },
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
  };
}

export function request(
  name: string,
  {
    user,
    cert,
    age = '2026-01-14T08:00:00Z',
    signer = 'kubernetes.io/kube-apiserver-client-kubelet',
    conditions = [],
  }: { user: string; cert?: string; age?: string; signer?: string; conditions?: readonly object[] },
): object {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name, creationTimestamp: age },
    spec: { signerName: signer, username: user, usages: ['client auth'] },
    status: { conditions, ...(cert === undefined ? {} : { certificate: base64(cert) }) },
  };
}
