import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { memoryReader } from '../../../src/clusters/memory-reader.ts';
import { collect } from '../../../src/collect/collect.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { ago, collected, evidenceOf, factsIn, NOW, objectOf } from '../../support/collected.ts';

const LABELS = { app: 'web', tier: 'front' };
const PORTS = [
  { name: 'http', containerPort: 8080 },
  { name: 'dns', containerPort: 53, protocol: 'UDP' },
];

function service(ports: readonly JsonObject[], more: JsonObject = {}, name = 'web'): KubeObject {
  return objectOf('Service', name, { spec: { selector: LABELS, ports, ...more } });
}

function pod(name: string, ready: boolean, metadata: JsonObject = {}): KubeObject {
  return objectOf(
    'Pod',
    name,
    {
      spec: { nodeName: 'worker-1', containers: [{ name: 'web', image: 'shop/web:1', ports: PORTS }] },
      status: {
        phase: 'Running',
        startTime: ago(7000),
        conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: ago(6000) }],
        containerStatuses: [{ name: 'web', ready, restartCount: 0, state: { running: { startedAt: ago(7000) } } }],
      },
    },
    { labels: LABELS, ...metadata },
  );
}

function deployment(name: string, labels: JsonObject, replicas = 1): KubeObject {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'shop/web:1', ports: PORTS }] } };
  return objectOf('Deployment', name, { spec: { replicas, selector: { matchLabels: labels }, template }, status: { replicas: 0 } });
}

const PODS = [pod('web-1', true), pod('web-2', false), pod('web-3', true, { deletionTimestamp: ago(5) })];

async function service1(objects: readonly KubeObject[]): Promise<unknown> {
  return (await collected('service', objects))[0];
}

async function ports(port: JsonObject, ...others: readonly KubeObject[]): Promise<Readonly<Record<string, unknown>>> {
  return (await collected('service-port', [service([port]), ...PODS, ...others]))[0] ?? {};
}

describe('a Service', () => {
  it('has the pods that it selects; what is being deleted serves no more', async () => {
    expect(await service1([service([{ port: 80 }]), ...PODS])).toMatchObject({
      service: 'web',
      type: 'ClusterIP',
      selector: 'app=web,tier=front',
      hasSelector: true,
      matching: 3,
      ready: 1,
      templates: 0,
    });
    expect(await service1([service([{ port: 80 }], { type: 'NodePort' }), pod('web-1', true, { labels: { app: 'web' } })])).toMatchObject({
      type: 'NodePort',
      matching: 0,
      ready: 0,
    });
  });

  it('has the templates that would make such pods, and none is meant then', async () => {
    const found = await service1([service([{ port: 80 }]), deployment('web', LABELS)]);
    expect(found).toMatchObject({ matching: 0, templates: 1 });
    expect(found).not.toHaveProperty('intended');
  });

  it.each<readonly [string, JsonObject, object]>([
    [
      'with another value',
      { app: 'web', tier: 'back' },
      { wrongLabel: 'tier=front', rightLabel: 'tier=back', rightSelector: 'app=web,tier=back' },
    ],
    ['with more labels', { app: 'web', tier: 'back', zone: 'a' }, { rightLabel: 'tier=back', rightSelector: 'app=web,tier=back' }],
  ])('that selects nothing was meant for the workload that misses it by one label: %s', async (_, labels, expected) => {
    expect(await service1([service([{ port: 80 }]), deployment('shop', labels)])).toMatchObject({
      intended: 'Deployment/shop',
      matching: 0,
      ...expected,
    });
  });

  it('was meant for none where more than one label differs, unless it has its name', async () => {
    const other = { app: 'till', tier: 'back' };
    expect(await service1([service([{ port: 80 }]), deployment('till', other)])).not.toHaveProperty('intended');
    expect(await service1([service([{ port: 80 }]), deployment('web', other)])).toMatchObject({ intended: 'Deployment/web' });
  });

  it('was meant for what has its name before what misses it by less', async () => {
    const same = deployment('web', { app: 'till', tier: 'back' });
    const near = deployment('shop', { app: 'web', tier: 'back' });
    for (const objects of [
      [same, near],
      [near, same],
    ])
      expect(await service1([service([{ port: 80 }]), ...objects])).toMatchObject({ intended: 'Deployment/web', wrongLabel: 'app=web' });
    const nearer = objectOf('StatefulSet', 'web', deployment('web', { app: 'web', tier: 'back' }));
    expect(await service1([service([{ port: 80 }]), same, { ...nearer, kind: 'StatefulSet' }])).toMatchObject({
      intended: 'StatefulSet/web',
      wrongLabel: 'tier=front',
    });
  });

  it('was meant for what lacks a label: what its value is to be is not known', async () => {
    const found = await service1([service([{ port: 80 }]), deployment('web', { app: 'till' })]);
    expect(found).toMatchObject({ intended: 'Deployment/web', wrongLabel: 'app=web', rightLabel: 'app=till' });
    expect(found).not.toHaveProperty('rightSelector');
    const missing = await service1([service([{ port: 80 }]), deployment('web', { app: 'web' })]);
    expect(missing).toMatchObject({ wrongLabel: 'tier=front' });
    expect(missing).not.toHaveProperty('rightLabel');
  });

  it('was not meant for what a workload makes, or for what is elsewhere', async () => {
    const owner = { ownerReferences: [{ kind: 'Deployment', name: 'shop', controller: true }] };
    const owned = pod('shop-1', true, {
      labels: { app: 'web', tier: 'back' },
      ownerReferences: [{ kind: 'StatefulSet', name: 'x', controller: true }],
    });
    expect(await service1([service([{ port: 80 }]), owned])).not.toHaveProperty('intended');
    const bare = pod('shop-1', true, { labels: { app: 'web', tier: 'back' } });
    expect(await service1([service([{ port: 80 }]), bare])).toMatchObject({ intended: 'Pod/shop-1' });
    const { metadata, ...rest } = deployment('shop-1', { app: 'web', tier: 'back' });
    const set = { ...rest, kind: 'ReplicaSet', metadata: { ...metadata, ...owner } };
    const top = deployment('shop', { app: 'till', tier: 'back' });
    expect(await service1([service([{ port: 80 }]), set, top])).not.toHaveProperty('intended');
    const elsewhere = deployment('shop', { app: 'web', tier: 'back' });
    expect(
      await service1([service([{ port: 80 }]), { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'till' } }]),
    ).not.toHaveProperty('intended');
    const one = service([{ port: 80 }], { selector: { app: 'web' } });
    expect(await service1([one, deployment('shop', { app: 'webb' })])).not.toHaveProperty('intended');
  });

  it('is starting while all its pods have only begun', async () => {
    const begun = (name: string): KubeObject =>
      objectOf(
        'Pod',
        name,
        { spec: { containers: [{ name: 'web' }] }, status: { phase: 'Pending' } },
        { labels: LABELS, creationTimestamp: ago(10) },
      );
    expect(await service1([service([{ port: 80 }]), begun('web-1')])).toMatchObject({ starting: true });
    expect(await service1([service([{ port: 80 }]), begun('web-1'), pod('web-2', false)])).not.toHaveProperty('starting');
    expect(await service1([service([{ port: 80 }]), begun('web-1'), pod('web-2', true)])).not.toHaveProperty('starting');
    expect(await service1([service([{ port: 80 }])])).not.toHaveProperty('starting');
  });

  it('quotes its selector, with what it selects', async () => {
    const quotes = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
      (await evidenceOf(objects)).facts.filter(({ kind }) => kind === 'service').map(({ quote }) => quote);
    expect(await quotes(service([]), ...PODS)).toEqual(['selector: app=web,tier=front; pods it selects: 3, ready: 1']);
    expect(await quotes(service([], { selector: {} }))).toEqual(['selector: <none>; pods it selects: 0, ready: 0']);
  });

  it('has a workload as its backend where it was meant for it', async () => {
    const backends = await collected('backend', [service([{ port: 80 }]), deployment('shop', { app: 'web', tier: 'back' })]);
    expect(backends).toEqual([{ service: 'web' }]);
  });

  it('counts no pods where a source shows some without their labels', async () => {
    const target = { kind: 'Service', namespace: 'shop', name: 'web' };
    const told = async (...objects: readonly KubeObject[]): Promise<Readonly<Record<string, unknown>>> =>
      factsIn(await evidenceOf([service([{ port: 80 }]), ...objects], { target }), 'service')[0] ?? {};
    const row: KubeObject = {
      ...objectOf('Pod', 'till-1', { status: { phase: 'Running' } }),
      [OBSERVED]: ['metadata.name', 'status.phase'],
    };
    expect(await told(...PODS)).toMatchObject({ matching: 3, ready: 1, templates: 0 });
    expect(await told(...PODS, row)).not.toHaveProperty('matching');
    expect(await told(...PODS, { ...row, metadata: { ...row.metadata, namespace: 'till' } })).toMatchObject({ matching: 3 });
    const table: KubeObject = { ...objectOf('Deployment', 'till', { spec: {} }), [OBSERVED]: ['metadata.name'] };
    expect(await told(table)).toMatchObject({ matching: 0 });
    expect(await told(table)).not.toHaveProperty('templates');
    expect(await told(table, deployment('web', LABELS))).toMatchObject({ templates: 1 });
    const cron = (shown: string): KubeObject => ({
      ...objectOf('CronJob', 'report', { spec: { schedule: '0 * * * *' } }),
      [OBSERVED]: ['metadata.name', shown],
    });
    const inScope = async (one: KubeObject): Promise<unknown> => service1([service([{ port: 80 }]), one]);
    expect(await inScope(cron('spec.jobTemplate.spec.template.metadata.labels'))).toMatchObject({ templates: 0 });
    expect(await inScope(cron('spec.template.metadata.labels'))).not.toHaveProperty('templates');
    const unshown: KubeObject = { ...service([{ port: 80 }]), [OBSERVED]: ['metadata.name', 'spec.ports'] };
    const [fact = {}] = factsIn(await evidenceOf([unshown, ...PODS], { target }), 'service');
    for (const field of ['matching', 'templates', 'selector', 'hasSelector']) expect(fact).not.toHaveProperty(field);
  });

  it('without a selector has nothing behind it that could be counted', async () => {
    expect(await service1([service([{ port: 80 }], { selector: {} }), ...PODS])).toMatchObject({
      hasSelector: false,
      matching: 0,
      ready: 0,
    });
  });

  it('has each of its pods as a backend', async () => {
    const backends = await collected('backend', [service([{ port: 80 }]), ...PODS]);
    expect(backends).toEqual(
      expect.arrayContaining([
        { service: 'web', ready: true },
        { service: 'web', ready: false },
      ]),
    );
  });
});

describe('a port of a Service', () => {
  it.each<readonly [string, JsonObject, object]>([
    [
      'by its number',
      { port: 80, targetPort: 8080 },
      { port: 80, targetPort: '8080', named: false, protocol: 'TCP', declared: true, container: 'web' },
    ],
    ['by its name', { port: 80, targetPort: 'http' }, { targetPort: 'http', named: true, declared: true }],
    [
      'that is not declared',
      { port: 80, targetPort: 9090 },
      { targetPort: '9090', declared: false, portItselfDeclared: false, unusedPort: 8080 },
    ],
    ['without a target', { port: 8080 }, { targetPort: '8080', declared: true, portItselfDeclared: true }],
    ['of another name', { port: 8080, targetPort: 'htpt' }, { named: true, declared: false, portItselfDeclared: true }],
    ['of another protocol', { port: 53, targetPort: 53 }, { declared: true, declaredProtocol: 'UDP' }],
    [
      'of its protocol',
      { port: 53, targetPort: 53, protocol: 'UDP', name: 'dns', appProtocol: 'dns' },
      { protocol: 'UDP', portName: 'dns', appProtocol: 'dns' },
    ],
  ])('%s', async (_, port, expected) => {
    expect(await ports(port)).toMatchObject({ service: 'web', declaredPorts: '8080/TCP (http), 53/UDP (dns)', ready: 2, ...expected });
  });

  it('differs from the declared one only where the protocol does', async () => {
    expect(await ports({ port: 53, targetPort: 53, protocol: 'UDP' })).not.toHaveProperty('declaredProtocol');
    expect(await ports({ port: 80, targetPort: 9090 })).not.toHaveProperty('declaredProtocol');
  });

  it('is of its protocol where one of several containers declares it so', async () => {
    const both = {
      ...pod('web-1', true),
      spec: { containers: [{ name: 'web', ports: [{ containerPort: 53, protocol: 'UDP' }, { containerPort: 53 }] }] },
    };
    const told = async (protocol: string): Promise<unknown> =>
      (await collected('service-port', [service([{ port: 53, protocol }]), both]))[0]?.['declaredProtocol'];
    expect(await told('TCP')).toBeUndefined();
    expect(await told('UDP')).toBeUndefined();
    expect(await told('SCTP')).toBe('UDP');
  });

  it('may be one that no Service leads to yet', async () => {
    const other = service([{ port: 81, targetPort: 'http' }], {}, 'other');
    expect(await ports({ port: 80, targetPort: 9090 }, other)).toMatchObject({ unusedPort: 53 });
    const dns = service([{ port: 81, targetPort: 53 }], {}, 'dns');
    expect(await ports({ port: 80, targetPort: 9090 }, other, dns)).not.toHaveProperty('unusedPort');
    const elsewhere = service([{ port: 81, targetPort: 'http' }], { selector: { app: 'till' } }, 'other');
    expect(await ports({ port: 80, targetPort: 9090 }, elsewhere)).toMatchObject({ unusedPort: 8080 });
  });

  it('is there behind it, or not, as its endpoints have it', async () => {
    const slice = (endpointPorts: readonly JsonObject[], ready = true): KubeObject =>
      objectOf(
        'EndpointSlice',
        'web-a',
        { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.9'], conditions: { ready } }], ports: endpointPorts },
        { labels: { 'kubernetes.io/service-name': 'web' } },
      );
    const http = { port: 80, targetPort: 8080, name: 'http' };
    expect(await ports(http, slice([{ name: 'http', port: 8080, protocol: 'TCP' }]))).toMatchObject({ endpointHasPort: true });
    expect(await ports(http, slice([{ name: 'dns', port: 53, protocol: 'UDP' }]))).toMatchObject({ endpointHasPort: false });
    expect(await ports({ port: 80 }, slice([{ name: '', port: 80, protocol: 'TCP' }]))).toMatchObject({ endpointHasPort: true });
    expect(await ports(http)).not.toHaveProperty('endpointHasPort');
    const counted = await collected('endpoints', [service([http]), ...PODS, slice([{ name: 'http', port: 8080, protocol: 'TCP' }], false)]);
    expect(counted).toEqual([{ service: 'web', ready: 0, notReady: 1, ports: 'http 8080/TCP', hasPorts: true }]);
  });

  it('is there behind it where only unready endpoints are, and not known where there are none', async () => {
    const slice = (endpoints: readonly JsonObject[], endpointPorts: readonly JsonObject[]): KubeObject =>
      objectOf('EndpointSlice', 'web-a', { endpoints, ports: endpointPorts }, { labels: { 'kubernetes.io/service-name': 'web' } });
    const has = async (port: JsonObject, endpoints: readonly JsonObject[], endpointPorts: readonly JsonObject[]): Promise<unknown> =>
      (await ports(port, slice(endpoints, endpointPorts)))['endpointHasPort'];
    const one = [{ conditions: { ready: false } }];
    expect(await has({ port: 80 }, one, [{ name: '' }])).toBe(true);
    expect(await has({ port: 80 }, one, [{ name: 'http', port: 80 }])).toBe(true);
    expect(await has({ port: 80 }, one, [{ name: 'http' }])).toBe(false);
    expect(
      await has({ port: 80, name: 'http' }, one, [
        { name: 'dns', port: 80 },
        { name: 'http', port: 8080 },
      ]),
    ).toBe(true);
    expect(await has({ port: 80 }, [], [{ name: '', port: 80 }])).toBeUndefined();
    expect(await has({ port: 80 }, [{ conditions: { ready: true } }, ...one], [{ name: '', port: 80 }])).toBe(true);
  });

  it('quotes what the containers declare', async () => {
    const quote = async (...objects: readonly KubeObject[]): Promise<unknown> =>
      (await evidenceOf(objects)).facts.find(({ kind }) => kind === 'service-port')?.quote;
    expect(await quote(service([{ port: 80, targetPort: 'http' }]), ...PODS)).toBe(
      'port: 80/TCP, targetPort: http; containers declare: 8080/TCP (http), 53/UDP (dns)',
    );
    expect(await quote(service([{ port: 80 }]))).toBe('port: 80/TCP, targetPort: 80; containers declare: nothing that was seen');
  });

  it('is of the container that declares it, else of one that none leads to', async () => {
    const two = pod('web-1', true);
    const spec = {
      containers: [
        { name: 'web', ports: [{ containerPort: 80 }] },
        { name: 'side', ports: [{ containerPort: 9090 }] },
      ],
    };
    const of = async (...listed: readonly JsonObject[]): Promise<unknown> =>
      (await collected('service-port', [service(listed), { ...two, spec }]))[0]?.['container'];
    expect(await of({ port: 80, targetPort: 9090 })).toBe('side');
    expect(await of({ port: 81, targetPort: 81 }, { port: 80 })).toBe('side');
    expect(await of({ port: 81, targetPort: 81 }, { port: 80 }, { port: 9090 })).toBe('web');
    expect(await of({ port: 81, targetPort: 81 })).toBe('web');
  });

  it('is declared by a sidecar as well, and by the template as it was applied', async () => {
    const declares = (initContainers: readonly JsonObject[]): KubeObject => ({
      ...pod('web-1', true),
      spec: { containers: [{ name: 'web' }], initContainers },
    });
    const declared = async (one: KubeObject, ...others: readonly KubeObject[]): Promise<Readonly<Record<string, unknown>>> =>
      (await collected('service-port', [service([{ port: 80, targetPort: 9090 }]), one, ...others]))[0] ?? {};
    const proxy = { name: 'proxy', ports: [{ containerPort: 9090 }] };
    expect(await declared(declares([{ ...proxy, restartPolicy: 'Always' }]))).toMatchObject({ declared: true, container: 'proxy' });
    expect(await declared(declares([proxy]))).not.toHaveProperty('declared');
    const set = deployment('web', LABELS);
    const bare: KubeObject = {
      ...set,
      spec: { replicas: 1, template: { metadata: { labels: LABELS }, spec: { containers: [{ name: 'web' }] } } },
    };
    const applied = objectOf('AppliedManifest', 'm', { spec: { file: 'web.yaml', object: set } }, { namespace: null });
    expect(await declared(bare)).not.toHaveProperty('declared');
    expect(await declared(bare, applied)).toMatchObject({ declared: false, declaredPorts: '8080/TCP (http), 53/UDP (dns)' });
  });

  it('is told once, with its name where one source has it', async () => {
    const unnamed = { ...pod('web-1', true), spec: { containers: [{ name: 'web', ports: [{ containerPort: 8080 }] }] } };
    expect((await collected('service-port', [service([{ port: 80 }]), unnamed, pod('web-2', true)]))[0]).toMatchObject({
      declaredPorts: '8080/TCP (http), 53/UDP (dns)',
    });
    expect((await collected('service-port', [service([{ port: 80 }]), pod('web-2', true), unnamed]))[0]).toMatchObject({
      declaredPorts: '8080/TCP (http), 53/UDP (dns)',
    });
  });
});

describe('a Service of which no pod was listed', () => {
  const state = async (ready: number, kinds: readonly string[]): Promise<string | undefined> => {
    const workload = { ...deployment('web', LABELS), status: { replicas: 1, readyReplicas: ready, observedGeneration: 1 } };
    const reader = memoryReader({
      objects: [workload, service([{ port: 80 }])],
      collected: kinds.map((kind) => ({ kind, complete: true })),
      absent: [],
      refused: [],
      logs: [],
      now: NOW,
    });
    const { targets } = await collect(reader, {}, []);
    return targets.find(({ ref }) => ref.kind === 'Service')?.state;
  };

  it('may have those that a workload counts as ready, unless all pods were listed', async () => {
    expect(await state(1, ['Deployment', 'Service'])).toBe('unknown');
    expect(await state(0, ['Deployment', 'Service'])).toBe('unhealthy');
    expect(await state(1, ['Deployment', 'Service', 'Pod'])).toBe('unhealthy');
  });
});
