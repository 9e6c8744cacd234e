import { describe, expect, it } from 'vitest';
import { titleOf, toCauses } from '../../src/engine/cause.ts';
import type { Cause, Finding } from '../../src/model/diagnosis.ts';
import type { Fact } from '../../src/model/fact.ts';
import { fact, pod, rule } from '../support/facts.ts';

const CRASH = fact('container', pod('web-1'), { reason: 'CrashLoopBackOff' });
const ONCE = fact('container', pod('web-1'), { reason: 'Error', once: true });

function finding(id: string, more: Partial<Finding> = {}): Finding {
  const made = rule({ id, all: [{ fact: 'container', where: { reason: '$reason' } }], run: 'kubectl logs {{ pod }} --previous' });
  return { rule: made, object: pod('web-1'), params: { pod: 'web-1' }, facts: [CRASH], support: [], affected: [], ...more };
}

function causeOf(one: Finding, explained: readonly Finding[] = []): Cause | undefined {
  return toCauses([one], new Map([[one, new Set(explained)]]))[0];
}

describe('a cause', () => {
  it('is marked as a symptom where its rule tells of one, and only there', () => {
    const cause = finding('containers/crash');
    expect(causeOf(cause)).not.toHaveProperty('symptom');
    expect(causeOf({ ...cause, rule: { ...cause.rule, kind: 'symptom' } })?.symptom).toBe(true);
  });

  it('is ranked from one, and explains each rule once, in the order of their names', () => {
    const [first, second] = [finding('containers/b'), finding('containers/a')];
    const causes = toCauses([first, second], new Map([[first, new Set([finding('probes/z'), second, finding('probes/z')])]]));
    expect(causes.map(({ rank, rule: id, explains }) => [rank, id, explains])).toEqual([
      [1, 'containers/b', ['containers/a', 'probes/z']],
      [2, 'containers/a', []],
    ]);
  });

  it('names objects by kind, namespace and name alone', () => {
    const named = causeOf(
      finding('containers/crash', { object: { ...pod('web-1'), uid: 'x' }, workload: { kind: 'Node', name: 'worker-1', uid: 'y' } }),
    );
    expect([named?.object, named?.workload]).toEqual([pod('web-1'), { kind: 'Node', name: 'worker-1' }]);
    expect(causeOf(finding('containers/crash'))).not.toHaveProperty('workload');
  });

  it('tells what supports it behind what proves it, each text of one source once', () => {
    const support: Fact = { ...CRASH, quote: 'Back-off restarting failed container' };
    const quotes = causeOf(finding('containers/crash', { support: [CRASH, support, support] }))?.evidence;
    expect(quotes?.map(({ quote, support: only }) => [quote, only])).toEqual([
      [CRASH.quote, undefined],
      [support.quote, true],
    ]);
    const elsewhere = { ...CRASH, source: 'Pod web-2' };
    expect(causeOf(finding('containers/crash', { facts: [CRASH, elsewhere] }))?.evidence).toHaveLength(2);
  });

  it('of a container that nothing starts again has neither the words nor the log of restarts', () => {
    const titled = { ...finding('containers/crash').rule, title: 'CrashLoopBackOff: the program cannot start' };
    expect(titleOf({ rule: titled, facts: [CRASH] })).toBe('CrashLoopBackOff: the program cannot start');
    expect(titleOf({ rule: titled, facts: [CRASH, ONCE] })).toBe('The program cannot start');
    expect(titleOf({ rule: { ...titled, title: 'Init:CrashLoopBackOff: it fails' }, facts: [ONCE] })).toBe('It fails');
    expect(causeOf(finding('containers/crash'))?.fix[0]?.run).toBe('kubectl logs web-1 --previous');
    expect(causeOf(finding('containers/crash', { facts: [CRASH, ONCE] }))?.fix[0]?.run).toBe('kubectl logs web-1');
  });
});
