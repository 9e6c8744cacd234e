import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { ago, collected, evidenceOf, factsIn, objectOf } from '../../support/collected.ts';

const WEB = { app: 'web', tier: 'front' };

function service(spec: JsonObject = {}, name = 'web', more: JsonObject = {}): KubeObject {
  return objectOf('Service', name, { spec: { selector: WEB, ports: [{ port: 80 }], ...spec }, ...more });
}

function pod(
  name: string,
  {
    labels = WEB,
    ready = 'True',
    spec = {},
    annotations = {},
  }: { readonly labels?: JsonObject; readonly ready?: string; readonly spec?: JsonObject; readonly annotations?: JsonObject } = {},
): KubeObject {
  return objectOf(
    'Pod',
    name,
    {
      spec: { nodeName: 'worker-1', containers: [{ name: 'web', ...spec }] },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: ready }],
        containerStatuses: [{ name: 'web', ready: ready === 'True', restartCount: 0, state: { running: { startedAt: ago(900) } } }],
      },
    },
    { labels, annotations },
  );
}

function slice(ready: readonly boolean[]): KubeObject {
  return objectOf(
    'EndpointSlice',
    'web-a',
    { endpoints: ready.map((one) => ({ conditions: { ready: one } })), ports: [{ name: '', port: 80 }] },
    { labels: { 'kubernetes.io/service-name': 'web' } },
  );
}

const target = { kind: 'Service', namespace: 'shop', name: 'web' };

async function state(objects: readonly KubeObject[], around: Parameters<typeof evidenceOf>[1] = {}): Promise<readonly unknown[]> {
  const { targets } = await evidenceOf(objects, around);
  const found = targets.find(({ ref }) => ref.kind === 'Service' && ref.name === 'web');
  return [found?.state, found?.reason];
}

describe('a Service', () => {
  it('is well with something ready behind it', async () => {
    expect(await state([service(), pod('web-1')])).toEqual(['healthy', undefined]);
    expect(await state([service(), pod('web-1', { ready: 'False' })])).toEqual(['unhealthy', 'no ready endpoint']);
    expect(await state([service(), pod('web-1', { ready: 'False' }), slice([true])])).toEqual(['healthy', undefined]);
    expect(await state([service(), pod('web-1'), slice([false])])).toEqual(['unhealthy', 'no ready endpoint']);
  });

  it('with nothing behind it waits for something to be installed, unless something was meant', async () => {
    expect(await state([service()])).toEqual(['progressing', 'no pod was seen that it selects']);
    const deployment = (labels: JsonObject, replicas = 1): KubeObject =>
      objectOf('Deployment', 'shop', { spec: { replicas, template: { metadata: { labels }, spec: { containers: [] } } }, status: {} });
    expect(await state([service(), deployment({ app: 'web', tier: 'back' })])).toEqual(['unhealthy', 'no pod was seen that it selects']);
    expect(await state([service(), deployment(WEB)])).toEqual(['unhealthy', 'no ready endpoint']);
    expect(await state([service(), deployment(WEB, 0)])).toEqual(['progressing', 'no ready endpoint']);
  });

  it('without a selector, or for an outside name, is not judged by pods', async () => {
    expect(await state([service({ selector: {} })])).toEqual(['healthy', undefined]);
    expect(await state([service({ type: 'ExternalName' })])).toEqual(['healthy', undefined]);
  });

  it.each([
    [119, 'healthy'],
    [120, 'unhealthy'],
  ])('of type LoadBalancer that has waited %d s for an address is %s', async (seconds, expected) => {
    const waits = service({ type: 'LoadBalancer' });
    const old: KubeObject = { ...waits, metadata: { ...waits.metadata, creationTimestamp: ago(seconds) } };
    expect((await state([old, pod('web-1')]))[0]).toBe(expected);
    expect(await collected('service', [old, pod('web-1')])).toMatchObject([{ pendingSeconds: seconds }]);
    const has = { ...old, status: { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } } };
    expect(await state([has, pod('web-1')])).toEqual(['healthy', undefined]);
    expect((await collected('service', [has, pod('web-1')]))[0]).not.toHaveProperty('pendingSeconds');
    const plain = { ...old, spec: { ...(old['spec'] as JsonObject), type: 'ClusterIP' } };
    expect((await state([plain, pod('web-1')]))[0]).toBe('healthy');
  });

  it('of a table is known by its endpoints alone', async () => {
    const row: KubeObject = {
      ...objectOf('Service', 'web', { spec: { ports: [{ port: 80 }] } }),
      [OBSERVED]: ['metadata.name', 'spec.ports'],
    };
    expect(await state([row, slice([true])])).toEqual(['healthy', undefined]);
    expect(await state([row, slice([false])])).toEqual(['unknown', 'no ready endpoint']);
    expect(await state([row])).toEqual(['healthy', undefined]);
    expect(await state([row], { target })).toEqual(['unknown', 'its endpoints were not seen']);
    const { gaps } = await evidenceOf([row, slice([false])]);
    expect(gaps.filter(({ kind }) => kind === 'service')).toMatchObject([{ needs: 'kubectl -n shop get services web -o yaml' }]);
  });

  it('is asked about, or told beside what it selects, or nearly does', async () => {
    const services = async (about: typeof target, ...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
      factsIn(
        await evidenceOf([service(), service({ selector: { app: 'till' } }, 'till'), pod('web-1'), ...objects], { target: about }),
        'service',
      ).map((fact) => [fact['service'], fact['asked']]);
    expect(await services(target)).toEqual([['web', true]]);
    expect(await services({ kind: 'Pod', namespace: 'shop', name: 'web-1' })).toEqual([['web', false]]);
    expect(await services({ kind: 'Pod', namespace: 'shop', name: 'near' }, pod('near', { labels: { app: 'web', tier: 'back' } }))).toEqual(
      [['web', false]],
    );
  });

  it('whose endpoints contradict the list of pods tells that one of the two is not whole', async () => {
    const reasons = (await evidenceOf([service(), slice([true])], { target })).gaps.map(({ reason }) => reason);
    expect(reasons.some((reason) => reason.startsWith('no pod was listed that Service web selects'))).toBe(true);
    const none = (await evidenceOf([service(), slice([])], { target })).gaps.map(({ reason }) => reason);
    expect(none.some((reason) => reason.startsWith('no pod was listed'))).toBe(false);
  });

  it('counts no pods where pods could not be listed, and is a gap where Services could not', async () => {
    const [fact] = factsIn(await evidenceOf([service()], { refused: ['Pod'] }), 'service');
    expect(fact).not.toHaveProperty('matching');
    expect(fact).not.toHaveProperty('templates');
    const { gaps } = await evidenceOf([pod('web-1')], { refused: ['Service'] });
    expect(gaps.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['service', 'service-port']));
  });

  it('selects in its own namespace', async () => {
    const elsewhere = pod('web-1');
    expect(await collected('service', [service(), { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'till' } }])).toMatchObject(
      [{ matching: 0 }],
    );
  });
});

describe('a port that no container declares', () => {
  const declared = async (port: number, spec: JsonObject, more: Parameters<typeof pod>[1] = {}): Promise<unknown> =>
    (
      await collected('service-port', [
        service({ ports: [{ port: 80, targetPort: port }] }),
        pod('web-1', { ...more, spec: { ports: [{ containerPort: 1 }], ...spec } }),
      ])
    )[0]?.['declared'];

  it('is served where a probe passes there, or a flag, a variable or an annotation tells it', async () => {
    expect(await declared(8080, {})).toBe(false);
    const probed = { readinessProbe: { tcpSocket: { port: 8080 } } };
    expect(await declared(8080, probed)).toBe(true);
    expect(await declared(8080, probed, { ready: 'False' })).toBe(false);
    expect(await declared(8080, {}, { annotations: { 'prometheus.io/port': '8080' } })).toBe(true);
    expect(await declared(8080, {}, { annotations: { 'prometheus.io/port': '8081' } })).toBe(false);
    expect(await declared(8080, { env: [{ name: 'PORT', value: '8080' }] })).toBe(true);
    expect(await declared(8080, { env: [{ name: 'PORT', value: '127.0.0.1:8080' }] })).toBe(false);
    expect(await declared(8080, { env: [{ name: 'PORT', value: '8081' }] })).toBe(false);
  });

  it.each([
    ['--port=8080', true],
    ['-p 8080', true],
    [':8080', true],
    ['0.0.0.0:8080', true],
    ['[::]:8080', true],
    ['*:8080', true],
    ['db:8080', false],
    ['127.0.0.1:8080', false],
    ['--port=80800', false],
    ['--port=18080', false],
    ['8080.5', false],
  ])('is served as a flag says: %s: %s', async (flag, expected) => {
    expect(await declared(8080, { args: ['serve', ...flag.split(' ')] })).toBe(expected);
  });

  it('is not known where containers declare none, or a name was not shown', async () => {
    const port = async (targetPort: number | string, ports: readonly JsonObject[]): Promise<unknown> =>
      (
        await collected('service-port', [service({ ports: [{ port: 80, targetPort }] }), pod('web-1', { spec: { ports: [...ports] } })])
      )[0]?.['declared'];
    expect(await port(8080, [])).toBeUndefined();
    expect(await port('http', [{ name: 'http', containerPort: 1 }])).toBe(true);
    expect(await port('htpt', [{ name: 'http', containerPort: 1 }])).toBe(false);
  });
});
