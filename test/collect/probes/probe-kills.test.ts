import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { PRINTED_RESTARTS } from '../../../src/model/record-kinds.ts';
import { ago, collected, eventOn, evidenceOf, factsIn, objectOf, podWith } from '../../support/collected.ts';

const TCP = { tcpSocket: { port: 8080 }, periodSeconds: 10, failureThreshold: 3 };
const FIELD = { fieldPath: 'spec.containers{web}' };

/** A crashed container with probes, which ran for so many seconds. */
function crashed(container: JsonObject, seconds: number, ended: JsonObject = {}, status: JsonObject = {}): KubeObject {
  const terminated = { exitCode: 137, reason: 'Error', startedAt: ago(seconds + 20), finishedAt: ago(20), ...ended };
  return podWith(
    'web-1',
    container,
    { restartCount: 2, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated }, ...status },
    { spec: { terminationGracePeriodSeconds: 0 } },
  );
}

function killing(pod: KubeObject, probe: string, seconds: number, more: JsonObject = {}): KubeObject {
  return eventOn(pod, 'Killing', `Container web failed ${probe} probe, will be restarted`, seconds, { type: 'Normal', ...more });
}

function unhealthy(pod: KubeObject, message: string, seconds: number, more: JsonObject = {}): KubeObject {
  return eventOn(pod, 'Unhealthy', message, seconds, {
    involvedObject: { kind: 'Pod', namespace: 'shop', name: pod.metadata.name, ...FIELD },
    ...more,
  });
}

const probes = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('probe', objects);

describe('a container that is killed just when its probe runs out of patience', () => {
  it.each<readonly [string, KubeObject, object | undefined]>([
    ['at the earliest', crashed({ livenessProbe: TCP }, 20), { probe: 'liveness', kills: 2 }],
    ['too early', crashed({ livenessProbe: TCP }, 19), undefined],
    ['at the latest', crashed({ livenessProbe: TCP }, 35), { probe: 'liveness' }],
    ['too late', crashed({ livenessProbe: TCP }, 36), undefined],
    ['after an initial delay', crashed({ livenessProbe: { ...TCP, initialDelaySeconds: 30 } }, 65), { probe: 'liveness' }],
    ['before its initial delay', crashed({ livenessProbe: { ...TCP, initialDelaySeconds: 30 } }, 49), undefined],
    ['by SIGTERM', crashed({ livenessProbe: TCP }, 25, { exitCode: 143 }), { probe: 'liveness' }],
    ['ending well', crashed({ livenessProbe: TCP }, 25, { exitCode: 0 }), { probe: 'liveness' }],
    ['ending well without patience', crashed({ livenessProbe: { ...TCP, failureThreshold: 1 } }, 3, { exitCode: 0 }), undefined],
    ['by itself', crashed({ livenessProbe: TCP }, 25, { exitCode: 1 }), undefined],
    ['out of memory', crashed({ livenessProbe: TCP }, 25, { reason: 'OOMKilled' }), undefined],
    ['just once', crashed({ livenessProbe: TCP }, 25, {}, { restartCount: 1 }), undefined],
    ['with a readiness probe alone', crashed({ readinessProbe: TCP }, 25), undefined],
    ['before it has started', crashed({ startupProbe: TCP }, 25, {}, { started: false }), { probe: 'startup' }],
    ['after it had started', crashed({ startupProbe: TCP }, 25, {}, { started: true }), undefined],
    [
      'by the startup probe that holds the liveness probe back',
      crashed({ startupProbe: { ...TCP, failureThreshold: 9 }, livenessProbe: TCP }, 85, {}, { started: false }),
      { probe: 'startup' },
    ],
    [
      'and not by a liveness probe that is held back',
      crashed({ startupProbe: { ...TCP, failureThreshold: 9 }, livenessProbe: TCP }, 25, {}, { started: false }),
      undefined,
    ],
    [
      'by the liveness probe once it has started',
      crashed({ startupProbe: { ...TCP, failureThreshold: 9 }, livenessProbe: TCP }, 25, {}, { started: true }),
      { probe: 'liveness' },
    ],
  ])('%s', async (_, pod, expected) => {
    expect(await probes(pod)).toMatchObject(expected === undefined ? [] : [expected]);
  });

  it('is known by events, which outdo the arithmetic', async () => {
    const pod = crashed({ livenessProbe: TCP }, 25);
    expect(await probes(pod, killing(pod, 'liveness', 20, { count: 5 }))).toMatchObject([{ probe: 'liveness', kills: 5 }]);
    expect(await probes(pod, eventOn(pod, 'BackOff', 'Back-off restarting failed container', 20))).toEqual([]);
    expect(await probes(pod, unhealthy(pod, 'Liveness probe failed: dial tcp 10.0.0.9:8080: i/o timeout', 30))).toMatchObject([
      { probe: 'liveness', kills: 2, failure: 'timeout' },
    ]);
    expect(await probes(pod, unhealthy(pod, 'Readiness probe failed: dial tcp 10.0.0.9:8080: i/o timeout', 30))).toEqual([]);
  });

  it('is told by a signal and by the failures of its liveness probe, where its probes were not seen', async () => {
    const bare = (ended: JsonObject = {}): KubeObject => crashed({}, 25, ended);
    const failed = (count: number, more: JsonObject = {}, probe = 'Liveness'): KubeObject =>
      unhealthy(bare(), `${probe} probe failed: dial tcp 10.0.0.9:8080: i/o timeout`, 30, { count, ...more });
    const by = async (pod: KubeObject, ...events: readonly KubeObject[]): Promise<unknown> =>
      (await collected('exit', [pod, ...events]))[0]?.['endedBy'];
    expect(await by(bare(), failed(3))).toBe('liveness');
    expect(await by(bare({ exitCode: 143 }), failed(3))).toBe('liveness');
    expect(await by(bare(), failed(2))).toBeUndefined();
    expect(await by(bare(), failed(2), failed(1, { metadata: { name: 'other', namespace: 'shop' } }))).toBe('liveness');
    expect(await by(bare({ exitCode: 1 }), failed(3))).toBeUndefined();
    expect(await by(bare({ reason: 'OOMKilled' }), failed(3))).toBeUndefined();
    expect(await by(bare(), failed(3, {}, 'Readiness'))).toBeUndefined();
    const elsewhere = { involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1', fieldPath: 'spec.containers{other}' } };
    expect(await by(bare(), failed(3, elsewhere))).toBeUndefined();
    expect(await by(bare(), failed(3, { involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1' } }))).toBe('liveness');
    expect(await by(bare(), failed(3, { reason: 'Warned' }))).toBeUndefined();
    expect(await by(crashed({ readinessProbe: TCP }, 25), failed(3))).toBeUndefined();
  });

  it('counts the kills of its last probe alone', async () => {
    const pod = crashed({ startupProbe: TCP, livenessProbe: TCP }, 3, {}, { started: true });
    const kills = [killing(pod, 'startup', 300, { count: 4 }), killing(pod, 'liveness', 200, { count: 2 }), killing(pod, 'liveness', 100)];
    expect(await probes(pod, ...kills)).toMatchObject([{ probe: 'liveness', kills: 3 }]);
  });

  it('is over a quarter of an hour later', async () => {
    const pod = crashed({ livenessProbe: TCP }, 3);
    expect(await probes(pod, killing(pod, 'liveness', 900))).toMatchObject([{ kills: 1 }]);
    expect(await probes(pod, killing(pod, 'liveness', 901))).toEqual([]);
  });

  it('goes on being killed when its events are held back for long', async () => {
    const pod = crashed({ livenessProbe: TCP }, 25);
    const [fact] = await probes(
      pod,
      killing(pod, 'liveness', 2400, { count: 6 }),
      unhealthy(pod, 'Liveness probe failed: timed out', 2400),
    );
    expect(fact).toMatchObject({ probe: 'liveness', kills: 6 });
    const unseen = crashed({}, 3);
    expect(await collected('exit', [unseen, killing(unseen, 'liveness', 2400)])).toMatchObject([{ endedBy: 'liveness' }]);
  });

  it('goes on being killed at its first failure, and ends well each time', async () => {
    const pod = crashed({ livenessProbe: { ...TCP, periodSeconds: 2, failureThreshold: 1 } }, 1, { exitCode: 0, reason: 'Completed' });
    expect(await probes(pod, killing(pod, 'liveness', 2400))).toMatchObject([{ probe: 'liveness', kills: 1 }]);
    expect(await probes(pod, killing(pod, 'startup', 2400))).toEqual([]);
  });

  it('is not what ends it by itself, long after a probe has', async () => {
    const pod = crashed({ livenessProbe: TCP }, 25, { exitCode: 1 });
    const endedBy = async (seconds: number): Promise<unknown> =>
      (await collected('exit', [pod, killing(pod, 'liveness', seconds)])).map((fields) => fields['endedBy']);
    expect([await endedBy(2400), await endedBy(600)]).toEqual([[undefined], ['liveness']]);
  });

  it('that runs again was killed once, which may not happen again', async () => {
    const running = (startedAt: string): KubeObject => {
      const pod = crashed({ livenessProbe: TCP }, 300, {}, { ready: true, state: { running: { startedAt } } });
      return { ...pod, status: { ...(pod['status'] as JsonObject), conditions: [] } };
    };
    const pod = running(ago(800));
    expect(await probes(pod, killing(pod, 'liveness', 801))).toEqual([]);
    expect(await probes(pod, killing(pod, 'liveness', 801, { count: 2 }))).toMatchObject([{ kills: 2 }]);
    expect(await probes(pod, killing(pod, 'liveness', 700))).toMatchObject([{ kills: 1 }]);
  });
});

describe('a probe that fails now', () => {
  const LIVENESS = { livenessProbe: TCP };
  const running = (container: JsonObject, status: JsonObject = {}, seconds = 300): KubeObject =>
    podWith('web-1', container, { ready: true, started: true, state: { running: { startedAt: ago(seconds) } }, ...status });
  const failing = (pod: KubeObject, probe: string, seconds: number, count: number): KubeObject =>
    unhealthy(pod, `${probe} probe failed: dial tcp 10.0.0.9:8080: connect: connection refused`, seconds, { count });

  it('failed twice, within three periods', async () => {
    const pod = running(LIVENESS, { restartCount: 1 });
    expect(await probes(pod, failing(pod, 'Liveness', 36, 2))).toMatchObject([{ probe: 'liveness', kills: 0, failure: 'refused' }]);
    expect(await probes(pod, failing(pod, 'Liveness', 37, 2))).toEqual([]);
    expect(await probes(pod, failing(pod, 'Liveness', 5, 1))).toEqual([]);
    const restarted = running(LIVENESS, { restartCount: 1 }, 4);
    expect(await probes(restarted, failing(restarted, 'Liveness', 5, 2))).toEqual([]);
    expect(await probes(restarted, failing(restarted, 'Liveness', 4, 2))).toHaveLength(1);
  });

  it('failed nobody knows when, where its event has no time: only a startup probe then still fails', async () => {
    const timeless = (pod: KubeObject, probe: string): KubeObject =>
      unhealthy(pod, `${probe} probe failed: hm`, 5, { count: 9, lastTimestamp: null });
    const pod = running(LIVENESS, { restartCount: 1 });
    expect(await probes(pod, timeless(pod, 'Liveness'))).toEqual([]);
    const starting = running({ startupProbe: TCP }, { ready: false, started: false });
    expect(await probes(starting, timeless(starting, 'Startup'))).toHaveLength(1);
  });

  it('of a container that is ready and was never restarted failed as often as its threshold', async () => {
    const pod = running(LIVENESS);
    expect(await probes(pod, failing(pod, 'Liveness', 5, 2))).toEqual([]);
    expect(await probes(pod, failing(pod, 'Liveness', 5, 3))).toHaveLength(1);
    const unready = running(LIVENESS, { ready: false });
    expect(await probes(unready, failing(unready, 'Liveness', 5, 2))).toHaveLength(1);
  });

  it('at the start may take its whole window', async () => {
    const starting = (seconds: number): KubeObject => running({ startupProbe: TCP }, { ready: false, started: false }, seconds);
    expect(await probes(starting(30), failing(starting(30), 'Startup', 5, 3))).toEqual([]);
    expect(await probes(starting(31), failing(starting(31), 'Startup', 5, 3))).toMatchObject([{ probe: 'startup', started: false }]);
    expect(await probes(starting(300), failing(starting(300), 'Startup', 200, 3))).toHaveLength(1);
    expect(await probes(starting(300), failing(starting(300), 'Startup', 301, 3))).toEqual([]);
  });

  it('is that of the container which the event names, or of the only one that has it', async () => {
    const sidecar = { name: 'proxy', livenessProbe: { tcpSocket: { port: 15021 } } };
    const own = { name: 'web', ...LIVENESS };
    const both = podWith(
      'web-1',
      {},
      { restartCount: 1, ready: true, state: { running: { startedAt: ago(300) } } },
      { spec: { containers: [own, sidecar] } },
    );
    const unnamed = (port: number): KubeObject =>
      eventOn(both, 'Unhealthy', `Liveness probe failed: dial tcp 10.0.0.9:${String(port)}: connect: connection refused`, 5, { count: 3 });
    expect(await probes(both, failing(both, 'Liveness', 5, 3))).toMatchObject([{ container: 'web' }]);
    expect(await probes(both, unnamed(8080))).toMatchObject([{ container: 'web' }]);
    expect(await probes(both, unnamed(15021))).toEqual([]);
    expect(await probes(both, eventOn(both, 'Unhealthy', 'Liveness probe failed: no answer', 5, { count: 3 }))).toHaveLength(1);
  });

  it('tells what an earlier failure said, where the last says nothing', async () => {
    const pod = running(LIVENESS, { restartCount: 1 });
    const objects = [failing(pod, 'Liveness', 20, 2), unhealthy(pod, 'Liveness probe failed: hm', 5)];
    expect(await probes(pod, ...objects)).toMatchObject([{ failure: 'refused', message: 'Liveness probe failed: hm' }]);
    expect(await probes(pod, unhealthy(pod, 'Liveness probe failed: hm', 5, { count: 3 }))).toMatchObject([{ failure: 'other' }]);
  });
});

describe('a readiness probe', () => {
  const READINESS = { readinessProbe: TCP };
  const unready = (seconds: number, more: JsonObject = {}): KubeObject =>
    podWith('web-1', READINESS, { ready: false, started: true, state: { running: { startedAt: ago(seconds) } }, ...more });
  const REFUSED = 'Readiness probe failed: dial tcp 10.0.0.9:8080: connect: connection refused';

  it('has failed once it failed as often as its threshold, or its window is over', async () => {
    expect(await probes(unready(30), unhealthy(unready(30), REFUSED, 5, { count: 2 }))).toEqual([]);
    expect(await probes(unready(30), unhealthy(unready(30), REFUSED, 5, { count: 3 }))).toHaveLength(1);
    expect(await probes(unready(31), unhealthy(unready(31), REFUSED, 5))).toHaveLength(1);
  });

  it('does not matter while a rollout is covered by the pods before it', async () => {
    const owned = (seconds: number): KubeObject => {
      const pod = unready(seconds);
      const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'u', controller: true }];
      return { ...pod, metadata: { ...pod.metadata, ownerReferences } };
    };
    const above = (status: JsonObject): readonly KubeObject[] => [
      objectOf(
        'ReplicaSet',
        'web-1',
        { spec: { replicas: 1 } },
        { ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] },
      ),
      objectOf('Deployment', 'web', { spec: { replicas: 2 }, status }),
    ];
    const covered = { replicas: 3, readyReplicas: 2, updatedReplicas: 1 };
    expect(await probes(owned(60), ...above(covered))).toEqual([]);
    expect(await probes(owned(61), ...above(covered))).toHaveLength(1);
    expect(await probes(owned(60), ...above({ ...covered, readyReplicas: 1 }))).toHaveLength(1);
    expect(await probes(owned(60), ...above({ replicas: 2, readyReplicas: 2, updatedReplicas: 2 }))).toHaveLength(1);
    expect(await probes(owned(60), ...above({ replicas: 3, readyReplicas: 2, updatedReplicas: 2 }))).toEqual([]);
    expect(await probes(owned(60), ...above({ replicas: 2, readyReplicas: 2, updatedReplicas: 1 }))).toEqual([]);
  });
});

describe('the probe of a pod that only events tell of', () => {
  const POD = objectOf('Pod', 'web-1', {});
  const seen = async (...events: readonly KubeObject[]): Promise<ReturnType<typeof factsIn>> =>
    factsIn(await evidenceOf(events, { refused: ['Pod'] }), 'probe');
  const GET = 'Readiness probe failed: Get "https://10.0.1.7:8443/healthz": dial tcp 10.0.1.7:8443: connect: connection refused';

  it('asks what its failure tells', async () => {
    expect(await seen(unhealthy(POD, GET, 5, { count: 3 }))).toEqual([
      {
        container: 'web',
        probe: 'readiness',
        handler: 'http',
        scheme: 'HTTPS',
        port: 8443,
        path: '/healthz',
        failure: 'refused',
        message: GET,
        kills: 0,
      },
    ]);
    expect(
      await seen(unhealthy(POD, 'Liveness probe failed: dial tcp 10.0.1.7:5432: connect: connection refused', 5, { count: 3 })),
    ).toMatchObject([{ probe: 'liveness', handler: 'tcp', failure: 'refused' }]);
  });

  it('may be at its first failures', async () => {
    expect(await seen(unhealthy(POD, GET, 5, { count: 2 }))).toEqual([]);
    expect(await seen(unhealthy(POD, GET, 5, { lastTimestamp: null }))).toHaveLength(1);
    const uncounted = unhealthy(POD, GET, 5);
    expect(await seen(uncounted)).toEqual([]);
    const pulled = (seconds: number): KubeObject => eventOn(POD, 'Pulled', '', seconds, { type: 'Normal' });
    expect(await seen(uncounted, pulled(65))).toHaveLength(1);
    expect(await seen(uncounted, pulled(64))).toEqual([]);
    expect(await seen(uncounted, pulled(65), eventOn(POD, 'BackOff', 'Back-off restarting failed container', 4))).toEqual([]);
  });

  it('is an old one where the container still ends again and again, unless it was only not ready', async () => {
    const loop = (seconds: number, container = 'web'): KubeObject =>
      eventOn(POD, 'BackOff', 'Back-off restarting failed container', seconds, {
        involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1', fieldPath: `spec.containers{${container}}` },
      });
    const pulled = eventOn(POD, 'Pulled', '', 5, { type: 'Normal' });
    const failed = (probe: string, seconds: number): KubeObject =>
      unhealthy(POD, `${probe} probe failed: HTTP probe failed with statuscode: 500`, seconds, { count: 3 });
    const told = async (...events: readonly KubeObject[]): Promise<readonly unknown[]> => (await seen(...events)).map(({ probe }) => probe);
    for (const probe of ['Startup', 'Liveness']) {
      expect(await told(failed(probe, 905), pulled)).toEqual([probe.toLowerCase()]);
      expect(await told(failed(probe, 906), pulled)).toEqual([]);
      expect(await told(failed(probe, 3000), loop(5))).toEqual([probe.toLowerCase()]);
      expect(await told(failed(probe, 3000), loop(5, 'proxy'))).toEqual([]);
    }
    expect(await told(failed('Readiness', 905), pulled)).toEqual(['readiness']);
    expect(await told(failed('Readiness', 906), pulled)).toEqual([]);
    expect(await told(failed('Readiness', 5), loop(4))).toEqual([]);
    expect(await told(failed('Readiness', 5), loop(304))).toEqual([]);
    expect(await told(failed('Readiness', 5), loop(305))).toEqual(['readiness']);
    expect(await told(failed('Readiness', 5), loop(4, 'proxy'))).toEqual(['readiness']);
  });

  it('is of the only container that its events name', async () => {
    const unnamed = eventOn(POD, 'Unhealthy', GET, 5, { count: 3 });
    const of = (container: string): KubeObject =>
      eventOn(POD, 'Started', '', 50, {
        involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1', fieldPath: `spec.containers{${container}}` },
      });
    expect(await seen(unnamed, of('web'))).toMatchObject([{ container: 'web' }]);
    expect(await seen(unnamed)).toMatchObject([{ container: '<container>' }]);
    expect(await seen(unnamed, of('web'), { ...of('proxy'), metadata: { ...of('proxy').metadata, name: 'other' } })).toMatchObject([
      { container: '<container>' },
    ]);
  });

  it('for which it is ended again and again is told without its failure', async () => {
    const killed = killing(POD, 'liveness', 5);
    expect(await seen(killed)).toEqual([]);
    expect(await seen(killing(POD, 'liveness', 5, { count: 2 }))).toEqual([{ container: 'web', probe: 'liveness', kills: 2 }]);
    expect(await seen(killed, eventOn(POD, 'BackOff', 'Back-off restarting failed container', 4))).toEqual([
      { container: 'web', probe: 'liveness', kills: 1 },
    ]);
    expect(await seen(killing(POD, 'startup', 5, { count: 2 }))).toMatchObject([{ probe: 'startup' }]);
    expect(
      await seen(
        killing(POD, 'liveness', 5, { count: 2 }),
        unhealthy(POD, 'Liveness probe failed: HTTP probe failed with statuscode: 500', 6, { count: 6 }),
      ),
    ).toMatchObject([{ probe: 'liveness', kills: 2, failure: 'status', status: 500 }]);
  });

  it('is told of a ready pod whose list prints no containers, where it was killed', async () => {
    const row: KubeObject = {
      ...objectOf('Pod', 'web-1', { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }),
      [OBSERVED]: ['metadata.name', 'status.phase', 'status.conditions'],
    };
    expect(await probes(row, killing(row, 'liveness', 5, { count: 3 }))).toMatchObject([{ probe: 'liveness', kills: 3 }]);
    expect(await probes(row, killing(row, 'liveness', 5))).toEqual([]);
    const printed = (restarts: string): KubeObject => ({
      ...row,
      metadata: { ...row.metadata, annotations: { [PRINTED_RESTARTS]: restarts } },
    });
    expect(await probes(printed('2'), killing(row, 'liveness', 5))).toMatchObject([{ probe: 'liveness', kills: 1 }]);
    expect(await probes(printed('1'), killing(row, 'liveness', 5))).toEqual([]);
    expect(await probes(row, unhealthy(row, GET, 5, { count: 9 }))).toEqual([]);
  });
});
