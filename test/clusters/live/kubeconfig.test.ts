import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PodcheckError } from '../../../src/base/errors.ts';
import { resolveKubeconfig } from '../../../src/clusters/live/kubeconfig/kubeconfig.ts';
import type { LiveConfig, LiveOptions } from '../../../src/clusters/live/kubeconfig/live-config.ts';
import { issueCertificate } from '../../support/certificates.ts';
import { folderWith } from '../../support/folder.ts';
import { AUTHORITY } from '../../support/kube-server.ts';

const SHOP = `
apiVersion: v1
kind: Config
current-context: shop
clusters:
- name: shop
  cluster: { server: "https://api.shop:6443" }
- name: lab
  cluster: { server: "https://api.lab:6443", tls-server-name: kubernetes, proxy-url: "socks5://proxy:1080", insecure-skip-tls-verify: true }
users:
- name: anna
  user: { token: anna-token }
- name: bert
  user: { username: bert, password: bread }
contexts:
- name: shop
  context: { cluster: shop, user: anna, namespace: checkout }
- name: lab
  context: { cluster: lab, user: bert }
`;

function around(folder: string, env: Readonly<Record<string, string>> = {}) {
  return { env, homeFolder: folder, workingFolder: folder, serviceAccountFolder: join(folder, 'serviceaccount') };
}

function resolveIn(
  files: Readonly<Record<string, string>>,
  options: LiveOptions = {},
  env: Readonly<Record<string, string>> = {},
): Promise<LiveConfig> {
  return resolveKubeconfig(options, around(folderWith(files), env));
}

/** Resolves `~/.kube/config`. */
function resolveText(config: string, options: LiveOptions = {}): Promise<LiveConfig> {
  return resolveIn({ '.kube/config': config }, options);
}

async function refusal(resolving: Promise<LiveConfig>): Promise<PodcheckError> {
  const error = await resolving.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PodcheckError)) throw new Error(`not refused by a PodcheckError: ${String(error)}`);
  return error;
}

describe('the kubeconfig', () => {
  it('is ~/.kube/config, with the current context', async () => {
    expect(await resolveText(SHOP)).toMatchObject({
      context: 'shop',
      cluster: 'shop',
      server: new URL('https://api.shop:6443'),
      namespace: 'checkout',
      user: { name: 'anna', token: 'anna-token' },
      insecureSkipTlsVerify: false,
    });
  });

  it('gives another context, and the namespace default where that has none', async () => {
    const config = await resolveText(SHOP, { context: 'lab' });
    expect(config).toMatchObject({
      cluster: 'lab',
      namespace: 'default',
      tlsServerName: 'kubernetes',
      insecureSkipTlsVerify: true,
      user: { username: 'bert', password: 'bread' },
    });
    expect(config.proxy?.href).toBe('socks5://proxy:1080');
  });

  it('lets --cluster, --user and --namespace replace what the context says', async () => {
    const config = await resolveText(SHOP, { cluster: 'lab', user: 'bert', namespace: 'till' });
    expect(config).toMatchObject({ context: 'shop', cluster: 'lab', namespace: 'till', user: { name: 'bert' } });
  });

  it('may be JSON', async () => {
    const json = JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: 'https://api' } }],
      contexts: [{ name: 'x', context: { cluster: 'c' } }],
      'current-context': 'x',
    });
    expect(await resolveText(json)).toMatchObject({ cluster: 'c', user: {} });
  });

  it('is the file of --kubeconfig and no other, whatever KUBECONFIG says', async () => {
    const files = { 'mine.yaml': SHOP, 'other.yaml': SHOP.replace('current-context: shop', 'current-context: lab') };
    expect(await resolveIn(files, { kubeconfig: 'mine.yaml' }, { KUBECONFIG: 'other.yaml' })).toMatchObject({ context: 'shop' });
  });

  it('must exist when --kubeconfig names it', async () => {
    const error = await refusal(resolveIn({ '.kube/config': SHOP }, { kubeconfig: 'lost.yaml' }));
    expect(error.code).toBe('not-found');
    expect(error.message).toMatch(/lost\.yaml does not exist/);
  });
});

describe('KUBECONFIG with several files', () => {
  const FIRST = `
clusters:
- { name: shop, cluster: { server: "https://first" } }
users:
- { name: anna, user: { token: first } }
contexts:
- { name: shop, context: { cluster: shop, user: anna } }
`;
  const list = (...names: readonly string[]): Readonly<Record<string, string>> => ({ KUBECONFIG: names.join(delimiter) });

  it('takes each cluster, user and context whole from the first that has it', async () => {
    const files = { 'first.yaml': FIRST, 'second.yaml': SHOP };
    const config = await resolveIn(files, {}, list('first.yaml', 'second.yaml'));
    expect(config).toMatchObject({ context: 'shop', server: new URL('https://first'), user: { token: 'first' }, namespace: 'default' });
    expect(await resolveIn(files, {}, list('second.yaml', 'first.yaml'))).toMatchObject({
      server: new URL('https://api.shop:6443'),
      namespace: 'checkout',
    });
  });

  it('adds what only a later one has', async () => {
    const config = await resolveIn({ 'first.yaml': FIRST, 'second.yaml': SHOP }, { context: 'lab' }, list('first.yaml', 'second.yaml'));
    expect(config).toMatchObject({ cluster: 'lab', user: { name: 'bert' } });
  });

  it('takes the first current context that is not empty', async () => {
    const files = {
      'first.yaml': `current-context: ""\n${FIRST}`,
      'second.yaml': SHOP.replace('current-context: shop', 'current-context: lab'),
    };
    expect(await resolveIn(files, {}, list('first.yaml', 'second.yaml'))).toMatchObject({ context: 'lab' });
  });

  it('passes over files that do not exist, empty names and empty files', async () => {
    const files = { 'second.yaml': SHOP, 'empty.yaml': '' };
    expect(await resolveIn(files, {}, list('lost.yaml', '', 'empty.yaml', 'second.yaml'))).toMatchObject({ context: 'shop' });
  });

  it('does not pass over a file that cannot be parsed', async () => {
    const error = await refusal(resolveIn({ 'broken.yaml': 'a: [1\nb: 2\n', 'second.yaml': SHOP }, {}, list('second.yaml', 'broken.yaml')));
    expect(error.code).toBe('bad-input');
    expect(error.message).toMatch(/broken\.yaml, line \d/);
  });

  it('takes relative paths for relative to the file they stand in', async () => {
    const { cert, key } = issueCertificate({ commonName: 'anna', issuer: AUTHORITY });
    const first = `
clusters: [{ name: shop, cluster: { server: "https://api.shop", certificate-authority: pki/ca.crt } }]
users: [{ name: anna, user: { client-certificate: pki/anna.crt, client-key: pki/anna.key } }]
contexts: [{ name: shop, context: { cluster: shop, user: anna } }]
current-context: shop
`;
    const files = {
      'one/config': first,
      'one/pki/ca.crt': AUTHORITY.cert,
      'one/pki/anna.crt': cert,
      'one/pki/anna.key': key,
      'two/config': SHOP,
    };
    expect(await resolveIn(files, {}, list('one/config', 'two/config'))).toMatchObject({ ca: AUTHORITY.cert, user: { cert, key } });
  });
});

describe('a kubeconfig that cannot be used', () => {
  it('says which context is missing, and which are near', async () => {
    const error = await refusal(resolveText(SHOP, { context: 'shopp' }));
    expect(error.message).toMatch(/has no context "shopp"/);
    expect(error.hint).toBe('Did you mean "shop"?');
  });

  it.each([
    ['a cluster', { cluster: 'moon' }, 'has no cluster "moon"', 'It has: shop, lab.'],
    ['a user', { user: 'xylophone' }, 'has no user "xylophone"', 'It has: anna, bert.'],
  ])('says that it has not %s', async (_, options, message, hint) => {
    const error = await refusal(resolveText(SHOP, options));
    expect(error.message).toContain(message);
    expect(error.hint).toBe(hint);
  });

  it('says where it was looked for when there is none', async () => {
    const error = await refusal(resolveIn({}));
    expect(error.code).toBe('not-found');
    expect(error.message).toMatch(/No kubeconfig found: .*\.kube.config does not exist/);
  });

  it('names the contexts to choose from when none is current', async () => {
    const error = await refusal(resolveText(SHOP.replace('current-context: shop', '')));
    expect(error.code).toBe('usage');
    expect(error.hint).toContain('shop, lab');
  });

  it.each([
    [
      'a number where a text belongs',
      'users: [{ name: anna, user: { token: 12345 } }]',
      'users[0].user.token is not a text (put it in quotes)',
    ],
    ['a name that is YAML for true', 'contexts: [{ name: y, context: { cluster: shop } }]', 'contexts[0].name is not a text'],
    ['an object where a list belongs', 'clusters: { shop: 1 }', 'clusters is not a list'],
    ['a text where an object belongs', 'clusters: [{ name: shop, cluster: "https://api" }]', 'clusters[0].cluster is not an object'],
    ['two entries of one name', 'clusters: [{ name: shop }, { name: shop }]', 'clusters has two entries named "shop"'],
    ['only a text', 'hello', 'the file is not a kubeconfig'],
  ])('names the file and the field for %s', async (_, config, message) => {
    const error = await refusal(resolveText(config));
    expect(error.code).toBe('bad-input');
    expect(error.message).toContain(`config: ${message}`);
  });

  function using(cluster: string, user = '{}'): string {
    return `current-context: x\ncontexts: [{ name: x, context: { cluster: c, user: u } }]\nclusters: [{ name: c, cluster: ${cluster} }]\nusers: [{ name: u, user: ${user} }]\n`;
  }

  it.each([
    ['no server', using('{}'), 'cluster "c" has no server'],
    ['a server that is no address', using('{ server: "https://" }'), 'not an http or https address'],
    ['a server of another scheme', using('{ server: "ftp://api" }'), 'not an http or https address'],
    [
      'an authority that is no certificate',
      using('{ server: "https://api", certificate-authority-data: aGFsbG8= }'),
      'certificate-authority of cluster "c" cannot be used: contains no PEM certificate',
    ],
    [
      'an authority that cannot be read',
      using('{ server: "https://api", certificate-authority: lost.crt }'),
      'certificate-authority of cluster "c" cannot be read',
    ],
    [
      'a certificate without its key',
      using('{ server: "https://api" }', `{ client-certificate-data: ${btoa(AUTHORITY.cert)} }`),
      'has a client-certificate but no client-key',
    ],
    [
      'a certificate with another key',
      using(
        '{ server: "https://api" }',
        `{ client-certificate-data: ${btoa(AUTHORITY.cert)}, client-key-data: ${btoa(issueCertificate({ commonName: 'x' }).key)} }`,
      ),
      'client-certificate and client-key of user "u" cannot be used',
    ],
    [
      'two ways to authenticate',
      using('{ server: "https://api" }', '{ token: t, username: anna }'),
      'more than one way to authenticate: token, username and password',
    ],
    [
      'an exec plugin without a command',
      using('{ server: "https://api" }', '{ exec: { apiVersion: client.authentication.k8s.io/v1beta1 } }'),
      'exec plugin of user "u" has no command',
    ],
    [
      'an exec plugin of an old version',
      using('{ server: "https://api" }', '{ exec: { apiVersion: client.authentication.k8s.io/v1alpha1, command: x } }'),
      'has the unknown apiVersion "client.authentication.k8s.io/v1alpha1"',
    ],
    [
      'an exec plugin of v1 without interactiveMode',
      using('{ server: "https://api" }', '{ exec: { apiVersion: client.authentication.k8s.io/v1, command: x } }'),
      'interactiveMode ""',
    ],
  ])('is refused for %s', async (_, config, message) => {
    const error = await refusal(resolveText(config));
    expect(error.code).toBe('bad-input');
    expect(error.message).toContain(message);
  });

  it('never repeats a key or a token in what it says', async () => {
    const error = await refusal(resolveText(using('{ server: "https://api" }', '{ token: very-secret, password: very-secret }')));
    expect(`${error.message} ${error.hint}`).not.toContain('very-secret');
  });
});

describe('details that kubectl has', () => {
  function config(cluster: string, user = '{}'): string {
    return `current-context: x\ncontexts: [{ name: x, context: { cluster: c, user: u } }]\nclusters: [{ name: c, cluster: ${cluster} }]\nusers: [{ name: u, user: ${user} }]\n`;
  }

  it('data wins over a file, which then need not exist', async () => {
    const text = config(`{ server: "https://api", certificate-authority: lost.crt, certificate-authority-data: ${btoa(AUTHORITY.cert)} }`);
    expect(await resolveText(text)).toMatchObject({ ca: AUTHORITY.cert });
  });

  it('an address without a scheme is https where TLS is configured, and http otherwise', async () => {
    expect((await resolveText(config('{ server: "api:6443", insecure-skip-tls-verify: yes }'))).server.href).toBe('https://api:6443/');
    expect((await resolveText(config('{ server: "api:8080" }'))).server.href).toBe('http://api:8080/');
  });

  it('the command of an exec plugin is relative to the file when it is a path, and looked up otherwise', async () => {
    const exec = (command: string): string => `{ exec: { apiVersion: client.authentication.k8s.io/v1beta1, command: ${command} } }`;
    const folder = folderWith({
      'kube/config': config('{ server: "https://api" }', exec('./login')),
      'kube/bare': config('{ server: "https://api" }', exec('login')),
    });
    const relative = await resolveKubeconfig({ kubeconfig: 'kube/config' }, around(folder));
    expect(relative.user.exec).toMatchObject({ command: join(folder, 'kube', 'login'), interactiveMode: 'IfAvailable' });
    expect((await resolveKubeconfig({ kubeconfig: 'kube/bare' }, around(folder))).user.exec).toMatchObject({ command: 'login' });
  });

  it('impersonation of the entry is replaced by the flags', async () => {
    const user = '{ token: t, as: entry, as-uid: "1", as-groups: [a], as-user-extra: { reason: [why] } }';
    expect((await resolveText(config('{ server: "https://api" }', user))).impersonate).toEqual({
      user: 'entry',
      uid: '1',
      groups: ['a'],
      extra: { reason: ['why'] },
    });
    const flags = { as: 'flag', asGroups: ['b', 'c'], asUid: '2' };
    expect((await resolveText(config('{ server: "https://api" }', user), flags)).impersonate).toMatchObject({
      user: 'flag',
      uid: '2',
      groups: ['b', 'c'],
    });
  });

  it('a group alone cannot be impersonated', async () => {
    expect((await refusal(resolveText(SHOP, { asGroups: ['admins'] }))).code).toBe('usage');
  });
});

describe('in a pod', () => {
  const ENV = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
  const ACCOUNT = { 'serviceaccount/token': 'pod-token', 'serviceaccount/ca.crt': AUTHORITY.cert, 'serviceaccount/namespace': 'till\n' };

  it('without a kubeconfig, its service account is used', async () => {
    const config = await resolveIn(ACCOUNT, {}, ENV);
    expect(config).toMatchObject({
      cluster: 'in-cluster',
      server: new URL('https://10.96.0.1:443'),
      ca: AUTHORITY.cert,
      namespace: 'till',
    });
    expect(config.user.tokenFile).toMatch(/serviceaccount.token$/);
    expect(await resolveIn(ACCOUNT, { namespace: 'shop', as: 'anna' }, ENV)).toMatchObject({
      namespace: 'shop',
      impersonate: { user: 'anna' },
    });
  });

  it('an IPv6 address is put in brackets', async () => {
    expect((await resolveIn(ACCOUNT, {}, { ...ENV, KUBERNETES_SERVICE_HOST: 'fd00::1' })).server.host).toBe('[fd00::1]');
  });

  it('a kubeconfig goes first', async () => {
    expect(await resolveIn({ ...ACCOUNT, '.kube/config': SHOP }, {}, ENV)).toMatchObject({ cluster: 'shop' });
  });

  it('without the token of a service account there is no cluster to talk to', async () => {
    const { 'serviceaccount/token': _, ...rest } = ACCOUNT;
    expect((await refusal(resolveIn(rest, {}, ENV))).message).toMatch(/No kubeconfig found/);
  });
});
