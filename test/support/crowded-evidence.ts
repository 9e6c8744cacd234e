import type { Evidence } from '../../src/model/diagnosis.ts';
import type { Fact, Scalar } from '../../src/model/fact.ts';
import { fieldSpec } from '../../src/model/fact-kinds.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import type { Rule } from '../../src/model/rule.ts';

/**
 * The same evidence in a cluster where more is going on: the same trouble once more under other names, and in each pod a second
 * container that writes and listens as the first one does, but has no trouble of its own.
 */
export function crowdedEvidence(evidence: Evidence, rule: Rule): Evidence {
  const rename = renaming(evidence);
  const judged = new Set([...rule.when.all, ...rule.when.any.flat()].map(({ fact }) => fact));
  const twins = evidence.facts.map((fact) => renamed(fact, rename));
  const seconds = evidence.facts.flatMap((fact) =>
    judged.has(fact.kind) || fact.fields['container'] === undefined ? [] : [inSecondContainer(fact)],
  );
  return {
    ...evidence,
    facts: [...evidence.facts, ...twins, ...seconds],
    gaps: [...evidence.gaps, ...evidence.gaps.map((gap) => ({ ...gap, about: refRenamed(gap.about, rename) }))],
    targets: [
      ...evidence.targets,
      ...evidence.targets.map((target) => ({
        ...target,
        ref: refRenamed(target.ref, rename),
        members: target.members.map((member) => refRenamed(member, rename)),
      })),
    ],
  };
}

/** What has a name of its own; the rest stands for the cluster or for words. */
const NAMELESS: ReadonlySet<string> = new Set(['Namespace', 'Cluster', 'Text', 'User', 'Any']);

function renaming({ facts }: Evidence): (text: string) => string {
  const names = new Set(
    facts
      .flatMap(({ about, workload }) => [about, ...(workload === undefined ? [] : [workload])])
      .flatMap(({ kind, name }) => (NAMELESS.has(kind) || name.length < 2 ? [] : [name])),
  );
  if (names.size === 0) return (text) => text;
  const longestFirst = [...names]
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`(?<![A-Za-z0-9-])(?:${longestFirst.join('|')})(?![A-Za-z0-9])`, 'g');
  return (text) => text.replace(pattern, 'twin-$&').replace(/\b10\.(\d+)\.(\d+)\.(\d+)\b/g, '10.$1.1$2.$3');
}

function renamed(fact: Fact, rename: (text: string) => string): Fact {
  const fields = Object.entries(fact.fields).map(([name, value]): readonly [string, Scalar] => [
    name,
    typeof value !== 'string' || isMachineWord(fact, name) ? value : rename(value),
  ]);
  return {
    ...fact,
    about: refRenamed(fact.about, rename),
    ...(fact.workload === undefined ? {} : { workload: refRenamed(fact.workload, rename) }),
    fields: Object.fromEntries(fields),
    source: rename(fact.source),
    quote: rename(fact.quote),
  };
}

function isMachineWord({ kind }: Fact, field: string): boolean {
  return field === 'reason' || field === 'component' || fieldSpec(kind, field)?.oneOf !== undefined;
}

function refRenamed(ref: ObjectRef, rename: (text: string) => string): ObjectRef {
  return NAMELESS.has(ref.kind) ? ref : { ...ref, name: rename(ref.name) };
}

function inSecondContainer(fact: Fact): Fact {
  const container = `second-${String(fact.fields['container'])}`;
  return { ...fact, fields: { ...fact.fields, container }, source: `${fact.source}, container ${container}` };
}
