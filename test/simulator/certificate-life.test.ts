import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asList, asText, dig } from '../../src/base/json.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import type { ClusterOptions } from '../../src/simulator/cluster-options.ts';
import type { Cluster } from '../../src/simulator/cluster.ts';
import { createCluster } from '../../src/simulator/cluster.ts';
import { deployment, namespace, send } from './shop.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const REQUESTS = 'certificatesigningrequests.certificates.k8s.io';

function running(options: Partial<ClusterOptions> = {}): Cluster {
  return createCluster({ seed: 4, preset: 'one-node', objects: [namespace('shop')], ...options });
}

function open(cluster: Cluster): void {
  cluster.apply([deployment('web')]);
  cluster.runUntilSettled();
}

function pods(cluster: Cluster): readonly KubeObject[] {
  return cluster.store.list('pods', 'shop');
}

function ready(cluster: Cluster, node = 'worker-1'): string | undefined {
  const conditions = asList(dig(cluster.store.get('nodes', undefined, node), 'status', 'conditions'));
  return asText(
    dig(
      conditions.find((condition) => dig(condition, 'type') === 'Ready'),
      'status',
    ),
  );
}

function ends(cluster: Cluster, name: string): number {
  return cluster.world.certificates.get(name)?.notAfter ?? 0;
}

function end(cluster: Cluster, name: string): void {
  cluster.inject({ fault: 'certificate', name, notAfter: cluster.now() + 1000 });
  cluster.advance(2000);
}

function logs(cluster: Cluster): string {
  const answer = send(cluster, 'get', 'Pod', pods(cluster)[0]?.metadata.name, { subresource: 'log', log: {} });
  return answer.ok ? 'ok' : `${answer.code} ${answer.message.replace(/web-\w+-\w+/g, 'POD')}`;
}

describe('a kubelet', () => {
  test('has its certificate renewed through a request between 70 and 90 % of its life', () => {
    const cluster = running();
    const [born, life] = [cluster.world.certificates.get('kubelet-worker-1')?.notBefore ?? 0, 365 * DAY];
    const first = ends(cluster, 'kubelet-worker-1');
    cluster.advanceTo(born + life * 0.7);
    expect(ends(cluster, 'kubelet-worker-1')).toBe(first);
    let request: KubeObject | undefined;
    while (request === undefined && cluster.now() < born + life * 0.9) {
      cluster.advance(HOUR / 2);
      [request] = cluster.store.list(REQUESTS);
    }
    expect(dig(request, 'spec', 'username')).toBe('system:node:worker-1');
    expect(dig(request, 'status', 'conditions', 0, 'reason')).toBe('AutoApproved');
    cluster.advanceTo(born + life * 0.9 + HOUR);
    expect(ends(cluster, 'kubelet-worker-1')).toBeGreaterThan(first + 200 * DAY);
    const issued = new X509Certificate(Buffer.from(asText(dig(request, 'status', 'certificate')) ?? '', 'base64'));
    const current = cluster.world.certificates.get('kubelet-worker-1');
    expect(current === undefined ? '' : new X509Certificate(cluster.world.certificates.pem(current)).fingerprint256).toBe(
      issued.fingerprint256,
    );
    expect(issued.publicKey.asymmetricKeyType).toBe('ec');
    cluster.advanceTo(first + HOUR);
    expect(ready(cluster)).toBe('True');
  });

  test('goes on asking while nobody approves, and its node is lost when the time is over', () => {
    const cluster = running({ configuration: { signingSeconds: 4 * 3600 } });
    send(cluster, 'delete', 'ClusterRoleBinding', 'kubeadm:node-autoapprove-certificate-rotation');
    const last = ends(cluster, 'kubelet-worker-1');
    cluster.advanceTo(last - 1000);
    const waiting = cluster.store.list(REQUESTS);
    expect(waiting.length).toBeGreaterThan(1);
    expect(waiting.some((request) => dig(request, 'status', 'conditions') !== undefined)).toBe(false);
    expect(ready(cluster)).toBe('True');
    cluster.advance(300_000);
    expect(ready(cluster)).toBe('Unknown');
  });

  test('is never without a certificate however short its certificates live', () => {
    const cluster = running({ configuration: { signingSeconds: 3600 } });
    cluster.advance(2 * DAY);
    expect(ready(cluster)).toBe('True');
    expect(ends(cluster, 'kubelet-worker-1')).toBeGreaterThan(cluster.now());
  });

  test('does not begin with a certificate that ended while it was down, and begins with a new one', () => {
    const cluster = running();
    cluster.inject({ fault: 'stop', process: 'kubelet', node: 'worker-1' });
    end(cluster, 'kubelet-worker-1');
    cluster.inject({ fault: 'start', process: 'kubelet', node: 'worker-1' });
    cluster.advance(600_000);
    expect(cluster.process('kubelet', 'worker-1')?.state).toBe('stopped');
    expect(cluster.run({ command: 'service-status', node: 'worker-1', service: 'kubelet' }).output).toMatch(
      /^Active: activating \(auto-restart\)\npart of the existing bootstrap client certificate in .* is expired: /,
    );
    expect(ready(cluster)).toBe('Unknown');
    cluster.inject({ fault: 'renew', certificates: ['kubelet-worker-1'] });
    cluster.advance(60_000);
    expect(ready(cluster)).toBe('True');
  });

  test('ends five minutes after its certificate while the server answers, and costs nothing from then on', () => {
    const cluster = running();
    open(cluster);
    end(cluster, 'kubelet-worker-1');
    cluster.advance(240_000);
    expect(cluster.process('kubelet', 'worker-1')?.state).toBe('running');
    cluster.advance(120_000);
    expect(cluster.process('kubelet', 'worker-1')?.state).toBe('stopped');
    cluster.advance(HOUR);
    const before = cluster.steps;
    cluster.advance(DAY);
    expect(cluster.steps - before).toBeLessThan(100);
  });

  test('that signs its own serving certificate is read from though it has ended', () => {
    const cluster = running();
    open(cluster);
    end(cluster, 'kubelet-serving-worker-1');
    expect(logs(cluster)).toBe('ok');
  });

  test('that asks for its serving certificate has none until somebody approves it', () => {
    const cluster = running({ configuration: { serverTlsBootstrap: true } });
    open(cluster);
    expect(logs(cluster)).toBe(
      '500 Internal error occurred: Get "https://10.77.0.11:10250/containerLogs/shop/POD/web": remote error: tls: internal error',
    );
    const [request] = cluster.store.list(REQUESTS);
    expect(dig(request, 'spec', 'signerName')).toBe('kubernetes.io/kubelet-serving');
    const body = {
      ...request,
      status: {
        conditions: [
          { type: 'Approved', status: 'True', reason: 'KubectlApprove', message: 'This CSR was approved by kubectl certificate approve.' },
        ],
      },
    };
    const answer = send(cluster, 'update', 'CertificateSigningRequest', request?.metadata.name, { subresource: 'approval', body });
    expect(answer.ok).toBe(true);
    cluster.runUntilSettled();
    expect(logs(cluster)).toBe('ok');
    expect(cluster.world.certificates.get('kubelet-serving-worker-1')).toMatchObject({
      commonName: 'system:node:worker-1',
      dnsNames: ['worker-1'],
      ipAddresses: ['10.77.0.11'],
      usages: ['server'],
    });
  });
});

describe('when it ends', () => {
  test.each(['kube-scheduler', 'kube-controller-manager'] as const)(
    '%s stops working, costs nothing, and works again with a new certificate',
    (name) => {
      const cluster = running();
      end(cluster, name);
      cluster.advance(60_000);
      cluster.apply([deployment('web')]);
      cluster.advance(60_000);
      expect(pods(cluster).map((pod) => dig(pod, 'spec', 'nodeName'))).toEqual(name === 'kube-scheduler' ? [undefined] : []);
      const before = cluster.steps;
      cluster.advance(DAY);
      expect(cluster.steps - before).toBeLessThan(100);
      cluster.inject({ fault: 'renew', certificates: [name === 'kube-scheduler' ? 'scheduler.conf' : 'controller-manager.conf'] });
      cluster.runUntilSettled();
      expect(pods(cluster).map((pod) => dig(pod, 'status', 'phase'))).toEqual(['Running']);
    },
  );

  test.each(['apiserver-etcd-client', 'etcd-server', 'etcd-ca'])('%s takes the API server with it: connections are refused', (name) => {
    const cluster = running();
    end(cluster, name);
    const answer = send(cluster, 'list', 'Pod', undefined);
    expect(answer.ok ? '' : answer.message).toBe('dial tcp 10.77.0.1:6443: connect: connection refused');
    cluster.inject({ fault: 'renew', certificates: [name] });
    expect(send(cluster, 'list', 'Pod', undefined).ok).toBe(true);
  });

  test('the client certificate for kubelets leaves pods alone, but their logs cannot be read', () => {
    const cluster = running();
    open(cluster);
    end(cluster, 'apiserver-kubelet-client');
    expect(logs(cluster)).toBe('401 the server has asked for the client to provide credentials ( pods/log POD)');
    expect(pods(cluster).map((pod) => dig(pod, 'status', 'phase'))).toEqual(['Running']);
  });

  test('the authority of the cluster, nobody is believed and no client connects', () => {
    const cluster = running();
    end(cluster, 'kubernetes-ca');
    const answer = send(cluster, 'list', 'Pod', undefined);
    expect(answer.ok ? '' : answer.message).toMatch(
      /^tls: failed to verify certificate: x509: certificate has expired or is not yet valid/,
    );
  });

  test("the administrator's certificate, kubectl is not known any more, and another administrator is", () => {
    const cluster = running();
    end(cluster, 'admin');
    expect(cluster.apply([deployment('web')])[0]?.output).toContain('the server has asked for the client to provide credentials');
    const certificate = cluster.world.certificates.get('super-admin');
    if (certificate === undefined) throw new Error('there is one');
    expect(send(cluster, 'list', 'Pod', undefined, { credential: { kind: 'certificate', certificate } }).ok).toBe(true);
    cluster.inject({ fault: 'renew', certificates: ['admin.conf'] });
    expect(send(cluster, 'list', 'Pod', undefined).ok).toBe(true);
  });

  test('everything kubeadm made ends after a year, and one renewal brings the cluster back', () => {
    const cluster = running();
    open(cluster);
    cluster.advance(366 * DAY);
    expect(send(cluster, 'list', 'Pod', undefined).ok).toBe(false);
    cluster.inject({ fault: 'renew', certificates: ['all'] });
    cluster.runUntilSettled();
    expect(ready(cluster)).toBe('True');
    cluster.apply([deployment('cart')]);
    cluster.runUntilSettled();
    expect(pods(cluster).map((pod) => dig(pod, 'status', 'phase'))).toEqual(['Running', 'Running']);
  });
});

test('whoever looks at a cluster that answers nobody is told what kubectl would say', async () => {
  const cluster = running();
  const said = async (): Promise<unknown> => {
    const list = await cluster.reader().list('ClientAnswer', {});
    return list.ok ? list.value.map(({ spec }) => dig(spec, 'output')) : undefined;
  };
  expect(await said()).toEqual([]);
  end(cluster, 'admin');
  expect(await said()).toEqual(['error: You must be logged in to the server (Unauthorized)']);
  end(cluster, 'apiserver-etcd-client');
  expect(await said()).toEqual(['The connection to the server 10.77.0.1:6443 was refused - did you specify the right host or port?']);
});

test.each([
  ['of the authority that signed it', 'webhook-ca', 'created'],
  ['of another authority of the cluster', 'kubernetes-ca', 'refused'],
  ['from somewhere else', undefined, 'created'],
])('a webhook is called under a caBundle %s', (_, name, did) => {
  const server = {
    address: 'hooks.shop.example:443',
    certificate: {
      name: 'hooks',
      commonName: 'hooks',
      organizations: [],
      issuer: 'webhook-ca',
      notBefore: 0,
      notAfter: Date.UTC(2030, 0, 1),
      dnsNames: ['hooks.shop.example'],
      ipAddresses: [],
    },
    paths: { '*': { answer: 'allow' } },
  } as const;
  const cluster = running({ setup: [{ fault: 'webhook-server', server }] });
  const authority = cluster.world.certificates.get(name ?? '');
  const pem =
    authority === undefined
      ? '-----BEGIN CERTIFICATE-----\nc2hvcA==\n-----END CERTIFICATE-----\n'
      : cluster.world.certificates.pem(authority);
  const webhook = {
    name: 'pods.shop.example',
    clientConfig: { url: 'https://hooks.shop.example:443/check', caBundle: Buffer.from(pem).toString('base64') },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  cluster.apply([
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'hooks' },
      webhooks: [webhook],
    },
  ]);
  const [applied] = cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'prices', namespace: 'shop' } }]);
  expect(applied?.did).toBe(did);
  if (did === 'refused') expect(applied?.output).toContain('x509: certificate signed by unknown authority');
});

test('renewing what there is not says what there is', () => {
  expect(() => running({ boot: false }).inject({ fault: 'renew', certificates: ['kubelet-worker-9'] })).toThrow(
    'there is no certificate kubelet-worker-9 to renew',
  );
});

test('the reader shows every certificate that lies outside the API, each with its place and its role', async () => {
  const cluster = running({ setup: [{ fault: 'part', part: 'registry', what: 'registry.shop.example', with: { certificate: {} } }] });
  const list = await cluster.reader().list('CertificateRecord', {});
  const seen = (list.ok ? list.value : []).map(
    ({ spec }) => `${asText(dig(spec, 'tier'))} ${asText(dig(spec, 'role'))} ${asText(dig(spec, 'place'))}`,
  );
  expect(seen).toHaveLength(20);
  expect(seen).toContain('node kubelet-client worker-1:/var/lib/kubelet/pki/kubelet-client-current.pem');
  expect(seen).toContain('served apiserver-serving https://10.77.0.1:6443');
  expect(seen).toContain('node scheduler-client control-plane:/etc/kubernetes/scheduler.conf');
  expect(seen).toContain('probe registry-serving https://registry.shop.example');
  for (const record of list.ok ? list.value : [])
    expect(new X509Certificate(asText(dig(record, 'spec', 'pem')) ?? '').serialNumber).not.toBe('');
});
