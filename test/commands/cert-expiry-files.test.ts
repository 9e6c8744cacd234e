import { symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { issueCertificate } from '../support/certificates.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

const NOW = '2026-01-14T09:00:00Z';
const span = { notBefore: '2025-06-01T00:00:00Z', notAfter: '2026-06-01T00:00:00Z' };
const AUTHORITY = issueCertificate({
  commonName: 'kubernetes',
  isAuthority: true,
  notBefore: '2025-06-01T00:00:00Z',
  notAfter: '2035-06-01T00:00:00Z',
});
const authority = (commonName: string): ReturnType<typeof issueCertificate> =>
  issueCertificate({ commonName, isAuthority: true, notBefore: '2025-06-01T00:00:00Z', notAfter: '2035-06-01T00:00:00Z' });
const [ETCD, FRONT_PROXY] = [authority('etcd-ca'), authority('front-proxy-ca')];
const leaf = (commonName: string, more: object = {}): string => issueCertificate({ commonName, issuer: AUTHORITY, ...span, ...more }).cert;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Row {
  readonly role: string;
  readonly status: string;
  readonly reason?: string;
  readonly rotatedBy: string;
  readonly renew: string;
  readonly places: readonly { readonly where: string }[];
}

interface Looked {
  readonly code: number;
  readonly rows: readonly Row[];
  readonly out: string;
}

async function look(folder: string, ...more: readonly string[]): Promise<Looked> {
  const { code, out } = await podcheck(['cert-expiry', '--dir', folder, '--now', NOW, '-o', 'json', ...more]);
  return { code, out, rows: (JSON.parse(out) as { certificates: Row[] }).certificates };
}

/** Roles by the place's end. */
function roles(rows: readonly Row[], root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    rows.flatMap(({ places, role, status }) =>
      places.map(
        ({ where }) =>
          [where.replace(`${root}/`, '').replace(/ (?:cluster|user).*/, ''), status === 'OK' ? role : `${status} ${role}`] as const,
      ),
    ),
  );
}

function kubeadmTree(): Record<string, string> {
  const conf = (user: string): string =>
    `apiVersion: v1\nkind: Config\nclusters:\n- name: kubernetes\n  cluster: {server: "https://10.0.0.1:6443"}\nusers:\n- name: ${user}\n  user:\n    client-certificate-data: ${base64(leaf(user))}\n`;
  return {
    'etc/kubernetes/pki/ca.crt': AUTHORITY.cert,
    'etc/kubernetes/pki/ca.key': AUTHORITY.key,
    'etc/kubernetes/pki/apiserver.crt': leaf('kube-apiserver'),
    'etc/kubernetes/pki/apiserver-kubelet-client.crt': leaf('kube-apiserver-kubelet-client'),
    'etc/kubernetes/pki/apiserver-etcd-client.crt': leaf('kube-apiserver-etcd-client', { issuer: ETCD }),
    'etc/kubernetes/pki/front-proxy-ca.crt': FRONT_PROXY.cert,
    'etc/kubernetes/pki/front-proxy-client.crt': leaf('front-proxy-client', { issuer: FRONT_PROXY }),
    'etc/kubernetes/pki/etcd/ca.crt': ETCD.cert,
    'etc/kubernetes/pki/etcd/server.crt': leaf('control-plane', { issuer: ETCD }),
    'etc/kubernetes/pki/etcd/peer.crt': leaf('control-plane', { issuer: ETCD }),
    'etc/kubernetes/pki/etcd/healthcheck-client.crt': leaf('kube-etcd-healthcheck-client', { issuer: ETCD }),
    'etc/kubernetes/admin.conf': conf('kubernetes-admin'),
    'etc/kubernetes/controller-manager.conf': conf('system:kube-controller-manager'),
    'etc/kubernetes/scheduler.conf': conf('system:kube-scheduler'),
    'var/lib/kubelet/pki/kubelet.crt': leaf('worker-1@1'),
  };
}

describe('the files of a kubeadm node', () => {
  it("are what kubeadm lists, and the kubelet's besides", async () => {
    const folder = folderWith(kubeadmTree());
    const { code, rows } = await look(folder);
    expect(code).toBe(0);
    expect(roles(rows, folder)).toEqual({
      'etc/kubernetes/pki/ca.crt': 'cluster-ca',
      'etc/kubernetes/pki/apiserver.crt': 'apiserver-serving',
      'etc/kubernetes/pki/apiserver-kubelet-client.crt': 'apiserver-kubelet-client',
      'etc/kubernetes/pki/apiserver-etcd-client.crt': 'etcd-client',
      'etc/kubernetes/pki/front-proxy-ca.crt': 'front-proxy-ca',
      'etc/kubernetes/pki/front-proxy-client.crt': 'front-proxy-client',
      'etc/kubernetes/pki/etcd/ca.crt': 'etcd-ca',
      'etc/kubernetes/pki/etcd/server.crt': 'etcd-server',
      'etc/kubernetes/pki/etcd/peer.crt': 'etcd-peer',
      'etc/kubernetes/pki/etcd/healthcheck-client.crt': 'etcd-healthcheck-client',
      'etc/kubernetes/admin.conf': 'admin-client',
      'etc/kubernetes/controller-manager.conf': 'controller-manager-client',
      'etc/kubernetes/scheduler.conf': 'scheduler-client',
      'var/lib/kubelet/pki/kubelet.crt': 'kubelet-serving',
    });
    expect(rows.find(({ role }) => role === 'scheduler-client')).toMatchObject({
      rotatedBy: 'kubeadm',
      renew: expect.stringContaining('kubeadm certs renew scheduler.conf') as string,
    });
  });

  it('must be signed by the authority that those who verify them trust, through intermediates of their own file', async () => {
    const between = issueCertificate({ commonName: 'shop-etcd-1', isAuthority: true, issuer: ETCD, ...span });
    const folder = folderWith({
      ...kubeadmTree(),
      'etc/kubernetes/pki/apiserver-etcd-client.crt': leaf('kube-apiserver-etcd-client'),
      'etc/kubernetes/pki/etcd/peer.crt': leaf('control-plane', { issuer: between }) + between.cert,
      // Another authority has taken the place of the one that signed.
      'etc/kubernetes/pki/front-proxy-ca.crt': authority('front-proxy-ca-2').cert,
    });
    const { code, rows } = await look(folder);
    expect(code).toBe(1);
    const wrong = rows.filter(({ status }) => status === 'MISMATCH');
    expect(wrong.map(({ role }) => role).toSorted()).toEqual(['etcd-client', 'front-proxy-client']);
    expect(wrong.find(({ role }) => role === 'etcd-client')?.reason).toContain('it is signed by CN=kubernetes, not by the CA in');
  });

  it('name the CA that a kubelet signs its own certificate with for what it is', async () => {
    const own = authority('worker-1-ca@1748736000');
    const folder = folderWith({ 'var/lib/kubelet/pki/kubelet.crt': leaf('worker-1@1748736000', { issuer: own }) + own.cert });
    expect((await look(folder)).rows.map(({ role }) => role).toSorted()).toEqual(['kubelet-serving', 'kubelet-serving-ca']);
  });

  it('that are missing are said to be', async () => {
    const { 'etc/kubernetes/pki/etcd/peer.crt': _, 'etc/kubernetes/scheduler.conf': __, ...rest } = kubeadmTree();
    const folder = folderWith(rest);
    const { code, rows } = await look(folder);
    expect(code).toBe(1);
    expect(
      roles(
        rows.filter(({ status }) => status === 'MISSING'),
        folder,
      ),
    ).toEqual({ 'etc/kubernetes/pki/etcd/peer.crt': 'MISSING etcd-peer', 'etc/kubernetes/scheduler.conf': 'MISSING scheduler-client' });
  });

  it('of an external etcd are not missed', async () => {
    const tree = Object.entries(kubeadmTree()).filter(([path]) => !path.includes('etcd'));
    expect((await look(folderWith(Object.fromEntries(tree)))).code).toBe(0);
  });
});

describe("the kubelet's own", () => {
  it('is what its link leads to, and what it had before does not matter', async () => {
    const folder = folderWith({
      'var/lib/kubelet/pki/kubelet-client-2025-06-01-00-00-00.pem': leaf('system:node:worker-1', { notAfter: '2025-12-01T00:00:00Z' }),
      'var/lib/kubelet/pki/kubelet-client-2025-12-01-00-00-00.pem': leaf('system:node:worker-1', { organizations: ['system:nodes'] }),
    });
    const pki = `${folder}/var/lib/kubelet/pki`;
    symlinkSync(`${pki}/kubelet-client-2025-12-01-00-00-00.pem`, `${pki}/kubelet-client-current.pem`);
    const { code, rows } = await look(folder);
    expect(code).toBe(0);
    expect(rows.map(({ status, role, rotatedBy, places }) => [status, role, rotatedBy, places.length])).toEqual([
      ['OK', 'kubelet-client', 'kubelet', 2],
      ['INFO', 'kubelet-client', 'kubelet', 1],
    ]);
  });
});

describe('the files of k3s', () => {
  it('are told by their names, and renewed by its restart', async () => {
    const folder = folderWith({
      'var/lib/rancher/k3s/server/tls/serving-kube-apiserver.crt': leaf('kube-apiserver', { notAfter: '2026-01-16T00:00:00Z' }),
      'var/lib/rancher/k3s/server/tls/client-scheduler.crt': leaf('system:kube-scheduler'),
      'var/lib/rancher/k3s/server/tls/etcd/server-client.crt': leaf('etcd-server'),
      'var/lib/rancher/k3s/agent/client-kubelet.crt': leaf('system:node:worker-1'),
    });
    const { code, rows } = await look(folder);
    expect(code).toBe(1);
    expect(rows.map(({ role }) => role).toSorted()).toEqual(['apiserver-serving', 'etcd-server', 'kubelet-client', 'scheduler-client']);
    expect(rows[0]).toMatchObject({
      status: 'CRITICAL',
      rotatedBy: 'k3s',
      renew: expect.stringContaining('k3s certificate rotate') as string,
    });
  });
});

describe('any folder', () => {
  it('is read as PEM, DER and bundles, without opening keys', async () => {
    const folder = folderWith({
      'chain.pem': leaf('web') + AUTHORITY.cert,
      'web.key': AUTHORITY.key,
      'both.pem': AUTHORITY.key + leaf('cart'),
    });
    writeFileSync(`${folder}/web.der`, Buffer.from(leaf('orders').split('\n').slice(1, -2).join(''), 'base64'));
    const { rows, out } = await look(folder);
    expect(rows).toHaveLength(4);
    expect(out).not.toContain(AUTHORITY.key.split('\n')[1]);
  });

  it('with a file that holds no certificate gets a row that says so, and exits with 3', async () => {
    const { code, rows } = await look(folderWith({ 'web.crt': 'not a certificate', 'cart.crt': '-----BEGIN CERTIFICATE-----\nMIIB\n' }));
    expect(code).toBe(3);
    expect(rows.map(({ status, reason }) => [status, reason])).toEqual([
      ['UNREADABLE', 'the PEM block has no END CERTIFICATE: it is cut off'],
      ['UNREADABLE', 'contains no PEM certificate'],
    ]);
  });

  it('that does not exist is a mistake, and a near word is offered', async () => {
    expect(await podcheck(['cert-expiry', '--dir', 'kubeadn'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('kubeadm') as string,
    });
  });

  it('may be several', async () => {
    const [a, b] = [folderWith({ 'a.pem': leaf('web') }), folderWith({ 'b.pem': leaf('cart') })];
    const { out } = await podcheck(['cert-expiry', '--dir', a, b, '--now', NOW, '-o', 'json']);
    expect((JSON.parse(out) as { certificates: unknown[] }).certificates).toHaveLength(2);
  });
});
