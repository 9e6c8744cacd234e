import { describe, expect, it } from 'vitest';
import { formatAmount, objectAmounts, podAmounts, shortResource } from '../../../../src/collect/request/quotas/quota-math.ts';

function shown(amounts: ReadonlyMap<string, bigint>): Readonly<Record<string, string>> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, formatAmount(name, amount)]));
}

describe('podAmounts', () => {
  it('adds up containers, and takes a limit for a request that is left out', () => {
    const spec = {
      containers: [
        { resources: { requests: { cpu: '100m' }, limits: { memory: '64Mi' } } },
        { resources: { requests: { cpu: '1', memory: '1Gi' } } },
      ],
    };
    expect(shown(podAmounts(spec))).toMatchObject({
      pods: '1',
      'requests.cpu': '1100m',
      cpu: '1100m',
      'requests.memory': '1088Mi',
      'limits.memory': '64Mi',
    });
  });

  it('takes the largest init container when it is larger than all main ones, with the sidecars before it', () => {
    const spec = {
      initContainers: [{ restartPolicy: 'Always', resources: { requests: { cpu: '100m' } } }, { resources: { requests: { cpu: '2' } } }],
      containers: [{ resources: { requests: { cpu: '500m' } } }],
    };
    expect(shown(podAmounts(spec))).toMatchObject({ 'requests.cpu': '2100m' });
  });

  it('counts a pod without resources as one pod and nothing else', () => {
    expect(shown(podAmounts(undefined))).toEqual({ pods: '1', 'count/pods': '1' });
  });
});

describe('objectAmounts', () => {
  it('knows what a claim takes, in all and of its class', () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: { storageClassName: 'fast', resources: { requests: { storage: '10Gi' } } },
    };
    expect(shown(objectAmounts(claim))).toEqual({
      'count/persistentvolumeclaims': '1',
      persistentvolumeclaims: '1',
      'requests.storage': '10Gi',
      'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
      'fast.storageclass.storage.k8s.io/requests.storage': '10Gi',
    });
  });

  it('knows what a Service takes by its type', () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { type: 'NodePort', ports: [{ port: 80 }, { port: 443 }] },
    };
    expect(shown(objectAmounts(service))).toEqual({ 'count/services': '1', services: '1', 'services.nodeports': '2' });
  });
});

describe('shortResource', () => {
  it.each([
    ['requests.cpu', 'cpu'],
    ['limits.memory', 'memory'],
    ['memory', 'memory'],
    ['pods', 'pods'],
    ['count/deployments.apps', 'deployments'],
    ['count/configmaps', 'configmaps'],
    ['requests.storage', 'storage'],
    ['fast.storageclass.storage.k8s.io/requests.storage', 'storage'],
    ['services.nodeports', 'services'],
    ['requests.nvidia.com/gpu', 'gpu'],
  ])('calls %s %s', (constraint, resource) => {
    expect(shortResource(constraint)).toBe(resource);
  });
});
