import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../../src/catalog/bundled-data.ts';
import { memoryReader } from '../../../src/clusters/memory-reader.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { collect } from '../../../src/collect/collect.ts';
import { containersOf } from '../../../src/collect/containers/containers.ts';
import { ago, collected, NOW, objectOf, podWith } from '../../support/collected.ts';

async function container(status: JsonObject, spec: JsonObject = {}): Promise<Readonly<Record<string, unknown>>> {
  return (await collected('container', [podWith('web-1', spec, status)]))[0] ?? {};
}

describe('a container', () => {
  it('tells the capabilities it drops only where it may run as root', async () => {
    const drops = async (context: JsonObject): Promise<unknown> =>
      (await container({}, { securityContext: { capabilities: { drop: ['CHOWN', 'FOWNER'] }, ...context } }))['drops'];
    expect(await drops({})).toBe('CHOWN, FOWNER');
    expect(await drops({ runAsUser: 0 })).toBe('CHOWN, FOWNER');
    expect(await drops({ runAsUser: 1000 })).toBeUndefined();
    expect(await drops({ runAsNonRoot: true })).toBeUndefined();
    const shared = podWith(
      'web-1',
      { securityContext: { capabilities: { drop: ['ALL'] } } },
      {},
      { spec: { securityContext: { runAsUser: 7 } } },
    );
    expect((await collected('container', [shared]))[0]).not.toHaveProperty('drops');
  });

  it('has what its spec and its status say', async () => {
    const spec = { imagePullPolicy: 'Always', command: ['serve'], args: ['--port', 80], resources: { limits: { memory: '64Mi' } } };
    const last = { exitCode: 137, reason: 'OOMKilled', message: 'gone', startedAt: ago(90), finishedAt: ago(60) };
    expect(
      await container(
        { ready: true, started: true, restartCount: 2, state: { running: { startedAt: ago(30) } }, lastState: { terminated: last } },
        spec,
      ),
    ).toEqual({
      container: 'web',
      role: 'main',
      image: 'registry.shop.example/team/web:1.0',
      state: 'running',
      lastReason: 'OOMKilled',
      lastMessage: 'gone',
      lastExitCode: 137,
      restarts: 2,
      ready: true,
      started: true,
      runSeconds: 30,
      lastRunSeconds: 30,
      pullPolicy: 'Always',
      command: 'serve --port 80',
      memoryLimit: '64Mi',
      memoryLimitMiB: 64,
    });
  });

  it.each<readonly [JsonObject, object]>([
    [{ waiting: { reason: 'ErrImagePull', message: 'not found' } }, { state: 'waiting', reason: 'ErrImagePull', message: 'not found' }],
    [
      { terminated: { exitCode: 1, signal: 9, reason: 'Error', startedAt: ago(50), finishedAt: ago(20) } },
      { state: 'terminated', exitCode: 1, signal: 9, lastRunSeconds: 30 },
    ],
    [{ terminated: { exitCode: 128, startedAt: '1970-01-01T00:00:00Z', finishedAt: ago(20) } }, { state: 'terminated', exitCode: 128 }],
  ])('in state %j', async (state, expected) => {
    const found = await container({ state });
    expect(found).toMatchObject({ ...expected, command: '' });
    expect('lastRunSeconds' in found).toBe('lastRunSeconds' in expected);
  });

  it('is quoted as kubectl describes it', async () => {
    const quoteOf = async (status: JsonObject): Promise<string | undefined> => {
      const reader = memoryReader({
        objects: [podWith('web-1', {}, status)],
        collected: [{ kind: 'Pod', complete: true }],
        absent: [],
        refused: [],
        logs: [],
        now: NOW,
      });
      return (await collect(reader, { namespace: 'shop' }, await shippedRules())).facts.find(({ kind }) => kind === 'container')?.quote;
    };
    expect(await quoteOf({ state: undefined })).toBe('state: none yet');
    expect(
      await quoteOf({
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        restartCount: 3,
        lastState: { terminated: { exitCode: 1, reason: 'Error' } },
      }),
    ).toBe('state: waiting, reason: CrashLoopBackOff, last state: Error, exit code 1, restarts: 3');
    expect(await quoteOf({ state: { terminated: { exitCode: 2, message: 'no' } }, lastState: { terminated: {} } })).toBe(
      'state: terminated, exit code: 2, message: no, last state: terminated, exit code ?',
    );
  });

  it('is an init container, a sidecar, one of its own or ephemeral; one may be known by its status alone', () => {
    const pod = objectOf('Pod', 'web-1', {
      spec: {
        initContainers: [{ name: 'wait' }, { name: 'log', restartPolicy: 'Always' }],
        containers: [{ name: 'web' }, {}],
        ephemeralContainers: [{ name: 'debug' }],
      },
      status: {
        containerStatuses: [
          { name: 'web', image: 'a' },
          { name: 'till', image: 'b' },
        ],
      },
    });
    expect(containersOf(pod).map(({ name, role, status }) => [name, role, status !== undefined])).toEqual([
      ['wait', 'init', false],
      ['log', 'sidecar', false],
      ['web', 'main', true],
      ['till', 'main', true],
      ['debug', 'ephemeral', false],
    ]);
  });
});
