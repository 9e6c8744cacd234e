import { X509Certificate } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { asText, dig } from '../../src/base/json.ts';
import { verifyCertificate } from '../../src/simulator/x509/certificates.ts';
import type { Cluster } from '../../src/simulator/cluster.ts';
import { createCluster, DEFAULT_START } from '../../src/simulator/cluster.ts';

const cluster = createCluster({ seed: 5, preset: 'one-node' });
const { certificates } = cluster.world;

function decoded(name: string, of: Cluster = cluster): X509Certificate {
  const certificate = of.world.certificates.get(name);
  if (certificate === undefined) throw new Error(`there is no certificate ${name}`);
  return new X509Certificate(of.world.certificates.pem(certificate));
}

function configMap(namespace: string, name: string, key: string): string {
  return asText(dig(cluster.store.get('configmaps', namespace, name), 'data', key)) ?? '';
}

test('a cluster has every certificate that kubeadm makes and its kubelets have', () => {
  expect(
    certificates
      .all()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([
    'admin',
    'apiserver',
    'apiserver-etcd-client',
    'apiserver-kubelet-client',
    'etcd-ca',
    'etcd-healthcheck-client',
    'etcd-peer',
    'etcd-server',
    'front-proxy-ca',
    'front-proxy-client',
    'kube-controller-manager',
    'kube-scheduler',
    'kubelet-serving-worker-1',
    'kubelet-worker-1',
    'kubernetes-ca',
    'super-admin',
  ]);
});

test('each of them can be read by others, with the subject, names and dates it has as data', () => {
  for (const certificate of certificates.all()) {
    const read = decoded(certificate.name);
    expect(read.subject.split('\n'), certificate.name).toEqual([
      ...certificate.organizations.map((one) => `O=${one}`),
      `CN=${certificate.commonName}`,
    ]);
    expect([Date.parse(read.validFrom), Date.parse(read.validTo)], certificate.name).toEqual([certificate.notBefore, certificate.notAfter]);
    expect(read.ca, certificate.name).toBe(certificate.usages?.includes('authority') === true);
    expect(read.publicKey.asymmetricKeyType).toBe('rsa');
  }
  expect(decoded('apiserver').subjectAltName).toBe(
    'DNS:control-plane, DNS:kubernetes, DNS:kubernetes.default, DNS:kubernetes.default.svc, DNS:kubernetes.default.svc.cluster.local, IP Address:10.96.0.1, IP Address:10.77.0.1',
  );
  expect(decoded('apiserver').keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(decoded('etcd-server').keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
});

test('a leaf names its authority, and by its key', () => {
  for (const [leaf, authority] of [
    ['apiserver', 'kubernetes-ca'],
    ['etcd-peer', 'etcd-ca'],
    ['front-proxy-client', 'front-proxy-ca'],
  ] as const) {
    expect(decoded(leaf).checkIssued(decoded(authority)), leaf).toBe(true);
    expect(decoded(leaf).checkIssued(decoded('kubernetes-ca'))).toBe(authority === 'kubernetes-ca');
  }
});

test('no two certificates share a serial number or a fingerprint, nor do those of clusters of another seed', () => {
  const other = createCluster({ seed: 6, preset: 'one-node', boot: false });
  const all = [cluster, other].flatMap((one) => one.world.certificates.all().map(({ name }) => decoded(name, one)));
  expect(new Set(all.map(({ serialNumber }) => serialNumber)).size).toBe(all.length);
  expect(new Set(all.map(({ fingerprint256 }) => fingerprint256)).size).toBe(all.length);
});

test('a renewed certificate is another one, and the same seed gives the same bytes', () => {
  const again = createCluster({ seed: 5, preset: 'one-node', boot: false });
  expect(decoded('apiserver', again).fingerprint256).toBe(decoded('apiserver').fingerprint256);
  again.inject({ fault: 'certificate', name: 'apiserver', notAfter: DEFAULT_START + 86_400_000 });
  expect(decoded('apiserver', again).serialNumber).not.toBe(decoded('apiserver').serialNumber);
  expect(decoded('apiserver', again).validTo).toBe('Nov 21 09:00:00 2026 GMT');
});

test('dates beyond 2049 are written as such', () => {
  const late = createCluster({ seed: 5, preset: 'no-nodes', boot: false });
  late.inject({ fault: 'certificate', name: 'kubernetes-ca', notAfter: Date.UTC(2061, 2, 1) });
  expect(Date.parse(decoded('kubernetes-ca', late).validTo)).toBe(Date.UTC(2061, 2, 1));
});

test('the API hands out the authorities as they are', () => {
  const authority = certificates.get('kubernetes-ca');
  const pem = authority === undefined ? '' : certificates.pem(authority);
  expect(configMap('default', 'kube-root-ca.crt', 'ca.crt')).toBe(pem);
  expect(configMap('kube-system', 'extension-apiserver-authentication', 'client-ca-file')).toBe(pem);
  expect(new X509Certificate(configMap('kube-system', 'extension-apiserver-authentication', 'requestheader-client-ca-file')).subject).toBe(
    'CN=front-proxy-ca',
  );
  const data = /certificate-authority-data: (\S+)/.exec(configMap('kube-public', 'cluster-info', 'kubeconfig'))?.[1] ?? '';
  expect(Buffer.from(data, 'base64').toString()).toBe(pem);
});

test.skipIf(spawnSync('openssl', ['version']).status !== 0)('openssl reads them', () => {
  for (const certificate of certificates.all()) {
    const { status, stdout } = spawnSync('openssl', ['x509', '-noout', '-text'], {
      input: certificates.pem(certificate),
      encoding: 'utf8',
    });
    expect(status, certificate.name).toBe(0);
    expect(stdout).toContain('Public-Key: (2048 bit)');
    expect(stdout).toContain(certificate.usages?.includes('authority') === true ? 'CA:TRUE' : 'CA:FALSE');
  }
});

test('what an ended authority has signed holds no more, in the words of Go', () => {
  const [leaf, authority] = [certificates.get('admin'), certificates.get('kubernetes-ca')];
  if (leaf === undefined || authority === undefined) throw new Error('the cluster has both');
  const now = authority.notAfter + 1000;
  const renewed = { ...leaf, notAfter: now + 86_400_000 };
  expect(verifyCertificate(renewed, ['kubernetes-ca'], now, authority)).toBe(
    'x509: certificate has expired or is not yet valid: current time 2036-11-17T09:00:01Z is after 2036-11-17T09:00:00Z',
  );
  expect(verifyCertificate(renewed, ['kubernetes-ca'], now)).toBeUndefined();
  expect(verifyCertificate(renewed, ['another-ca'], now, authority)).toBe('x509: certificate signed by unknown authority');
});
