import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { condition, get, logsOf, machineRoom, podOn, put, status } from './machine-room.ts';

const IMAGE = 'registry.k8s.io/e2e-test-images/agnhost:2.63.0';

function agnhost(name: string, args: readonly string[], container: JsonObject = {}, spec: JsonObject = {}): JsonObject {
  return podOn(name, { image: IMAGE, args, ...container }, spec);
}

/** What a pod says that looks at a volume. */
function seen(source: JsonObject, args: readonly string[], spec: JsonObject = {}, more: readonly JsonObject[] = []): readonly string[] {
  const cluster = machineRoom();
  put(cluster, ...more);
  const mount = { volumeMounts: [{ name: 'data', mountPath: '/data' }], resources: { limits: { cpu: '1250m' } } };
  put(cluster, agnhost('web', ['mounttest', ...args], mount, { volumes: [{ name: 'data', ...source }], ...spec }));
  cluster.advance(20_000);
  return logsOf(cluster, 'web');
}

/** What a client in the pod `client` gets. */
function asked(cluster: Cluster, script: string): readonly string[] {
  put(cluster, podOn('client', { image: IMAGE, command: ['sh', '-c', script] }, { restartPolicy: 'Never' }));
  cluster.advance(30_000);
  return logsOf(cluster, 'client').filter((line) => line !== '');
}

const SETTINGS = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { mode: 'fast' } };

describe('the test image of Kubernetes', () => {
  test('tells the content, the mode and the file system of a volume', () => {
    expect(
      seen({ configMap: { name: 'settings', defaultMode: 0o400 } }, ['--file_content=/data/mode', '--file_mode=/data/mode'], {}, [
        SETTINGS,
      ]),
    ).toEqual(['mode of file "/data/mode": -r--------', 'content of file "/data/mode": fast']);
    expect(seen({ emptyDir: { medium: 'Memory' } }, ['--fs_type=/data', '--file_perm=/data'])).toEqual([
      'mount type of "/data": tmpfs',
      'perms of file "/data": -rwxrwxrwx',
    ]);
    expect(
      seen({ emptyDir: {} }, ['--new_file_0644=/data/new', '--file_perm=/data/new'], { securityContext: { runAsUser: 1001 } }),
    ).toEqual(['content of file "/data/new": mount-tester new file', '', 'perms of file "/data/new": -rw-r--r--']);
  });

  test('reads a file that only the group of the volume may read', () => {
    const context = (fsGroup?: number) => ({ securityContext: { runAsUser: 1000, ...(fsGroup === undefined ? {} : { fsGroup }) } });
    const args = ['--file_content=/data/mode', '--file_mode=/data/mode'];
    const source = { configMap: { name: 'settings', defaultMode: 0o440 } };
    expect(seen(source, args, context(1001), [SETTINGS]).at(-1)).toBe('content of file "/data/mode": fast');
    expect(seen(source, args, context(), [SETTINGS]).at(-1)).toContain('permission denied');
  });

  test('sees the resources, names and modes that a downward volume has', () => {
    const items = [
      { path: 'cpu', resourceFieldRef: { containerName: 'web', resource: 'limits.cpu', divisor: '1m' }, mode: 0o400 },
      { path: 'name', fieldRef: { fieldPath: 'metadata.name' } },
    ];
    expect(seen({ downwardAPI: { items } }, ['--file_content=/data/cpu', '--file_mode=/data/cpu'])).toEqual([
      'mode of file "/data/cpu": -r--------',
      'content of file "/data/cpu": 1250',
    ]);
    expect(seen({ downwardAPI: { items, defaultMode: 0o444 } }, ['--file_mode=/data/name'])).toEqual([
      'mode of file "/data/name": -r--r--r--',
    ]);
  });

  test('sees labels that change in a downward volume', () => {
    const cluster = machineRoom();
    const items = [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }];
    const mount = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
    const args = ['mounttest', '--break_on_expected_content=false', '--retry_time=120', '--file_content_in_loop=/data/labels'];
    const web = agnhost('web', args, mount, { volumes: [{ name: 'data', downwardAPI: { items } }] });
    put(cluster, web);
    cluster.advance(20_000);
    expect(logsOf(cluster, 'web')).toContain('content of file "/data/labels": app="web"');
    put(cluster, { ...web, metadata: { name: 'web', namespace: 'shop', labels: { app: 'shop' } } });
    cluster.advance(20_000);
    expect(logsOf(cluster, 'web')).toContain('content of file "/data/labels": app="shop"');
  });

  test('tells which entry point was started, and with which words', () => {
    const said = (container: JsonObject): readonly string[] => {
      const cluster = machineRoom();
      put(cluster, podOn('web', { image: IMAGE, ...container }, { restartPolicy: 'Never' }));
      cluster.advance(20_000);
      return logsOf(cluster, 'web');
    };
    expect(said({ args: ['entrypoint-tester', 'some', 'words'] })).toEqual(['[/agnhost entrypoint-tester some words]']);
    expect(said({ command: ['/agnhost-2'] })).toEqual(['[/agnhost-2]']);
  });

  test('has the hosts and the name servers that the pod asks for', () => {
    const cluster = machineRoom();
    const spec = {
      hostAliases: [{ ip: '10.1.2.3', hostnames: ['orders', 'stock'] }],
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['10.9.9.9'], searches: ['shop.example'] },
    };
    put(cluster, agnhost('web', ['etc-hosts'], {}, spec));
    cluster.advance(20_000);
    const lines = logsOf(cluster, 'web');
    expect([lines[0], lines.at(-1)]).toEqual(['# Kubernetes-managed hosts file.', '10.1.2.3\torders\tstock']);
    expect(lines).toContain(`${textOf(dig(status(cluster, 'web'), 'podIP'))}\tweb`);
    put(cluster, agnhost('other', ['dns-suffix'], {}, spec), agnhost('third', ['dns-server-list'], {}, spec));
    cluster.advance(20_000);
    expect([logsOf(cluster, 'other'), logsOf(cluster, 'third')]).toEqual([['shop.example'], ['10.9.9.9']]);
  });

  test('answers with its name, by HTTP and by UDP, and asks others for who asks it', () => {
    const cluster = machineRoom();
    put(cluster, agnhost('server', ['netexec']), agnhost('other', ['netexec', '--http-port=8083', '--udp-port=8084']));
    cluster.advance(20_000);
    const [server, other] = ['server', 'other'].map((name) => textOf(dig(status(cluster, name), 'podIP')));
    const dial = `http://${server ?? ''}:8080/dial?request=hostname&protocol=udp&host=${other ?? ''}&port=8084&tries=1`;
    expect(
      asked(
        cluster,
        `curl -s http://${server ?? ''}:8080/hostname; echo hostname | nc -u -w 1 ${server ?? ''} 8081; curl -s '${dial}'; curl -s -o /dev/null -w '%{http_code}' 'http://${server ?? ''}:8080/echo?code=404'`,
      ),
    ).toEqual(['server', 'server', '{"responses":["other"]}', '404']);
  });

  test('ends when it is told to, and is unready while it ends', () => {
    const cluster = machineRoom();
    const probe = { readinessProbe: { httpGet: { path: '/readyz', port: 8080 }, periodSeconds: 1 } };
    put(cluster, agnhost('server', ['netexec', '--delay-shutdown=10'], probe, { restartPolicy: 'Never' }));
    cluster.advance(20_000);
    expect(condition(cluster, 'server', 'Ready')).toBe('True');
    asked(cluster, `curl -s 'http://${textOf(dig(status(cluster, 'server'), 'podIP'))}:8080/exit?code=3'`);
    expect(dig(status(cluster, 'server'), 'containerStatuses', 0, 'state', 'terminated', 'exitCode')).toBe(3);
  });

  test('is restarted by a probe ten seconds after its start when it only lives so long', () => {
    const cluster = machineRoom();
    const probe = { livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 2, failureThreshold: 1 } };
    put(cluster, agnhost('web', ['liveness'], probe));
    cluster.advance(9_000);
    expect(dig(status(cluster, 'web'), 'containerStatuses', 0, 'restartCount')).toBe(0);
    cluster.advance(60_000);
    expect(dig(status(cluster, 'web'), 'containerStatuses', 0, 'restartCount')).toBeGreaterThan(0);
  });

  test('is reached by the same client at the same endpoint of a Service with session affinity', () => {
    const cluster = machineRoom();
    for (const name of ['one', 'two', 'three']) put(cluster, agnhost(name, ['serve-hostname']));
    cluster.advance(20_000);
    const endpoints = ['one', 'two', 'three'].map((name) => ({
      addresses: [textOf(dig(get(cluster, 'pods', name), 'status', 'podIP'))],
      conditions: { ready: true },
    }));
    const names = (sessionAffinity: string): ReadonlySet<string> => {
      const name = `shop-${sessionAffinity.toLowerCase()}`;
      put(
        cluster,
        { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { sessionAffinity, ports: [{ port: 80, targetPort: 9376 }] } },
        {
          apiVersion: 'discovery.k8s.io/v1',
          kind: 'EndpointSlice',
          metadata: { name, labels: { 'kubernetes.io/service-name': name } },
          addressType: 'IPv4',
          endpoints,
          ports: [{ name: '', port: 9376, protocol: 'TCP' }],
        },
      );
      const ip = textOf(dig(get(cluster, 'services', name), 'spec', 'clusterIP'));
      const client = podOn(`asks-${name}`, { image: IMAGE, command: ['sh', '-c', `for i in $(seq 0 15); do curl -s http://${ip}/; done`] });
      put(cluster, client);
      cluster.advance(30_000);
      return new Set(logsOf(cluster, `asks-${name}`).filter((line) => line !== ''));
    };
    expect(names('ClientIP').size).toBe(1);
    expect(names('None').size).toBe(3);
  });

  test('finds records of Services, as a name server tells them', () => {
    const cluster = machineRoom();
    put(
      cluster,
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports: [{ name: 'http', port: 80 }] } },
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'far' }, spec: { type: 'ExternalName', externalName: 'web.example.com' } },
    );
    const ip = textOf(dig(get(cluster, 'services', 'web'), 'spec', 'clusterIP'));
    const reversed = ip.split('.').toReversed().join('.');
    expect(
      asked(
        cluster,
        `dig +short web.shop.svc.cluster.local A; dig +noall +answer _http._tcp.web.shop.svc SRV; dig +short far.shop.svc.cluster.local CNAME; dig +short ${reversed}.in-addr.arpa PTR; dig +short none.shop.svc.cluster.local A`,
      ),
    ).toEqual([
      ip,
      '_http._tcp.web.shop.svc.\t30\tIN\tSRV\t0 100 80 web.shop.svc.cluster.local.',
      'web.example.com.',
      'web.shop.svc.cluster.local.',
    ]);
  });

  test('decides as a webhook in a pod, when the API server trusts it', () => {
    const cluster = machineRoom();
    put(cluster, { ...agnhost('hook', ['webhook', '--port=8444']) });
    cluster.advance(20_000);
    const name = 'hook';
    put(
      cluster,
      { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 443, targetPort: 8444 }] } },
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name, labels: { 'kubernetes.io/service-name': name } },
        addressType: 'IPv4',
        endpoints: [{ addresses: [textOf(dig(status(cluster, 'hook'), 'podIP'))], conditions: { ready: true } }],
        ports: [{ name: '', port: 8444, protocol: 'TCP' }],
      },
    );
    const rules = [{ operations: ['CREATE', 'DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
    const hook = (path: string, timeoutSeconds: number, caBundle?: string): JsonObject => ({
      name: `${path.slice(1)}.shop.example`,
      clientConfig: { service: { name, namespace: 'shop', path }, ...(caBundle === undefined ? {} : { caBundle }) },
      rules,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds,
    });
    const configure = (kind: string, webhook: JsonObject): void =>
      put(cluster, { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, webhooks: [webhook] });
    const made = (settings: string, data: JsonObject): string =>
      cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: settings }, data }], { namespace: 'shop' })[0]?.output ?? '';
    configure('MutatingWebhookConfiguration', hook('/mutating-configmaps', 5, 'eA=='));
    made('mutated', { 'mutation-start': 'yes' });
    expect(get(cluster, 'configmaps', 'mutated')?.['data']).toEqual({ 'mutation-start': 'yes', 'mutation-stage-1': 'yes' });
    configure('ValidatingWebhookConfiguration', hook('/configmaps', 5, 'eA=='));
    expect(made('wrong', { 'webhook-e2e-test': 'webhook-disallow' })).toContain(
      'admission webhook "configmaps.shop.example" denied the request: the configmap contains unwanted key and value',
    );
    configure('ValidatingWebhookConfiguration', hook('/always-allow-delay-5s', 1, 'eA=='));
    expect(made('late', {})).toContain('context deadline exceeded');
    configure('ValidatingWebhookConfiguration', hook('/configmaps', 5));
    expect(made('distrusted', {})).toContain('x509: certificate signed by unknown authority');
  });

  test('serves a file of its image until it is moved away, and again when it is back', () => {
    const cluster = machineRoom();
    const httpGet = { path: '/localhost.crt', port: 80 };
    const script = '/agnhost test-webserver & sleep 30; mv /localhost.crt /tmp/; sleep 30; mv /tmp/localhost.crt /; sleep 3600';
    const probe = { readinessProbe: { httpGet, periodSeconds: 1, failureThreshold: 1 } };
    put(cluster, podOn('web', { image: IMAGE, command: ['sh', '-c', script], ...probe }));
    cluster.advance(25_000);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
    cluster.advance(25_000);
    expect(condition(cluster, 'web', 'Ready')).toContain('False');
    cluster.advance(40_000);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
  });
});
