import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { CLIENT_ANSWER, NODE_SERVICE } from '../../src/model/record-kinds.ts';
import type { Cluster } from '../../src/simulator/cluster.ts';
import { createCluster } from '../../src/simulator/cluster.ts';
import type { CommandFrame, Kubeconfig } from '../../src/simulator/terminal/command.ts';

const SHOP: JsonObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
const SETTINGS: JsonObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
  data: { theme: 'dark' },
};

function shop(): Cluster {
  const cluster = createCluster({ seed: 1, preset: 'one-node' });
  cluster.apply([SHOP]);
  return cluster;
}

function applied(cluster: Cluster, frame: CommandFrame): string {
  return cluster.run({ command: 'apply', manifest: { file: 'settings.yaml', documents: [SETTINGS] }, ...frame }).output;
}

function kubeconfig(cluster: JsonObject, user: JsonObject = { 'client-certificate': 'anna.crt' }): Kubeconfig {
  const content = {
    'current-context': 'shop',
    clusters: [{ name: 'shop', cluster }],
    contexts: [{ name: 'shop', context: { cluster: 'shop', user: 'anna' } }],
    users: [{ name: 'anna', user }],
  };
  return { file: 'anna.yaml', content: JSON.stringify(content) };
}

const GOOD: JsonObject = { server: 'https://10.77.0.1:6443', 'certificate-authority': '/etc/kubernetes/pki/ca.crt' };

describe('a manifest', () => {
  it.each([
    ['that is missing', {}, 'error: the path "settings.yaml" does not exist'],
    ['that declares nothing', { text: '# later\n' }, 'error: no objects passed to apply'],
    [
      'with a tab',
      { text: 'kind: ConfigMap\nmetadata:\n\tname: settings\n' },
      'error: error parsing settings.yaml: error converting YAML to JSON: yaml: line 3: found character that cannot start any token',
    ],
    [
      'with an open quote',
      { text: 'kind: "ConfigMap\n' },
      'error: error parsing settings.yaml: error converting YAML to JSON: yaml: line 2: found unexpected end of stream',
    ],
    [
      'with two keys in a line',
      { text: 'metadata: name: settings\n' },
      'error: error parsing settings.yaml: error converting YAML to JSON: yaml: line 1: mapping values are not allowed in this context',
    ],
    [
      'without a kind',
      { text: 'apiVersion: v1\nmetadata: { name: settings }\n' },
      'error: error validating "settings.yaml": error validating data: kind not set; if you choose to ignore these errors, turn validation off with --validate=false',
    ],
    [
      'that is whole',
      { text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: shop }\n' },
      'configmap/settings created',
    ],
  ])('%s', (_, manifest, output) => {
    expect(shop().run({ command: 'apply', manifest: { file: 'settings.yaml', ...manifest } })).toEqual({
      output,
      exitCode: output.endsWith('created') ? 0 : 1,
    });
  });
});

describe('an object on its way out', () => {
  it('is changed with a warning', () => {
    const cluster = shop();
    const held: JsonObject = { ...SETTINGS, metadata: { name: 'settings', namespace: 'shop', finalizers: ['shop.example/hold'] } };
    cluster.apply([held]);
    cluster.request({ verb: 'delete', group: '', version: 'v1', resource: 'configmaps', namespace: 'shop', name: 'settings' });
    const warning = 'Warning: Detected changes to resource settings which is currently being deleted.\n';
    expect(cluster.apply([held]).map(({ output }) => output)).toEqual([`${warning}configmap/settings unchanged`]);
    expect(cluster.apply([{ ...held, data: { theme: 'light' } }]).map(({ output }) => output)).toEqual([
      `${warning}configmap/settings configured`,
    ]);
  });
});

describe('a kubeconfig', () => {
  it.each([
    ['that is missing', { file: 'anna.yaml', missing: true }, 'error: stat anna.yaml: no such file or directory'],
    [
      'that is missing where nobody named one',
      { file: '/home/anna/.kube/config', missing: true },
      'Get "http://localhost:8080/openapi/v2?timeout=32s": dial tcp 127.0.0.1:8080: connect: connection refused',
    ],
    ['that is no YAML', { file: 'anna.yaml', content: 'a: [' }, 'error: error loading config file "anna.yaml": yaml: '],
    [
      'without the context',
      { ...kubeconfig(GOOD), context: 'shop-prod' },
      'Error in configuration: context was not found for specified context: shop-prod',
    ],
    ['of another port', kubeconfig({ ...GOOD, server: 'https://10.77.0.1:443' }), 'dial tcp 10.77.0.1:443: connect: connection refused'],
    [
      'of a name nobody knows',
      kubeconfig({ ...GOOD, server: 'https://api.shop.example:6443' }),
      'dial tcp: lookup api.shop.example on 10.77.0.2:53: no such host',
    ],
    ['of an address that does not answer', kubeconfig({ ...GOOD, server: 'https://10.9.9.9:6443' }), 'dial tcp 10.9.9.9:6443: i/o timeout'],
    [
      'of another authority',
      kubeconfig({ ...GOOD, 'certificate-authority': 'old-ca.crt' }),
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ],
    [
      'with a program that is not installed',
      kubeconfig(GOOD, { exec: { command: 'cloud-login' } }),
      'getting credentials: exec: executable cloud-login not found',
    ],
    ['with a token nobody issued', kubeconfig(GOOD, { token: 'abc' }), 'the server has asked for the client to provide credentials'],
    ['without any user', kubeconfig(GOOD, {}), 'Error from server (Forbidden)'],
    ['that is good', kubeconfig(GOOD), 'configmap/settings created'],
  ])('%s', (_, given, output) => {
    expect(applied(shop(), { kubeconfig: given })).toContain(output);
  });
});

describe('who gives a command', () => {
  it('is believed by a token until it ends', () => {
    const cluster = shop();
    cluster.apply([
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot', namespace: 'shop' } },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: 'robot', namespace: 'shop' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
        subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'shop' }],
      },
    ]);
    const robot: CommandFrame = { identity: { kind: 'account', namespace: 'shop', account: 'robot' } };
    expect(applied(cluster, robot)).toContain('the server has asked for the client to provide credentials');
    expect(cluster.run({ command: 'token', namespace: 'shop', account: 'robot', seconds: 600 }).exitCode).toBe(0);
    expect(applied(cluster, robot)).toBe('configmap/settings created');
    cluster.advance(601_000);
    expect(applied(cluster, robot)).toContain('the server has asked for the client to provide credentials');
  });
});

const BARE: JsonObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { containers: [{ name: 'web', image: 'shop/web:1' }] },
};

function budgeted(cluster: Cluster): void {
  const labels = { app: 'web' };
  cluster.apply([
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'shop/web:1' }] } },
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    },
  ]);
  cluster.runUntilSettled();
}

describe('a drain', () => {
  it('asks again every five seconds until its time is over when a budget holds a pod', () => {
    const cluster = shop();
    budgeted(cluster);
    const [pod] = cluster.store.list('pods', 'shop');
    const name = pod?.metadata.name ?? '';
    const { output, exitCode } = cluster.run({ command: 'drain', node: 'worker-1', timeoutSeconds: 7 });
    const refusal = `error when evicting pods/"${name}" -n "shop" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.`;
    const over = `error when evicting pods/"${name}" -n "shop": global timeout reached: 7s`;
    expect(output.split('\n').filter((line) => !line.startsWith('Warning: '))).toEqual([
      'node/worker-1 cordoned',
      `evicting pod shop/${name}`,
      refusal,
      `evicting pod shop/${name}`,
      refusal,
      `evicting pod shop/${name}`,
      `There are pending pods in node "worker-1" when an error occurred: ${over}`,
      `pod/${name}`,
      `error: unable to drain node "worker-1" due to error: ${over}, continuing command...`,
      'There are pending nodes to be drained:',
      ' worker-1',
      over,
    ]);
    expect(exitCode).toBe(1);
  });

  it('waits until the evicted pods are gone', () => {
    const cluster = shop();
    budgeted(cluster);
    cluster.run({ command: 'delete', objects: [{ kind: 'PodDisruptionBudget', namespace: 'shop', name: 'web' }] });
    const name = cluster.store.list('pods', 'shop')[0]?.metadata.name ?? '';
    const { output, exitCode } = cluster.run({ command: 'drain', node: 'worker-1' });
    expect([output.split('\n').slice(-2), exitCode]).toEqual([[`pod/${name} evicted`, 'node/worker-1 drained'], 0]);
    expect(cluster.run({ command: 'uncordon', node: 'worker-1' }).output).toBe('node/worker-1 uncordoned');
    expect(cluster.run({ command: 'uncordon', node: 'worker-1' }).output).toBe('node/worker-1 already uncordoned');
  });

  it('evicts nothing while a pod nobody would make anew is there, unless forced', () => {
    const cluster = shop();
    cluster.apply([BARE]);
    cluster.runUntilSettled();
    const refused = cluster.run({ command: 'drain', node: 'worker-1' });
    expect(refused.output).toContain(
      'error: unable to drain node "worker-1" due to error: cannot delete Pods that declare no controller (use --force to override): shop/web, continuing command...',
    );
    expect(refused.exitCode).toBe(1);
    expect(cluster.run({ command: 'drain', node: 'worker-1', force: true })).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('deleting Pods that declare no controller: shop/web') as string,
    });
  });
});

describe('other commands', () => {
  it('delete what an owner owns, or leave it', () => {
    const cluster = shop();
    const web: JsonObject = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'shop/web:1' }] } },
      },
    };
    cluster.apply([web]);
    cluster.runUntilSettled();
    expect(
      cluster.run({ command: 'delete', objects: [{ kind: 'Deployment', namespace: 'shop', name: 'web' }], cascade: 'orphan' }),
    ).toEqual({ output: 'deployment.apps "web" deleted from shop namespace', exitCode: 0 });
    cluster.runUntilSettled();
    expect(cluster.store.list('deployments.apps', 'shop')).toEqual([]);
    expect(cluster.store.list('pods', 'shop')).toHaveLength(1);
  });

  it('tell that there is nothing to delete', () => {
    expect(shop().run({ command: 'delete', objects: [{ kind: 'Pod', namespace: 'shop', name: 'web' }] })).toEqual({
      output: 'Error from server (NotFound): pods "web" not found',
      exitCode: 1,
    });
  });

  it('wait until what they delete is gone, as long as somebody waits', () => {
    const cluster = shop();
    cluster.apply([BARE]);
    cluster.runUntilSettled();
    const asked = cluster.now();
    expect(cluster.run({ command: 'delete', objects: [{ kind: 'Pod', namespace: 'shop', name: 'web' }] })).toEqual({
      output: 'pod "web" deleted from shop namespace',
      exitCode: 0,
    });
    expect(cluster.now()).toBeGreaterThan(asked);
    expect(cluster.store.list('pods', 'shop')).toEqual([]);
    cluster.apply([{ ...BARE, metadata: { name: 'web', namespace: 'shop', finalizers: ['shop.example/hold'] } }]);
    expect(cluster.run({ command: 'delete', objects: [{ kind: 'Pod', namespace: 'shop', name: 'web' }] }).exitCode).toBe(130);
  });

  it('say how the services of a node are', async () => {
    const cluster = shop();
    expect(cluster.run({ command: 'service-status', node: 'worker-1', service: 'kubelet' }).exitCode).toBe(0);
    cluster.inject({ fault: 'stop', process: 'kubelet', node: 'worker-1' });
    expect(cluster.run({ command: 'service-status', node: 'worker-1', service: 'kubelet' })).toMatchObject({
      exitCode: 3,
      output: expect.stringContaining('Active: inactive (dead)') as string,
    });
    expect(await cluster.reader().list(NODE_SERVICE, {})).toMatchObject({
      ok: true,
      value: [{ spec: { active: 'active' } }, { spec: { active: 'inactive', sub: 'dead' } }],
    });
  });

  it('are kept as what a client was answered, and happen again in a fork', async () => {
    const cluster = shop();
    applied(cluster, { kubeconfig: { file: 'anna.yaml', missing: true } });
    cluster.run({ command: 'drain', node: 'worker-1' });
    const fork = cluster.fork();
    expect(fork.digest()).toBe(cluster.digest());
    const answers = await fork.reader().list(CLIENT_ANSWER, {});
    expect(answers.ok ? answers.value.map((answer) => (answer['spec'] as JsonObject)['command']) : []).toEqual([
      'kubectl -n default apply -f manifest.yaml',
      'kubectl --kubeconfig anna.yaml apply -f settings.yaml',
      'kubectl drain worker-1 --ignore-daemonsets --delete-emptydir-data',
    ]);
  });
});
