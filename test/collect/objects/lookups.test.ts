import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { ago, collected, collectedLive, evidenceOf, objectOf, podWith } from '../../support/collected.ts';

const ENV = { envFrom: [{ configMapRef: { name: 'settings' } }] };
const WAITS = { state: { waiting: { reason: 'ContainerCreating' } } };

type Around = Parameters<typeof evidenceOf>[1];

/** A pod whose container takes its environment from `settings`. */
function pod(status: JsonObject = WAITS, more: Parameters<typeof podWith>[3] = {}, container: JsonObject = ENV): KubeObject {
  return podWith('web-1', container, status, { status: { phase: 'Pending' }, ...more });
}

async function facts(objects: readonly KubeObject[], around: Around = {}): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { facts: all } = await evidenceOf(objects, around);
  return all.filter(({ kind }) => kind === 'reference').map(({ fields, quote }) => ({ ...fields, quote }));
}

const NONE = { none: ['ConfigMap', 'Secret'] };
const existing = async (objects: readonly KubeObject[], around: Around = NONE): Promise<readonly unknown[]> =>
  (await facts(objects, around)).map(({ exists }) => exists);

describe('what a pod names', () => {
  it.each<readonly [string, KubeObject, boolean]>([
    ['waits for it', pod(), true],
    [
      'has no container yet',
      objectOf('Pod', 'web-1', { spec: { nodeName: 'a', containers: [{ name: 'web', ...ENV }] }, status: { phase: 'Pending' } }),
      true,
    ],
    ['is started again and again', pod({ state: { waiting: { reason: 'CrashLoopBackOff' } } }), false],
    ['has begun', pod({ state: { running: { startedAt: ago(60) } } }), false],
    ['has succeeded', pod(WAITS, { status: { phase: 'Succeeded' } }), false],
    ['has failed', pod(WAITS, { status: { phase: 'Failed' } }), false],
    ['is being deleted', { ...pod(), metadata: { ...pod().metadata, deletionTimestamp: ago(5) } }, false],
  ])('is looked up where the pod %s: %#', async (_, one, isLookedUp) => {
    expect(await existing([one])).toEqual([isLookedUp ? false : undefined]);
  });

  it('is looked up where one of its containers waits', async () => {
    const two = podWith(
      'web-1',
      {},
      {},
      {
        spec: { containers: [{ name: 'web', ...ENV }, { name: 'side' }] },
        status: { phase: 'Pending' },
      },
    );
    const statuses = [
      { name: 'web', restartCount: 0, ready: false, ...WAITS },
      { name: 'side', restartCount: 0, ready: true, state: { running: { startedAt: ago(60) } } },
    ];
    const status = { ...(two['status'] as JsonObject), containerStatuses: statuses };
    expect(await existing([{ ...two, status }])).toEqual([false]);
  });

  it('is quoted with its place and what is missing', async () => {
    const quotes = async (container: JsonObject, spec: JsonObject, ...objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
      (
        await facts(
          [pod(WAITS, { spec: { ...spec, containers: [{ name: 'web', ...container }] }, status: { phase: 'Pending' } }), ...objects],
          NONE,
        )
      ).map(({ quote }) => quote);
    expect(await quotes(ENV, {})).toEqual(['envFrom of container web: ConfigMap settings, which does not exist']);
    const settings = objectOf('ConfigMap', 'settings', { data: { host: 'db' } });
    expect(await quotes(ENV, {}, settings)).toEqual(['envFrom of container web: ConfigMap settings']);
    const key = (name: string): JsonObject => ({ env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: name } } }] });
    expect(await quotes(key('host'), {}, settings)).toEqual(['env of container web: ConfigMap settings key host']);
    expect(await quotes(key('port'), {}, settings)).toEqual(['env of container web: ConfigMap settings key port, which it does not have']);
    const volumes = [{ name: 'conf', configMap: { name: 'settings' } }];
    expect(await quotes({ volumeMounts: [{ name: 'conf', mountPath: '/a' }] }, { volumes })).toEqual([
      'volume conf: ConfigMap settings, which does not exist',
    ]);
    expect(await quotes({}, { imagePullSecrets: [{ name: 'pull' }] })).toEqual(['imagePullSecrets: Secret pull, which does not exist']);
  });

  it('has a key in any part of its object, and none where it shows that it has no data', async () => {
    const has = async (settings: KubeObject): Promise<unknown> => {
      const env = { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'host' } } }] };
      return (await facts([pod(WAITS, {}, env), settings], NONE))[0]?.['keyExists'];
    };
    for (const part of ['data', 'binaryData', 'stringData'])
      expect(await has(objectOf('ConfigMap', 'settings', { [part]: { host: 'a' } })), part).toBe(true);
    expect(await has(objectOf('ConfigMap', 'settings', { data: { port: 'a' }, binaryData: { host: 'a' } }))).toBe(true);
    expect(await has(objectOf('ConfigMap', 'settings', { data: { port: 'a' } }))).toBe(false);
    expect(await has(objectOf('ConfigMap', 'settings', {}))).toBe(false);
    expect(await has({ ...objectOf('ConfigMap', 'settings', {}), [OBSERVED]: ['metadata.name'] })).toBeUndefined();
    const secret = { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'settings', key: 'host' } } }] };
    expect((await facts([pod(WAITS, {}, secret), objectOf('Secret', 'settings', {})]))[0]).not.toHaveProperty('keyExists');
  });

  it('may be in another namespace, or nearly have the name', async () => {
    const [found] = await facts([
      pod(),
      objectOf('ConfigMap', 'settings', {}, { namespace: 'till' }),
      objectOf('ConfigMap', 'setting', {}),
    ]);
    expect(found).toMatchObject({
      exists: false,
      elsewhere: 'till',
      similar: 'setting',
      path: '/containers/0/envFrom/0/configMapRef/name',
    });
    const there = (
      await facts([pod(), objectOf('ConfigMap', 'settings', {}), objectOf('ConfigMap', 'settings', {}, { namespace: 'till' })])
    )[0];
    expect(there).toMatchObject({ exists: true });
    for (const field of ['elsewhere', 'similar', 'path']) expect(there).not.toHaveProperty(field);
    const far = (await facts([pod(), objectOf('ConfigMap', 'other', {}, { namespace: 'till' })], NONE))[0];
    expect(far).toMatchObject({ exists: false });
    expect(far).not.toHaveProperty('elsewhere');
    expect((await collectedLive('reference', [pod(), objectOf('ConfigMap', 'settings', {}, { namespace: 'till' })]))[0]).not.toHaveProperty(
      'elsewhere',
    );
  });

  it('is a gap once where it could not be listed, and for a target where it could not be read', async () => {
    const gaps = async (objects: readonly KubeObject[], around: Around): Promise<readonly unknown[]> =>
      (await evidenceOf(objects, around)).gaps.filter(({ kind }) => kind === 'reference').map(({ about }) => `${about.kind}/${about.name}`);
    const second = { ...pod(), metadata: { ...pod().metadata, name: 'web-2' } };
    const refused = ['ConfigMap'];
    expect(await gaps([pod(), second], { refused })).toEqual(['ConfigMap/*']);
    expect(await gaps([pod()], { refused, target: { kind: 'Pod', namespace: 'shop', name: 'web-1' } })).toEqual(['Pod/web-1']);
    expect(await existing([pod()], { refused })).toEqual([undefined]);
  });

  it('of a driver has no namespace', async () => {
    const volumes = [{ name: 'data', csi: { driver: 'disk.shop.example' } }];
    const mounting = pod(WAITS, { spec: { volumes }, status: { phase: 'Pending' } }, { volumeMounts: [{ name: 'data', mountPath: '/a' }] });
    const driver = objectOf('CSIDriver', 'disk.shop.example', { spec: {} });
    const target = { kind: 'Pod', namespace: 'shop', name: 'web-1' };
    for (const around of [{}, { target }]) {
      expect(await existing([mounting, driver], around)).toEqual([true]);
      const [missing] = await facts([mounting], { ...around, none: ['CSIDriver'] });
      expect(missing).toMatchObject({ refKind: 'CSIDriver', exists: false });
      expect(missing).not.toHaveProperty('elsewhere');
    }
  });

  it('of a live cluster is looked up once the pod has a node, and its claims before', async () => {
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    const containers = [{ name: 'web', ...ENV, volumeMounts: [{ name: 'data', mountPath: '/a' }] }];
    const unplaced = objectOf('Pod', 'web-1', { spec: { volumes, containers }, status: { phase: 'Pending' } });
    const of = async (one: KubeObject): Promise<readonly unknown[]> =>
      (
        await collectedLive('reference', [
          one,
          objectOf('ConfigMap', 'other', {}),
          objectOf('PersistentVolumeClaim', 'other', { spec: {} }),
        ])
      ).map(({ refKind, exists }) => [refKind, exists]);
    expect(await of(unplaced)).toEqual([
      ['PersistentVolumeClaim', false],
      ['ConfigMap', undefined],
    ]);
    expect(await of({ ...unplaced, spec: { volumes, containers, nodeName: 'worker-1' } })).toEqual([
      ['PersistentVolumeClaim', false],
      ['ConfigMap', false],
    ]);
  });
});

describe('what a template names', () => {
  const workload = (kind: string, metadata: JsonObject = {}, spec: JsonObject = {}): KubeObject =>
    objectOf(
      kind,
      'web',
      { spec: { replicas: 1, template: { spec: { containers: [{ name: 'web', ...ENV }] } }, ...spec }, status: {} },
      metadata,
    );

  it('counts for the workload on top, while it lacks pods that it should have', async () => {
    expect(await existing([workload('Deployment')])).toEqual([false]);
    expect(await existing([workload('StatefulSet', {}, { replicas: 0 })])).toEqual([]);
    const owner = { ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] };
    expect(await existing([workload('Deployment'), workload('ReplicaSet', owner)])).toHaveLength(1);
    const owned = { ...pod({ state: { running: { startedAt: ago(60) } } }) };
    const made = { ...owned, metadata: { ...owned.metadata, ownerReferences: [{ kind: 'StatefulSet', name: 'web', controller: true }] } };
    expect((await facts([workload('StatefulSet'), made], NONE)).map(({ exists }) => exists)).toEqual([undefined]);
  });

  it('of a Job or CronJob is not told', async () => {
    expect(await collected('reference', [workload('Job', {}, { parallelism: 1, completions: 1 })])).toEqual([]);
    const template = { spec: { template: { spec: { containers: [{ name: 'web', ...ENV }] } } } };
    expect(await collected('reference', [workload('CronJob', {}, { schedule: '0 0 * * *', jobTemplate: template })])).toEqual([]);
  });
});
