import { describe, expect, it } from 'vitest';
import { parseSaid } from '../../../../src/collect/placement/fit/scheduler-message.ts';
import { shippedRules } from '../../../../src/catalog/bundled-data.ts';
import { vocabularyOf } from '../../../../src/collect/survey/vocabulary.ts';

const vocabulary = vocabularyOf(await shippedRules());

function reasonsOf(message: string): readonly (readonly [string, number | undefined])[] {
  return (parseSaid(message, vocabulary)?.reasons ?? []).map(({ blocker, nodes }) => [blocker, nodes] as const);
}

describe('the words of the scheduler', () => {
  it('are taken apart into reasons with their counts, without what preemption adds', () => {
    const message =
      '0/4 nodes are available: 1 node(s) were unschedulable, 3 Insufficient cpu. preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod.';
    expect(reasonsOf(message)).toEqual([
      ['unschedulable', 1],
      ['resource', 3],
    ]);
    expect(parseSaid(message, vocabulary)?.nodes).toBe(4);
  });

  it('of 1.36 end before the claims that could be deallocated', () => {
    expect(
      reasonsOf(
        "0/6 nodes are available: 1 node(s) had untolerated taint(s), 5 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new claims to deallocate, preemption: 0/6 nodes are available: 6 Preemption is not helpful for scheduling.",
      ),
    ).toEqual([
      ['taint', 1],
      ['node-affinity', 5],
    ]);
  });

  it('of 1.26 end with two full stops and name the taint', () => {
    const said = parseSaid(
      '0/2 nodes are available: 2 node(s) had untolerated taint {team: data}. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling..',
      vocabulary,
    );
    expect(said?.reasons).toEqual([expect.objectContaining({ blocker: 'taint', nodes: 2, taintKey: 'team', taintValue: 'data' })]);
  });

  it('of 1.23 keep a comma that belongs to the reason', () => {
    expect(
      reasonsOf(
        "0/3 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, 2 Insufficient memory.",
      ),
    ).toEqual([
      ['taint', 1],
      ['resource', 2],
    ]);
  });

  it('about the pod as a whole have no count', () => {
    expect(parseSaid('0/1 nodes are available: persistentvolumeclaim "db-data" not found. not found', vocabulary)?.reasons).toEqual([
      expect.objectContaining({ blocker: 'claim', nodes: undefined, claim: 'db-data' }),
    ]);
    expect(
      reasonsOf(
        '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
      ),
    ).toEqual([['claim', undefined]]);
  });

  it('about a cluster without nodes are their own reason', () => {
    expect(reasonsOf('no nodes available to schedule pods')).toEqual([['no-nodes', undefined]]);
    expect(parseSaid('no nodes available to schedule pods', vocabulary)).toMatchObject({
      nodes: 0,
      complete: true,
      text: 'no nodes available to schedule pods',
    });
  });

  it('are read over the lines that a terminal wrapped them to', () => {
    expect(
      reasonsOf(
        '0/4 nodes are available: 1\n node(s) were unschedulable, 3\nInsufficient cpu. preemption: 0/4 nodes are avail\nable: 1 Preemption is not helpful for scheduling.',
      ),
    ).toEqual([
      ['unschedulable', 1],
      ['resource', 3],
    ]);
  });

  it.each([
    ['all nodes are counted', '0/4 nodes are available: 1 node(s) were unschedulable, 3 Insufficient cpu.', true],
    ['a node is counted for two resources', '0/2 nodes are available: 2 Insufficient cpu, 2 Insufficient memory.', true],
    ['the pod as a whole is the reason', '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.', true],
    ['the message is cut behind a reason', '0/4 nodes are available: 1 node(s) were unschedulable', false],
    ['the message is cut behind a count', '0/4 nodes are available: 1', false],
    ['the message is cut before the reasons', '0/4 nodes are available: ', false],
  ])('count every node, or are known to be cut: %s', (_, message, complete) => {
    expect(parseSaid(message, vocabulary)?.complete).toBe(complete);
  });

  it('without their head stand for as many nodes as the reasons count', () => {
    const said = parseSaid('3 Insufficient cpu, 2 node(s) were unschedulable.', vocabulary);
    expect(said).toMatchObject({ nodes: 5, complete: true });
    expect(said?.reasons.map(({ blocker, nodes }) => [blocker, nodes])).toEqual([
      ['resource', 3],
      ['unschedulable', 2],
    ]);
    expect(parseSaid('Insufficient cpu', vocabulary)).toMatchObject({ nodes: 0, complete: false });
    expect(parseSaid('Insufficient cpu, 2 node(s) were unschedulable', vocabulary)).toMatchObject({ nodes: 2, complete: false });
    expect(parseSaid('0 Insufficient cpu, 2 node(s) were unschedulable', vocabulary)).toMatchObject({ nodes: 2, complete: false });
    expect(parseSaid('3 Insufficient cpu, 2 of something unheard of', vocabulary)).toBeUndefined();
    expect(parseSaid('', vocabulary)).toBeUndefined();
  });

  it('of 1.9 and before count behind each reason', () => {
    const said = parseSaid(
      'No nodes are available that match all of the predicates: Insufficient cpu (2), PodToleratesNodeTaints (1).',
      vocabulary,
    );
    expect(said).toMatchObject({ nodes: 3, complete: true });
    expect(said?.reasons.map(({ blocker, nodes, resource }) => [blocker, nodes, resource])).toEqual([
      ['resource', 2, 'cpu'],
      ['taint', 1, undefined],
    ]);
  });

  it('give the only reason without a count the nodes that the others leave', () => {
    expect(reasonsOf('0/5 nodes are available: Insufficient cpu, 2 node(s) were unschedulable.')).toEqual([
      ['resource', 3],
      ['unschedulable', 2],
    ]);
    expect(reasonsOf('0/2 nodes are available: Insufficient cpu.')).toEqual([['resource', 2]]);
    expect(reasonsOf('0/3 nodes are available: Insufficient cpu, 2 node(s) were unschedulable.')[0]).toEqual(['resource', 1]);
    expect(reasonsOf('0/2 nodes are available: Insufficient cpu, 2 node(s) were unschedulable.')[0]).toEqual(['resource', undefined]);
    expect(reasonsOf('0/2 nodes are available: Insufficient cpu, 3 node(s) were unschedulable.')[0]).toEqual(['resource', undefined]);
    expect(reasonsOf('0/2 nodes are available: Insufficient cpu. Insufficient memory.')).toHaveLength(1);
  });

  it('name the resource, and the key and value of a taint', () => {
    const [first, second] =
      parseSaid('0/2 nodes are available: 1 Insufficient shop.example/lens, 1 node(s) had untolerated taint {team: }.', vocabulary)
        ?.reasons ?? [];
    expect(first).toMatchObject({ blocker: 'resource', resource: 'shop.example/lens' });
    expect(second).toMatchObject({ blocker: 'taint', taintKey: 'team', taintValue: '' });
  });

  it('that tell of an internal error are no reasons', () => {
    expect(parseSaid('running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded', vocabulary)).toBeUndefined();
  });

  it('are read in time that grows with their length', () => {
    const reasons = Array.from({ length: 20_000 }, (_, index) => `${String(index)} node(s) were unschedulable`).join(', ');
    expect(parseSaid(`0/9 nodes are available: ${reasons}`, vocabulary)?.reasons.length).toBeLessThanOrEqual(64);
  });
});
