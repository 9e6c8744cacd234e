import { describe, expect, it } from 'vitest';
import { problemsOf } from '../support/facts.ts';

const RULE = { id: 'volumes/missing', stage: 'volumes', title: 'A title', what: 'What.', why: 'Why.', fix: [{ say: 'Fix.' }] };
const all = [{ fact: 'reference', where: { refName: '$name', exists: false } }];

function problems(more: object): readonly string[] {
  return problemsOf(JSON.stringify({ ...RULE, ...more })).map(({ message }) => message);
}

describe('a variable of a rule', () => {
  it('may be used where a pattern has bound it, or where every match has it', () => {
    expect(problems({ when: { all }, what: 'It is {{ name }} of {{ workload }}.', params: ['name'] })).toEqual([]);
  });

  it('that no pattern binds is no parameter', () => {
    expect(problems({ when: { all }, params: ['name', 'other'] })).toEqual(['no pattern binds $other']);
  });

  it('is bound before it is used', () => {
    const where = { message: { contains: '$name' } };
    expect(problems({ when: { all: [{ fact: 'event', where }, ...all] } })).toContain('$name is used before a pattern binds it');
    expect(problems({ when: { all: [...all, { fact: 'event', where }] } })).toEqual([]);
  });

  it('that only some alternatives bind may be missing, and needs words to stand in for it', () => {
    const any = [[{ fact: 'event', where: { reason: '$reason' } }], [{ fact: 'event', where: { type: 'Warning' } }]];
    expect(problems({ when: { all, any }, what: 'It is {{ reason }}.' })).toHaveLength(1);
    expect(problems({ when: { all, any }, what: 'It is wrong[[: {{ reason }}]].', params: ['reason'] })).toEqual([]);
    expect(
      problems({
        when: { all, any: [any[0], [{ fact: 'event', where: { reason: '$reason', type: 'Warning' } }]] },
        what: 'It is {{ reason }}.',
      }),
    ).toEqual([]);
  });

  it('of a pattern that must not fit is bound nowhere else', () => {
    const none = [{ fact: 'event', where: { reason: '$reason' } }];
    expect(problems({ when: { all, none }, what: 'It is {{ reason }}.' })).toHaveLength(1);
  });
});
