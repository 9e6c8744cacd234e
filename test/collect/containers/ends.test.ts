import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { ago, collected, collectedLive, eventOn, evidenceOf, factsIn, objectOf, podWith } from '../../support/collected.ts';
import { POD, fieldOf, running, said, terminated } from '../../support/ended-container.ts';

describe('a container that its memory limit killed', () => {
  const oom = (status: JsonObject, container: JsonObject = {}): ReturnType<typeof collected> =>
    collected('oom', [podWith('web-1', container, status)]);
  const KILLED = terminated({ reason: 'OOMKilled', exitCode: 137 });
  const LIMIT = { resources: { limits: { memory: '64Mi' } } };

  it('is told with its limit and how long it ran', async () => {
    expect(await oom({ restartCount: 2, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: KILLED }, LIMIT)).toEqual([
      { container: 'web', how: 'container', memoryLimit: '64Mi', restarts: 2, runSeconds: 20 },
    ]);
    expect(await oom({ restartCount: 2, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: terminated() })).toEqual([]);
  });

  it('and that is well again is told where it was killed three times, the last within the hour', async () => {
    const well = (restartCount: number, finished: number): Promise<readonly unknown[]> =>
      oom(
        running(finished - 1, {
          restartCount,
          lastState: terminated({ reason: 'OOMKilled', startedAt: ago(finished + 1), finishedAt: ago(finished) }),
        }),
      );
    expect(await well(3, 3599)).toHaveLength(1);
    expect(await well(3, 3600)).toEqual([]);
    expect(await well(2, 3599)).toEqual([]);
  });

  it('is not told of a pod that is being deleted', async () => {
    const pod = podWith('web-1', {}, { state: KILLED });
    expect(await collected('oom', [{ ...pod, metadata: { ...pod.metadata, deletionTimestamp: ago(5) } }])).toEqual([]);
    expect(await collected('oom', [pod])).toHaveLength(1);
  });

  it('may be all that a list of pods prints', async () => {
    const row = (reason: string, annotations: JsonObject = {}): KubeObject => ({
      ...objectOf('Pod', 'web-1', { status: { phase: 'Running', reason } }, { annotations }),
      [OBSERVED]: ['metadata.name', 'status.phase', 'status.reason'],
    });
    const restarts = { 'podcheck/printed-restarts': '7' };
    expect(await collected('oom', [row('OOMKilled', restarts)])).toEqual([{ container: '<container>', how: 'container', restarts: 7 }]);
    expect(await collected('oom', [row('Init:OOMKilled')])).toHaveLength(1);
    expect(await collected('oom', [row('CrashLoopBackOff', { 'podcheck/printed-end': 'OOMKilled' })])).toHaveLength(1);
    expect(await collected('oom', [row('CrashLoopBackOff', { 'podcheck/printed-end': 'Error' })])).toEqual([]);
    expect(await collected('oom', [row('Error', { 'podcheck/printed-end': 'OOMKilled' })])).toEqual([]);
  });
});

describe('a preStop hook that failed', () => {
  const hooked = (lifecycle: JsonObject, name = 'web'): KubeObject =>
    podWith(
      'web-1',
      {},
      {},
      {
        spec: {
          containers: [
            { name: 'proxy', lifecycle: { preStop: { exec: { command: ['other'] } } } },
            { name, lifecycle },
          ],
        },
      },
    );
  const hooks = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('hook', objects);
  const FAILED = said('FailedPreStopHook', 'PreStopHook failed', 900);

  it('is told with what it runs or asks', async () => {
    expect(await hooks(hooked({ preStop: { exec: { command: ['sh', '-c', 'drain'] } } }), FAILED)).toEqual([
      { container: 'web', hook: 'preStop', command: 'sh -c drain' },
    ]);
    expect(await hooks(hooked({ preStop: { httpGet: { path: '/drain', port: 80 } } }), FAILED)).toMatchObject([{ command: '/drain' }]);
    expect(await hooks(hooked({}), FAILED)).toEqual([{ container: 'web', hook: 'preStop' }]);
  });

  it('is told of a pod that is gone, for a quarter of an hour', async () => {
    expect(await hooks(FAILED)).toEqual([{ container: 'web', hook: 'preStop' }]);
    expect(await hooks(said('FailedPreStopHook', 'PreStopHook failed', 901))).toEqual([]);
    expect(await hooks(said('FailedPostStartHook', 'PostStartHook failed', 5))).toEqual([]);
  });

  it('is that of the pod which the event is about', async () => {
    const other = hooked({ preStop: { exec: { command: ['drain'] } } });
    expect(await hooks({ ...other, metadata: { ...other.metadata, name: 'web-2' } }, FAILED)).toEqual([
      { container: 'web', hook: 'preStop' },
    ]);
  });
});

describe('a container that could not be started', () => {
  const failures = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('start-failure', objects);
  const waiting = (reason: string, message?: string, more: JsonObject = {}): KubeObject =>
    podWith(
      'web-1',
      { resources: { limits: { memory: '4Mi' } } },
      { state: { waiting: { reason, ...(message === undefined ? {} : { message }) } }, ...more },
    );
  const WHY = 'secret "till" not found';

  it.each([
    'CreateContainerConfigError',
    'CreateContainerError',
    'RunContainerError',
    'PostStartHookError',
    'PreCreateHookError',
    'PreStartHookError',
    'ContainerCannotRun',
  ])('waits with %s', async (reason) => {
    expect(await failures(waiting(reason, WHY))).toEqual([
      { container: 'web', role: 'main', detail: WHY, reason, message: WHY, memoryLimit: '4Mi' },
    ]);
  });

  it('does not wait with other reasons', async () => {
    for (const reason of ['CrashLoopBackOff', 'ImagePullBackOff', 'ContainerCreating'])
      expect(await failures(waiting(reason, WHY)), reason).toEqual([]);
  });

  it('is told by how it ended, where it never ran', async () => {
    const ended = (reason: string): KubeObject =>
      waiting('CrashLoopBackOff', undefined, { lastState: terminated({ reason, exitCode: 128, message: 'exec: no such file' }) });
    expect(await failures(ended('StartError'))).toMatchObject([{ reason: 'CrashLoopBackOff', message: 'exec: no such file' }]);
    expect(await failures(ended('ContainerCannotRun'))).toHaveLength(1);
    expect(await failures(ended('Error'))).toEqual([]);
  });

  it('is told by the latest event of its own that says why', async () => {
    const silent = waiting('CreateContainerConfigError');
    const events = [said('Failed', `Error: ${WHY}`, 30), said('Failed', 'Error: older', 60), said('Failed', 'Error: ErrImagePull', 5)];
    expect(await failures(silent, ...events)).toMatchObject([{ message: `Error: ${WHY}`, detail: WHY }]);
    expect(await failures(silent, said('Failed', 'Error: other trouble', 5, fieldOf('proxy')))).toEqual([]);
    expect(await failures(silent, said('Failed', `no error: ${WHY}`, 5))).toEqual([]);
    expect(await failures(silent, said('Warned', `Error: ${WHY}`, 5))).toEqual([]);
    expect(await failures(waiting('CrashLoopBackOff'), said('Failed', `Error: ${WHY}`, 5))).toEqual([]);
  });

  it('is explained by the last parts of what the runtime says', async () => {
    const detail = async (message: string): Promise<unknown> => (await failures(waiting('RunContainerError', message)))[0]?.['detail'];
    expect(await detail('a: b: c: d: e: unknown')).toBe('c: d: e');
    expect(await detail('Error: a: b\nsecond line')).toBe('a: b');
    expect(String(await detail(`x${'y'.repeat(500)}`))).toHaveLength(400);
  });

  it('waits for a hook that has not ended half a minute after the start', async () => {
    const hanging = (hook: JsonObject, reason = 'ContainerCreating'): KubeObject =>
      podWith('web-1', { lifecycle: { postStart: hook } }, { state: { waiting: { reason } } });
    const EXEC = { exec: { command: ['sh', 'warm.sh'] } };
    const started = (seconds: number): KubeObject => said('Started', 'Container started', seconds, { type: 'Normal' });
    expect(await failures(hanging(EXEC), started(30))).toEqual([
      {
        container: 'web',
        role: 'main',
        hanging: true,
        command: 'sh warm.sh',
        reason: 'ContainerCreating',
        message: 'started 30s ago, and still ContainerCreating',
        detail: 'started 30s ago, and still ContainerCreating',
      },
    ]);
    expect(await failures(hanging({ httpGet: { path: '/warm' } }), started(30))).toMatchObject([{ command: '/warm' }]);
    expect(await failures(hanging(EXEC), started(29))).toEqual([]);
    expect(await failures(hanging(EXEC))).toEqual([]);
    expect(await failures(hanging(EXEC, 'PodInitializing'), started(60))).toEqual([]);
    expect(await failures(podWith('web-1', {}, { state: { waiting: { reason: 'ContainerCreating' } } }), started(60))).toEqual([]);
    expect(await failures(hanging(EXEC), said('Started', '', 60, fieldOf('proxy')))).toEqual([]);
    const forgotten = (seconds: number): KubeObject => {
      const pod = hanging(EXEC);
      const conditions = [{ type: 'PodReadyToStartContainers', status: 'True', lastTransitionTime: ago(seconds) }];
      return { ...pod, status: { ...(pod['status'] as JsonObject), conditions } };
    };
    expect(await failures(forgotten(7200))).toMatchObject([{ message: 'given its sandbox 7200s ago, and still ContainerCreating' }]);
    expect(await failures(forgotten(3600))).toEqual([]);
    expect(await failures(forgotten(7200), said('Pulling', 'Pulling image', 60, { type: 'Normal' }))).toEqual([]);
  });

  it('is told by its present message before its last run, and tells where it was read', async () => {
    const source = async (status: JsonObject): Promise<unknown> => {
      const { facts } = await evidenceOf([podWith('web-1', {}, status)]);
      return facts.filter(({ kind }) => kind === 'start-failure').map((fact) => fact.source);
    };
    const end = terminated({ reason: 'StartError', exitCode: 128, message: 'exec: no such file' });
    const place = 'Pod/shop/web-1 container web';
    expect(await source({ state: end })).toEqual([`${place} state: StartError`]);
    expect(await source({ state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: end })).toEqual([
      `${place} last state: StartError`,
    ]);
    expect(await source({ state: { waiting: { reason: 'RunContainerError', message: WHY } }, lastState: end })).toEqual([
      `${place} waiting: RunContainerError`,
    ]);
    const hook = said('FailedPostStartHook', 'PostStartHook failed', 30);
    const down = (exitCode: number): KubeObject => waiting('CrashLoopBackOff', undefined, { lastState: terminated({ exitCode }) });
    expect(await failures(down(137), hook)).toMatchObject([{ message: 'PostStartHook failed', reason: 'CrashLoopBackOff' }]);
    expect(await failures(down(1), hook)).toEqual([]);
    expect(await failures(podWith('web-1', {}, { ready: true, state: { running: { startedAt: ago(900) } } }), hook)).toEqual([]);
  });

  it('is not told of a pod that is being deleted', async () => {
    const pod = waiting('RunContainerError', WHY);
    expect(await failures({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: ago(5) } })).toEqual([]);
  });

  it('of a pod that only events tell of is told by its latest failed start', async () => {
    const seen = async (...events: readonly KubeObject[]): Promise<readonly unknown[]> =>
      factsIn(await evidenceOf(events, { refused: ['Pod'] }), 'start-failure');
    const failed = said('Failed', `Error: ${WHY}`, 50);
    expect(await seen(failed, said('Failed', 'Error: older', 80))).toEqual([
      { container: 'web', detail: WHY, reason: 'Failed', message: `Error: ${WHY}` },
    ]);
    expect(await seen(failed, said('Started', '', 20))).toEqual([]);
    expect(await seen(failed, said('Started', '', 70))).toHaveLength(1);
    expect(await seen(said('FailedPostStartHook', 'PostStartHook failed', 50))).toMatchObject([{ reason: 'FailedPostStartHook' }]);
    expect(await seen(said('Failed', `Error: ${WHY}`, 901), said('Pulled', '', 5))).toEqual([]);
  });
});

describe('a container that runs again', () => {
  const exits = (status: JsonObject, list = collected): Promise<readonly unknown[]> => list('exit', [podWith('web-1', {}, status)]);

  it('has not settled where it was restarted twice and runs no longer than three of its runs', async () => {
    expect(await exits(running(59, { restartCount: 2 }))).toMatchObject([{ up: true, again: true }]);
    expect(await exits(running(60, { restartCount: 2 }))).toEqual([]);
    const long = { lastState: terminated({ startedAt: ago(200), finishedAt: ago(100) }), restartCount: 2 };
    expect(await exits(running(299, long))).toHaveLength(1);
    expect(await exits(running(300, long))).toEqual([]);
    const hour = { lastState: terminated({ startedAt: ago(3701), finishedAt: ago(101) }), restartCount: 2 };
    expect(await exits(running(100, hour))).toEqual([]);
  });

  it('after its first failure is told for moments, and of a live cluster alone', async () => {
    expect(await exits(running(20), collectedLive)).toMatchObject([{ again: false, up: true }]);
    expect(await exits(running(21), collectedLive)).toEqual([]);
    expect(await exits(running(20))).toEqual([]);
    expect(await exits(running(20, { lastState: terminated({ exitCode: 0 }) }), collectedLive)).toEqual([]);
  });

  it('and is not ready is told for ten minutes, unless its node was to blame', async () => {
    expect(await exits(running(599, { ready: false }))).toHaveLength(1);
    expect(await exits(running(600, { ready: false }))).toEqual([]);
    expect(await exits(running(599, { ready: false, restartCount: 0 }))).toEqual([]);
    for (const reason of ['Unknown', 'ContainerStatusUnknown'])
      expect(await exits(running(599, { ready: false, lastState: terminated({ reason, exitCode: 255 }) }))).toEqual([]);
  });
});

describe('a container that the kubelet lost', () => {
  const lost = (reason: string): JsonObject => terminated({ reason, exitCode: 137, message: 'The container could not be located' });

  it.each(['Unknown', 'ContainerStatusUnknown'])('(%s) is a gap, whether it has ended or waits to be made again', async (reason) => {
    for (const status of [
      { state: lost(reason) },
      { state: { waiting: { reason: 'ContainerCreating' } }, lastState: lost(reason), restartCount: 1 },
    ]) {
      const evidence = await evidenceOf([podWith('web-1', {}, status)]);
      expect(factsIn(evidence, 'exit')).toEqual([]);
      expect(evidence.gaps.some((gap) => gap.kind === 'exit' && gap.reason.includes(`web (${reason})`))).toBe(true);
    }
  });
});

describe('the exit of a pod that only events tell of', () => {
  const BACK_OFF = 'Back-off restarting failed container web in pod web-1_shop(uid)';
  const backOff = (seconds: number, list = 'containers'): KubeObject => said('BackOff', BACK_OFF, seconds, fieldOf('web', list));
  const exits = async (...events: readonly KubeObject[]): Promise<readonly unknown[]> =>
    factsIn(await evidenceOf(events, { refused: ['Pod'] }), 'exit');

  it('is told by its back-off', async () => {
    expect(await exits(backOff(5))).toEqual([{ container: 'web', role: 'main', helper: false, again: true, up: false }]);
    expect(await exits(backOff(5, 'initContainers'))).toMatchObject([{ role: 'init', class: 'error' }]);
    const besides = said('Started', '', 50, { ...fieldOf('main'), type: 'Normal' });
    expect(await exits(backOff(5, 'initContainers'), besides)).toMatchObject([{ role: 'sidecar', helper: true }]);
    expect(await exits(backOff(5), said('Failed', 'Error: no such file', 50))).toMatchObject([{ class: 'not-started' }]);
    expect(await exits(said('BackOff', 'Back-off pulling image "web:1"', 5))).toEqual([]);
    expect(await exits(backOff(901), said('Pulled', '', 0))).toEqual([]);
  });

  it('is that of a sidecar only where a container proper was started beside it', async () => {
    const role = async (event: KubeObject): Promise<unknown> => {
      const found = await exits(backOff(5, 'initContainers'), event);
      return found.map((fact) => (fact as Readonly<Record<string, unknown>>)['role']);
    };
    expect(await role(said('Started', '', 50, fieldOf('main')))).toEqual(['sidecar']);
    expect(await role(said('Started', '', 50, fieldOf('other', 'initContainers')))).toEqual(['init']);
    expect(await role(said('Pulled', '', 50, fieldOf('main')))).toEqual(['init']);
    expect(await role(eventOn(POD, 'Started', '', 50))).toEqual(['init']);
  });

  it('was no start that failed where another event begins like one', async () => {
    expect((await exits(backOff(5), said('Warned', 'Error: no such file', 50)))[0]).not.toHaveProperty('class');
    expect((await exits(backOff(5), said('Failed', 'An error', 50)))[0]).not.toHaveProperty('class');
  });

  it('was brought about by a probe or a hook, where an event says so', async () => {
    expect(await exits(backOff(5), said('Killing', 'Container web failed liveness probe, will be restarted', 20))).toMatchObject([
      { endedBy: 'liveness' },
    ]);
    expect(await exits(backOff(5), said('FailedPostStartHook', 'PostStartHook failed', 20))).toMatchObject([
      { endedBy: 'post-start-hook' },
    ]);
  });

  it('is a gap where it is not told how it ended', async () => {
    const { gaps } = await evidenceOf([backOff(5)], { refused: ['Pod'] });
    expect(gaps.filter(({ kind }) => kind === 'exit')).toMatchObject([{ needs: 'kubectl -n shop describe pod web-1' }]);
    const { gaps: none } = await evidenceOf([backOff(5, 'initContainers')], { refused: ['Pod'] });
    expect(none.filter(({ kind }) => kind === 'exit')).toEqual([]);
  });

  it('is told by what a list of pods prints', async () => {
    const row = (annotations: JsonObject): KubeObject => ({
      ...objectOf('Pod', 'web-1', { status: { phase: 'Running', reason: 'CrashLoopBackOff' } }, { annotations }),
      [OBSERVED]: ['metadata.name', 'status.phase', 'status.reason'],
    });
    const printed = { 'podcheck/printed-end': 'Completed', 'podcheck/printed-restarts': '4' };
    expect(await collected('exit', [row(printed), backOff(5)])).toMatchObject([
      { class: 'completed', exitCode: 0, restartPolicy: 'Always', restarts: 4, again: true },
    ]);
    expect(await collected('exit', [row({}), backOff(5)])).toMatchObject([{ container: 'web', role: 'main' }]);
  });
});

describe('a pod that has only begun', () => {
  const service = objectOf('Service', 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });
  const starting = async (
    status: JsonObject,
    {
      age = 10,
      spec = {},
      phase = 'Running',
      conditions = [],
    }: { readonly age?: number; readonly spec?: JsonObject; readonly phase?: string; readonly conditions?: readonly JsonObject[] } = {},
  ): Promise<unknown> => {
    const pod = podWith('web-1', spec, status, { status: { phase, conditions: [...conditions] } });
    const labelled = { ...pod, metadata: { ...pod.metadata, labels: { app: 'web' }, creationTimestamp: ago(age) } };
    return (await collected('service', [service, labelled]))[0]?.['starting'];
  };
  const CREATING = { state: { waiting: { reason: 'ContainerCreating' } } };

  it('is starting for half a minute', async () => {
    expect(await starting(CREATING, { age: 30, phase: 'Pending' })).toBe(true);
    expect(await starting(CREATING, { age: 31, phase: 'Pending' })).toBeUndefined();
    expect(await starting(CREATING, { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False' }] })).toBeUndefined();
    expect(await starting(CREATING, { phase: 'Failed' })).toBeUndefined();
    expect(await starting({ ...CREATING, restartCount: 1 }, { phase: 'Pending' })).toBeUndefined();
    expect(await starting({ state: { waiting: { reason: 'ErrImagePull' } } }, { phase: 'Pending' })).toBeUndefined();
  });

  it('is starting while its probes have their time', async () => {
    const up = (seconds: number): JsonObject => ({ ready: false, state: { running: { startedAt: ago(seconds) } } });
    const short = { readinessProbe: { tcpSocket: { port: 1 }, periodSeconds: 1, failureThreshold: 2 } };
    expect(await starting(up(30), { spec: short, age: 100 })).toBe(true);
    expect(await starting(up(31), { spec: short, age: 100 })).toBeUndefined();
    const long = { readinessProbe: { tcpSocket: { port: 1 }, periodSeconds: 10, failureThreshold: 4 } };
    expect(await starting(up(40), { spec: long, age: 100 })).toBe(true);
    expect(await starting(up(41), { spec: long, age: 100 })).toBeUndefined();
    const spec = { readinessProbe: { tcpSocket: { port: 1 }, periodSeconds: 5, failureThreshold: 4 } };
    const both = { ...spec, startupProbe: { tcpSocket: { port: 1 }, periodSeconds: 10, failureThreshold: 6 } };
    expect(await starting(up(80), { spec: both, age: 100 })).toBe(true);
    expect(await starting(up(81), { spec: both, age: 100 })).toBeUndefined();
  });
});
