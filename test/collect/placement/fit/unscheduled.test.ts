import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { ago, collected, eventOn, evidenceOf, factsIn, objectOf } from '../../../support/collected.ts';
import { waiting } from '../../../support/waiting-pod.ts';

const CPU = '0/1 nodes are available: 1 Insufficient cpu.';

describe('a pod that waits for a node', () => {
  const unscheduled = async (...objects: readonly KubeObject[]): Promise<Readonly<Record<string, unknown>>> =>
    (await collected('unscheduled', objects))[0] ?? {};
  const untried = (more: JsonObject = {}, metadata: JsonObject = {}): KubeObject =>
    objectOf('Pod', 'web', { spec: { containers: [{ name: 'web' }], ...more }, status: { phase: 'Pending' } }, metadata);

  it('was tried, as its condition or an event tells, in the words of the scheduler', async () => {
    expect(await unscheduled(waiting('web', { said: CPU }))).toEqual({
      scheduler: 'default-scheduler',
      custom: false,
      tried: true,
      ageSeconds: 7200,
      said: CPU,
      displaced: false,
    });
    const failed = (message: string, seconds: number): KubeObject => eventOn(untried(), 'FailedScheduling', message, seconds);
    expect(await unscheduled(untried(), failed('the last', 5), failed('the first', 60))).toMatchObject({ tried: true, said: 'the last' });
    expect(await unscheduled(waiting('web', { said: CPU }), failed('the last', 5))).toMatchObject({ said: CPU });
    expect(await unscheduled(waiting('web'), failed('the last', 5))).toMatchObject({ said: 'the last' });
    expect(await unscheduled(untried())).toMatchObject({ tried: false });
  });

  it('may be for a scheduler of its own, which nobody runs', async () => {
    expect(await unscheduled(untried({ schedulerName: 'till-scheduler' }))).toMatchObject({ scheduler: 'till-scheduler', custom: true });
    expect(await collected('missing-scheduler', [untried({ schedulerName: 'till-scheduler' })])).toEqual([
      {
        scheduler: 'till-scheduler',
        unknownName: 'till-scheduler',
        via: 'name',
        trouble: 'no scheduler with this name has processed the pod',
        ageSeconds: 7200,
      },
    ]);
    expect(await collected('missing-scheduler', [waiting('web', { said: CPU, spec: { schedulerName: 'till-scheduler' } })])).toEqual([]);
  });

  it('of the default scheduler tells that it is silent, the oldest for all', async () => {
    const older = { ...untried(), metadata: { ...untried().metadata, name: 'till', creationTimestamp: ago(9000) } };
    expect(await collected('missing-scheduler', [untried(), older])).toEqual([
      { scheduler: 'default-scheduler', via: 'silence', ageSeconds: 9000 },
    ]);
    const { facts } = await evidenceOf([untried(), older]);
    expect(facts.find(({ kind }) => kind === 'missing-scheduler')).toMatchObject({ about: { name: 'till' } });
    expect(facts.find(({ kind }) => kind === 'missing-scheduler')?.quote).toContain('(1 other pod too)');
    expect(await collected('missing-scheduler', [waiting('web', { said: CPU })])).toEqual([]);
  });

  it('is not silent about a pod that waits for its volume or its devices', async () => {
    const claim = (annotations: JsonObject): KubeObject => objectOf('PersistentVolumeClaim', 'data', { spec: {} }, { annotations });
    const pod = untried({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });
    expect(await collected('missing-scheduler', [pod, claim({ 'volume.kubernetes.io/selected-node': 'worker-1' })])).toEqual([]);
    expect(await collected('missing-scheduler', [pod, claim({})])).toHaveLength(1);
    const ephemeral = untried({ volumes: [{ name: 'data', ephemeral: {} }] });
    const own = objectOf(
      'PersistentVolumeClaim',
      'web-data',
      { spec: {} },
      { annotations: { 'volume.kubernetes.io/selected-node': 'worker-1' } },
    );
    expect(await collected('missing-scheduler', [ephemeral, own])).toEqual([]);
    const using = untried({ resourceClaims: [{ name: 'camera', resourceClaimName: 'camera-1' }] });
    expect(await collected('missing-scheduler', [using])).toEqual([]);
    expect(await collected('missing-scheduler', [using, objectOf('ResourceClaim', 'camera-1', { spec: {} })])).toHaveLength(1);
    expect(
      await collected('missing-scheduler', [using, objectOf('ResourceClaim', 'camera-1', { spec: {} }, { deletionTimestamp: ago(5) })]),
    ).toEqual([]);
  });

  it('is missed by a scheduler whose service is stopped on every node', async () => {
    const service = (name: string, active: string): KubeObject =>
      objectOf('NodeService', name, { spec: { node: name, service: 'kube-scheduler', active } });
    const nodes = async (...services: readonly KubeObject[]): Promise<readonly unknown[]> =>
      (await evidenceOf(services)).facts.filter(({ kind }) => kind === 'missing-scheduler').map(({ about }) => about.name);
    expect(await nodes(service('cp-1', 'failed'), service('cp-2', 'inactive'))).toEqual(['cp-1', 'cp-2']);
    expect(await nodes(service('cp-1', 'failed'), service('cp-2', 'active'))).toEqual([]);
  });

  it('had to make room for another', async () => {
    const preempted = (victim: JsonObject, related: JsonObject = {}): KubeObject =>
      objectOf('Event', 'preempted', {
        reason: 'Preempted',
        message: 'Preempted by a pod',
        lastTimestamp: ago(30),
        involvedObject: { kind: 'Pod', namespace: 'shop', ...victim },
        ...related,
      });
    const pod = (name: string, uid = 'second'): KubeObject => waiting(name, { said: CPU, metadata: { uid } });
    const by = { related: { kind: 'Pod', namespace: 'till', name: 'cash' } };
    expect(await unscheduled(pod('web-6d4-x2x7k'), preempted({ name: 'web-6d4-abcde' }, by))).toMatchObject({
      displaced: true,
      displacedBy: 'till/cash',
    });
    expect(await unscheduled(pod('web-6d4-x2x7k'), preempted({ name: 'till-6d4-abcde' }))).toMatchObject({ displaced: false });
    expect(await unscheduled(pod('web-6d4-x2x7k'), preempted({ name: 'web-6d4-abcde', namespace: 'till' }))).toMatchObject({
      displaced: false,
    });
    expect(await unscheduled(pod('web-0'), preempted({ name: 'web-0', uid: 'first' }))).toMatchObject({ displaced: true });
    expect(await unscheduled(pod('web-0'), preempted({ name: 'web-0', uid: 'second' }))).toMatchObject({ displaced: false });
    expect(await unscheduled(pod('web-0'), preempted({ name: 'web-1', uid: 'first' }))).toMatchObject({ displaced: false });
  });

  it('with gates is suspicious where somebody asks, it is the only one, or its workload lacks pods', async () => {
    const gates = { schedulingGates: [{ name: 'shop.example/till' }, { name: 'b' }] };
    expect(await unscheduled(untried(gates))).toMatchObject({ gates: 'shop.example/till, b' });
    expect(await unscheduled(untried(gates))).not.toHaveProperty('gateSuspicion');
    const suspicion = async (objects: readonly KubeObject[], around: Parameters<typeof evidenceOf>[1] = {}): Promise<unknown> =>
      factsIn(await evidenceOf(objects, around), 'unscheduled')[0]?.['gateSuspicion'];
    expect(await suspicion([untried(gates)], { target: { kind: 'Pod', namespace: 'shop', name: 'web' } })).toBe(
      'it is the object asked about',
    );
    const owner = (kind: string): JsonObject => ({ ownerReferences: [{ kind, name: 'web', controller: true }] });
    const set = (kind: string, readyReplicas: number): KubeObject =>
      objectOf(kind, 'web', { spec: { replicas: 2 }, status: { replicas: 2, readyReplicas } });
    expect(await suspicion([untried(gates, owner('StatefulSet')), set('StatefulSet', 1)])).toBe(
      'StatefulSet/shop/web has too few ready pods',
    );
    expect(await suspicion([untried(gates, owner('StatefulSet')), set('StatefulSet', 2)])).toBeUndefined();
    expect(await suspicion([untried(gates, owner('Job')), objectOf('Job', 'web', { spec: {}, status: {} })])).toBeUndefined();
    expect(
      await suspicion([untried(gates, owner('StatefulSet')), set('StatefulSet', 2)], {
        target: { kind: 'StatefulSet', namespace: 'shop', name: 'web' },
      }),
    ).toBe('it is the object asked about');
  });
});
