import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import {
  formatLabels,
  formatNodeTerms,
  matchesNodeSelector,
  matchesNodeTerms,
  nearestNodeLabel,
} from '../../../../src/collect/placement/fit/node-terms.ts';
import { hostPortsOf, portConflict } from '../../../../src/collect/placement/fit/ports.ts';
import { viewOf } from '../../../../src/collect/placement/fit/pod-view.ts';
import { formatTaint, untolerated } from '../../../../src/collect/placement/fit/taints.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../../src/model/kube-object.ts';
import { objectOf } from '../../../support/collected.ts';

function node(labels: JsonObject, name = 'worker-1'): KubeObject {
  return objectOf('Node', name, {}, { labels });
}

function term(operator: string, ...values: readonly string[]): Json {
  return { matchExpressions: [{ key: 'zone', operator, values }] };
}

describe('terms of a node affinity', () => {
  it.each<readonly [string, Json, string, string]>([
    ['zone in (a, b)', term('In', 'a', 'b'), 'yes', 'no'],
    ['zone not in (a)', term('NotIn', 'a'), 'no', 'yes'],
    ['zone exists', term('Exists'), 'yes', 'no'],
    ['zone does not exist', term('DoesNotExist'), 'no', 'yes'],
  ])('%s', (words, one, withA, without) => {
    expect([matchesNodeTerms([one], node({ zone: 'a' })), matchesNodeTerms([one], node({ disk: 'fast' }))]).toEqual([withA, without]);
    expect(formatNodeTerms([one])).toBe(words);
  });

  it('compare numbers', () => {
    const fits = (operator: string, value: string): string => matchesNodeTerms([term(operator, '5')], node({ zone: value }));
    expect(['4', '5', '6'].map((value) => fits('Gt', value))).toEqual(['no', 'no', 'yes']);
    expect(['4', '5', '6'].map((value) => fits('Lt', value))).toEqual(['yes', 'no', 'no']);
    expect(formatNodeTerms([term('Gt', '5'), term('Lt', '3')])).toBe('zone > 5, or zone < 3');
    expect(formatNodeTerms([{}])).toBe('an empty term, which matches no node');
  });

  it('fit where one of them does, and all that is in it; an empty one fits nothing', () => {
    const both = {
      matchExpressions: [
        { key: 'zone', operator: 'In', values: ['a'] },
        { key: 'disk', operator: 'Exists' },
      ],
    };
    expect(matchesNodeTerms([both], node({ zone: 'a' }))).toBe('no');
    expect(matchesNodeTerms([both], node({ zone: 'a', disk: 'x' }))).toBe('yes');
    expect(matchesNodeTerms([both, term('In', 'a')], node({ zone: 'a' }))).toBe('yes');
    expect(matchesNodeTerms([{}], node({}))).toBe('no');
    expect(matchesNodeTerms([], node({}))).toBe('no');
    expect(formatNodeTerms([both])).toBe('zone in (a) and disk exists');
    const named = { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['worker-1'] }] };
    expect([matchesNodeTerms([named], node({})), matchesNodeTerms([named], node({}, 'worker-2'))]).toEqual(['yes', 'no']);
    expect(formatNodeTerms([named])).toBe('metadata.name in (worker-1)');
    const other = { matchFields: [{ key: 'metadata.uid', operator: 'In', values: ['worker-1'] }] };
    expect(matchesNodeTerms([other], node({}))).toBe('no');
    expect(matchesNodeTerms([{ ...named, matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }], node({ zone: 'b' }))).toBe(
      'no',
    );
    expect(matchesNodeTerms([term('Like', 'a')], node({ zone: 'a' }))).toBe('no');
  });

  it('are unknown of labels that nobody has shown', () => {
    const unseen = { ...node({}), [OBSERVED]: ['spec'] };
    expect(matchesNodeTerms([term('In', 'a')], unseen)).toBe('unknown');
    expect(matchesNodeSelector({ zone: 'a' }, unseen)).toBe('unknown');
    expect(matchesNodeTerms([term('In', 'a'), {}], unseen)).toBe('unknown');
    const named = { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['worker-2'] }] };
    expect(matchesNodeTerms([{ matchExpressions: [{ key: 'zone', operator: 'Exists' }], ...named }], unseen)).toBe('no');
    expect(matchesNodeSelector({ toString: 'a' }, node({}))).toBe('no');
    expect([
      matchesNodeSelector({ zone: 'a' }, node({ zone: 'a' })),
      matchesNodeSelector({ zone: 'a', b: 'c' }, node({ zone: 'a' })),
      matchesNodeSelector({}, node({})),
    ]).toEqual(['yes', 'no', 'yes']);
  });
});

describe('the nearest label of the nodes', () => {
  const nodes = [node({ zone: 'eu-1a', disk: 'ssd' }), node({ zone: 'eu-1b' }, 'worker-2'), node({ zone: 'eu-1a' }, 'worker-3')];

  it.each<readonly [Json, string | undefined]>([
    [{ zone: 'eu-1c' }, 'zone=eu-1a (worker-1)'],
    [{ zone: 'mars' }, 'zone=eu-1a (worker-1), zone=eu-1b (worker-2)'],
    [{ zoen: 'eu-1a' }, 'zone=eu-1a (worker-1)'],
    [{ zone: 'eu-1a', disk: 'hdd' }, 'disk=ssd (worker-1)'],
    [{ zone: 'eu-1a' }, undefined],
    [{ colour: 'red' }, undefined],
    [[term('In', 'eu-1c')], 'zone=eu-1a (worker-1)'],
    [[term('NotIn', 'eu-1a')], undefined],
    [[{ matchExpressions: [{ key: 'zoen', operator: 'Exists' }] }], 'zone=eu-1a (worker-1), zone=eu-1b (worker-2)'],
    [[{ matchExpressions: [{ key: 'zoen', operator: 'DoesNotExist' }] }], undefined],
    [[term('In', 'eu-1a', 'mars')], undefined],
    [[term('In', 'mars', 'eu-1c')], 'zone=eu-1a (worker-1)'],
    [{}, undefined],
    [null, undefined],
  ])('to %j is %s', (wanted, near) => {
    expect(nearestNodeLabel(wanted, nodes)).toBe(near);
  });

  it('names no more than three values', () => {
    const many = ['a', 'b', 'c', 'd'].map((value) => node({ zone: value.repeat(9) }, `worker-${value}`));
    expect(nearestNodeLabel({ zone: 'mars' }, many)?.split(', ')).toHaveLength(3);
  });

  it('is told as kubectl writes labels', () => {
    expect(formatLabels({ b: '2', a: '1' })).toBe('a=1,b=2');
  });
});

function pod(spec: JsonObject): KubeObject {
  return objectOf('Pod', 'web', { spec });
}

describe('a taint', () => {
  const taint = { key: 'till', value: 'yes', effect: 'NoSchedule' };

  it.each<readonly [JsonObject, boolean]>([
    [{ key: 'till', value: 'yes', effect: 'NoSchedule' }, true],
    [{ key: 'till', operator: 'Equal', value: 'yes' }, true],
    [{ key: 'till', operator: 'Exists' }, true],
    [{ operator: 'Exists' }, true],
    [{ operator: 'Exists', effect: 'NoSchedule' }, true],
    [{ key: 'till', value: 'no' }, false],
    [{ key: 'till' }, false],
    [{ key: 'shop', operator: 'Exists' }, false],
    [{ key: 'till', operator: 'Exists', effect: 'NoExecute' }, false],
    [{ value: 'yes' }, false],
  ])('is tolerated by %j: %s', (toleration, tolerated) => {
    expect(untolerated(viewOf(pod({ tolerations: [toleration] })), [taint])).toEqual(tolerated ? undefined : taint);
  });

  it('that only prefers other pods keeps none away, and the first that does is told', () => {
    const execute = { key: 'b', value: '', effect: 'NoExecute' };
    expect(untolerated(viewOf(pod({})), [{ ...taint, effect: 'PreferNoSchedule' }, execute, taint])).toEqual(execute);
    expect([formatTaint(taint), formatTaint(execute)]).toEqual(['till=yes:NoSchedule', 'b:NoExecute']);
  });
});

describe('ports of the node', () => {
  const ports = (port: JsonObject, more: JsonObject = {}): KubeObject =>
    pod({ containers: [{ name: 'web', ports: [{ containerPort: 80, ...port }] }], ...more });

  it('are those that a pod asks for, and all of them with hostNetwork', () => {
    expect(hostPortsOf(viewOf(ports({ hostPort: 8080 })))).toEqual([
      { ip: '0.0.0.0', port: 8080, protocol: 'TCP', from: { container: 'web', port: 80 } },
    ]);
    expect(hostPortsOf(viewOf(ports({})))).toEqual([]);
    expect(hostPortsOf(viewOf(ports({ hostPort: 0 })))).toEqual([]);
    expect(hostPortsOf(viewOf(ports({ protocol: 'UDP', hostIP: '10.0.0.1' }, { hostNetwork: true })))).toEqual([
      { ip: '10.0.0.1', port: 80, protocol: 'UDP' },
    ]);
    const init = (restartPolicy?: string): KubeObject =>
      pod({
        containers: [],
        initContainers: [
          { name: 'log', ...(restartPolicy === undefined ? {} : { restartPolicy }), ports: [{ containerPort: 1, hostPort: 2 }] },
        ],
      });
    expect([hostPortsOf(viewOf(init())), hostPortsOf(viewOf(init('Always')))]).toEqual([[], [{ ip: '0.0.0.0', port: 2, protocol: 'TCP' }]]);
  });

  it.each<readonly [JsonObject, JsonObject, boolean]>([
    [{ hostPort: 1 }, { hostPort: 1 }, true],
    [{ hostPort: 1 }, { hostPort: 2 }, false],
    [{ hostPort: 1 }, { hostPort: 1, protocol: 'UDP' }, false],
    [{ hostPort: 1, hostIP: '10.0.0.1' }, { hostPort: 1, hostIP: '10.0.0.2' }, false],
    [{ hostPort: 1, hostIP: '10.0.0.1' }, { hostPort: 1, hostIP: '10.0.0.1' }, true],
    [{ hostPort: 1, hostIP: '10.0.0.1' }, { hostPort: 1 }, true],
    [{ hostPort: 1, hostIP: '::' }, { hostPort: 1, hostIP: '10.0.0.2' }, true],
  ])('%j and %j collide: %s', (one, other, collide) => {
    const conflict = portConflict(hostPortsOf(viewOf(ports(one))) ?? [], [ports(other)]);
    expect(conflict?.port.port).toBe(collide ? 1 : undefined);
  });
});
