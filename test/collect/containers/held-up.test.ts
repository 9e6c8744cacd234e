import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, eventOn, podWith } from '../../support/collected.ts';

const CRASHED = {
  restartCount: 3,
  state: { waiting: { reason: 'CrashLoopBackOff' } },
  lastState: { terminated: { exitCode: 255, reason: 'Error', startedAt: ago(4000), finishedAt: ago(3000) } },
};
const BROKEN = 'failed to set up sandbox: open /run/flannel/subnet.env: no such file or directory';

function crashed(status: JsonObject = {}, container: JsonObject = {}): KubeObject {
  return podWith('web-1', {}, { ...CRASHED, ...container }, { status: { phase: 'Running', ...status } });
}

function failing(count: number, seconds = 20): KubeObject {
  return eventOn(crashed(), 'FailedCreatePodSandBox', BROKEN, seconds, { count });
}

async function told(pod: KubeObject, ...events: readonly KubeObject[]): Promise<string> {
  const [exits, troubles] = [await collected('exit', [pod, ...events]), await collected('node-trouble', [pod, ...events])];
  return `${String(exits.length)} exits, ${troubles.map(({ trouble }) => String(trouble)).join(' ') || 'no trouble'}`;
}

describe('a pod that has lost its sandbox', () => {
  it('waits for another one, however its containers ended in the old one', async () => {
    expect(await told(crashed(), failing(190))).toBe('0 exits, cni-agent');
    const milestones = await collected('milestone', [crashed(), failing(190)]);
    expect(milestones.at(-1)).toMatchObject({ stage: 'sandbox', state: 'failed', reason: 'FailedCreatePodSandBox' });
  });

  it('is known by tries that fail again and again', async () => {
    expect(await told(crashed(), failing(4))).toBe('1 exits, no trouble');
    expect(await told(crashed(), failing(5))).toBe('0 exits, cni-agent');
    expect(await told(crashed(), failing(2), failing(3, 30))).toBe('0 exits, cni-agent');
  });

  it('is not one whose containers the kubelet tells of since', async () => {
    for (const reason of ['Pulling', 'Pulled', 'Created', 'Started', 'BackOff', 'Unhealthy'])
      for (const [seconds, exits] of [
        [5, 1],
        [139, 1],
        [140, 0],
      ] as const)
        expect(await told(crashed(), failing(190), eventOn(crashed(), reason, '', seconds))).toContain(`${String(exits)} exits`);
  });

  it('is not one with a container that runs, or whose condition says that it has its sandbox', async () => {
    expect(await told(crashed({}, { state: { running: { startedAt: ago(900) } } }), failing(190))).toMatch(/no trouble$/);
    const conditions = [{ type: 'PodReadyToStartContainers', status: 'True' }];
    expect(await told(crashed({ conditions }), failing(190))).toBe('1 exits, no trouble');
  });
});

describe('a pod whose volumes cannot be mounted again', () => {
  const mounting = (count: number, reason = 'FailedMount'): KubeObject =>
    eventOn(crashed(), reason, 'MountVolume.SetUp failed for volume "till" : it broke', 20, { count });
  const lastStage = async (pod: KubeObject, ...events: readonly KubeObject[]): Promise<unknown> =>
    (await collected('milestone', [pod, ...events])).at(-1);

  it('waits for them, however its containers ended before', async () => {
    for (const reason of ['FailedMount', 'FailedAttachVolume', 'FailedMapVolume']) {
      expect(await told(crashed(), mounting(5, reason))).toBe('0 exits, no trouble');
      expect(await lastStage(crashed(), mounting(5, reason))).toMatchObject({ stage: 'volumes', state: 'failed' });
    }
    expect(await told(crashed(), mounting(4))).toBe('1 exits, no trouble');
  });

  it('is not one that is over: the kubelet looks for its volumes, too', async () => {
    expect(await told(crashed({ phase: 'Failed' }), mounting(50))).toBe('1 exits, no trouble');
  });

  it('is not one whose containers are started again since', async () => {
    expect(await told(crashed(), mounting(50), eventOn(crashed(), 'BackOff', '', 30))).toBe('1 exits, no trouble');
  });
});
