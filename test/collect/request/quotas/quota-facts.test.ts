import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { ago, collected, eventOn, evidenceOf, objectOf } from '../../../support/collected.ts';

function quota(hard: JsonObject, used: JsonObject, spec: JsonObject = {}): KubeObject {
  return objectOf('ResourceQuota', 'few', { spec: { hard, ...spec }, status: { hard, used } });
}

/** A Deployment that lacks all of its pods. */
function web(resources: JsonObject, replicas = 2): KubeObject {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'a', resources }] } };
  return objectOf('Deployment', 'web', { spec: { replicas, selector: { matchLabels: { app: 'web' } }, template }, status: {} });
}

const REQUEST = { requests: { cpu: '500m' } };

async function refusals(...objects: readonly KubeObject[]): Promise<readonly unknown[]> {
  return (await collected('refusal', objects)).map(({ reason, wanted, by }) => [reason, by, ...(wanted === undefined ? [] : [wanted])]);
}

describe('a quota', () => {
  it('tells what is used, what a missing pod requests, and what all of them need', async () => {
    expect(await collected('quota', [quota({ 'requests.cpu': '1' }, { 'requests.cpu': '900m' }), web(REQUEST)])).toEqual([
      {
        quota: 'few',
        resource: 'cpu',
        constraint: 'requests.cpu',
        hard: '1',
        used: '900m',
        requested: '500m',
        needed: '1900m',
        exceeded: true,
        refused: 'Deployment/web',
        refusedName: 'web',
      },
    ]);
  });

  it('refuses a pod that would exceed it, and takes one that fills it', async () => {
    expect(await refusals(quota({ 'requests.cpu': '1' }, { 'requests.cpu': '501m' }), web(REQUEST))).toEqual([['quota-exceeded', 'few']]);
    expect(await refusals(quota({ 'requests.cpu': '1' }, { 'requests.cpu': '500m' }), web(REQUEST))).toEqual([]);
    expect(await refusals(quota({ pods: '1' }, { pods: '1' }), web({}))).toEqual([['quota-exceeded', 'few']]);
    expect(await refusals(quota({ pods: '2' }, { pods: '1' }), web({}))).toEqual([]);
  });

  it('wants to know what a container requests, unless a LimitRange says it', async () => {
    const full = quota({ 'limits.memory': '1Gi', 'requests.cpu': '4' }, { 'limits.memory': '0', 'requests.cpu': '0' });
    expect(await refusals(full, web(REQUEST))).toEqual([['quota-requires-resources', 'few', 'limits.memory for web']]);
    const range = objectOf('LimitRange', 'defaults', { spec: { limits: [] } });
    expect(await refusals(full, web(REQUEST), range)).toEqual([]);
    expect(await refusals(quota({ pods: '5' }, { pods: '0' }), web({}))).toEqual([]);
  });

  it('with scopes is not judged', async () => {
    for (const spec of [{ scopes: ['BestEffort'] }, { scopeSelector: { matchExpressions: [] } }])
      expect(await refusals(quota({ pods: '1' }, { pods: '1' }, spec), web({}))).toEqual([]);
  });

  it('matters to nothing that has all of its pods', async () => {
    expect(await collected('quota', [quota({ pods: '1' }, { pods: '1' }), web({}, 0)])).toEqual([]);
  });

  it('is quoted with its numbers, and what is refused with the reason', async () => {
    const { facts } = await evidenceOf([quota({ 'requests.cpu': '1' }, { 'requests.cpu': '900m' }), web(REQUEST)]);
    const told = facts.filter(({ kind }) => kind === 'quota' || kind === 'refusal').map(({ kind, source, quote }) => [kind, source, quote]);
    expect(told).toEqual([
      ['quota', 'ResourceQuota shop/few', 'requests.cpu: used 900m of 1; Deployment/web requests 500m'],
      ['refusal', 'ResourceQuota shop/few', 'Deployment/web violates quota few: exceeded: requests.cpu (it has fewer pods than it wants)'],
    ]);
    const silent = await evidenceOf([quota({ 'limits.cpu': '1' }, { 'limits.cpu': '0' }), web(REQUEST)]);
    expect(silent.facts.find(({ kind }) => kind === 'refusal')?.quote).toBe(
      'Deployment/web violates quota few: must specify limits.cpu for web (it has fewer pods than it wants)',
    );
  });

  it('is what its spec says where its status was not written', async () => {
    const fresh = objectOf('ResourceQuota', 'few', { spec: { hard: { pods: '1' } }, status: { used: { pods: '1' } } });
    expect(await refusals(fresh, web({}))).toEqual([['quota-exceeded', 'few']]);
    expect(await collected('quota', [objectOf('ResourceQuota', 'few', { spec: { hard: { pods: '1' } } }), web({})])).toEqual([]);
    expect(await collected('quota', [quota({ pods: 'many' }, { pods: '1' }), web({})])).toEqual([]);
    expect(await collected('quota', [quota({ 'requests.nvidia.com/gpu': '1' }, { 'requests.nvidia.com/gpu': '0' }), web({})])).toEqual([]);
  });

  it('counts what its template is not shown to request as nothing', async () => {
    const described: KubeObject = {
      ...web(REQUEST),
      [OBSERVED]: ['metadata', 'status', 'spec.replicas', 'spec.template.spec.containers.image'],
    };
    expect(await refusals(quota({ 'limits.memory': '1Gi' }, { 'limits.memory': '0' }), described)).toEqual([]);
    expect(await refusals(quota({ pods: '1' }, { pods: '1' }), described)).toEqual([['quota-exceeded', 'few']]);
  });

  it('wants to know it of init containers as well, and of each side', async () => {
    const template = (spec: JsonObject): KubeObject =>
      objectOf('Deployment', 'web', { spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: { spec } }, status: {} });
    const full = { requests: { cpu: '1' }, limits: { cpu: '1' } };
    const wanted = async (hard: string, spec: JsonObject): Promise<unknown> =>
      (await refusals(quota({ [hard]: '9' }, { [hard]: '0' }), template(spec)))[0];
    const both = { containers: [{ name: 'web', resources: full }], initContainers: [{ name: 'init', resources: {} }] };
    expect(await wanted('limits.cpu', both)).toEqual(['quota-requires-resources', 'few', 'limits.cpu for web, init']);
    expect(await wanted('requests.cpu', both)).toEqual(['quota-requires-resources', 'few', 'requests.cpu for web, init']);
    expect(await wanted('cpu', { containers: [{ name: 'web', resources: full }] })).toBeUndefined();
    expect(await wanted('requests.cpu', { containers: [{ name: 'web', resources: { requests: { cpu: '1' } } }] })).toBeUndefined();
    expect(await wanted('requests.storage', both)).toBeUndefined();
  });

  it('may keep away what a manifest declares, which is a target then', async () => {
    const applied = (kind: string, spec: JsonObject): KubeObject =>
      objectOf(
        'AppliedManifest',
        `m-${kind}`,
        { spec: { file: 'a.yaml', object: { kind, metadata: { name: 'till' }, spec } } },
        { namespace: null },
      );
    const pod = applied('Pod', { containers: [{ name: 'web', resources: { requests: { cpu: '1' } } }] });
    const told = async (full: KubeObject, ...objects: readonly KubeObject[]): Promise<readonly unknown[]> => {
      const { facts, targets } = await evidenceOf([full, ...objects], { none: ['PersistentVolumeClaim'] });
      return [
        facts.filter(({ kind }) => kind === 'refusal').map(({ about }) => `${about.kind}/${about.name}`),
        targets.map(({ reason }) => reason),
      ];
    };
    expect(await told(quota({ 'requests.cpu': '1' }, { 'requests.cpu': '1' }), pod)).toEqual([['Pod/till'], []]);
    const claim = applied('PersistentVolumeClaim', { resources: { requests: { storage: '2Gi' } } });
    const storage = quota({ 'requests.storage': '1Gi' }, { 'requests.storage': '0' });
    expect(await told(storage, claim)).toEqual([['PersistentVolumeClaim/till'], ['it does not exist']]);
    expect(await told(storage, claim, objectOf('PersistentVolumeClaim', 'till', { spec: {}, status: { phase: 'Bound' } }))).toEqual([
      [],
      [],
    ]);
    const elsewhere = {
      ...quota({ 'requests.storage': '1Gi' }, { 'requests.storage': '0' }),
      metadata: { name: 'few', namespace: 'till' },
    };
    expect(await told(elsewhere, claim)).toEqual([[], []]);
  });

  it('that the API server was heard of is not derived, and is a gap where quotas could not be read', async () => {
    const heard = eventOn(
      web(REQUEST),
      'FailedCreate',
      'Error creating: pods "web-" is forbidden: exceeded quota: few, requested: requests.cpu=500m, used: requests.cpu=900m, limited: requests.cpu=1',
      5,
    );
    const { facts } = await evidenceOf([quota({ 'requests.cpu': '1' }, { 'requests.cpu': '900m' }), web(REQUEST), heard]);
    expect(facts.filter(({ kind }) => kind === 'refusal').map(({ fields }) => fields['via'])).toEqual(['event']);
    const { gaps } = await evidenceOf([web(REQUEST)], { refused: ['ResourceQuota'] });
    expect(gaps.filter(({ kind, about }) => kind === 'refusal' && about.name === 'web').map(({ reason }) => reason)).toContain(
      'ResourceQuota is forbidden',
    );
  });

  it('matters to no CronJob, and to nothing below another workload', async () => {
    const cron = objectOf('CronJob', 'web', { spec: { schedule: '* * * * *', jobTemplate: { spec: {} } }, status: {} });
    expect(await collected('quota', [quota({ pods: '1' }, { pods: '1' }), cron])).toEqual([]);
    const under = {
      ...web({}),
      kind: 'ReplicaSet',
      metadata: { ...web({}).metadata, name: 'web-a', ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] },
    };
    expect((await collected('quota', [quota({ pods: '1' }, { pods: '1' }), web({}), under])).map(({ refused }) => refused)).toEqual([
      'Deployment/web',
    ]);
    const job = objectOf('Job', 'web', { spec: { template: { spec: { containers: [] } } }, status: { startTime: ago(5) } });
    expect((await collected('quota', [quota({ pods: '1' }, { pods: '1' }), job])).map(({ needed }) => needed)).toEqual(['2']);
  });
});
