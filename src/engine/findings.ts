import { isWorkloadKind } from '../model/workload-kinds.ts';
import { append } from '../base/lists.ts';
import type { Finding } from '../model/diagnosis.ts';
import type { Fact, Gap, Scalar } from '../model/fact.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';
import { resourceOfKind } from '../model/resources.ts';
import type { Rule } from '../model/rule.ts';
import type { FactIndex } from './fact-index.ts';
import { BELONGS_TO, EARLIER_REVISION, HELD_POD, INIT_CONTAINER } from './fix-steps.ts';
import type { Match } from './match.ts';
import { match, supporting } from './match.ts';
import { fill, variablesOf } from '../model/placeholders.ts';

/** What the rules say of the evidence: findings, and the rules that a gap kept undecided. */
export interface Judged {
  readonly findings: readonly Finding[];
  readonly undecided: readonly { readonly rule: Rule; readonly gaps: readonly Gap[] }[];
}

export function judge(rules: readonly Rule[], index: FactIndex): Judged {
  const findings: Finding[] = [];
  const undecided: { rule: Rule; gaps: readonly Gap[] }[] = [];
  for (const rule of rules) {
    const matched = match(rule, index);
    append(findings, grouped(rule, matched.matches, index));
    if (matched.undecided.length > 0) undecided.push({ rule, gaps: matched.undecided });
  }
  return { findings, undecided };
}

/** Matches that are about one object are one finding, told once, with all that it affects. */
function grouped(rule: Rule, matches: readonly Match[], index: FactIndex): readonly Finding[] {
  const groups = new Map<string, { object: ObjectRef; matches: Match[] }>();
  for (const one of matches) {
    const object = objectOf(rule, one);
    const key = formatRef(object);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { object, matches: [one] });
    else group.matches.push(one);
  }
  return [...groups.values()].map((group) => toFinding(rule, group.object, group.matches, index));
}

function toFinding(rule: Rule, object: ObjectRef, matches: readonly Match[], index: FactIndex): Finding {
  const first = latestOf(matches);
  const facts = unique(matches.flatMap((one) => one.facts));
  const affected = affectedBy(facts, object);
  const workloads = affected.filter(({ kind }) => kind !== object.kind && isWorkloadKind(kind));
  const workload = isWorkloadKind(object.kind) ? object : workloads.length === 1 ? workloads[0] : undefined;
  return {
    rule,
    object,
    ...(workload === undefined ? {} : { workload }),
    params:
      first === undefined
        ? {}
        : { ...valuesOfMatch(first, object), ...earlierRevision(workload, index), ...ofItsPod(first, workload, index) },
    facts,
    support: unique(matches.slice(0, SUPPORTED_MATCHES).flatMap((one) => supporting(rule, one, index))),
    affected,
  };
}

/** The match that is told: of what events say of one object, what they say now, unless they only say that something takes long. */
function latestOf([first, ...more]: readonly Match[]): Match | undefined {
  let latest = first;
  for (const one of more) if (isLater(one.facts[0], latest?.facts[0])) latest = one;
  return latest;
}

function isLater(fact: Fact | undefined, than: Fact | undefined): boolean {
  return (
    fact?.fields['in'] === 'event' &&
    than?.fields['in'] === 'event' &&
    formatRef(fact.about) === formatRef(than.about) &&
    (fact.fields['vague'] === than.fields['vague'] ? (fact.at ?? 0) > (than.at ?? 0) : than.fields['vague'] === true)
  );
}

/** What the workload may be rolled back to, if that is known. */
function earlierRevision(workload: ObjectRef | undefined, index: FactIndex): Readonly<Record<string, Scalar>> {
  const revision =
    workload === undefined
      ? undefined
      : index.about('workload', workload).find(({ fields }) => fields[EARLIER_REVISION] !== undefined)?.fields[EARLIER_REVISION];
  return revision === undefined ? {} : { [EARLIER_REVISION]: revision };
}

/** How the pod that is told has its container, whether its controller waits for it, and what writes the controller. */
function ofItsPod(
  { facts, bindings: { container } }: Match,
  workload: ObjectRef | undefined,
  index: FactIndex,
): Readonly<Record<string, Scalar>> {
  const pod = facts.find(({ about }) => about.kind === 'Pod')?.about;
  const whole = whatItBelongsTo(workload ?? pod, index);
  const managed = whole === undefined ? {} : { [BELONGS_TO]: whole };
  if (pod === undefined) return managed;
  const role = index.about('container', pod).find(({ fields }) => fields['container'] === container)?.fields['role'];
  const held = index.about('pod', pod)[0]?.fields['held'];
  return {
    ...managed,
    ...(role === 'init' || role === 'sidecar' ? { [INIT_CONTAINER]: true } : {}),
    ...(held === undefined ? {} : { [HELD_POD]: held }),
  };
}

function whatItBelongsTo(object: ObjectRef | undefined, index: FactIndex): Scalar | undefined {
  return object === undefined ? undefined : index.about(object.kind === 'Pod' ? 'pod' : 'workload', object)[0]?.fields[BELONGS_TO];
}

/** Support is for quoting: what the first few matches have is enough. */
const SUPPORTED_MATCHES = 5;

/** No kinds of the API: they stand for what is outside of every namespace. */
const UNSCOPED: ReadonlySet<string> = new Set(['Cluster', 'User']);

/**
 * The object at fault: what the rule's template names, where it is known; else the workload of what the first fact is about; else that
 * itself.
 */
function objectOf(rule: Rule, one: Match): ObjectRef {
  const first = one.facts[0];
  const about =
    first === undefined ? { kind: 'Cluster', name: 'cluster' } : first.about.kind === 'Pod' ? (first.workload ?? first.about) : first.about;
  const named = rule.object === undefined ? undefined : fillFirst(rule.object, valuesOfMatch(one, about));
  if (named === undefined) return about;
  const [kind = '', second = '', third] = named.split('/');
  if (third !== undefined) return { kind, namespace: second, name: third };
  const namespace = namespaceOf(one);
  return UNSCOPED.has(kind) || resourceOfKind(kind)?.namespaced === false || namespace === undefined
    ? { kind, name: second }
    : { kind, namespace, name: second };
}

/** What is called so where nothing names it: a text alone is about a pod, and an answer about what was sent. */
const UNNAMED: Readonly<Record<string, string>> = { Text: 'the pod', Cluster: 'the object' };

/** Alternatives stand with ` | ` between them: the first whose variables all have a value, if there is one. */
function fillFirst(template: string, values: Readonly<Record<string, Scalar>>): string | undefined {
  const known = template.split(' | ').find((alternative) => variablesOf(alternative).every((name) => Object.hasOwn(values, name)));
  return known === undefined ? undefined : fill(known, values);
}

function valuesOfMatch(one: Match, object: ObjectRef): Readonly<Record<string, Scalar>> {
  const namespace = namespaceOf(one);
  const pod = one.facts.find((fact) => fact.about.kind === 'Pod')?.about.name;
  const owner = one.facts.find((fact) => fact.workload !== undefined)?.workload ?? one.facts[0]?.about ?? object;
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(pod === undefined ? {} : { pod }),
    ...one.bindings,
    workload: UNNAMED[owner.kind] ?? `${owner.kind}/${owner.name}`,
  };
}

function namespaceOf(one: Match): string | undefined {
  return one.facts.find((fact) => fact.about.namespace !== undefined)?.about.namespace;
}

function affectedBy(facts: readonly Fact[], object: ObjectRef): readonly ObjectRef[] {
  const affected = new Map<string, ObjectRef>();
  for (const fact of facts) {
    for (const ref of [fact.workload, fact.about]) {
      if (ref === undefined) continue;
      const key = formatRef(ref);
      if (key !== formatRef(object) && !affected.has(key))
        affected.set(key, { kind: ref.kind, ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }), name: ref.name });
    }
  }
  return [...affected.values()].toSorted((a, b) => (formatRef(a) < formatRef(b) ? -1 : 1));
}

function unique(facts: readonly Fact[]): readonly Fact[] {
  return [...new Set(facts)];
}
