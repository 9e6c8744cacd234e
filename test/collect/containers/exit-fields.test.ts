import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, objectOf, podWith } from '../../support/collected.ts';

/** A container that ended so, and waits to be started again. */
function ended(
  terminated: JsonObject,
  more: JsonObject = {},
  container: JsonObject = {},
  pod: Parameters<typeof podWith>[3] = {},
): KubeObject {
  const status = {
    restartCount: 3,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
    lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: ago(60), finishedAt: ago(40), ...terminated } },
    ...more,
  };
  return podWith('web-1', container, status, pod);
}

async function exit(...objects: readonly KubeObject[]): Promise<Readonly<Record<string, unknown>>> {
  return (await collected('exit', objects))[0] ?? {};
}

function event(reason: string, message: string, seconds: number, fieldPath = 'spec.containers{web}', type = 'Warning'): KubeObject {
  return objectOf('Event', `web-1.${reason}.${String(seconds)}`, {
    reason,
    message,
    type,
    count: 3,
    lastTimestamp: ago(seconds),
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1', fieldPath },
  });
}

describe('the signal of an exit', () => {
  it.each([
    [129, 'SIGHUP', 'crashed'],
    [130, 'SIGINT', 'terminated'],
    [131, 'SIGQUIT', 'crashed'],
    [132, 'SIGILL', 'crashed'],
    [134, 'SIGABRT', 'crashed'],
    [135, 'SIGBUS', 'crashed'],
    [136, 'SIGFPE', 'crashed'],
    [137, 'SIGKILL', 'killed'],
    [139, 'SIGSEGV', 'crashed'],
    [141, 'SIGPIPE', 'crashed'],
    [143, 'SIGTERM', 'terminated'],
    [128, undefined, 'error'],
    [140, undefined, 'error'],
    [2, undefined, 'error'],
  ])('with code %d is %s', async (exitCode, signalName, name) => {
    const { signalName: found, class: kind } = await exit(ended({ exitCode }));
    expect([found, kind]).toEqual([signalName, name]);
  });
});

describe('an exit', () => {
  it('has what the kubelet says of it', async () => {
    const limits = { resources: { limits: { memory: '64Mi' } } };
    expect(await exit(ended({ message: 'first line\nlast line\n' }, {}, limits))).toEqual({
      container: 'web',
      role: 'main',
      helper: false,
      class: 'error',
      exitCode: 1,
      reason: 'Error',
      message: 'first line\nlast line\n',
      restarts: 3,
      runSeconds: 20,
      restartPolicy: 'Always',
      memoryLimit: '64Mi',
      again: true,
      lastWords: 'last line',
      up: false,
    });
  });

  it('took no time that is known where the container never began', async () => {
    const never = await exit(ended({ exitCode: 128, reason: 'StartError', startedAt: '1970-01-01T00:00:00Z' }));
    expect(never).toMatchObject({ class: 'not-started' });
    expect(never).not.toHaveProperty('runSeconds');
    expect(await exit(ended({ exitCode: 127, reason: 'ContainerCannotRun' }))).toMatchObject({ class: 'not-started' });
  });

  it('is of a helper where it stands beside the container of the pod, and that one is well', async () => {
    const beside = (name: string, annotations: JsonObject, isWell: boolean): KubeObject => {
      const own = ended({});
      const other = {
        name: 'till',
        ready: isWell,
        restartCount: 0,
        state: isWell ? { running: { startedAt: ago(600) } } : { waiting: { reason: 'ImagePullBackOff' } },
      };
      const statuses = (own['status'] as JsonObject)['containerStatuses'] as readonly JsonObject[];
      return {
        ...own,
        metadata: { ...own.metadata, annotations },
        spec: {
          ...(own['spec'] as JsonObject),
          containers: [
            { name, image: 'a' },
            { name: 'till', image: 'b' },
          ],
        },
        status: { ...(own['status'] as JsonObject), containerStatuses: [{ ...statuses[0], name }, other] },
      };
    };
    const helper = async (name: string, annotations: JsonObject = {}, isWell = true): Promise<unknown> =>
      (await exit(beside(name, annotations, isWell)))['helper'];
    const chosen = { 'kubectl.kubernetes.io/default-container': 'till' };
    expect([await helper('web'), await helper('web', chosen), await helper('web', chosen, false)]).toEqual([false, true, false]);
    for (const name of ['log-sidecar', 'envoy', 'metrics-exporter', 'fluent-bit']) expect(await helper(name), name).toBe(true);
    expect(await helper('envoy', {}, false)).toBe(false);
  });

  it('was brought about by a hook that failed after the start, not by one that failed before', async () => {
    const hook = event('FailedPostStartHook', 'PostStartHook failed', 30);
    const killed = ended({ exitCode: 137 });
    expect(await exit(killed, event('Started', 'Container started', 50, undefined, 'Normal'), hook)).toMatchObject({
      endedBy: 'post-start-hook',
    });
    expect(await exit(killed, hook, event('Started', 'Container started', 10, undefined, 'Normal'))).not.toHaveProperty('endedBy');
    expect(await exit(killed, event('FailedPostStartHook', 'PostStartHook failed', 30, 'spec.containers{other}'))).not.toHaveProperty(
      'endedBy',
    );
    expect(await exit(ended({}, { state: { waiting: { reason: 'PostStartHookError' } } }))).toMatchObject({ endedBy: 'post-start-hook' });
  });

  it('was not brought about by a hook that found it ended', async () => {
    const bare = event('FailedPostStartHook', 'PostStartHook failed', 30);
    expect(await exit(ended({ exitCode: 2 }), bare)).not.toHaveProperty('endedBy');
    const late = 'failed to exec in container: failed to load task: no running task found';
    expect(await exit(ended({ exitCode: 2 }, { state: { waiting: { reason: 'PostStartHookError', message: late } } }))).not.toHaveProperty(
      'endedBy',
    );
    const said = 'Exec lifecycle hook ([warm]) for Container "web" failed - error: command "warm" exited with 1';
    for (const [exitCode, hook] of [
      [0, bare],
      [143, bare],
      [2, event('FailedPostStartHook', said, 30)],
    ] as const)
      expect(await exit(ended({ exitCode }), hook), String(exitCode)).toMatchObject({ endedBy: 'post-start-hook' });
  });

  it('is not told of a pod that was ended from outside, or is being deleted', async () => {
    expect(await exit(ended({}, {}, {}, { status: { phase: 'Failed', reason: 'Evicted' } }))).toEqual({});
    expect(await exit(ended({}, {}, {}, { status: { phase: 'Failed' } }))).not.toEqual({});
  });

  it('of a container that is started again after success needs no restartPolicy to be seen', async () => {
    const policy = { spec: { restartPolicy: undefined } };
    expect(await exit(ended({ exitCode: 0, reason: 'Completed' }, {}, {}, policy))).toMatchObject({
      restartPolicy: 'Always',
      class: 'completed',
    });
    expect(await exit(ended({}, {}, {}, policy))).not.toHaveProperty('restartPolicy');
  });
});

describe('an init container that runs and runs', () => {
  it('tells its command and what it repeats', async () => {
    const pod = objectOf('Pod', 'web-1', {
      spec: {
        nodeName: 'worker-1',
        initContainers: [{ name: 'wait', image: 'a', command: ['sh', '-c'], args: ['wait-for db'] }],
        containers: [{ name: 'web', image: 'a' }],
      },
      status: {
        phase: 'Pending',
        startTime: ago(900),
        initContainerStatuses: [{ name: 'wait', ready: false, restartCount: 0, state: { running: { startedAt: ago(800) } } }],
        containerStatuses: [{ name: 'web', ready: false, restartCount: 0, state: { waiting: { reason: 'PodInitializing' } } }],
      },
    });
    expect(await collected('initializing', [pod])).toEqual([{ container: 'wait', runSeconds: 800, command: 'sh -c wait-for db' }]);
    expect(await collected('exit', [pod])).toEqual([]);
  });

  it.each([
    ['has just been started again after it failed', 2, 3, 4, [{ container: 'wait', role: 'init', class: 'error', exitCode: 4, up: true }]],
    ['was started again after its first failure', 1, 3, 4, []],
    ['has outlived its failed runs', 2, 100, 4, []],
    ['is done again after its node was restarted', 2, 3, 0, []],
  ])('has failed, if it %s', async (_, restartCount, runSeconds, exitCode, facts) => {
    const lastState = { terminated: { exitCode, reason: 'Error', startedAt: ago(runSeconds + 12), finishedAt: ago(runSeconds + 2) } };
    const pod = objectOf('Pod', 'web-1', {
      spec: { nodeName: 'worker-1', initContainers: [{ name: 'wait', image: 'a' }], containers: [{ name: 'web', image: 'a' }] },
      status: {
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'wait', ready: false, restartCount, lastState, state: { running: { startedAt: ago(runSeconds) } } },
        ],
        containerStatuses: [{ name: 'web', ready: false, restartCount: 0, state: { waiting: { reason: 'PodInitializing' } } }],
      },
    });
    expect(await collected('exit', [pod])).toMatchObject(facts);
  });
});
