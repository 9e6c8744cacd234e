import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, answerTo, collected, evidenceOf, objectOf, podWith } from '../../support/collected.ts';

const LABELS = { app: 'web' };
const WEB = { kind: 'Service', namespace: 'shop', name: 'web' };

function service(name = 'web', spec: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return objectOf('Service', name, { spec: { selector: LABELS, clusterIP: '10.96.0.7', ports: [{ port: 80 }], ...spec } }, metadata);
}

function pod(
  name = 'web-1',
  more: {
    readonly labels?: JsonObject;
    readonly namespace?: string;
    readonly ready?: string;
    readonly spec?: JsonObject;
    readonly status?: JsonObject;
  } = {},
): KubeObject {
  const { labels = LABELS, namespace = 'shop', ready = 'True' } = more;
  const one = podWith(
    name,
    {},
    { ready: ready === 'True', state: { running: { startedAt: ago(600) } } },
    {
      spec: more.spec ?? {},
      status: { conditions: [{ type: 'Ready', status: ready, lastTransitionTime: ago(500) }], ...more.status },
    },
  );
  return { ...one, metadata: { ...one.metadata, namespace, labels } };
}

function slice(ready: readonly (boolean | undefined)[], more: JsonObject = {}, name = 'web'): KubeObject {
  return objectOf(
    'EndpointSlice',
    `${name}-abc`,
    {
      endpoints: ready.map((one) => ({ addresses: ['10.0.0.9'], conditions: one === undefined ? {} : { ready: one } })),
      ports: [{ name: '', port: 8080, protocol: 'TCP' }],
      ...more,
    },
    { labels: { 'kubernetes.io/service-name': name } },
  );
}

describe('what stands behind a Service', () => {
  const endpoints = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('endpoints', [service(), ...objects]);

  it('are the addresses of its slices, ready unless they say otherwise', async () => {
    expect(await endpoints(slice([true, undefined, false]))).toEqual([
      { service: 'web', ready: 2, notReady: 1, ports: '8080/TCP', hasPorts: true },
    ]);
    expect(await endpoints(slice([true], {}, 'till'))).toMatchObject([{ ready: 0, notReady: 0, ports: '', hasPorts: false }]);
    const elsewhere = slice([true]);
    expect(await endpoints({ ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'till' } })).toMatchObject([{ ready: 0 }]);
    const ports = [
      { name: 'http', port: 8080 },
      { name: 'dns', port: 53, protocol: 'UDP' },
      { name: 'http', port: 8080, protocol: 'TCP' },
    ];
    expect(await endpoints(slice([true], { ports }))).toMatchObject([{ ports: 'http 8080/TCP, dns 53/UDP' }]);
  });

  it('are those of its Endpoints where slices were not seen, and unknown where neither was', async () => {
    const legacy = objectOf('Endpoints', 'web', {
      subsets: [{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }], notReadyAddresses: [{ ip: '10.0.0.3' }], ports: [{ port: 8080 }] }],
    });
    expect(await endpoints(legacy)).toEqual([{ service: 'web', ready: 2, notReady: 1, ports: '8080/TCP', hasPorts: true }]);
    const { facts, gaps } = await evidenceOf([service()], { refused: ['EndpointSlice'], target: WEB });
    expect(facts.some(({ kind }) => kind === 'endpoints')).toBe(false);
    expect(gaps.filter(({ kind }) => kind === 'endpoints')).toMatchObject([{ about: { name: 'web' }, needs: 'list EndpointSlice' }]);
  });
});

describe('how far a request gets', () => {
  const stages = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
    (await evidenceOf(objects)).facts
      .filter(({ kind, fields }) => kind === 'milestone' && (fields['stage'] === 'endpoints' || fields['stage'] === 'traffic'))
      .map(({ about, fields }) => [about.name, fields['stage'], fields['state']]);

  it('is to a ready pod behind its Services, and to an answer where somebody tried', async () => {
    expect(await stages(service(), pod(), slice([true]))).toEqual([
      ['web-1', 'endpoints', 'passed'],
      ['web-1', 'traffic', 'unknown'],
    ]);
    const tried = answerTo('kubectl -n shop exec till -- curl http://web', 'ok');
    expect(await stages(service(), pod(), slice([true]), tried)).toContainEqual(['web-1', 'traffic', 'passed']);
    expect(await stages(service(), pod(), slice([false]))).toEqual([['web-1', 'endpoints', 'waiting']]);
    const all = [service(), service('front'), slice([true]), slice([], {}, 'front')];
    expect(await stages(pod(), ...all)).toEqual([['web-1', 'endpoints', 'waiting']]);
  });

  it('needs no Service where none selects the pod', async () => {
    expect(await stages(service('web', { selector: { app: 'web', tier: 'x' } }), pod(), slice([true]))).toEqual([
      ['web-1', 'endpoints', 'not-needed'],
    ]);
    expect(await stages(service('web', { selector: {} }), pod())).toEqual([['web-1', 'endpoints', 'not-needed']]);
  });

  it('is told of a Service that is asked about', async () => {
    const { facts } = await evidenceOf([service(), pod(), slice([true])], { target: WEB });
    const told = facts.filter(({ kind, about }) => kind === 'milestone' && about.kind === 'Service');
    expect(told.map(({ fields }) => [fields['stage'], fields['state']])).toContainEqual(['endpoints', 'passed']);
    const namesake = await evidenceOf([service(), pod('web'), slice([true])], { target: { ...WEB, kind: 'Pod' } });
    expect(namesake.facts.filter(({ kind, about }) => kind === 'milestone' && about.kind === 'Service')).toEqual([]);
  });

  it('is not told of a pod that is not ready or is done, nor where endpoints were not seen', async () => {
    expect(await stages(service(), pod('web-1', { ready: 'False' }), slice([false]))).toEqual([]);
    expect(await stages(service(), pod('web-1', { status: { phase: 'Succeeded' } }), slice([true]))).toEqual([]);
    expect(await stages(service(), pod())).toEqual([]);
  });
});

describe('an address that somebody tried from a pod', () => {
  const tries = (command: string, output: string, ...objects: readonly KubeObject[]): ReturnType<typeof collected> =>
    collected('try', [service(), pod(), answerTo(command, output), ...objects]);

  it.each<readonly [string, object]>([
    ['curl http://web', { host: 'web', port: '80', service: 'web' }],
    ['curl -s https://web/a', { host: 'web', port: '443' }],
    ['curl http://web:8080/', { port: '8080' }],
    ['curl http://web.shop.svc.cluster.local', { host: 'web.shop.svc.cluster.local', service: 'web' }],
    ['curl http://10.96.0.7', { host: '10.96.0.7', service: 'web' }],
    ["sh -c 'wget -qO- http://web'", { host: 'web' }],
    ['nc -zv web 8080', { host: 'web', port: '8080' }],
    ['telnet web 443', { port: '443' }],
  ])('%s', async (command, expected) => {
    expect(await tries(`kubectl -n shop exec till -- ${command}`, 'ok')).toMatchObject([{ outcome: 'answered', ...expected }]);
  });

  it.each<readonly [string, object | undefined]>([
    ['nc -z 80 8080', { host: 'none' }],
    ['nc web 65535', { port: '65535' }],
    ['nc web 65536', undefined],
    ['nc web 0', undefined],
    ['nc web 1', { port: '1' }],
    ['web 8080', undefined],
    ['nc -web 8080', undefined],
    ['nc web- 8080', undefined],
    [`sh -c ${'a '.repeat(37)}http://web`, { port: '80' }],
    [`sh -c ${'a '.repeat(38)}http://web`, undefined],
  ])('is the host and port that a program is given: %s', async (command, expected) => {
    const found = await tries(`kubectl -n shop exec till -- ${command}`, 'ok');
    if (expected === undefined || 'host' in expected) expect(found).toEqual([]);
    else expect(found).toMatchObject([{ host: 'web', ...expected }]);
  });

  it('is any address of a Service with several, and the proof is cut', async () => {
    const dual = service('dual', { clusterIP: '10.96.0.8', clusterIPs: ['10.96.0.8', 'fd00::8', '10.96.1.8'] });
    expect(await tries('kubectl -n shop exec till -- curl http://10.96.1.8', 'ok', dual)).toMatchObject([{ service: 'dual' }]);
    const { facts } = await evidenceOf([
      service(),
      answerTo(`kubectl exec till -- curl http://web/${'a'.repeat(300)}`, ` ${'o'.repeat(400)}`),
    ]);
    const found = facts.find(({ kind }) => kind === 'try');
    expect([found?.source.length, found?.quote.length]).toEqual([171, 300]);
    expect(await tries('exec till -- curl http://web', 'ok')).toHaveLength(1);
  });

  it('is that of a pod where it is its own, and not that of its node', async () => {
    const [own] = await tries('kubectl exec till -- curl http://10.0.0.9:8080', 'ok');
    expect(own).toEqual({ host: '10.0.0.9', port: '8080', outcome: 'answered' });
    const onNode = [pod('web-1', { spec: { hostNetwork: true } }), answerTo('kubectl exec till -- curl http://10.0.0.9:8080', 'ok')];
    expect(await collected('try', onNode)).toEqual([]);
  });

  it('is not known where nothing has it, no address is named, or nothing was run in a pod', async () => {
    for (const command of [
      'kubectl -n shop exec till -- curl http://cart',
      'kubectl -n shop exec till -- ls /',
      'kubectl -n shop exec till -- nc web 70000',
      'curl http://web',
      'kubectl -n shop exec till curl http://web',
    ])
      expect(await tries(command, 'ok'), command).toEqual([]);
  });

  it('is of the namespace that the command names', async () => {
    const other = service('web', { clusterIP: '10.96.0.8' }, { namespace: 'till' });
    const about = async (command: string): Promise<unknown> =>
      (await evidenceOf([service(), other, answerTo(command, 'ok')])).facts.find(({ kind }) => kind === 'try')?.about.namespace;
    expect(await about('kubectl -n shop exec a -- curl http://web')).toBe('shop');
    expect(await about('kubectl --namespace=till exec a -- curl http://web')).toBe('till');
    expect(await about('kubectl exec a -- curl http://web')).toBe('shop');
  });

  it('has failed as its answer says', async () => {
    const outcome = async (output: string, exitCode = 0): Promise<unknown> => {
      const answer = objectOf('ClientAnswer', 'a', { spec: { command: 'kubectl -n shop exec till -- curl http://web', output, exitCode } });
      return (await collected('try', [service(), answer]))[0]?.['outcome'];
    };
    expect(await outcome('curl: (28) Connection timed out after 5001 ms\ncommand terminated with exit code 28')).toBe('timeout');
    expect(await outcome('curl: (7) Failed to connect to web port 80: Connection refused', 7)).toBe('refused');
    expect(await outcome('what\ncommand terminated with exit code 1')).toBe('failed');
    expect(await outcome('', 1)).toBe('failed');
    expect(await outcome('')).toBe('answered');
  });
});

describe('kube-proxy', () => {
  const TIMEOUT = 'curl: (28) Connection timed out after 5001 ms\ncommand terminated with exit code 28';
  const dead = answerTo('kubectl -n shop exec till -- curl http://web', TIMEOUT, 0);
  const answering = answerTo('kubectl -n shop exec till -- curl http://10.0.0.9:8080', 'ok', 1);
  const proxies = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('proxy', objects);

  it('does not forward where a pod answers at its own address and its Service does not', async () => {
    expect(await proxies(service(), pod(), dead, answering)).toEqual([
      {
        state: 'not-forwarding',
        detail: 'Service web at web times out, and pod web-1 behind it answers at its own address',
      },
    ]);
    expect(await proxies(service(), pod(), dead)).toEqual([]);
    expect(await proxies(service(), pod(), answering)).toEqual([]);
    expect(await proxies(service('web', { selector: { app: 'till' } }), pod(), dead, answering)).toEqual([]);
  });

  it('is known by the first pod behind the Service that answers', async () => {
    const second = pod('web-2', { status: { podIP: '10.0.0.10' } });
    const other = answerTo('kubectl -n shop exec till -- curl http://10.0.0.10:8080', 'ok', 1);
    const later = answerTo('kubectl -n shop exec till -- curl http://10.0.0.9:8080', 'ok', 2);
    const names = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
      (await proxies(service(), pod(), second, ...objects)).map(({ detail }) => /pod (web-\d)/.exec(String(detail))?.[1]);
    expect(await names(dead, other, later)).toEqual(['web-2']);
    expect(await names(dead, answerTo('kubectl -n shop exec till -- curl http://10.0.0.10:8080', TIMEOUT, 1), later)).toEqual(['web-1']);
    expect(await names(answerTo('kubectl -n shop exec till -- curl http://web', 'ok', 0), other)).toEqual([]);
    const elsewhere = pod('web-3', { labels: { app: 'till' }, status: { podIP: '10.0.0.11' } });
    expect(await proxies(service(), elsewhere, dead, answerTo('kubectl -n shop exec till -- curl http://10.0.0.11:8080', 'ok', 1))).toEqual(
      [],
    );
  });

  it('is stopped where its service is', async () => {
    const stopped = (spec: JsonObject): KubeObject =>
      objectOf('NodeService', 'p', { spec: { node: 'worker-1', service: 'kube-proxy', ...spec } });
    expect(await proxies(stopped({ active: 'inactive', sub: 'dead' }))).toEqual([
      { state: 'stopped', detail: 'the service on node worker-1 is inactive (dead)' },
    ]);
    expect(await proxies(stopped({ active: 'failed' }))).toMatchObject([{ detail: 'the service on node worker-1 is failed' }]);
    expect(await proxies(stopped({ active: 'active' }))).toEqual([]);
    expect(await proxies(stopped({ active: 'unknown' }))).toEqual([]);
    expect(await proxies(stopped({ active: 'failed', service: 'kubelet' }))).toEqual([]);
  });
});

describe('a NetworkPolicy', () => {
  const policy = (spec: JsonObject, name = 'deny', namespace = 'shop'): KubeObject =>
    objectOf('NetworkPolicy', name, { spec: { podSelector: {}, ...spec } }, { namespace });
  const closed = (...objects: readonly KubeObject[]): ReturnType<typeof collected> =>
    collected('network-policy', [service(), pod(), ...objects]);

  it('closes pods behind a Service to everybody', async () => {
    expect(await closed(policy({ policyTypes: ['Ingress'] }, 'z'), policy({}, 'a'))).toEqual([
      { policy: 'z', policies: 'a, z', service: 'web' },
    ]);
    expect(await closed(policy({ podSelector: { matchLabels: LABELS } }))).toHaveLength(1);
  });

  it.each<readonly [string, KubeObject]>([
    ['lets somebody in', policy({ ingress: [{}] })],
    ['is for egress', policy({ policyTypes: ['Egress'] })],
    ['selects others', policy({ podSelector: { matchLabels: { app: 'till' } } })],
    ['selects by expressions', policy({ podSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } })],
    ['is of another namespace', policy({}, 'deny', 'till')],
  ])('does not close them that %s', async (_, one) => {
    expect(await closed(one)).toEqual([]);
  });

  it('is one of several, of which one lets somebody in', async () => {
    expect(await closed(policy({}), policy({ ingress: [{ from: [] }] }, 'allow'))).toEqual([]);
    expect(await closed(policy({}), policy({ ingress: [{}], podSelector: { matchLabels: { app: 'till' } } }, 'allow'))).toHaveLength(1);
  });

  it('does not matter to a pod that no Service selects', async () => {
    expect(await collected('network-policy', [pod(), policy({})])).toEqual([]);
    expect(await collected('network-policy', [service('web', { selector: { app: 'till' } }), pod(), policy({})])).toEqual([]);
  });
});

describe('the name servers of a pod', () => {
  const workload = (spec: JsonObject, name = 'web'): KubeObject =>
    objectOf('Deployment', name, { spec: { replicas: 1, template: { spec } } });
  const dns = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('dns', objects);
  const KUBE_DNS = objectOf('Service', 'kube-dns', { spec: { clusterIP: '10.96.0.10' } }, { namespace: 'kube-system' });

  it('are told where they are not those of the cluster', async () => {
    expect(await dns(workload({ dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1', '8.8.8.8'] } }), KUBE_DNS)).toEqual([
      { policy: 'None', hostNetwork: false, nameservers: '1.1.1.1, 8.8.8.8', clusterDns: false },
    ]);
    expect(await dns(workload({ dnsPolicy: 'None', dnsConfig: { nameservers: ['10.96.0.10'] } }), KUBE_DNS)).toMatchObject([
      { clusterDns: true },
    ]);
    expect(await dns(workload({ dnsPolicy: 'Default' }))).toEqual([{ policy: 'Default', hostNetwork: false, nameservers: '' }]);
    expect(await dns(workload({ dnsPolicy: 'ClusterFirst', hostNetwork: true }))).toMatchObject([{ hostNetwork: true }]);
    for (const spec of [{ dnsPolicy: 'ClusterFirst' }, { dnsPolicy: 'ClusterFirstWithHostNet', hostNetwork: true }, {}])
      expect(await dns(workload(spec)), JSON.stringify(spec)).toEqual([]);
  });

  it('are those of a pod without a workload; the templates of a workload are told once', async () => {
    expect(await dns(pod('web-1', { spec: { dnsPolicy: 'Default' } }))).toHaveLength(1);
    const owned = pod('web-1', { spec: { dnsPolicy: 'Default' } });
    const of = { ...owned, metadata: { ...owned.metadata, ownerReferences: [{ kind: 'StatefulSet', name: 'web', controller: true }] } };
    const set = objectOf('StatefulSet', 'web', { spec: { replicas: 1, template: { spec: { dnsPolicy: 'Default' } } } });
    expect(await dns(set, of)).toHaveLength(1);
    const old = objectOf(
      'ReplicaSet',
      'web-1',
      { spec: { template: { spec: { dnsPolicy: 'None' } } } },
      { ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] },
    );
    expect(await dns(workload({}), old)).toEqual([]);
  });

  it('are those of the manifest that was applied last, where the template does not show them', async () => {
    const manifest = (index: number, dnsPolicy: string, metadata: JsonObject = {}): KubeObject =>
      objectOf('AppliedManifest', `m${String(index)}`, {
        spec: {
          file: 'a.yaml',
          object: { kind: 'Deployment', metadata: { name: 'web', ...metadata }, spec: { template: { spec: { dnsPolicy } } } },
        },
      });
    expect(await dns(workload({}), manifest(1, 'ClusterFirst'), manifest(2, 'Default'))).toMatchObject([{ policy: 'Default' }]);
    expect(await dns(workload({}), manifest(1, 'Default'), manifest(2, 'ClusterFirst'))).toEqual([]);
    expect(await dns(workload({}), manifest(1, 'Default', { namespace: 'till' }))).toEqual([]);
    expect(await dns(workload({ dnsPolicy: 'ClusterFirst' }), manifest(1, 'Default'))).toEqual([]);
  });
});
