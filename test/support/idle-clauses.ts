import { toCauses } from '../../src/engine/cause.ts';
import { explain } from '../../src/engine/explain.ts';
import { FactIndex } from '../../src/engine/fact-index.ts';
import { judge } from '../../src/engine/findings.ts';
import { hear } from '../../src/engine/find-wordings.ts';
import { rank } from '../../src/engine/rank.ts';
import type { Evidence, Finding } from '../../src/model/diagnosis.ts';
import { formatRef } from '../../src/model/kube-object.ts';
import type { Check, Pattern, Predicate, Rule, When } from '../../src/model/rule.ts';
import { factsSpokenIn } from '../../src/model/spoken-fields.ts';
import { crowded } from './crowded-cases.ts';
import { blindfolded, evidenceOf, ruleCases } from './rule-cases.ts';

/** A rule without one of its clauses. `place` says which: `when.all[0].where.class`, `support[1]`. */
interface Clause {
  readonly place: string;
  readonly without: Rule;
}

/** Evidence to try rules on, with the rule it was made for. */
export interface Situation {
  readonly about: string;
  readonly evidence: Evidence;
  /** Made for the clauses of that rule only: those of others are not tried on it. */
  readonly own?: true;
}

/** The situations of `test/rules`, each also in a cluster where more is going on. */
export async function ruleSituations(): Promise<readonly Situation[]> {
  const situations: Situation[] = [];
  for (const one of ruleCases()) {
    situations.push({ about: one.rule, evidence: await evidenceOf(one) });
    const amidOthers = crowded(one);
    if (amidOthers !== undefined) situations.push({ about: one.rule, evidence: await evidenceOf(amidOthers), own: true });
  }
  return situations;
}

/** The situation as it is for those who may not see one kind of fact that the rule asks for beside its first: one for each. */
export function blindSituations({ about, evidence, own }: Situation, rules: readonly Rule[]): readonly Situation[] {
  const rule = rules.find(({ id }) => id === about);
  if (rule === undefined || own === true) return [];
  const { all, any, none } = rule.when;
  const [first, ...others] = [...all, ...any.flat(), ...none].flatMap(({ fact, places }) => (places === undefined ? [fact] : factsSpokenIn(places)));
  const seen = new Set(evidence.facts.map(({ kind }) => kind));
  return [...new Set(others)].filter((kind) => kind !== first && seen.has(kind)).map((kind) => ({ about, evidence: blindfolded(evidence, kind), own: true }));
}

/** Clauses of the rules asked for that no situation needs: without them every diagnosis is as it was. Each as `rule place`. */
export function idleClauses(rules: readonly Rule[], situations: readonly Situation[], asked = rules): readonly string[] {
  const judged = situations.map((situation) => new JudgedSituation(situation, rules));
  return asked.flatMap((rule) => {
    const ordered = judged.filter(({ about, own }) => !own || about === rule.id).sort((a, b) => Number(b.about === rule.id) - Number(a.about === rule.id));
    return clausesOf(rule).filter(({ without }) => !ordered.some((situation) => situation.changesWith(rule, without))).map(({ place }) => `${rule.id} ${place}`);
  });
}

/**
 * What can be taken from a rule's YAML and leave a rule: the tests of every pattern; whole patterns where others stand beside them. Not what the
 * catalog adds to a rule that has wordings: whose wordings a pattern hears, and the support that quotes them.
 */
function clausesOf(rule: Rule): readonly Clause[] {
  const { all, any, none, optional, unless } = rule.when;
  const parts: readonly (readonly [string, readonly Pattern[], (patterns: readonly Pattern[]) => Rule])[] = [
    ['when.all', all, (patterns) => withWhen(rule, { all: patterns })],
    ...any.map((patterns, index) => [`when.any[${String(index)}]`, patterns, (rest: readonly Pattern[]) => withWhen(rule, { any: rest.length === 0 ? any.toSpliced(index, 1) : any.with(index, rest) })] as const),
    ['when.none', none, (patterns) => withWhen(rule, { none: patterns })],
    ['when.optional', optional, (patterns) => withWhen(rule, { optional: patterns })],
    ['when.unless', unless, (patterns) => withWhen(rule, { unless: patterns })],
    ['support', rule.says.length === 0 ? rule.support : rule.support.slice(0, -1), (support) => ({ ...rule, support: [...support, ...(rule.says.length === 0 ? [] : rule.support.slice(-1))] })],
  ];
  return parts.flatMap(([name, patterns, make]) => patterns.flatMap((pattern, index) => {
    const place = `${name}[${String(index)}]`;
    const whole = name === 'when.all' ? [] : [{ place, without: make(patterns.toSpliced(index, 1)) }];
    const tests = Object.entries(pattern.where).flatMap(([field, predicate]): readonly Clause[] => {
      if (pattern.fact === 'said' && field === 'rule') return [];
      const rest = withoutTest(predicate, () => isJoin(rule, pattern, field));
      if (rest === 'keep') return [];
      const { [field]: _, ...others } = pattern.where;
      void _;
      const where = rest === undefined ? others : { ...pattern.where, [field]: rest };
      return [{ place: `${place}.where.${field}`, without: make(patterns.with(index, { ...pattern, where })) }];
    });
    return [...whole, ...tests];
  }));
}

function withWhen(rule: Rule, when: Partial<When>): Rule {
  return { ...rule, when: { ...rule.when, ...when } };
}

/** The predicate without what it tests; undefined when nothing is left of it, `keep` when it tests nothing: it only gives the words a value. */
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
  const before = [...all, ...any.flat(), ...none, ...optional, ...unless, ...rule.support];
  return before.slice(0, before.indexOf(pattern)).some((other) => Object.values(other.where).some((each) => binds(each, predicate.name)));
}

function binds(predicate: Predicate, name: string): boolean {
  if (predicate.test === 'variable') return predicate.name === name;
  return predicate.test === 'checks' && predicate.checks.some((check) => (check.check === 'as' || check.check === 'maybe') && check.name === name);
}

/** One situation with what the rules find in it, so that one rule can be tried again by itself. */
class JudgedSituation {
  readonly about: string;
  readonly own: boolean;
  readonly #evidence: Evidence;
  readonly #index: FactIndex;
  readonly #kinds: ReadonlySet<string>;
  readonly #findings: readonly Finding[];
  readonly #signature: string;

  constructor({ about, evidence, own }: Situation, rules: readonly Rule[]) {
    this.about = about;
    this.own = own === true;
    this.#evidence = evidence;
    const facts = [...evidence.facts, ...hear(evidence, rules)];
    this.#index = new FactIndex(facts, evidence.gaps);
    this.#kinds = new Set(facts.map(({ kind }) => kind));
    this.#findings = judge(rules, this.#index).findings;
    this.#signature = this.#signatureOf(this.#findings);
  }

  /** Whether the diagnosis is another one when this stands in the rule's place. */
  changesWith(rule: Rule, other: Rule): boolean {
    const [first] = other.when.all;
    if (first !== undefined && !this.#kinds.has(first.fact)) return false;
    const own = this.#findings.filter((finding) => finding.rule === rule);
    const changed = judge([other], this.#index).findings;
    if (JSON.stringify(own.map(contentOf)) === JSON.stringify(changed.map(contentOf))) return false;
    return this.#signatureOf([...this.#findings.filter((finding) => finding.rule !== rule), ...changed]) !== this.#signature;
  }

  #signatureOf(findings: readonly Finding[]): string {
    const explanations = explain(findings, this.#evidence.facts);
    return JSON.stringify(toCauses(rank(findings, explanations, this.#evidence), explanations).map(({ rule, object, params, evidence, affected }) => [rule, object, params, evidence, affected]));
  }
}

function contentOf({ object, params, facts, support, affected }: Finding): unknown {
  return [formatRef(object), params, facts.map(({ source, quote, fields }) => [source, quote, fields]), support.map(({ source, quote }) => [source, quote]), affected.map(formatRef)];
}
