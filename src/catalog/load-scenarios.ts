import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PodcheckError } from '../base/errors.ts';
import { systemReason } from '../base/system-error.ts';
import { readText } from '../files/read-bounded.ts';
import type { Scenario } from '../model/scenario.ts';
import { parseScenario } from './parse-scenario.ts';
import type { Problem } from './yaml-problem.ts';
import { problemLines } from './yaml-problem.ts';

export interface LoadedScenarios {
  /** In order of their ids; only those without a problem. */
  readonly scenarios: readonly Scenario[];
  readonly problems: readonly Problem[];
}

/** Reads all scenarios below a folder, or those with a wanted id: `<name>.scenario.yaml`, `<name>.match-<how>.yaml`, `<name>.near-<why>.yaml`. */
export async function loadScenarios(directory: string, isWanted: (id: string) => boolean = () => true): Promise<LoadedScenarios> {
  const problems: Problem[] = [];
  const scenarios: Scenario[] = [];
  for (const path of await scenarioFiles(directory)) {
    const [file, id] = [join(directory, path), path.replace(/(\.scenario)?\.yaml$/, '')];
    if (!isWanted(id)) continue;
    const scenario = parseScenario(file, await readScenario(file), id, problems);
    if (scenario !== undefined) scenarios.push(scenario);
  }
  return { scenarios, problems };
}

/** Reads one scenario file, whatever it is called. */
export async function loadScenario(file: string): Promise<Scenario> {
  const source = await readScenario(file);
  const problems: Problem[] = [];
  const scenario = parseScenario(file, source, file, problems);
  if (scenario === undefined) throw scenarioError(problems);
  return scenario;
}

function readScenario(file: string): Promise<string> {
  return readText(file, 'the scenario', '`podcheck sim list` lists the bundled scenarios');
}

/** Says of every problem where it is. */
export function scenarioError(problems: readonly Problem[]): PodcheckError {
  return new PodcheckError(
    'bad-input',
    ['the scenario is invalid:', ...problemLines(problems)].join('\n'),
    'see a valid one with `podcheck sim show <id>`',
  );
}

async function scenarioFiles(directory: string): Promise<readonly string[]> {
  let entries: readonly string[];
  try {
    entries = await readdir(directory, { recursive: true });
  } catch (error) {
    throw new PodcheckError(
      'bad-input',
      `cannot read the scenarios in ${directory}: ${systemReason(error)}`,
      'give a folder with <stage>/<name>.scenario.yaml files',
    );
  }
  return entries
    .map((path) => path.split('\\').join('/'))
    .filter((path) => /(^|\/)[^./]+\.(scenario|(?:match|near)-[^./]+)\.yaml$/.test(path))
    .toSorted();
}
