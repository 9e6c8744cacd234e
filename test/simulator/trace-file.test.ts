import { describe, expect, test } from 'vitest';
import { DEFAULT_START } from '../../src/simulator/cluster.ts';
import { compareTraces } from '../../src/simulator/trace/divergence.ts';
import { replayTrace } from '../../src/simulator/trace/replay.ts';
import type { RecordedTrace } from '../../src/simulator/trace/trace-file.ts';
import { readTrace } from '../../src/simulator/trace/trace-file.ts';
import { TRACE_VERSION } from '../../src/simulator/trace/trace.ts';
import { crashing, recorded, serving } from './recording.ts';
import { send } from './shop.ts';

const ROLLOUT = recorded((cluster) => {
  cluster.apply([serving('web')]);
  cluster.advance(20_000);
  send(cluster, 'delete', 'Deployment', 'web');
  cluster.advance(5000);
  cluster.inject({ fault: 'stop', process: 'kubelet', node: 'worker-2' });
  cluster.advance(70_000);
});

function read(text: string): RecordedTrace {
  return readTrace(text, 'shop.trace');
}

describe('a recorded trace', () => {
  test('plays to the same digest', () => {
    const { cluster, difference, intact } = replayTrace(read(ROLLOUT), undefined);
    expect({ difference, intact }).toEqual({ difference: undefined, intact: true });
    expect(cluster.digest()).toBe(read(ROLLOUT).end?.digest);
  });

  test('shows the state of an instant in its middle', () => {
    const trace = read(ROLLOUT);
    const [before, after] = [18_000, 60_000].map((t) => replayTrace(trace, trace.start + trace.up + t).cluster);
    expect(before?.store.list('pods', 'shop')).toHaveLength(2);
    expect(after?.store.list('pods', 'shop')).toHaveLength(0);
    expect(before?.now()).toBe(DEFAULT_START + trace.up + 18_000);
  });

  test('keeps what a cluster began with: nodes, objects, faults before anything ran', () => {
    const nodes = [
      { name: 'shelf-1', cpu: '2' },
      { name: 'shelf-2', labels: { aisle: 'fruit' } },
    ];
    const [ends, till] = [DEFAULT_START + 60_000, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'till' } }];
    const setup = [{ fault: 'certificate', name: 'kube-scheduler', notAfter: ends }] as const;
    const replay = replayTrace(
      read(recorded((cluster) => cluster.advance(1000), { preset: { nodes }, setup, objects: [till] })),
      undefined,
    );
    expect(replay).toMatchObject({ difference: undefined, intact: true });
    expect(replay.cluster.store.get('nodes', undefined, 'shelf-2')?.metadata['labels']).toMatchObject({ aisle: 'fruit' });
    expect(replay.cluster.store.get('namespaces', undefined, 'till')).toBeDefined();
    expect(replay.cluster.world.certificates.get('kube-scheduler')?.notAfter).toBe(ends);
  });

  test('that was changed by hand says so by its digest', () => {
    const changed = ROLLOUT.replace('"kind":"ReplicaSet"', '"kind":"ReplicaSett"');
    expect(replayTrace(read(changed), undefined)).toMatchObject({
      intact: false,
      difference: { played: expect.stringContaining('ReplicaSet"') as unknown },
    });
  });

  test('of which one byte was changed says so, even where it still says the same', () => {
    expect(replayTrace(read(ROLLOUT), undefined)).toMatchObject({ intact: true });
    expect(replayTrace(read(ROLLOUT.replace('"is":"note"', '"is": "note"')), undefined)).toMatchObject({ intact: false });
  });

  test('with another input plays otherwise from that input on', () => {
    const line = ROLLOUT.split('\n').findIndex((one) => one.includes('"is":"input"') && one.includes('kubelet'));
    const changed = ROLLOUT.replace('"node":"worker-2"}', '"node":"worker-3"}').split('\n');
    const { difference } = replayTrace(read(changed.join('\n')), undefined);
    expect(difference?.line).toBeGreaterThan(line + 1);
  });

  test('that lacks lines in its middle says where it plays otherwise', () => {
    const lines = ROLLOUT.split('\n');
    const cut = [...lines.slice(0, 200), ...lines.slice(203)].join('\n');
    expect(replayTrace(read(cut), undefined)).toMatchObject({ intact: false, difference: { line: 201 } });
  });

  test('that was cut off plays as far as it goes, half a line aside', () => {
    const cut = ROLLOUT.slice(0, Math.floor(ROLLOUT.length * 0.6));
    const trace = read(cut);
    expect(trace.end).toBeUndefined();
    expect(replayTrace(trace, undefined)).toMatchObject({ difference: undefined, intact: undefined });
  });

  test('of another version is refused, and it is said which one', () => {
    const newer = ROLLOUT.replace(`"version":${TRACE_VERSION}`, `"version":${TRACE_VERSION + 1}`);
    expect(() => read(newer)).toThrow(
      `the trace shop.trace is of version ${TRACE_VERSION + 1}; this podcheck plays version ${TRACE_VERSION}`,
    );
    const older = ROLLOUT.replace(`"version":${TRACE_VERSION},`, '');
    expect(() => read(older)).toThrow('the trace shop.trace does not say its version');
  });

  test.each([
    ['', 'shop.trace is no trace'],
    ['{"kind":"List"}\n', 'shop.trace is no trace'],
    ['\u0000\u0001', 'shop.trace is no trace'],
    [`{"t":0,"is":"start","version":${TRACE_VERSION},"start":0}\n`, "shop.trace:1: options: the cluster's seed is missing"],
    [
      `{"t":0,"is":"start","version":${TRACE_VERSION},"start":0,"options":{"seed":1}}\nnothing\n{"t":1,"is":"note"}`,
      'shop.trace:2: this line is no record',
    ],
    [
      `{"t":0,"is":"start","version":${TRACE_VERSION},"start":0,"options":{"seed":1}}\n{"t":1,"is":"input","do":"sing"}`,
      'shop.trace:2: this input',
    ],
  ])('is told from anything else: %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe('two traces', () => {
  test('of the same script are the same', () => {
    const script = (cluster: Parameters<Parameters<typeof recorded>[0]>[0]): void => cluster.advance(3000);
    const { first, followed, beginnings } = compareTraces(read(recorded(script)), read(recorded(script)));
    expect({ first, followed, beginnings }).toEqual({ first: undefined, followed: [], beginnings: [] });
  });

  test('first differ where one was done something else, and it is told what followed', () => {
    const quiet = recorded((cluster) => {
      cluster.apply([serving('web')]);
      cluster.advance(120_000);
    });
    const broken = recorded((cluster) => {
      cluster.apply([serving('web')]);
      cluster.advance(10_000);
      cluster.inject({ fault: 'stop', process: 'kubelet', node: 'worker-1' });
      cluster.advance(110_000);
    });
    const { first, followed } = compareTraces(read(quiet), read(broken));
    expect(first?.b?.moment.record).toMatchObject({ is: 'input', do: 'inject' });
    expect(first?.t).toBeCloseTo(11_016, 0);
    const told = followed.map(({ only, word }) => `${only} ${word.subject}: ${word.text}`);
    expect(told[0]).toBe('b fault: stop process=kubelet node=worker-1');
    expect(told).toContain('b Node worker-1: Ready is Unknown (NodeStatusUnknown)');
    expect(followed.every(({ t }) => t >= (first?.t ?? Number.POSITIVE_INFINITY))).toBe(true);
  });

  test('of other seeds are compared by what happened, not by names and times', () => {
    const [one, other] = [3, 4].map((seed) =>
      recorded(
        (cluster) => {
          cluster.apply([crashing('cart')]);
          cluster.advance(60_000);
        },
        { seed, preset: 'one-node' },
      ),
    ) as [string, string];
    const { beginnings, followed } = compareTraces(read(one), read(other));
    expect(beginnings).toEqual([{ field: 'seed', a: '3', b: '4' }]);
    expect(followed.map(({ word }) => word.text)).toEqual([]);
  });
});
