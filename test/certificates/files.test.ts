import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileFindings } from '../../src/certificates/files.ts';
import { issueCertificate } from '../support/certificates.ts';
import { folderWith } from '../support/folder.ts';
import { AUTHORITY, base64, LEAF, linesOf } from './objects.ts';

const OTHER = issueCertificate({ commonName: 'other-ca', isAuthority: true });
const MIDDLE = issueCertificate({ commonName: 'middle-ca', isAuthority: true, issuer: AUTHORITY });
const BELOW = issueCertificate({ commonName: 'below', issuer: MIDDLE });
const KUBECONFIG = `clusters: [{ name: shop, cluster: { server: "https://shop.example", certificate-authority-data: ${base64(AUTHORITY.cert)} } }]
users: [{ name: anna, user: { client-certificate-data: ${base64(LEAF.cert)} } }]
contexts: [{ name: shop, context: { cluster: shop, user: anna } }]
current-context: shop
`;

async function found(files: Readonly<Record<string, string>>, ...paths: readonly string[]): Promise<readonly string[]> {
  const folder = folderWith(files);
  const { sightings } = await fileFindings(paths.length === 0 ? ['.'] : paths, folder);
  return linesOf(sightings).map((line) => line.replaceAll(`${folder}/`, ''));
}

/** The DER of a PEM, as a text that is written byte by byte. */
function derOf(pem: string): Buffer {
  return Buffer.from(pem.replaceAll(/-----.*-----|\s/g, ''), 'base64');
}

describe('certificates in files', () => {
  it('are read below a folder, in order of their paths, from what is named like one, and never from a key', async () => {
    const files = {
      'b/web.crt': LEAF.cert,
      'a/ca.pem': AUTHORITY.cert,
      'a/web.key': LEAF.cert,
      'a/notes.txt': LEAF.cert,
      'c/chain.CER': `${LEAF.cert}${AUTHORITY.cert}`,
    };
    expect(await found(files)).toEqual([
      'a/ca.pem | other | - | CN=shop-ca',
      'b/web.crt | other | - | CN=web',
      'c/chain.CER | other | - | CN=web',
      'c/chain.CER | other | - | CN=shop-ca',
    ]);
  });

  it('may be DER, and behind a link', async () => {
    const folder = folderWith({});
    writeFileSync(join(folder, 'web.der'), derOf(LEAF.cert));
    mkdirSync(join(folder, 'links'));
    symlinkSync(join(folder, 'web.der'), join(folder, 'links/web.crt'));
    symlinkSync(join(folder, 'gone.crt'), join(folder, 'links/gone.crt'));
    symlinkSync(folder, join(folder, 'links/round.crt'));
    const { sightings } = await fileFindings([folder], '/');
    expect(linesOf(sightings).map((line) => line.replace(`${folder}/`, ''))).toEqual([
      'links/web.crt | other | - | CN=web',
      'web.der | other | - | CN=web',
    ]);
  });

  it.each([
    ['web.crt', 'unreadable: contains no PEM certificate'],
    ['web.cer', 'unreadable: contains no PEM certificate'],
    ['web.pem', undefined],
    ['web.der', undefined],
    ['bundle.ca-bundle', undefined],
  ])('that hold none are told where their name promises one: %s', async (name, told) => {
    expect(await found({ [name]: 'nothing' })).toEqual(told === undefined ? [] : [`${name} | other | - | ${told}`]);
  });

  it('that somebody names have to hold one, whatever they are called, but for a .pem, which may be a key', async () => {
    const files = { 'web.txt': 'nothing', 'web.pem': 'nothing', 'leaf.txt': LEAF.cert };
    expect(await found(files, 'web.txt', 'web.pem', 'leaf.txt')).toEqual([
      'leaf.txt | other | - | CN=web',
      'web.txt | other | - | unreadable: contains no PEM certificate',
    ]);
  });

  it('that are not there are a wrong input, with the preset that is meant', async () => {
    await expect(fileFindings(['kubadm'], '/')).rejects.toMatchObject({ code: 'bad-input', hint: 'Did you mean kubeadm?' });
    await expect(fileFindings(['/no/web.crt'], '/')).rejects.toMatchObject({
      message: '/no/web.crt does not exist',
      hint: 'Give a file, a folder, or one of kubeadm, k3s, rke2, k0s, talos, openshift.',
    });
  });

  it('of a distribution that is not here are not read, and that is said', async () => {
    const { tier, sightings } = await fileFindings(['k0s'], '/');
    expect(sightings).toEqual([]);
    expect(tier).toEqual({
      id: 'files',
      state: 'NOT_CHECKED',
      asked: true,
      found: 0,
      reason: 'k0s: none of these paths exist on this machine: /var/lib/k0s/pki, /var/lib/k0s/kubelet/pki, /var/lib/k0s/kubelet.conf',
    });
  });

  it('are told by whom they name where their place does not tell', async () => {
    const scheduler = issueCertificate({ commonName: 'system:kube-scheduler', issuer: AUTHORITY });
    expect(await found({ 'copied/scheduler.crt': scheduler.cert })).toEqual([
      'copied/scheduler.crt | scheduler-client | - | CN=system:kube-scheduler',
    ]);
  });

  it('are none in files of more than 16 MiB, which is said of one that somebody names', async () => {
    const most = 16 * 1024 * 1024;
    const folder = folderWith({ 'most.crt': LEAF.cert.padEnd(most), 'over.crt': LEAF.cert.padEnd(most + 1) });
    const lines = async (path: string): Promise<readonly string[]> =>
      linesOf((await fileFindings([path], folder)).sightings).map((line) => line.replace(`${folder}/`, '').slice(0, 90));
    expect(await lines('.')).toEqual(['most.crt | other | - | CN=web']);
    expect(await lines('over.crt')).toEqual([
      expect.stringMatching(/^over\.crt \| other \| - \| unreadable: the file is too large for certificates: /) as string,
    ]);
  });

  it('below a file are not read, and that is said', async () => {
    const folder = folderWith({ 'web.crt': LEAF.cert });
    const { tier } = await fileFindings(['web.crt/more'], folder);
    expect(tier).toMatchObject({ state: 'NOT_CHECKED', found: 0, reason: expect.stringContaining('web.crt/more: ') as string });
  });

  it('of thirty and more are those of public authorities', async () => {
    const roles = async (count: number): Promise<readonly string[]> => [
      ...new Set((await found({ 'all.pem': AUTHORITY.cert.repeat(count) })).map((line) => line.split(' | ')[1] ?? '')),
    ];
    expect(await roles(29)).toEqual(['other']);
    expect(await roles(30)).toEqual(['trust-bundle-member']);
  });

  it('are read down to twenty-four folders below the one that is named', async () => {
    const deep = (folders: number): string => `${'a/'.repeat(folders)}web.crt`;
    expect(await found({ [deep(24)]: LEAF.cert, [deep(25)]: AUTHORITY.cert })).toEqual([`${deep(24)} | other | - | CN=web`]);
  });

  it('in kubeconfigs are those of the cluster and of the user', async () => {
    const inFolder = await found({ 'shop.kubeconfig': KUBECONFIG, 'values.yaml': 'clusters: 3\ntoken: a\n', 'other.yaml': 'a: b\n' });
    expect(inFolder.map((line) => line.split(' | ').at(-1))).toEqual(['CN=shop-ca', 'CN=web']);
    expect((await found({ anna: KUBECONFIG }, 'anna')).length).toBe(2);
    expect(await found({ anna: KUBECONFIG })).toEqual([]);
  });

  it('that a copied kubeconfig names are not missed here', async () => {
    const named = KUBECONFIG.replace(/client-certificate-data: \S+/, 'client-certificate: pki/anna.crt');
    expect((await found({ 'shop.kubeconfig': named })).map((line) => line.split(' | ').at(-1))).toEqual(['CN=shop-ca']);
    expect((await found({ 'shop.kubeconfig': named, 'pki/anna.crt': LEAF.cert })).filter((line) => line.endsWith('CN=web'))).toHaveLength(
      2,
    );
    // A path that begins at the root is that of another file than one beside the kubeconfig.
    const elsewhere = folderWith({ 'anna.crt': AUTHORITY.cert });
    const absolute = KUBECONFIG.replace(/client-certificate-data: \S+/, `client-certificate: ${elsewhere}/anna.crt`);
    expect((await found({ 'shop.kubeconfig': absolute })).map((line) => line.split(' | ').at(-1))).toEqual(['CN=shop-ca', 'CN=shop-ca']);
  });
});

describe('the files of kubeadm', () => {
  const PKI = {
    'etc/kubernetes/pki/ca.crt': AUTHORITY.cert,
    'etc/kubernetes/pki/apiserver.crt': LEAF.cert,
    'etc/kubernetes/pki/front-proxy-ca.crt': AUTHORITY.cert,
    'etc/kubernetes/pki/apiserver-kubelet-client.crt': LEAF.cert,
    'etc/kubernetes/pki/front-proxy-client.crt': LEAF.cert,
  };
  const missing = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    (await found(files)).filter((line) => line.includes('missing: ')).map((line) => line.split(' | ')[0] ?? '');

  it('are missed where the API server has its own, etcd only where it is there, other kubeconfigs only with the first', async () => {
    expect(await missing(PKI)).toEqual([]);
    const { 'etc/kubernetes/pki/front-proxy-client.crt': _, ...some } = PKI;
    expect((await found(some)).filter((line) => line.includes('missing: '))).toEqual([
      'etc/kubernetes/pki/front-proxy-client.crt | front-proxy-client | kubeadm | missing: the file is missing; kubeadm creates it at this path',
    ]);
    expect(await missing({ ...PKI, 'etc/kubernetes/pki/etcd/ca.crt': AUTHORITY.cert })).toEqual([
      'etc/kubernetes/pki/apiserver-etcd-client.crt',
      'etc/kubernetes/pki/etcd/server.crt',
      'etc/kubernetes/pki/etcd/peer.crt',
      'etc/kubernetes/pki/etcd/healthcheck-client.crt',
    ]);
    expect(await missing({ ...PKI, 'etc/kubernetes/admin.conf': KUBECONFIG })).toEqual([
      'etc/kubernetes/controller-manager.conf',
      'etc/kubernetes/scheduler.conf',
    ]);
    expect(await missing({ 'var/lib/k0s/pki/apiserver.crt': LEAF.cert })).toEqual([]);
  });

  const mismatches = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const folder = folderWith(files);
    const { sightings } = await fileFindings(['.'], folder);
    return sightings.flatMap(({ where, mismatch }) =>
      mismatch === undefined ? [] : [`${where.slice(folder.length + 1)}: ${mismatch.replaceAll(`${folder}/`, '')}`],
    );
  };

  it('are signed by the authority beside them, also through one in their own file', async () => {
    expect(await mismatches(PKI)).toEqual([]);
    expect(await mismatches({ ...PKI, 'etc/kubernetes/pki/ca.crt': OTHER.cert })).toEqual([
      'etc/kubernetes/pki/apiserver-kubelet-client.crt: it is signed by CN=shop-ca, not by the CA in etc/kubernetes/pki/ca.crt: clients reject it with "signed by unknown authority"',
      'etc/kubernetes/pki/apiserver.crt: it is signed by CN=shop-ca, not by the CA in etc/kubernetes/pki/ca.crt: clients reject it with "signed by unknown authority"',
    ]);
    expect(await mismatches({ ...PKI, 'etc/kubernetes/pki/ca.crt': `${OTHER.cert}${AUTHORITY.cert}` })).toEqual([]);
    expect(await mismatches({ ...PKI, 'etc/kubernetes/pki/apiserver.crt': `${BELOW.cert}${MIDDLE.cert}` })).toEqual([]);
    expect((await mismatches({ ...PKI, 'etc/kubernetes/pki/apiserver.crt': BELOW.cert })).length).toBe(1);
    expect(await mismatches({ 'etc/kubernetes/pki/apiserver.crt': BELOW.cert })).toEqual([]);
    // Nobody uses what lies in another folder, as a backup does.
    const backup = (name: string): string => `etc/kubernetes/pki/backup/${name}.crt`;
    expect(await mismatches({ [backup('front-proxy-ca')]: OTHER.cert, [backup('front-proxy-client')]: LEAF.cert })).toEqual([]);
  });

  it('are signed through seven authorities in their own file at most', async () => {
    const chain = [AUTHORITY];
    for (let link = 1; link <= 8; link++)
      chain.push(issueCertificate({ commonName: `link-${String(link)}`, isAuthority: true, issuer: chain.at(-1) ?? AUTHORITY }));
    const through = async (links: number): Promise<number> => {
      const leaf = issueCertificate({ commonName: 'web', issuer: chain[links] ?? AUTHORITY });
      const file = [leaf, ...chain.slice(1, links + 1)].map(({ cert }) => cert).join('');
      return (await mismatches({ ...PKI, 'etc/kubernetes/pki/apiserver.crt': file })).length;
    };
    expect([await through(7), await through(8)]).toEqual([0, 1]);
  });

  it('of etcd are signed by its own authority', async () => {
    const etcd = { 'etc/kubernetes/pki/etcd/ca.crt': AUTHORITY.cert, 'etc/kubernetes/pki/etcd/peer.crt': LEAF.cert };
    expect(await mismatches({ ...etcd, 'etc/kubernetes/pki/ca.crt': OTHER.cert })).toEqual([]);
    expect(await mismatches({ ...etcd, 'etc/kubernetes/pki/etcd/ca.crt': OTHER.cert })).toHaveLength(1);
    expect(await mismatches({ ...PKI, 'etc/kubernetes/pki/etcd/ca.crt': OTHER.cert })).toEqual([]);
  });
});

describe('the files of a kubelet', () => {
  it('that are dated do not matter where the current one is another', async () => {
    const folder = 'var/lib/kubelet/pki/';
    const old = issueCertificate({ commonName: 'system:node:worker-1', issuer: AUTHORITY });
    const lines = await found({
      [`${folder}kubelet-client-current.pem`]: LEAF.cert,
      [`${folder}kubelet-client-2026-01-01-00-00-00.pem`]: LEAF.cert,
      [`${folder}kubelet-client-2025-01-01-00-00-00.pem`]: old.cert,
      'elsewhere/kubelet-client-2025-01-01-00-00-00.pem': old.cert,
    });
    expect(lines.filter((line) => line.endsWith('the kubelet uses a newer one')).map((line) => line.split(' | ')[0])).toEqual([
      `${folder}kubelet-client-2025-01-01-00-00-00.pem`,
    ]);
  });

  it('that it signed itself has the CA behind it in the same file', async () => {
    expect(await found({ 'var/lib/kubelet/pki/kubelet.crt': `${LEAF.cert}${AUTHORITY.cert}` })).toEqual([
      'var/lib/kubelet/pki/kubelet.crt | kubelet-serving | manual | CN=web',
      'var/lib/kubelet/pki/kubelet.crt | kubelet-serving-ca | manual | CN=shop-ca',
    ]);
  });
});
