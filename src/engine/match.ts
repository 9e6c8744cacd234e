import { append } from '../base/lists.ts';
import type { Fact, Gap } from '../model/fact.ts';
import { ANYTHING } from '../model/fact.ts';
import { isReadWhole } from '../model/fact-kinds.ts';
import { formatRef, sameObject } from '../model/kube-object.ts';
import type { Pattern, Rule, When } from '../model/rule.ts';
import { factsSpokenIn } from '../model/spoken-fields.ts';
import type { FactIndex } from './fact-index.ts';
import type { Bindings } from './bind-variables.ts';
import { fit as fitFact } from './bind-variables.ts';

/** One way in which all of a rule's patterns fit, with the facts that fitted, in the order of the patterns. */
export interface Match {
  readonly bindings: Bindings;
  readonly facts: readonly Fact[];
}

/** What a rule says of the evidence: where it holds, and which gaps kept it from saying yes or no. */
export interface Matched {
  readonly matches: readonly Match[];
  readonly undecided: readonly Gap[];
}

/** More ways than this for one rule say nothing new; the limit keeps a greedy rule from running for ever. */
const MATCH_LIMIT = 20_000;

/**
 * Every way in which the rule's patterns hold, with the variables that are given bound already. Three-valued: what rests on a gap is
 * undecided, never false and never true.
 */
export function match(rule: Pick<Rule, 'when'>, index: FactIndex, given: Bindings = {}): Matched {
  const undecided = new Set<Gap>();
  let found: readonly Match[] = [{ bindings: given, facts: [] }];
  for (const pattern of rule.when.all) found = joined(pattern, found, index, undecided);
  if (rule.when.any.length > 0) found = found.flatMap((match) => alternative(rule.when.any, match, index, undecided));
  const matches = found.filter(
    (match) =>
      !rule.when.unless.some((pattern) => isSeen(pattern, match, index)) &&
      rule.when.none.every((pattern) => surelyNone(pattern, match, index, undecided)),
  );
  return { matches: matches.map((match) => extended(rule.when.optional, match, index)), undecided: [...undecided] };
}

/** Facts that fit one of the rule's supporting patterns under the match's bindings; of words, those about its own objects. */
export function supporting(rule: Rule, match: Match, index: FactIndex): readonly Fact[] {
  const facts: Fact[] = [];
  for (const pattern of rule.support) {
    for (const fact of index.candidates(pattern, match.bindings)) {
      const own = pattern.fact !== 'said' || match.facts.some(({ about }) => sameObject(about, fact.about));
      if (own && fit(pattern, fact, match) !== undefined && !match.facts.includes(fact)) facts.push(fact);
    }
  }
  return facts;
}

function joined(pattern: Pattern, matches: readonly Match[], index: FactIndex, undecided: Set<Gap>): readonly Match[] {
  const next: Match[] = [];
  for (const match of matches) {
    const before = next.length;
    for (const fact of index.candidates(pattern, match.bindings)) {
      const bindings = fit(pattern, fact, match);
      if (bindings !== undefined) next.push({ bindings, facts: [...match.facts, fact] });
      if (next.length >= MATCH_LIMIT) return next;
    }
    if (next.length === before) for (const gap of hiding(pattern, match, index)) undecided.add(gap);
  }
  return next;
}

/** The first alternative that fits wins, so that a match is told once; where nothing has matched before, the first for each object. */
function alternative(alternatives: When['any'], match: Match, index: FactIndex, undecided: Set<Gap>): readonly Match[] {
  const found: Match[] = [];
  const told = new Set<string>();
  for (const patterns of alternatives) {
    let fitted: readonly Match[] = [match];
    for (const pattern of patterns) fitted = joined(pattern, fitted, index, found.length === 0 ? undecided : new Set());
    const own = fitted.filter(({ facts }) => !told.has(aboutOf(facts)));
    append(found, own);
    if (match.facts.length > 0 && found.length > 0) return found;
    for (const { facts } of own) told.add(aboutOf(facts));
  }
  return found;
}

function aboutOf([first]: readonly Fact[]): string {
  return first === undefined ? '' : formatRef(first.about);
}

/** The match with the first fact that fits each optional pattern. */
function extended(patterns: readonly Pattern[], match: Match, index: FactIndex): Match {
  let { bindings } = match;
  const facts = [...match.facts];
  for (const pattern of patterns) {
    for (const fact of index.candidates(pattern, bindings)) {
      const more = fit(pattern, fact, { bindings, facts });
      if (more === undefined) continue;
      bindings = more;
      if (!facts.includes(fact)) facts.push(fact);
      break;
    }
  }
  return { bindings, facts };
}

function isSeen(pattern: Pattern, match: Match, index: FactIndex): boolean {
  return index.candidates(pattern, match.bindings).some((fact) => fit(pattern, fact, match) !== undefined);
}

/** Facts of one match are about one namespace, unless the pattern looks in all of them or names `namespace` itself. */
function fit(pattern: Pattern, fact: Fact, match: Match): Bindings | undefined {
  const { namespace } = fact.about;
  if (namespace !== undefined && pattern.scope === undefined && pattern.where['namespace'] === undefined) {
    const other = match.facts.find((earlier) => earlier.about.namespace !== undefined);
    if (other !== undefined && other.about.namespace !== namespace) return undefined;
  }
  return fitFact(pattern, fact, match.bindings);
}

function surelyNone(pattern: Pattern, match: Match, index: FactIndex, undecided: Set<Gap>): boolean {
  if (isSeen(pattern, match, index)) return false;
  const gaps = hiding(pattern, match, index);
  for (const gap of gaps) undecided.add(gap);
  return gaps.length === 0;
}

/**
 * Gaps that may hide a fact the pattern asks for: of the same kind, and about an object of the match or about nothing in
 * particular (a kind that could not be listed). Before anything has matched, every gap of the kind counts.
 */
function hiding(pattern: Pattern, match: Match, index: FactIndex): readonly Gap[] {
  const gaps =
    pattern.places === undefined ? index.gapsOf(pattern.fact) : factsSpokenIn(pattern.places).flatMap((kind) => index.gapsOf(kind));
  return gaps.filter((gap) => {
    if (match.facts.length === 0) return true;
    if (gap.about.name === ANYTHING) return !isKnown(pattern, gap, match, index);
    const bound = Object.values(match.bindings);
    return (
      bound.includes(gap.about.name) ||
      match.facts.some((fact) => sameObject(fact.about, gap.about) || (fact.workload !== undefined && sameObject(fact.workload, gap.about)))
    );
  });
}

/** A list that is not complete hides nothing of an object that was seen in it, nor of other namespaces. */
function isKnown(pattern: Pattern, gap: Gap, match: Match, index: FactIndex): boolean {
  const elsewhere = gap.about.namespace !== undefined && match.facts.every(({ about }) => about.namespace !== gap.about.namespace);
  return elsewhere || (isReadWhole(pattern.fact) && match.facts.some((fact) => index.isSeen(pattern.fact, fact.about)));
}
