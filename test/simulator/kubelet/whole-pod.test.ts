import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asObject } from '../../../src/base/json.ts';
import { machineRoom, podOn, put, shell, status } from './machine-room.ts';

/** As a kubelet of 1.36.3 showed these pods. */
function shownOf(pod: JsonObject, seconds: number): JsonObject {
  const cluster = machineRoom();
  put(cluster, pod);
  cluster.advance(seconds * 1000);
  const { phase, resources, allocatedResources } = asObject(status(cluster, 'web'));
  return { phase, resources, allocatedResources };
}

function withSpec(pod: JsonObject, more: (container: JsonObject) => JsonObject): JsonObject {
  const spec = asObject(pod['spec']);
  const [container] = spec['containers'] as readonly JsonObject[];
  return { ...pod, spec: { ...spec, ...more(container ?? {}) } };
}

describe('what the status says of a pod as a whole', () => {
  test('is nothing for a pod that asks for nothing', () => {
    expect(shownOf(podOn('web', shell('sleep 1000')), 10)).toEqual({ phase: 'Running', resources: {}, allocatedResources: undefined });
  });

  test('adds up its containers, and keeps a limit that only one of them has', () => {
    const one = { requests: { cpu: '100m', memory: '16Mi' }, limits: { cpu: '200m', memory: '32Mi' } };
    const other = { requests: { cpu: '50m', memory: '16Mi' }, limits: { memory: '32Mi' } };
    const pod = withSpec(podOn('web', { ...shell('sleep 1000'), resources: one }), (container) => ({
      containers: [container, { ...container, name: 'other', resources: other }],
    }));
    expect(shownOf(pod, 120)).toEqual({
      phase: 'Running',
      resources: { requests: { cpu: '150m', memory: '32Mi' }, limits: { cpu: '200m', memory: '64Mi' } },
      allocatedResources: { cpu: '150m', memory: '32Mi' },
    });
  });

  test('counts the step of the start that needs most', () => {
    const pod = withSpec(podOn('web', { ...shell('sleep 1000'), resources: { requests: { memory: '16Mi' } } }), (container) => ({
      initContainers: [
        { ...container, ...shell('sleep 3'), name: 'first', resources: { limits: { cpu: '500m' }, requests: { cpu: '500m' } } },
      ],
    }));
    const requests = { cpu: '500m', memory: '16Mi' };
    expect(shownOf(pod, 3)).toEqual({ phase: 'Pending', resources: { requests, limits: { cpu: '500m' } }, allocatedResources: requests });
  });

  test('is, once it runs, what is in its control group: no storage, and memory in pages', () => {
    const amounts = { cpu: '333m', memory: '50M', 'ephemeral-storage': '10Mi' };
    const pod = withSpec(podOn('web', { ...shell('sleep 5'), resources: { requests: amounts, limits: amounts } }), () => ({
      restartPolicy: 'Never',
    }));
    expect(shownOf(pod, 20)).toEqual({
      phase: 'Succeeded',
      resources: { requests: { cpu: '333m', memory: '50M' }, limits: { cpu: '333m', memory: '48828Ki' } },
      allocatedResources: amounts,
    });
  });

  test('is what was given to it as a whole', () => {
    const pod = withSpec(podOn('web', { ...shell('sleep 1000'), resources: { requests: { memory: '8Mi' } } }), (container) => ({
      resources: { requests: { cpu: '100m', memory: '8Mi' }, limits: { memory: '64Mi' } },
      containers: [container, { ...container, name: 'other', resources: {} }],
    }));
    const requests = { cpu: '100m', memory: '8Mi' };
    expect(shownOf(pod, 120)).toEqual({
      phase: 'Running',
      resources: { requests, limits: { memory: '64Mi' } },
      allocatedResources: requests,
    });
  });
});
