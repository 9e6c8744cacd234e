import { describe, expect, it } from 'vitest';
import { FactIndex } from '../../src/engine/fact-index.ts';
import { match, supporting } from '../../src/engine/match.ts';
import type { Fact } from '../../src/model/fact.ts';
import { event, fact, gap, pod, reference, rule } from '../support/facts.ts';

const missingConfig = rule({
  all: [{ fact: 'reference', where: { refKind: 'ConfigMap', exists: false, refName: '$name' } }],
});

describe('matching a rule', () => {
  it('binds variables to what the fact says', () => {
    const facts = [reference('web-1', { refKind: 'ConfigMap', refName: 'settings', exists: false })];
    const { matches } = match(missingConfig, new FactIndex(facts, []));
    expect(matches.map(({ bindings }) => bindings)).toEqual([{ name: 'settings' }]);
  });

  it('fails on a field the fact does not have: what was not observed cannot match', () => {
    const facts = [reference('web-1', { refKind: 'ConfigMap', refName: 'settings' })];
    expect(match(missingConfig, new FactIndex(facts, [])).matches).toEqual([]);
  });

  it('joins patterns by their variables', () => {
    const joined = rule({
      all: [
        { fact: 'reference', where: { refName: '$name', exists: false } },
        { fact: 'event', where: { reason: 'FailedMount', message: { contains: 'configmap "$name" not found' } } },
      ],
    });
    const facts = [
      reference('web-1', { refName: 'settings', exists: false }),
      reference('web-1', { refName: 'colours', exists: false }),
      event('web-1', { reason: 'FailedMount', message: 'MountVolume.SetUp failed for volume "x" : configmap "colours" not found' }),
    ];
    expect(match(joined, new FactIndex(facts, [])).matches.map(({ bindings }) => bindings['name'])).toEqual(['colours']);
  });

  it('keeps the facts of one match in one namespace', () => {
    const joined = rule({
      all: [
        { fact: 'reference', where: { refName: '$name', exists: false } },
        { fact: 'event', where: { reason: 'FailedMount' } },
      ],
    });
    const facts = [reference('web-1', { refName: 'settings', exists: false }), event('web-1', { reason: 'FailedMount' }, 'bank')];
    expect(match(joined, new FactIndex(facts, [])).matches).toEqual([]);
  });

  it('looks in all namespaces for a pattern of the scope of the cluster', () => {
    const joined = rule({
      all: [
        { fact: 'reference', where: { refName: '$name', exists: false } },
        { fact: 'event', where: { reason: 'FailedMount' }, scope: 'cluster' },
      ],
    });
    const facts = [reference('web-1', { refName: 'settings', exists: false }), event('web-1', { reason: 'FailedMount' }, 'bank')];
    expect(match(joined, new FactIndex(facts, [])).matches).toHaveLength(1);
  });

  it('stays in the namespace it began in, wherever such a pattern was found', () => {
    const joined = rule({
      all: [
        { fact: 'reference', where: { exists: false } },
        { fact: 'event', where: { reason: 'FailedMount' }, scope: 'cluster' },
        { fact: 'event', where: { reason: 'BackOff' } },
      ],
    });
    const isMatch = (namespace: string): boolean =>
      match(
        joined,
        new FactIndex(
          [
            reference('web-1', { exists: false }),
            event('till-1', { reason: 'FailedMount' }, 'bank'),
            event('x', { reason: 'BackOff' }, namespace),
          ],
          [],
        ),
      ).matches.length > 0;
    expect([isMatch('shop'), isMatch('bank')]).toEqual([true, false]);
  });

  it('is undecided, not false, over a gap', () => {
    const { matches, undecided } = match(missingConfig, new FactIndex([], [gap('reference', 'web-1')]));
    expect(matches).toEqual([]);
    expect(undecided).toHaveLength(1);
  });

  it('never takes an unread fact for an absent one in `none`', () => {
    const unless = rule({ all: [{ fact: 'reference', where: { exists: false } }], none: [{ fact: 'event', where: { reason: 'Pulled' } }] });
    const facts = [reference('web-1', { exists: false })];
    expect(match(unless, new FactIndex(facts, [])).matches).toHaveLength(1);
    expect(match(unless, new FactIndex(facts, [gap('event', 'web-1')])).matches).toEqual([]);
    expect(match(unless, new FactIndex(facts, [gap('event', 'api-1')])).matches).toHaveLength(1);
    expect(match(unless, new FactIndex([...facts, event('web-1', { reason: 'Pulled' })], [])).matches).toEqual([]);
  });

  it('knows that an incomplete list hides nothing of an object that it shows', () => {
    const unless = rule({
      all: [{ fact: 'reference', where: { exists: false, pod: '$pod' } }],
      none: [{ fact: 'container', where: { pod: '$pod', ready: true } }],
    });
    const anything = { kind: 'container', about: { kind: 'Pod', name: '*' }, reason: 'not all pods were listed' } as const;
    const facts = [reference('web-1', { exists: false })];
    expect(match(unless, new FactIndex(facts, [anything])).matches).toEqual([]);
    expect(match(unless, new FactIndex([...facts, fact('container', pod('web-1'), { ready: false })], [anything])).matches).toHaveLength(1);
    expect(match(unless, new FactIndex(facts, [{ ...anything, about: { ...anything.about, namespace: 'bank' } }])).matches).toHaveLength(1);
  });

  it('takes the first alternative for each object where alternatives are all there is', () => {
    const either = rule({
      all: [],
      any: [
        { fact: 'event', where: { reason: 'FailedMount', type: '$how' } },
        { fact: 'event', where: { reason: 'Failed', type: '$how' } },
      ],
    });
    const facts = [
      event('web-1', { reason: 'Failed', type: 'Normal' }),
      event('web-1', { reason: 'FailedMount', type: 'Warning' }),
      event('web-2', { reason: 'Failed', type: 'Normal' }),
    ];
    expect(
      match(either, new FactIndex(facts, [])).matches.map(({ facts: [first], bindings }) => [first?.about.name, bindings['how']]),
    ).toEqual([
      ['web-1', 'Warning'],
      ['web-2', 'Normal'],
    ]);
  });

  it('takes the first of several alternatives that fits', () => {
    const either = rule({
      all: [{ fact: 'reference', where: { refName: '$name', exists: false } }],
      any: [
        { fact: 'event', where: { reason: 'FailedMount', type: '$how' } },
        { fact: 'event', where: { reason: 'Failed', type: '$how' } },
      ],
    });
    const facts = [reference('web-1', { refName: 'settings', exists: false }), event('web-1', { reason: 'Failed', type: 'Normal' })];
    expect(match(either, new FactIndex(facts, [])).matches.map(({ bindings }) => bindings['how'])).toEqual(['Normal']);
    expect(match(either, new FactIndex(facts.slice(0, 1), [])).matches).toEqual([]);
  });

  it('joins the first fact that fits what is optional, and does without where there is none', () => {
    const parsed = rule({ all: [{ fact: 'reference', where: { refName: '$name', exists: false } }] });
    const [pattern] = rule({ all: [{ fact: 'event', where: { reason: '$reason' } }] }).when.all;
    const joined = { ...parsed, when: { ...parsed.when, optional: pattern === undefined ? [] : [pattern] } };
    const facts = [
      reference('web-1', { refName: 'settings', exists: false }),
      event('web-1', { reason: 'Failed' }),
      event('web-1', { reason: 'Failed', type: 'Warning' }),
    ];
    const [found] = match(joined, new FactIndex(facts, [])).matches;
    expect(found).toMatchObject({ bindings: { name: 'settings', reason: 'Failed' }, facts: facts.slice(0, 2) });
    expect(found?.facts).toHaveLength(2);
    expect(match(joined, new FactIndex(facts.slice(0, 1), [])).matches.map(({ bindings }) => bindings)).toEqual([{ name: 'settings' }]);
  });

  it('has each fact once, though what is optional fits it again', () => {
    const parsed = rule({ all: [{ fact: 'event', where: { reason: 'Failed' } }] });
    const joined = { ...parsed, when: { ...parsed.when, optional: parsed.when.all } };
    const facts = [event('web-1', { reason: 'Failed' })];
    expect(match(joined, new FactIndex(facts, [])).matches[0]?.facts).toEqual(facts);
  });

  it('ends where a rule fits in more ways than anybody reads', () => {
    const greedy = rule({
      all: [
        { fact: 'event', where: {} },
        { fact: 'reference', where: {} },
      ],
    });
    const facts = Array.from({ length: 150 }, (_, index) => [event(`a-${String(index)}`, {}), reference(`b-${String(index)}`, {})]).flat();
    expect(match(greedy, new FactIndex(facts, [])).matches).toHaveLength(20_000);
  });

  it('finds the same among thousands of facts as among a few', () => {
    const joined = rule({
      all: [
        { fact: 'reference', where: { refName: '$name', exists: false } },
        { fact: 'event', where: { pod: '$name' } },
      ],
    });
    const facts = Array.from({ length: 3000 }, (_, index) =>
      reference('web-1', { refName: `api-${String(index)}`, exists: index !== 2999 }),
    );
    const events = Array.from({ length: 3000 }, (_, index) => event(`api-${String(index)}`, { reason: 'Failed' }));
    expect(match(joined, new FactIndex([...facts, ...events], [])).matches.map(({ bindings }) => bindings['name'])).toEqual(['api-2999']);
  });
});

describe('what supports a match', () => {
  const [own, words] = rule({
    all: [
      { fact: 'event', where: { reason: '$reason' } },
      { fact: 'said', where: { reason: '$reason' } },
    ],
  }).when.all;
  const supported = { ...missingConfig, support: [own, words].filter((pattern) => pattern !== undefined) };
  const lacks = reference('web-1', { refKind: 'ConfigMap', refName: 'settings', exists: false });

  function support(facts: readonly Fact[]): readonly Fact[] {
    const index = new FactIndex([lacks, ...facts], []);
    return match(supported, index).matches.flatMap((one) => supporting(supported, one, index));
  }

  it('is any fact that fits, and of words those about its own objects', () => {
    const elsewhere = event('web-2', { reason: 'FailedMount' });
    const [said, saidElsewhere] = [
      fact('said', pod('web-1'), { reason: 'FailedMount' }),
      fact('said', pod('web-2'), { reason: 'FailedMount' }),
    ];
    expect(support([elsewhere, saidElsewhere, said])).toEqual([elsewhere, said]);
  });

  it('is nothing that does not fit, lies in another namespace or is part of the match', () => {
    expect(support([event('web-1', {}), event('web-1', { reason: 'FailedMount' }, 'bank')])).toEqual([]);
    const again = { ...supported, support: missingConfig.when.all };
    const index = new FactIndex([lacks], []);
    expect(match(again, index).matches.flatMap((one) => supporting(again, one, index))).toEqual([]);
  });
});

describe('what a gap hides', () => {
  const bound = rule({
    all: [
      { fact: 'reference', where: { refName: '$name', exists: false } },
      { fact: 'event', where: { pod: '$name' } },
    ],
  });
  const web = { kind: 'Deployment', namespace: 'shop', name: 'web' };
  const lacks = fact('reference', pod('web-1'), { refName: 'settings', exists: false }, web);

  it('is what is about the objects, the workload or the values of the match', () => {
    const undecided = (about: Parameters<typeof pod>[0] | typeof web): number =>
      match(bound, new FactIndex([lacks], [{ ...gap('event', 'x'), about: typeof about === 'string' ? pod(about) : about }])).undecided
        .length;
    expect([undecided('web-1'), undecided(web), undecided('settings')]).toEqual([1, 1, 1]);
    expect([undecided('web-2'), undecided({ ...web, name: 'cart' })]).toEqual([0, 0]);
  });

  it('is nothing of another kind of fact, and nothing where a fact fits', () => {
    expect(match(bound, new FactIndex([lacks], [gap('container', 'web-1')])).undecided).toEqual([]);
    expect(match(bound, new FactIndex([lacks, event('settings', {})], [gap('event', 'web-1')])).undecided).toEqual([]);
  });
});
