import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { probesOf, windowOf } from '../../../src/collect/probes/probe-specs.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { ago, collected, eventOn, evidenceOf, objectOf, podWith } from '../../support/collected.ts';

function specOf(probe: JsonObject, ports: readonly JsonObject[] = []): ReturnType<typeof probesOf>[number] | undefined {
  return probesOf({ name: 'web', role: 'main', spec: { name: 'web', ports: [...ports], livenessProbe: probe }, status: undefined })[0];
}

describe('a probe', () => {
  it.each<readonly [JsonObject, object]>([
    [{ httpGet: { port: 8080, path: '/live' } }, { handler: 'http', port: 8080, path: '/live', scheme: 'HTTP' }],
    [{ httpGet: { port: '8080', scheme: 'HTTPS' } }, { handler: 'http', port: 8080, scheme: 'HTTPS' }],
    [{ httpGet: { port: 'http' } }, { handler: 'http', portName: 'http', port: 80 }],
    [{ httpGet: { port: 'htpt' } }, { handler: 'http', portName: 'htpt', port: undefined }],
    [{ tcpSocket: { port: 5432 } }, { handler: 'tcp', port: 5432, scheme: undefined }],
    [{ grpc: { port: 9090 } }, { handler: 'grpc', port: 9090 }],
    [{ exec: { command: ['cat', '/tmp/ok'] } }, { handler: 'exec', command: 'cat /tmp/ok', port: undefined }],
  ])('is what its spec says: %j', (probe, expected) => {
    expect(specOf(probe, [{ name: 'http', containerPort: 80 }])).toMatchObject({ probe: 'liveness', ...expected });
  });

  it('has the usual times where it says none, and a window from them', () => {
    const usual = specOf({ tcpSocket: { port: 1 } });
    expect(usual).toMatchObject({ initialDelaySeconds: 0, periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 });
    expect(usual === undefined ? 0 : windowOf(usual)).toBe(30);
    const own = specOf({ tcpSocket: { port: 1 }, initialDelaySeconds: 5, periodSeconds: 2, timeoutSeconds: 3, failureThreshold: 4 });
    expect(own === undefined ? 0 : windowOf(own)).toBe(13);
    expect(specOf({ periodSeconds: 5 })).toBeUndefined();
  });

  it('comes in the order of startup, readiness and liveness', () => {
    const all = Object.fromEntries(['livenessProbe', 'readinessProbe', 'startupProbe'].map((name) => [name, { tcpSocket: { port: 1 } }]));
    expect(probesOf({ name: 'web', role: 'main', spec: { name: 'web', ...all }, status: undefined }).map(({ probe }) => probe)).toEqual([
      'startup',
      'readiness',
      'liveness',
    ]);
  });
});

function unready(container: JsonObject, more: JsonObject = {}): KubeObject {
  return podWith('web-1', container, { ready: false, started: true, state: { running: { startedAt: ago(3600) } }, ...more });
}

function failing(message: string, { count = 5, seconds = 5 }: { readonly count?: number; readonly seconds?: number } = {}): KubeObject {
  return objectOf('Event', `web-1.${String(seconds)}`, {
    reason: 'Unhealthy',
    message,
    type: 'Warning',
    count,
    lastTimestamp: ago(seconds),
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1', fieldPath: 'spec.containers{web}' },
  });
}

async function probe(...objects: readonly KubeObject[]): Promise<Readonly<Record<string, unknown>>> {
  return (await collected('probe', objects))[0] ?? {};
}

const HTTP = {
  ports: [{ name: 'web', containerPort: 8080 }],
  readinessProbe: { httpGet: { port: 8080, path: '/ready' }, periodSeconds: 5 },
};

describe('a probe that fails', () => {
  it('has what it asks, how often, and what came of it', async () => {
    expect(await probe(unready(HTTP), failing('Readiness probe failed: HTTP probe failed with statuscode: 503'))).toMatchObject({
      container: 'web',
      probe: 'readiness',
      handler: 'http',
      field: 'httpGet',
      port: 8080,
      portNames: 'web',
      onlyPortName: 'web',
      path: '/ready',
      scheme: 'HTTP',
      status: 503,
      message: 'Readiness probe failed: HTTP probe failed with statuscode: 503',
      kills: 0,
      windowSeconds: 15,
      initialDelaySeconds: 0,
      periodSeconds: 5,
      timeoutSeconds: 1,
      failureThreshold: 3,
      started: true,
      hasStartupProbe: false,
    });
  });

  it('tells whether the port that it names is there, and which are', async () => {
    const named = (port: string, ports: readonly JsonObject[]): KubeObject =>
      unready({ ports: [...ports], readinessProbe: { httpGet: { port } } });
    expect(
      await probe(
        named('htpt', [
          { name: 'http', containerPort: 80 },
          { name: 'dns', containerPort: 53 },
        ]),
      ),
    ).toMatchObject({ portName: 'htpt', portNameExists: false, portNames: 'http, dns' });
    expect(await probe(named('http', [{ name: 'http', containerPort: 80 }]))).toMatchObject({ portNameExists: true, port: 80 });
    expect(await probe(named('http', [{ containerPort: 80 }]))).toMatchObject({ portNameExists: false, onlyPort: 80 });
    const two = await probe(named('http', [{ containerPort: 80 }, { containerPort: 81 }]));
    expect(two).not.toHaveProperty('onlyPort');
    expect(two).not.toHaveProperty('portNames');
  });

  it('is told by a container that is not ready after its window, and by none before', async () => {
    const since = (seconds: number): KubeObject => unready(HTTP, { state: { running: { startedAt: ago(seconds) } } });
    expect(await probe(since(17))).toMatchObject({ probe: 'readiness' });
    expect(await probe(since(16))).toEqual({});
    expect(await probe(unready(HTTP, { ready: true }))).toEqual({});
  });

  it('of a container that is being started is not told, nor one that its startup probe holds back', async () => {
    const held = { ...HTTP, startupProbe: { tcpSocket: { port: 8080 } } };
    expect((await collected('probe', [unready(held, { started: false })])).filter(({ probe: one }) => one === 'readiness')).toEqual([]);
    expect((await collected('probe', [unready(held)])).filter(({ probe: one }) => one === 'readiness')).toMatchObject([
      { hasStartupProbe: true },
    ]);
  });

  it('is not told of a pod that is being deleted, or of an init container', async () => {
    const pod = unready(HTTP);
    expect(await probe({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: ago(5) } })).toEqual({});
    const init = { ...pod, spec: { containers: [{ name: 'web' }], initContainers: [{ name: 'side', ...HTTP }] } };
    const status = {
      phase: 'Pending',
      initContainerStatuses: [{ name: 'side', ready: false, state: { running: { startedAt: ago(900) } } }],
    };
    expect(await probe({ ...init, status })).toEqual({});
    const sidecar = {
      ...init,
      spec: { containers: [{ name: 'web' }], initContainers: [{ name: 'side', restartPolicy: 'Always', ...HTTP }] },
    };
    expect(await probe({ ...sidecar, status })).toMatchObject({ container: 'side' });
    expect(await probe(unready(HTTP, { state: { waiting: { reason: 'ContainerCreating' } } }))).toEqual({});
  });

  it('is quoted where no event tells of it', async () => {
    const quotes = async (pod: KubeObject): Promise<readonly unknown[]> =>
      (await evidenceOf([pod])).facts.filter(({ kind }) => kind === 'probe').map(({ source, quote }) => [source, quote]);
    const place = 'Pod/shop/web-1 container web';
    expect(await quotes(unready(HTTP))).toEqual([[place, 'readiness probe: http port 8080; state: running, ready: false, restarts: 0']]);
    expect(await quotes(unready({ readinessProbe: { exec: { command: ['true'] } } }, { restartCount: 2 }))).toEqual([
      [place, 'readiness probe: exec; state: running, ready: false, restarts: 2'],
    ]);
  });

  it('tells nothing of the port that it names where a source shows no names', async () => {
    const named = (shown: readonly string[]): KubeObject => ({
      ...unready({ ports: [{ containerPort: 80 }], readinessProbe: { httpGet: { port: 'http' } } }),
      [OBSERVED]: ['metadata', 'status', 'spec.containers.readinessProbe', 'spec.containers.ports.containerPort', ...shown],
    });
    expect(await probe(named([]))).not.toHaveProperty('portNameExists');
    expect(await probe(named(['spec.containers.ports.name']))).toMatchObject({ portNameExists: false });
    expect(await probe(unready(HTTP))).not.toHaveProperty('portNameExists');
  });

  it('has the scheme that its port speaks, where it uses the other one', async () => {
    const scheme = async (asked: string, message: string): Promise<readonly unknown[]> => {
      const httpGet = { port: 8080, scheme: asked };
      const found = await probe(
        unready({ readinessProbe: { httpGet } }),
        failing(`Readiness probe failed: Get "http://10.0.0.9:8080/": ${message}`),
      );
      return [found['speaks'], found['rightScheme'], found['grpcPort']];
    };
    const [TLS, PLAIN, HTTP2] = [
      'net/http: HTTP/1.x transport connection broken: malformed HTTP response "\\x15\\x03\\x01"',
      'http: server gave HTTP response to HTTPS client',
      'http2: server sent GOAWAY and closed the connection',
    ];
    expect(await scheme('HTTP', TLS)).toEqual(['https', 'HTTPS', undefined]);
    expect(await scheme('HTTPS', PLAIN)).toEqual(['http', 'HTTP', undefined]);
    expect(await scheme('HTTP', PLAIN)).toEqual(['http', undefined, undefined]);
    expect(await scheme('HTTPS', TLS)).toEqual(['https', undefined, undefined]);
    expect(await scheme('HTTP', HTTP2)).toEqual(['grpc', undefined, 8080]);
    const grpc = await probe(unready({ readinessProbe: { grpc: { port: 8080 } } }), failing(`Readiness probe failed: ${HTTP2}`));
    expect(grpc).not.toHaveProperty('grpcPort');
    const tcp = unready({ readinessProbe: { tcpSocket: { port: 8080 } }, ports: [{ name: 'https', containerPort: 8080 }] });
    expect(await probe(tcp)).toMatchObject({ speaks: 'https' });
    expect(await probe(tcp)).not.toHaveProperty('rightScheme');
  });

  it('tells what an earlier failure said, but for a command, of which the last counts', async () => {
    const told = async (container: JsonObject, last: string): Promise<unknown> =>
      (
        await probe(
          unready(container),
          failing('Readiness probe failed: HTTP probe failed with statuscode: 500', { seconds: 60 }),
          failing('Readiness probe failed: HTTP probe failed with statuscode: 503', { seconds: 40 }),
          failing(`Readiness probe failed: ${last}`, { seconds: 20 }),
        )
      )['status'];
    expect(await told(HTTP, 'hm')).toBe(503);
    expect(await told(HTTP, 'HTTP probe failed with statuscode: 404')).toBe(404);
    expect(await told({ readinessProbe: { exec: { command: ['cat', '/ok'] } } }, 'hm')).toBeUndefined();
  });

  it('of one of several containers is that whose port an event names', async () => {
    const containers = [
      { name: 'web', ...HTTP },
      { name: 'side', readinessProbe: { tcpSocket: { port: 9090 } } },
    ];
    const running = { ready: false, started: true, restartCount: 0, state: { running: { startedAt: ago(5) } } };
    const pod = objectOf('Pod', 'web-1', {
      spec: { containers, nodeName: 'worker-1' },
      status: { phase: 'Running', containerStatuses: containers.map(({ name }) => ({ name, ...running })) },
    });
    const of = async (message: string): Promise<readonly unknown[]> =>
      (await collected('probe', [pod, eventOn(pod, 'Unhealthy', `Readiness probe failed: ${message}`, 2, { count: 5 })])).map(
        ({ container }) => container,
      );
    expect(await of('dial tcp 10.0.0.9:9090: connect: connection refused')).toEqual(['side']);
    expect(await of('Get "http://10.0.0.9:8080/ready": EOF')).toEqual(['web']);
    expect(await of('hm')).toEqual(['web', 'side']);
    expect(await of('dial tcp 10.0.0.9:7070: connect: connection refused')).toEqual([]);
  });
});
