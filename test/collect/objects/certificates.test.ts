import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import type { CertificateWish, Issued } from '../../support/certificates.ts';
import { issueCertificate } from '../../support/certificates.ts';
import { ago, collected, eventOn, evidenceOf, objectOf } from '../../support/collected.ts';

const CA = issueCertificate({ commonName: 'kubernetes', isAuthority: true });
const OTHER_CA = issueCertificate({ commonName: 'other', isAuthority: true });

function issued(wish: Partial<CertificateWish> = {}): Issued {
  return issueCertificate({ commonName: 'web', issuer: CA, ...wish });
}

function record(role: string, { cert }: Issued, spec: JsonObject = {}): KubeObject {
  return objectOf('CertificateRecord', `${role}-record`, {
    spec: { tier: 'served', place: 'https://10.0.0.1:6443', role, pem: cert, ...spec },
  });
}

const AUTHORITY = record('cluster-ca', CA);
const EXPIRED = { notAfter: ago(60) };
const unsound = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('certificate', objects);

describe('a certificate', () => {
  it('is sound while it lasts', async () => {
    expect(await unsound(AUTHORITY, record('apiserver-serving', issued()))).toEqual([]);
    expect(await unsound(AUTHORITY, record('apiserver-serving', issued({ notAfter: ago(0) })))).toEqual([]);
    expect(await unsound(AUTHORITY, record('apiserver-serving', issued({ notBefore: ago(0) })))).toEqual([]);
  });

  it('has expired, or is not valid yet', async () => {
    const expired = await unsound(record('apiserver-serving', issued(EXPIRED)));
    expect(expired).toMatchObject([
      { role: 'apiserver-serving', place: 'https://10.0.0.1:6443', state: 'expired', notAfter: '2026-01-14T08:59:00Z', isAuthority: false },
    ]);
    expect(String(expired[0]?.['subject'])).toContain('web');
    expect(String(expired[0]?.['issuer'])).toContain('kubernetes');
    expect(await unsound(record('apiserver-serving', issued({ notBefore: ago(-60) })))).toMatchObject([{ state: 'not-yet-valid' }]);
  });

  it.each([
    'kubeconfig-client',
    'admin-client',
    'super-admin-client',
    'controller-manager-client',
    'scheduler-client',
    'kubelet-client',
    'apiserver-kubelet-client',
    'apiserver-serving',
  ])('of another CA is not trusted as %s', async (role) => {
    expect(await unsound(AUTHORITY, record(role, issued({ issuer: OTHER_CA })))).toMatchObject([{ state: 'untrusted' }]);
    expect(await unsound(AUTHORITY, record(role, issued()))).toEqual([]);
    expect(await unsound(record(role, issued({ issuer: OTHER_CA })))).toEqual([]);
  });

  it('may be of another CA where it is for something else', async () => {
    for (const role of ['etcd-server', 'front-proxy-client'])
      expect(await unsound(AUTHORITY, record(role, issued({ issuer: OTHER_CA })))).toEqual([]);
  });

  it('that follows in a chain belongs to somebody else', async () => {
    const [leaf, old] = [issued(), issueCertificate({ commonName: 'old', isAuthority: true, ...EXPIRED })];
    expect(await unsound(record('etcd-server', { ...leaf, cert: leaf.cert + old.cert }))).toEqual([]);
    expect(await unsound(record('etcd-server', { ...leaf, cert: 'none' }))).toEqual([]);
  });

  it.each<readonly [string, string, JsonObject, string]>([
    ['of a kubelet is that of its node', 'kubelet-client', { tier: 'node', place: 'worker-1:/var/lib/kubelet/pki/a.pem' }, 'Node/worker-1'],
    [
      'of a node may be for the control plane',
      'scheduler-client',
      { tier: 'node', place: 'cp-1:/etc/kubernetes/scheduler.conf' },
      'Cluster/kube-scheduler',
    ],
    ['of the API server stops it', 'apiserver-serving', {}, 'Cluster/kube-apiserver'],
    ['of the manager stops it', 'controller-manager-client', {}, 'Cluster/kube-controller-manager'],
    ['of etcd stops it', 'etcd-peer', {}, 'Cluster/etcd'],
    ['of an administrator is for the cluster', 'admin-client', {}, 'Cluster/cluster'],
  ])('%s', async (_, role, spec, about) => {
    const { facts } = await evidenceOf([record(role, issued(EXPIRED), spec)]);
    expect(facts.filter(({ kind }) => kind === 'certificate').map((fact) => `${fact.about.kind}/${fact.about.name}`)).toEqual([about]);
  });

  it('of a server that was asked has its host', async () => {
    const spec = { tier: 'probe', place: 'https://till.shop.example:8443/healthz' };
    const { facts } = await evidenceOf([record('unknown', issued(EXPIRED), spec)]);
    expect(facts.filter(({ kind }) => kind === 'certificate')).toMatchObject([
      { about: { kind: 'Cluster', name: 'till.shop.example:8443' }, fields: { host: 'till.shop.example:8443' } },
    ]);
  });
});

describe('what a webhook trusts', () => {
  const set = objectOf('ReplicaSet', 'web', { spec: { replicas: 1 }, status: { replicas: 0, observedGeneration: 1 } });
  const failed = (why: string): KubeObject =>
    eventOn(set, 'FailedCreate', `Error creating: Internal error occurred: failed calling webhook "check.shop.example": ${why}`, 5);
  const configuration = (kind: string, bundle: string | undefined, name = 'check.shop.example'): KubeObject =>
    objectOf(kind, 'check', {
      webhooks: [
        { name: 'other' },
        { name, clientConfig: bundle === undefined ? {} : { caBundle: Buffer.from(bundle).toString('base64') } },
      ],
    });
  const old = issueCertificate({ commonName: 'ca', isAuthority: true, ...EXPIRED });
  const older = issueCertificate({ commonName: 'older', isAuthority: true, notAfter: ago(9000) });
  const UNTRUSTED = 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  const bundles = (configurations: readonly KubeObject[], why = UNTRUSTED): Promise<readonly unknown[]> =>
    unsound(set, failed(why), ...configurations);

  it('has expired where all of its members have, and is told by the last', async () => {
    for (const [kind, role] of [
      ['ValidatingWebhookConfiguration', 'validating-webhook-ca'],
      ['MutatingWebhookConfiguration', 'mutating-webhook-ca'],
    ] as const)
      expect(await bundles([configuration(kind, older.cert + old.cert)])).toMatchObject([
        { role, state: 'expired', place: `${kind}/check caBundle of check.shop.example`, notAfter: '2026-01-14T08:59:00Z' },
      ]);
  });

  it('is sound where one of its members is, and untold where it has none', async () => {
    const kind = 'ValidatingWebhookConfiguration';
    expect(await bundles([configuration(kind, old.cert + CA.cert)])).toEqual([]);
    expect(await bundles([configuration(kind, undefined)])).toEqual([]);
    expect(await bundles([configuration(kind, 'none')])).toEqual([]);
  });

  it('is looked at only where that webhook failed for its certificate', async () => {
    const kind = 'ValidatingWebhookConfiguration';
    expect(await bundles([configuration(kind, old.cert, 'fit.shop.example')])).toEqual([]);
    expect(await bundles([configuration(kind, old.cert)], 'dial tcp 10.0.0.7:443: connect: connection refused')).toEqual([]);
    expect(await unsound(set, configuration(kind, old.cert))).toEqual([]);
  });
});
