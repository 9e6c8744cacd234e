import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { machineRoom, partFault, podOn, put, shell, status } from './machine-room.ts';

const CONTENTS: Readonly<Record<string, JsonObject>> = {
  'one that ends at once': { containers: [{ name: 'web', ...shell('exit 1') }] },
  'one that works for a while': { containers: [{ name: 'web', ...shell('sleep 40; exit 3') }] },
  'one beside one that goes on': {
    containers: [
      { name: 'web', ...shell('exit 1') },
      { name: 'log', ...shell('sleep 100000') },
    ],
  },
  'two that end at different times': {
    containers: [
      { name: 'web', ...shell('exit 1') },
      { name: 'log', ...shell('sleep 7; exit 2') },
    ],
  },
  'an init container': {
    initContainers: [{ name: 'migrate', ...shell('exit 4') }],
    containers: [{ name: 'web', ...shell('sleep 100000') }],
  },
  'one that cannot be started': { containers: [{ name: 'web', image: 'busybox:1.37', command: ['/no/such/program'] }] },
};
const HOURS = 2;

describe.each(Object.entries(CONTENTS))('waiting between the crashes of %s', (_, spec) => {
  test('comes to the same as syncing the whole pod at every look', () => {
    const [short, whole] = [playedInSlices(spec, true), playedInSlices(spec, false)];
    expect(seen(short)).toEqual(seen(whole));
    expect(short.steps).toBe(whole.steps);
    expect(restarts(short)).toBeGreaterThan(15);
  });

  test('comes to the same with nobody looking, and with looks in between', () => {
    const [unseen, looked] = [played(spec, true), playedInSlices(spec, true)];
    expect(told(unseen)).toEqual(told(looked));
    expect(restarts(unseen)).toBe(restarts(looked));
  });
});

test('a wait ends when the containers do not stand as they did: the machine went down', () => {
  const cluster = played(CONTENTS['one beside one that goes on'] ?? {}, true);
  const logRestarts = (): unknown => dig(status(cluster, 'cart'), 'containerStatuses', 0, 'restartCount');
  expect(logRestarts()).toBe(0);
  cluster.inject(partFault('machine', 'worker-1', { reboot: true }));
  cluster.advance(60_000);
  expect(logRestarts()).toBe(1);
});

/** A deadline, however far off, is one of the things that make every look a whole one. */
const FAR_DEADLINE = { activeDeadlineSeconds: 10_000_000 };

function room(spec: JsonObject, short: boolean): Cluster {
  const cluster = machineRoom();
  put(cluster, podOn('cart', {}, { ...spec, ...(short ? {} : FAR_DEADLINE) }));
  return cluster;
}

function played(spec: JsonObject, short: boolean): Cluster {
  const cluster = room(spec, short);
  cluster.advance(HOURS * 3_600_000);
  return cluster;
}

/** In times too short to be passed in one go. */
function playedInSlices(spec: JsonObject, short: boolean): Cluster {
  const cluster = room(spec, short);
  for (let minutes = 0; minutes < HOURS * 60; minutes += 20) {
    cluster.advance(1_200_000);
    status(cluster, 'cart');
  }
  return cluster;
}

function seen(cluster: Cluster): JsonObject {
  return { pod: status(cluster, 'cart'), events: cluster.store.list('events', 'shop') };
}

/** All but the revisions, of which there are fewer when nobody looks, and when what was counted was written. */
function told(cluster: Cluster): JsonObject {
  const events = cluster.store.list('events', 'shop').map(({ metadata: { name, uid, creationTimestamp }, involvedObject, ...event }) => {
    return { ...event, name, uid: uid ?? '', creationTimestamp: creationTimestamp ?? '', about: dig(involvedObject, 'fieldPath') ?? '' };
  });
  return { pod: status(cluster, 'cart'), events };
}

/** Of the container that has restarted most. */
function restarts(cluster: Cluster): number {
  const pod = status(cluster, 'cart');
  const statuses = ['initContainerStatuses', 'containerStatuses'].flatMap((field) => asList(dig(pod, field)));
  return Math.max(...statuses.map((one) => Number(dig(one, 'restartCount'))));
}
