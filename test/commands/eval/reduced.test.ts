import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../../src/catalog/bundled-data.ts';
import { verdictOnPart } from '../../../src/commands/eval/labelled-verdict.ts';
import type { JudgedCase } from '../../../src/commands/eval/score.ts';
import type { ScoredCause } from '../../../src/commands/eval/scored-cause.ts';
import { podcheck } from '../../support/command-line.ts';
import { folderWith } from '../../support/folder.ts';

const RULES = new Map((await shippedRules()).map((rule) => [rule.id, rule] as const));
const TRUTH: Omit<JudgedCase, 'causes'> = {
  case: 'one',
  expected: { rootCause: 'oom', object: 'app/cart' },
  label: { kind: 'rule', rules: ['containers/oom-killed'], params: {} },
};

function cause(rule: string, kind: string, name: string): ScoredCause {
  return { rule, object: { kind, namespace: 'till', name }, params: {}, evidence: [], affected: [] };
}

function verdict(causes: JudgedCase['causes'], change: Partial<JudgedCase> = {}): unknown {
  return verdictOnPart({ ...TRUTH, causes, ...change }, RULES);
}

describe('the answer to a part of a labelled case', () => {
  const right = cause('containers/oom-killed', 'Deployment', 'cart');
  const [symptom, other] = [
    cause('containers/application-error-exit', 'Deployment', 'cart'),
    cause('scheduling/node-cordoned', 'Node', 'worker-1'),
  ];

  it.each([
    ['right', [right, other]],
    ['less-exact', [other, right]],
    ['less-exact', [cause('containers/oom-killed', 'Pod', 'cart-7d9f-x1x2x')]],
    [
      'less-exact',
      [{ ...cause('containers/oom-killed', 'Secret', 'stock'), affected: [{ kind: 'Pod', namespace: 'till', name: 'cart-7d9f-x1x2x' }] }],
    ],
    ['less-exact', [symptom]],
    ['wrong', [cause('containers/application-error-exit', 'Deployment', 'stock')]],
    ['wrong', [cause('containers/oom-killed', 'Deployment', 'stock')]],
    ['wrong', [other]],
    ['inconclusive', []],
    ['unreadable', undefined],
  ] as const)('is %s with %j', (wanted, causes) => expect(verdict(causes)).toBe(wanted));

  it('is wrong with a symptom where the part shows what proves the cause, or where the rule does not say what to look at next', () => {
    const whole = [
      {
        ...right,
        evidence: [
          { about: right.object, source: 'Pod', quote: 'reason: OOMKilled, exit code 137' },
          { about: right.object, source: 'event', quote: 'Back-off restarting failed container', support: true as const },
        ],
      },
    ];
    const part = (text: string): unknown => verdictOnPart({ ...TRUTH, causes: [symptom] }, RULES, { text, whole });
    expect(part('Warning  BackOff  Back-off restarting failed container')).toBe('less-exact');
    expect(part('    reason:   OOMKilled, exit\n code 137')).toBe('wrong');
    const silent = new Map([...RULES].map(([id, rule]) => [id, { ...rule, fix: [{ say: 'Change it.' }] }] as const));
    expect(verdictOnPart({ ...TRUTH, causes: [symptom] }, silent)).toBe('wrong');
  });

  it('is less exact with a symptom at an object that suffers from the cause', () => {
    const caller = cause('containers/application-error-exit', 'Deployment', 'front');
    expect(verdictOnPart({ ...TRUTH, causes: [caller] }, RULES, { text: '', whole: [{ ...right, affected: [caller.object] }] })).toBe(
      'less-exact',
    );
  });

  it('is less exact with what the right cause explains', () => {
    const change = {
      expected: { rootCause: 'kubelet', object: 'node/worker-1' },
      label: { kind: 'rule', rules: ['kubelet/kubelet-not-running'], params: {} },
    } as const;
    expect(verdict([cause('kubelet/node-not-ready', 'Node', 'worker-1')], change)).toBe('less-exact');
  });

  it('is wrong with any cause where there is none', () => {
    expect(verdict([symptom], { label: { kind: 'none' } })).toBe('wrong');
    expect(verdict([], { label: { kind: 'none' } })).toBe('right');
  });

  it('is not judged where podcheck cannot know', () => expect(verdict([], { label: { kind: 'outside' } })).toBeUndefined());
});

describe('podcheck eval --reduce', () => {
  const row =
    '$ kubectl -n till get events\nLAST SEEN   TYPE      REASON             OBJECT       MESSAGE\n63s         Warning   FailedScheduling   pod/cart-0   0/2 nodes are available: 2 Insufficient cpu.\n';
  const folder = (): string =>
    folderWith({
      'full/expected.json': JSON.stringify({ rules: ['scheduling/insufficient-resource'] }),
      'full/text.txt': row,
      'other/expected.json': JSON.stringify({ rules: ['images/image-not-found'] }),
      'other/text.txt': row,
      'prose/expected.json': JSON.stringify({ rules: ['images/image-not-found'] }),
      'prose/text.txt': 'nothing comes up since this morning\n',
    });

  it('counts for each cut what fits, what does not, and what was not understood', async () => {
    const { out, code } = await podcheck(['eval', folder(), '--reduce', 'events,indented', '-o', 'json']);
    expect(code).toBe(0);
    const { cuts, total, wrong, unreadable } = JSON.parse(out) as {
      cuts: unknown;
      total: unknown;
      wrong: readonly { case: string }[];
      unreadable: unknown;
    };
    expect(cuts).toEqual([
      { cut: 'events', judged: 2, right: 1, 'less-exact': 0, inconclusive: 0, wrong: 1, unreadable: 0 },
      { cut: 'indented', judged: 3, right: 1, 'less-exact': 0, inconclusive: 0, wrong: 1, unreadable: 1 },
    ]);
    expect(total).toEqual({ judged: 5, right: 2, 'less-exact': 0, inconclusive: 0, wrong: 2, unreadable: 1 });
    expect(wrong).toMatchObject([
      { cut: 'events', case: 'other', expected: 'images/image-not-found', got: 'scheduling/insufficient-resource at Pod/till/cart-0' },
      { cut: 'indented', case: 'other' },
    ]);
    expect(unreadable).toEqual([{ cut: 'indented', case: 'prose' }]);
  });

  it('prints a line for each cut, one for all, and the wrong answers', async () => {
    const { out } = await podcheck(['eval', folder(), '--reduce', 'all']);
    expect(out).toMatch(/^\d+\.\d % right or less exact, \d+\.\d % wrong of \d+ reduced cases\n/);
    for (const name of [
      'listing',
      'describe',
      'events',
      'logs',
      'yaml-events',
      'no-events',
      'first-55',
      'first-85',
      'last-75',
      'wrapped',
      'indented',
      'quoted',
      'fenced',
      'coloured',
      'total',
    ])
      expect(out).toMatch(new RegExp(`^${name} +\\d+ `, 'm'));
    expect(out).toContain('images/image-not-found; got scheduling/insufficient-resource at');
  });

  it('refuses a cut that it does not have', async () => {
    expect(await podcheck(['eval', folder(), '--reduce', 'half'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('unknown cut "half"') as string,
    });
  });
});
