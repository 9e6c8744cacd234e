import { describe, expect, it } from 'vitest';
import { rank } from '../../src/engine/rank.ts';
import type { Finding, Target } from '../../src/model/diagnosis.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import { pod, rule } from '../support/facts.ts';

const web = { kind: 'Deployment', namespace: 'shop', name: 'web' };
const front = { kind: 'Service', namespace: 'shop', name: 'front' };
const [node, idle] = [
  { kind: 'Node', name: 'worker-1' },
  { kind: 'Node', name: 'worker-2' },
];

function finding(
  id: string,
  object: ObjectRef,
  affected: readonly ObjectRef[] = [],
  kind: 'cause' | 'symptom' = 'cause',
  before: readonly string[] = [],
): Finding {
  return {
    rule: rule({ id, kind, before, all: [{ fact: 'reference', where: { exists: false } }] }),
    object,
    params: {},
    facts: [],
    support: [],
    affected,
  };
}

function ranked(
  findings: readonly Finding[],
  unhealthy: readonly ObjectRef[],
  explains: ReadonlyMap<Finding, ReadonlySet<Finding>> = new Map(),
): readonly string[] {
  const targets: readonly Target[] = unhealthy.map((ref) => ({ ref, state: 'unhealthy', members: [] }));
  return rank(findings, explains, { at: 0, facts: [], gaps: [], targets }).map((one) => one.rule.id);
}

describe('the order of causes', () => {
  it('begins with what touches an unhealthy workload, even before causes that touch only a Service or nothing unhealthy', () => {
    const findings = [
      finding('apply/of-nothing', idle),
      finding('endpoints/of-a-service', front),
      finding('probes/of-a-pod', pod('web-1'), [], 'symptom'),
    ];
    expect(ranked(findings, [pod('web-1'), front])).toEqual(['probes/of-a-pod', 'endpoints/of-a-service', 'apply/of-nothing']);
  });

  it('puts a cause before a symptom where both touch an unhealthy workload', () => {
    const findings = [finding('apply/symptom', web, [], 'symptom'), finding('traffic/cause', web)];
    expect(ranked(findings, [web])).toEqual(['traffic/cause', 'apply/symptom']);
  });

  it('puts the cause that accounts for more before another, and leaves out what is accounted for', () => {
    const [narrow, wide, effect] = [finding('apply/narrow', web), finding('kubelet/wide', node, [web]), finding('probes/effect', web)];
    expect(
      ranked(
        [narrow, wide, effect],
        [web],
        new Map([
          [narrow, new Set()],
          [wide, new Set([effect])],
        ]),
      ),
    ).toEqual(['kubelet/wide', 'apply/narrow']);
  });

  it('puts the earlier stage first, and in one stage the cause that stops more', () => {
    const pods = [pod('web-1'), pod('web-2'), pod('web-3')];
    const findings = [
      finding('kubelet/a-stops-one', pod('web-1')),
      finding('kubelet/z-stops-three', node, pods),
      finding('scheduling/earlier', pod('web-2')),
    ];
    expect(ranked(findings, pods)).toEqual(['scheduling/earlier', 'kubelet/z-stops-three', 'kubelet/a-stops-one']);
  });

  describe('what comes into play only when another is over', () => {
    const earlier = finding('containers/first', web, [], 'symptom', ['containers/later', 'volumes/*']);
    const [later, volume] = [finding('containers/later', web), finding('volumes/late', web)];

    it('is told after it, a cause after a symptom', () => {
      expect(ranked([later, volume, earlier], [web])).toEqual(['containers/first', 'volumes/late', 'containers/later']);
    });

    it('of other pods keeps its place', () => {
      expect(ranked([finding('containers/later', pod('cart-1')), earlier], [web, pod('cart-1')])).toEqual([
        'containers/later',
        'containers/first',
      ]);
    });

    it('of the same container, or of one that nobody names, keeps its place', () => {
      const of = (one: Finding, container: string): Finding => ({ ...one, params: { container } });
      expect(ranked([of(later, 'init'), of(earlier, 'init')], [web])).toEqual(['containers/later', 'containers/first']);
      expect(ranked([later, of(earlier, 'init')], [web])).toEqual(['containers/later', 'containers/first']);
      expect(ranked([of(later, 'app'), of(earlier, 'init')], [web])).toEqual(['containers/first', 'containers/later']);
    });

    it('keeps its place where it is why the other is there', () => {
      expect(ranked([later, earlier], [web], new Map([[later, new Set([earlier])]]))).toEqual(['containers/later']);
      const third = finding('volumes/late', web, [], 'symptom');
      expect(ranked([third, later, earlier], [web], new Map([[later, new Set([earlier])]]))).toEqual(['containers/later', 'volumes/late']);
    });
  });

  it('counts members of a target that progresses, and nothing of a healthy one', () => {
    const findings = [finding('apply/healthy', node, [web]), finding('probes/progressing', pod('cart-1'))];
    const targets: readonly Target[] = [
      { ref: web, state: 'healthy', members: [] },
      { ref: { ...web, name: 'cart' }, state: 'progressing', members: [pod('cart-1')] },
    ];
    expect(rank(findings, new Map(), { at: 0, facts: [], gaps: [], targets }).map((one) => one.rule.id)).toEqual([
      'probes/progressing',
      'apply/healthy',
    ]);
  });

  it('is the same in whatever order equal findings come', () => {
    const findings = [finding('kubelet/a', pod('web-1')), finding('kubelet/a', pod('web-2')), finding('kubelet/b', pod('web-1'))];
    const order = (given: readonly Finding[]): readonly string[] =>
      rank(given, new Map(), { at: 0, facts: [], gaps: [], targets: [] }).map((one) => `${one.rule.id} ${one.object.name}`);
    expect(order(findings)).toEqual(['kubelet/a web-1', 'kubelet/a web-2', 'kubelet/b web-1']);
    expect(order(findings.toReversed())).toEqual(order(findings));
  });
});
