import { describe, expect, it } from 'vitest';
import type { Condition } from '../../src/model/playbook-condition.ts';
import type { Diagnosis } from '../../src/model/diagnosis.ts';
import { diagnosisWords } from '../../src/runbook/perform-look.ts';
import { evaluate, fitsRule } from '../../src/runbook/evaluate.ts';
import type { Seen } from '../../src/runbook/evaluate.ts';
import { CAUSE, HEALTHY, stagesUpTo, STOPPED } from '../support/diagnoses.ts';

const BASE = {
  evidence: { at: 0, facts: [], gaps: [], targets: [] },
  results: new Map([
    ['look', 'passed'],
    ['skip', 'not-evaluated'],
  ]),
  variables: { replicas: 3, name: 'web' },
};

function is(condition: object, diagnosis: Seen['diagnosis'] = STOPPED): string {
  return evaluate(condition as Condition, { ...BASE, diagnosis } as unknown as Seen).is;
}

describe('a condition of a playbook', () => {
  it('on the outcome is unknown where the outcome is inconclusive, unless that is asked for', () => {
    const inconclusive = { ...STOPPED, outcome: 'inconclusive' as const, causes: [] };
    expect([
      is({ test: 'outcome', is: ['explained'] }),
      is({ test: 'outcome', is: ['healthy'] }),
      is({ test: 'outcome', is: ['healthy'] }, HEALTHY),
    ]).toEqual(['true', 'false', 'true']);
    expect([
      is({ test: 'outcome', is: ['healthy'] }, inconclusive),
      is({ test: 'outcome', is: ['inconclusive'] }, inconclusive),
      is({ test: 'outcome', is: ['inconclusive'] }),
    ]).toEqual(['unknown', 'true', 'false']);
  });

  it('on the cause is of the first one, and unknown only where none was found though one may be there', () => {
    const none = { ...STOPPED, causes: [] };
    expect([
      is({ test: 'cause', is: [CAUSE.rule] }),
      is({ test: 'cause', is: ['volumes/*'] }),
      is({ test: 'cause', is: ['images/*'] }),
    ]).toEqual(['true', 'true', 'false']);
    expect([
      is({ test: 'cause', is: [CAUSE.rule] }, none),
      is({ test: 'cause', is: [CAUSE.rule] }, { ...none, outcome: 'inconclusive' }),
    ]).toEqual(['false', 'unknown']);
    expect(is({ test: 'cause', is: [CAUSE.rule] }, { ...STOPPED, outcome: 'inconclusive' })).toBe('true');
  });

  it('on a stage is unknown where its state is, unless that is asked for', () => {
    const unknown = { ...STOPPED, stages: stagesUpTo('volumes', 'unknown') };
    expect([is({ test: 'stage', stage: 'volumes', is: ['blocked'] }), is({ test: 'stage', stage: 'volumes', is: ['waiting'] })]).toEqual([
      'true',
      'false',
    ]);
    expect([
      is({ test: 'stage', stage: 'volumes', is: ['blocked'] }, unknown),
      is({ test: 'stage', stage: 'volumes', is: ['unknown'] }, unknown),
    ]).toEqual(['unknown', 'true']);
    expect(is({ test: 'stage', stage: 'volumes', is: ['blocked'] }, { ...STOPPED, stages: [] })).toBe('unknown');
  });

  it('on a step is false where it was not taken, and unknown where it was not evaluated', () => {
    expect([
      is({ test: 'step', step: 'look', is: ['passed'] }),
      is({ test: 'step', step: 'look', is: ['failed'] }),
      is({ test: 'step', step: 'never', is: ['passed'] }),
    ]).toEqual(['true', 'false', 'false']);
    expect([is({ test: 'step', step: 'skip', is: ['passed'] }), is({ test: 'step', step: 'skip', is: ['not-evaluated'] })]).toEqual([
      'unknown',
      'true',
    ]);
  });

  it('on a variable compares as text, and is unknown without a value', () => {
    expect([
      is({ test: 'variable', name: 'replicas', is: ['3'] }),
      is({ test: 'variable', name: 'name', is: ['cart'] }),
      is({ test: 'variable', name: 'none', is: ['x'] }),
    ]).toEqual(['true', 'false', 'unknown']);
    expect([is({ test: 'known', name: 'name' }), is({ test: 'known', name: 'none' })]).toEqual(['true', 'false']);
  });

  it('is turned round by not, but what is unknown stays so', () => {
    const not = (condition: object): string => is({ test: 'not', condition });
    expect([
      not({ test: 'known', name: 'name' }),
      not({ test: 'known', name: 'none' }),
      not({ test: 'variable', name: 'none', is: ['x'] }),
    ]).toEqual(['false', 'true', 'unknown']);
  });

  it('names all rules of a stage by a star, and no stage whose name only begins like it', () => {
    expect([
      fitsRule('volumes/*', 'volumes/configmap-not-found'),
      fitsRule('volumes/*', 'volumes-of-others/x'),
      fitsRule('volumes/a', 'volumes/ab'),
      fitsRule('*', 'volumes/a'),
    ]).toEqual([true, false, false, false]);
  });
});

describe('a condition on facts', () => {
  const gap = { kind: 'event' as const, about: { kind: 'Pod', namespace: 'shop', name: 'web-1' }, reason: 'events were not collected' };
  const when = { all: [{ fact: 'event', where: { reason: { is: 'BackOff' } } }], any: [], none: [], unless: [], optional: [] };
  const answer = (needs?: string): string =>
    evaluate(
      { test: 'facts', when } as unknown as Condition,
      {
        ...BASE,
        diagnosis: STOPPED,
        evidence: { ...BASE.evidence, gaps: [needs === undefined ? gap : { ...gap, needs }] },
      } as unknown as Seen,
    ).why;

  it('says what was not seen, and what would show it where that is known', () => {
    expect(answer('kubectl get events')).toBe('events were not collected (needs: kubectl get events)');
    expect(answer()).toBe('events were not collected');
  });
});

describe('a diagnosis in a line', () => {
  const target = { kind: 'Pod', namespace: 'shop', name: 'web-1' };
  const gap = { kind: 'any' as const, about: { kind: 'Node', name: 'worker-1' }, reason: 'refused', needs: 'get nodes' };
  const line = (more: Partial<Diagnosis>): string =>
    diagnosisWords({ target, causes: [], gaps: [gap, gap], ...more } as unknown as Diagnosis);

  it('names the permission that is missing where that leaves it inconclusive', () => {
    expect(line({ outcome: 'inconclusive', state: 'healthy' })).toBe('Pod/shop/web-1: inconclusive, looks healthy; needs: get nodes');
    expect(line({ outcome: 'inconclusive', state: 'unhealthy' })).toBe('Pod/shop/web-1: inconclusive; needs: get nodes');
    expect(line({ outcome: 'inconclusive', gaps: [] })).toBe('Pod/shop/web-1: inconclusive');
    expect(line({ outcome: 'healthy' })).toBe('Pod/shop/web-1: healthy');
  });
});
