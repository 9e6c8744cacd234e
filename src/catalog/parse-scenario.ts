import { parseDuration } from '../base/duration.ts';
import type { JsonObject } from '../base/json.ts';
import { asText } from '../base/json.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { parseRef } from '../model/kube-object.ts';
import type { Expectation, Scenario, ScenarioAction, ScenarioCluster, ScenarioFault, ScenarioStep, ScenarioUser } from '../model/scenario.ts';
import type { Problem, YamlCursor } from './yaml-cursor.ts';
import { openYaml } from './yaml-cursor.ts';
import { jsonAt, objectAt } from './yaml-json.ts';

const FIELDS = ['title', 'cluster', 'images', 'setup', 'steps', 'until', 'expect', 'cure'];
const ACTIONS = ['apply', 'create', 'delete', 'patch', 'fault', 'wait'] as const;
const STEP_FIELDS = [...ACTIONS, 'at', 'namespace', 'as', 'force', 'body', 'subresource'];
const OUTCOMES = ['healthy', 'explained', 'unexplained', 'inconclusive'] as const;

type Fields = ReadonlyMap<string, YamlCursor>;

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
  const fields = root.fields(FIELDS, ['title', 'steps']);
  return {
    id,
    title: fields.get('title')?.text() ?? '',
    cluster: parseCluster(fields.get('cluster')),
    setup: [...parseImages(fields.get('images'), file), ...(fields.get('setup')?.items() ?? []).flatMap((cursor) => parseFault(cursor, file))],
    steps: parseSteps(fields.get('steps'), file),
    untilMilliseconds: milliseconds(fields.get('until')),
    expect: parseExpectation(fields.get('expect')),
    cure: parseSteps(fields.get('cure'), file),
  };
}

function parseCluster(cursor: YamlCursor | undefined): ScenarioCluster {
  const fields = cursor?.fields(['preset', 'nodes', 'configuration']);
  const nodes = fields?.get('nodes')?.items().map(objectAt).filter((node) => node !== undefined);
  if (fields?.has('preset') === true && nodes !== undefined) cursor?.problem('preset and nodes exclude each other');
  for (const [index, node] of (nodes ?? []).entries()) if (asText(node['name']) === undefined) fields?.get('nodes')?.items()[index]?.problem('a node needs a name');
  const configuration = fields?.get('configuration');
  return { preset: nodes ?? fields?.get('preset')?.text() ?? 'three-nodes', configuration: configuration === undefined ? {} : (objectAt(configuration) ?? {}) };
}

/** `images` says how containers behave; it is short for a fault of the part `behaviour` each. */
function parseImages(cursor: YamlCursor | undefined, file: string): readonly ScenarioFault[] {
  return [...(cursor?.entries() ?? [])].map(([image, behaviour]) => ({ place: placeOf(behaviour, file), fault: { fault: 'part', part: 'behaviour', what: image, with: objectAt(behaviour) ?? {} } }));
}

function parseFault(cursor: YamlCursor, file: string): readonly ScenarioFault[] {
  const fault = objectAt(cursor);
  if (fault === undefined) return [];
  if (asText(fault['fault']) === undefined) cursor.problem('"fault" is missing: what kind of fault it is');
  return [{ place: placeOf(cursor, file), fault }];
}

function parseSteps(cursor: YamlCursor | undefined, file: string): readonly ScenarioStep[] {
  return (cursor?.items() ?? []).flatMap((item) => parseStep(item, file));
}

function parseStep(cursor: YamlCursor, file: string): readonly ScenarioStep[] {
  const fields = cursor.fields(STEP_FIELDS);
  const given = ACTIONS.filter((action) => fields.has(action));
  const [name] = given;
  if (name === undefined || given.length > 1) {
    cursor.problem(`a step does one thing: ${ACTIONS.join(', ')}`);
    return [];
  }
  const action = parseAction(name, fields);
  return action === undefined ? [] : [{ ...action, atMilliseconds: milliseconds(fields.get('at')), place: placeOf(cursor, file) }];
}

function parseAction(name: (typeof ACTIONS)[number], fields: Fields): ScenarioAction | undefined {
  const cursor = fields.get(name);
  if (cursor === undefined) return undefined;
  switch (name) {
    case 'apply':
    case 'create':
      return { do: 'apply', documents: cursor.items().map(objectAt).filter((document) => document !== undefined), namespace: fields.get('namespace')?.text(), as: parseUser(fields.get('as')), create: name === 'create' };
    case 'delete':
      return { do: 'delete', objects: cursor.items().map(reference).filter((object) => object !== undefined), force: fields.get('force')?.scalar() === true };
    case 'patch': {
      const object = reference(cursor);
      const body = fields.get('body');
      if (body === undefined) return cursor.problem('"body" is missing: what is to change');
      const value = body.isList() ? (jsonAt(body) as readonly JsonObject[]) : objectAt(body);
      return object === undefined || value === undefined ? undefined : { do: 'patch', object, body: value, subresource: fields.get('subresource')?.text() };
    }
    case 'fault': {
      const fault = objectAt(cursor);
      if (fault === undefined) return undefined;
      return asText(fault['fault']) === undefined ? cursor.problem('"fault" is missing: what kind of fault it is') : { do: 'fault', fault };
    }
    case 'wait':
      return cursor.scalar() === 'settled' ? { do: 'wait' } : cursor.problem('only `wait: settled` has a meaning; for a moment give the next step `at:`');
  }
}

function parseUser(cursor: YamlCursor | undefined): ScenarioUser | undefined {
  if (cursor === undefined) return undefined;
  if (!cursor.isMap()) return { name: cursor.text() ?? '', groups: [] };
  const fields = cursor.fields(['user', 'groups'], ['user']);
  return { name: fields.get('user')?.text() ?? '', groups: fields.get('groups')?.items().flatMap((item) => item.text() ?? []) ?? [] };
}

function parseExpectation(cursor: YamlCursor | undefined): Expectation | undefined {
  if (cursor === undefined) return undefined;
  const fields = cursor.fields(['outcome', 'target', 'cause', 'object', 'also'], ['outcome']);
  const outcome = fields.get('outcome')?.oneOf(OUTCOMES) ?? 'explained';
  if (outcome === 'explained' && !fields.has('cause')) cursor.problem('"cause" is missing: which rule explains it');
  return {
    outcome,
    target: optionalReference(fields.get('target')),
    cause: fields.get('cause')?.text(),
    object: optionalReference(fields.get('object')),
    also: fields.get('also')?.items().flatMap((item) => item.text() ?? []) ?? [],
  };
}

function optionalReference(cursor: YamlCursor | undefined): ObjectRef | undefined {
  return cursor === undefined ? undefined : reference(cursor);
}

function reference(cursor: YamlCursor): ObjectRef | undefined {
  const text = cursor.text();
  return text === undefined ? undefined : (parseRef(text) ?? cursor.problem(`${JSON.stringify(text)} names no object; write Kind/namespace/name, or Kind/name`));
}

function milliseconds(cursor: YamlCursor | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const text = String(cursor.scalar() ?? '');
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds < 0) return cursor.problem(`${JSON.stringify(text)} is no duration; write 30s, 2m, 1h30m`);
  return seconds * 1000;
}

function placeOf(cursor: YamlCursor, file: string): string {
  return `${file}:${cursor.line}`;
}
