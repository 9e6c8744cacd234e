import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { ago, collected, evidenceOf, factsIn, objectOf } from '../../../support/collected.ts';
import { waiting } from '../../../support/waiting-pod.ts';

function node(name: string, spec: JsonObject = {}, labels: JsonObject = {}, allocatable: JsonObject = {}): KubeObject {
  return objectOf(
    'Node',
    name,
    { spec, status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110', ...allocatable } } },
    { labels: { 'kubernetes.io/hostname': name, ...labels } },
  );
}

function placed(name: string, nodeName: string, spec: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return objectOf(
    'Pod',
    name,
    {
      spec: { containers: [{ name: 'web' }], nodeName, ...spec },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    },
    metadata,
  );
}

function requests(amounts: JsonObject): JsonObject {
  return { containers: [{ name: 'web', resources: { requests: amounts } }] };
}

const summary = async (...objects: readonly KubeObject[]): Promise<Readonly<Record<string, unknown>>> =>
  (await collected('fit-summary', objects))[0] ?? {};
const CPU = '0/1 nodes are available: 1 Insufficient cpu.';

describe('why no node takes a pod', () => {
  it('is that it asks for more than is free', async () => {
    const objects = [
      waiting('web', { said: CPU, spec: requests({ cpu: '3' }) }),
      node('worker-1'),
      placed('db', 'worker-1', requests({ cpu: '2500m' })),
    ];
    expect(await summary(...objects)).toEqual({
      blocker: 'resource',
      blocked: 1,
      node: 'worker-1',
      nodes: 1,
      from: 'nodes',
      resource: 'cpu',
      requested: '3',
      container: 'web',
      free: '1500m',
      largest: '4',
      extended: false,
      displaced: false,
      said: CPU,
      detail: 'worker-1: cpu: 3 requested, 1500m of 4 free',
    });
    const memory = '0/2 nodes are available: 2 Insufficient memory.';
    expect(
      await summary(
        waiting('web', { said: memory, spec: requests({ memory: '9Gi' }) }),
        node('worker-1'),
        node('worker-2', {}, {}, { memory: '8704Mi' }),
      ),
    ).toMatchObject({ resource: 'memory', requested: '9Gi', free: '8.5Gi', largest: '8.5Gi', node: 'worker-2', blocked: 2 });
    expect(await summary(waiting('web', { spec: requests({ 'shop.example/lens': '2' }) }), node('worker-1'))).toMatchObject({
      resource: 'shop.example/lens',
      extended: true,
      free: '0',
      largest: '0',
    });
  });

  it('names the container that asks, where it is only one', async () => {
    const two = {
      containers: [
        { name: 'web', resources: { limits: { cpu: '5' } } },
        { name: 'proxy', resources: { requests: { cpu: '1' } } },
      ],
    };
    expect(await summary(waiting('web', { spec: two }), node('worker-1'))).not.toHaveProperty('container');
    const [first] = two.containers;
    expect(await summary(waiting('web', { spec: { containers: [first, { name: 'proxy' }] } as never }), node('worker-1'))).toMatchObject({
      container: 'web',
      requested: '5',
    });
  });

  it('is a taint, and tells how it could be tolerated', async () => {
    const taints = [{ key: 'team', value: 'data', effect: 'NoSchedule' }];
    expect(await summary(waiting('web'), node('worker-1', { taints }))).toMatchObject({
      blocker: 'taint',
      taint: 'team=data:NoSchedule',
      taintKey: 'team',
      condition: false,
      tolerateValue: 'data',
      tolerateEffect: 'NoSchedule',
      toleratesNone: true,
    });
    const usual = [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }];
    expect(await summary(waiting('web', { spec: { tolerations: usual } }), node('worker-1', { taints }))).toMatchObject({
      toleratesNone: true,
    });
    const own = [...usual, { key: 'other', operator: 'Exists' }];
    expect(await summary(waiting('web', { spec: { tolerations: own } }), node('worker-1', { taints }))).not.toHaveProperty('toleratesNone');
    const sick = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }];
    expect(await summary(waiting('web'), node('worker-1', { taints: sick }))).toMatchObject({
      condition: true,
      taint: 'node.kubernetes.io/not-ready:NoSchedule',
    });
    expect(await collected('node-use', [waiting('web'), node('worker-1', { taints: sick })])).toEqual([
      { node: 'worker-1', how: 'kept-off', ready: false, started: false },
    ]);
    expect(await collected('node-use', [waiting('web'), node('worker-1', { taints })])).toEqual([]);
  });

  it('is a label that no node has, or that one has with another value', async () => {
    const wants = (labels: JsonObject): KubeObject => waiting('web', { spec: { nodeSelector: labels } });
    expect(await summary(wants({ disk: 'fast' }), node('worker-1'))).toMatchObject({
      blocker: 'node-selector',
      wanted: 'disk=fast',
      wantedLabel: 'disk=fast',
    });
    const other = await summary(wants({ disk: 'fast' }), node('worker-1', {}, { disk: 'slow' }));
    expect(other).toMatchObject({ wanted: 'disk=fast', similar: 'disk=slow (worker-1)' });
    expect(other).not.toHaveProperty('wantedLabel');
    expect(await summary(wants({ disk: 'fast', zone: 'a' }), node('worker-1'))).not.toHaveProperty('wantedLabel');
    expect(await summary(wants({ 'kubernetes.io/hostname': 'worker-9' }), node('worker-1'))).toMatchObject({ selectedHost: 'worker-9' });
    const terms = [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['fast'] }] }];
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } };
    const byTerms = await summary(waiting('web', { spec: { affinity } }), node('worker-1'));
    expect(byTerms).toMatchObject({ blocker: 'node-affinity', wanted: 'disk in (fast)' });
    expect(byTerms).not.toHaveProperty('alternative');
    const unseen: KubeObject = {
      ...waiting('web', { said: "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector." }),
      [OBSERVED]: ['metadata.name', 'spec.nodeName', 'status'],
    };
    expect(await summary(unseen, node('worker-1'))).toMatchObject({ blocker: 'node-affinity', alternative: 'nodeSelector' });
  });

  it('is a port of the node that another pod holds', async () => {
    const serving = { containers: [{ name: 'web', ports: [{ containerPort: 80, hostPort: 8080 }] }] };
    expect(await summary(waiting('web', { spec: serving }), node('worker-1'), placed('till', 'worker-1', serving))).toMatchObject({
      blocker: 'host-port',
      wanted: '8080/TCP',
      holder: 'shop/till',
      portContainer: 'web',
      containerPort: 80,
      protocol: 'TCP',
    });
    const owner = { ownerReferences: [{ kind: 'StatefulSet', name: 'web', controller: true }] };
    const full = await summary(
      waiting('web-1', { spec: serving, metadata: owner }),
      node('worker-1'),
      placed('web-0', 'worker-1', serving, owner),
    );
    expect(full).toMatchObject({ blocker: 'host-port', placed: 1 });
    expect(full).not.toHaveProperty('portContainer');
    const revision = (hash: string): JsonObject => ({
      labels: { 'pod-template-hash': hash },
      ownerReferences: [{ kind: 'ReplicaSet', name: `web-${hash}`, controller: true }],
    });
    const rolling = await summary(
      waiting('web-b-1', { spec: serving, metadata: revision('b') }),
      node('worker-1'),
      placed('web-a-1', 'worker-1', serving, revision('a')),
    );
    expect(rolling).toMatchObject({ blocker: 'host-port' });
    expect(rolling).not.toHaveProperty('placed');
    expect(rolling).not.toHaveProperty('portContainer');
  });

  it('is a volume that can be used on another node alone', async () => {
    const volume = (values: readonly string[], key = 'kubernetes.io/hostname', operator = 'In'): KubeObject =>
      objectOf('PersistentVolume', 'pv-1', {
        spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values: [...values] }] }] } } },
      });
    const objects = (pv: KubeObject): readonly KubeObject[] => [
      waiting('web', { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'till' } }] } }),
      objectOf('PersistentVolumeClaim', 'till', { spec: { volumeName: 'pv-1' }, status: { phase: 'Bound' } }),
      pv,
      node('worker-1'),
    ];
    expect(await summary(...objects(volume(['worker-9'])))).toMatchObject({
      blocker: 'volume-node',
      claim: 'till',
      volume: 'pv-1',
      volumeHost: 'worker-9',
      wanted: 'kubernetes.io/hostname in (worker-9)',
    });
    expect(await summary(...objects(volume(['worker-8', 'worker-9'])))).not.toHaveProperty('volumeHost');
    expect(await summary(...objects(volume(['a'], 'zone')))).not.toHaveProperty('volumeHost');
    expect(await summary(...objects(volume(['worker-1'], 'kubernetes.io/hostname', 'NotIn')))).not.toHaveProperty('volumeHost');
  });

  it('is a pod that it must not be with, or that must be near', async () => {
    const term = (app: string, which: string): JsonObject => ({
      affinity: {
        [which]: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { app } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
    });
    expect(
      await summary(
        waiting('web', { spec: term('till', 'podAntiAffinity') }),
        node('worker-1'),
        placed('till', 'worker-1', {}, { labels: { app: 'till' } }),
      ),
    ).toMatchObject({ blocker: 'pod-anti-affinity', holder: 'shop/till', wanted: 'no app=till in the same kubernetes.io/hostname' });
    expect(await summary(waiting('web', { spec: term('till', 'podAffinity') }), node('worker-1'))).toMatchObject({
      blocker: 'pod-affinity',
      wanted: 'app=till in the same kubernetes.io/hostname',
    });
    const guard = placed('till', 'worker-1', term('web', 'podAntiAffinity'));
    expect(await summary(waiting('web', { metadata: { labels: { app: 'web' } } }), node('worker-1'), guard)).toMatchObject({
      blocker: 'existing-anti-affinity',
      holder: 'shop/till',
    });
  });

  it('is what the scheduler says, where nodes were not seen', async () => {
    const said = '0/3 nodes are available: 1 node(s) had untolerated taint {team: data}, 2 Insufficient cpu.';
    expect(factsIn(await evidenceOf([waiting('web', { said })], { refused: ['Node'] }), 'fit-summary')).toEqual([
      {
        blocker: 'resource',
        blocked: 2,
        from: 'scheduler',
        resource: 'cpu',
        extended: false,
        nodes: 3,
        displaced: false,
        said,
        detail: 'Insufficient cpu',
      },
    ]);
    const taint = '0/1 nodes are available: 1 node(s) had untolerated taint {team: data}.';
    expect(await summary(waiting('web', { said: taint }))).toMatchObject({
      blocker: 'taint',
      taint: 'team=data:NoSchedule',
      taintKey: 'team',
      condition: false,
    });
    const { gaps } = await evidenceOf([waiting('web', { said })], { refused: ['Node'] });
    expect(gaps.filter(({ kind }) => kind === 'node-fit')).toMatchObject([{ about: { name: 'web' }, needs: 'list Node' }]);
  });

  it('is not told of a pod that nobody has tried, is gated, has a node, ended or is deleted', async () => {
    const bare = objectOf('Pod', 'web', { spec: { containers: [] }, status: { phase: 'Pending' } });
    const gated = waiting('web', { said: CPU, spec: { schedulingGates: [{ name: 'shop.example/till' }] } });
    const others = [
      bare,
      gated,
      waiting('web', { spec: { nodeName: 'worker-1' } }),
      waiting('web', { status: { phase: 'Failed' } }),
      waiting('web', { metadata: { deletionTimestamp: ago(5) } }),
    ];
    for (const pod of others) expect(await collected('fit-summary', [pod, node('worker-1', { unschedulable: true })])).toEqual([]);
  });

  it('is unknown where its words and those of the pod were not seen', async () => {
    const described: KubeObject = { ...waiting('web'), [OBSERVED]: ['metadata.name', 'spec.nodeName', 'status'] };
    const { facts, gaps } = await evidenceOf([described, node('worker-1')]);
    expect(facts.some(({ kind }) => kind === 'fit-summary')).toBe(false);
    expect(gaps.filter(({ kind }) => kind === 'fit-summary')).toMatchObject([
      { about: { name: 'web' }, needs: 'kubectl -n shop get pod web -o yaml' },
    ]);
    const kept = node('cp-1', { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] });
    expect((await evidenceOf([waiting('web'), kept])).gaps.filter(({ kind }) => kind === 'fit-summary')).toMatchObject([
      { needs: 'kubectl -n shop describe pod web' },
    ]);
    expect(
      factsIn(
        await evidenceOf([waiting('web', { said: '0/1 nodes are available: 1 node(s) had untolerated taint(s).' }), kept]),
        'fit-summary',
      ),
    ).toHaveLength(1);
  });
});

describe('each node that a pod does not fit', () => {
  it('is told with all that refuses it, the nearest first', async () => {
    const taints = [{ key: 'team', value: 'data', effect: 'NoSchedule' }];
    const fits = await collected('node-fit', [
      waiting('web', { spec: requests({ cpu: '5' }) }),
      node('worker-1', { taints }),
      node('worker-2'),
    ]);
    expect(fits).toEqual([
      {
        node: 'worker-2',
        fits: false,
        blocker: 'resource',
        resource: 'cpu',
        detail: 'cpu: 5 requested, 4 of 4 free',
      },
      {
        node: 'worker-1',
        fits: false,
        blocker: 'taint',
        detail: 'taint team=data:NoSchedule is not tolerated; cpu: 5 requested, 4 of 4 free',
      },
    ]);
    expect(await collected('node-fit', [waiting('web'), node('worker-1')])).toEqual([{ node: 'worker-1', fits: true }]);
  });

  it('is told once for the pods of one template', async () => {
    const of = (name: string, hash: string): KubeObject =>
      waiting(name, {
        spec: requests({ cpu: '5' }),
        metadata: {
          labels: { 'pod-template-hash': hash },
          ownerReferences: [{ kind: 'ReplicaSet', name: `web-${hash}`, controller: true }],
        },
      });
    const deployment = objectOf('Deployment', 'web', { spec: { replicas: 3 } });
    const fits = await collected('node-fit', [of('web-a-1', 'a'), of('web-a-2', 'a'), of('web-b-1', 'b'), deployment, node('worker-1')]);
    expect(fits).toHaveLength(2);
    expect(await collected('fit-summary', [of('web-a-1', 'a'), of('web-a-2', 'a'), deployment, node('worker-1')])).toHaveLength(2);
  });
});
