import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { ago, collected, eventOn, evidenceOf, factsIn, objectOf, podWith } from '../../../support/collected.ts';

const WELL = objectOf('Node', 'worker-1', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });

function node(...conditions: readonly JsonObject[]): KubeObject {
  return objectOf('Node', 'worker-1', { spec: {}, status: { conditions: [...conditions] } });
}

const troubles = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('node-trouble', objects);

describe('the conditions of a node', () => {
  const told = { node: 'worker-1', via: 'condition' };

  it.each<readonly [JsonObject, object | undefined]>([
    [
      { type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting' },
      { trouble: 'kubelet-silent', message: 'Kubelet stopped posting' },
    ],
    [
      { type: 'Ready', status: 'False', message: 'whatever' },
      { trouble: 'not-ready', message: 'whatever' },
    ],
    [{ type: 'Ready', status: 'False', message: 'cni plugin not initialized' }, { trouble: 'cni-config' }],
    [
      { type: 'Ready', status: 'False' },
      { trouble: 'not-ready', message: 'its message was not seen' },
    ],
    [{ type: 'Ready', status: 'True', message: 'kubelet is posting' }, undefined],
    [{ type: 'MemoryPressure', status: 'True' }, { trouble: 'memory-pressure' }],
    [{ type: 'DiskPressure', status: 'True' }, { trouble: 'disk-pressure' }],
    [{ type: 'PIDPressure', status: 'True' }, { trouble: 'pid-pressure' }],
    [{ type: 'NetworkUnavailable', status: 'True' }, { trouble: 'network-unavailable' }],
    [{ type: 'DiskPressure', status: 'False' }, undefined],
    [{ type: 'DiskPressure', status: 'Unknown' }, undefined],
    [{ type: 'FrequentUnregisterNetDevice', status: 'True' }, undefined],
  ])('%j', async (condition, expected) => {
    expect(await troubles(node(condition))).toMatchObject(expected === undefined ? [] : [{ ...told, ...expected }]);
  });
});

describe('a pod whose sandbox is not made', () => {
  const stuck = (status: JsonObject = {}, container: JsonObject = {}): KubeObject =>
    podWith(
      'web-1',
      {},
      { state: { waiting: { reason: 'ContainerCreating' } }, ...container },
      { status: { phase: 'Pending', ...status } },
    );
  const failed = (message: string, seconds: number, reason = 'FailedCreatePodSandBox'): KubeObject =>
    eventOn(stuck(), reason, message, seconds);
  const EXHAUSTED = 'failed to set up sandbox: no more IPs';

  it('tells what is wrong with its node', async () => {
    expect(await troubles(WELL, stuck(), failed(EXHAUSTED, 5))).toEqual([
      { node: 'worker-1', trouble: 'ip-exhausted', via: 'sandbox', message: EXHAUSTED, pod: 'web-1' },
    ]);
    const { facts } = await evidenceOf([WELL, stuck(), failed(EXHAUSTED, 5)]);
    expect(
      facts.filter(({ kind }) => kind === 'node-trouble').map(({ about, source, quote }) => [about.kind, about.name, source, quote]),
    ).toEqual([['Node', 'worker-1', 'event on Pod/shop/web-1', `FailedCreatePodSandBox: ${EXHAUSTED}`]]);
    expect(await collected('node-use', [WELL, stuck(), failed(EXHAUSTED, 5)])).toEqual([
      { node: 'worker-1', how: 'bound', ready: false, started: false },
    ]);
  });

  it.each(['FailedCreatePodSandBox', 'NetworkNotReady', 'FailedCreatePodContainer', 'FailedPodSandBoxStatus'])(
    'is told by %s',
    async (reason) => {
      expect(await troubles(WELL, stuck(), failed(EXHAUSTED, 5, reason))).toHaveLength(1);
    },
  );

  it('is not told by other events', async () => {
    expect(await troubles(WELL, stuck(), failed(EXHAUSTED, 5, 'FailedMount'))).toEqual([]);
    const other = podWith('web-2', {}, {});
    expect(await troubles(WELL, stuck(), eventOn(other, 'FailedCreatePodSandBox', EXHAUSTED, 5))).toEqual([]);
  });

  it('is explained by the last message that says more than that it failed', async () => {
    const general = 'rpc error: something went wrong';
    expect(await troubles(WELL, stuck(), failed(EXHAUSTED, 50), failed(general, 5))).toMatchObject([{ trouble: 'ip-exhausted' }]);
    expect(await troubles(WELL, stuck(), failed(general, 50), failed('failed to find plugin "bridge" in path', 5))).toMatchObject([
      { trouble: 'cni-binary', detail: 'bridge' },
    ]);
    expect(await troubles(WELL, stuck(), failed('first', 50), failed(general, 5))).toMatchObject([
      { trouble: 'sandbox-other', message: general },
    ]);
  });

  it('was made where the kubelet went on two minutes later', async () => {
    const went = (reason: string, seconds: number): KubeObject => eventOn(stuck(), reason, '', seconds, { type: 'Normal' });
    for (const reason of ['Pulling', 'Pulled', 'Created', 'Started']) {
      expect(await troubles(WELL, stuck(), failed(EXHAUSTED, 200), went(reason, 79))).toEqual([]);
      expect(await troubles(WELL, stuck(), failed(EXHAUSTED, 200), went(reason, 80))).toHaveLength(1);
    }
    expect(await troubles(WELL, stuck(), failed(EXHAUSTED, 200), went('FailedMount', 5))).toHaveLength(1);
    expect(await troubles(WELL, stuck(), failed('network is not ready', 200, 'NetworkNotReady'), went('FailedMount', 5))).toEqual([]);
  });

  it('has had it where a container was created, it is ready, or its condition says so', async () => {
    const ended = { state: { terminated: { exitCode: 1 } } };
    for (const container of [{ state: { running: {} } }, ended, { lastState: ended.state }])
      expect(await troubles(WELL, stuck({}, container), failed(EXHAUSTED, 5))).toEqual([]);
    const condition = (type: string): JsonObject => ({ conditions: [{ type, status: 'True' }] });
    expect(await troubles(WELL, stuck(condition('PodReadyToStartContainers')), failed(EXHAUSTED, 5))).toEqual([]);
    expect(await troubles(WELL, stuck({ initContainerStatuses: [{ name: 'setup', ...ended }] }), failed(EXHAUSTED, 5))).toEqual([]);
    expect(await troubles(WELL, stuck({ phase: 'Failed' }), failed(EXHAUSTED, 5))).toEqual([]);
  });
});

describe('a pod that was evicted', () => {
  const LOW = 'The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi.';
  const evicted = (ownerReferences: readonly JsonObject[] = []): KubeObject => {
    const pod = podWith('web-1', {}, {}, { status: { phase: 'Failed', reason: 'Evicted', message: LOW } });
    return { ...pod, metadata: { ...pod.metadata, ownerReferences: [...ownerReferences] } };
  };
  const set = (readyReplicas: number): KubeObject =>
    objectOf('StatefulSet', 'web', { spec: { replicas: 2 }, status: { replicas: 2, readyReplicas } });
  const owned = evicted([{ kind: 'StatefulSet', name: 'web', controller: true }]);

  it('tells of its node until something has replaced it', async () => {
    expect(await troubles(WELL, evicted())).toMatchObject([{ trouble: 'memory-pressure', via: 'eviction', message: LOW, pod: 'web-1' }]);
    expect(await troubles(WELL, owned, set(1))).toHaveLength(1);
    expect(await troubles(WELL, owned, set(2))).toEqual([]);
  });
});

describe('a pod that the node controller marked as not ready', () => {
  const marked = (more: JsonObject = {}, containersReady = 'True'): KubeObject =>
    podWith(
      'web-1',
      {},
      { ready: true, state: { running: {} } },
      {
        spec: more,
        status: {
          conditions: [
            { type: 'Ready', status: 'False', lastTransitionTime: ago(60) },
            { type: 'ContainersReady', status: containersReady },
          ],
        },
      },
    );
  const event = eventOn(marked(), 'NodeNotReady', 'Node is not ready', 30);

  it('tells that its node is not ready, where that was not seen', async () => {
    expect(await troubles(marked(), event)).toEqual([
      { node: 'worker-1', trouble: 'not-ready', via: 'event', message: 'Node is not ready', pod: 'web-1' },
    ]);
    expect(factsIn(await evidenceOf([marked()], { refused: ['Node'] }), 'node-trouble')).toMatchObject([
      { trouble: 'not-ready', message: 'a pod there is not ready though its containers are' },
    ]);
    expect(await troubles(marked())).toEqual([]);
  });

  it('tells nothing where the node was seen, the containers are not ready, or a gate keeps the pod', async () => {
    expect(await troubles(WELL, marked(), event)).toEqual([]);
    expect(await troubles(marked({}, 'False'), event)).toEqual([]);
    const gated = marked({ readinessGates: [{ conditionType: 'shop.example/open' }] });
    expect(factsIn(await evidenceOf([gated], { refused: ['Node'] }), 'node-trouble')).toEqual([]);
    expect(await troubles(gated, event)).toHaveLength(1);
  });
});
