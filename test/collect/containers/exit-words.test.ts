import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { ago, collected, collectedLive, evidenceOf, factsIn, objectOf, podWith } from '../../support/collected.ts';
import { running, said, terminated } from '../../support/ended-container.ts';

describe('the last words of a container', () => {
  const words = async (lines: readonly string[], status: JsonObject, previous = false): Promise<unknown> => {
    const logs = [{ pod: { kind: 'Pod', namespace: 'shop', name: 'web-1' }, container: 'web', previous, lines, filtered: false }];
    return factsIn(await evidenceOf([podWith('web-1', {}, status)], { logs }), 'exit')[0]?.['lastWords'];
  };
  const DOWN = {
    restartCount: 3,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
    lastState: terminated({ message: 'told at the end' }),
  };

  it('are the last line that tells of trouble, or the very last', async () => {
    expect(await words(['an error', 'a failure', 'good bye'], DOWN)).toBe('a failure');
    expect(await words(['hello', 'good bye', 'at web.main (web.js:1)'], DOWN)).toBe('good bye');
    expect(await words([], DOWN)).toBe('told at the end');
  });

  it('are those of the run that ended', async () => {
    expect(await words(['a failure'], running(20, { restartCount: 2 }), true)).toBe('a failure');
  });
});

describe('how a container exited', () => {
  const DOWN = (more: JsonObject = {}, status: JsonObject = {}): JsonObject => ({
    restartCount: 3,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
    lastState: terminated(more),
    ...status,
  });
  const one = async (pod: KubeObject, ...others: readonly KubeObject[]): Promise<Readonly<Record<string, unknown>>> =>
    (await collected('exit', [pod, ...others]))[0] ?? {};
  const gapsOf = async (kind: string, objects: readonly KubeObject[], logs: readonly string[] = []): Promise<readonly unknown[]> => {
    const written = {
      pod: { kind: 'Pod', namespace: 'shop', name: 'web-1' },
      container: 'web',
      previous: false,
      lines: logs,
      filtered: false,
    };
    const { gaps } = await evidenceOf(objects, { logs: logs.length === 0 ? [] : [written] });
    return gaps.filter((gap) => gap.kind === kind).map(({ reason }) => reason);
  };

  it('is quoted with all that is known', async () => {
    const quote = async (status: JsonObject): Promise<unknown> =>
      (await evidenceOf([podWith('web-1', {}, status)])).facts.find(({ kind }) => kind === 'exit')?.quote;
    expect(await quote(DOWN({ message: ' gone \n' }))).toBe('Error, exit code 1, after 20s, 3 restarts, message: gone');
    expect(await quote(DOWN({ message: '' }, { restartCount: 1 }))).toBe('Error, exit code 1, after 20s, 1 restart');
    expect(await quote({ state: { terminated: { startedAt: ago(5) } } })).toBe('terminated, exit code ?');
  });

  it('has no message where that is empty, and is not again where it happened once', async () => {
    expect(await one(podWith('web-1', {}, DOWN({ message: '' })))).not.toHaveProperty('message');
    expect(await one(podWith('web-1', {}, DOWN({}, { restartCount: 1 })))).toMatchObject({ again: true });
    expect(await one(podWith('web-1', {}, { state: terminated() }))).toMatchObject({ again: false, up: false });
  });

  it('is for good where nothing starts it again', async () => {
    const ends = (spec: JsonObject, status: JsonObject = {}): Promise<Readonly<Record<string, unknown>>> =>
      one(podWith('web-1', {}, { state: terminated() }, { spec, status }));
    expect(await ends({ restartPolicy: 'Never' })).toMatchObject({ once: true });
    expect(await ends({}, { phase: 'Failed' })).toMatchObject({ once: true });
    expect(await ends({}, { phase: 'Succeeded' })).toMatchObject({ once: true });
    expect(await ends({})).not.toHaveProperty('once');
    expect(
      await collected('exit', [podWith('web-1', {}, { state: terminated({ exitCode: 0 }) }, { spec: { restartPolicy: 'Never' } })]),
    ).toEqual([]);
  });

  it('is told of init containers and sidecars, and not of what somebody looks with', async () => {
    const beside = (status: JsonObject, list: string, spec: JsonObject = {}): KubeObject => {
      const pod = podWith('web-1', {}, { ready: true, state: { running: { startedAt: ago(900) } } });
      const statuses = list === 'initContainers' ? 'initContainerStatuses' : 'ephemeralContainerStatuses';
      return {
        ...pod,
        spec: { ...(pod['spec'] as JsonObject), [list]: [{ name: 'side', image: 'a', ...spec }] },
        status: { ...(pod['status'] as JsonObject), [statuses]: [{ name: 'side', ...status }] },
      };
    };
    expect(await one(beside(DOWN(), 'initContainers'))).toMatchObject({ container: 'side', role: 'init', helper: false });
    expect(await one(beside(DOWN(), 'initContainers', { restartPolicy: 'Always' }))).toMatchObject({ role: 'sidecar', helper: true });
    expect(await one(beside({ ...DOWN(), state: terminated() }, 'ephemeralContainers'))).toEqual({});
    const never: KubeObject = beside(DOWN(), 'initContainers', { restartPolicy: 'Always' });
    expect(await one({ ...never, spec: { ...(never['spec'] as JsonObject), restartPolicy: 'Never' } })).not.toHaveProperty('once');
  });

  it('may be that a probe ended it, where it ended well and no event tells of it', async () => {
    const probed = (probe: string, more: Parameters<typeof podWith>[3] = {}): KubeObject =>
      podWith('web-1', { [probe]: { tcpSocket: { port: 1 } } }, DOWN({ exitCode: 0, reason: 'Completed' }), more);
    const UNSEEN = 'whether a probe ended container web was not seen';
    for (const probe of ['livenessProbe', 'startupProbe']) {
      expect(await gapsOf('exit', [probed(probe)]), probe).toEqual([UNSEEN]);
      expect(await collected('exit', [probed(probe)])).toEqual([]);
    }
    expect(await collected('exit', [probed('readinessProbe')])).toMatchObject([{ class: 'completed' }]);
    const backOff = said('BackOff', 'Back-off restarting failed container web in pod web-1_shop(uid)', 5);
    expect(await collected('exit', [probed('livenessProbe'), backOff])).toHaveLength(1);
    expect(await collected('exit', [probed('livenessProbe'), said('Pulled', '', 5)])).toEqual([]);
    expect(await collectedLive('exit', [probed('livenessProbe')])).toHaveLength(1);
    expect(await collected('exit', [podWith('web-1', { livenessProbe: {} }, DOWN())])).toHaveLength(1);
  });

  it('is a gap where a list shows that it waits to be started again, and not how it ended', async () => {
    const row = (status: JsonObject, shown: readonly string[] = []): KubeObject => ({
      ...podWith('web-1', {}, { restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } }, ...status }),
      [OBSERVED]: ['metadata.name', 'status.containerStatuses.state', 'status.containerStatuses.restartCount', ...shown],
    });
    expect(await gapsOf('container', [row({})])).toEqual(['how it exited was not seen']);
    expect(await gapsOf('container', [row({})], ['hello', 'an error', 'bye'])).toEqual([
      'how it exited was not seen; the last line of its log: an error',
    ]);
    const logs = [false, true].map((previous) => ({
      pod: { kind: 'Pod', namespace: 'shop', name: 'web-1' },
      container: 'web',
      previous,
      lines: [previous ? 'before' : 'now'],
      filtered: false,
    }));
    const { gaps } = await evidenceOf([row({})], { logs });
    expect(gaps.flatMap(({ kind, reason }) => (kind === 'container' ? [reason] : []))).toEqual([
      'how it exited was not seen; the last line of its log: now',
    ]);
    expect(await gapsOf('container', [row({}, ['status.containerStatuses.lastState'])])).toEqual([]);
    expect(await gapsOf('container', [row({ restartCount: 0 })])).toEqual([]);
    expect(await gapsOf('container', [row({ restartCount: 1 })])).toHaveLength(1);
    expect(await gapsOf('container', [row({ state: { running: { startedAt: ago(900) } }, ready: true })])).toEqual([]);
  });

  it('is told by the run that ended, and by the other where nothing of it was read', async () => {
    const words = async (
      status: JsonObject,
      ...runs: readonly (readonly [previous: boolean, lines: readonly string[]])[]
    ): Promise<unknown> => {
      const logs = runs.map(([previous, lines]) => ({
        pod: { kind: 'Pod', namespace: 'shop', name: 'web-1' },
        container: 'web',
        previous,
        lines,
        filtered: false,
      }));
      return factsIn(await evidenceOf([podWith('web-1', {}, status)], { logs }), 'exit')[0]?.['lastWords'];
    };
    const again = running(20, { restartCount: 2 });
    expect(await words(again, [true, ['before']], [false, ['now']])).toBe('before');
    expect(await words(again, [true, []], [false, ['now']])).toBe('now');
    expect(await words(again, [true, []], [false, []])).toBeUndefined();
    expect(await words(DOWN(), [true, ['before']], [false, ['now']])).toBe('now');
    expect(await words(DOWN(), [true, ['before']])).toBe('before');
  });
});

describe('an init container that waits', () => {
  const refrain = async (lines: readonly string[]): Promise<unknown> => {
    const pod = objectOf('Pod', 'web-1', {
      spec: { nodeName: 'worker-1', initContainers: [{ name: 'wait' }], containers: [{ name: 'web' }] },
      status: { phase: 'Pending', initContainerStatuses: [{ name: 'wait', ready: false, state: { running: { startedAt: ago(900) } } }] },
    });
    const logs = [{ pod: { kind: 'Pod', namespace: 'shop', name: 'web-1' }, container: 'wait', previous: false, lines, filtered: false }];
    const [fact] = factsIn(await evidenceOf([pod], { logs }), 'initializing');
    return [fact?.['lastWords'], fact?.['loops']];
  };

  it('has run for as long as is known', async () => {
    const told = async (state: JsonObject, command: readonly string[] = []): Promise<readonly unknown[]> => {
      const pod = objectOf('Pod', 'web-1', {
        spec: { nodeName: 'worker-1', initContainers: [{ name: 'wait', command: [...command] }], containers: [{ name: 'web' }] },
        status: { phase: 'Pending', initContainerStatuses: [{ name: 'wait', ready: false, state: { running: state } }] },
      });
      const { facts } = await evidenceOf([pod]);
      return facts
        .filter(({ kind }) => kind === 'initializing')
        .map(({ fields, quote }) => [fields['runSeconds'], fields['command'], quote]);
    };
    expect(await told({ startedAt: ago(1) }, ['wait'])).toEqual([[1, 'wait', 'init container running for 1s']]);
    expect(await told({ startedAt: ago(0) })).toEqual([[undefined, undefined, 'init container running for 0s']]);
    expect(await told({})).toEqual([[undefined, undefined, 'init container running']]);
  });

  it('repeats what it waits for', async () => {
    expect(await refrain(['try 1', 'try 2', 'try 3', 'a', 'b'])).toEqual(['try 3', 3]);
    expect(await refrain(['try 1', 'try 2', 'a', 'b'])).toEqual(['b', undefined]);
    const [tries, help] = [['waiting for db 1', 'waiting for db 2', 'waiting for db 3'], Array.from({ length: 6 }, () => 'usage: serve')];
    expect(await refrain([...help, ...tries])).toEqual(['waiting for db 3', 3]);
    expect(await refrain([...help, 'usage: serve', ...tries])).toEqual(['usage: serve', 7]);
  });
});
