import { createPrivateKey, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { manifestsOf } from './fault.ts';
import type { Ended } from './real-commands.ts';
import { kubectl, podcheck, runBeside } from './real-commands.ts';

const NAMESPACE = 'restricted-users';
const CAUSE = 'containers/configmap-not-found';
const state = process.env['REAL_CLUSTER_STATE'] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'podcheck-live-users-'));
const fault = {
  fault: NAMESPACE,
  rules: [CAUSE],
  web: { container: { env: [{ name: 'THEME', valueFrom: { configMapKeyRef: { name: 'shop-settings', key: 'theme' } } }] } },
};

interface Said {
  readonly outcome: string;
  readonly gaps: readonly JsonObject[];
  readonly causes: readonly { readonly rule: string }[];
}

describe('podcheck for users of a real cluster', () => {
  beforeAll(async () => {
    await must(['create', 'namespace', NAMESPACE]);
    await must(['-n', NAMESPACE, 'create', 'rolebinding', 'viewer', '--clusterrole=view', '--user=viewer']);
    await must(['-n', NAMESPACE, 'create', 'role', 'pods-only', '--verb=get,list,watch', '--resource=pods']);
    await must(['-n', NAMESPACE, 'create', 'rolebinding', 'pods-only', '--role=pods-only', '--user=pods-only']);
    for (const user of COUNTED) await must(['create', 'clusterrolebinding', user, '--clusterrole=cluster-admin', `--user=${user}`]);
    const items = manifestsOf(fault);
    await must(['-n', NAMESPACE, 'apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    await untilRefused();
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('finds the cause for a user who may only view', async () => {
    expect(saidOf(await diagnose(['--as', 'viewer'])).causes[0]?.rule).toBe(CAUSE);
  });

  it('finds the cause for a user who may only read pods, or says what it needs to read', async () => {
    const { outcome, causes } = saidOf(await diagnose(['--as', 'pods-only']));
    expect(causes.every(({ rule }) => rule === CAUSE)).toBe(true);
    expect(['explained', 'inconclusive']).toContain(outcome);
  });

  it('says what a user without any permission may not read, and blames nothing', async () => {
    const { code, out, err } = await diagnose(['--as', 'nobody']);
    expect(code).not.toBe(0);
    expect(`${out}${err}`).toMatch(/forbidden|cannot (?:get|list)/i);
    expect(out.includes(CAUSE)).toBe(false);
  });

  it('finds the cause with the Roles that it prints, and names each right that is taken away', async () => {
    const { out } = await podcheck(['rbac', '--scope', NAMESPACE, '--bind', 'user:roles', '--name', 'roles', '-o', 'json']);
    const { items } = JSON.parse(out) as { readonly items: readonly JsonObject[] };
    await apply(items);
    const { causes, gaps } = saidOf(await diagnose(['--as', 'roles']));
    expect([causes[0]?.rule, gaps]).toEqual([CAUSE, []]);
    for (const right of ['get configmaps', 'list pods', 'get deployments']) {
      await apply(items.map((item) => withoutRight(item, right)));
      const less = await diagnose(['--as', 'roles']);
      if (JSON.stringify(less.out).includes(CAUSE)) continue;
      expect(`${less.out}${less.err}`, right).toContain(right);
    }
  });

  it('answers from a snapshot as from the cluster', async () => {
    const file = join(folder, 'web.tgz');
    const taken = await podcheck(['snapshot', '-n', NAMESPACE, '--for', 'deploy/web', '-o', file]);
    expect(taken.code, taken.err).toBe(0);
    const later = await podcheck(['diagnose', 'deploy/web', '-n', NAMESPACE, '--from', file, '-o', 'json']);
    const [live, saved] = [saidOf(await diagnose([])), saidOf(later)];
    expect([saved.outcome, saved.causes.map(({ rule }) => rule)]).toEqual([live.outcome, live.causes.map(({ rule }) => rule)]);
  });

  it.each([
    ['token', expiredToken],
    ['client certificate', expiredCertificate],
  ])('says that the credentials are no longer accepted when the %s has expired', async (name, user) => {
    const kubeconfig = await kubeconfigOf(name, await user());
    const { code, out, err } = await diagnose(['--kubeconfig', kubeconfig]);
    expect(code).not.toBe(0);
    expect(`${out}${err}`).toMatch(/credentials|expired|Unauthorized/);
    expect(out.includes(CAUSE)).toBe(false);
  });

  it('needs at most 20 requests for a diagnosis, all over one connection', async () => {
    const counted = await countedConnections();
    const kubeconfig = await kubeconfigOf('counted', undefined, counted.port);
    expect(saidOf(await diagnose(['--kubeconfig', kubeconfig, '--as', COUNTED[0]])).causes[0]?.rule).toBe(CAUSE);
    const requests = await requestsOf(COUNTED[0]);
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(20);
    expect(counted.end()).toBe(1);
  });

  it('needs at most 40 requests for a scan of the cluster, and 5 more for each failing workload', async () => {
    const { out } = await podcheck(['scan', '-A', '-o', 'json', '--as', COUNTED[1]]);
    const { counts, causes } = JSON.parse(out) as { readonly counts: JsonObject; readonly causes: readonly unknown[] };
    const requests = await requestsOf(COUNTED[1]);
    expect(requests.length, `${JSON.stringify(counts)}\n${requests.join('\n')}`).toBeLessThanOrEqual(40 + 5 * Math.max(1, causes.length));
  });
});

const COUNTED = ['diagnosing', 'scanning'] as const;

async function must(words: readonly string[], input?: string): Promise<void> {
  const { code, err } = await kubectl(words, input);
  expect(code, err).toBe(0);
}

async function apply(items: readonly JsonObject[]): Promise<void> {
  await must(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

/** A Role without a verb for a resource: `get configmaps`. */
function withoutRight(role: JsonObject, right: string): JsonObject {
  const [verb = '', resource = ''] = right.split(' ');
  const rules = (role['rules'] ?? []) as unknown as readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
  if (role['rules'] === undefined) return role;
  const changed = rules.flatMap((rule) => [
    { ...rule, resources: rule.resources.filter((each) => each !== resource) },
    ...(rule.resources.includes(resource) ? [{ ...rule, resources: [resource], verbs: rule.verbs.filter((each) => each !== verb) }] : []),
  ]);
  return { ...role, rules: changed.filter(({ resources, verbs }) => resources.length > 0 && verbs.length > 0) };
}

function diagnose(words: readonly string[]): Promise<Ended> {
  return podcheck(['diagnose', 'deploy/web', '-n', NAMESPACE, '-o', 'json', ...words]);
}

function saidOf({ out, err, code }: Ended): Said {
  expect(out, `exit ${code}: ${err}`).not.toBe('');
  return JSON.parse(out) as Said;
}

/** The kubelet has said that the ConfigMap is missing: from then on all users look at the same. */
async function untilRefused(): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    const { out } = await kubectl(['-n', NAMESPACE, 'get', 'pods', '-o', 'jsonpath={..state.waiting.reason}']);
    if (out.includes('CreateContainerConfigError')) return;
    await sleep(2000);
  }
}

/** A token of the cluster's own key whose time is over. */
function expiredToken(): JsonObject {
  const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const body = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({
    iss: 'https://kubernetes.default.svc.cluster.local',
    aud: ['https://kubernetes.default.svc.cluster.local'],
    sub: 'system:serviceaccount:default:default',
    iat: now - 7200,
    nbf: now - 7200,
    exp: now - 3600,
    'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'default', uid: '' } },
  })}`;
  const signature = sign('sha256', Buffer.from(body), createPrivateKey(readFileSync(join(state, 'pki/sa.key')))).toString('base64url');
  return { token: `${body}.${signature}` };
}

/** A certificate of the cluster's own CA that ends with the second in which it is issued. */
async function expiredCertificate(): Promise<JsonObject> {
  const [key, request, cert] = ['user.key', 'user.csr', 'user.crt'].map((file) => join(folder, file)) as [string, string, string];
  const ca = join(state, 'pki/ca');
  const subject = '/O=system:masters/CN=robin';
  await openssl(['req', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', request, '-subj', subject]);
  await openssl(['x509', '-req', '-in', request, '-CA', `${ca}.crt`, '-CAkey', `${ca}.key`, '-out', cert, '-days', '0']);
  await sleep(2000);
  const data = (file: string): string => readFileSync(file).toString('base64');
  return { 'client-certificate-data': data(cert), 'client-key-data': data(key) };
}

async function openssl(words: readonly string[]): Promise<void> {
  const { code, err } = await runBeside('openssl', words);
  expect(code, err).toBe(0);
}

interface Config {
  readonly users: readonly { readonly name: string; readonly user: JsonObject }[];
  readonly clusters: readonly { readonly name: string; readonly cluster: { readonly server: string } }[];
}

async function ownConfig(): Promise<Config> {
  const { out } = await kubectl(['config', 'view', '--raw', '--flatten', '-o', 'json']);
  return JSON.parse(out) as Config;
}

/** The administrator's kubeconfig with another user, or another port of this machine that leads to the server. */
async function kubeconfigOf(name: string, user?: JsonObject, port?: number): Promise<string> {
  const config = await ownConfig();
  const path = join(folder, `${name.replaceAll(' ', '-')}.conf`);
  const users = config.users.map((one) => ({ name: one.name, user: user ?? one.user }));
  const clusters = config.clusters.map(({ name: own, cluster }) => ({
    name: own,
    cluster:
      port === undefined
        ? cluster
        : { ...cluster, server: `https://127.0.0.1:${port}`, 'tls-server-name': new URL(cluster.server).hostname },
  }));
  writeFileSync(path, JSON.stringify({ ...config, users, clusters }), { mode: 0o600 });
  return path;
}

/** A port that leads to the API server; `end` gives how many connections came. */
async function countedConnections(): Promise<{ readonly port: number; readonly end: () => number }> {
  const server = new URL((await ownConfig()).clusters[0]?.cluster.server ?? '');
  let count = 0;
  const listening = createServer((socket) => {
    count += 1;
    const onward = connect(Number(server.port), server.hostname);
    socket.pipe(onward).pipe(socket);
    for (const one of [socket, onward]) one.on('error', () => undefined);
  });
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  const end = (): number => {
    listening.close();
    return count;
  };
  return { port: (listening.address() as AddressInfo).port, end };
}

/** What the audit log has of a user, as soon as it is written. */
async function requestsOf(user: string): Promise<readonly string[]> {
  await sleep(2000);
  return readFileSync(join(state, 'logs/audit.log'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (!line.includes(`"${user}"`)) return [];
      const entry = JSON.parse(line) as {
        readonly impersonatedUser?: { readonly username: string };
        readonly verb: string;
        readonly requestURI: string;
      };
      return entry.impersonatedUser?.username === user ? [`${entry.verb} ${entry.requestURI}`] : [];
    });
}
