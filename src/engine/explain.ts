import type { Finding } from '../model/diagnosis.ts';
import type { Fact } from '../model/fact.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';
import { stageOrder } from '../model/stage.ts';

/** For each finding, the findings it accounts for: same objects (or objects that depend on its own), and further down the way. */
export type Explanations = ReadonlyMap<Finding, ReadonlySet<Finding>>;

export function explain(findings: readonly Finding[], facts: readonly Fact[]): Explanations {
  const touched = new Map(findings.map((finding) => [finding, objectsOf(finding)] as const));
  const dependents = dependentsOf(facts);
  const byObject = findingsByObject(touched);
  const callers = callersOf(facts);
  const explanations = new Map<Finding, Set<Finding>>();
  for (const cause of findings) {
    const explained = new Set<Finding>();
    for (const other of nearFindings(touched.get(cause), byObject, dependents)) {
      if (other === cause || !mayExplain(cause, other)) continue;
      const [own, others] = [touched.get(cause), touched.get(other)];
      const reach = names(cause, other) || stageOrder(cause.rule.stage) < stageOrder('traffic') ? dependents : NOBODY;
      const mayBeOf = !isElsewhere(cause, other) || names(cause, other);
      const isExplained = shareObjects(own, others, NOBODY)
        ? mayBeOf
        : (mayBeOf || isCaller(other, others, callers)) && shareObjects(own, others, reach);
      if (isExplained) explained.add(other);
    }
    explanations.set(cause, explained);
  }
  return explanations;
}

function findingsByObject(touched: ReadonlyMap<Finding, ReadonlySet<string>>): ReadonlyMap<string, readonly Finding[]> {
  const byObject = new Map<string, Finding[]>();
  for (const [finding, keys] of touched) {
    for (const key of keys) {
      const list = byObject.get(key);
      if (list === undefined) byObject.set(key, [finding]);
      else list.push(finding);
    }
  }
  return byObject;
}

/** Findings that can have to do with these objects at all: thousands of findings are not compared with each other. */
function nearFindings(
  keys: ReadonlySet<string> | undefined,
  byObject: ReadonlyMap<string, readonly Finding[]>,
  dependents: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<Finding> {
  const near = new Set<Finding>();
  for (const key of keys ?? []) {
    for (const reached of [key, ...(dependents.get(key) ?? [])]) for (const finding of byObject.get(reached) ?? []) near.add(finding);
  }
  return near;
}

/**
 * A server that does not run or has no address breaks its callers' start; trouble on the way to it (traffic) breaks only what its rule
 * names.
 */
const NOBODY: ReadonlyMap<string, ReadonlySet<string>> = new Map();

/**
 * A rule explains what it names; any cause explains a symptom; nothing explains what explains it in turn by name.
 */
function mayExplain(cause: Finding, other: Finding): boolean {
  if (names(cause, other)) return !names(other, cause) || cause.rule.id < other.rule.id;
  return cause.rule.kind === 'cause' && other.rule.kind === 'symptom' && !names(other, cause);
}

/** Whether each of them is about one container, and not the same: of one pod, each then has a fault of its own. */
export function isElsewhere({ params: { container } }: Finding, { params: { container: other } }: Finding): boolean {
  return container !== undefined && other !== undefined && container !== other;
}

/** Containers that were seen to call a Service, by the keys of their workload and pod. What only their configuration names is not. */
function callersOf(facts: readonly Fact[]): ReadonlySet<string> {
  const calls = facts.filter(({ kind, fields }) => kind === 'dependency' && fields['called'] === true);
  return new Set(
    calls.flatMap(({ about, workload, fields }) =>
      [about, ...(workload === undefined ? [] : [workload])].map((ref) => `${formatRef(ref)} ${String(fields['container'])}`),
    ),
  );
}

function isCaller({ params: { container } }: Finding, keys: ReadonlySet<string> | undefined, callers: ReadonlySet<string>): boolean {
  return container !== undefined && [...(keys ?? [])].some((key) => callers.has(`${key} ${String(container)}`));
}

function names(cause: Finding, other: Finding): boolean {
  return isNamed(other, cause.rule.explains);
}

/** Whether ids of rules name this one: by its own, by `<stage>/*` or by `*`. */
export function isNamed({ rule }: Finding, ids: readonly string[]): boolean {
  return ids.some((id) => id === rule.id || (id.endsWith('/*') && rule.id.startsWith(id.slice(0, -1))) || id === '*');
}

/** The object at fault, what it affects and the workload: two findings that share one of these are about the same trouble. */
function objectsOf(finding: Finding): ReadonlySet<string> {
  const refs = [finding.object, ...finding.affected, ...(finding.workload === undefined ? [] : [finding.workload])];
  return new Set(refs.filter(({ kind }) => !SHARED_BY_ALL.has(kind)).map(formatRef));
}

/** Objects that many unrelated workloads have in common: sharing one of these does not make two findings one. */
const SHARED_BY_ALL: ReadonlySet<string> = new Set(['Namespace', 'StorageClass']);

function shareObjects(
  cause: ReadonlySet<string> | undefined,
  other: ReadonlySet<string> | undefined,
  dependents: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  if (cause === undefined || other === undefined) return false;
  for (const key of cause) {
    if (other.has(key)) return true;
    for (const dependent of dependents.get(key) ?? []) if (other.has(dependent)) return true;
  }
  return false;
}

/** Who suffers when an object does not work: a Service from its backends (`backend`), callers from Services (`dependency`), to the end. */
function dependentsOf(facts: readonly Fact[]): ReadonlyMap<string, ReadonlySet<string>> {
  const direct = new Map<string, Set<string>>();
  const suffers = (on: string, dependent: ObjectRef): void => {
    const set = direct.get(on) ?? new Set<string>();
    set.add(formatRef(dependent));
    direct.set(on, set);
  };
  for (const fact of facts) {
    const { on, service } = fact.fields;
    const { namespace } = fact.about;
    if (fact.kind === 'dependency' && typeof on === 'string') suffers(on, fact.workload ?? fact.about);
    if (fact.kind === 'backend' && typeof service === 'string')
      suffers(formatRef(fact.workload ?? fact.about), {
        kind: 'Service',
        ...(namespace === undefined ? {} : { namespace }),
        name: service,
      });
  }
  const all = new Map<string, ReadonlySet<string>>();
  for (const key of direct.keys()) all.set(key, reachable(key, direct));
  return all;
}

function reachable(from: string, edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const seen = new Set<string>();
  const pending = [from];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const to of edges.get(next) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      pending.push(to);
    }
  }
  return seen;
}
