import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { assert } from '../base/assert.ts';
import { once } from '../base/once.ts';
import type { Drill } from '../model/drill.ts';
import type { FactKind } from '../model/fact-kinds.ts';
import { FACT_KINDS } from '../model/fact-kinds.ts';
import type { FactKindSpec } from '../model/fact-kinds/spec.ts';
import type { Playbook } from '../model/playbook.ts';
import type { Rule } from '../model/rule.ts';
import type { Scenario } from '../model/scenario.ts';
import { loadDrills } from './load-drills.ts';
import { loadPlaybooks } from './load-playbooks.ts';
import { loadRules } from './load-rules.ts';
import { loadScenarios } from './load-scenarios.ts';

// The build puts the same as data into the bundle instead of this file: the published program reads no YAML to start. Here each folder is
// read once.

const RULES = fileURLToPath(new URL('../../rules', import.meta.url));
const PLAYBOOKS = fileURLToPath(new URL('../../playbooks', import.meta.url));
const DRILLS = fileURLToPath(new URL('../../playbooks/drills', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('examples', import.meta.url));

/** The rules podcheck comes with, in order of their ids. */
export const shippedRules = once(async (): Promise<readonly Rule[]> => {
  const { rules, problems } = await loadRules(RULES, { playbooks: (await shippedPlaybooks()).map(({ name }) => name) });
  const [problem] = problems;
  assert(
    problem === undefined,
    problem === undefined ? '' : `a bundled rule is invalid: ${problem.file}:${problem.line}: ${problem.message}`,
  );
  return rules;
});

/** The kinds of facts with what they and their fields say, which the published program has in the schema of rules alone. */
export async function shippedFactKinds(): Promise<Readonly<Record<FactKind, FactKindSpec>>> {
  return Promise.resolve(FACT_KINDS);
}

/** The playbooks podcheck comes with, in order of their names. */
export const shippedPlaybooks = once(async (): Promise<readonly Playbook[]> => {
  const { playbooks, problems } = await loadPlaybooks(PLAYBOOKS);
  const [problem] = problems;
  assert(
    problem === undefined,
    problem === undefined ? '' : `a bundled playbook is invalid: ${problem.file}:${problem.line}: ${problem.message}`,
  );
  return playbooks;
});

/** The scenarios podcheck comes with, in order of their ids. */
export const shippedScenarios = once(async (): Promise<readonly Scenario[]> => {
  const { scenarios, problems } = await loadScenarios(RULES);
  const [problem] = problems;
  assert(
    problem === undefined,
    problem === undefined ? '' : `a bundled scenario is invalid: ${problem.file}:${problem.line}: ${problem.message}`,
  );
  return scenarios;
});

/** One of them by its id: the published program reads no other. */
export async function shippedScenario(id: string): Promise<Scenario | undefined> {
  return (await shippedScenarios()).find((scenario) => scenario.id === id);
}

/** The written drills podcheck comes with, in order of their ids; every scenario that goes wrong is one besides. */
export const shippedDrills = once(async (): Promise<readonly Drill[]> => {
  const { drills, problems } = await loadDrills(DRILLS);
  const [problem] = problems;
  assert(
    problem === undefined,
    problem === undefined ? '' : `a bundled drill is invalid: ${problem.file}:${problem.line}: ${problem.message}`,
  );
  return drills;
});

/** Names of the examples podcheck comes with, each with its text: what a person might have pasted. */
export async function shippedExamples(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(EXAMPLES)).filter((file) => file.endsWith('.txt')).toSorted();
  return new Map(
    await Promise.all(files.map(async (file) => [file.slice(0, -'.txt'.length), await readFile(`${EXAMPLES}/${file}`, 'utf8')] as const)),
  );
}
