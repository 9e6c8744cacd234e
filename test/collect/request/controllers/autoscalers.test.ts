import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { ago, collected, objectOf } from '../../../support/collected.ts';

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
      { target: 'Deployment/web', active: true, reason: 'ValidMetricFound', message: 'It works.', metrics: 'cpu' },
    ]);
    expect(await facts(autoscaler({ status: 'False', reason: 'FailedGetResourceMetric' }))).toMatchObject([{ active: false }]);
    expect((await facts(autoscaler(undefined)))[0]).not.toHaveProperty('active');
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
    expect(await facts(event('till', 'SuccessfulRescale'), event('cart', 'FailedGetResourceMetric', 'Normal'))).toEqual([]);
    expect(await facts(autoscaler(undefined), event('web', 'FailedGetResourceMetric'))).toHaveLength(1);
  });
});
