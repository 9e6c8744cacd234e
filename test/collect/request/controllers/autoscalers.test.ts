import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { ago, collected, evidenceOf, objectOf } from '../../../support/collected.ts';

const UTILIZATION = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } };

function autoscaler(condition: JsonObject | undefined, metrics: readonly JsonObject[] = [UTILIZATION]): KubeObject {
  return objectOf('HorizontalPodAutoscaler', 'web', {
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, metrics: [...metrics] },
    status:
      condition === undefined
        ? {}
        : {
            conditions: [
              { type: 'AbleToScale', status: 'True' },
              { type: 'ScalingActive', ...condition },
            ],
          },
  });
}

function deployment(...resources: readonly JsonObject[]): KubeObject {
  const containers = resources.map((one, index) => ({ name: `c${String(index)}`, image: 'a', resources: one }));
  return objectOf('Deployment', 'web', { spec: { replicas: 1, template: { spec: { containers } } } });
}

const facts = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('autoscaler', objects);

describe('an autoscaler', () => {
  it('is active, or not, as its condition says', async () => {
    expect(await facts(autoscaler({ status: 'True', reason: 'ValidMetricFound', message: 'It works.' }))).toEqual([
      { target: 'Deployment/web', active: true, able: true, reason: 'ValidMetricFound', message: 'It works.', metrics: 'cpu' },
    ]);
    expect(await facts(autoscaler({ status: 'False', reason: 'FailedGetResourceMetric' }))).toMatchObject([{ active: false }]);
    expect((await facts(autoscaler(undefined)))[0]).not.toHaveProperty('active');
  });

  it('is told by the condition AbleToScale where its target cannot be read', async () => {
    const lost = {
      ...autoscaler(undefined),
      status: { conditions: [{ type: 'AbleToScale', status: 'False', reason: 'FailedGetScale', message: 'not found' }] },
    };
    expect(await facts(lost)).toEqual([
      { target: 'Deployment/web', able: false, reason: 'FailedGetScale', message: 'not found', metrics: 'cpu' },
    ]);
  });

  it('names its metrics: resources by their names, others by their kinds', async () => {
    expect(await facts(autoscaler(undefined, [UTILIZATION, { type: 'Pods', pods: {} }]))).toMatchObject([{ metrics: 'cpu, pods' }]);
    expect((await facts(autoscaler(undefined, [])))[0]).not.toHaveProperty('metrics');
  });

  it('has no number for containers that request nothing of what it looks at', async () => {
    const unrequested = async (metric: JsonObject, ...resources: readonly JsonObject[]): Promise<unknown> =>
      (await facts(autoscaler(undefined, [metric]), deployment(...resources)))[0]?.['unrequested'];
    expect(await unrequested(UTILIZATION, { requests: { cpu: '1' } }, {}, { requests: { memory: '1Gi' } })).toBe('c1, c2');
    expect(await unrequested(UTILIZATION, { limits: { cpu: '1' } })).toBeUndefined();
    expect(await unrequested({ type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue' } } }, {})).toBeUndefined();
    const memory = { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization' } } };
    expect(await unrequested(memory, { requests: { cpu: '1' } })).toBe('c0');
  });

  it('that was not seen itself is told by the warnings about it', async () => {
    const event = (name: string, reason: string, type = 'Warning'): KubeObject =>
      objectOf('Event', `${name}.${reason}`, {
        reason,
        type,
        message: 'no metrics',
        lastTimestamp: ago(20),
        involvedObject: { kind: 'HorizontalPodAutoscaler', namespace: 'shop', name },
      });
    expect(await facts(event('till', 'FailedGetResourceMetric'))).toEqual([
      { active: false, reason: 'FailedGetResourceMetric', message: 'no metrics' },
    ]);
    expect(await facts(event('till', 'FailedGetScale'))).toEqual([{ able: false, reason: 'FailedGetScale', message: 'no metrics' }]);
    expect(await facts(event('till', 'SuccessfulRescale'), event('cart', 'FailedGetResourceMetric', 'Normal'))).toEqual([]);
    expect(await facts(autoscaler(undefined), event('web', 'FailedGetResourceMetric'))).toHaveLength(1);
  });

  it('is quoted with its condition, and is a target where it cannot scale', async () => {
    const told = async (one: KubeObject): Promise<readonly unknown[]> => {
      const { facts: all, targets } = await evidenceOf([one]);
      return [all.find(({ kind }) => kind === 'autoscaler')?.quote, targets.map(({ ref, state, reason }) => [ref.name, state, reason])];
    };
    expect(await told(autoscaler({ status: 'True', reason: 'ValidMetricFound', message: 'It works.' }))).toEqual([
      'ScalingActive=True ValidMetricFound It works.',
      [],
    ]);
    expect(await told(autoscaler({ status: 'False', reason: 'FailedGetResourceMetric' }))).toEqual([
      'ScalingActive=False FailedGetResourceMetric',
      [['web', 'unhealthy', 'FailedGetResourceMetric']],
    ]);
    expect(await told(autoscaler({ status: 'False' }))).toEqual(['ScalingActive=False', [['web', 'unhealthy', 'it cannot scale']]]);
    expect(await told(autoscaler({ status: 'False', reason: 'ScalingDisabled' }))).toEqual(['ScalingActive=False ScalingDisabled', []]);
    expect(await told(autoscaler(undefined))).toEqual(['no condition ScalingActive', []]);
    const without = objectOf('HorizontalPodAutoscaler', 'web', { spec: { scaleTargetRef: { name: 'web' } } });
    expect((await facts(without))[0]).toEqual({});
  });

  it('is told of what it scales, and of a warning that makes it a target', async () => {
    const of = async (kind: string, name: string, around: Parameters<typeof evidenceOf>[1] = {}): Promise<readonly unknown[]> =>
      (
        await evidenceOf([autoscaler(undefined), deployment({}), objectOf('StatefulSet', 'web', { spec: { replicas: 1 } })], {
          target: { kind, namespace: 'shop', name },
          ...around,
        })
      ).facts
        .filter((fact) => fact.kind === 'autoscaler')
        .map(({ about }) => about.name);
    expect(await of('Deployment', 'web')).toEqual(['web']);
    expect(await of('StatefulSet', 'web')).toEqual([]);
    expect(await of('HorizontalPodAutoscaler', 'web')).toEqual(['web']);
    expect(await of('HorizontalPodAutoscaler', 'till')).toEqual([]);
    const job = objectOf('Job', 'web', { spec: {}, status: {} });
    const { facts: none } = await evidenceOf([autoscaler(undefined), job], { target: { kind: 'Job', namespace: 'shop', name: 'web' } });
    expect(none.filter(({ kind }) => kind === 'autoscaler')).toEqual([]);
    const gaps = async (kind: string): Promise<number> =>
      (
        await evidenceOf([deployment({})], { refused: ['HorizontalPodAutoscaler'], target: { kind, namespace: 'shop', name: 'web' } })
      ).gaps.filter((gap) => gap.kind === 'autoscaler').length;
    expect(await gaps('HorizontalPodAutoscaler')).toBe(1);
    expect(await gaps('Deployment')).toBe(0);
  });

  it('looks at the requests of what it scales, in its own namespace', async () => {
    const other = deployment({});
    const unrequested = async (one: KubeObject): Promise<unknown> => (await facts(autoscaler(undefined), one))[0]?.['unrequested'];
    expect(await unrequested(other)).toBe('c0');
    expect(await unrequested({ ...other, kind: 'StatefulSet' })).toBeUndefined();
    expect(await unrequested({ ...other, metadata: { ...other.metadata, name: 'till' } })).toBeUndefined();
    const custom = { type: 'Pods', pods: {} };
    expect((await facts(autoscaler(undefined, [UTILIZATION, custom]), deployment({ requests: { cpu: '1' } })))[0]).not.toHaveProperty(
      'unrequested',
    );
  });
});
