import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CredentialOptions, Credentials } from '../../../src/clusters/live/kubeconfig/credentials.ts';
import { credentialsOf } from '../../../src/clusters/live/kubeconfig/credentials.ts';
import type { ExecEntry } from '../../../src/clusters/live/kubeconfig/kubeconfig-entries.ts';
import type { LiveConfig, LiveUser } from '../../../src/clusters/live/kubeconfig/live-config.ts';
import { issueCertificate } from '../../support/certificates.ts';
import { folderWith } from '../../support/folder.ts';
import type { KubeServer } from '../../support/kube-server.ts';
import { AUTHORITY, kubeServer } from '../../support/kube-server.ts';
import { liveConfig, openTransport } from '../../support/live.ts';

const SERVER = new URL('https://api.shop:6443');

function credentialsFor(user: LiveUser, more: Partial<LiveConfig> = {}, options: Partial<CredentialOptions> = {}): Credentials {
  const config = liveConfig(more.server ?? SERVER, { user: { name: 'anna', ...user }, ...more });
  return credentialsOf(config, { clock: Date.now, env: process.env, interactive: false, ...options });
}

async function headersNow(credentials: Credentials): Promise<Readonly<Record<string, string | string[]>>> {
  return credentials.headersOf(await credentials.current());
}

describe('fixed credentials', () => {
  it('are a bearer token', async () => {
    expect(await headersNow(credentialsFor({ token: 'anna-token' }))).toEqual({ Authorization: 'Bearer anna-token' });
  });

  it('are a user and password', async () => {
    expect(await headersNow(credentialsFor({ username: 'anna', password: 'brød' }))).toEqual({
      Authorization: `Basic ${Buffer.from('anna:brød').toString('base64')}`,
    });
  });

  it('are a client certificate, beside a token too', async () => {
    expect(await credentialsFor({ cert: 'C', key: 'K', token: 't' }).current()).toEqual({ cert: 'C', key: 'K', token: 't' });
  });

  it('are not sent where anybody could read them', async () => {
    const credentials = credentialsFor({ token: 'anna-token' }, { server: new URL('http://api.shop:8080') });
    expect(await headersNow(credentials)).toEqual({});
  });

  it('cannot be a token that would end the header', async () => {
    await expect(headersNow(credentialsFor({ token: 'a\r\nHost: b' }))).rejects.toMatchObject({ kind: 'credentials' });
  });

  it('act as somebody else, in bytes as Go sends them', async () => {
    const impersonate = {
      user: 'system:serviceaccount:shop:web',
      uid: '7',
      groups: ['ops', 'größe'],
      extra: { 'shop.example/Reason': ['why'] },
    };
    expect(await headersNow(credentialsFor({ token: 't' }, { impersonate }))).toEqual({
      Authorization: 'Bearer t',
      'Impersonate-User': 'system:serviceaccount:shop:web',
      'Impersonate-Uid': '7',
      'Impersonate-Group': ['ops', Buffer.from('größe').toString('latin1')],
      'Impersonate-Extra-shop.example%2Freason': ['why'],
    });
  });

  it('send every group as a header of its own', async () => {
    const server = await kubeServer(() => ({}));
    try {
      const config = liveConfig(server.url, { impersonate: { user: 'anna', groups: ['one', 'two'], extra: {} } });
      const credentials = credentialsOf(config, { clock: Date.now, env: {}, interactive: false });
      await openTransport(config, { credentials }).transport.get('/');
      const raw = server.seen[0]?.request.rawHeaders ?? [];
      expect(raw.flatMap((name, index) => (name === 'Impersonate-Group' ? [raw[index + 1]] : []))).toEqual(['one', 'two']);
    } finally {
      await server.close();
    }
  });
});

describe('a token file', () => {
  it('is read again after a minute, and at once when the server refuses the token', async () => {
    const file = join(folderWith({ token: 'first\n' }), 'token');
    let now = 0;
    const credentials = credentialsFor({ tokenFile: file }, {}, { clock: () => now });
    expect(await credentials.current()).toEqual({ token: 'first' });
    writeFileSync(file, 'second');
    expect(await credentials.current()).toEqual({ token: 'first' });
    now += 60_000;
    expect(await credentials.current()).toEqual({ token: 'second' });
    writeFileSync(file, 'third');
    expect(await credentials.renew({ token: 'second' })).toBe(true);
    expect(await credentials.current()).toEqual({ token: 'third' });
    expect(await credentials.renew({ token: 'third' })).toBe(false);
  });

  it('that is gone leaves the last token, or the one of the kubeconfig', async () => {
    const file = join(folderWith({ token: 'first' }), 'token');
    let now = 0;
    const credentials = credentialsFor({ tokenFile: file, token: 'other' }, {}, { clock: () => now });
    await credentials.current();
    rmSync(file);
    now += 60_000;
    expect(await credentials.current()).toEqual({ token: 'first' });
    expect(await credentialsFor({ tokenFile: file, token: 'other' }).current()).toEqual({ token: 'other' });
  });

  it('that never was there gives no credentials, and the read says so', async () => {
    const server = await kubeServer(() => ({}));
    try {
      const credentials = credentialsFor({ tokenFile: join(folderWith(), 'lost') }, { server: server.url });
      expect(await openTransport(liveConfig(server.url), { credentials }).transport.get('/')).toMatchObject({
        ok: false,
        error: { kind: 'credentials' },
      });
      expect(server.seen).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

describe('an exec plugin', () => {
  const V1 = 'client.authentication.k8s.io/v1';

  /** A plugin in JavaScript; `log(…)` adds a line to the file `log`. */
  function plugin(
    script: string,
    more: Partial<ExecEntry> = {},
  ): { readonly exec: ExecEntry; readonly log: () => readonly string[]; readonly folder: string } {
    const folder = folderWith({
      'plugin.cjs': `const fs = require('node:fs');
        const log = (line) => fs.appendFileSync(__dirname + '/log', line + '\\n');
        const give = (status, kind = 'ExecCredential', apiVersion = '${V1}') => console.log(JSON.stringify({ apiVersion, kind, status }));
        ${script}`,
    });
    const log = (): readonly string[] =>
      existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').trim().split('\n') : [];
    const exec: ExecEntry = {
      apiVersion: V1,
      command: process.execPath,
      args: [join(folder, 'plugin.cjs')],
      env: [],
      provideClusterInfo: false,
      interactiveMode: 'Never',
      ...more,
    };
    return { exec, log, folder };
  }

  async function failureOf(exec: ExecEntry, options: Partial<CredentialOptions> = {}): Promise<string> {
    const error = await credentialsFor({ exec }, {}, options)
      .current()
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(error).toMatchObject({ kind: 'credentials' });
    return error instanceof Error ? error.message : '';
  }

  it('gives a token, and runs once for reads made at once and for later ones', async () => {
    const { exec, log } = plugin(`log('run'); give({ token: 'from-plugin' });`);
    const credentials = credentialsFor({ exec });
    const grants = await Promise.all([credentials.current(), credentials.current(), credentials.current()]);
    expect(grants).toEqual([{ token: 'from-plugin' }, { token: 'from-plugin' }, { token: 'from-plugin' }]);
    await credentials.current();
    expect(log()).toEqual(['run']);
  });

  it('is told what kubectl tells it', async () => {
    const script = `log(process.env.KUBERNETES_EXEC_INFO); log(process.argv.slice(2).join(' ')); log(process.env.REGION + process.env.SHOP); give({ token: 't' });`;
    const { exec, log, folder } = plugin(script, { provideClusterInfo: true });
    const entry = {
      name: 'shop',
      file: 'config',
      server: 'https://api.shop:6443',
      insecureSkipTlsVerify: false,
      disableCompression: false,
      proxyUrl: 'http://proxy',
      execConfig: { audience: 'shop' },
    };
    const withArguments: ExecEntry = {
      ...exec,
      args: [join(folder, 'plugin.cjs'), 'get', 'token'],
      env: [{ name: 'REGION', value: 'north' }],
    };
    await credentialsFor(
      { exec: withArguments },
      { clusterEntry: entry, ca: 'PEM', tlsServerName: 'kubernetes' },
      { env: { ...process.env, SHOP: '-east', REGION: 'south' } },
    ).current();
    const [info, args, env] = log();
    expect(JSON.parse(info ?? '')).toEqual({
      kind: 'ExecCredential',
      apiVersion: V1,
      spec: {
        cluster: {
          server: 'https://api.shop:6443',
          'tls-server-name': 'kubernetes',
          'certificate-authority-data': btoa('PEM'),
          'proxy-url': 'http://proxy',
          config: { audience: 'shop' },
        },
        interactive: false,
      },
    });
    expect([args, env]).toEqual(['get token', 'north-east']);
  });

  it('is not told of the cluster unless it wants to', async () => {
    const { exec, log } = plugin(`log(process.env.KUBERNETES_EXEC_INFO); give({ token: 't' });`);
    await credentialsFor({ exec }).current();
    expect(JSON.parse(log()[0] ?? '')).toMatchObject({ spec: { interactive: false } });
    expect(log()[0]).not.toContain('cluster');
  });

  it('gives a client certificate', async () => {
    const { cert, key } = issueCertificate({ commonName: 'anna', issuer: AUTHORITY });
    const { exec } = plugin(`give(${JSON.stringify({ clientCertificateData: cert, clientKeyData: key })});`);
    expect(await credentialsFor({ exec }).current()).toEqual({ cert, key });
  });

  it('runs again when what it gave has ended', async () => {
    const { exec, log } = plugin(`log('run'); give({ token: 't', expirationTimestamp: '2027-01-01T00:00:00Z' });`);
    let now = Date.parse('2026-12-31T23:59:59Z');
    const credentials = credentialsFor({ exec }, {}, { clock: () => now });
    await credentials.current();
    await credentials.current();
    expect(log()).toHaveLength(1);
    now += 1000;
    await credentials.current();
    expect(log()).toHaveLength(2);
  });

  it('runs again, once, for all reads the server refused, and the reads succeed', async () => {
    const { exec, log } = plugin(`const runs = fs.existsSync(__dirname + '/log') ? 2 : 1; log('run'); give({ token: 'token-' + runs });`);
    const server: KubeServer = await kubeServer(({ headers }) => ({ status: headers.authorization === 'Bearer token-2' ? 200 : 401 }));
    try {
      const config = liveConfig(server.url, { user: { exec } });
      const credentials = credentialsOf(config, { clock: Date.now, env: process.env, interactive: false });
      const { transport } = openTransport(config, { credentials });
      const answers = await Promise.all([transport.get('/a'), transport.get('/b'), transport.get('/c')]);
      expect(answers).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }]);
      expect(log()).toEqual(['run', 'run']);
      expect(server.connections()).toBe(1);
    } finally {
      await server.close();
    }
  });

  it('that gives the refused token again leaves the 401', async () => {
    const { exec, log } = plugin(`log('run'); give({ token: 'same' });`);
    const credentials = credentialsFor({ exec });
    expect(await credentials.renew(await credentials.current())).toBe(false);
    expect(log()).toEqual(['run', 'run']);
  });

  it('is not run again for a refusal that came before the last run', async () => {
    const { exec, log } = plugin(`const runs = fs.existsSync(__dirname + '/log') ? 2 : 1; log('run'); give({ token: 'token-' + runs });`);
    const credentials = credentialsFor({ exec });
    const first = await credentials.current();
    expect(await credentials.renew(first)).toBe(true);
    expect(await credentials.renew(first)).toBe(true);
    expect(await credentials.current()).toEqual({ token: 'token-2' });
    expect(log()).toEqual(['run', 'run']);
  });

  it('is not asked when the kubeconfig has a token', async () => {
    const { exec, log } = plugin(`log('run'); give({ token: 'from-plugin' });`);
    expect(await credentialsFor({ exec, token: 'fixed' }).current()).toEqual({ token: 'fixed' });
    expect(log()).toEqual([]);
  });

  it('that is missing is named with its install hint', async () => {
    const { exec } = plugin('');
    const message = await failureOf({ ...exec, command: 'shop-login-that-is-not-there', installHint: 'Install it with: shop get login' });
    expect(message).toContain(
      'shop-login-that-is-not-there returned no credentials: executable not found. Install it with: shop get login',
    );
  });

  it('that is a script is run by its path', async () => {
    const { exec, folder } = plugin('');
    const script = join(folder, 'login');
    writeFileSync(script, `#!${process.execPath}\nconsole.log('{"apiVersion":"${V1}","kind":"ExecCredential","status":{"token":"t"}}');\n`);
    chmodSync(script, 0o755);
    expect(await credentialsFor({ exec: { ...exec, command: script, args: [] } }).current()).toEqual({ token: 't' });
  });

  it.each([
    ['fails', `console.error('your session\\x1b[2J has ended'); process.exit(3);`, /exited with code 3: your session\\x1b\[2J has ended/],
    ['prints no JSON', `console.log('{"status": {"token": "very-secret" oops');`, /did not print JSON/],
    ['prints something else', `give({}, 'Pod', 'v1');`, /printed v1 Pod, but expected is client.authentication.k8s.io\/v1 ExecCredential/],
    [
      'answers in another version',
      `give({ token: 't' }, 'ExecCredential', 'client.authentication.k8s.io/v1beta1');`,
      /v1beta1 ExecCredential, but/,
    ],
    ['gives nothing', `give({ token: '' });`, /neither a token nor a certificate/],
    ['gives a certificate without a key', `give({ clientCertificateData: 'c' });`, /certificate without its key/],
    ['prints without end', `setInterval(() => process.stdout.write('x'.repeat(100000)), 1);`, /wrote more than 1048576 bytes/],
  ])('that %s is an error that says so', async (_, script, words) => {
    const message = await failureOf(plugin(script).exec);
    expect(message).toMatch(words);
    expect(message).not.toContain('very-secret');
  });

  it('that must ask a person is not run where nobody sits', async () => {
    const { exec, log } = plugin(`log('run'); give({ token: 't' });`, { interactiveMode: 'Always' });
    expect(await failureOf(exec)).toContain('standard input is not a terminal');
    expect(log()).toEqual([]);
  });

  it('that may ask a person tells them what to do, in harmless characters', async () => {
    const { exec, log } = plugin(
      `log(process.env.KUBERNETES_EXEC_INFO); console.error('open https://login.shop\\x1b[31m'); give({ token: 't' });`,
      { interactiveMode: 'IfAvailable' },
    );
    const told: string[] = [];
    await credentialsFor({ exec }, {}, { interactive: true, onPluginText: (text) => told.push(text) }).current();
    expect(JSON.parse(log()[0] ?? '')).toMatchObject({ spec: { interactive: true } });
    expect(told.join('')).toBe('open https://login.shop\\x1b[31m\n');
  });
});

describe('an auth-provider', () => {
  function idToken(exp: number): string {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'none' })}.${part({ sub: 'anna', exp })}.${part({})}`;
  }

  it('oidc gives its token while it lasts', async () => {
    const token = idToken(4_000_000_000);
    const credentials = credentialsFor({ authProvider: { name: 'oidc', config: { 'id-token': token } } });
    expect(await credentials.current()).toEqual({ token });
    expect(await credentials.renew({ token })).toBe(false);
  }, 30_000);

  it('oidc does not spend the refresh token that kubectl needs', async () => {
    const config = { 'id-token': idToken(1), 'refresh-token': 'one-time', 'client-id': 'shop', 'idp-issuer-url': 'https://127.0.0.1:1' };
    const error = await credentialsFor({ authProvider: { name: 'oidc', config } })
      .current()
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(error).toMatchObject({ kind: 'credentials', message: expect.stringContaining('any kubectl command renews it') as string });
    expect(config['refresh-token']).toBe('one-time');
  }, 30_000);

  it('of an unknown kind is named', async () => {
    await expect(credentialsFor({ authProvider: { name: 'keystone', config: {} } }).current()).rejects.toMatchObject({
      kind: 'credentials',
      message: expect.stringContaining('keystone') as string,
    });
  });
});
