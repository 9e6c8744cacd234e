import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asObject } from '../../../src/base/json.ts';
import { loadRules } from '../../../src/catalog/load-rules.ts';
import { memoryReader } from '../../../src/clusters/memory-reader.ts';
import type { StoredLog } from '../../../src/clusters/memory-reader.ts';
import { collect } from '../../../src/collect/collect.ts';
import { samplePods } from '../../../src/collect/survey/sample-pods.ts';
import { Survey } from '../../../src/collect/survey/survey.ts';
import { examine } from '../../../src/library/examine.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { labelsOf, OBSERVED } from '../../../src/model/kube-object.ts';
import { rule } from '../../support/facts.ts';

const NOW = Date.parse('2026-01-14T10:00:00Z');
const LONG_AGO = '2026-01-14T07:00:00Z';

function pod(name: string, changes: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      uid: name,
      labels: { app: 'web' },
      ownerReferences: [{ kind: 'ReplicaSet', name: 'web-1', uid: 'rs', controller: true }],
    },
    spec: {
      nodeName: 'worker-1',
      containers: [{ name: 'web', image: 'nginx:1.27', volumeMounts: [{ name: `kube-api-access-${name}`, mountPath: '/run' }] }],
      volumes: [{ name: `kube-api-access-${name}`, projected: {} }],
    },
    status: {
      phase: 'Running',
      startTime: LONG_AGO,
      podIP: `10.0.0.${name.length}`,
      conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: LONG_AGO,
      })),
      containerStatuses: [
        { name: 'web', image: 'nginx:1.27', ready: true, restartCount: 0, state: { running: { startedAt: LONG_AGO } }, lastState: {} },
      ],
    },
    ...changes,
  };
}

const REPLICA_SET = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web-1', namespace: 'shop', generation: 1 },
  spec: { replicas: 3 },
  status: { observedGeneration: 1, replicas: 3, readyReplicas: 3, availableReplicas: 3 },
} as KubeObject;

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'worker-1' },
  spec: {},
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'DiskPressure', status: 'False' },
    ],
  },
} as KubeObject;

function statusOf(one: KubeObject, changes: JsonObject): KubeObject {
  return { ...one, status: { ...asObject(one['status']), ...changes } };
}

function containerOf(one: KubeObject, changes: JsonObject): KubeObject {
  const [status] = asObject(one['status'])['containerStatuses'] as readonly JsonObject[];
  return statusOf(one, { containerStatuses: [{ ...status, ...changes }] });
}

function alone(one: KubeObject): KubeObject {
  return { ...one, metadata: { ...one.metadata, ownerReferences: [] } };
}

function ownedBy(name: string, one: KubeObject): KubeObject {
  return { ...one, metadata: { ...one.metadata, ownerReferences: [{ kind: 'ReplicaSet', name, uid: name, controller: true }] } };
}

interface Situation {
  readonly pods: readonly KubeObject[];
  readonly others?: readonly KubeObject[];
  readonly replicaSet?: KubeObject;
  readonly logs?: readonly StoredLog[];
  readonly odd?: ReadonlySet<string>;
  readonly unread?: readonly string[];
}

/** Names of the pods that are looked at one by one. */
async function judged({
  pods,
  others = [NODE],
  replicaSet = REPLICA_SET,
  logs = [],
  odd = new Set(),
  unread = [],
}: Situation): Promise<readonly string[]> {
  const collected = ['Pod', 'Node', 'Event', 'ReplicaSet']
    .filter((kind) => !unread.includes(kind))
    .map((kind) => ({ kind, complete: true }));
  const reader = memoryReader({ objects: [...pods, ...others], collected, absent: [], refused: [], logs, now: NOW });
  const sample = await samplePods({ pods, workloads: [replicaSet], unlisted: new Set(unread) }, new Survey(reader), {
    sampledFrom: 1,
    odd,
  });
  return sample.judged.map(({ metadata }) => metadata.name);
}

const RESTARTED_NOW = { restartCount: 1, state: { running: { startedAt: '2026-01-14T09:30:00Z' } } };
const THREE = [pod('web-a'), pod('web-bb'), pod('web-ccc')];
const [FIRST, SECOND, THIRD] = THREE as [KubeObject, KubeObject, KubeObject];

describe('a sample of pods', () => {
  it('has one for all of a controller that are plain and alike', async () => {
    expect(await judged({ pods: THREE })).toEqual(['web-a']);
    expect(await judged({ pods: THREE, unread: ['Event'] })).toEqual(['web-a']);
    expect(await judged({ pods: THREE, others: [NODE, event('Node', 'worker-2'), event('Pod', 'worker-1')] })).toEqual(['web-a']);
    const started = { ...event('Node', 'worker-1'), reason: 'NodeReady' };
    expect(await judged({ pods: THREE, others: [NODE, started] })).toEqual(['web-a']);
    expect(await judged({ pods: [...THREE, ownedBy('till-1', pod('till-a'))] })).toEqual(['web-a', 'till-a']);
    expect(await judged({ pods: THREE, others: [], unread: ['Node'] })).toEqual(['web-a']);
    expect(await judged({ pods: THREE.map((one) => ownedBy('till-1', one)), unread: ['ReplicaSet'] })).toEqual(['web-a']);
  });

  it('is made only in a scope that has as many pods', async () => {
    const collected = ['Pod', 'Node', 'Event'].map((kind) => ({ kind, complete: true }));
    const survey = new Survey(memoryReader({ objects: [...THREE, NODE], collected, absent: [], refused: [], logs: [], now: NOW }));
    const found = { pods: THREE, workloads: [REPLICA_SET], unlisted: new Set<string>() };
    const count = async (request: object): Promise<number> => (await samplePods(found, survey, request)).judged.length;
    expect(await count({ sampledFrom: 3 })).toBe(1);
    expect(await count({ sampledFrom: 4 })).toBe(3);
    expect(await count({})).toBe(3);
  });

  it('has five of a controller whose pods are alike in as many ways, and all others', async () => {
    const unlike = (index: number, suffix: string): KubeObject => {
      const one = pod(`web-${String(index)}${suffix}`);
      return { ...one, metadata: { ...one.metadata, labels: { app: 'web', way: String(index) } } };
    };
    const ways = [0, 1, 2, 3, 4, 5];
    const pods = [...ways.map((index) => unlike(index, 'a')), ...ways.map((index) => unlike(index, 'b'))];
    expect(await judged({ pods })).toEqual(['web-0a', 'web-1a', 'web-2a', 'web-3a', 'web-4a', 'web-5a', 'web-5b']);
  });

  it.each<readonly [what: string, situation: Situation]>([
    ['one of them was restarted a short time ago', { pods: [FIRST, SECOND, containerOf(THIRD, RESTARTED_NOW)] }],
    ['one of them is not ready', { pods: [FIRST, SECOND, containerOf(THIRD, { ready: false })] }],
    ['one of them started a short time ago', { pods: [FIRST, SECOND, statusOf(THIRD, { startTime: '2026-01-14T09:30:00Z' })] }],
    ['one of them is about to go', { pods: [FIRST, SECOND, { ...THIRD, metadata: { ...THIRD.metadata, deletionTimestamp: LONG_AGO } }] }],
    ['one of them was not read whole', { pods: [FIRST, SECOND, { ...THIRD, [OBSERVED]: ['status'] }] }],
    ['a replica is missing', { pods: THREE, replicaSet: statusOf(REPLICA_SET, { replicas: 2 }) }],
    [
      'a condition of their controller is not True',
      { pods: THREE, replicaSet: statusOf(REPLICA_SET, { conditions: [{ type: 'Available', status: 'False' }] }) },
    ],
    [
      'their node is under pressure',
      {
        pods: THREE,
        others: [
          statusOf(NODE, {
            conditions: [
              { type: 'Ready', status: 'True' },
              { type: 'DiskPressure', status: 'True' },
            ],
          }),
        ],
      },
    ],
    ['their node is cordoned', { pods: THREE, others: [{ ...NODE, spec: { unschedulable: true } }] }],
    ['their node was not seen', { pods: THREE, others: [] }],
    ['there is an event about their node', { pods: THREE, others: [NODE, event('Node', 'worker-1')] }],
    ['they have no controller', { pods: THREE.map((one) => alone(one)) }],
    ['their controller was not seen', { pods: THREE.map((one) => ownedBy('till-1', one)) }],
    ['there is an event about their node, which was not listed', { pods: THREE, others: [event('Node', 'worker-1')], unread: ['Node'] }],
    [
      'their controller was not listed and one of them is not ready',
      { pods: [FIRST, SECOND, containerOf(THIRD, { ready: false })].map((one) => ownedBy('till-1', one)), unread: ['ReplicaSet'] },
    ],
    ['one of them turned out to be odd', { pods: THREE, odd: new Set(['Pod/shop/web-bb']) }],
  ])('has all of a controller where %s', async (_, situation) => {
    expect(await judged(situation)).toHaveLength(3);
  });

  it.each<readonly [what: string, situation: Situation]>([
    ['there is an event about it', { pods: THREE, others: [NODE, event('Pod', 'web-bb')] }],
    ['it was restarted long ago', { pods: [FIRST, containerOf(SECOND, { restartCount: 1 }), THIRD] }],
    [
      'there is a log of it',
      {
        pods: THREE,
        logs: [
          {
            pod: { kind: 'Pod', namespace: 'shop', name: 'web-bb' },
            container: 'web',
            previous: false,
            lines: ['started'],
            filtered: false,
          },
        ],
      },
    ],
    ['it has another image', { pods: [FIRST, containerOf(SECOND, { imageID: 'nginx@sha256:1' }), THIRD] }],
    [
      'it has another label',
      { pods: [FIRST, { ...SECOND, metadata: { ...SECOND.metadata, labels: { ...labelsOf(SECOND), canary: 'true' } } }, THIRD] },
    ],
  ])('has one pod more where %s', async (_, situation) => {
    expect(await judged(situation)).toEqual(['web-a', 'web-bb']);
  });
});

describe('pods of which events tell that they have started', () => {
  const objects = [...THREE, NODE, REPLICA_SET, { ...event('Pod', 'web-bb'), type: 'Normal', message: 'Started container web' }];
  const reader = memoryReader({ objects, collected: [], absent: [], refused: [], logs: [], now: NOW });

  it('are not looked at one by one, but their events are', async () => {
    const { facts, sample } = await collect(reader, { sampledFrom: 1 }, []);
    expect(facts.filter(({ kind }) => kind === 'pod').map(({ about }) => about.name)).toEqual(['web-a']);
    expect(facts.filter(({ kind }) => kind === 'event').map(({ about }) => about.name)).toEqual(['web-bb']);
    expect(sample).toMatchObject({ started: new Set(['Pod/shop/web-bb']), spoken: new Set() });
  });

  it('are looked at one by one where a rule asks for the event', async () => {
    const started = rule({ all: [{ fact: 'event', where: { reason: 'Started', pod: '$pod' } }] });
    const [all, some] = [await examine(reader, [started], {}), await examine(reader, [started], { sampledFrom: 1 })];
    expect(some.scan().causes).toHaveLength(1);
    expect(some.scan()).toEqual(all.scan());
  });
});

function event(kind: string, name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.1`, namespace: kind === 'Node' ? 'default' : 'shop' },
    involvedObject: { kind, name, ...(kind === 'Node' ? {} : { namespace: 'shop' }) },
    reason: 'Started',
  };
}

const { rules } = await loadRules('rules');

describe('what a plain pod stands for', () => {
  it('is the same for all that have run for an hour: no rule asks whether something has lasted longer', () => {
    const limits = rules.flatMap(({ id, when }) =>
      [...when.all, ...when.any.flat(), ...when.unless, ...when.none, ...when.optional]
        .filter(({ fact }) => OF_PODS.has(fact))
        .flatMap(({ where }) => Object.entries(where))
        .filter(([field]) => field.endsWith('Seconds'))
        .flatMap(([field, predicate]) =>
          [...JSON.stringify(predicate).matchAll(/"(?:value|atLeast|atMost)":(\d+)/g)].map(([, limit]) => ({
            id,
            field,
            limit: Number(limit),
          })),
        ),
    );
    expect(limits.length).toBeGreaterThan(2);
    expect(limits.filter(({ limit }) => limit > 3600)).toEqual([]);
  });
});

/** Kinds of facts about each pod that say how long something has lasted. */
const OF_PODS: ReadonlySet<string> = new Set(['pod', 'container', 'condition', 'exit', 'initializing', 'unscheduled', 'waiting-volume']);
