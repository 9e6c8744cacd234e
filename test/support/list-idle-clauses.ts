import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { loadRules } from '../../src/catalog/load-rules.ts';
import { loadScenarios } from '../../src/catalog/load-scenarios.ts';
import type { Evidence } from '../../src/model/diagnosis.ts';
import type { Rule } from '../../src/model/rule.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { ruleOfScenario } from '../../src/model/scenario.ts';
import type { Situation } from './idle-clauses.ts';
import { blindSituations, crowdedSituations, idleClauses, ruleSituations } from './idle-clauses.ts';
import { evidenceFrom, played, targetOf } from './scenario-runs.ts';

/**
 * Prints the clauses of the rules that no situation needs; `wanted` narrows them to ids that begin with it. Played scenarios are kept in
 * `cache` by what they were made of.
 */
export async function listIdleClauses(wanted: string, cache: string, program: string): Promise<readonly string[]> {
  const [{ rules }, { scenarios }] = await Promise.all([loadRules('rules'), loadScenarios('rules')]);
  mkdirSync(cache, { recursive: true });
  const made = createHash('sha256').update(program).digest('hex');
  const situations: Situation[] = [];
  for (const scenario of scenarios)
    situations.push({ about: ruleOfScenario(scenario.id), evidence: await evidenceOf(scenario, rules, cache, made) });
  situations.push(...(await ruleSituations(rules)));
  const asked = rules.filter(({ id }) => id.startsWith(wanted));
  return idleClauses(
    rules,
    [...situations, ...situations.flatMap((situation) => blindSituations(situation, rules)), ...crowdedSituations(situations)],
    asked,
  );
}

async function evidenceOf(scenario: Scenario, rules: readonly Rule[], cache: string, made: string): Promise<Evidence> {
  const file = join(cache, createHash('sha256').update(made).update(JSON.stringify(scenario)).digest('hex'));
  try {
    return deserialize(readFileSync(file)) as Evidence;
  } catch {
    const evidence = await evidenceFrom(played(scenario), targetOf(scenario.expect), rules, scenario.expect?.scan);
    writeFileSync(file, serialize(evidence));
    return evidence;
  }
}
