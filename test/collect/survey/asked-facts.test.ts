import { describe, expect, it } from 'vitest';
import { asksOf } from '../../../src/collect/survey/asked-facts.ts';
import { rule } from '../../support/facts.ts';

const asks = asksOf([
  rule({
    all: [{ fact: 'condition', where: { type: 'Ready', name: '$pod' } }],
    none: [{ fact: 'condition', where: { type: { oneOf: ['Draining', 'Leaving'] }, message: { contains: 'soon' } } }],
  }),
  rule({ all: [{ fact: 'milestone', where: { stage: 'volumes', state: 'waiting' } }] }),
]);

describe('what rules ask for', () => {
  it.each([
    ['condition', { type: 'Ready', status: 'True' }, true],
    ['condition', { type: 'Initialized' }, false],
    ['condition', { type: 'Draining', message: 'going soon' }, true],
    ['condition', { type: 'Draining', message: undefined }, false],
    ['milestone', { state: 'passed' }, false],
    ['milestone', { state: 'waiting' }, true],
    ['container', { state: 'running' }, false],
  ] as const)('%s with %o: %s', (kind, fields, expected) => {
    expect(asks(kind, fields)).toBe(expected);
  });
});
