import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { formatAmount } from '../../../../src/collect/placement/fit/node-refusals.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { objectOf } from '../../../support/collected.ts';
import type { Filtered, Seen } from './filtered.ts';
import { filtered, node, pod, refused, ZONE } from './filtered.ts';

function asks(...amounts: readonly JsonObject[]): JsonObject {
  return { containers: amounts.map((requests, index) => ({ name: `c${String(index)}`, resources: { requests } })) };
}

describe('what a pod requests', () => {
  const detail = (spec: JsonObject): string | undefined =>
    filtered(pod('web', spec), { nodes: [node('worker-1', { allocatable: { cpu: '1' } })] }).detail;

  it('is what its containers request together, and the limit where that is all they say', () => {
    expect(detail(asks({ cpu: '600m' }, { cpu: '600m' }))).toBe('cpu: 1200m requested, 1 of 1 free');
    expect(detail(asks({ cpu: '500m' }, { cpu: '500m' }))).toBeUndefined();
    expect(detail({ containers: [{ name: 'web', resources: { limits: { cpu: '2' } } }] })).toBe('cpu: 2 requested, 1 of 1 free');
    expect(detail({ containers: [{ name: 'web', resources: { limits: { cpu: '2' }, requests: { cpu: '1' } } }] })).toBeUndefined();
  });

  it('is more by the overhead of its runtime class, and as the pod as a whole says', () => {
    expect(detail({ ...asks({ cpu: '900m' }), overhead: { cpu: '200m' } })).toBe('cpu: 1100m requested, 1 of 1 free');
    expect(detail({ ...asks({ cpu: '3' }), resources: { requests: { cpu: '1' } } })).toBeUndefined();
    expect(detail({ ...asks({ cpu: '1' }), resources: { requests: { cpu: '2' } } })).toBe('cpu: 2 requested, 1 of 1 free');
  });

  it('is what an init container needs with the sidecars before it, where that is more', () => {
    const init = (name: string, cpu: string, restartPolicy?: string): JsonObject => ({
      name,
      resources: { requests: { cpu } },
      ...(restartPolicy === undefined ? {} : { restartPolicy }),
    });
    const sidecar = init('proxy', '500m', 'Always');
    expect(detail({ ...asks({ cpu: '400m' }), initContainers: [init('load', '900m')] })).toBeUndefined();
    expect(detail({ ...asks({ cpu: '400m' }), initContainers: [init('load', '1100m')] })).toBe('cpu: 1100m requested, 1 of 1 free');
    expect(detail({ ...asks({ cpu: '400m' }), initContainers: [init('load', '900m'), sidecar] })).toBeUndefined();
    expect(detail({ ...asks({ cpu: '400m' }), initContainers: [sidecar, init('load', '900m')] })).toBe('cpu: 1400m requested, 1 of 1 free');
    expect(detail({ ...asks({ cpu: '600m' }), initContainers: [sidecar] })).toBe('cpu: 1100m requested, 1 of 1 free');
  });

  it('is not known of a table, which shows containers by their names', () => {
    const row: KubeObject = { ...pod('web'), [OBSERVED]: ['spec.nodeName', 'spec.containers.name'] };
    expect(filtered(row).unknown).toContain('resource');
    const described: KubeObject = { ...pod('web', asks({ cpu: '5' })), [OBSERVED]: ['spec.containers'] };
    expect(filtered(described).refused).toEqual(['resource']);
  });

  it.each([
    ['cpu', 1_500_000_000n, '1500m'],
    ['memory', 1_610_612_736n * 1_000_000_000n, '1.5Gi'],
    ['memory', 2n * 1_073_741_824n * 1_000_000_000n, '2Gi'],
    ['ephemeral-storage', 1_572_864n * 1_000_000_000n, '1.5Mi'],
    ['hugepages-2Mi', 1_048_576n * 1_000_000_000n, '1Mi'],
    ['shop.example/lens', 3_000_000_000n, '3'],
  ])('is written as a person would: %s', (resource, amount, text) => {
    expect(formatAmount(resource, amount)).toBe(text);
  });
});

describe('the room of a node', () => {
  it('is for a number of pods', () => {
    const two = node('worker-1', { allocatable: { pods: '2' } });
    const on = (name: string): KubeObject => pod(name, { nodeName: 'worker-1' });
    expect(filtered(pod('web'), { nodes: [two], pods: [on('a'), on('b')] })).toMatchObject({
      refused: ['pod-count'],
      detail: 'it holds 2 of 2 pods',
    });
    expect(refused(pod('web'), { nodes: [two], pods: [on('a'), pod('b', { nodeName: 'worker-2' })] })).toEqual([]);
    expect(refused(pod('web'), { nodes: [two], pods: [on('a'), pod('b', { nodeName: 'worker-1' }, {}, { phase: 'Failed' })] })).toEqual([]);
  });

  it('is unknown where not all of its pods, or nothing of it, was seen', () => {
    expect(filtered(pod('web', asks({ cpu: '1' })), { allPods: false })).toMatchObject({ refused: [], unknown: ['pod-count', 'resource'] });
    expect(filtered(pod('web', asks({ cpu: '1' })), { allPods: false, wholeNodes: ['worker-1'] }).unknown).toEqual([]);
    expect(filtered(pod('web', asks({ cpu: '1' })), { nodes: [objectOf('Node', 'worker-1', { spec: {}, status: {} })] }).unknown).toEqual([
      'resource',
      'pod-count',
    ]);
    const capacity = objectOf('Node', 'worker-1', { spec: {}, status: { capacity: { cpu: '1', pods: '9' } } });
    expect(refused(pod('web', asks({ cpu: '2' })), { nodes: [capacity] })).toEqual(['resource']);
    const hidden: KubeObject = { ...pod('till', { nodeName: 'worker-1' }), [OBSERVED]: ['spec.nodeName'] };
    expect(filtered(pod('web', asks({ cpu: '1' })), { pods: [hidden] }).unknown).toContain('resource');
  });

  it('is never less than nothing', () => {
    const over = pod('till', { nodeName: 'worker-1', ...asks({ cpu: '6' }) });
    expect(filtered(pod('web', asks({ cpu: '1' })), { pods: [over] }).detail).toBe('cpu: 1 requested, 0 of 4 free');
    expect(refused(pod('web', asks({ cpu: '0' })), { pods: [over] })).toEqual([]);
  });
});

describe('the ports of a node', () => {
  const port = (hostPort: number, more: JsonObject = {}): JsonObject => ({
    containers: [{ name: 'web', ports: [{ containerPort: 80, hostPort, ...more }] }],
  });
  const on = (spec: JsonObject, name = 'till'): KubeObject => pod(name, { nodeName: 'worker-1', ...spec });

  it('are each held by one pod, by number, protocol and address', () => {
    expect(filtered(pod('web', port(80)), { pods: [on(port(80))] })).toMatchObject({
      refused: ['host-port'],
      detail: 'port 80/TCP is held by shop/till',
    });
    expect(refused(pod('web', port(80)), { pods: [on(port(81))] })).toEqual([]);
    expect(refused(pod('web', port(80)), { pods: [on(port(80, { protocol: 'UDP' }))] })).toEqual([]);
    const [a, b] = [{ hostIP: '10.0.0.1' }, { hostIP: '10.0.0.2' }];
    expect(refused(pod('web', port(80, a)), { pods: [on(port(80, b))] })).toEqual([]);
    expect(refused(pod('web', port(80, a)), { pods: [on(port(80, a))] })).toEqual(['host-port']);
    for (const hostIP of ['0.0.0.0', '::', ''])
      expect(refused(pod('web', port(80, a)), { pods: [on(port(80, { hostIP }))] })).toEqual(['host-port']);
    expect(refused(pod('web', port(0)), { pods: [on(port(0))] })).toEqual([]);
  });

  it('are all those of its containers where a pod is in the network of the node', () => {
    const inside = { containers: [{ name: 'web', ports: [{ containerPort: 80 }] }] };
    expect(refused(pod('web', inside), { pods: [on(inside)] })).toEqual([]);
    expect(refused(pod('web', { ...inside, hostNetwork: true }), { pods: [on({ ...inside, hostNetwork: true })] })).toEqual(['host-port']);
    const sidecar = (restartPolicy: string): JsonObject => ({
      initContainers: [{ name: 'proxy', restartPolicy, ports: [{ containerPort: 80, hostPort: 80 }] }],
    });
    expect(refused(pod('web', port(80)), { pods: [on(sidecar('Always'))] })).toEqual(['host-port']);
    expect(refused(pod('web', port(80)), { pods: [on(sidecar('Never'))] })).toEqual([]);
  });

  it('may be held by a pod that was not seen, and not by the pod itself', () => {
    expect(filtered(pod('web', port(80)), { allPods: false }).unknown).toContain('host-port');
    expect(filtered(pod('web'), { allPods: false }).unknown).not.toContain('host-port');
    expect(refused(pod('web', port(80)), { pods: [on(port(80), 'web')] })).toEqual([]);
    const unseen: KubeObject = { ...objectOf('Pod', 'web', { spec: {} }), [OBSERVED]: ['spec.nodeName'] };
    expect(filtered(unseen).unknown).toContain('host-port');
  });
});

describe('a cordon and a name', () => {
  it('keep a pod off', () => {
    const cordoned = node('worker-1', { spec: { unschedulable: true } });
    expect(refused(pod('web'), { nodes: [cordoned] })).toEqual(['unschedulable']);
    const tolerations = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }];
    expect(refused(pod('web', { tolerations }), { nodes: [cordoned] })).toEqual([]);
    const tainted = node('worker-1', {
      spec: { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] },
    });
    expect(refused(pod('web'), { nodes: [tainted] })).toEqual(['unschedulable']);
    expect(refused(pod('web', { nodeName: 'worker-2' }))).toEqual(['node-name']);
    expect(refused(pod('web', { nodeName: 'worker-1' }))).toEqual([]);
    const row: KubeObject = { ...node('worker-1'), [OBSERVED]: ['metadata.name', 'metadata.labels', 'status'] };
    expect(filtered(pod('web'), { nodes: [row] }).unknown).toEqual(expect.arrayContaining(['unschedulable', 'taint']));
  });
});

describe('a toleration', () => {
  const kept = (toleration: JsonObject | undefined, taint: JsonObject = { key: 'team', value: 'data', effect: 'NoSchedule' }): boolean =>
    refused(pod('web', toleration === undefined ? {} : { tolerations: [toleration] }), {
      nodes: [node('worker-1', { spec: { taints: [taint] } })],
    }).includes('taint');

  it.each<readonly [JsonObject | undefined, boolean]>([
    [undefined, true],
    [{ key: 'team', value: 'data' }, false],
    [{ key: 'team', operator: 'Equal', value: 'data', effect: 'NoSchedule' }, false],
    [{ key: 'team', operator: 'Equal', value: 'till' }, true],
    [{ key: 'team', operator: 'Exists' }, false],
    [{ key: 'shop', operator: 'Exists' }, true],
    [{ key: 'team', operator: 'Exists', effect: 'NoExecute' }, true],
    [{ operator: 'Exists' }, false],
    [{ operator: 'Equal', value: 'data' }, true],
  ])('%j keeps a pod off: %s', (toleration, expected) => {
    expect(kept(toleration)).toBe(expected);
  });

  it('is needed for taints that keep pods off or end them', () => {
    expect(kept(undefined, { key: 'a', effect: 'NoExecute' })).toBe(true);
    expect(kept(undefined, { key: 'a', effect: 'PreferNoSchedule' })).toBe(false);
    expect(kept({ key: 'a', operator: 'Equal' }, { key: 'a', effect: 'NoSchedule' })).toBe(false);
  });
});

describe('the place of a volume', () => {
  const bound = (labels: JsonObject, nodeAffinity?: JsonObject): Seen => ({
    claims: [objectOf('PersistentVolumeClaim', 'till', { spec: { volumeName: 'pv-1' } })],
    volumes: [objectOf('PersistentVolume', 'pv-1', { spec: nodeAffinity === undefined ? {} : { nodeAffinity } }, { labels })],
  });
  const using = pod('web', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'till' } }] });
  const at = (labels: JsonObject, seen: Seen): Filtered => filtered(using, { ...seen, nodes: [node('worker-1', { labels })] });

  it('is the zone that its labels name, one of several, where nodes have zones', () => {
    expect(at({ [ZONE]: 'a' }, bound({ [ZONE]: 'a' })).refused).toEqual([]);
    expect(at({ [ZONE]: 'b' }, bound({ [ZONE]: 'a' }))).toMatchObject({
      refused: ['volume-node'],
      detail: `volume pv-1 of claim till can only be used where ${ZONE}=a`,
    });
    expect(at({ [ZONE]: 'b' }, bound({ [ZONE]: 'a__b' })).refused).toEqual([]);
    expect(at({}, bound({ [ZONE]: 'a' })).refused).toEqual([]);
    for (const key of [
      'topology.kubernetes.io/region',
      'failure-domain.beta.kubernetes.io/zone',
      'failure-domain.beta.kubernetes.io/region',
    ])
      expect(at({ [key]: 'b' }, bound({ [key]: 'a' })).refused, key).toEqual(['volume-node']);
    expect(at({ 'topology.kubernetes.io/region': 'r' }, bound({ [ZONE]: 'a' })).refused).toEqual(['volume-node']);
  });

  it('is where its affinity leads, and its zone as well', () => {
    const affinity = { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['fast'] }] }] } };
    expect(at({ disk: 'fast' }, bound({}, affinity)).refused).toEqual([]);
    expect(at({ disk: 'slow' }, bound({}, affinity)).refused).toEqual(['volume-node']);
    expect(at({ disk: 'fast', [ZONE]: 'b' }, bound({ [ZONE]: 'a' }, affinity)).refused).toEqual(['volume-node']);
  });

  it('is that of a claim of its own namespace, and of one made for the pod', () => {
    const { volumes = [] } = bound({ [ZONE]: 'a' });
    const elsewhere = objectOf('PersistentVolumeClaim', 'till', { spec: { volumeName: 'pv-1' } }, { namespace: 'till' });
    expect(at({ [ZONE]: 'b' }, { claims: [elsewhere], volumes }).refused).toEqual([]);
    const ephemeral = pod('web', { volumes: [{ name: 'data', ephemeral: { volumeClaimTemplate: {} } }] });
    const own = objectOf('PersistentVolumeClaim', 'web-data', { spec: { volumeName: 'pv-1' } });
    expect(filtered(ephemeral, { claims: [own], volumes, nodes: [node('worker-1', { labels: { [ZONE]: 'b' } })] }).refused).toEqual([
      'volume-node',
    ]);
  });

  it('is with the one pod that may use it', () => {
    const claim = (accessModes: readonly string[]): KubeObject =>
      objectOf('PersistentVolumeClaim', 'till', { spec: { accessModes: [...accessModes] } });
    const other = (metadata: JsonObject = {}, claimName = 'till'): KubeObject =>
      pod('cash', { nodeName: 'worker-2', volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] }, metadata);
    const only = claim(['ReadWriteOncePod']);
    expect(filtered(using, { claims: [only], pods: [other()] })).toMatchObject({
      refused: ['volume-in-use'],
      detail: 'claim till (ReadWriteOncePod) is used by cash',
    });
    expect(refused(using, { claims: [claim(['ReadWriteOnce'])], pods: [other()] })).toEqual([]);
    expect(refused(using, { claims: [only], pods: [other({ namespace: 'till' })] })).toEqual([]);
    expect(refused(using, { claims: [only], pods: [other({}, 'data')] })).toEqual([]);
    expect(refused(using, { claims: [only], pods: [other({ name: 'web' })] })).toEqual([]);
  });
});
