import { describe, expect, it } from 'vitest';
import { asTextMap, asText, dig } from '../src/base/json.ts';
import { loadRules } from '../src/catalog/load-rules.ts';
import { formatRef } from '../src/model/kube-object.ts';
import { failureOf, situationsIn } from '../src/commands/rules/rule-situations.ts';
import { writtenContext } from './support/context.ts';
import { wrongNumber } from './support/prose.ts';
import { blindfolded, causesOf, evidenceOf, ruleCases } from './support/rule-cases.ts';

const { rules, problems } = await loadRules('rules');
const cases = ruleCases();
const beside = await situationsIn(
  'rules',
  rules.map(({ id }) => id),
);
const pasted = beside.filter(({ source }) => 'text' in source);

describe('the rules', () => {
  it('are all readable', () => {
    expect(problems).toEqual([]);
    expect(rules.length).toBeGreaterThan(0);
  });

  it('each have a situation in which they are the answer, and one that only looks like it', () => {
    const lacking = rules.filter(
      ({ id }) => !(['match', 'near'] as const).every((kind) => [...cases, ...beside].some((one) => one.rule === id && one.kind === kind)),
    );
    expect(lacking.map(({ id }) => id)).toEqual([]);
  });

  it('are all that the situations are about', () => {
    expect(cases.filter(({ rule }) => !rules.some(({ id }) => id === rule)).map(({ rule }) => rule)).toEqual([]);
  });
});

describe('pasted texts beside the rules', () => {
  it('are there', () => {
    expect(pasted.length).toBeGreaterThan(0);
  });

  it.each(pasted.map((situation) => [situation.name, situation] as const))('%s is judged as its name says', async (_, situation) => {
    expect(await failureOf(situation, rules, writtenContext('.'))).toBeUndefined();
  });
});

describe.each(cases.filter(({ kind }) => kind === 'match').map((one) => [`${one.rule}: ${one.title}`, one] as const))('%s', (_, one) => {
  it('is named first, with its object', async () => {
    const causes = causesOf(await evidenceOf(one), rules);
    expect(causes.map(({ rule }) => rule)[0], `found: ${causes.map(({ rule, object }) => `${rule} ${formatRef(object)}`).join(', ')}`).toBe(
      one.rule,
    );
    const object = asText(dig(one.source, 'expect', 'object'));
    if (object !== undefined) expect(causes[0] === undefined ? '' : formatRef(causes[0].object)).toBe(object);
    const params = Object.entries(asTextMap(dig(one.source, 'expect', 'params')));
    for (const [name, value] of params) expect(String(causes[0]?.params[name]), name).toBe(value);
    expect(causes[0]?.evidence.length).toBeGreaterThan(0);
    expect(
      [causes[0]?.what ?? '', causes[0]?.why ?? '', ...(causes[0]?.fix ?? []).map(({ say }) => say)].flatMap(
        (text) => wrongNumber(text) ?? [],
      ),
    ).toEqual([]);
    expect(JSON.stringify([causes[0]?.what, causes[0]?.why, causes[0]?.fix])).not.toMatch(/\{\{|\[\[| \?[ .,]/);
  });

  it('is not taken for something else when a kind of fact is hidden', async () => {
    const evidence = await evidenceOf(one);
    const others = new Map<string, string>();
    for (const kind of new Set(evidence.facts.map((fact) => fact.kind))) {
      const first = causesOf(blindfolded(evidence, kind), rules)[0];
      if (first !== undefined && first.rule !== one.rule && rules.find(({ id }) => id === first.rule)?.kind !== 'symptom')
        others.set(kind, first.rule);
    }
    expect(Object.fromEntries(others)).toEqual({});
  });
});

describe.each(cases.filter(({ kind }) => kind === 'near').map((one) => [`${one.rule}: ${one.title}`, one] as const))('%s', (_, one) => {
  it('is not mistaken for it', async () => {
    const causes = causesOf(await evidenceOf(one), rules);
    expect(causes.map(({ rule }) => rule)).not.toContain(one.rule);
    const instead = asText(dig(one.source, 'expect', 'cause'));
    if (instead === 'none') expect(causes.map(({ rule }) => rule)).toEqual([]);
    else if (instead !== undefined) expect(causes[0]?.rule).toBe(instead);
  });
});
