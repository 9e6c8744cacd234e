import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../../../src/catalog/bundled-data.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { memoryReader } from '../../../../src/clusters/memory-reader.ts';
import { collect } from '../../../../src/collect/collect.ts';
import type { ListRead } from '../../../../src/model/cluster-reader.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { NOW, objectOf } from '../../../support/collected.ts';
import { waiting } from '../../../support/waiting-pod.ts';

const RULES = await shippedRules();
const TARGET = { kind: 'Pod', namespace: 'shop', name: 'web' };
const CPU = (nodes: number): string => `0/${String(nodes)} nodes are available: ${String(nodes)} Insufficient cpu.`;
const TAINT = '0/1 nodes are available: 1 node(s) had untolerated taint {team: data}.';

function nodes(count: number): readonly KubeObject[] {
  return Array.from({ length: count }, (_, index) =>
    objectOf('Node', `worker-${String(index)}`, { spec: {}, status: { allocatable: { cpu: '1', memory: '8Gi', pods: '9' } } }),
  );
}

function placed(name: string, more: JsonObject = {}): KubeObject {
  return objectOf(
    'Pod',
    name,
    {
      spec: { nodeName: 'worker-0', containers: [{ name: 'a', resources: { requests: { cpu: '1' } } }] },
      status: { phase: 'Running' },
    },
    more,
  );
}

interface Look {
  readonly target?: typeof TARGET;
  readonly namespace?: string;
  /** What a list of the pods of all namespaces gives. */
  readonly all?: ListRead;
}

/** The scopes in which pods were listed in a live cluster, and what keeps the pod off. */
async function look(
  objects: readonly KubeObject[],
  { target, namespace, all }: Look,
): Promise<{ readonly lists: readonly string[]; readonly blocker: unknown }> {
  const kinds = ['Pod', 'Node', 'Event', 'PersistentVolumeClaim', 'PersistentVolume'];
  const stored = memoryReader({
    objects,
    collected: kinds.map((kind) => ({ kind, complete: true })),
    absent: [],
    refused: [],
    logs: [],
    now: NOW,
  });
  const lists: string[] = [];
  const { facts } = await collect(
    {
      get: (ref) => stored.get(ref),
      list: (kind, scope) => {
        if (kind === 'Pod') lists.push(JSON.stringify(scope));
        return kind === 'Pod' && all !== undefined && Object.keys(scope).length === 0 ? Promise.resolve(all) : stored.list(kind, scope);
      },
      logs: (pod, container, options) => stored.logs(pod, container, options),
      now: () => stored.now(),
    },
    { ...(target === undefined ? {} : { target }), ...(namespace === undefined ? {} : { namespace }) },
    RULES,
  );
  return { lists, blocker: facts.find(({ kind }) => kind === 'fit-summary')?.fields['detail'] };
}

const web = (said?: string): KubeObject =>
  waiting('web', { said, spec: { containers: [{ name: 'web', resources: { requests: { cpu: '1' } } }] } });

describe('the pods that a fit is computed from', () => {
  const other = placed('cash', { namespace: 'till' });

  it('are those of all namespaces in a small cluster, where something may be full', async () => {
    const small = await look([web(CPU(1)), other, ...nodes(1)], { target: TARGET });
    expect(small.lists).toContain('{}');
    expect(small.blocker).toContain('worker-0: cpu: 1 requested, 0 of 1 free');
    expect((await look([web(CPU(20)), other, ...nodes(20)], { target: TARGET })).lists).toContain('{}');
    const large = await look([web(CPU(21)), other, ...nodes(21)], { target: TARGET });
    expect(large.lists).not.toContain('{}');
    expect(large.lists).toContain('{"namespace":"shop"}');
    expect((await look([web(CPU(3)), other], { target: TARGET })).lists).not.toContain('{}');
  });

  it('are not read where only the node refuses, and are where nothing was said', async () => {
    const tainted = nodes(1).map((node) => ({ ...node, spec: { taints: [{ key: 'team', value: 'data', effect: 'NoSchedule' }] } }));
    expect((await look([web(TAINT), other, ...tainted], { target: TARGET })).lists).not.toContain('{}');
    expect((await look([web(), other, ...tainted], { target: TARGET })).lists).toContain('{}');
  });

  it('are those of its namespace, and of each node, where all could not be listed', async () => {
    const refused: ListRead = { ok: false, why: 'forbidden', detail: 'no' };
    const own = await look([web(CPU(1)), placed('till'), ...nodes(1)], { target: TARGET, all: refused });
    expect(own.lists).toContain('{"namespace":"shop"}');
    expect(own.lists.filter((scope) => scope.includes('spec.nodeName'))).toEqual([]);
    const cut: ListRead = { ok: true, value: [web(CPU(1))], partial: 'it was cut' };
    const each = await look([web(CPU(1)), other, ...nodes(1)], { target: TARGET, all: cut });
    expect(each.lists.some((scope) => scope.includes('spec.nodeName=worker-0'))).toBe(true);
    expect(each.blocker).toContain('0 of 1 free');
  });

  it('are counted once, however they were read', async () => {
    const twice: ListRead = { ok: true, value: [web(CPU(1)), { ...placed('till') }] };
    const half = {
      ...placed('till'),
      spec: { nodeName: 'worker-0', containers: [{ name: 'a', resources: { requests: { cpu: '500m' } } }] },
    };
    const found = await look([web(CPU(1)), half, ...nodes(1)], { namespace: 'shop', all: { ...twice, value: [web(CPU(1)), { ...half }] } });
    expect(found.blocker).toContain('500m of 1 free');
  });
});

describe('the volumes that a fit is computed from', () => {
  const ZONE = 'topology.kubernetes.io/zone';
  const said = '0/1 nodes are available: 1 node(s) had volume node affinity conflict.';
  const pod = waiting('web', { said, spec: { containers: [], volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] } });
  const node = objectOf('Node', 'worker-0', { spec: {}, status: { allocatable: { pods: '9' } } }, { labels: { [ZONE]: 'b' } });
  const volume = objectOf('PersistentVolume', 'pv-1', { spec: {} }, { labels: { [ZONE]: 'a' } });
  const claim = (volumeName: string): KubeObject =>
    objectOf('PersistentVolumeClaim', 'data', { spec: { volumeName }, status: { phase: 'Bound' } });

  it('are those that the claims of the pod are bound to', async () => {
    for (const request of [{ target: TARGET }, { namespace: 'shop' }]) {
      expect((await look([pod, node, volume, claim('pv-1')], request)).blocker).toContain(
        'volume pv-1 of claim data can only be used where',
      );
      expect((await look([pod, node, volume, claim('')], request)).blocker).not.toContain('pv-1');
      expect((await look([pod, node, volume], request)).blocker).not.toContain('pv-1');
    }
  });
});
