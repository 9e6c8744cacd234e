import type { Examination } from '../library/examine.ts';
import { examine, examined, requestAbout } from '../library/examine.ts';
import type { ClusterReader } from '../model/cluster-reader.ts';
import type { Diagnosis, Evidence, Outcome } from '../model/diagnosis.ts';
import type { Fact, Gap } from '../model/fact.ts';
import { ANYTHING, isUnread } from '../model/fact.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { sameObject } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';

/** What was seen of the target, at one moment. */
export interface Sight {
  readonly evidence: Evidence;
  readonly diagnosis: Diagnosis;
}

/** Looks at a target: each time anew, with what people have pasted so far beside it. */
export class Looker {
  readonly #reader: ClusterReader;
  readonly #rules: readonly Rule[];
  readonly #pasted: Evidence[] = [];

  constructor(reader: ClusterReader, rules: readonly Rule[]) {
    this.#reader = reader;
    this.#rules = rules;
  }

  async look(target: ObjectRef): Promise<Sight> {
    const scope = scopeOf(target);
    let { evidence } = await examine(this.#reader, this.#rules, scope ?? requestAbout(target));
    for (const pasted of this.#pasted) evidence = withPasted(evidence, pasted);
    const seen = examined(evidence, this.#rules, scope);
    return { evidence, diagnosis: scope === undefined ? seen.diagnosisOf(target) : diagnosisOfScope(seen, target) };
  }

  /** Something was done since: what was pasted before may no longer be so. */
  forgetPasted(): void {
    this.#pasted.length = 0;
  }

  /** Takes what somebody pasted as evidence, until something is changed. */
  async take(pasted: ClusterReader): Promise<readonly Fact[]> {
    const { evidence } = await examine(pasted, this.#rules, {});
    this.#pasted.push(evidence);
    return evidence.facts;
  }
}

/** A whole namespace or cluster as a target: what a playbook about a quota or the control plane is run for. */
export function scopeOf(target: ObjectRef): { readonly namespace?: string } | undefined {
  if (target.kind === 'Cluster') return {};
  return target.kind === 'Namespace' ? { namespace: target.name } : undefined;
}

function diagnosisOfScope(seen: Examination, target: ObjectRef): Diagnosis {
  const { at, causes, counts, gaps } = seen.scan();
  const unread = gaps.some(isUnread);
  const outcome: Outcome =
    causes.length > 0
      ? 'explained'
      : unread
        ? 'inconclusive'
        : counts.unhealthy > 0 || counts.unexplained > 0
          ? 'unexplained'
          : counts.unknown > 0
            ? 'inconclusive'
            : 'healthy';
  const state = outcome === 'healthy' ? 'healthy' : counts.unhealthy > 0 ? 'unhealthy' : 'unknown';
  return { target, at, outcome, state, stages: [], causes, gaps };
}

/** What was pasted fills gaps about the same things, and is believed beside what was read. */
function withPasted(seen: Evidence, pasted: Evidence): Evidence {
  const covers = (gap: Gap): boolean =>
    pasted.facts.some(({ kind, about }) => (isUnread(gap) ? isOf(about, gap) : kind === gap.kind && sameObject(about, gap.about)));
  return { ...seen, facts: [...seen.facts, ...pasted.facts], gaps: seen.gaps.filter((gap) => !covers(gap)) };
}

function isOf(object: ObjectRef, { about }: Gap): boolean {
  return about.name === ANYTHING
    ? object.kind === about.kind && (about.namespace === undefined || object.namespace === about.namespace)
    : sameObject(object, about);
}
