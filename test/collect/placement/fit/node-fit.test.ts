import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { decideFit } from '../../../../src/collect/placement/fit/decide-fit.ts';
import { viewOf } from '../../../../src/collect/placement/fit/pod-view.ts';
import { nodeFitter } from '../../../../src/collect/placement/fit/node-refusals.ts';
import { parseSaid } from '../../../../src/collect/placement/fit/scheduler-message.ts';
import { makePlacementView } from '../../../../src/collect/placement/fit/placement-view.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { shippedRules } from '../../../../src/catalog/bundled-data.ts';
import { vocabularyOf } from '../../../../src/collect/survey/vocabulary.ts';

const vocabulary = vocabularyOf(await shippedRules());

function node(name: string, spec: JsonObject = {}, labels: JsonObject = {}, allocatable: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec,
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110', ...allocatable } },
  };
}

function pod(name: string, spec: JsonObject = {}, labels: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', labels },
    spec: { containers: [{ name: 'web' }], ...spec },
    status: {},
  };
}

function asks(cpu: string): JsonObject {
  return { containers: [{ name: 'web', resources: { requests: { cpu } } }] };
}

interface Situation {
  readonly nodes: readonly KubeObject[];
  readonly pods?: readonly KubeObject[];
  readonly volumes?: readonly KubeObject[];
  readonly claims?: readonly KubeObject[];
  readonly allPods?: boolean;
}

function fitsOf(waiting: KubeObject, { nodes, pods = [], volumes = [], claims = [], allPods = true }: Situation) {
  return nodeFitter(
    makePlacementView({ nodes, pods, allPods, wholeNodes: new Set(), wholeNamespaces: new Set(['shop']), claims, volumes }),
  )(viewOf(waiting));
}

function blockersOf(waiting: KubeObject, situation: Situation): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(fitsOf(waiting, situation).map((fit) => [fit.node.metadata.name, fit.refusals.map(({ blocker }) => blocker)]));
}

function decisionOf(waiting: KubeObject, situation: Situation, said?: string): string {
  const decided = decideFit(viewOf(waiting), fitsOf(waiting, situation), said === undefined ? undefined : parseSaid(said, vocabulary));
  return decided.kind === 'decided'
    ? `${decided.decision.blocker} x${String(decided.decision.blocked)}`
    : `open: ${decided.unknown.join(', ')}`;
}

describe('the filters of the scheduler', () => {
  it('are all applied to every node, not only the first that refuses', () => {
    const full = node(
      'worker-1',
      { unschedulable: true, taints: [{ key: 'team', value: 'data', effect: 'NoSchedule' }] },
      {},
      { cpu: '1' },
    );
    expect(blockersOf(pod('web', asks('2')), { nodes: [full] })).toEqual({ 'worker-1': ['unschedulable', 'taint', 'resource'] });
  });

  it('let a PreferNoSchedule taint pass, and a toleration of any key', () => {
    const nodes = [
      node('worker-1', { taints: [{ key: 'team', value: 'data', effect: 'PreferNoSchedule' }] }),
      node('worker-2', { taints: [{ key: 'team', value: 'data', effect: 'NoExecute' }] }),
    ];
    expect(blockersOf(pod('web', { tolerations: [{ operator: 'Exists' }] }), { nodes })).toEqual({ 'worker-1': [], 'worker-2': [] });
    expect(blockersOf(pod('web'), { nodes })).toEqual({ 'worker-1': [], 'worker-2': ['taint'] });
  });

  it('reckon with the largest init container and with sidecars', () => {
    const spec = {
      containers: [{ name: 'web', resources: { requests: { cpu: '1' } } }],
      initContainers: [
        { name: 'proxy', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } },
        { name: 'load', resources: { requests: { cpu: '3500m' } } },
      ],
    };
    const [fit] = fitsOf(pod('web', spec), { nodes: [node('worker-1')] });
    expect(fit?.refusals[0]?.detail).toBe('cpu: 4500m requested, 4 of 4 free');
  });

  it('subtract what other pods asked for, but not those that have ended', () => {
    const there = [
      pod('db', { nodeName: 'worker-1', ...asks('3') }),
      { ...pod('report', { nodeName: 'worker-1', ...asks('4') }), status: { phase: 'Succeeded' } },
    ];
    expect(blockersOf(pod('web', asks('1')), { nodes: [node('worker-1')], pods: there })).toEqual({ 'worker-1': [] });
    expect(blockersOf(pod('web', asks('1500m')), { nodes: [node('worker-1')], pods: there })).toEqual({ 'worker-1': ['resource'] });
  });

  it('cannot tell that a node has room when some of its pods were not seen', () => {
    const [fit] = fitsOf(pod('web', asks('1')), { nodes: [node('worker-1')], allPods: false });
    expect(fit?.refusals).toEqual([]);
    expect(fit?.unknown).toContain('resource');
  });

  it('let the first pod of a self-affine set go anywhere', () => {
    const affinity = {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'kubernetes.io/hostname' },
        ],
      },
    };
    expect(blockersOf(pod('db-0', { affinity }, { app: 'db' }), { nodes: [node('worker-1')] })).toEqual({ 'worker-1': [] });
    expect(blockersOf(pod('web', { affinity }, { app: 'web' }), { nodes: [node('worker-1')] })).toEqual({ 'worker-1': ['pod-affinity'] });
  });

  it('count pods per domain, empty domains included', () => {
    const constraint = {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    };
    const nodes = [node('worker-1', {}, { zone: 'north' }), node('worker-2', {}, { zone: 'south' }), node('worker-3')];
    const there = [pod('web-1', { nodeName: 'worker-1' }, { app: 'web' })];
    expect(blockersOf(pod('web-2', { topologySpreadConstraints: [constraint] }, { app: 'web' }), { nodes, pods: there })).toEqual({
      'worker-1': ['spread'],
      'worker-2': [],
      'worker-3': ['spread'],
    });
  });

  it('count only nodes that the pod may go to, unless it says otherwise; taints only if it says so', () => {
    const spread = (more: JsonObject, spec: JsonObject): unknown => {
      const constraint = {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'web' } },
        ...more,
      };
      const taints = [{ key: 'shut', effect: 'NoSchedule' }];
      const nodes = [
        node('worker-1', {}, { zone: 'north', disk: 'fast' }),
        node('worker-2', {}, { zone: 'south' }),
        node('worker-3', { taints }, { zone: 'west', disk: 'fast' }),
        node('worker-4', {}, { zone: 'west' }),
      ];
      const pods = ['worker-1', 'worker-4'].map((nodeName, index) => pod(`web-${String(index)}`, { nodeName }, { app: 'web' }));
      return blockersOf(pod('web-9', { ...spec, topologySpreadConstraints: [constraint] }, { app: 'web' }), { nodes, pods })['worker-1'];
    };
    const terms = [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['fast'] }] }];
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } };
    for (const spec of [{ nodeSelector: { zone: 'north' } }, { nodeSelector: { zone: 'north' }, affinity }]) {
      expect([spread({}, spec), spread({ nodeAffinityPolicy: 'Honor' }, spec)]).toEqual([[], []]);
      expect(spread({ nodeAffinityPolicy: 'Ignore' }, spec)).toEqual(['spread']);
    }
    // The tainted node alone is empty: it counts unless taints are to be heeded.
    expect([spread({}, { affinity }), spread({ nodeTaintsPolicy: 'Ignore' }, { affinity })]).toEqual([['spread'], ['spread']]);
    expect(spread({ nodeTaintsPolicy: 'Honor' }, { affinity })).toEqual([]);
  });

  it('keep a pod where its bound volume can be used', () => {
    const claim: KubeObject = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'shop' },
      spec: { volumeName: 'pv-1' },
    };
    const terms = [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['north'] }] }];
    const volume: KubeObject = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-1' },
      spec: { nodeAffinity: { required: { nodeSelectorTerms: terms } } },
    };
    const waiting = pod('db', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });
    expect(
      blockersOf(waiting, {
        nodes: [node('worker-1', {}, { zone: 'north' }), node('worker-2', {}, { zone: 'south' })],
        claims: [claim],
        volumes: [volume],
      }),
    ).toEqual({ 'worker-1': [], 'worker-2': ['volume-node'] });
  });
});

describe('the blocker that is to blame', () => {
  it('is what keeps the pod off the nodes it asks for, however many others it does not ask for', () => {
    const nodes = [node('worker-1', { unschedulable: true }, { disk: 'ssd' }), node('worker-2'), node('worker-3')];
    expect(decisionOf(pod('db', { nodeSelector: { disk: 'ssd' } }), { nodes })).toBe('unschedulable x1');
  });

  it('is the wish itself when no node meets it, or only one of the control plane by chance', () => {
    const avoid = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'state', operator: 'NotIn', values: ['old'] }] }],
        },
      },
    };
    const control = node('control-1', { unschedulable: true }, { 'node-role.kubernetes.io/control-plane': '' });
    expect(decisionOf(pod('db', { affinity: avoid }), { nodes: [control, node('worker-1', {}, { state: 'old' })] })).toBe(
      'node-affinity x1',
    );
  });

  it('is the one whose removal helps most', () => {
    const nodes = [
      node('worker-1', { unschedulable: true }),
      node('worker-2', {}, {}, { cpu: '1' }),
      node('worker-3', {}, {}, { cpu: '1' }),
    ];
    expect(decisionOf(pod('web', asks('2')), { nodes })).toBe('resource x2');
  });

  it('is told by the scheduler where the source of the pod does not show its wishes', () => {
    const described: KubeObject = {
      ...pod('web'),
      [OBSERVED]: ['spec.nodeName', 'spec.nodeSelector', 'spec.containers', 'spec.tolerations'],
    };
    expect(decisionOf(described, { nodes: [node('worker-1'), node('worker-2')] })).toMatch(/^open: .*node-affinity/);
    expect(
      decisionOf(
        described,
        { nodes: [node('worker-1'), node('worker-2')] },
        "0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules.",
      ),
    ).toBe('pod-anti-affinity x2');
  });

  it('is open between the labels and an earlier filter when nothing shows what the pod asks for', () => {
    const unseen: KubeObject = { ...pod('web'), [OBSERVED]: ['spec.nodeName'] };
    expect(
      decisionOf(
        unseen,
        { nodes: [] },
        "0/4 nodes are available: 1 node(s) were unschedulable, 3 node(s) didn't match Pod's node affinity/selector.",
      ),
    ).toBe('open: node-selector, node-affinity');
    const taint = { key: 'team', value: 'data', effect: 'NoSchedule' };
    expect(
      decisionOf(
        unseen,
        { nodes: [node('worker-1', { taints: [taint] }), node('worker-2')] },
        "0/2 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) didn't match Pod's node affinity/selector.",
      ),
      'nodes that were seen tell no more of it',
    ).toBe('open: node-selector, node-affinity');
    expect(
      decisionOf(
        unseen,
        { nodes: [] },
        "0/4 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 3 node(s) didn't match Pod's node affinity/selector.",
      ),
    ).toBe('node-affinity x3');
  });

  it('is never the labels when a node got as far as a later filter', () => {
    expect(
      decisionOf(
        pod('db', { nodeSelector: { disk: 'ssd' } }),
        { nodes: [] },
        "0/6 nodes are available: 1 Insufficient cpu, 5 node(s) didn't match Pod's node affinity/selector.",
      ),
    ).toBe('resource x1');
  });

  it('is nothing when a node would take the pod and the scheduler has not spoken', () => {
    expect(decisionOf(pod('web'), { nodes: [node('worker-1')] })).toBe('open: ');
  });
});
