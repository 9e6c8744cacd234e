import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, eventOn, evidenceOf, factsIn, NOW, objectOf, podWith } from '../../support/collected.ts';

const MESSAGE = 'something was said of it';
const UNREADY = podWith('web-1', {}, { state: { running: { startedAt: ago(600) } } }, { status: { conditions: ready('False', 600) } });

function ready(status: string, seconds: number): JsonObject[] {
  return [{ type: 'Ready', status, lastTransitionTime: ago(seconds) }];
}

function deployment(spec: JsonObject, status: JsonObject): KubeObject {
  return objectOf('Deployment', 'web', { spec, status });
}

const told = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('event', objects);

describe('an event', () => {
  it('has what it says, of which container, how often, and since when', async () => {
    const event = eventOn(UNREADY, 'BackOff', MESSAGE, 30, {
      count: 7,
      firstTimestamp: ago(300),
      source: { component: 'kubelet' },
      involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1', fieldPath: 'spec.containers{web}' },
    });
    expect(await told(UNREADY, event)).toEqual([
      {
        type: 'Warning',
        reason: 'BackOff',
        message: MESSAGE,
        component: 'kubelet',
        count: 7,
        container: 'web',
        ageSeconds: 30,
        firstAgeSeconds: 300,
      },
    ]);
  });

  it('of the newer API says the same in other fields', async () => {
    const event = objectOf('Event', 'web-1.1', {
      reason: 'Failed',
      note: ` ${MESSAGE}\n`,
      reportingController: 'kubelet',
      eventTime: ago(300),
      series: { count: 4, lastObservedTime: ago(20) },
      regarding: { kind: 'Pod', namespace: 'shop', name: 'web-1', fieldPath: 'spec.initContainers{setup}' },
    });
    expect(await told(UNREADY, event)).toEqual([
      {
        type: 'Normal',
        reason: 'Failed',
        message: MESSAGE,
        component: 'kubelet',
        count: 4,
        container: 'setup',
        ageSeconds: 20,
        firstAgeSeconds: 300,
      },
    ]);
  });

  it('that stands for several says what they say, and was seen once where it does not count', async () => {
    expect(await told(UNREADY, eventOn(UNREADY, 'BackOff', `(combined from similar events): ${MESSAGE}`, 1))).toMatchObject([
      { message: MESSAGE, count: 1 },
    ]);
  });

  it.each<[string, JsonObject, string | undefined]>([
    ['its source', { source: { component: 'kubelet' }, reportingComponent: 'a', reportingController: 'b' }, 'kubelet'],
    ['the component that reports it', { reportingComponent: 'scheduler', reportingController: 'b' }, 'scheduler'],
    ['the controller that reports it', { source: {}, reportingController: 'scheduler' }, 'scheduler'],
    ['nobody who is known', {}, undefined],
  ])('is said by %s', async (_, fields, expected) => {
    expect((await told(UNREADY, eventOn(UNREADY, 'BackOff', MESSAGE, 1, fields)))[0]?.['component']).toBe(expected);
  });

  it('is quoted with its type and reason, when and how often it was seen, about what it is on', async () => {
    const { facts } = await evidenceOf([UNREADY, eventOn(UNREADY, 'BackOff', MESSAGE, 30, { count: 7 })]);
    expect(facts.find(({ kind }) => kind === 'event')).toMatchObject({
      source: 'event on Pod/shop/web-1',
      quote: `Warning BackOff: ${MESSAGE}`,
      at: NOW - 30_000,
      count: 7,
    });
  });

  it('about a failed attempt that a later one made good is not told', async () => {
    const ofJob = (name: string, phase: string, seconds: number): KubeObject => {
      const pod = podWith(name, {}, {}, { status: { phase } });
      const ownerReferences = [{ kind: 'Job', name: 'till', controller: true }];
      return { ...pod, metadata: { ...pod.metadata, creationTimestamp: ago(seconds), ownerReferences } };
    };
    const job = objectOf('Job', 'till', { spec: {}, status: {} });
    const failed = ofJob('till-a', 'Failed', 600);
    const event = eventOn(failed, 'BackOff', MESSAGE, 500);
    expect(await told(job, failed, event)).toHaveLength(1);
    expect(await told(job, failed, event, ofJob('till-b', 'Succeeded', 300))).toEqual([]);
  });

  it('of the future happens now, and one without a time has no age', async () => {
    expect(await told(UNREADY, eventOn(UNREADY, 'BackOff', MESSAGE, -30))).toMatchObject([{ ageSeconds: 0 }]);
    const [timeless] = await told(UNREADY, eventOn(UNREADY, 'BackOff', MESSAGE, 1, { lastTimestamp: null }));
    expect(timeless).toMatchObject({ reason: 'BackOff' });
    expect(timeless).not.toHaveProperty('ageSeconds');
  });

  it('about an earlier pod of the name is not about this one', async () => {
    const pod = { ...UNREADY, metadata: { ...UNREADY.metadata, uid: 'second' } };
    const about = (uid: string | undefined): KubeObject =>
      eventOn({ ...pod, metadata: { ...pod.metadata, uid: uid as string } }, 'BackOff', MESSAGE, 1);
    expect(await told(pod, about('first'))).toEqual([]);
    expect(await told(pod, about('second'))).toHaveLength(1);
    expect(await told(pod, about(undefined))).toHaveLength(1);
    expect(await told(UNREADY, about('first'))).toHaveLength(1);
  });

  it('about a pod that is gone is not told; about an object that was not asked for it is', async () => {
    expect(await told(UNREADY, eventOn(podWith('web-0', {}, {}), 'BackOff', MESSAGE, 1))).toEqual([]);
    expect(await told(UNREADY, eventOn(objectOf('Deployment', 'till', {}), 'BackOff', MESSAGE, 1))).toEqual([]);
    expect(await told(UNREADY, eventOn(objectOf('Service', 'web', {}), 'SyncFailed', MESSAGE, 1))).toHaveLength(1);
  });

  it('about a pod that could not be listed is told', async () => {
    const objects = [eventOn(podWith('web-0', {}, {}), 'BackOff', MESSAGE, 1)];
    expect(factsIn(await evidenceOf(objects, { refused: ['Pod'] }), 'event')).toHaveLength(1);
    expect(factsIn(await evidenceOf(objects, { refused: ['ReplicaSet'] }), 'event')).toEqual([]);
  });

  it('of another object is not told of the one that is asked about', async () => {
    const till = podWith('till-1', {}, {});
    const objects = [UNREADY, till, eventOn(UNREADY, 'BackOff', MESSAGE, 1), eventOn(till, 'Killing', MESSAGE, 1)];
    const { facts } = await evidenceOf(objects, { target: { kind: 'Pod', namespace: 'shop', name: 'till-1' } });
    expect(facts.filter(({ kind }) => kind === 'event').map(({ fields }) => fields['reason'])).toEqual(['Killing']);
  });

  it('may be there where events could not be read', async () => {
    const { gaps } = await evidenceOf([UNREADY], { refused: ['Event'] });
    expect(gaps.filter(({ kind }) => kind === 'event').map(({ about, reason }) => [about.kind, about.namespace, reason])).toContainEqual([
      'Event',
      'shop',
      'Event is forbidden',
    ]);
    const target = { kind: 'Pod', namespace: 'shop', name: 'web-1' };
    const { gaps: ofPod } = await evidenceOf([UNREADY], { refused: ['Event'], target });
    expect(ofPod.filter(({ kind }) => kind === 'event').map(({ about }) => about.name)).toContain('web-1');
  });
});

describe('a warning', () => {
  it('from before a pod became ready is over; a normal event never is, nor one that came later', async () => {
    const well = podWith('web-1', {}, { ready: true, state: { running: {} } }, { status: { conditions: ready('True', 100) } });
    expect(await told(well, eventOn(well, 'Unhealthy', MESSAGE, 101))).toEqual([]);
    expect(await told(well, eventOn(well, 'Unhealthy', MESSAGE, 100))).toEqual([]);
    expect(await told(well, eventOn(well, 'Unhealthy', MESSAGE, 99))).toHaveLength(1);
    expect(await told(well, eventOn(well, 'Unhealthy', MESSAGE, 1, { lastTimestamp: null }))).toEqual([]);
    expect(await told(well, eventOn(well, 'Pulled', MESSAGE, 200, { type: 'Normal' }))).toHaveLength(1);
    expect(await told(UNREADY, eventOn(UNREADY, 'Unhealthy', MESSAGE, 5000))).toHaveLength(1);
  });

  it('about a workload is over once all of its pods are ready, or it wants none', async () => {
    const warned = async (spec: JsonObject, status: JsonObject): Promise<number> => {
      const web = deployment(spec, status);
      return (await told(web, eventOn(web, 'ReplicaSetCreateError', MESSAGE, 10))).length;
    };
    expect(await warned({ replicas: 2 }, { replicas: 2, readyReplicas: 2 })).toBe(0);
    expect(await warned({ replicas: 2 }, { replicas: 3, readyReplicas: 2 })).toBe(0);
    expect(await warned({ replicas: 2 }, { replicas: 2, readyReplicas: 1 })).toBe(1);
    expect(await warned({ replicas: 2 }, { replicas: 1, readyReplicas: 1 })).toBe(1);
    expect(await warned({ replicas: 0 }, { replicas: 1, readyReplicas: 0 })).toBe(0);
  });
});

describe('the volume that an event names', () => {
  const claimed = { name: 'data', persistentVolumeClaim: { claimName: 'till' } };
  const volumes = [{ name: 'settings', configMap: { name: 'web' } }, claimed];
  const pending = podWith('web-1', {}, { state: { waiting: { reason: 'ContainerCreating' } } }, { spec: { volumes } });
  const bound = [
    objectOf('PersistentVolumeClaim', 'till', { spec: { volumeName: 'pv-1' } }),
    objectOf('PersistentVolume', 'pv-1', { spec: {} }),
  ];
  const volume = async (message: string, pod = pending): Promise<unknown> =>
    (await told(pod, eventOn(pod, 'FailedMount', message, 1), ...bound))[0]?.['volume'];

  it.each([
    ['mounting "settings" failed', 'settings'],
    ['"settings" could not be mounted', 'settings'],
    ['unmounted volumes=[settings]', 'settings'],
    ['unmounted volumes=[settings other]', 'settings'],
    ['unmounted volumes=[other settings]', 'settings'],
    ['unmounted volumes=[data], unattached volumes=[settings data]', 'data'],
    ['unattached volumes=[settings data], unmounted volumes=[data]', 'settings'],
    ['attaching "pv-1" failed', 'data'],
    ['attaching pv-1 failed', undefined],
    ['mounting settings failed', undefined],
  ])('%s: %s', async (message, expected) => {
    expect(await volume(message)).toBe(expected);
  });

  it('is not sought by the name of its PersistentVolume once a container runs, or where no claim is', async () => {
    const running = podWith('web-1', {}, { state: { running: {} } }, { spec: { volumes } });
    expect(await volume('attaching "pv-1" failed', running)).toBeUndefined();
    expect(await volume('mounting "settings" failed', running)).toBe('settings');
  });
});
