import { capturesOf } from '../../src/catalog/rule-wordings.ts';
import { toCauses } from '../../src/engine/cause.ts';
import { explain } from '../../src/engine/explain.ts';
import { FactIndex } from '../../src/engine/fact-index.ts';
import { fit } from '../../src/engine/bind-variables.ts';
import { match } from '../../src/engine/match.ts';
import type { Fact } from '../../src/model/fact.ts';
import { judge } from '../../src/engine/findings.ts';
import { hear } from '../../src/engine/find-wordings.ts';
import { rank } from '../../src/engine/rank.ts';
import type { Evidence, Finding } from '../../src/model/diagnosis.ts';
import { formatRef } from '../../src/model/kube-object.ts';
import type { Check, Pattern, Predicate, Rule, When } from '../../src/model/rule.ts';
import { factsSpokenIn } from '../../src/model/spoken-fields.ts';
import { collect } from '../../src/collect/collect.ts';
import { openEvidence } from '../../src/commands/diagnose/open-evidence.ts';
import { situationsIn } from '../../src/commands/rules/rule-situations.ts';
import { writtenContext } from './context.ts';
import { crowdedEvidence } from './crowded-evidence.ts';
import { alternativesTo, observedFacts, tellingFacts } from './observed-near-misses.ts';
import { crowded } from './crowded-cases.ts';
import { blindfolded, evidenceOf, ruleCases } from './rule-cases.ts';

/** A rule without one of its clauses. `place` says which: `when.all[0].where.class`, `support[1]`. */
interface Clause {
  readonly place: string;
  readonly without: Rule;
  readonly pattern: Pattern;
  /** What is left of the pattern; nothing when all of it is taken away. */
  readonly rest: Pattern | undefined;
}

/** Evidence to try rules on, with the rule it was made for. */
export interface Situation {
  readonly about: string;
  readonly evidence: Evidence;
  /** Made for the clauses of that rule only: those of others are not tried on it. */
  readonly own?: true;
  /** The same happens a second time; made when it is asked for. */
  readonly crowded?: true;
}

/** The situations, each a second time amid others: for the clauses of the rule it was made for alone. */
export function crowdedSituations(situations: readonly Situation[]): readonly Situation[] {
  return situations.flatMap((situation) => (situation.own === true ? [] : [{ ...situation, own: true, crowded: true } as const]));
}

/** The situations of `test/rules`, each also in a cluster where more is going on, and the texts that stand next to the rules. */
export async function ruleSituations(rules: readonly Rule[]): Promise<readonly Situation[]> {
  const situations: Situation[] = [];
  for (const { rule, source } of await situationsIn(
    'rules',
    rules.map(({ id }) => id),
    'texts',
  )) {
    if (!('text' in source)) continue;
    const { reader } = await openEvidence({ from: [source.text] }, writtenContext('.'), { looseTexts: true });
    situations.push({ about: rule, evidence: await collect(reader, {}, rules) });
  }
  for (const one of ruleCases()) {
    situations.push({ about: one.rule, evidence: await evidenceOf(one) });
    const amidOthers = crowded(one);
    if (amidOthers !== undefined) situations.push({ about: one.rule, evidence: await evidenceOf(amidOthers), own: true });
  }
  return situations;
}

/**
 * The situation as it is for those who may not see one kind of fact that the rule asks for beside its first: one for each. What would
 * refute it counts although there is none.
 */
export function blindSituations({ about, evidence, own }: Situation, rules: readonly Rule[]): readonly Situation[] {
  const rule = rules.find(({ id }) => id === about);
  if (rule === undefined || own === true) return [];
  const { all, any, none } = rule.when;
  const [first, ...others] = [...all, ...any.flat()].flatMap(kindsOf);
  const seen = new Set(evidence.facts.map(({ kind }) => kind));
  const refuting = none.flatMap(kindsOf);
  return [...new Set([...others.filter((kind) => seen.has(kind)), ...refuting])]
    .filter((kind) => kind !== first)
    .map((kind) => ({ about, evidence: blindfolded(evidence, kind), own: true }));
}

function kindsOf({ fact, places }: Pattern): readonly Fact['kind'][] {
  return places === undefined ? [fact] : factsSpokenIn(places);
}

/**
 * Clauses of the rules asked for that no situation needs: without them every diagnosis is as it was. Each as `rule place`. A situation
 * is also one in which a fact that was seen in another one stands next to a match of the rule, or in the place of what it rests on.
 */
export function idleClauses(rules: readonly Rule[], situations: readonly Situation[], asked = rules): readonly string[] {
  const judged = situations.map((situation) => new JudgedSituation(situation, rules));
  const observed = observedFacts(judged.filter(({ own }) => !own).flatMap((situation) => situation.facts()));
  return asked.flatMap((rule) => {
    const ordered = judged
      .filter(({ about, own }) => !own || about === rule.id)
      .sort((a, b) => Number(b.about === rule.id) - Number(a.about === rule.id));
    const matched = ordered.filter(({ about, own }) => about === rule.id && !own);
    const idle = clausesOf(rule).filter(({ without }) => !ordered.some((situation) => situation.changesWith(rule, without)));
    return idle
      .filter((clause) => !matched.some((situation) => situation.changesAmong(rule, clause, observed)))
      .map(({ place }) => `${rule.id} ${place}`);
  });
}

/**
 * What can be taken from a rule's YAML and leave a rule: the tests of every pattern; whole patterns where others stand beside them. Not
 * what the
 * catalog adds to a rule that has wordings: whose wordings a pattern hears, and the support that quotes them.
 */
function clausesOf(rule: Rule): readonly Clause[] {
  const { all, any, none, optional, unless } = rule.when;
  const parts: readonly (readonly [string, readonly Pattern[], (patterns: readonly Pattern[]) => Rule])[] = [
    ['when.all', all, (patterns) => withWhen(rule, { all: patterns })],
    ...any.map(
      (patterns, index) =>
        [
          `when.any[${String(index)}]`,
          patterns,
          (rest: readonly Pattern[]) => withWhen(rule, { any: rest.length === 0 ? any.toSpliced(index, 1) : any.with(index, rest) }),
        ] as const,
    ),
    ['when.none', none, (patterns) => withWhen(rule, { none: patterns })],
    ['when.optional', optional, (patterns) => withWhen(rule, { optional: patterns })],
    ['when.unless', unless, (patterns) => withWhen(rule, { unless: patterns })],
    [
      'support',
      rule.says.length === 0 ? rule.support : rule.support.slice(0, -1),
      (support) => ({ ...rule, support: [...support, ...(rule.says.length === 0 ? [] : rule.support.slice(-1))] }),
    ],
  ];
  return parts.flatMap(([name, patterns, make]) =>
    patterns.flatMap((pattern, index) => {
      const place = `${name}[${String(index)}]`;
      const whole = name === 'when.all' ? [] : [{ place, without: make(patterns.toSpliced(index, 1)), pattern, rest: undefined }];
      const tests = Object.entries(pattern.where).flatMap(([field, predicate]): readonly Clause[] => {
        if (pattern.fact === 'said' && (field === 'rule' || isCaptured(rule, field, predicate))) return [];
        const rest = withoutTest(predicate, () => isJoin(rule, pattern, field));
        if (rest === 'keep') return [];
        const { [field]: _, ...others } = pattern.where;
        void _;
        const reduced = { ...pattern, where: rest === undefined ? others : { ...pattern.where, [field]: rest } };
        return [{ place: `${place}.where.${field}`, without: make(patterns.with(index, reduced)), pattern, rest: reduced }];
      });
      return [...whole, ...tests];
    }),
  );
}

/** A capture of the rule's own wordings that the catalog gives to a pattern by its name. */
function isCaptured(rule: Rule, field: string, predicate: Predicate): boolean {
  return predicate.test === 'variable' && predicate.name === field && capturesOf(rule).has(field);
}

function withWhen(rule: Rule, when: Partial<When>): Rule {
  return { ...rule, when: { ...rule.when, ...when } };
}

/**
 * The predicate without what it tests; undefined when nothing is left of it, `keep` when it tests nothing: it only gives the words a value.
 */
function withoutTest(predicate: Predicate, isJoin: () => boolean): Predicate | undefined | 'keep' {
  if (predicate.test === 'equals') return undefined;
  if (predicate.test === 'variable') return isJoin() ? undefined : 'keep';
  const names = predicate.checks.filter(isName);
  if (names.length === predicate.checks.length) return 'keep';
  if (predicate.checks.some(({ check }) => check === 'parse')) return 'keep';
  return names.length === 0 ? undefined : { test: 'checks', checks: names };
}

function isName({ check }: Check): boolean {
  return check === 'as' || check === 'maybe';
}

/** A variable that an earlier pattern of the rule binds joins the two. */
function isJoin(rule: Rule, pattern: Pattern, field: string): boolean {
  const predicate = pattern.where[field];
  if (predicate?.test !== 'variable') return false;
  const { all, any, none, optional, unless } = rule.when;
  // Alternatives do not join one another.
  const alternatives = any.find((patterns) => patterns.includes(pattern)) ?? any.flat();
  const before = [...all, ...alternatives, ...none, ...optional, ...unless, ...rule.support];
  return before.slice(0, before.indexOf(pattern)).some((other) => Object.values(other.where).some((each) => binds(each, predicate.name)));
}

function binds(predicate: Predicate, name: string): boolean {
  if (predicate.test === 'variable') return predicate.name === name;
  return (
    predicate.test === 'checks' &&
    predicate.checks.some((check) => (check.check === 'as' || check.check === 'maybe') && check.name === name)
  );
}

/** One situation with what the rules find in it, so that one rule can be tried again by itself. It is judged when it is first asked. */
class JudgedSituation {
  readonly about: string;
  readonly own: boolean;
  readonly #situation: Situation;
  readonly #rules: readonly Rule[];
  #judged: Judged | undefined;

  constructor(situation: Situation, rules: readonly Rule[]) {
    this.about = situation.about;
    this.own = situation.own === true;
    this.#situation = situation;
    this.#rules = rules;
  }

  /** Whether the diagnosis is another one when this stands in the rule's place. */
  changesWith(rule: Rule, other: Rule): boolean {
    const { index, kinds, findings, signature, evidence } = (this.#judged ??= judgedBy(this.#situation, this.#rules));
    const [first] = other.when.all;
    if (first !== undefined && !kinds.has(first.fact)) return false;
    const own = findings.filter((finding) => finding.rule === rule);
    const changed = judge([other], index).findings;
    if (JSON.stringify(own.map(contentOf)) === JSON.stringify(changed.map(contentOf))) return false;
    return signatureOf([...findings.filter((finding) => finding.rule !== rule), ...changed], evidence) !== signature;
  }

  /** All facts that rules are held against. */
  facts(): readonly Fact[] {
    return (this.#judged ??= judgedBy(this.#situation, this.#rules)).facts;
  }

  /**
   * Whether it is another diagnosis without the clause when an observed fact tells it: next to a match, or instead of what the match rests
   * on.
   */
  changesAmong(rule: Rule, clause: Clause, observed: ReadonlyMap<string, readonly Fact[]>): boolean {
    const { index, facts, evidence } = (this.#judged ??= judgedBy(this.#situation, this.#rules));
    const instead = [clause.pattern, ...alternativesTo(clause.pattern, rule)];
    return match(rule, index)
      .matches.slice(0, MOST_MATCHES)
      .some((one) =>
        tellingFacts(clause, one, observed).some((fact) => {
          const others = facts.filter((other) => !instead.some((pattern) => fit(pattern, other, one.bindings) !== undefined));
          return [
            [...facts, fact],
            [...others, fact],
          ].some((given) => differs(rule, clause.without, given, evidence, this.#rules));
        }),
      );
  }
}

/** Matches of one situation that are tried. */
const MOST_MATCHES = 3;

interface Judged {
  readonly evidence: Evidence;
  readonly facts: readonly Fact[];
  readonly index: FactIndex;
  readonly kinds: ReadonlySet<string>;
  readonly findings: readonly Finding[];
  readonly signature: string;
}

function judgedBy({ about, evidence: given, crowded: isCrowded }: Situation, rules: readonly Rule[]): Judged {
  const rule = isCrowded === true ? rules.find(({ id }) => id === about) : undefined;
  const evidence = rule === undefined ? given : crowdedEvidence(given, rule);
  const facts = [...evidence.facts, ...hear(evidence, rules)];
  const index = new FactIndex(facts, evidence.gaps);
  const { findings } = judge(rules, index);
  return { evidence, facts, index, kinds: new Set(facts.map(({ kind }) => kind)), findings, signature: signatureOf(findings, evidence) };
}

function differs(rule: Rule, without: Rule, facts: readonly Fact[], evidence: Evidence, rules: readonly Rule[]): boolean {
  const index = new FactIndex(facts, evidence.gaps);
  const [own, changed] = [judge([rule], index).findings, judge([without], index).findings];
  if (JSON.stringify(own.map(contentOf)) === JSON.stringify(changed.map(contentOf))) return false;
  const others = judge(
    rules.filter((other) => other !== rule),
    index,
  ).findings;
  return signatureOf([...others, ...own], { ...evidence, facts }) !== signatureOf([...others, ...changed], { ...evidence, facts });
}

function signatureOf(findings: readonly Finding[], evidence: Evidence): string {
  const explanations = explain(findings, evidence.facts);
  return JSON.stringify(
    toCauses(rank(findings, explanations, evidence), explanations).map(({ rule, object, params, evidence, affected }) => [
      rule,
      object,
      params,
      evidence,
      affected,
    ]),
  );
}

function contentOf({ object, params, facts, support, affected }: Finding): unknown {
  return [
    formatRef(object),
    params,
    facts.map(({ source, quote, fields }) => [source, quote, fields]),
    support.map(({ source, quote }) => [source, quote]),
    affected.map(formatRef),
  ];
}
