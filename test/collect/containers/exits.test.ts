import { describe, expect, it } from 'vitest';
import { ago, collected, collectedLive, podWith } from '../../support/collected.ts';

/** A container that was restarted once, runs again for so long, and is not ready. */
function unready(runSeconds: number): Parameters<typeof podWith> {
  const lastState = { terminated: { exitCode: 1, reason: 'Error', startedAt: ago(runSeconds + 30), finishedAt: ago(runSeconds + 1) } };
  return ['web-1', {}, { restartCount: 1, state: { running: { startedAt: ago(runSeconds) } }, lastState }];
}

function ended(exitCode: number, reason = 'Error'): Parameters<typeof podWith> {
  return [
    'web-1',
    {},
    {
      restartCount: 3,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode, reason, startedAt: ago(60), finishedAt: ago(40) } },
    },
  ];
}

describe('the exit of a container', () => {
  it('with code 0 is not known for its own where a probe may have ended it and no event was saved, as a live cluster has all', async () => {
    const [name, , status] = ended(0, 'Completed');
    const probed = podWith(name, { livenessProbe: { tcpSocket: { port: 80 } } }, status);
    expect(await collected('exit', [probed])).toEqual([]);
    expect(await collectedLive('exit', [probed])).toMatchObject([{ class: 'completed', exitCode: 0 }]);
    expect(await collected('exit', [podWith(name, {}, status)])).toMatchObject([{ class: 'completed' }]);
  });

  it('counts for ten minutes of the next run, where that is not ready', async () => {
    expect(await collected('exit', [podWith(...unready(599))])).toMatchObject([
      { container: 'web', class: 'error', exitCode: 1, up: true },
    ]);
    expect(await collected('exit', [podWith(...unready(600))])).toEqual([]);
  });

  it('counts in a live cluster moments after the first restart, too, until the new run has outlived the failed one', async () => {
    const ready = (runSeconds: number, exitCode = 1): Parameters<typeof podWith> => [
      'web-1',
      {},
      {
        ready: true,
        restartCount: 1,
        state: { running: { startedAt: ago(runSeconds) } },
        lastState: { terminated: { exitCode, reason: 'Error', startedAt: ago(runSeconds + 9), finishedAt: ago(runSeconds + 1) } },
      },
    ];
    expect(await collectedLive('exit', [podWith(...ready(3))])).toMatchObject([{ container: 'web', exitCode: 1, up: true }]);
    expect(await collectedLive('exit', [podWith(...ready(20)), podWith(...ready(3, 0))])).toEqual([]);
    expect(await collected('exit', [podWith(...ready(3))])).toEqual([]);
  });

  it.each([
    [0, 'Completed', 'completed'],
    [1, 'Error', 'error'],
    [128, 'StartError', 'not-started'],
    [128, 'Error', 'error'],
    [137, 'OOMKilled', 'oom'],
    [137, 'Error', 'killed'],
    [143, 'Error', 'terminated'],
    [130, 'Error', 'terminated'],
    [139, 'Error', 'crashed'],
    [200, 'Error', 'error'],
  ])('with code %d and reason %s is %s', async (exitCode, reason, name) => {
    expect(await collected('exit', [podWith(...ended(exitCode, reason))])).toMatchObject([
      { class: name, exitCode, runSeconds: 20, again: true, up: false },
    ]);
  });

  it('is no fault of a pod that was ended from outside', async () => {
    const [name, container, status] = ended(137);
    expect(await collected('exit', [podWith(name, container, status, { status: { phase: 'Failed', reason: 'Evicted' } })])).toEqual([]);
  });
});
