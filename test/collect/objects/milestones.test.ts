import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, podWith } from '../../support/collected.ts';

async function stateOf(stage: string, ...pod: Parameters<typeof podWith>): Promise<readonly unknown[]> {
  return (await collected('milestone', [podWith(...pod)]))
    .filter((fields) => fields['stage'] === stage)
    .map(({ state, reason }) => [state, reason]);
}

describe('the images of a pod', () => {
  const creating = { state: { waiting: { reason: 'ContainerCreating' } } };
  const event = (reason: string, seconds: number, container = 'web'): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: 'shop', name: `${reason}-${seconds}` },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1', fieldPath: `spec.containers{${container}}` },
    type: 'Normal',
    reason,
    message: `${reason} image`,
    lastTimestamp: ago(seconds),
  });
  const images = async (...events: readonly KubeObject[]): Promise<unknown> => {
    const facts = await collected('milestone', [podWith('web-1', {}, creating), ...events]);
    return facts.find(({ stage }) => stage === 'images')?.['state'];
  };

  it('are waited for from the begin of a pull until its end', async () => {
    expect(await images(event('Pulling', 9))).toBe('waiting');
    expect(await images(event('Pulling', 9), event('Pulled', 3))).toBe('passed');
    expect(await images(event('Pulling', 9, 'other'))).toBe('passed');
    expect(await images()).toBe('passed');
  });
});

describe('the containers of a pod', () => {
  it('have failed when one exited with another code than 0, with the reason it gave', async () => {
    const exited = (exitCode: number, reason: string): object => ({ state: { terminated: { exitCode, reason, finishedAt: ago(10) } } });
    expect(await stateOf('containers', 'web-1', {}, { ...exited(1, 'Error') })).toEqual([['failed', 'Error']]);
    expect(await stateOf('containers', 'web-1', {}, { ...exited(137, 'OOMKilled') })).toEqual([['failed', 'OOMKilled']]);
    expect(await stateOf('containers', 'web-1', {}, { ...exited(0, 'Completed') })).toEqual([['passed', undefined]]);
  });

  it('have failed when one waits for another reason than its turn', async () => {
    const waits = (reason: string): object => ({ state: { waiting: { reason } } });
    expect(await stateOf('containers', 'web-1', {}, { ...waits('CrashLoopBackOff') })).toEqual([['failed', 'CrashLoopBackOff']]);
    expect(await stateOf('containers', 'web-1', {}, { ...waits('PodInitializing') })).toEqual([['waiting', 'PodInitializing']]);
    expect(await stateOf('images', 'web-1', {}, { ...waits('ErrImagePull') })).toEqual([['failed', 'ErrImagePull']]);
    expect(await stateOf('containers', 'web-1', {}, { ...waits('ErrImagePull') })).toEqual([]);
  });

  it('need no probes when the pod has succeeded', async () => {
    const done = { state: { terminated: { exitCode: 0, reason: 'Completed', finishedAt: ago(10) } } };
    expect(await stateOf('probes', 'web-1', {}, done, { status: { phase: 'Succeeded' } })).toEqual([
      ['not-needed', 'its containers have ended'],
    ]);
    expect(await stateOf('probes', 'web-1', {}, { state: { running: { startedAt: ago(10) } } })).toEqual([['waiting', 'not ready']]);
  });
});
