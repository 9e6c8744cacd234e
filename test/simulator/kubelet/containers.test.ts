import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import { condition, container, events, fault, get, logsOf, machineRoom, partFault, podOn, put, shell, status } from './machine-room.ts';

describe('a pod on its way', () => {
  test('comes up through pull, create and start, and is ready at once without a readiness probe', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web'));
    cluster.advance(5000);
    expect(dig(status(cluster, 'web'), 'phase')).toBe('Running');
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
    expect(events(cluster, 'web').map((line) => line.split(' ')[1])).toEqual(['Pulling', 'Pulled', 'Created', 'Started']);
    expect(events(cluster, 'web')[3]).toBe('Normal Started ×1 Container started');
  });

  test('an image that is there is not pulled again', () => {
    const cluster = machineRoom({ setup: [partFault('machine', 'worker-1', { images: ['registry.example/shop/web:1.0'] })] });
    put(cluster, podOn('web'));
    cluster.advance(5000);
    expect(events(cluster, 'web')[0]).toBe(
      'Normal Pulled ×1 Container image "registry.example/shop/web:1.0" already present on machine and can be accessed by the pod',
    );
  });

  test('shows that its sandbox is ready before its container runs', () => {
    const cluster = machineRoom();
    const seen: string[] = [];
    cluster.store.subscribe('pods', ({ object }) => {
      const first = dig(object, 'status', 'conditions', 0);
      seen.push(
        `${textOf(dig(object, 'status', 'phase'))} ${textOf(dig(first, 'status'))} ${dig(object, 'status', 'podIP') !== undefined}`,
      );
    });
    put(cluster, podOn('web'));
    cluster.advance(5000);
    expect([...new Set(seen)]).toEqual(['Pending  false', 'Pending False false', 'Pending True false', 'Running True true']);
  });
});

describe('a container that ends', () => {
  test('is started again at once, then after ten seconds and more, and shows Error in between', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', shell('echo no database; exit 1')));
    cluster.advance(8000);
    expect(dig(container(cluster, 'web'), 'restartCount')).toBe(1);
    expect(dig(container(cluster, 'web'), 'state', 'terminated', 'reason')).toBe('Error');
    expect(condition(cluster, 'web', 'Ready')).toBe('False ContainersNotReady containers with unready status: [web]');
    expect(logsOf(cluster, 'web')).toEqual(['no database']);
    cluster.advance(60_000);
    expect(dig(container(cluster, 'web'), 'restartCount')).toBeGreaterThanOrEqual(3);
    const uid = get(cluster, 'pods', 'web')?.metadata.uid;
    expect(
      events(cluster, 'web').some(
        (line) => line.startsWith('Warning BackOff') && line.endsWith(`Back-off restarting failed container web in pod web_shop(${uid})`),
      ),
    ).toBe(true);
  });

  test('with 0 and no restarts succeeds, and its status says so only when all is stopped', () => {
    const cluster = machineRoom();
    const phases: string[] = [];
    cluster.store.subscribe('pods', ({ object }) =>
      phases.push(`${textOf(dig(object, 'status', 'phase'))}/${textOf(dig(object, 'status', 'conditions', 2, 'reason'))}`),
    );
    put(cluster, podOn('import', shell('echo done'), { restartPolicy: 'Never' }));
    cluster.advance(8000);
    expect(dig(status(cluster, 'import'), 'phase')).toBe('Succeeded');
    expect(phases.indexOf('Running/PodCompleted')).toBeGreaterThan(0);
    expect(condition(cluster, 'import', 'PodReadyToStartContainers')).toBe('False');
    expect(condition(cluster, 'import', 'Initialized')).toBe('True PodCompleted');
  });

  test('of a pod that restarts only on failure is not started again after a 0', () => {
    const cluster = machineRoom();
    put(
      cluster,
      podOn('import', shell('exit 0'), { restartPolicy: 'OnFailure' }),
      podOn('broken', shell('exit 3'), { restartPolicy: 'Never' }),
    );
    cluster.advance(8000);
    expect(dig(status(cluster, 'import'), 'phase')).toBe('Succeeded');
    expect(dig(status(cluster, 'broken'), 'phase')).toBe('Failed');
    expect(dig(container(cluster, 'broken'), 'state', 'terminated', 'exitCode')).toBe(3);
  });

  test('for want of memory is OOMKilled, without an event', () => {
    const cluster = machineRoom({
      setup: [partFault('behaviour', 'registry.example/shop/web', { memory: [{ afterSeconds: 2, bytes: 200_000_000 }] })],
    });
    put(cluster, podOn('web', { resources: { limits: { memory: '64Mi' } } }));
    cluster.advance(8000);
    expect(
      dig(container(cluster, 'web'), 'lastState', 'terminated', 'reason') ??
        dig(container(cluster, 'web'), 'state', 'terminated', 'reason'),
    ).toBe('OOMKilled');
    expect(events(cluster, 'web').filter((line) => line.includes('OOM'))).toEqual([]);
  });

  test('leaves the text of its termination file behind', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', shell('echo disk full > /dev/termination-log; exit 7'), { restartPolicy: 'Never' }));
    cluster.advance(8000);
    expect(dig(container(cluster, 'web'), 'state', 'terminated', 'message')).toBe('disk full\n');
  });

  test('after its deadline is stopped, and the pod has failed', () => {
    const cluster = machineRoom();
    put(cluster, podOn('import', shell('trap exit TERM; while :; do sleep 1; done'), { activeDeadlineSeconds: 10 }));
    cluster.advance(20_000);
    expect(dig(status(cluster, 'import'), 'reason')).toBe('DeadlineExceeded');
    expect(dig(status(cluster, 'import'), 'phase')).toBe('Failed');
    expect(events(cluster, 'import').map((line) => line.split(' ')[1])).toContain('DeadlineExceeded');
  });
});

describe('a container that cannot be started', () => {
  const START =
    'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init';
  test.each([
    [
      'a command that is not there',
      { image: 'busybox:1.37', command: ['/app/server'] },
      `${START}: exec: "/app/server": stat /app/server: no such file or directory`,
    ],
    [
      'a command not in the path',
      { image: 'busybox:1.37', command: ['serve'] },
      `${START}: exec: "serve": executable file not found in $PATH`,
    ],
    ['a folder that is a file', { workingDir: '/etc/passwd' }, `${START}: mkdir /etc/passwd: not a directory`],
  ])('for %s waits with RunContainerError in a pod that counts as running', (_, given, message) => {
    const cluster = machineRoom();
    put(cluster, podOn('web', given));
    cluster.advance(4000);
    expect(events(cluster, 'web').some((line) => line.startsWith('Warning Failed') && line.endsWith(`Error: ${message}`))).toBe(true);
    expect(dig(status(cluster, 'web'), 'phase')).toBe('Running');
    expect(dig(container(cluster, 'web'), 'lastState', 'terminated', 'reason')).toBe('StartError');
    expect(dig(container(cluster, 'web'), 'lastState', 'terminated', 'startedAt')).toBe('1970-01-01T00:00:00Z');
  });

  test('the links of Services stand where they are first set, and what the container says itself counts', () => {
    const cluster = machineRoom();
    const service = (name: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'shop' },
      spec: { clusterIP: name === 'db' ? '10.96.0.50' : '10.96.0.51', ports: [{ port: 80 }] },
    });
    put(cluster, service('db'), service('web'));
    const env = [
      { name: 'DB_SERVICE_HOST', value: 'mine' },
      { name: 'AT', value: '$(WEB_SERVICE_HOST):$(DB_SERVICE_HOST)' },
    ];
    put(cluster, podOn('web', shell('env', { env })));
    cluster.advance(5000);
    const lines = logsOf(cluster, 'web').map((line) => line.slice(line.search(/[A-Z_]+=/)));
    expect(lines.filter((line) => /^(DB|WEB)_SERVICE_|^AT=/.test(line))).toEqual([
      'DB_SERVICE_HOST=mine',
      'DB_SERVICE_PORT=80',
      'WEB_SERVICE_HOST=10.96.0.51',
      'WEB_SERVICE_PORT=80',
      'AT=10.96.0.51:mine',
    ]);
  });

  test('for a ConfigMap it takes a variable from waits with CreateContainerConfigError until it is there', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', { env: [{ name: 'MODE', valueFrom: { configMapKeyRef: { name: 'settings', key: 'mode' } } }] }));
    cluster.advance(15_000);
    expect(dig(container(cluster, 'web'), 'state', 'waiting')).toEqual({
      reason: 'CreateContainerConfigError',
      message: 'configmap "settings" not found',
    });
    expect(dig(status(cluster, 'web'), 'phase')).toBe('Pending');
    put(cluster, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { mode: 'fast' } });
    cluster.advance(20_000);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
  });

  test('for a key that is missing says which', () => {
    const cluster = machineRoom({
      objects: [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db', namespace: 'shop' }, stringData: { user: 'shop' } }],
    });
    put(cluster, podOn('web', { env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } }] }));
    cluster.advance(4000);
    expect(events(cluster, 'web').some((line) => line.endsWith("Error: couldn't find key password in Secret shop/db"))).toBe(true);
  });

  test('as root when it must not', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', { securityContext: { runAsNonRoot: true } }));
    cluster.advance(4000);
    expect(textOf(dig(container(cluster, 'web'), 'state', 'waiting', 'message'))).toMatch(
      /^container has runAsNonRoot and image will run as root \(pod: "web_shop\(/,
    );
  });
});

describe('init containers', () => {
  test('run before the others, one after the other', () => {
    const cluster = machineRoom();
    put(
      cluster,
      podOn(
        'web',
        {},
        {
          initContainers: [
            { name: 'first', ...shell('sleep 2') },
            { name: 'second', ...shell('echo migrated') },
          ],
        },
      ),
    );
    cluster.advance(2000);
    expect(condition(cluster, 'web', 'Initialized')).toBe(
      'False ContainersNotInitialized containers with incomplete status: [first second]',
    );
    expect(dig(container(cluster, 'web'), 'state', 'waiting', 'reason')).toBe('PodInitializing');
    cluster.advance(8000);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
    expect(dig(container(cluster, 'web', 'second', 'initContainerStatuses'), 'state', 'terminated', 'reason')).toBe('Completed');
  });

  test('that fail keep the pod pending and are tried again', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', {}, { initContainers: [{ name: 'migrate', ...shell('exit 1') }] }));
    cluster.advance(30_000);
    expect(dig(status(cluster, 'web'), 'phase')).toBe('Pending');
    expect(dig(container(cluster, 'web', 'migrate', 'initContainerStatuses'), 'restartCount')).toBeGreaterThanOrEqual(2);
  });

  test('that go on running are sidecars: the others start beside them and end before them', () => {
    const cluster = machineRoom();
    put(
      cluster,
      podOn('web', shell('sleep 3'), {
        restartPolicy: 'Never',
        initContainers: [{ name: 'proxy', image: 'registry.example/proxy:1', restartPolicy: 'Always' }],
      }),
    );
    cluster.advance(3000);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
    cluster.advance(8000);
    expect(dig(status(cluster, 'web'), 'phase')).toBe('Succeeded');
    expect(events(cluster, 'web').at(-1)).toBe('Normal Killing ×1 Stopping container proxy');
  });
});

describe('the end of a pod', () => {
  test('a program that does not listen to SIGTERM is killed when its grace is over', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', { image: 'busybox:1.37', command: ['sleep', '3600'] }, { terminationGracePeriodSeconds: 6 }));
    cluster.advance(5000);
    const states: string[] = [];
    cluster.store.subscribe('pods', ({ object, type }) =>
      states.push(
        `${type} ${textOf(dig(object, 'status', 'phase'))} ${textOf(dig(object, 'status', 'containerStatuses', 0, 'state', 'terminated', 'exitCode'))}`,
      ),
    );
    cluster.request({ verb: 'delete', group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'web' });
    cluster.advance(5000);
    expect(get(cluster, 'pods', 'web')).toBeDefined();
    cluster.advance(5000);
    expect(get(cluster, 'pods', 'web')).toBeUndefined();
    expect(states).toContain('MODIFIED Failed 137');
    expect(events(cluster, 'web').at(-1)).toBe('Normal Killing ×1 Stopping container web');
  });

  test('a preStop hook that fails is told and holds nothing up', () => {
    const cluster = machineRoom();
    put(cluster, podOn('web', { lifecycle: { preStop: { exec: { command: ['sh', '-c', 'exit 9'] } } } }));
    cluster.advance(5000);
    cluster.request({ verb: 'delete', group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'web' });
    cluster.advance(5000);
    expect(get(cluster, 'pods', 'web')).toBeUndefined();
    expect(events(cluster, 'web').at(-1)).toBe('Warning FailedPreStopHook ×1 PreStopHook failed');
  });

  test('a postStart hook that fails ends the container, and the status says why', () => {
    const cluster = machineRoom();
    const messages: string[] = [];
    cluster.store.subscribe('pods', ({ object }) =>
      messages.push(textOf(dig(object, 'status', 'containerStatuses', 0, 'state', 'waiting', 'message'))),
    );
    put(cluster, podOn('web', { lifecycle: { postStart: { exec: { command: ['sh', '-c', 'exit 7'] } } } }));
    cluster.advance(40_000);
    expect(events(cluster, 'web').some((line) => /^Warning FailedPostStartHook ×\d PostStartHook failed$/.test(line))).toBe(true);
    expect(events(cluster, 'web').some((line) => /^Normal Killing ×\d FailedPostStartHook$/.test(line))).toBe(true);
    expect(messages.some((message) => message.includes("command 'sh -c exit 7' exited with 7: "))).toBe(true);
  });
});

test('a behaviour with a field nobody knows is refused', () => {
  const cluster = machineRoom();
  expect(() => fault(cluster, 'behaviour', 'shop/web', { exit: 1 })).toThrow(/exit is not known/);
});
