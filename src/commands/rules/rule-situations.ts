import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PodcheckError } from '../../base/errors.ts';
import { loadScenarios } from '../../catalog/load-scenarios.ts';
import { problemLines } from '../../catalog/yaml-problem.ts';
import { scanScope } from '../../library/diagnose-target.ts';
import { examine, requestAbout } from '../../library/examine.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import { formatRef } from '../../model/kube-object.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import type { Rule } from '../../model/rule.ts';
import type { Scenario } from '../../model/scenario.ts';
import { isNearMiss, ruleOfScenario } from '../../model/scenario.ts';
import type { Cluster } from '../../simulator/index.ts';
import { cureScenario, playScenario } from '../../simulator/index.ts';
import type { CommandContext } from '../context.ts';
import { openEvidence } from '../diagnose/open-evidence.ts';

/** A situation that shows what a rule is: a pasted text, or a scenario that is played. */
export interface RuleSituation {
  readonly rule: string;
  /** `match`: the rule must be the first cause. `near`: it must not be a cause. */
  readonly kind: 'match' | 'near';
  /** The file, or the id of a bundled scenario. */
  readonly name: string;
  readonly source: { readonly text: string } | { readonly scenario: Scenario };
}

/**
 * The situations beside the rules of a folder: `<rule>.match….txt` and `<rule>.near-<why>.txt` (anything `--from` reads),
 * `<rule>.scenario.yaml`, `<rule>.match-<how>.yaml` and `<rule>.near-<why>.yaml`. An invalid scenario is an error with every problem's
 * file, line and column.
 */
export async function situationsIn(
  folder: string,
  ids: readonly string[],
  which: 'all' | 'texts' = 'all',
): Promise<readonly RuleSituation[]> {
  const files = (await readdir(folder, { recursive: true })).map((file) => file.split('\\').join('/')).toSorted();
  const texts = ids.flatMap((id) =>
    files.flatMap((file): readonly RuleSituation[] => {
      const kind = file.startsWith(`${id}.`) ? /^(match|near)(?:[.-][^/]*)?\.txt$/.exec(file.slice(id.length + 1))?.[1] : undefined;
      return kind === 'match' || kind === 'near' ? [{ rule: id, kind, name: file, source: { text: join(folder, file) } }] : [];
    }),
  );
  if (which === 'texts') return texts;
  const { scenarios, problems } = await loadScenarios(folder, (scenario) => ids.includes(ruleOfScenario(scenario)));
  if (problems.length > 0)
    throw new PodcheckError(
      'bad-input',
      ['scenarios are invalid:', ...problemLines(problems)].join('\n'),
      'see a valid one with `podcheck sim show volumes/configmap-not-found`',
    );
  return [
    ...texts,
    ...scenarios.map((scenario) =>
      played(scenario, `${scenario.id}${scenario.id === ruleOfScenario(scenario.id) ? '.scenario' : ''}.yaml`),
    ),
  ];
}

export function played(scenario: Scenario, name = scenario.id): RuleSituation {
  return { rule: ruleOfScenario(scenario.id), kind: isNearMiss(scenario.id) ? 'near' : 'match', name, source: { scenario } };
}

/** How the result differs from what is expected; undefined when it does not. */
export async function failureOf(situation: RuleSituation, rules: readonly Rule[], context: CommandContext): Promise<string | undefined> {
  const { source } = situation;
  if ('scenario' in source) return scenarioFailure(situation, source.scenario, rules);
  const { reader } = await openEvidence({ from: [source.text] }, context, { looseTexts: true, rules });
  const named = (await scanScope(reader, rules)).causes.map((cause) => cause.rule);
  return causeFailure(situation, named);
}

function causeFailure({ kind, rule }: RuleSituation, named: readonly string[]): string | undefined {
  if (kind === 'match') return named[0] === rule ? undefined : `expected ${rule} as the first cause, got ${named[0] ?? 'none'}`;
  return named.includes(rule) ? `${rule} must not be a cause, but is` : undefined;
}

async function scenarioFailure(situation: RuleSituation, scenario: Scenario, rules: readonly Rule[]): Promise<string | undefined> {
  const { expect } = scenario;
  if (expect?.target === undefined) return '"expect" is missing: { outcome, target, cause, object, also }';
  const { cluster } = playScenario(scenario, { seed: 1 });
  const found = await diagnosisOf(cluster, expect.target, rules, expect.scan);
  const wrong =
    causeFailure(
      situation,
      found.causes.map(({ rule }) => rule),
    ) ?? expectationFailure(expect, found);
  if (wrong !== undefined || scenario.cure.length === 0) return wrong;
  cureScenario(cluster, scenario);
  return cureFailure(cluster, scenario, expect.target, rules);
}

function expectationFailure({ outcome, cause, object, also }: NonNullable<Scenario['expect']>, found: Diagnosis): string | undefined {
  const [first, ...others] = found.causes;
  const got = `${found.outcome}${first === undefined ? '' : `: ${first.rule} at ${formatRef(first.object)}`}`;
  if (found.outcome !== outcome || first?.rule !== cause)
    return `expected ${outcome}${cause === undefined ? '' : `: ${cause}`}, got ${got}`;
  if (object !== undefined && first !== undefined && formatRef(first.object) !== formatRef(object))
    return `expected ${formatRef(object)} as the object, got ${formatRef(first.object)}`;
  const besides = [...new Set(others.map(({ rule }) => rule))].toSorted();
  return besides.join() === [...also].toSorted().join() ? undefined : `expected also: [${also.join(', ')}], got [${besides.join(', ')}]`;
}

async function cureFailure(cluster: Cluster, { cured }: Scenario, target: ObjectRef, rules: readonly Rule[]): Promise<string | undefined> {
  if (cured === 'gone' || cured === 'there') {
    const read = await cluster.reader().get(target);
    return read.ok === (cured === 'there') ? undefined : `after the cure ${formatRef(target)} is ${read.ok ? 'still there' : 'gone'}`;
  }
  const { outcome, causes } = await diagnosisOf(cluster, cured ?? target, rules);
  return outcome === 'healthy' ? undefined : `after the cure ${formatRef(cured ?? target)} is not healthy: ${causes[0]?.rule ?? outcome}`;
}

async function diagnosisOf(
  cluster: Cluster,
  target: ObjectRef,
  rules: readonly Rule[],
  wide?: 'namespace' | 'cluster',
): Promise<Diagnosis> {
  return (await examine(cluster.reader(), rules, requestAbout(target, wide))).diagnosisOf(target);
}
