import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import type { Origin } from '../../../src/simulator/network/network.ts';
import { iptablesOf } from '../../../src/simulator/network/kube-proxy.ts';
import { inNetwork } from '../../../src/simulator/network/network-policy.ts';
import { fault, get, logsOf, machineRoom, partFault, podOn, put, shell, status } from '../kubelet/machine-room.ts';

function service(name: string, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }], ...more },
  };
}

function slice(name: string, ip: string, ready = true): JsonObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ name: '', port: 8080, protocol: 'TCP' }],
    endpoints: [{ addresses: [ip], nodeName: 'worker-1', conditions: { ready, serving: ready, terminating: false } }],
  };
}

/** A shop with a server behind a Service, and a client pod. */
function served(...more: readonly JsonObject[]): { readonly cluster: Cluster; readonly client: Origin; readonly ip: string } {
  const cluster = machineRoom({ setup: [partFault('behaviour', 'registry.example/shop/web', { listens: [{ port: 8080 }] })] });
  put(cluster, podOn('web'), podOn('client', shell('sleep 3600')), service('web'), ...more);
  cluster.advance(3000);
  const ip = textOf(dig(status(cluster, 'web'), 'podIP'));
  put(cluster, slice('web', ip));
  const pod = get(cluster, 'pods', 'client');
  const { datacenter } = cluster.world;
  return {
    cluster,
    ip,
    client: { node: 'worker-1', pod, netns: datacenter.runtime('worker-1').sandboxOf(pod?.metadata.uid ?? '')?.netns },
  };
}

function outcome({ cluster, client }: { readonly cluster: Cluster; readonly client: Origin }, host: string, port: number): string {
  const attempt = cluster.world.datacenter.network.reach(client, host, port);
  return attempt.ok ? `answer from ${attempt.ip}:${attempt.port}` : attempt.trouble;
}

describe('a client in the cluster', () => {
  test('reaches a pod by its address, a Service by its name, and is refused where nobody listens', () => {
    const shop = served();
    expect(outcome(shop, shop.ip, 8080)).toBe(`answer from ${shop.ip}:8080`);
    expect(outcome(shop, 'web', 80)).toBe(`answer from ${shop.ip}:8080`);
    expect(outcome(shop, 'web.shop.svc.cluster.local', 80)).toBe(`answer from ${shop.ip}:8080`);
    expect(outcome(shop, shop.ip, 9090)).toBe('connection refused');
    expect(outcome(shop, 'db', 5432)).toBe('no such host');
    expect(outcome(shop, '10.128.0.77', 80)).toBe('no route to host');
    expect(outcome(shop, 'web', 9090)).toBe('i/o timeout');
  });

  test('is refused by a Service without ready endpoints', () => {
    const shop = served();
    put(shop.cluster, slice('web', shop.ip, false));
    expect(outcome(shop, 'web', 80)).toBe('connection refused');
  });

  test('is kept out by a policy that does not list it, and let in by one that does', () => {
    const policy = (from: JsonObject) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        podSelector: { matchLabels: { app: 'web' } },
        policyTypes: ['Ingress'],
        ingress: [{ from: [from], ports: [{ port: 8080 }] }],
      },
    });
    const shop = served(policy({ podSelector: { matchLabels: { app: 'cart' } } }));
    expect(outcome(shop, 'web', 80)).toBe('i/o timeout');
    put(shop.cluster, policy({ podSelector: { matchLabels: { app: 'client' } } }));
    expect(outcome(shop, 'web', 80)).toBe(`answer from ${shop.ip}:8080`);
  });

  test('resolves nothing when its policy keeps it from the name server, or the name server is down', () => {
    const shop = served();
    fault(shop.cluster, 'network', 'dns', { answers: false });
    expect(outcome(shop, 'web', 80)).toBe('dns timeout');
    fault(shop.cluster, 'network', 'dns', { answers: true });
    put(shop.cluster, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'deny', namespace: 'shop' },
      spec: { podSelector: { matchLabels: { app: 'client' } }, policyTypes: ['Egress'] },
    });
    expect(outcome(shop, 'web', 80)).toBe('dns timeout');
  });

  test('resolves what is outside, and no Service, with the name servers of its machine', () => {
    const shop = served();
    fault(shop.cluster, 'network', 'db.example', { address: '203.0.113.7', ports: [5432] });
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'client', namespace: 'shop' } };
    const from = (spec: JsonObject, host: string): boolean =>
      shop.cluster.world.datacenter.network.resolve(
        { ...shop.client, ...(spec['hostNetwork'] === true ? { pod: undefined, hostPod: { ...pod, spec } } : { pod: { ...pod, spec } }) },
        host,
      ).ok;
    for (const spec of [{ dnsPolicy: 'Default' }, { dnsPolicy: 'ClusterFirst', hostNetwork: true }])
      expect([from(spec, 'web'), from(spec, 'web.shop.svc.cluster.local'), from(spec, 'db.example')]).toEqual([false, false, true]);
    expect(from({ dnsPolicy: 'ClusterFirstWithHostNet', hostNetwork: true }, 'web')).toBe(true);
  });

  test('reaches a host outside by the name a scenario gives it', () => {
    const shop = served();
    fault(shop.cluster, 'network', 'db.example', { address: '203.0.113.7', ports: [5432] });
    expect(outcome(shop, 'db.example', 5432)).toBe('answer from 203.0.113.7:5432');
    expect(outcome(shop, 'db.example', 5433)).toBe('connection refused');
  });
});

test('a kube-proxy that has stopped keeps the rules it had', () => {
  const shop = served();
  shop.cluster.inject({ fault: 'stop', process: 'kube-proxy', node: 'worker-1' });
  put(shop.cluster, service('cart'));
  const ip = textOf(dig(get(shop.cluster, 'services', 'cart'), 'spec', 'clusterIP'));
  expect(outcome(shop, ip, 80)).toBe('i/o timeout');
  expect(outcome(shop, 'web', 80)).toBe(`answer from ${shop.ip}:8080`);
  shop.cluster.inject({ fault: 'start', process: 'kube-proxy', node: 'worker-1' });
  expect(outcome(shop, ip, 80)).toBe('connection refused');
});

test('the rules of a machine can be read as iptables chains', () => {
  const shop = served(service('cart'));
  const rules = shop.cluster.world.datacenter.network.rulesOf('worker-1');
  const text = rules === undefined ? [] : iptablesOf(rules);
  const ip = textOf(dig(get(shop.cluster, 'services', 'web'), 'spec', 'clusterIP'));
  expect(
    text.some((line) =>
      new RegExp(`^-A KUBE-SERVICES -d ${ip}/32 -p tcp .*"shop/web cluster IP" .* --dport 80 -j KUBE-SVC-[0-9A-F]{16}$`).test(line),
    ),
  ).toBe(true);
  expect(text.some((line) => line.endsWith(`-j DNAT --to-destination ${shop.ip}:8080`))).toBe(true);
  expect(
    text.some((line) => line.includes('"shop/cart has no endpoints"') && line.endsWith('-j REJECT --reject-with icmp-port-unreachable')),
  ).toBe(true);
});

describe('a program that speaks to the network', () => {
  test('says in its log what wget gets', () => {
    const shop = served();
    put(shop.cluster, podOn('asks', shell('wget -T 3 -qO- http://web/; wget -T 3 -qO- http://web:81/; wget http://nowhere/; sleep 3600')));
    shop.cluster.advance(10_000);
    expect(logsOf(shop.cluster, 'asks')).toEqual(['ok', 'wget: download timed out', "wget: bad address 'nowhere'"]);
  });

  test('waits for its database and goes on when that listens', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', shell('until nc -z -w1 db.example 5432; do echo waiting; sleep 2; done; echo connected; sleep 3600')));
    cluster.advance(9000);
    fault(cluster, 'network', 'db.example', { address: '203.0.113.7', ports: [5432] });
    cluster.advance(5000);
    expect(logsOf(cluster, 'web').slice(0, 2)).toEqual(["nc: bad address 'db.example'", 'waiting']);
    expect(logsOf(cluster, 'web').at(-1)).toBe('connected');
  });

  test('cannot listen on a port of the machine that is taken', () => {
    const cluster = machineRoom();
    const container = { image: 'busybox:1.37', command: ['httpd', '-f', '-p', '5000'] };
    put(cluster, podOn('first', container, { hostNetwork: true }));
    cluster.advance(3000);
    put(cluster, podOn('second', container, { hostNetwork: true, restartPolicy: 'Never' }));
    cluster.advance(5000);
    expect(logsOf(cluster, 'second')).toEqual(['httpd: bind: Address already in use']);
    expect(dig(status(cluster, 'second'), 'phase')).toBe('Failed');
  });
});

test.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['10.1.2.3', '10.1.2.3/32', true],
  ['10.1.2.3', '0.0.0.0/0', true],
])('%s in %s is %s', (ip, network, expected) => {
  expect(inNetwork(ip, network)).toBe(expected);
});
