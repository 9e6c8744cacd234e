import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { collected, objectOf } from '../../../support/collected.ts';

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
});
