import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import { condition, container, events, get, machineRoom, partFault, podOn, put, shell, status } from './machine-room.ts';

const IMAGE = 'registry.example/shop/web';
const HTTP = { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 5 };
const SECONDS = { tcpSocket: { port: 8080 }, periodSeconds: 1 };

function probed(probe: JsonObject, behaviour: Readonly<Record<string, unknown>>, more: JsonObject = {}) {
  const cluster = machineRoom({ setup: [partFault('behaviour', IMAGE, behaviour)] });
  put(cluster, podOn('web', { readinessProbe: probe, ...more }));
  return cluster;
}

describe('a readiness probe', () => {
  test('of a server that answers makes the pod ready a moment after it runs', () => {
    const cluster = probed(HTTP, {});
    cluster.advance(3000);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
    expect(events(cluster, 'web').filter((line) => line.includes('Unhealthy'))).toEqual([]);
  });

  test.each([
    ['an answer of 503', HTTP, { answers: [{ path: '/healthz', status: 503 }] }, 'HTTP probe failed with statuscode: 503'],
    [
      'a server on loopback only',
      HTTP,
      { listens: [{ port: 8080, address: '127.0.0.1' }] },
      'Get "http://IP:8080/healthz": dial tcp IP:8080: connect: connection refused',
    ],
    [
      'an answer that takes too long',
      HTTP,
      { answers: [{ path: '/healthz', status: 200, afterMilliseconds: 3000 }] },
      'Get "http://IP:8080/healthz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    ],
    [
      'HTTPS asked of HTTP',
      { httpGet: { path: '/', port: 8080, scheme: 'HTTPS' } },
      { listens: [{ port: 8080 }] },
      'Get "https://IP:8080/": http: server gave HTTP response to HTTPS client',
    ],
    ['a closed port', { tcpSocket: { port: 5432 } }, { listens: [{ port: 8080 }] }, 'dial tcp IP:5432: connect: connection refused'],
    [
      'gRPC asked of HTTP',
      { grpc: { port: 8080 } },
      { listens: [{ port: 8080 }] },
      'timeout: failed to connect service "IP:8080" within 1s: context deadline exceeded',
    ],
  ])('that gets %s is told, and the pod is not ready', (_, probe, behaviour, output) => {
    const cluster = probed(probe, behaviour);
    cluster.advance(12_000);
    const ip = textOf(dig(status(cluster, 'web'), 'podIP'));
    expect(events(cluster, 'web').find((line) => line.includes('Unhealthy'))).toMatch(/^Warning Unhealthy/);
    expect(events(cluster, 'web').some((line) => line.endsWith(`Readiness probe failed: ${output.replaceAll('IP', ip)}`))).toBe(true);
    expect(condition(cluster, 'web', 'Ready')).toBe('False ContainersNotReady containers with unready status: [web]');
    expect(dig(container(cluster, 'web'), 'restartCount')).toBe(0);
  });

  // A pod's status says that its container runs until the sandbox is stopped, too.
  test('is still asked of a server that has just ended with its pod', () => {
    const cluster = machineRoom();
    const server = shell('nc -lk -p 8080 -e true & trap "sleep 1; exit 0" TERM; while :; do sleep 1; done', { readinessProbe: SECONDS });
    put(cluster, podOn('web', server));
    cluster.advance(4500);
    const unhealthy = (): readonly string[] => events(cluster, 'web').filter((line) => line.includes('Unhealthy'));
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
    expect(unhealthy()).toEqual([]);
    cluster.request({ verb: 'delete', group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'web' });
    cluster.advance(10_000);
    expect(get(cluster, 'pods', 'web')).toBeUndefined();
    expect(unhealthy()).toEqual([expect.stringContaining('connect: connection refused')]);
  });

  test('of a port by a name nobody declares is an error, not a failure', () => {
    const cluster = probed({ httpGet: { path: '/', port: 'http' } }, {});
    cluster.advance(3000);
    expect(
      events(cluster, 'web').some((line) =>
        line.includes('Readiness probe errored and resulted in unknown state: strconv.Atoi: parsing "http": invalid syntax'),
      ),
    ).toBe(true);
  });

  test('makes the pod ready when the server begins to answer, and unready when it stops', () => {
    const cluster = probed(HTTP, {
      answers: [
        { path: '/healthz', status: 503, untilSeconds: 20 },
        { path: '/healthz', status: 500, fromSeconds: 60 },
      ],
    });
    cluster.advance(15_000);
    expect(condition(cluster, 'web', 'Ready')).toMatch(/^False/);
    cluster.advance(15_000);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
    cluster.advance(60_000);
    expect(condition(cluster, 'web', 'Ready')).toMatch(/^False/);
  });

  test('that runs a command fails with its output, and errs when there is no such program', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', shell('sleep 3600', { readinessProbe: { exec: { command: ['cat', '/tmp/ready'] } } })));
    put(cluster, podOn('api', shell('sleep 3600', { readinessProbe: { exec: { command: ['/bin/grpc_health_probe'] } } })));
    put(cluster, podOn('slow', shell('sleep 3600', { readinessProbe: { exec: { command: ['sleep', '20'] } } })));
    cluster.advance(6000);
    expect(events(cluster, 'web').at(-1)).toContain("Readiness probe failed: cat: can't open '/tmp/ready': No such file or directory");
    expect(events(cluster, 'api').at(-1)).toMatch(
      /Readiness probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "\/bin\/grpc_health_probe": stat \/bin\/grpc_health_probe: no such file or directory/,
    );
    expect(events(cluster, 'slow').at(-1)).toContain('Readiness probe failed: command timed out: "sleep 20" timed out after 1s');
  });

  test('costs nothing while nothing changes', () => {
    const cluster = probed(HTTP, {});
    cluster.advance(10_000);
    const before = cluster.steps;
    cluster.advance(3_600_000);
    expect(cluster.steps - before).toBeLessThan(20);
  });
});

test('a liveness probe that fails restarts the container', () => {
  const cluster = probed(
    { tcpSocket: { port: 8080 } },
    { answers: [{ path: '/alive', status: 500, fromSeconds: 10 }] },
    { livenessProbe: { httpGet: { path: '/alive', port: 8080 }, periodSeconds: 5 } },
  );
  cluster.advance(45_000);
  expect(
    events(cluster, 'web').some(
      (line) => line.startsWith('Normal Killing') && line.endsWith('Container web failed liveness probe, will be restarted'),
    ),
  ).toBe(true);
  expect(dig(container(cluster, 'web'), 'restartCount')).toBeGreaterThanOrEqual(1);
});

test('a startup probe holds the others back, and ends a container that does not come up', () => {
  const slow = probed(HTTP, { startsInSeconds: 20 }, { startupProbe: { ...HTTP, failureThreshold: 10 } });
  slow.advance(10_000);
  expect(dig(container(slow, 'web'), 'started')).toBe(false);
  slow.advance(25_000);
  expect(condition(slow, 'web', 'Ready')).toBe('True');
  const never = probed(HTTP, { startsInSeconds: 600 }, { startupProbe: { ...HTTP, failureThreshold: 2 } });
  never.advance(20_000);
  expect(events(never, 'web').some((line) => line.endsWith('Container web failed startup probe, will be restarted'))).toBe(true);
});

test('a readiness gate keeps the pod from being ready until its condition is true', () => {
  const cluster = machineRoom();
  put(cluster, podOn('web', {}, { readinessGates: [{ conditionType: 'example.com/lb' }] }));
  cluster.advance(3000);
  expect(condition(cluster, 'web', 'Ready')).toBe(
    'False ReadinessGatesNotReady corresponding condition of pod readiness gate "example.com/lb" does not exist.',
  );
  expect(condition(cluster, 'web', 'ContainersReady')).toBe('True');
  cluster.request({
    verb: 'patch',
    group: '',
    version: 'v1',
    resource: 'pods',
    namespace: 'shop',
    name: 'web',
    subresource: 'status',
    patch: { type: 'strategic', body: { status: { conditions: [{ type: 'example.com/lb', status: 'True' }] } } },
  });
  cluster.advance(3000);
  expect(condition(cluster, 'web', 'Ready')).toBe('True');
  expect(condition(cluster, 'web', 'example.com/lb')).toBe('True');
});
