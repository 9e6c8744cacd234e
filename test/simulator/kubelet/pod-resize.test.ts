import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asObject, dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { failureOf, objectOf, send } from '../shop.ts';
import { container, events, get, logsOf, machineRoom, partFault, podOn, put, shell, status } from './machine-room.ts';

const SMALL = { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '200m', memory: '128Mi' } };
const LARGE = { requests: { cpu: '300m', memory: '64Mi' }, limits: { cpu: '400m', memory: '256Mi' } };

function resize(cluster: Cluster, name: string, resources: JsonObject): ReturnType<typeof send> {
  const body = { spec: { containers: [{ name: 'web', resources }] } };
  return send(cluster, 'patch', 'Pod', name, { subresource: 'resize', patch: { type: 'strategic', body } });
}

function conditions(cluster: Cluster, name: string): readonly JsonObject[] {
  return asList(dig(status(cluster, name), 'conditions'))
    .map(asObject)
    .filter(({ type }) => type === 'PodResizePending' || type === 'PodResizeInProgress');
}

/** A node on which another pod takes what web is to get. */
function withoutRoom(): Cluster {
  const cluster = machineRoom();
  put(cluster, podOn('web', { resources: SMALL }), podOn('bulk', { resources: { requests: { cpu: '3' } } }));
  cluster.advance(5000);
  objectOf(resize(cluster, 'web', { requests: { cpu: '1500m' }, limits: { cpu: '2' } }));
  cluster.advance(2000);
  return cluster;
}

describe('a pod that is resized', () => {
  test('gets what it asks for while it runs, and tells when', () => {
    const cluster = machineRoom();
    const script = 'while true; do cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu.weight; sleep 5; done';
    put(cluster, podOn('web', { ...shell(script), resources: SMALL }));
    cluster.advance(8000);
    expect(container(cluster, 'web')).toMatchObject({ allocatedResources: SMALL.requests, resources: SMALL });
    const resized = objectOf(resize(cluster, 'web', LARGE));
    expect(resized.metadata['generation']).toBe(2);
    cluster.advance(100);
    expect(conditions(cluster, 'web')).toMatchObject([{ type: 'PodResizeInProgress', status: 'True', observedGeneration: 2 }]);
    expect(container(cluster, 'web')).toMatchObject({ allocatedResources: LARGE.requests });
    cluster.advance(10_000);
    expect(conditions(cluster, 'web')).toEqual([]);
    expect(container(cluster, 'web')).toMatchObject({ resources: LARGE, restartCount: 0 });
    expect(status(cluster, 'web')).toMatchObject({ observedGeneration: 2 });
    expect(logsOf(cluster, 'web').slice(0, 3)).toEqual(['134217728', '20000 100000', '17']);
    expect(logsOf(cluster, 'web').slice(-3)).toEqual(['268435456', '40000 100000', '40']);
    const summary = `{"containers":[{"name":"web","resources":{"limits":{"cpu":"400m","memory":"256Mi"},"requests":{"cpu":"300m","memory":"64Mi"}}}],"generation":2}`;
    expect(events(cluster, 'web').filter((line) => line.includes('Resize'))).toEqual([
      `Normal ResizeStarted ×1 Pod resize started: ${summary}`,
      `Normal ResizeCompleted ×1 Pod resize completed: ${summary}`,
    ]);
  });

  test.each([
    ['of CPU', { requests: { cpu: '1k' }, limits: { cpu: '1k' } }, /: cpu, requested: 1000000, allocatable: \d+$/],
    [
      'of both',
      { requests: { cpu: '9', memory: '1Ti' }, limits: { cpu: '10', memory: '1Ti' } },
      /: cpu, requested: 9000, [^;]*; memory, requested: 1099511627776, /,
    ],
  ])('is refused more %s than its node has', (_, resources, words) => {
    const cluster = machineRoom();
    put(cluster, podOn('web', { resources: SMALL }));
    cluster.advance(5000);
    const { message, status: refusal } = failureOf(resize(cluster, 'web', resources));
    expect(message).toMatch(/^pods "web" is forbidden: node didn't have enough allocatable resources: /);
    expect(message).toMatch(words);
    expect(dig(refusal, 'details', 'causes')).toEqual([{ reason: 'NodeCapacity' }]);
    expect([dig(status(cluster, 'web'), 'observedGeneration'), conditions(cluster, 'web')]).toEqual([1, []]);
  });

  test('starts again where it says so', () => {
    const cluster = machineRoom();
    const resizePolicy = [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }];
    put(cluster, podOn('web', { resources: SMALL, resizePolicy }));
    cluster.advance(5000);
    objectOf(resize(cluster, 'web', { requests: { cpu: '150m' } }));
    cluster.advance(5000);
    expect(container(cluster, 'web')).toMatchObject({ restartCount: 0, resources: { requests: { cpu: '150m' } } });
    objectOf(resize(cluster, 'web', { limits: { memory: '256Mi' } }));
    cluster.advance(60_000);
    expect(container(cluster, 'web')).toMatchObject({ restartCount: 1, ready: true, resources: { limits: { memory: '256Mi' } } });
    expect(events(cluster, 'web')).toContainEqual(expect.stringContaining('Killing ×1 Container web resize requires restart'));
  });

  test('waits for room on its node, with what it has', () => {
    const cluster = withoutRoom();
    const message = "Node didn't have enough resource: cpu, requested: 1500, used: 3000, capacity: 4000";
    expect(conditions(cluster, 'web')).toMatchObject([{ type: 'PodResizePending', reason: 'Deferred', message, observedGeneration: 2 }]);
    expect(container(cluster, 'web')).toMatchObject({ allocatedResources: SMALL.requests, resources: SMALL });
    expect(events(cluster, 'web').filter((line) => line.startsWith('Warning ResizeDeferred ×1 Pod resize Deferred: {'))).toHaveLength(1);
    objectOf(send(cluster, 'delete', 'Pod', 'bulk', { delete: { gracePeriodSeconds: 1 } }));
    cluster.advance(20_000);
    expect(conditions(cluster, 'web')).toEqual([]);
    expect(container(cluster, 'web')).toMatchObject({ resources: { requests: { cpu: '1500m' }, limits: { cpu: '2' } } });
  });

  test('that asks for what it had no longer waits', () => {
    const cluster = withoutRoom();
    objectOf(resize(cluster, 'web', SMALL));
    cluster.advance(2000);
    expect(conditions(cluster, 'web')).toEqual([]);
    expect(dig(get(cluster, 'pods', 'web'), 'spec', 'containers', 0, 'resources')).toEqual(SMALL);
  });

  test('cannot have less memory than it uses', () => {
    const uses = partFault('behaviour', 'registry.example/shop/web', { memory: [{ afterSeconds: 0, bytes: 100_000_000 }] });
    const cluster = machineRoom({ setup: [uses] });
    put(cluster, podOn('web', { resources: SMALL }));
    cluster.advance(5000);
    objectOf(resize(cluster, 'web', { limits: { memory: '64Mi' } }));
    cluster.advance(20_000);
    const message =
      'cannot decrease memory limits: attempting to set container "web" memory limit (67108864) below current usage (100000000)';
    expect(conditions(cluster, 'web')).toMatchObject([{ type: 'PodResizeInProgress', reason: 'Error', message }]);
    expect(events(cluster, 'web').filter((line) => line.startsWith('Warning ResizeError ×1 Pod resize error: {'))).toHaveLength(1);
    expect(container(cluster, 'web')).toMatchObject({ restartCount: 0, resources: SMALL });
  });
});

describe('a resize', () => {
  test.each([
    ['of nothing but amounts', { requests: { cpu: '1', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi', 'example.com/gpu': 1 } }],
  ])('is refused that is not one: %s', (_, resources) => {
    const cluster = machineRoom();
    put(cluster, podOn('web', { resources: SMALL }));
    expect(failureOf(resize(cluster, 'web', resources)).message).toContain('spec: Forbidden: only cpu and memory resources are mutable');
  });

  test('takes no amount away, adds no container and keeps the class of the pod', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', { resources: SMALL }));
    const patched = (spec: JsonObject): string =>
      failureOf(send(cluster, 'patch', 'Pod', 'web', { subresource: 'resize', patch: { type: 'merge', body: { spec } } })).message;
    const web = { name: 'web', image: 'registry.example/shop/web:1.0' };
    expect(patched({ containers: [{ ...web, resources: { requests: SMALL.requests, limits: { cpu: '1' } } }] })).toContain(
      'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
    );
    expect(
      patched({
        containers: [
          { ...web, resources: SMALL },
          { ...web, name: 'more' },
        ],
      }),
    ).toContain('spec.containers: Forbidden: containers may not be added or removed on resize');
    expect(patched({ containers: [{ ...web, resources: { requests: SMALL.limits, limits: SMALL.limits } }] })).toContain(
      'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
    );
  });

  test('leaves everything else of the pod as it was', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', { resources: SMALL }));
    const body = {
      metadata: { labels: { app: 'other' } },
      spec: { activeDeadlineSeconds: 5, containers: [{ name: 'web', resources: LARGE }] },
    };
    const resized = objectOf(send(cluster, 'patch', 'Pod', 'web', { subresource: 'resize', patch: { type: 'strategic', body } }));
    expect(resized.metadata['labels']).toMatchObject({ app: 'web' });
    expect(dig(resized, 'spec', 'activeDeadlineSeconds')).toBeUndefined();
    expect(dig(resized, 'spec', 'containers', 0, 'resources')).toEqual(LARGE);
  });
});
