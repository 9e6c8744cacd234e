import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, objectOf } from '../../support/collected.ts';

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
});
