import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { protocolOfName } from '../../../src/collect/logs/listeners.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, evidenceOf, factsIn, objectOf, podWith } from '../../support/collected.ts';

const CRASHED = {
  restartCount: 3,
  state: { waiting: { reason: 'CrashLoopBackOff' } },
  lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: ago(60), finishedAt: ago(40) } },
};
const RUNNING = { ready: true, state: { running: { startedAt: ago(900) } } };

interface Written {
  readonly previous?: boolean;
  readonly filtered?: boolean;
  readonly container?: string;
}

function log(lines: readonly string[], { previous = false, filtered = false, container = 'web' }: Written = {}) {
  return { pod: { kind: 'Pod', namespace: 'shop', name: 'web-1' }, container, previous, lines, filtered };
}

async function logs(pod: KubeObject, ...written: readonly ReturnType<typeof log>[]): Promise<ReturnType<typeof factsIn>> {
  return factsIn(await evidenceOf([pod], { logs: written }), 'log');
}

const down = (container: JsonObject = {}, more: Parameters<typeof podWith>[3] = {}): KubeObject =>
  podWith('web-1', container, CRASHED, more);
const lines = (facts: ReturnType<typeof factsIn>): readonly unknown[] => facts.map(({ line }) => line);

describe('the log of a container', () => {
  it('tells of trouble, and its last three lines where it is down', async () => {
    const written = ['an error', 'a', 'b', 'c', 'd'];
    expect(lines(await logs(down(), log(written)))).toEqual(['an error', 'b', 'c', 'd']);
    expect(lines(await logs(podWith('web-1', {}, RUNNING), log(written)))).toEqual(['an error']);
  });

  it('has each line with what it names', async () => {
    const [fact] = await logs(down(), log(['open /var/lib/till/data: permission denied']));
    expect(fact).toEqual({
      container: 'web',
      role: 'main',
      line: 'open /var/lib/till/data: permission denied',
      path: '/var/lib/till/data',
      times: 1,
      order: 0,
      previous: false,
      trouble: true,
      last: true,
      well: false,
      imagePath: '/var/lib/till/data',
      dataVolume: false,
      readOnlyMount: false,
    });
    expect((await logs(down(), log(['listen tcp :8080: bind: address already in use'])))[0]).toMatchObject({ port: 8080 });
  });

  it('names the volume that a path is on', async () => {
    const mounts = { volumeMounts: [{ name: 'data', mountPath: '/var/lib/till', readOnly: true }] };
    const on = async (volume: JsonObject): Promise<Readonly<Record<string, unknown>>> =>
      (
        await logs(
          down(mounts, { spec: { volumes: [{ name: 'data', ...volume }] } }),
          log(['open /var/lib/till/data: read-only file system']),
        )
      )[0] ?? {};
    const claimed = await on({ persistentVolumeClaim: { claimName: 'till' } });
    expect(claimed).toMatchObject({
      volume: 'data',
      volumeKind: 'persistentVolumeClaim',
      mountPath: '/var/lib/till',
      dataVolume: true,
      readOnlyMount: true,
      readOnlyAt: '/var/lib/till',
    });
    expect(claimed).not.toHaveProperty('imagePath');
    expect(await on({ configMap: { name: 'web' } })).toMatchObject({ volumeKind: 'configMap', dataVolume: false });
  });

  it('counts the lines of one shape, and quotes the latest', async () => {
    const [fact] = await logs(down(), log(['retry 1 failed', 'retry 2 failed', 'retry 3 failed']));
    expect(fact).toMatchObject({ line: 'retry 3 failed', times: 3 });
  });

  it('is told up to forty shapes, the latest', async () => {
    const many = Array.from(
      { length: 41 },
      (_, index) => `failed ${String.fromCodePoint(97 + (index % 26))}${String.fromCodePoint(97 + Math.floor(index / 26))}`,
    );
    const told = lines(await logs(down(), log(many)));
    expect(told).toHaveLength(40);
    expect(told).not.toContain(many[0]);
    expect(told.at(-1)).toBe(many.at(-1));
  });

  it('counts a shape that it tells, however many others there are', async () => {
    const many = Array.from(
      { length: 39 },
      (_, index) => `failed ${String.fromCodePoint(97 + (index % 26))}${String.fromCodePoint(97 + Math.floor(index / 26))}`,
    );
    const told = await logs(
      down(),
      log(['dropped: failed', 'dropped: failed', 'retry 1 failed', 'retry 2 failed', ...many, 'retry 3 failed']),
    );
    expect(told.find(({ line }) => line === 'retry 3 failed')).toMatchObject({ times: 3 });
    expect(lines(told)).not.toContain('dropped: failed');
  });

  it('ends with words that may tell why, but for warnings and frames of a stack', async () => {
    const last = async (written: readonly string[]): Promise<readonly unknown[]> =>
      (await logs(down(), log(written))).map((fact) => [fact['line'], fact['last']]);
    expect(await last(['a failure', 'at web.main (web.js:1)'])).toEqual([
      ['a failure', true],
      ['at web.main (web.js:1)', false],
    ]);
    expect(await last(['level=warning msg="not found"'])).toEqual([['level=warning msg="not found"', false]]);
    expect(await last(['W0114 09:00:00 no such thing'])).toEqual([['W0114 09:00:00 no such thing', false]]);
    const early = ['an early failure', ...Array.from({ length: 10 }, (_, index) => `line ${String.fromCodePoint(97 + index)}`)];
    expect((await last(early))[0]).toEqual(['an early failure', false]);
  });

  it('of the run before is over once the container is well', async () => {
    const again = (seconds: number): KubeObject =>
      podWith('web-1', {}, { ...RUNNING, restartCount: 1, state: { running: { startedAt: ago(seconds) } }, lastState: CRASHED.lastState });
    expect(await logs(again(900), log(['a failure'], { previous: true }))).toEqual([]);
    expect(await logs(again(5), log(['a failure'], { previous: true }))).toMatchObject([{ previous: true, well: false }]);
  });

  it('of a pod that runs once tells so', async () => {
    const failed = podWith(
      'web-1',
      {},
      { state: { terminated: { exitCode: 1, finishedAt: ago(5) } } },
      { spec: { restartPolicy: 'Never' } },
    );
    expect(await logs(failed, log(['a failure']))).toMatchObject([{ once: true }]);
    expect((await logs(down(), log(['a failure'])))[0]).not.toHaveProperty('once');
  });

  it('may be told by the termination message alone', async () => {
    const told = (terminated: JsonObject): KubeObject =>
      podWith('web-1', {}, { state: { terminated: { exitCode: 1, message: 'a failure\nthe end', ...terminated } } });
    expect(lines(await logs(told({})))).toEqual(['a failure', 'the end']);
    expect(lines(await logs(told({}), log(['another failure'])))).toEqual(['another failure']);
    for (const more of [{ exitCode: 0 }, { reason: 'StartError' }, { reason: 'ContainerCannotRun' }, { message: ' ' }])
      expect(await logs(told(more)), JSON.stringify(more)).toEqual([]);
  });

  it('that was cut short, or not read, is a gap for a container that is down', async () => {
    const gaps = async (pod: KubeObject, ...written: readonly ReturnType<typeof log>[]): Promise<readonly string[]> =>
      (await evidenceOf([pod], { logs: written })).gaps.filter(({ kind }) => kind === 'log').map(({ reason }) => reason);
    expect(await gaps(down(), log(['a failure'], { filtered: true }))).toEqual(['of the log of container web only 1 lines were seen']);
    expect(await gaps(down(), log(['a failure']))).toEqual([]);
    expect(await gaps(podWith('web-1', {}, RUNNING), log(['a failure'], { filtered: true }))).toEqual([]);
    expect(await gaps(down())).toHaveLength(1);
    expect(await gaps(podWith('web-1', {}, RUNNING))).toEqual([]);
  });

  it('of the run before stands for that of a container that waits, or that ended in the same way again', async () => {
    expect(lines(await logs(down(), log(['a failure'], { previous: true })))).toEqual(['a failure']);
    const ended = (exitCode: number): KubeObject =>
      podWith(
        'web-1',
        {},
        {
          restartCount: 1,
          state: { terminated: { exitCode: 1, reason: 'Error' } },
          lastState: { terminated: { exitCode, reason: 'Error' } },
        },
      );
    expect(lines(await logs(ended(1), log(['a failure'], { previous: true })))).toEqual(['a failure']);
    expect(lines(await logs(ended(2), log(['a failure'], { previous: true })))).toEqual([]);
    expect(lines(await logs(podWith('web-1', {}, { ...RUNNING, ready: false }), log(['a failure'], { previous: true })))).toEqual([]);
  });

  it('is not that of a pod that is being deleted', async () => {
    const pod = down();
    expect(await logs({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: ago(5) } }, log(['a failure']))).toEqual([]);
  });
});

describe('what a container listens on', () => {
  const listeners = async (container: JsonObject, written: readonly string[] = []): Promise<ReturnType<typeof factsIn>> =>
    factsIn(await evidenceOf([podWith('web-1', container, RUNNING)], { logs: written.length === 0 ? [] : [log(written)] }), 'listener');

  it('is told by its log, its command, its variables and its ports', async () => {
    const container = {
      command: ['serve', '--port=9000'],
      args: ['-v'],
      env: [{ name: 'PORT', value: '7000' }, { name: 'HOME', value: '8000' }, { name: 'X' }],
      ports: [
        { name: 'http', containerPort: 8080 },
        { containerPort: 53, protocol: 'UDP' },
        { name: 'grpc-api', containerPort: 9090 },
      ],
    };
    expect(await listeners(container, ['listening on 127.0.0.1:8081'])).toEqual([
      { container: 'web', port: 8081, from: 'log', loopback: true },
      { container: 'web', port: 9000, from: 'command', loopback: false },
      { container: 'web', port: 7000, from: 'env', loopback: false },
      { container: 'web', port: 8080, from: 'declared', loopback: false, protocol: 'http', portName: 'http' },
      { container: 'web', port: 9090, from: 'declared', loopback: false, protocol: 'grpc', portName: 'grpc-api' },
    ]);
  });

  it('is each port once, as it was told last', async () => {
    expect(await listeners({}, ['listening on 127.0.0.1:8081', 'listening on 0.0.0.0:8081', 'listening on 0.0.0.0:8082'])).toMatchObject([
      { port: 8081, loopback: false },
      { port: 8082 },
    ]);
  });

  it('is not that of an init container', async () => {
    const pod = objectOf('Pod', 'web-1', {
      spec: {
        initContainers: [
          { name: 'setup', ports: [{ containerPort: 1 }] },
          { name: 'proxy', restartPolicy: 'Always', ports: [{ containerPort: 2 }] },
        ],
        containers: [{ name: 'web', ports: [{ containerPort: 3 }] }],
      },
      status: {},
    });
    expect((await collected('listener', [pod])).map(({ port }) => port)).toEqual([2, 3]);
  });

  it.each([
    ['http', 'http'],
    ['http-web', 'http'],
    ['https', 'https'],
    ['h2', 'grpc'],
    ['h2c', 'grpc'],
    ['http2', 'grpc'],
    ['grpc', 'grpc'],
    ['grpcs-api', 'grpc'],
    ['tcp-till', 'tcp'],
    ['httpx', undefined],
    ['web', undefined],
    [undefined, undefined],
  ] as const)('speaks what the name of its port promises: %s is %s', (name, protocol) => {
    expect(protocolOfName(name)).toBe(protocol);
  });
});
