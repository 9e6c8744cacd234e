import type { Cause, Finding, Quote } from '../model/diagnosis.ts';
import type { Fact } from '../model/fact.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';
import type { Explanations } from './explain.ts';
import { fill } from '../model/placeholders.ts';
import { fixSteps } from './fix-steps.ts';

/** Findings in their order as causes, with the rules' words filled in. */
export function toCauses(ranked: readonly Finding[], explanations: Explanations): readonly Cause[] {
  return ranked.map((finding, index) => toCause(finding, index + 1, explanations));
}

function toCause(finding: Finding, rank: number, explanations: Explanations): Cause {
  const { rule, params } = finding;
  const published =
    rule.params === undefined ? params : Object.fromEntries(Object.entries(params).filter(([name]) => rule.params?.includes(name)));
  const explained = [...(explanations.get(finding) ?? [])];
  return {
    rank,
    rule: rule.id,
    stage: rule.stage,
    ...(rule.kind === 'symptom' ? { symptom: true as const } : {}),
    title: titleOf(finding),
    object: plain(finding.object),
    ...(finding.workload === undefined ? {} : { workload: plain(finding.workload) }),
    params: published,
    what: fill(rule.what, params),
    why: fill(rule.why, params),
    fix: fixSteps(rule, params, { once: isOnce(finding) }),
    evidence: quotes(finding.facts, finding.support),
    ...(rule.playbook === undefined ? {} : { playbook: rule.playbook }),
    affected: withCallers(finding, explained),
    ...(finding.others === undefined ? {} : { others: finding.others.map(plain) }),
    explains: [...new Set(explained.map((other) => other.rule.id))].toSorted(),
    references: rule.references,
  };
}

/** What calls the workload at fault suffers, too. */
function withCallers({ affected, object }: Finding, explained: readonly Finding[]): readonly ObjectRef[] {
  const all = new Map([...affected, object].map((ref) => [formatRef(ref), ref]));
  const callers = explained.flatMap(({ workload }) => (workload === undefined || all.has(formatRef(workload)) ? [] : [plain(workload)]));
  return callers.length === 0 ? affected : [...affected, ...new Map(callers.map((ref) => [formatRef(ref), ref])).values()];
}

/** The rule's title; of a container that nothing starts again without the words that kubectl shows of restarts. */
export function titleOf(finding: Pick<Finding, 'rule' | 'facts'>): string {
  const { title } = finding.rule;
  const bare = isOnce(finding) ? title.replace(RESTARTS, '') : title;
  return bare.slice(0, 1).toUpperCase() + bare.slice(1);
}

const RESTARTS = /^(?:Init:)?CrashLoopBackOff: /;

function isOnce({ facts }: Pick<Finding, 'facts'>): boolean {
  return facts.some(({ fields }) => fields['once'] === true);
}

/** Each piece of evidence once, as its source has it. */
function quotes(facts: readonly Fact[], support: readonly Fact[]): readonly Quote[] {
  const seen = new Map<string, Quote>();
  for (const [index, { about, source, quote, at, count }] of [...facts, ...support].entries()) {
    const key = `${source}\n${quote}`;
    if (!seen.has(key))
      seen.set(key, {
        about: plain(about),
        source,
        quote,
        ...(at === undefined ? {} : { at }),
        ...(count === undefined ? {} : { count }),
        ...(index < facts.length ? {} : { support: true as const }),
      });
    if (seen.size >= EVIDENCE_LIMIT) break;
  }
  return [...seen.values()];
}

const EVIDENCE_LIMIT = 24;

function plain({ kind, namespace, name }: ObjectRef): ObjectRef {
  return { kind, ...(namespace === undefined ? {} : { namespace }), name };
}
