import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Issued } from '../support/certificates.ts';
import { issueCertificate } from '../support/certificates.ts';
import type { StoredObject } from '../support/cluster.ts';
import { clusterOf, kubeconfigFor } from '../support/cluster.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';
import type { KubeServer } from '../support/kube-server.ts';
import { AUTHORITY, kubeServer, servingOptions } from '../support/kube-server.ts';
import { schemaProblems } from '../support/schema-problems.ts';

const servers: KubeServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Row {
  readonly role: string;
  readonly status: string;
  readonly reason?: string;
  readonly rotatedBy: string;
  readonly places: readonly { readonly where: string; readonly tier: string }[];
}

interface Looked {
  readonly code: number;
  readonly certificates: readonly Row[];
  readonly tiers: Readonly<Record<string, { readonly state: string; readonly reason?: string; readonly found: number }>>;
  readonly out: string;
}

async function serving(...given: Parameters<typeof kubeServer>): Promise<KubeServer> {
  const server = await kubeServer(...given);
  servers.push(server);
  return server;
}

async function look(server: KubeServer, ...more: readonly string[]): Promise<Looked> {
  const { code, out, err } = await podcheck(['cert-expiry', '-o', 'json', ...more], {
    env: { KUBECONFIG: kubeconfigFor(server.url, folderWith()) },
  });
  expect(out, err).not.toBe('');
  const report = JSON.parse(out) as { certificates: Row[]; tiers: { id: string; state: string; reason?: string; found: number }[] };
  expect(schemaProblems('certificates.v1.json', report)).toEqual([]);
  return { code, certificates: report.certificates, tiers: Object.fromEntries(report.tiers.map((tier) => [tier.id, tier])), out };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const bundled = (ca: string): readonly StoredObject[] => [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'prices' },
    webhooks: [
      { name: 'prices.shop.example', clientConfig: { caBundle: base64(ca), service: { namespace: 'shop', name: 'prices', port: 443 } } },
    ],
  },
];

describe('what the API server serves', () => {
  it('is one row with the authority the kubeconfig trusts, and all is fine', async () => {
    const { code, certificates, tiers } = await look(await serving(clusterOf([])));
    expect(code).toBe(0);
    expect(tiers['served']).toMatchObject({ state: 'CHECKED' });
    expect(certificates.map(({ role, status }) => [role, status])).toEqual(
      expect.arrayContaining([
        ['apiserver-serving', 'OK'],
        ['kubeconfig-ca', 'OK'],
      ]),
    );
    expect(certificates.find(({ role }) => role === 'kubeconfig-ca')?.places.map(({ tier }) => tier)).toEqual(
      expect.arrayContaining(['kubeconfig', 'served']),
    );
  });

  it('exits with 4 when it has ended, and takes nothing for fine that it could not ask about', async () => {
    const ended = issueCertificate({
      commonName: 'kube-apiserver',
      names: ['127.0.0.1'],
      issuer: AUTHORITY,
      notAfter: '2021-01-01T00:00:00Z',
    });
    const { code, certificates, tiers } = await look(await serving(clusterOf([]), { cert: ended.cert, key: ended.key }));
    expect(code).toBe(4);
    expect(certificates[0]).toMatchObject({ role: 'apiserver-serving', status: 'EXPIRED' });
    expect(tiers['api']).toMatchObject({
      state: 'NOT_CHECKED',
      reason: expect.stringContaining('has expired or is not yet valid') as string,
    });
  });

  it('does not fit when it is for other names', async () => {
    const { certificates } = await look(await serving(clusterOf([]), servingOptions(['kubernetes.shop.example'])));
    expect(certificates[0]).toMatchObject({ status: 'MISMATCH', reason: 'it is valid for kubernetes.shop.example, not for 127.0.0.1' });
  });

  it('does not fit when another authority signed it', async () => {
    const other = issueCertificate({ commonName: 'other-authority', isAuthority: true });
    const { cert, key } = issueCertificate({ commonName: 'kube-apiserver', names: ['127.0.0.1'], issuer: other });
    const { code, certificates } = await look(await serving(clusterOf([]), { cert, key }));
    expect(code).toBe(1);
    expect(certificates[0]).toMatchObject({
      role: 'apiserver-serving',
      status: 'MISMATCH',
      reason: expect.stringContaining('not signed by a CA of the kubeconfig') as string,
    });
  });

  it('shows each link of a chain, whatever the order they come in', async () => {
    const middle = issueCertificate({ commonName: 'shop-middle', isAuthority: true, issuer: AUTHORITY, notAfter: '2098-01-01T00:00:00Z' });
    const { cert, key } = issueCertificate({ commonName: 'kube-apiserver', names: ['127.0.0.1'], issuer: middle });
    const { code, certificates } = await look(await serving(clusterOf([]), { cert: cert + AUTHORITY.cert + middle.cert, key }));
    expect(code).toBe(0);
    expect(certificates.map(({ role }) => role)).toEqual(
      expect.arrayContaining(['apiserver-serving', 'apiserver-intermediate', 'kubeconfig-ca']),
    );
  });

  it('says by how much the two clocks differ', async () => {
    const late = new Date(Date.now() + 600_000).toUTCString();
    const { out } = await look(await serving((seen) => ({ ...(clusterOf([])(seen) as object), headers: { date: late } })));
    expect((JSON.parse(out) as { clockSkewSeconds: number }).clockSkewSeconds).toBeGreaterThan(590);
  });

  it('is not checked where nothing listens, which is no success', async () => {
    const server = await serving(clusterOf([]));
    await server.close();
    const { code, tiers } = await look(server);
    expect(code).toBe(3);
    expect(tiers['served']).toMatchObject({ state: 'NOT_CHECKED', reason: expect.stringContaining('refused') as string });
    expect(tiers['api']).toMatchObject({ state: 'NOT_CHECKED' });
  });
});

describe('all contexts', () => {
  it('are read, and their servers asked what they serve, with or without a current one', async () => {
    const [shop, till] = [await serving(clusterOf([])), await serving(clusterOf([]))];
    const folder = folderWith();
    const ended = issueCertificate({ commonName: 'cashier', issuer: AUTHORITY, notAfter: '2021-01-01T00:00:00Z' });
    const config = {
      contexts: [
        { name: 'shop', context: { cluster: 'shop', user: 'eve' } },
        { name: 'till', context: { cluster: 'till', user: 'cashier' } },
      ],
      clusters: [shop, till].map(({ url }, index) => ({
        name: ['shop', 'till'][index],
        cluster: { server: url.href, 'certificate-authority-data': base64(AUTHORITY.cert) },
      })),
      users: [
        {
          name: 'eve',
          user: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'no-such-program', interactiveMode: 'Never' } },
        },
        { name: 'cashier', user: { 'client-certificate-data': base64(ended.cert), 'client-key-data': base64(ended.key) } },
      ],
    };
    writeFileSync(`${folder}/config`, JSON.stringify(config));
    const { code, out } = await podcheck(['cert-expiry', '--all-contexts', '-o', 'json', '--kubeconfig', `${folder}/config`]);
    const { certificates } = JSON.parse(out) as { certificates: readonly Row[] };
    expect(code).toBe(4);
    expect(certificates[0]).toMatchObject({ role: 'kubeconfig-client', status: 'EXPIRED' });
    expect(
      certificates
        .filter(({ role }) => role === 'apiserver-serving')
        .flatMap(({ places }) => places.map(({ where }) => where))
        .toSorted(),
    ).toEqual([shop, till].map(({ url }) => url.origin).toSorted());
    expect(certificates.find(({ status }) => status === 'INFO')).toMatchObject({
      reason: expect.stringContaining('no-such-program, which is not run') as string,
    });
  });
});

describe('the API of all contexts', () => {
  it('is read for each cluster, and what is found is told apart by the context', async () => {
    const ended = issueCertificate({ commonName: 'prices-authority', isAuthority: true, notAfter: '2021-01-01T00:00:00Z' });
    const [shop, till] = [await serving(clusterOf([])), await serving(clusterOf(bundled(ended.cert)))];
    const folder = folderWith();
    const config = {
      'current-context': 'shop',
      contexts: ['shop', 'nobody', 'till'].map((name) => ({ name, context: { cluster: name === 'nobody' ? 'till' : name, user: name } })),
      clusters: [shop, till].map(({ url }, index) => ({
        name: ['shop', 'till'][index],
        cluster: { server: url.href, 'certificate-authority-data': base64(AUTHORITY.cert) },
      })),
      users: ['shop', 'till'].map((name) => ({ name, user: { token: 'a-token' } })),
    };
    writeFileSync(`${folder}/config`, JSON.stringify(config));
    const { code, out } = await podcheck(['cert-expiry', '--all-contexts', '-o', 'json', '--kubeconfig', `${folder}/config`]);
    const { certificates } = JSON.parse(out) as { certificates: readonly (Row & { readonly renew: string })[] };
    expect(code).toBe(4);
    expect(certificates[0]).toMatchObject({
      role: 'validating-webhook-ca',
      status: 'EXPIRED',
      places: [{ where: 'till:ValidatingWebhookConfiguration/prices webhook prices.shop.example' }],
    });
    expect(certificates[0]?.renew.match(/kubectl /g)?.length).toBe(certificates[0]?.renew.match(/kubectl --context till /g)?.length);
    const { out: one } = await podcheck(['cert-expiry', '-o', 'json', '--kubeconfig', `${folder}/config`]);
    expect(one).not.toContain('prices');
  });

  it('says which cluster did not answer', async () => {
    const [shop, till] = [await serving(clusterOf([])), await serving(clusterOf([]))];
    const folder = folderWith();
    await till.close();
    const clusters = [shop, till].map(({ url }, index) => ({
      name: ['shop', 'till'][index],
      cluster: { server: url.href, 'certificate-authority-data': base64(AUTHORITY.cert) },
    }));
    writeFileSync(
      `${folder}/config`,
      JSON.stringify({
        'current-context': 'shop',
        clusters,
        contexts: ['shop', 'till'].map((name) => ({ name, context: { cluster: name, user: 'eve' } })),
        users: [{ name: 'eve', user: { token: 'a-token' } }],
      }),
    );
    const { code, out } = await podcheck(['cert-expiry', '--all-contexts', '-o', 'json', '--kubeconfig', `${folder}/config`]);
    const { tiers } = JSON.parse(out) as { tiers: readonly { readonly id: string; readonly state: string; readonly reason?: string }[] };
    expect(code).toBe(3);
    expect(tiers.find(({ id }) => id === 'api')).toMatchObject({
      state: 'PARTIAL',
      reason: expect.stringContaining('context till: ') as string,
    });
  });
});

describe('what the API answers without Secrets', () => {
  it('has the bundles webhooks are verified by', async () => {
    const ended = issueCertificate({ commonName: 'prices-authority', isAuthority: true, notAfter: '2021-01-01T00:00:00Z' });
    const { code, certificates } = await look(await serving(clusterOf(bundled(ended.cert))));
    expect(code).toBe(4);
    expect(certificates[0]).toMatchObject({
      role: 'validating-webhook-ca',
      status: 'EXPIRED',
      places: [{ where: 'ValidatingWebhookConfiguration/prices webhook prices.shop.example' }],
    });
  });

  it('names the permission that is missing, and exits with 3', async () => {
    const { code, tiers } = await look(await serving(clusterOf([], ['validatingwebhookconfigurations'])));
    expect(code).toBe(3);
    expect(tiers['api']).toMatchObject({
      state: 'PARTIAL',
      reason: expect.stringContaining('needs list validatingwebhookconfigurations') as string,
    });
  });

  it('never asks for more of Secrets than their metadata', async () => {
    const server = await serving(clusterOf([secretWith(serverCertificate)]));
    const { tiers } = await look(server);
    const asked = server.seen.filter(({ path }) => path.includes('/secrets'));
    expect(asked.length).toBeGreaterThan(0);
    for (const { headers } of asked) expect(headers.accept).toContain('as=PartialObjectMetadata');
    expect(tiers['secrets']).toMatchObject({ state: 'NOT_CHECKED', reason: 'needs --secrets' });
  });

  it('reads the ends that kubelets count in their metrics', async () => {
    const metrics =
      '# TYPE x gauge\nkubelet_certificate_manager_client_ttl_seconds 3600\nkubelet_certificate_manager_server_ttl_seconds +Inf\n';
    const nodes = clusterOf([{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' } }]);
    const { certificates } = await look(
      await serving((seen) => (seen.path === '/api/v1/nodes/worker-1/proxy/metrics' ? { text: metrics } : nodes(seen))),
    );
    expect(certificates.filter(({ places }) => places[0]?.tier === 'nodes')).toMatchObject([
      { role: 'kubelet-client', rotatedBy: 'kubelet', status: 'CRITICAL' },
    ]);
  });
});

const serverCertificate = issueCertificate({ commonName: 'prices', names: ['prices.shop.svc'], notAfter: '2097-01-01T00:00:00Z' });
const PLANTED = 'hunter2-planted-password';

function secretWith({ cert, key }: Issued): StoredObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { name: 'prices-tls', namespace: 'shop', annotations: { 'shop.example/note': PLANTED } },
    data: {
      'tls.crt': base64(cert),
      'tls.key': base64(key),
      both: base64(key + cert),
      password: base64(PLANTED),
      broken: base64(`-----BEGIN CERTIFICATE-----\n${PLANTED}\n`),
    },
  };
}

describe('certificates in Secrets', () => {
  it('are read with --secrets, and take the role of the webhook they are for', async () => {
    const { certificates, tiers } = await look(
      await serving(clusterOf([...bundled(serverCertificate.cert), secretWith(serverCertificate)])),
      '--secrets',
    );
    expect(tiers['secrets']).toMatchObject({ state: 'CHECKED' });
    const row = certificates.find(({ places }) => places.some(({ where }) => where === 'Secret/shop/prices-tls tls.crt'));
    expect(row?.places.map(({ where }) => where)).toEqual(
      expect.arrayContaining(['Secret/shop/prices-tls both', 'ValidatingWebhookConfiguration/prices webhook prices.shop.example']),
    );
  });

  it.each(['table', 'wide', 'json', 'yaml'])('let nothing of keys and passwords through as %s', async (format) => {
    const server = await serving(clusterOf([secretWith(serverCertificate)]));
    const { out, err } = await podcheck(['cert-expiry', '--secrets', '-o', format], {
      env: { KUBECONFIG: kubeconfigFor(server.url, folderWith()) },
    });
    expect(out).toContain('prices-tls');
    const secrets = [
      PLANTED,
      base64(PLANTED),
      'a-token',
      ...serverCertificate.key.split('\n').filter((line) => line.length > 20 && !line.startsWith('-')),
    ];
    expect(secrets.length).toBeGreaterThan(4);
    for (const secret of secrets) expect(out + err).not.toContain(secret);
  });
});

describe('what is really served', () => {
  const node = (port: number): StoredObject => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'worker-1' },
    status: { addresses: [{ type: 'InternalIP', address: '127.0.0.1' }], daemonEndpoints: { kubeletEndpoint: { Port: port } } },
  });
  const webhookAt = (port: number, ca: string): StoredObject => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'labels' },
    webhooks: [{ name: 'labels.shop.example', clientConfig: { url: `https://localhost:${port}/mutate`, caBundle: base64(ca) } }],
  });

  it('is asked of kubelets and webhooks with --probe', async () => {
    const kubelet = await serving(clusterOf([]), servingOptions(['worker-1']));
    const webhook = await serving(clusterOf([]));
    const { certificates, tiers } = await look(
      await serving(clusterOf([node(kubelet.port), webhookAt(webhook.port, AUTHORITY.cert)])),
      '--probe',
    );
    expect(tiers['probe']).toMatchObject({ state: 'CHECKED' });
    expect(certificates.filter(({ places }) => places[0]?.tier === 'probe').map(({ role, status }) => [role, status])).toEqual(
      expect.arrayContaining([
        ['kubelet-serving', 'OK'],
        ['mutating-webhook-serving', 'OK'],
      ]),
    );
    expect(kubelet.seen).toEqual([]);
  });

  it('is asked of webhooks that convert between versions, too', async () => {
    const webhook = await serving(clusterOf([]));
    const conversion = (strategy: string): StoredObject => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${strategy.toLowerCase()}.shop.example` },
      spec: {
        group: 'shop.example',
        names: { kind: 'Price', plural: 'prices' },
        conversion: {
          strategy,
          webhook: { clientConfig: { url: `https://127.0.0.1:${webhook.port}/convert`, caBundle: base64(AUTHORITY.cert) } },
        },
      },
    });
    const { certificates } = await look(await serving(clusterOf([conversion('Webhook')])), '--probe');
    expect(certificates.filter(({ places }) => places[0]?.tier === 'probe').map(({ role, status }) => [role, status])).toContainEqual([
      'conversion-webhook-serving',
      'OK',
    ]);
    const { certificates: none } = await look(await serving(clusterOf([conversion('None')])), '--probe');
    expect(none.map(({ role }) => role)).not.toContain('conversion-webhook-serving');
  });

  it('does not fit when the caBundle is of another authority, as after a renewal of only one of the two', async () => {
    const webhook = await serving(clusterOf([]));
    const other = issueCertificate({ commonName: 'old-authority', isAuthority: true });
    const { code, certificates } = await look(await serving(clusterOf([webhookAt(webhook.port, other.cert)])), '--probe');
    expect(code).toBe(1);
    expect(certificates[0]).toMatchObject({
      role: 'mutating-webhook-serving',
      status: 'MISMATCH',
      reason: expect.stringContaining('caBundle') as string,
    });
  });

  it('exits with 3 when something does not answer', async () => {
    const gone = await serving(clusterOf([]));
    await gone.close();
    const { code, tiers } = await look(await serving(clusterOf([node(gone.port)])), '--probe');
    expect(code).toBe(3);
    expect(tiers['probe']).toMatchObject({ state: 'NOT_CHECKED', reason: expect.stringContaining('kubelet of worker-1') as string });
  });
});
