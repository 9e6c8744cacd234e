import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { collected, eventOn, evidenceOf, factsIn, objectOf } from '../../../support/collected.ts';

function quota(hard: JsonObject, used: JsonObject, name = 'few'): KubeObject {
  return objectOf('ResourceQuota', name, { spec: { hard }, status: { hard, used } });
}

function set(replicas: number, current: number, resources: JsonObject = {}): KubeObject {
  return objectOf('ReplicaSet', 'web', {
    spec: { replicas, template: { spec: { containers: [{ name: 'web', resources }] } } },
    status: { replicas: current, observedGeneration: 1 },
  });
}

function manifest(kind: string, name: string, spec: JsonObject, namespace = 'shop', index = 0): KubeObject {
  return objectOf('AppliedManifest', `m-${kind}-${name}-${namespace}-${String(index)}`, {
    spec: { file: 'shop.yaml', object: { apiVersion: 'v1', kind, metadata: { name, namespace }, spec } },
  });
}

describe('a quota that the API server was heard to enforce', () => {
  const refused = (words: string): KubeObject =>
    eventOn(set(3, 1), 'FailedCreate', `Error creating: pods "web-x" is forbidden: exceeded quota: few, ${words}`, 5);
  const SAID = 'requested: requests.cpu=500m, used: requests.cpu=900m, limited: requests.cpu=1';
  const quotas = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('quota', [set(3, 1), ...objects]);
  const TOLD = {
    quota: 'few',
    resource: 'cpu',
    constraint: 'requests.cpu',
    hard: '1',
    used: '900m',
    requested: '500m',
    needed: '1900m',
    exceeded: true,
    refused: 'ReplicaSet/web',
    refusedName: 'web',
  };

  it('has the numbers of its words, and what all missing pods need', async () => {
    expect(await quotas(refused(SAID))).toEqual([TOLD]);
    const two = 'requested: pods=1,requests.cpu=500m, used: pods=4,requests.cpu=900m, limited: pods=4,requests.cpu=1';
    expect(await quotas(refused(two))).toMatchObject([
      { constraint: 'pods', hard: '4', used: '4', needed: '6' },
      { constraint: 'requests.cpu' },
    ]);
  });

  it('is known without its numbers where these were cut off, unless its object is there to count with', async () => {
    const cut = refused('requested: requests.cpu=500m');
    expect(await quotas(cut)).toEqual([{ quota: 'few', exceeded: true, refused: 'ReplicaSet/web', refusedName: 'web' }]);
    expect(await quotas(cut, objectOf('ResourceQuota', 'few', { spec: { hard: {} }, status: {} }))).toEqual([]);
  });

  it('may have been raised since, so far that it is enough', async () => {
    const now = async (hard: string): Promise<unknown> => {
      const [fact] = await quotas(
        refused(SAID),
        objectOf('ResourceQuota', 'few', { spec: { hard: { 'requests.cpu': hard } }, status: {} }),
      );
      return [fact?.['hard'], fact?.['exceeded']];
    };
    expect(await now('2')).toEqual(['2', false]);
    expect(await now('1400m')).toEqual(['1400m', false]);
    expect(await now('1300m')).toEqual(['1', true]);
    expect(await now('1')).toEqual(['1', true]);
    expect(await now('500m')).toEqual(['1', true]);
  });

  it('is not derived once more', async () => {
    const objects = [set(3, 1, { requests: { cpu: '500m' } }), refused(SAID), quota({ 'requests.cpu': '1' }, { 'requests.cpu': '900m' })];
    expect(factsIn(await evidenceOf(objects), 'refusal')).toMatchObject([{ reason: 'quota-exceeded', via: 'event', by: 'few' }]);
    const other = [
      set(3, 1, { requests: { cpu: '500m' } }),
      refused(SAID),
      quota({ 'requests.cpu': '1' }, { 'requests.cpu': '900m' }, 'other'),
    ];
    expect(factsIn(await evidenceOf(other), 'refusal').map(({ via }) => via)).toEqual(['event', 'derived']);
  });
});

describe('a quota that an object of a manifest would exceed', () => {
  const around = { none: ['Service', 'PersistentVolumeClaim', 'ConfigMap'] };
  const refusals = async (objects: readonly KubeObject[]): Promise<readonly unknown[]> =>
    factsIn(await evidenceOf(objects, around), 'refusal').map(({ reason, by, detail }) => [reason, by, detail]);

  it('is told where the object is not there', async () => {
    const full = quota({ services: '1' }, { services: '1' });
    expect(await refusals([manifest('Service', 'web', {}), full])).toEqual([['quota-exceeded', 'few', 'exceeded: services']]);
    expect(await refusals([manifest('Service', 'web', {}), full, objectOf('Service', 'web', { spec: {} })])).toEqual([]);
    expect(await refusals([manifest('ConfigMap', 'web', {}), full])).toEqual([]);
    expect(await refusals([manifest('Service', 'web', {}, 'till'), full])).toEqual([]);
  });

  it('counts what each kind takes', async () => {
    const claim = manifest('PersistentVolumeClaim', 'data', { storageClassName: 'gold', resources: { requests: { storage: '5Gi' } } });
    expect(await refusals([claim, quota({ 'requests.storage': '9Gi' }, { 'requests.storage': '5Gi' })])).toHaveLength(1);
    expect(await refusals([claim, quota({ 'requests.storage': '10Gi' }, { 'requests.storage': '5Gi' })])).toEqual([]);
    const gold = 'gold.storageclass.storage.k8s.io/requests.storage';
    expect(await refusals([claim, quota({ [gold]: '1Gi' }, { [gold]: '0' })])).toHaveLength(1);
    const front = manifest('Service', 'web', { type: 'LoadBalancer', ports: [{ port: 80 }, { port: 443 }] });
    expect(await refusals([front, quota({ 'services.nodeports': '2' }, { 'services.nodeports': '1' })])).toHaveLength(1);
    expect(await refusals([front, quota({ 'services.nodeports': '3' }, { 'services.nodeports': '1' })])).toEqual([]);
    expect(await refusals([front, quota({ 'services.loadbalancers': '0' }, { 'services.loadbalancers': '0' })])).toHaveLength(1);
  });

  it('names it as what is asked about, since it does not exist', async () => {
    const { targets } = await evidenceOf([manifest('Service', 'web', {}), quota({ services: '1' }, { services: '1' })], around);
    expect(targets.map(({ ref, state, reason }) => [ref.kind, ref.name, state, reason])).toEqual([
      ['Service', 'web', 'unhealthy', 'it does not exist'],
    ]);
  });

  it('is not judged where quotas could not be read', async () => {
    const { gaps } = await evidenceOf([manifest('Service', 'web', {})], { ...around, refused: ['ResourceQuota'] });
    expect(gaps.filter(({ kind }) => kind === 'refusal')).toMatchObject([{ about: { kind: 'Service', name: 'web' } }]);
  });
});

describe('a LimitRange', () => {
  const range = (limit: JsonObject): KubeObject =>
    objectOf('LimitRange', 'bounds', { spec: { limits: [{ type: 'Container', ...limit }] } });
  const refusals = async (resources: JsonObject, limit: JsonObject): Promise<readonly unknown[]> =>
    (await collected('refusal', [set(1, 0, resources), range(limit)])).map(({ reason, resource, wanted, value, detail }) => [
      reason,
      resource,
      wanted,
      value,
      detail,
    ]);

  it('forbids more than its maximum, and less than its minimum', async () => {
    expect(await refusals({ limits: { cpu: '3' } }, { max: { cpu: '2' } })).toEqual([
      ['limit-range-violated', 'cpu', '2', '3', 'maximum cpu usage per Container is 2, but limit is 3'],
    ]);
    expect(await refusals({ limits: { cpu: '2' } }, { max: { cpu: '2' } })).toEqual([]);
    expect(await refusals({ requests: { cpu: '1' } }, { min: { cpu: '2' } })).toEqual([
      ['limit-range-violated', 'cpu', '2', '1', 'minimum cpu usage per Container is 2, but request is 1'],
    ]);
    expect(await refusals({ requests: { cpu: '2' } }, { min: { cpu: '2' } })).toEqual([]);
  });

  it('wants an amount to be named where it gives none', async () => {
    expect(await refusals({}, { max: { cpu: '2' } })).toMatchObject([
      ['limit-range-violated', 'cpu', '2', undefined, 'maximum cpu usage per Container is 2.  No limit is specified'],
    ]);
    expect(await refusals({}, { max: { cpu: '2' }, default: { cpu: '1' } })).toEqual([]);
    expect(await refusals({}, { max: { cpu: '2' }, default: { cpu: '3' } })).toHaveLength(1);
    expect(await refusals({}, { min: { cpu: '1' }, defaultRequest: { cpu: '1' } })).toEqual([]);
    expect(await refusals({ limits: { cpu: '1' } }, { min: { cpu: '1' } })).toEqual([]);
    expect(await refusals({}, { type: 'Pod', max: { cpu: '2' } })).toEqual([]);
  });

  it('is blamed, and is not asked where containers were not shown', async () => {
    const [refusal] = await collected('refusal', [set(1, 0, { limits: { cpu: '3' } }), range({ max: { cpu: '2' } })]);
    expect(refusal).toMatchObject({ via: 'derived', blame: 'LimitRange/bounds', where: 'Container', blocking: true });
    const row: KubeObject = { ...set(1, 0), [OBSERVED]: ['metadata.name', 'spec.replicas', 'status'] };
    expect(await collected('refusal', [row, range({ max: { cpu: '2' } })])).toEqual([]);
    const { gaps } = await evidenceOf([set(1, 0)], { refused: ['LimitRange'] });
    expect(gaps.some(({ kind }) => kind === 'refusal')).toBe(true);
  });
});
