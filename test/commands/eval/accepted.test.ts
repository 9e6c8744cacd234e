import { describe, expect, it } from 'vitest';
import { acceptedIn, verdictOf } from '../../../src/commands/eval/accepted.ts';
import { loadCases } from '../../../src/commands/eval/cases.ts';
import { scoreCases } from '../../../src/commands/eval/score.ts';
import { folderWith } from '../../support/folder.ts';

const ACCEPTED = {
  rules: ['volumes/secret-not-found'],
  lessExact: ['volumes/secret-key-not-found'],
  inconclusiveOk: false,
  healthy: false,
};

describe('a case that accepts several answers', () => {
  it.each([
    ['right', 'volumes/secret-not-found', {}],
    ['less-exact', 'volumes/secret-key-not-found', {}],
    ['wrong', 'containers/oom-killed', {}],
    ['inconclusive', undefined, {}],
    ['right', undefined, { inconclusiveOk: true }],
    ['right', undefined, { rules: [] }],
    ['wrong', 'containers/oom-killed', { healthy: true, rules: [] }],
    ['unreadable', null, { inconclusiveOk: true }],
  ] as const)('judges as %s that %s is named', (verdict, rule, change) => {
    expect(verdictOf(rule, { ...ACCEPTED, ...change })).toBe(verdict);
  });

  it('has its fields in expected.json, beside others that describe it', () => {
    expect(
      acceptedIn('expected.json', '{"rules":["volumes/secret-not-found"],"less_exact":[],"inconclusive_ok":true,"shape":"one row"}'),
    ).toEqual({ rules: ['volumes/secret-not-found'], lessExact: [], inconclusiveOk: true, healthy: false });
    expect(acceptedIn('expected.json', '{"rootCause":"oom"}')).toBeUndefined();
    expect(() => acceptedIn('expected.json', '{"rules":"volumes/secret-not-found"}')).toThrow(
      'expected.json: rules: expected a list of rule IDs',
    );
  });

  it('needs no labels file, and is counted by its verdict', async () => {
    const folder = folderWith({
      'prose/expected.json': JSON.stringify({ rules: [], inconclusive_ok: true }),
      'prose/text.txt': 'The pods do not come up.\n',
      'row/expected.json': JSON.stringify({ rules: ['scheduling/insufficient-resource'] }),
      'row/text.txt': '  Warning  FailedScheduling  9s  default-scheduler  0/2 nodes are available: 2 Insufficient cpu.\n',
    });
    const cases = await loadCases(folder);
    expect(cases.map(({ name, accepted }) => [name, accepted?.rules])).toEqual([
      ['prose', []],
      ['row', ['scheduling/insufficient-resource']],
    ]);
    const { verdicts, misses } = scoreCases(
      cases.map(({ name, expected, label }) => ({
        case: name,
        expected,
        label,
        causes: undefined,
        verdict: name === 'row' ? ('right' as const) : ('unreadable' as const),
      })),
    );
    expect(verdicts).toEqual({ right: 1, 'less-exact': 0, inconclusive: 0, wrong: 0, unreadable: 1 });
    expect(misses).toMatchObject([{ case: 'prose', verdict: 'unreadable' }]);
  });
});
