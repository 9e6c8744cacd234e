import { parseDuration } from '../base/duration.ts';
import type { JsonObject } from '../base/json.ts';
import { asText } from '../base/json.ts';
import { withPath } from '../base/json-edit.ts';
import { repeated } from '../base/text.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { parseRef } from '../model/kube-object.ts';
import type { ScenarioAction, ScenarioManifest, ScenarioStep } from '../model/scenario.ts';
import { parseBody } from './parse-change.ts';
import { parseAccount, parseClient } from './parse-scenario-client.ts';
import type { YamlCursor } from './yaml-cursor.ts';
import { objectAt } from './yaml-json.ts';

/** What a step may do, and the fields that may stand beside it. */
export const ACTIONS = {
  apply: ['namespace', 'as', 'kubeconfig', 'file', 'fill'],
  create: ['namespace', 'as', 'kubeconfig', 'file', 'fill'],
  delete: ['as', 'kubeconfig', 'force', 'cascade', 'grace', 'waits'],
  patch: ['body', 'subresource'],
  drain: [],
  exec: ['command'],
  token: ['seconds'],
  look: [],
  fault: [],
  wait: [],
} as const satisfies Record<string, readonly string[]>;

export const CASCADES = ['background', 'foreground', 'orphan'] as const;

export type Action = keyof typeof ACTIONS;
type Fields = ReadonlyMap<string, YamlCursor>;

const NAMES = Object.keys(ACTIONS) as readonly Action[];
const STEP_FIELDS: readonly string[] = [...new Set<string>([...NAMES, 'at', ...Object.values(ACTIONS).flat()])];

export function parseSteps(cursor: YamlCursor | undefined, file: string): readonly ScenarioStep[] {
  return (cursor?.items() ?? []).flatMap((item) => parseStep(item, file));
}

function parseStep(cursor: YamlCursor, file: string): readonly ScenarioStep[] {
  const fields = cursor.fields(STEP_FIELDS);
  const given = NAMES.filter((action) => fields.has(action));
  const [name] = given;
  if (name === undefined || given.length > 1) {
    cursor.problem(`a step needs exactly one of: ${NAMES.join(', ')}`);
    return [];
  }
  const beside: readonly string[] = ACTIONS[name];
  for (const [field, other] of fields)
    if (field !== name && field !== 'at' && STEP_FIELDS.includes(field) && !beside.includes(field))
      other.problem(`${JSON.stringify(field)} is not allowed in a ${name} step; allowed: ${['at', ...beside].join(', ')}`);
  const action = parseAction(name, fields);
  return action === undefined ? [] : [{ ...action, atMilliseconds: milliseconds(fields.get('at')), place: placeOf(cursor, file) }];
}

function parseAction(name: Action, fields: Fields): ScenarioAction | undefined {
  const cursor = fields.get(name);
  if (cursor === undefined) return undefined;
  switch (name) {
    case 'apply':
    case 'create':
      return parseApply(cursor, fields, name === 'create');
    case 'delete':
      return parseDelete(cursor, fields);
    case 'patch':
      return parsePatch(cursor, fields);
    case 'drain': {
      const node = reference(cursor);
      return node?.kind === 'Node' ? { do: 'drain', node: node.name } : cursor.problem('only a node can be drained; write Node/name');
    }
    case 'exec':
      return parseExec(cursor, fields.get('command'));
    case 'token': {
      const account = parseAccount(cursor);
      const seconds = fields.get('seconds')?.number();
      return account === undefined ? undefined : { do: 'token', account, seconds };
    }
    case 'look': {
      const looked = cursor.fields(['node', 'service'], ['node', 'service']);
      const [node, service] = [looked.get('node')?.text(), looked.get('service')?.text()];
      return node === undefined || service === undefined ? undefined : { do: 'look', node, service };
    }
    case 'fault': {
      const fault = faultAt(cursor);
      return fault === undefined ? undefined : { do: 'fault', fault };
    }
    case 'wait':
      return parseWait(cursor);
  }
}

export function faultAt(cursor: YamlCursor): JsonObject | undefined {
  const fault = objectAt(cursor);
  if (fault === undefined) return undefined;
  return (asText(fault['fault']) ?? '') === '' ? cursor.problem('"fault" is missing: the kind of fault') : fault;
}

function parseExec(cursor: YamlCursor, words: YamlCursor | undefined): ScenarioAction | undefined {
  const pod = reference(cursor);
  const command = words?.items().flatMap((item) => String(item.scalar() ?? ''));
  if (command === undefined) return cursor.problem('"command" is missing: the command to run in the pod');
  return pod === undefined ? undefined : { do: 'exec', pod, command };
}

function parseWait(cursor: YamlCursor): ScenarioAction | undefined {
  if (cursor.scalar() === 'settled') return { do: 'wait' };
  const time = milliseconds(cursor);
  return time === undefined ? undefined : { do: 'wait', milliseconds: time };
}

/** A list of documents, a text that stands in the file as it is, or `{ missing: true }`: no file at all. */
function parseApply(cursor: YamlCursor, fields: Fields, create: boolean): ScenarioAction {
  const file = fields.get('file')?.text();
  const manifest = parseManifest(cursor, file);
  const documents = cursor.isList()
    ? cursor
        .items()
        .map(objectAt)
        .filter((document) => document !== undefined)
    : [];
  return {
    do: 'apply',
    documents: filled(documents, fields.get('fill')),
    namespace: fields.get('namespace')?.text(),
    create,
    ...(manifest === undefined ? {} : { manifest }),
    ...parseClient(fields),
  };
}

const MANIFEST_FORMS = 'write a list of documents, the text of the manifest, or { missing: true }';

function parseManifest(cursor: YamlCursor, given: string | undefined): ScenarioManifest | undefined {
  const file = given ?? 'manifest.yaml';
  if (cursor.isList()) return given === undefined ? undefined : { file };
  if (!cursor.isMap()) {
    const text = cursor.scalar();
    return typeof text === 'string' ? { file, text } : cursor.problem(MANIFEST_FORMS);
  }
  const missing = cursor.fields(['missing'], ['missing']).get('missing')?.flag();
  return missing === true ? { file, missing: true } : cursor.problem(MANIFEST_FORMS);
}

/** `fill: { at: data.stock, bytes: 1200000 }` puts a text of that length into every document, which nobody wants to read in a scenario. */
function filled(documents: readonly JsonObject[], cursor: YamlCursor | undefined): readonly JsonObject[] {
  if (cursor === undefined) return documents;
  const fields = cursor.fields(['at', 'bytes'], ['at', 'bytes']);
  const [at, bytes] = [fields.get('at')?.text(), fields.get('bytes')?.number()];
  if (at === undefined || bytes === undefined) return documents;
  if (bytes > MOST_BYTES) cursor.problem(`${String(bytes)} bytes, but the limit is ${String(MOST_BYTES)}`);
  return documents.map((document) => withPath(document, at.split('.'), repeated('x', Math.min(bytes, MOST_BYTES))));
}

const MOST_BYTES = 4 * 1024 * 1024;

function parseDelete(cursor: YamlCursor, fields: Fields): ScenarioAction {
  const cascade = fields.get('cascade')?.oneOf(CASCADES);
  const grace = fields.get('grace')?.number();
  return {
    do: 'delete',
    objects: cursor
      .items()
      .map(reference)
      .filter((object) => object !== undefined),
    force: fields.get('force')?.flag() === true,
    ...(cascade === undefined ? {} : { cascade }),
    ...(grace === undefined ? {} : { graceSeconds: grace }),
    ...(fields.get('waits')?.flag() === false ? { waits: false } : {}),
    ...parseClient(fields),
  };
}

function parsePatch(cursor: YamlCursor, fields: Fields): ScenarioAction | undefined {
  const object = reference(cursor);
  const body = fields.get('body');
  if (body === undefined) return cursor.problem('"body" is missing: the change');
  const value = parseBody(body);
  return object === undefined || value === undefined
    ? undefined
    : { do: 'patch', object, body: value, subresource: fields.get('subresource')?.text() };
}

export function reference(cursor: YamlCursor): ObjectRef | undefined {
  const text = cursor.text();
  return text === undefined
    ? undefined
    : (parseRef(text) ?? cursor.problem(`${JSON.stringify(text)} is not a valid object reference; write Kind/namespace/name or Kind/name`));
}

export function milliseconds(cursor: YamlCursor | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const text = String(cursor.scalar() ?? '');
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds < 0)
    return cursor.problem(`${JSON.stringify(text)} is not a valid duration; write 30s, 2m or 1h30m`);
  return seconds * 1000;
}

export function placeOf(cursor: YamlCursor, file: string): string {
  return `${file}:${cursor.line}`;
}
