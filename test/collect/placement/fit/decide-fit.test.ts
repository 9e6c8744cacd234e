import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Decided } from '../../../../src/collect/placement/fit/decide-fit.ts';
import { decideFit, isControlPlaneOnly } from '../../../../src/collect/placement/fit/decide-fit.ts';
import type { Blocker, NodeFit, Refusal } from '../../../../src/collect/placement/fit/node-refusals.ts';
import { viewOf } from '../../../../src/collect/placement/fit/pod-view.ts';
import type { Said, SaidReason } from '../../../../src/collect/placement/fit/scheduler-message.ts';
import { objectOf } from '../../../support/collected.ts';

type Given = Blocker | (Partial<Refusal> & { readonly blocker: Blocker });

function fit(
  name: string,
  refusals: readonly Given[],
  more: { readonly unknown?: readonly Blocker[]; readonly node?: JsonObject; readonly labels?: JsonObject } = {},
): NodeFit {
  const node = objectOf('Node', name, { spec: more.node ?? {} }, { labels: more.labels ?? {} });
  return {
    node,
    refusals: refusals.map((one) => ({ plugin: 'P', detail: 'D', ...(typeof one === 'string' ? { blocker: one } : one) })),
    unknown: more.unknown ?? [],
  };
}

function said(nodes: number, ...reasons: readonly (Partial<SaidReason> & { readonly blocker: Blocker })[]): Said {
  return { nodes, reasons: reasons.map((reason) => ({ nodes, words: 'W', ...reason })), text: 'T', complete: true };
}

function decide(fits: readonly NodeFit[], words?: Said, spec: JsonObject = {}): Decided {
  return decideFit(viewOf(objectOf('Pod', 'web', { spec: { containers: [], ...spec } })), fits, words);
}

/** The blocker, with the nodes it keeps the pod from. */
function blamed(fits: readonly NodeFit[], words?: Said, spec?: JsonObject): string {
  const found = decide(fits, words, spec);
  if (found.kind === 'open') return `open: ${found.unknown.join()}`;
  const { blocker, refused, blocked, from } = found.decision;
  return from === 'nodes'
    ? `${blocker} of ${refused.map(({ node }) => node.metadata.name).join()}`
    : `${blocker} of ${String(blocked)}, as said`;
}

const ROLE = { 'node-role.kubernetes.io/control-plane': '' };
const KEPT = { node: { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] } };

describe('what keeps a pod from all nodes', () => {
  it('is its own wish where no node has the labels, else what the nodes that have them refuse', () => {
    expect(blamed([fit('a', ['node-selector']), fit('b', ['node-selector', 'taint'])])).toBe('node-selector of a,b');
    expect(blamed([fit('a', ['node-selector']), fit('b', ['node-selector']), fit('c', ['taint'])])).toBe('taint of c');
    expect(blamed([fit('a', ['node-affinity']), fit('b', ['node-name', 'node-affinity'])])).toBe('node-affinity of a,b');
    expect(blamed([fit('a', ['node-name']), fit('b', ['node-affinity', 'node-name'])])).toBe('node-name of a,b');
  });

  it('is where its volumes and devices are, before anything that only full nodes refuse', () => {
    expect(blamed([fit('a', ['volume-node']), fit('b', ['volume-node', 'resource'])])).toBe('volume-node of a,b');
    expect(blamed([fit('a', ['volume-node']), fit('b', ['resource'])])).toBe('resource of b');
    expect(blamed([fit('a', [{ blocker: 'device', device: 'elsewhere' }]), fit('b', [{ blocker: 'device', device: 'elsewhere' }])])).toBe(
      'device of a,b',
    );
  });

  it('is what alone would let most nodes take it', () => {
    expect(blamed([fit('a', ['taint', 'resource']), fit('b', ['resource']), fit('c', ['taint'])])).toBe('resource of b,a');
    expect(blamed([fit('a', ['taint']), fit('b', ['taint']), fit('c', ['resource'])])).toBe('taint of a,b');
    expect(blamed([fit('a', ['taint', 'resource']), fit('b', ['taint', 'spread'])])).toBe('taint of a,b');
    const cpu: Given = { blocker: 'resource', resource: 'cpu' };
    const memory: Given = { blocker: 'resource', resource: 'memory' };
    expect(blamed([fit('a', [cpu]), fit('b', [memory]), fit('c', [memory])])).toBe('resource of b,c');
    const key = (name: string): Given => ({ blocker: 'taint', taint: { key: name, value: '', effect: 'NoSchedule' } });
    expect(blamed([fit('a', [key('x')]), fit('b', [key('y')]), fit('c', [key('x')])])).toBe('taint of a,c');
  });

  it('is between equals what concerns the pod alone before what concerns the node', () => {
    const order: readonly Blocker[] = [
      'claim',
      'device',
      'volume-in-use',
      'volume-limit',
      'host-port',
      'pod-anti-affinity',
      'pod-affinity',
      'spread',
      'existing-anti-affinity',
      'resource',
      'pod-count',
      'taint',
      'unschedulable',
    ];
    for (const [index, blocker] of order.slice(1).entries()) {
      const before = order[index] ?? blocker;
      expect(blamed([fit('a', [blocker]), fit('b', [before])]), blocker).toBe(`${before} of b`);
    }
  });

  it('names first the node that is nearest to fitting: with the fewest other refusals, then with most that is free', () => {
    const short = (free: bigint): Given => ({ blocker: 'resource', resource: 'cpu', free });
    expect(blamed([fit('a', [short(5n), 'spread']), fit('b', [short(1n)]), fit('c', [short(3n)])])).toBe('resource of c,b,a');
  });

  it('leaves nodes of the control plane aside, unless there are no others or the pod names them', () => {
    expect(blamed([fit('cp', ['taint'], KEPT), fit('cp-2', ['taint'], KEPT), fit('a', ['resource'])])).toBe('resource of a');
    expect(blamed([fit('cp', ['taint'], KEPT)])).toBe('taint of cp');
    expect(blamed([fit('cp', ['taint'], { labels: ROLE, node: { unschedulable: true } }), fit('a', ['resource'])])).toBe('resource of a');
    expect(blamed([fit('cp', ['resource', 'taint'], { labels: ROLE }), fit('a', ['taint']), fit('b', ['resource', 'taint'])])).toBe(
      'taint of a,cp,b',
    );
    expect(blamed([fit('cp', ['taint'], KEPT), fit('a', ['node-selector'])])).toBe('node-selector of a');
    const wants = { nodeSelector: { 'node-role.kubernetes.io/control-plane': '' } };
    expect(blamed([fit('cp', ['taint'], KEPT), fit('a', ['node-selector'])], undefined, wants)).toBe('taint of cp');
    expect([
      isControlPlaneOnly([fit('cp', [], KEPT)]),
      isControlPlaneOnly([fit('cp', [], KEPT), fit('a', [])]),
      isControlPlaneOnly([]),
    ]).toEqual([true, false, false]);
  });

  it('is open where a node would take it, or something was not seen', () => {
    expect(blamed([fit('a', ['taint']), fit('b', [])])).toBe('open: ');
    expect(blamed([fit('a', [], { unknown: ['resource'] }), fit('b', [], { unknown: ['resource', 'taint'] })])).toBe(
      'open: resource,taint',
    );
    expect(blamed([])).toBe('open: ');
  });
});

describe('what the scheduler says', () => {
  it('counts where not all nodes were seen', () => {
    const words = said(3, { blocker: 'resource', nodes: 2, resource: 'cpu' }, { blocker: 'taint', nodes: 1, taintKey: 'a' });
    expect(blamed([fit('a', ['taint'])], words)).toBe('resource of 2, as said');
    expect(blamed([], words)).toBe('resource of 2, as said');
  });

  it('counts before the nodes where it is about the pod as a whole', () => {
    expect(blamed([fit('a', ['taint'])], said(1, { blocker: 'claim', nodes: undefined }))).toBe('claim of 1, as said');
    expect(blamed([fit('a', ['taint'])], said(1, { blocker: 'spread', nodes: undefined }))).toBe('taint of a');
  });

  it('fills in what could not be computed, for as many nodes as it counts', () => {
    const unseen = { unknown: ['resource' as const] };
    const words = said(3, { blocker: 'resource', nodes: 2, resource: 'cpu' }, { blocker: 'taint', nodes: 1 });
    expect(blamed([fit('a', [], unseen), fit('b', [], unseen), fit('c', ['taint'])], words)).toBe('resource of a,b');
    expect(blamed([fit('a', [], unseen), fit('b', []), fit('c', ['taint'])], words)).toBe('resource of 2, as said');
    expect(blamed([fit('a', []), fit('b', []), fit('c', ['taint'])], said(3, { blocker: 'volume-limit', nodes: 2 }))).toBe(
      'volume-limit of a,b',
    );
  });

  it('is of later filters where earlier ones let nodes pass', () => {
    const wish = { blocker: 'node-affinity', nodes: 5 } as const;
    expect(blamed([], said(6, wish, { blocker: 'resource', nodes: 1 }))).toBe('resource of 1, as said');
    expect(blamed([], said(6, wish))).toBe('node-affinity of 5, as said');
    expect(blamed([], said(6, { blocker: 'volume-node', nodes: 5 }, { blocker: 'spread', nodes: 1 }))).toBe('spread of 1, as said');
    expect(blamed([], said(6, { blocker: 'volume-node', nodes: 5 }, { blocker: 'resource', nodes: 1 }))).toBe('volume-node of 5, as said');
    const control = { blocker: 'taint', nodes: 5, taintKey: 'node-role.kubernetes.io/control-plane' } as const;
    expect(blamed([], said(6, control, { blocker: 'resource', nodes: 1 }))).toBe('resource of 1, as said');
    expect(blamed([], said(5, control))).toBe('taint of 5, as said');
  });

  it('has one wording for nodeSelector and affinity, of which the pod has one', () => {
    const words = said(3, { blocker: 'node-affinity' });
    const terms = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } };
    expect(blamed([], words, { nodeSelector: { disk: 'fast' } })).toBe('node-selector of 3, as said');
    expect(blamed([], words, { nodeSelector: { disk: 'fast' }, affinity: terms })).toBe('node-affinity of 3, as said');
    expect(blamed([], words, {})).toBe('node-affinity of 3, as said');
  });

  it('decides nothing where it was cut', () => {
    expect(blamed([], { ...said(3, { blocker: 'resource' }), complete: false })).toBe('open: ');
  });
});
