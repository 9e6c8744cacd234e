import type { JsonObject } from '../base/json.ts';
import { asText } from '../base/json.ts';
import { OUTCOMES } from '../model/diagnosis.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import type { Expectation, Scenario, ScenarioCluster, ScenarioFault } from '../model/scenario.ts';
import { faultAt, milliseconds, parseSteps, placeOf, reference } from './parse-scenario-step.ts';
import type { YamlCursor } from './yaml-cursor.ts';
import type { Problem } from './yaml-problem.ts';
import { openYaml } from './yaml-cursor.ts';
import { objectAt } from './yaml-json.ts';

export const SCENARIO_FIELDS = ['title', 'cluster', 'images', 'setup', 'steps', 'until', 'expect', 'cure', 'cured'] as const;
export const CLUSTER_FIELDS = ['preset', 'nodes', 'configuration'] as const;
export const EXPECT_FIELDS = ['outcome', 'target', 'scan', 'cause', 'object', 'also'] as const;
export const SCANS = ['namespace', 'cluster'] as const;

/** Reads one scenario; undefined when anything is wrong, with a problem for each thing that is. */
export function parseScenario(file: string, source: string, id: string, problems: Problem[]): Scenario | undefined {
  const before = problems.length;
  const root = openYaml(file, source, problems);
  if (problems.length > before) return undefined;
  const scenario = scenarioAt(root, file, id);
  return problems.length > before ? undefined : scenario;
}

/** A scenario that stands somewhere in a file; what is wrong with it becomes problems of the cursor. */
export function scenarioAt(root: YamlCursor, file: string, id: string): Scenario {
  const fields = root.fields(SCENARIO_FIELDS, ['title', 'steps']);
  if (fields.has('cured') && !fields.has('cure')) fields.get('cured')?.problem('"cured" needs "cure"');
  return {
    id,
    title: fields.get('title')?.text() ?? '',
    cluster: parseCluster(fields.get('cluster')),
    setup: [
      ...parseImages(fields.get('images'), file),
      ...(fields.get('setup')?.items() ?? []).flatMap((cursor) => parseFault(cursor, file)),
    ],
    steps: parseSteps(fields.get('steps'), file),
    untilMilliseconds: milliseconds(fields.get('until')),
    expect: parseExpectation(fields.get('expect')),
    cure: parseSteps(fields.get('cure'), file),
    cured: parseCured(fields.get('cured')),
  };
}

function parseCluster(cursor: YamlCursor | undefined): ScenarioCluster {
  const fields = cursor?.fields(CLUSTER_FIELDS) ?? new Map<string, YamlCursor>();
  const nodes = parseNodes(fields.get('nodes'));
  if (fields.has('preset') && nodes !== undefined) cursor?.problem('preset and nodes cannot be used together');
  const configuration = fields.get('configuration');
  return {
    preset: nodes ?? fields.get('preset')?.text() ?? 'three-nodes',
    configuration: configuration === undefined ? {} : (objectAt(configuration) ?? {}),
  };
}

function parseNodes(cursor: YamlCursor | undefined): readonly JsonObject[] | undefined {
  return cursor?.items().flatMap((item) => {
    const node = objectAt(item);
    if (node !== undefined && asText(node['name']) === undefined) item.problem('a node needs a name');
    return node === undefined ? [] : [node];
  });
}

/** `images` says how containers behave; it is short for a fault of the part `behaviour` each. */
function parseImages(cursor: YamlCursor | undefined, file: string): readonly ScenarioFault[] {
  return [...(cursor?.entries() ?? [])].map(([image, behaviour]) => ({
    place: placeOf(behaviour, file),
    fault: { fault: 'part', part: 'behaviour', what: image, with: objectAt(behaviour) ?? {} },
  }));
}

function parseFault(cursor: YamlCursor, file: string): readonly ScenarioFault[] {
  const fault = faultAt(cursor);
  return fault === undefined ? [] : [{ place: placeOf(cursor, file), fault }];
}

function parseExpectation(cursor: YamlCursor | undefined): Expectation | undefined {
  if (cursor === undefined) return undefined;
  const fields = cursor.fields(EXPECT_FIELDS, ['outcome', 'target']);
  const outcome = fields.get('outcome')?.oneOf(OUTCOMES) ?? 'explained';
  if (outcome === 'explained' && !fields.has('cause')) cursor.problem('"cause" is missing: the rule that explains it');
  return {
    outcome,
    target: optionalReference(fields.get('target')),
    scan: fields.get('scan')?.oneOf(SCANS),
    cause: fields.get('cause')?.text(),
    object: optionalReference(fields.get('object')),
    also:
      fields
        .get('also')
        ?.items()
        .flatMap((item) => item.text() ?? []) ?? [],
  };
}

function parseCured(cursor: YamlCursor | undefined): Scenario['cured'] {
  if (cursor === undefined) return undefined;
  const word = cursor.scalar();
  return word === 'gone' || word === 'there' ? word : reference(cursor);
}

function optionalReference(cursor: YamlCursor | undefined): ObjectRef | undefined {
  return cursor === undefined ? undefined : reference(cursor);
}
