import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { formatAmount } from '../../../../src/collect/placement/fit/node-refusals.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { objectOf } from '../../../support/collected.ts';
import type { Seen } from './filtered.ts';
import { filtered, node, pod, refused, ZONE } from './filtered.ts';

/** A pod of which a source shows only these fields. */
function shown(fields: readonly string[], spec: JsonObject = {}): KubeObject {
  return { ...pod('web', spec), [OBSERVED]: fields };
}

describe('what is not known of a pod', () => {
  it('is what its source does not show of its wishes', () => {
    expect(filtered(shown(['metadata'])).unknown).toEqual(
      expect.arrayContaining(['node-selector', 'node-affinity', 'pod-affinity', 'pod-anti-affinity', 'spread', 'resource']),
    );
    const wishes = ['spec.nodeSelector', 'spec.affinity', 'spec.topologySpreadConstraints'];
    const known = filtered(shown(wishes)).unknown;
    for (const one of ['node-selector', 'node-affinity', 'pod-affinity', 'pod-anti-affinity', 'spread']) expect(known).not.toContain(one);
    expect(filtered(pod('web')).unknown).toEqual([]);
  });

  it('is not what it requests in all, where a table shows that', () => {
    const row = (spec: JsonObject): KubeObject => shown(['spec.containers.name', 'spec.resources'], spec);
    expect(filtered(row({ resources: { requests: { cpu: '9' } } })).refused).toEqual(['resource']);
    expect(filtered(row({})).unknown).toContain('resource');
  });

  it('is nothing of its ports where all pods of the node were seen', () => {
    const serving = { containers: [{ name: 'web', ports: [{ containerPort: 80, hostPort: 80 }] }] };
    expect(filtered(pod('web', serving)).unknown).toEqual([]);
  });
});

describe('what is not known of a node', () => {
  const row = (fields: readonly string[], spec: JsonObject = {}): KubeObject => ({
    ...node('worker-1', { spec }),
    [OBSERVED]: ['metadata', 'status', ...fields],
  });

  it('is its cordon where that is not shown', () => {
    const unknown = (one: KubeObject): readonly string[] => filtered(pod('web'), { nodes: [one] }).unknown;
    expect(unknown(row([]))).toEqual(['unschedulable', 'taint']);
    expect(unknown(row(['spec.unschedulable']))).toEqual(['taint']);
    expect(unknown(row(['spec.taints']))).toEqual(['unschedulable']);
    expect(filtered(pod('web'), { nodes: [row(['spec.taints'], { unschedulable: true })] })).toMatchObject({
      refused: ['unschedulable'],
      unknown: [],
    });
  });

  it('is whether a pod that others keep off has more than them against it', () => {
    const apart = (app: string): JsonObject => ({
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app } }, topologyKey: ZONE }],
        },
      },
    });
    const nodes = [node('worker-1', { labels: { [ZONE]: 'a' } })];
    const guard = pod('till', { nodeName: 'worker-1', ...apart('web') }, { labels: { app: 'till' } });
    const web = pod('web', apart('cash'), { labels: { app: 'web' } });
    const seen: Seen = { nodes, pods: [guard], allPods: false, wholeNodes: ['worker-1'] };
    expect(filtered(web, seen)).toMatchObject({ refused: ['existing-anti-affinity'], unknown: ['pod-anti-affinity'] });
  });
});

describe('an amount', () => {
  it.each([
    ['shop.example/lens', 2048n * 1_000_000_000n, '2048'],
    ['memory', 512n * 1_000_000_000n, '512'],
    ['memory', 2048n * 1_000_000_000n, '2Ki'],
    ['hugepages-2Mi', 2048n * 1_000_000_000n, '2Ki'],
    ['requests.storage', 2048n * 1_000_000_000n, '2Ki'],
    ['memory', 1_073_741_824n * 1_000_000_000n, '1Gi'],
    ['memory', 1_048_575n * 1_000_000_000n, '1048575'],
  ])('of %s is written with the unit that suits it', (resource, amount, text) => {
    expect(formatAmount(resource, amount)).toBe(text);
  });
});

describe('pods that are looked for in the domain of a node', () => {
  const nodes = [
    node('worker-1', { labels: { [ZONE]: 'a' } }),
    node('worker-2', { labels: { [ZONE]: 'a' } }),
    node('worker-3', { labels: { [ZONE]: 'b' } }),
  ];
  const term = (app: string): JsonObject => ({ labelSelector: { matchLabels: { app } }, topologyKey: ZONE });
  const wants = (which: string, ...apps: readonly string[]): JsonObject => ({
    affinity: { [which]: { requiredDuringSchedulingIgnoredDuringExecution: apps.map(term) } },
  });
  const on = (name: string, nodeName: string, app: string): KubeObject => pod(name, { nodeName }, { labels: { app } });

  it('are the first of each domain, and are told by their names', () => {
    const { detail } = filtered(pod('web', wants('podAntiAffinity', 'till')), {
      nodes,
      pods: [on('a', 'worker-2', 'till'), on('b', 'worker-1', 'till')],
    });
    expect(detail).toBe(`a (app=till) already runs in its ${ZONE}`);
  });

  it('are the first of their kind only where all terms select the pod itself, and nothing of them runs', () => {
    const own = pod('web', wants('podAffinity', 'web', 'till'), { labels: { app: 'web' } });
    expect(refused(own, { nodes })).toEqual(['pod-affinity', 'pod-affinity']);
    const only = pod('web', wants('podAffinity', 'web'), { labels: { app: 'web' } });
    expect(refused(only, { nodes })).toEqual([]);
    expect(refused(only, { nodes, pods: [on('a', 'worker-3', 'web')] })).toEqual(['pod-affinity']);
    expect(refused(only, { nodes, pods: [on('a', 'worker-1', 'web')] })).toEqual([]);
  });

  it('are none for a node without the label, or whose labels were not shown', () => {
    const bare = [node('worker-1'), ...nodes.slice(1)];
    expect(refused(pod('web', wants('podAntiAffinity', 'till')), { nodes: bare, pods: [on('a', 'worker-1', 'till')] })).toEqual([]);
    const row: KubeObject = { ...node('worker-1'), [OBSERVED]: ['metadata.name', 'spec', 'status'] };
    expect(filtered(pod('web', wants('podAffinity', 'till')), { nodes: [row], pods: [] })).toMatchObject({
      refused: [],
      unknown: ['pod-affinity'],
    });
  });

  it('keep off none from a node that was not seen, or has no such label', () => {
    const guard = (nodeName: string): KubeObject =>
      pod('till', { nodeName, ...wants('podAntiAffinity', 'web') }, { labels: { app: 'till' } });
    const web = pod('web', {}, { labels: { app: 'web' } });
    expect(refused(web, { nodes, pods: [guard('worker-9')] })).toEqual([]);
    expect(refused(web, { nodes: [nodes[0] ?? node('worker-1'), node('worker-4')], pods: [guard('worker-4')] })).toEqual([]);
    const two = [guard('worker-1'), { ...guard('worker-2'), metadata: { ...guard('worker-2').metadata, name: 'cash' } }];
    expect(filtered(web, { nodes, pods: two }).detail).toBe(`cash there allows no such pod in its ${ZONE}`);
  });
});

describe('pods that are spread', () => {
  const spread = (more: JsonObject = {}, ...others: readonly JsonObject[]): JsonObject => ({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'web' } }, ...more },
      ...others,
    ],
  });
  const labels = { app: 'web' };
  const web = (nodeName: string): KubeObject => pod(`web-${nodeName}`, { nodeName }, { labels });
  const put = (spec: JsonObject, nodes: readonly KubeObject[], pods: readonly KubeObject[]): readonly string[] =>
    refused(pod('web', spec, { labels }), { nodes, pods });
  const [a, b] = [node('worker-1', { labels: { [ZONE]: 'a' } }), node('worker-2', { labels: { [ZONE]: 'b' } })];

  it('are counted over the nodes that have every key', () => {
    const rack = { maxSkew: 9, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: labels } };
    const both = [node('worker-1', { labels: { [ZONE]: 'a', rack: '1' } }), b];
    expect(put(spread(), both, [web('worker-1')])).toEqual(['spread']);
    expect(put(spread({}, rack), both, [web('worker-1')])).toEqual([]);
    expect(put(spread(), [a, b, node('worker-3')], [web('worker-1')])).toEqual(['spread']);
  });

  it('are counted over nodes with their taints, unless these are honored', () => {
    const tainted = node('worker-2', { labels: { [ZONE]: 'b' }, spec: { taints: [{ key: 'team', effect: 'NoSchedule' }] } });
    expect(put(spread(), [a, tainted], [web('worker-1')])).toEqual(['spread']);
    expect(put(spread({ nodeTaintsPolicy: 'Honor' }), [a, tainted], [web('worker-1')])).toEqual([]);
    expect(
      put({ ...spread({ nodeTaintsPolicy: 'Honor' }), tolerations: [{ operator: 'Exists' }] }, [a, tainted], [web('worker-1')]),
    ).toEqual(['spread']);
  });

  it('are counted over the nodes that the pod could have, unless its affinity is ignored', () => {
    const fast = [node('worker-1', { labels: { [ZONE]: 'a', disk: 'fast' } }), b];
    const wish = { nodeSelector: { disk: 'fast' } };
    expect(put({ ...spread(), ...wish }, fast, [web('worker-1')])).toEqual([]);
    expect(put({ ...spread({ nodeAffinityPolicy: 'Ignore' }), ...wish }, fast, [web('worker-1')])).toEqual(['spread']);
    const terms = [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['fast'] }] }];
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } };
    expect(put({ ...spread(), affinity }, fast, [web('worker-1')])).toEqual([]);
  });

  it('may not be kept from a node whose labels were not shown', () => {
    const row: KubeObject = { ...node('worker-1'), [OBSERVED]: ['metadata.name', 'spec', 'status'] };
    expect(put(spread(), [row], [])).toEqual([]);
    expect(put(spread(), [node('worker-1')], [])).toEqual(['spread']);
  });
});

describe('the claims of a pod', () => {
  it('are those of its volumes, and those that are made for it', () => {
    const volume = (name: string, zone: string): KubeObject =>
      objectOf('PersistentVolume', name, { spec: {} }, { labels: { [ZONE]: zone } });
    const claim = (name: string, volumeName: string): KubeObject => objectOf('PersistentVolumeClaim', name, { spec: { volumeName } });
    const seen: Seen = {
      nodes: [node('worker-1', { labels: { [ZONE]: 'b' } })],
      claims: [claim('data', 'pv-1'), claim('web-tmp', 'pv-2'), claim('free', '')],
      volumes: [volume('pv-1', 'a'), volume('pv-2', 'b')],
    };
    const volumes = (...all: readonly JsonObject[]): KubeObject => pod('web', { volumes: [...all] });
    expect(filtered(volumes({ name: 'a', persistentVolumeClaim: { claimName: 'data' } }), seen).refused).toEqual(['volume-node']);
    expect(filtered(volumes({ name: 'tmp', ephemeral: {} }), seen).refused).toEqual([]);
    expect(
      filtered(volumes({ name: 'a', emptyDir: {} }, { name: 'b', persistentVolumeClaim: { claimName: 'free' } }), seen).refused,
    ).toEqual([]);
  });
});
