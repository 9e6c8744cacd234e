import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PodcheckError } from '../base/errors.ts';
import { systemReason } from '../base/system-error.ts';
import { readText } from '../files/read-bounded.ts';
import type { Drill, DrillFault } from '../model/drill.ts';
import { DIFFICULTIES } from '../model/drill.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { parseRef } from '../model/kube-object.ts';
import { scenarioAt } from './parse-scenario.ts';
import type { YamlCursor } from './yaml-cursor.ts';
import type { Problem } from './yaml-problem.ts';
import { openYaml } from './yaml-cursor.ts';

export interface LoadedDrills {
  /** In order of their ids; only those without a problem. */
  readonly drills: readonly Drill[];
  readonly problems: readonly Problem[];
}

/** Reads all drills of a folder: `<name>.yaml` is `drills/<name>`. */
export async function loadDrills(directory: string): Promise<LoadedDrills> {
  const problems: Problem[] = [];
  const drills: Drill[] = [];
  for (const file of (await filesOf(directory)).filter((name) => name.endsWith('.yaml')).toSorted()) {
    const path = join(directory, file);
    const drill = parseDrill(
      path,
      await readText(path, 'the drill', '`podcheck drill list` lists the bundled drills'),
      `drills/${file.slice(0, -'.yaml'.length)}`,
      problems,
    );
    if (drill !== undefined) drills.push(drill);
  }
  return { drills, problems };
}

/** Reads one drill; undefined when anything is wrong, with a problem for each thing that is. */
export function parseDrill(file: string, source: string, id: string, problems: Problem[]): Drill | undefined {
  const before = problems.length;
  const root = openYaml(file, source, problems);
  if (problems.length > before) return undefined;
  const fields = root.fields(['story', 'difficulty', 'faults', 'lookAlikes', 'scenario'], ['story', 'difficulty', 'faults', 'scenario']);
  const scenario = fields.get('scenario');
  if (scenario === undefined) return undefined;
  const faults = (fields.get('faults')?.items() ?? []).flatMap(parseFault);
  if (faults.length === 0) fields.get('faults')?.problem('expected at least one fault');
  const drill: Drill = {
    id,
    difficulty: fields.get('difficulty')?.oneOf(DIFFICULTIES) ?? 'medium',
    story: fields.get('story')?.text(),
    scenario: scenarioAt(scenario, file, id),
    faults,
    lookAlikes: (fields.get('lookAlikes')?.items() ?? []).flatMap(reference),
  };
  if (drill.scenario.cure.length === 0) scenario.problem('"cure" is missing: the steps that fix all faults');
  if (drill.scenario.expect !== undefined) scenario.problem('"expect" is not allowed here: the faults define the expected causes');
  return problems.length > before ? undefined : drill;
}

function parseFault(cursor: YamlCursor): readonly DrillFault[] {
  const fields = cursor.fields(['cause', 'target', 'object'], ['cause', 'target']);
  const [cause, target] = [fields.get('cause')?.text(), fields.get('target')];
  const [about] = target === undefined ? [] : reference(target);
  const object = fields.get('object');
  return cause === undefined || about === undefined
    ? []
    : [{ cause, target: about, object: object === undefined ? undefined : reference(object)[0] }];
}

function reference(cursor: YamlCursor): readonly ObjectRef[] {
  const text = cursor.text();
  if (text === undefined) return [];
  const ref = parseRef(text);
  if (ref === undefined) cursor.problem(`${JSON.stringify(text)} is not a valid object reference; write Kind/namespace/name or Kind/name`);
  return ref === undefined ? [] : [ref];
}

async function filesOf(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    throw new PodcheckError(
      'bad-input',
      `cannot read the drills in ${directory}: ${systemReason(error)}`,
      'give a folder with <name>.yaml files',
    );
  }
}
