import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { memoryReader } from '../../../src/clusters/memory-reader.ts';
import { readEvent } from '../../../src/collect/events/events.ts';
import type { PodEvents } from '../../../src/collect/events/pod-events.ts';
import { isRecent, latestOf, podEvents } from '../../../src/collect/events/pod-events.ts';
import { findScene } from '../../../src/collect/survey/find-scene.ts';
import { Survey } from '../../../src/collect/survey/survey.ts';
import type { ClusterReader } from '../../../src/model/cluster-reader.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { eventOn, NOW, objectOf, podWith } from '../../support/collected.ts';

const WEB = podWith('web-1', {}, {});
const TARGET = { kind: 'Pod', namespace: 'shop', name: 'web-1' };

interface Seen {
  readonly listed?: readonly string[];
  readonly brokeOff?: true;
  readonly live?: boolean;
  readonly target?: typeof TARGET;
}

async function eventsIn(
  objects: readonly KubeObject[],
  { listed = ['Pod', 'Event'], brokeOff, live = false, target }: Seen = {},
): Promise<PodEvents> {
  const stored = memoryReader({
    objects,
    collected: listed.map((kind) => ({ kind, complete: brokeOff !== true, ...(brokeOff === undefined ? {} : { brokeOff }) })),
    absent: [],
    refused: [],
    logs: [],
    now: NOW,
  });
  const asked: ClusterReader = {
    get: (ref) => stored.get(ref),
    list: (kind, scope) => stored.list(kind, scope),
    logs: (...about) => stored.logs(...about),
    now: () => NOW,
  };
  const { scene } = await findScene(new Survey(live ? asked : stored), target === undefined ? { namespace: 'shop' } : { target });
  return podEvents(scene);
}

const reasons = (events: PodEvents, pod = WEB): readonly string[] => events.of(pod).map(({ reason }) => reason);

describe('the events about a pod', () => {
  it('come in the order of their times, of this pod alone', async () => {
    const till = podWith('till-1', {}, {});
    const workload = objectOf('Deployment', 'web-1', {});
    const events = await eventsIn([
      WEB,
      eventOn(WEB, 'Started', '', 10),
      eventOn(WEB, 'Pulled', '', 30),
      eventOn(WEB, 'Created', '', 20),
      eventOn(till, 'Killing', '', 5),
      eventOn(workload, 'ScalingReplicaSet', '', 40),
    ]);
    expect(reasons(events)).toEqual(['Pulled', 'Created', 'Started']);
    expect(reasons(events, podWith('web-2', {}, {}))).toEqual([]);
    expect(events.all().map(({ reason }) => reason)).toEqual(['Pulled', 'Created', 'Started', 'Killing']);
  });

  it('are not those about an earlier pod of the same name', async () => {
    const of = (uid: string): KubeObject => ({ ...WEB, metadata: { ...WEB.metadata, uid } });
    const events = await eventsIn([
      of('second'),
      eventOn(of('first'), 'Killing', '', 90),
      eventOn(of('second'), 'Pulled', '', 10),
      eventOn(WEB, 'Started', '', 5),
    ]);
    expect(reasons(events, of('second'))).toEqual(['Pulled', 'Started']);
    expect(reasons(events)).toEqual(['Killing', 'Pulled', 'Started']);
  });

  it('are whole unless reading them went wrong, or a cluster did not show them', async () => {
    const whole = async (seen: Seen): Promise<boolean> => (await eventsIn([WEB, eventOn(WEB, 'Pulled', '', 1)], seen)).isWhole(WEB);
    for (const target of [{}, { target: TARGET }]) {
      expect(await whole({ ...target })).toBe(true);
      expect(await whole({ ...target, live: true })).toBe(true);
      expect(await whole({ ...target, brokeOff: true })).toBe(false);
    }
    const none = async (seen: Seen): Promise<boolean> => (await eventsIn([WEB], { listed: ['Pod'], ...seen })).isWhole(WEB);
    expect(await none({})).toBe(true);
    expect(await none({ live: true })).toBe(false);
    expect(await none({ live: true, target: TARGET })).toBe(false);
  });
});

describe('a pod that only events tell of', () => {
  const event = (seconds: number): KubeObject => eventOn({ ...WEB, metadata: { ...WEB.metadata, uid: 'u-1' } }, 'Failed', '', seconds);

  it('is unseen where pods could not be listed, and gone where they were', async () => {
    const { unseen, blind } = await eventsIn([event(10)], { listed: ['Event'] });
    expect(unseen.map(({ kind, metadata }) => ({ kind, ...metadata }))).toEqual([
      { kind: 'Pod', name: 'web-1', namespace: 'shop', uid: 'u-1' },
    ]);
    expect(blind).toEqual(unseen);
    expect((await eventsIn([event(10)])).unseen).toEqual([]);
    expect((await eventsIn([WEB, event(10)], { listed: ['Event'] })).unseen).toEqual([]);
  });

  it('is over when nothing was said of it for a quarter of an hour', async () => {
    expect((await eventsIn([event(900)], { listed: ['Event'] })).unseen).toHaveLength(1);
    expect((await eventsIn([event(901)], { listed: ['Event'] })).unseen).toEqual([]);
    expect((await eventsIn([event(2000), event(10)], { listed: ['Event'] })).unseen).toHaveLength(1);
  });
});

describe('a pod whose containers no source shows', () => {
  const row = (status: JsonObject, more: JsonObject = {}): KubeObject => ({
    ...objectOf('Pod', 'web-1', { status, ...more }),
    [OBSERVED]: ['metadata.name', 'status.phase', 'status.conditions'],
  });
  const ready = (status: string): JsonObject => ({ phase: 'Running', conditions: [{ type: 'Ready', status }] });

  it('is blind when it is not ready, and bare when it is', async () => {
    const names = async (pod: KubeObject): Promise<readonly number[]> => {
      const { blind, bareReady } = await eventsIn([pod]);
      return [blind.length, bareReady.length];
    };
    expect(await names(row(ready('False')))).toEqual([1, 0]);
    expect(await names(row(ready('True')))).toEqual([0, 1]);
    expect(await names(row({ phase: 'Failed' }))).toEqual([0, 0]);
    expect(await names(row({ phase: 'Succeeded' }))).toEqual([0, 0]);
    expect(await names(row(ready('False'), { spec: { containers: [{ name: 'web' }] } }))).toEqual([0, 0]);
    const leaving = row(ready('False'));
    expect(await names({ ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: '2026-01-14T08:00:00Z' } })).toEqual([0, 0]);
    expect(await names(objectOf('Pod', 'web-1', { status: ready('False') }))).toEqual([0, 0]);
  });
});

describe('the time of events', () => {
  const at = (seconds: number | undefined): ReturnType<typeof readEvent> =>
    readEvent(eventOn(WEB, 'Pulled', '', seconds ?? 0, seconds === undefined ? { lastTimestamp: null } : {}));

  it('is that of the last, or now where none has any', () => {
    expect(latestOf([at(30), at(10), at(undefined), at(20)], NOW)).toBe(NOW - 10_000);
    expect(latestOf([at(undefined)], NOW)).toBe(NOW);
  });

  it('is recent for a quarter of an hour, or where it is not known', () => {
    expect([900_000, 900_001].map((before) => isRecent(NOW - before, NOW))).toEqual([true, false]);
    expect(isRecent(undefined, NOW)).toBe(true);
  });
});
