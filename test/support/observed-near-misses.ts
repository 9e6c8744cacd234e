import { fit } from '../../src/engine/bind-variables.ts';
import type { Bindings } from '../../src/engine/bind-variables.ts';
import type { Match } from '../../src/engine/match.ts';
import type { Fact, Scalar } from '../../src/model/fact.ts';
import { IMPLICIT_FIELDS } from '../../src/model/fact-kinds.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import { parseRef } from '../../src/model/kube-object.ts';
import type { Pattern, Rule } from '../../src/model/rule.ts';

/** A pattern of a rule, and what is left of it without one of its tests; nothing when all of it is taken away. */
export interface PatternClause {
  readonly pattern: Pattern;
  readonly rest: Pattern | undefined;
}

/** All facts that any situation has shown, by kind; those that say the same are kept once. */
export function observedFacts(facts: Iterable<Fact>): ReadonlyMap<string, readonly Fact[]> {
  const byKind = new Map<string, Map<string, Fact>>();
  for (const fact of facts) {
    const known = byKind.get(fact.kind) ?? new Map<string, Fact>();
    byKind.set(fact.kind, known.set(JSON.stringify([fact.about.kind, fact.fields]), fact));
  }
  return new Map([...byKind].map(([kind, known]) => [kind, [...known.values()]]));
}

/** More of them show nothing new. */
const MOST = 4;

/**
 * Facts that were seen in some situation, told of the objects of a match, which tell a clause: they fit the pattern without it and not
 * with it (where the whole pattern is the clause, they fit it).
 */
export function tellingFacts(
  { pattern, rest }: PatternClause,
  { bindings, facts }: Match,
  observed: ReadonlyMap<string, readonly Fact[]>,
): readonly Fact[] {
  const found: Fact[] = [];
  const others = rest === undefined ? bindings : othersInstead(pattern, rest, bindings);
  for (const fact of observed.get(pattern.fact) ?? []) {
    const told = toldOf(fact, pattern, others, facts);
    const fits = fit(pattern, told, bindings) !== undefined;
    if (rest === undefined ? fits : !fits && fit(rest, told, bindings) !== undefined) found.push(told);
    if (found.length === MOST) break;
  }
  return found;
}

/** What the clause joins has another name; what the rest joins has the match's. */
function othersInstead({ where }: Pattern, rest: Pattern, bindings: Bindings): Bindings {
  const names = Object.entries(where).flatMap(([field, predicate]) =>
    rest.where[field] === undefined && predicate.test === 'variable' && bindings[predicate.name] !== undefined ? [predicate.name] : [],
  );
  return { ...bindings, ...Object.fromEntries(names.map((name) => [name, anotherThan(bindings[name] ?? '')])) };
}

function anotherThan(value: Scalar): Scalar {
  return typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `other-${value}`;
}

/** The fact as if it had been seen of the objects that the match is about: what joins the pattern to the match has the match's values. */
function toldOf(fact: Fact, { where }: Pattern, bindings: Bindings, matched: readonly Fact[]): Fact {
  const joined = Object.entries(where).flatMap(([field, predicate]): readonly (readonly [string, Scalar])[] => {
    const value = predicate.test === 'variable' ? bindings[predicate.name] : undefined;
    return value === undefined ? [] : [[field, value]];
  });
  const fields = joined.filter(([field]) => Object.hasOwn(fact.fields, field) || !Object.hasOwn(IMPLICIT_FIELDS, field));
  const implied = Object.fromEntries(
    joined
      .filter(([field]) => !Object.hasOwn(fact.fields, field) && Object.hasOwn(IMPLICIT_FIELDS, field))
      .map(([field, value]) => [field, String(value)]),
  );
  const about = aboutOf(fact.about, implied, matched);
  const { workload: _, ...rest } = fact;
  void _;
  const workload =
    implied['workload'] === undefined ? matched.find((other) => sameName(other.about, about))?.workload : parseRef(implied['workload']);
  return { ...rest, about, ...(workload === undefined ? {} : { workload }), fields: { ...fact.fields, ...Object.fromEntries(fields) } };
}

function aboutOf(about: ObjectRef, { pod, name, namespace: named }: Readonly<Record<string, string>>, matched: readonly Fact[]): ObjectRef {
  const namespace = named ?? matched.find((fact) => fact.about.namespace !== undefined)?.about.namespace;
  const place = about.namespace === undefined || namespace === undefined ? {} : { namespace };
  if (pod !== undefined) return { kind: 'Pod', ...(namespace === undefined ? {} : { namespace }), name: pod };
  return { kind: about.kind, ...place, name: name ?? about.name };
}

function sameName(one: ObjectRef, other: ObjectRef): boolean {
  return one.kind === other.kind && one.name === other.name && one.namespace === other.namespace;
}

/** Patterns of the alternatives that another one stands in for. */
export function alternativesTo(pattern: Pattern, { when }: Rule): readonly Pattern[] {
  return when.any.some((patterns) => patterns.includes(pattern)) ? when.any.filter((patterns) => !patterns.includes(pattern)).flat() : [];
}
