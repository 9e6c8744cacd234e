import { expect, test } from 'vitest';
import { dig } from '../../src/base/json.ts';
import { textOf } from '../../src/base/json-text.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import type { Cluster } from '../../src/simulator/cluster.ts';
import { createCluster } from '../../src/simulator/cluster.ts';
import type { ComponentDefinition, ComponentHost } from '../../src/simulator/components/component.ts';
import { create, namespace, objectOf, pod } from './shop.ts';

interface Stage {
  readonly cluster: Cluster;
  readonly host: ComponentHost;
  readonly web: KubeObject;
}

/** A component that does nothing but hand out its host. */
function stage(): Stage {
  let host: ComponentHost | undefined;
  const recorder: ComponentDefinition = {
    name: 'replicaset-controller',
    process: 'kube-controller-manager',
    qps: 1000,
    burst: 1000,
    start: (given) => void (host = given),
  };
  const objects = [namespace('shop'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'shop' } }];
  const cluster = createCluster({ seed: 1, preset: 'no-nodes', objects }, { components: [recorder], freeze: true });
  if (host === undefined) throw new Error('the component was started');
  return { cluster, host, web: objectOf(create(cluster, pod('web'))) };
}

function events(cluster: Cluster): readonly KubeObject[] {
  cluster.runUntilSettled();
  return cluster.store.list('events');
}

test('an event says who saw what of whom', () => {
  const { cluster, host, web } = stage();
  host.events.event(web, { type: 'Normal', reason: 'Started', message: 'Container started', fieldPath: 'spec.containers{web}' });
  const [event] = events(cluster);
  expect(event).toMatchObject({
    apiVersion: 'v1',
    kind: 'Event',
    type: 'Normal',
    reason: 'Started',
    message: 'Container started',
    count: 1,
    eventTime: null,
    firstTimestamp: '2026-11-20T09:00:00Z',
    lastTimestamp: '2026-11-20T09:00:00Z',
    source: { component: 'replicaset-controller' },
    reportingComponent: 'replicaset-controller',
    reportingInstance: '',
    involvedObject: {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: 'shop',
      name: 'web',
      uid: web.metadata.uid,
      resourceVersion: web.metadata['resourceVersion'],
      fieldPath: 'spec.containers{web}',
    },
  });
  expect(event?.metadata.name).toMatch(/^web\.[0-9a-f]{16}$/);
});

test('the same event again counts up', () => {
  const { cluster, host, web } = stage();
  for (let round = 0; round < 3; round++) {
    host.events.event(web, { type: 'Warning', reason: 'BackOff', message: 'Back-off restarting failed container' });
    cluster.advance(10_000);
  }
  expect(events(cluster).map((event) => [event['count'], event['firstTimestamp'], event['lastTimestamp']])).toEqual([
    [3, '2026-11-20T09:00:00Z', '2026-11-20T09:00:20Z'],
  ]);
});

test('from the tenth different message on, one event stands for all', () => {
  const { cluster, host, web } = stage();
  for (let round = 1; round <= 14; round++)
    host.events.event(web, { type: 'Warning', reason: 'FailedCreate', message: `Error creating: pods "web-${round}" is forbidden` });
  const all = events(cluster);
  expect(all).toHaveLength(10);
  const combined = all.filter((event) => textOf(event['message']).startsWith('(combined from similar events): '));
  expect(combined.map((event) => [event['count'], event['message']])).toEqual([
    [5, '(combined from similar events): Error creating: pods "web-14" is forbidden'],
  ]);
});

test('after ten quiet minutes messages stand for themselves again', () => {
  const { cluster, host, web } = stage();
  for (let round = 1; round <= 9; round++)
    host.events.event(web, { type: 'Warning', reason: 'FailedCreate', message: `pods "web-${round}"` });
  cluster.advance(601_000);
  host.events.event(web, { type: 'Warning', reason: 'FailedCreate', message: 'pods "web-10"' });
  expect(events(cluster).every((event) => !textOf(event['message']).startsWith('(combined'))).toBe(true);
});

test('who writes more than 25 events about an object is cut off, warnings and others apart, until there is room again', () => {
  const { cluster, host, web } = stage();
  for (let round = 0; round < 30; round++) host.events.event(web, { type: 'Warning', reason: 'BackOff', message: 'Back-off' });
  host.events.event(web, { type: 'Normal', reason: 'Pulled', message: 'Pulled' });
  expect(events(cluster).map((event) => [event['reason'], event['count']])).toEqual([
    ['BackOff', 25],
    ['Pulled', 1],
  ]);
  cluster.advance(301_000);
  host.events.event(web, { type: 'Warning', reason: 'BackOff', message: 'Back-off' });
  expect(events(cluster).find((event) => event['reason'] === 'BackOff')?.['count']).toBe(31);
});

test('events about things outside namespaces are in default', () => {
  const { cluster, host } = stage();
  host.events.event(
    { apiVersion: 'v1', kind: 'Node', name: 'worker-1', uid: 'worker-1' },
    { type: 'Normal', reason: 'NodeReady', message: 'Node worker-1 status is now: NodeReady' },
  );
  expect(events(cluster).map((event) => [event.metadata.namespace, dig(event, 'involvedObject', 'uid')])).toEqual([
    ['default', 'worker-1'],
  ]);
});

test('a series is written when it begins and when it has ended, with the words of its first', () => {
  const { cluster, host, web } = stage();
  const fail = (note: string): void => host.series.event(web, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note });
  fail('0/3 nodes are available');
  expect(
    events(cluster).map((event) => [event['message'], event['series'], event['eventTime'] !== undefined, event['firstTimestamp']]),
  ).toEqual([['0/3 nodes are available', undefined, true, null]]);
  fail('0/4 nodes are available');
  fail('0/4 nodes are available');
  expect(dig(events(cluster)[0], 'series', 'count')).toBe(2);
  cluster.advance(800_000);
  expect(events(cluster).map((event) => [event['message'], dig(event, 'series', 'count')])).toEqual([['0/3 nodes are available', 3]]);
});

test('a series begins anew when the object has changed', () => {
  const { cluster, host, web } = stage();
  const fail = (object: KubeObject): void =>
    host.series.event(object, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note: '0/3 nodes are available' });
  fail(web);
  fail({ ...web, metadata: { ...web.metadata, resourceVersion: '999' } });
  expect(events(cluster)).toHaveLength(2);
});
