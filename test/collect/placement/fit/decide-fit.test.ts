import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Decided } from '../../../../src/collect/placement/fit/decide-fit.ts';
import { decideFit, isControlPlaneOnly } from '../../../../src/collect/placement/fit/decide-fit.ts';
import type { Blocker, NodeFit, Refusal } from '../../../../src/collect/placement/fit/node-refusals.ts';
import { viewOf } from '../../../../src/collect/placement/fit/pod-view.ts';
import type { Said, SaidReason } from '../../../../src/collect/placement/fit/scheduler-message.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
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
    refusals: refusals.map((one) => ({ detail: 'D', ...(typeof one === 'string' ? { blocker: one } : one) })),
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
  return inWords(decide(fits, words, spec));
}

/** The same for a pod of which a source shows only these fields. */
function blamedSeeing(shown: readonly string[], words: Said, fits: readonly NodeFit[] = []): string {
  const pod = { ...objectOf('Pod', 'web', { spec: { containers: [] } }), [OBSERVED]: shown };
  return inWords(decideFit(viewOf(pod), fits, words));
}

function inWords(found: Decided): string {
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

  it('looks at the nodes with a device, if there are any, however many have none', () => {
    const device = (largest: bigint): Given => ({ blocker: 'resource', resource: 'x.example/gpu', free: 0n, largest });
    expect(blamed([fit('a', [device(0n)]), fit('b', [device(0n)]), fit('c', ['taint'])])).toBe('taint of c');
    expect(blamed([fit('a', [device(0n)]), fit('b', [device(2n)]), fit('c', ['taint', device(0n)])])).toBe('resource of b');
    expect(blamed([fit('a', [device(0n)]), fit('b', [device(0n)])])).toBe('resource of a,b');
    const [taint, short] = [{ blocker: 'taint', nodes: 1 } as const, { blocker: 'resource', resource: 'x.example/gpu', nodes: 3 } as const];
    expect(blamed([], said(4, { ...taint, taintKey: 'x.example/gpu' }, short))).toBe('taint of 1, as said');
    expect(blamed([], said(4, { ...taint, taintKey: 'team' }, short))).toBe('resource of 3, as said');
    expect(blamed([], said(4, taint, short))).toBe('open: taint');
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

  it('is a wish that most nodes refuse, whatever else they refuse', () => {
    expect(blamed([fit('a', ['node-selector', 'taint']), fit('b', ['node-selector', 'taint']), fit('c', ['node-affinity'])])).toBe(
      'node-selector of a,b',
    );
    expect(blamed([fit('cp', ['taint'], KEPT), fit('a', ['node-selector', 'taint'])])).toBe('node-selector of a');
    expect(blamed([fit('cp', ['taint'], KEPT), fit('cp-2', ['node-selector'], KEPT)])).toBe('taint of cp');
  });

  it('is nothing of the nodes that its devices are not on', () => {
    const elsewhere: Given = { blocker: 'device', device: 'elsewhere' };
    expect(blamed([fit('a', [elsewhere]), fit('b', ['resource'])])).toBe('resource of b');
    expect(blamed([fit('a', ['device']), fit('b', ['resource'])])).toBe('device of a');
  });

  it('is what is alone on a node before what is on more nodes with something else', () => {
    expect(blamed([fit('a', ['unschedulable']), fit('b', ['spread', 'resource']), fit('c', ['spread', 'resource'])])).toBe(
      'unschedulable of a',
    );
  });

  it('names a node once, and nodes with less that is free later', () => {
    expect(blamed([fit('a', ['volume-node', 'volume-node'])])).toBe('volume-node of a');
    const short = (free?: bigint): Given => ({ blocker: 'resource', resource: 'cpu', ...(free === undefined ? {} : { free }) });
    expect(blamed([fit('a', [short(1n)]), fit('b', [short(3n)]), fit('c', [short()]), fit('d', [short(2n)]), fit('e', [short(3n)])])).toBe(
      'resource of b,e,d,a,c',
    );
  });

  it.each<readonly [string, JsonObject, string]>([
    ['the role of older clusters', { nodeSelector: { 'kubernetes.io/role': 'master' } }, 'taint of cp'],
    ['the name of the host', { nodeSelector: { 'kubernetes.io/hostname': 'cp' } }, 'taint of cp'],
    ['the name of the node', { affinity: { nodeAffinity: { matchFields: [{ key: 'metadata.name' }] } } }, 'taint of cp'],
    ['a zone', { nodeSelector: { 'topology.kubernetes.io/zone': 'a' } }, 'node-selector of a'],
  ])('is of the control plane where the pod names %s', (_, spec, expected) => {
    expect(blamed([fit('cp', ['taint'], KEPT), fit('a', ['node-selector'])], undefined, spec)).toBe(expected);
  });

  it.each<readonly [string, Parameters<typeof fit>[2], string]>([
    [
      'a role of older clusters and a cordon',
      { labels: { 'kubernetes.io/role': 'master' }, node: { unschedulable: true } },
      'resource of a',
    ],
    ['a role and any taint', { labels: ROLE, node: { taints: [{ key: 'x', effect: 'NoSchedule' }] } }, 'resource of a'],
    ['another role and a cordon', { labels: { 'kubernetes.io/role': 'worker' }, node: { unschedulable: true } }, 'spread of b'],
    ['a role alone', { labels: ROLE }, 'spread of b'],
    ['a cordon alone', { node: { unschedulable: true } }, 'spread of b'],
  ])('is looked for beside a node with %s', (_, more, expected) => {
    expect(blamed([fit('b', ['spread'], more), fit('a', ['resource'])])).toBe(expected);
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

  it('counts what it fills in beside what could be computed', () => {
    const unseen = { unknown: ['resource' as const] };
    const words = said(3, { blocker: 'resource', nodes: 2 }, { blocker: 'taint', nodes: 1, taintKey: 'team' });
    expect(blamed([fit('a', ['resource']), fit('b', [], unseen), fit('c', [], { unknown: ['resource', 'taint'] })], words)).toBe(
      'resource of a,b',
    );
    expect(blamed([fit('a', ['taint'], unseen), fit('b', [], unseen)], said(2, { blocker: 'resource' }))).toBe('resource of b');
  });

  it('of labels is one wish, whichever of them was computed', () => {
    const wish = { blocker: 'node-affinity' } as const;
    const words = said(2, { ...wish, nodes: 1 }, { blocker: 'resource', nodes: 1 });
    expect(blamed([fit('a', ['node-name']), fit('b', [], { unknown: ['node-affinity', 'resource'] })], words)).toBe('resource of b');
    const selects = { nodeSelector: { disk: 'fast' } };
    for (const unknown of ['node-selector', 'node-affinity'] as const)
      expect(blamed([fit('a', [], { unknown: [unknown] })], said(1, wish), selects)).toBe('node-selector of a');
    expect(blamed([fit('a', [], { unknown: ['resource'] })], said(1, wish), selects)).toBe('node-selector of 1, as said');
  });

  it('gives a node it tells of what its words name', () => {
    const refusal = (reason: Partial<SaidReason> & { readonly blocker: Blocker }): unknown => {
      const found = decide([fit('a', [], { unknown: [reason.blocker] })], said(1, reason));
      return found.kind === 'decided' ? found.decision.refused[0]?.refusal : found;
    };
    const worded = { detail: 'W' };
    expect(refusal({ blocker: 'spread' })).toEqual({ ...worded, blocker: 'spread' });
    expect(refusal({ blocker: 'taint', taintKey: 'team', taintValue: 'data' })).toEqual({
      ...worded,
      blocker: 'taint',
      taint: { key: 'team', value: 'data', effect: 'NoSchedule' },
    });
    expect(refusal({ blocker: 'taint', taintKey: 'team' })).toMatchObject({ taint: { value: '' } });
    expect(refusal({ blocker: 'resource', resource: 'cpu' })).toEqual({ ...worded, blocker: 'resource', resource: 'cpu' });
    expect(refusal({ blocker: 'claim', claim: 'till' })).toEqual({ ...worded, blocker: 'claim', claim: 'till' });
    expect(refusal({ blocker: 'device', device: 'elsewhere' })).toEqual({ ...worded, blocker: 'device', device: 'elsewhere' });
  });

  it('of devices stands for the resource that a class of them offers, unless it names that too', () => {
    const lens: Given = { blocker: 'resource', resource: 'shop.example/lens' };
    const devices = { blocker: 'device', device: 'unallocated' } as const;
    expect(blamed([fit('a', [lens])], said(1, devices))).toBe('device of a');
    expect(blamed([fit('a', [lens])], said(1, { blocker: 'device' }))).toBe('resource of a');
    expect(blamed([fit('a', [{ blocker: 'resource', resource: 'cpu' }])], said(1, devices))).toBe('resource of a');
    const both = said(2, { ...devices, nodes: 1 }, { blocker: 'resource', nodes: 1, resource: 'shop.example/lens' });
    expect(blamed([fit('a', [lens]), fit('b', ['device'])], both)).toBe('device of b');
    expect(blamed([fit('a', [lens, 'spread']), fit('b', [lens])], both)).toBe('resource of b,a');
  });

  it('of several is the first that concerns the pod, and else what most nodes have', () => {
    expect(blamed([], said(1, { blocker: 'claim', nodes: undefined }, { blocker: 'no-volume', nodes: undefined }))).toBe(
      'claim of 1, as said',
    );
    const team = { blocker: 'taint', taintKey: 'team' } as const;
    expect(blamed([], said(3, { ...team, nodes: 2 }, { blocker: 'resource', nodes: 1 }))).toBe('taint of 2, as said');
    expect(blamed([], said(4, { ...team, nodes: 2 }, { blocker: 'resource', nodes: 2 }))).toBe('resource of 2, as said');
    expect(blamed([], said(3, { ...team, nodes: 1 }, { blocker: 'resource', nodes: undefined }))).toBe('resource of 3, as said');
    expect(blamed([], said(3, { blocker: 'resource', nodes: undefined }, { ...team, nodes: 1 }))).toBe('resource of 3, as said');
    expect(blamed([], said(0, { blocker: 'resource' }))).toBe('resource of 0, as said');
    expect(blamed([], said(1))).toBe('open: ');
  });

  it('of one node that the pod asks for is what that node refuses', () => {
    const words = said(3, { blocker: 'node-affinity', nodes: 2 }, { blocker: 'taint', nodes: 1, taintKey: 'team' });
    expect(blamed([], words, { nodeSelector: { 'kubernetes.io/hostname': 'worker-1' } })).toBe('taint of 1, as said');
    expect(blamed([], words, { nodeSelector: { disk: 'fast' } })).toBe('node-selector of 2, as said');
  });

  it('of devices elsewhere counts where nothing but wishes is said beside', () => {
    const elsewhere = { blocker: 'device', device: 'elsewhere', nodes: 2 } as const;
    expect(blamed([], said(3, elsewhere, { blocker: 'resource', nodes: 1 }))).toBe('resource of 1, as said');
    expect(blamed([], said(3, { blocker: 'resource', nodes: 1 }, { ...elsewhere, device: 'unallocated' }))).toBe('device of 2, as said');
    expect(blamed([], said(3, elsewhere, { blocker: 'node-affinity', nodes: 1 }))).toBe('device of 2, as said');
    expect(blamed([], said(3, { ...elsewhere, nodes: 1 }, { blocker: 'volume-node', nodes: 2 }))).toBe('volume-node of 2, as said');
  });

  it('of a taint without its name is most likely of the control plane, where usual resources are short', () => {
    const taint = { blocker: 'taint', nodes: 2 } as const;
    expect(blamed([], said(3, taint, { blocker: 'resource', nodes: 1, resource: 'cpu' }))).toBe('resource of 1, as said');
    expect(blamed([], said(3, taint, { blocker: 'pod-count', nodes: 1 }))).toBe('pod-count of 1, as said');
    expect(blamed([], said(3, taint, { blocker: 'resource', nodes: 1, resource: 'shop.example/lens' }))).toBe('taint of 2, as said');
    expect(blamed([], said(3, taint, { blocker: 'spread', nodes: 1, resource: 'cpu' }))).toBe('taint of 2, as said');
    expect(blamed([], said(3, { ...taint, condition: true }, { blocker: 'resource', nodes: 1, resource: 'cpu' }))).toBe(
      'taint of 2, as said',
    );
  });

  it('leaves open which wish fails where the pod shows none and other nodes fail an earlier filter', () => {
    const wish = { blocker: 'node-affinity', nodes: 2 } as const;
    const team = { blocker: 'taint', nodes: 1, taintKey: 'team' } as const;
    const none = ['metadata.name'];
    expect(blamedSeeing(none, said(3, wish, team))).toBe('open: node-selector,node-affinity');
    expect(blamedSeeing(none, said(3, wish, { blocker: 'taint', nodes: 1 }))).toBe('open: node-selector,node-affinity');
    expect(blamedSeeing(none, said(1, { ...wish, nodes: 1 }, team), [fit('a', ['spread'])])).toBe('open: node-selector,node-affinity');
    expect(blamedSeeing(none, said(3, team))).toBe('taint of 1, as said');
    expect(blamedSeeing(none, said(3, wish, { ...team, taintKey: 'node-role.kubernetes.io/control-plane' }))).toBe(
      'node-affinity of 2, as said',
    );
    expect(blamedSeeing(none, said(4, wish, team, { blocker: 'resource', nodes: 1 }))).toBe('resource of 1, as said');
    for (const shown of ['spec.nodeSelector', 'spec.affinity'])
      expect(blamedSeeing([shown], said(3, wish, team)), shown).toBe('node-affinity of 2, as said');
  });

  it('decides nothing where it was cut', () => {
    expect(blamed([], { ...said(3, { blocker: 'resource' }), complete: false })).toBe('open: ');
  });
});
