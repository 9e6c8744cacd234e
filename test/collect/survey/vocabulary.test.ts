import { describe, expect, it } from 'vitest';
import { vocabularyOf } from '../../../src/collect/survey/vocabulary.ts';
import { spokenRule } from '../../support/facts.ts';

const FULL = spokenRule({
  id: 'sandbox/addresses-used',
  says: [
    { fact: 'node-trouble', in: 'event', text: 'no address in {{ detail: word }}', as: { trouble: 'ip-exhausted' } },
    { fact: 'node-trouble', in: 'event', reason: 'Evicted', text: 'low on addresses', as: { trouble: 'ip-exhausted' } },
    { in: 'event', text: 'no address for {{ pod: name }}' },
  ],
  when: { all: [{ fact: 'node-trouble', where: { trouble: 'ip-exhausted' } }] },
  frames: [
    { fact: 'node-trouble', in: 'event', text: 'plugin "{{ detail: word }}"' },
    { in: 'event', text: 'pod {{ pod: name }}' },
  ],
});
const vocabulary = vocabularyOf([FULL]);

describe('the vocabulary of the rules', () => {
  it('gives the fields of the fact that a wording tells', () => {
    expect(vocabulary.read('node-trouble', 'pod web: no address in 10.0.0.0/24', 'event')?.fields).toEqual({
      trouble: 'ip-exhausted',
      detail: '10.0.0.0/24',
    });
  });

  it('reads a wording only where it may be said, and with its reason', () => {
    expect(vocabulary.read('node-trouble', 'no address in 10.0.0.0/24', 'condition')).toBeUndefined();
    expect(vocabulary.read('node-trouble', 'low on addresses', 'event', 'Evicted')?.fields).toEqual({ trouble: 'ip-exhausted' });
    expect(vocabulary.read('node-trouble', 'low on addresses', 'event', 'FailedCreatePodSandBox')).toBeUndefined();
  });

  it('takes the frames around wordings of the same fact, which a capture of the wording beats', () => {
    expect(vocabulary.read('node-trouble', 'plugin "calico": low on addresses', 'event', 'Evicted')?.fields.detail).toBe('calico');
    expect(vocabulary.read('node-trouble', 'plugin "calico": no address in 10.0.0.0/24', 'event')?.fields.detail).toBe('10.0.0.0/24');
  });

  it('knows no wording that is said, nor one of another fact', () => {
    expect(vocabulary.read('node-trouble', 'no address for web', 'event')).toBeUndefined();
    expect(vocabulary.read('refusal', 'no address in 10.0.0.0/24', 'event')).toBeUndefined();
  });

  it('gives the line from where the wording begins', () => {
    expect(vocabulary.read('node-trouble', 'oh: no address in 10.0.0.0/24, at all\nbye', 'event')?.words).toBe(
      'no address in 10.0.0.0/24, at all',
    );
  });

  it('reads each of several wordings, and at most twenty', () => {
    expect(vocabulary.readAll('node-trouble', 'no address in a, no address in b', 'event').map(({ fields }) => fields.detail)).toEqual([
      'a',
      'b',
    ]);
    expect(vocabulary.readAll('node-trouble', 'no address in a, '.repeat(50), 'event')).toHaveLength(20);
  });
});
