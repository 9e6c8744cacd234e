import { parseRule } from '../../src/catalog/parse-rule.ts';
import { parseFrames } from '../../src/catalog/parse-frames.ts';
import type { Problem } from '../../src/catalog/yaml-problem.ts';
import { openYaml } from '../../src/catalog/yaml-cursor.ts';
import type { Fact, Gap, Scalar } from '../../src/model/fact.ts';
import type { FactKind } from '../../src/model/fact-kinds.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import type { Rule } from '../../src/model/rule.ts';

interface RuleWords {
  readonly id?: string;
  readonly kind?: 'cause' | 'symptom';
  readonly all: readonly unknown[];
  readonly any?: readonly unknown[];
  readonly none?: readonly unknown[];
  readonly explains?: readonly string[];
  readonly before?: readonly string[];
  readonly object?: string;
  readonly shared?: string;
  readonly what?: string;
  readonly run?: string;
}

/** A rule as the catalog would load it, with words that say nothing. */
export function rule({
  id = 'volumes/missing',
  kind = 'cause',
  all,
  any = [],
  none = [],
  explains = [],
  before = [],
  object,
  shared,
  what = 'What.',
  run,
}: RuleWords): Rule {
  const problems: Problem[] = [];
  const source = JSON.stringify({
    id,
    stage: id.split('/')[0],
    title: 'Title',
    kind,
    when: { all, any, none },
    ...(object === undefined ? {} : { object }),
    ...(shared === undefined ? {} : { shared }),
    what,
    why: 'Why.',
    fix: [{ say: 'Fix.', run }],
    explains,
    before,
  });
  const parsed = parseRule('rule.yaml', source, id, problems);
  if (parsed === undefined) throw new Error(JSON.stringify(problems));
  return parsed;
}

interface SpokenRuleWords {
  readonly id?: string;
  readonly says: readonly unknown[];
  readonly frames?: readonly unknown[];
  readonly when?: unknown;
  readonly what?: string;
}

/** A rule with wordings, as the catalog would load it beside these frames. */
export function spokenRule({ id = 'volumes/missing', says, frames = [], when, what = 'What.' }: SpokenRuleWords): Rule {
  const problems: Problem[] = [];
  const source = JSON.stringify({ id, stage: id.split('/')[0], title: 'Title', says, when, what, why: 'Why.', fix: [{ say: 'Fix.' }] });
  const around = { frames: parseFrames(openYaml('_frames.yaml', JSON.stringify(frames), problems)), spoken: new Map() };
  const parsed = parseRule('rule.yaml', source, id, problems, around);
  if (parsed === undefined) throw new Error(JSON.stringify(problems));
  return parsed;
}

export function problemsOf(source: string, id = 'volumes/missing'): readonly Problem[] {
  const problems: Problem[] = [];
  parseRule('rule.yaml', source, id, problems);
  return problems;
}

export function fact(kind: FactKind, about: ObjectRef, fields: Readonly<Record<string, Scalar>>, workload?: ObjectRef): Fact {
  return {
    kind,
    about,
    ...(workload === undefined ? {} : { workload }),
    fields,
    source: `${about.kind} ${about.name}`,
    quote: `${kind} ${JSON.stringify(fields)}`,
  };
}

export function pod(name: string, namespace = 'shop'): ObjectRef {
  return { kind: 'Pod', namespace, name };
}

export function reference(name: string, fields: Readonly<Record<string, Scalar>>): Fact {
  return fact('reference', pod(name), fields);
}

export function event(name: string, fields: Readonly<Record<string, Scalar>>, namespace = 'shop'): Fact {
  return fact('event', pod(name, namespace), fields);
}

export function gap(kind: FactKind, name: string): Gap {
  return { kind, about: pod(name), reason: 'forbidden', needs: 'list events in shop' };
}
