import type { Json, JsonObject } from '../../base/json.ts';
import { asText, dig, isJsonObject } from '../../base/json.ts';
import { asCoreEvent } from '../../model/event-fields.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { OBSERVED } from '../../model/kube-object.ts';
import { parsedJson } from '../../base/parsed-json.ts';
import { concealSecrets } from '../conceal-secret.ts';
import { parseKubeYaml } from '../../base/yaml/kube-yaml.ts';
import type { Line } from './clean-lines.ts';

/** Objects that stand in an output as YAML or JSON. */
export interface ReadDocuments {
  readonly objects: readonly KubeObject[];
  /** The text ends within a document, so that the objects are not all there were. */
  readonly cut: boolean;
  readonly error?: { readonly line: number; readonly message: string };
}

/** Reads the objects of `-o yaml` and `-o json`, of lists member by member, and of a text that breaks off as many as are whole. */
export function readDocuments(lines: readonly Line[], file: string): ReadDocuments {
  const text = lines.map((line) => line.text).join('\n');
  const first = lines[0]?.number ?? 1;
  const { documents, errors } = parseKubeYaml(text, file);
  const values = documents.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const [error] = errors;
  if (error === undefined) {
    const objects = values.flatMap(storedObjects);
    const whole = endsWhole(lines) && !objects.slice(-1).some(lacksStatus);
    return { objects: whole ? objects : withoutEnd(objects), cut: !whole };
  }
  const salvaged = salvage(lines, error.line, file);
  return {
    objects: [...values.flatMap(storedObjects), ...salvaged],
    cut: true,
    error: { line: first + error.line - 1, message: error.message },
  };
}

/** What kubectl prints for a list ends with the list's own metadata, for an object with its status or at least a line that is complete. */
function endsWhole(lines: readonly Line[]): boolean {
  const last = lines.findLast(({ text }) => text.trim() !== '')?.text ?? '';
  const isList =
    lines.slice(0, 4).some(({ text }) => /^\s*"?items"?:/.test(text)) || lines.slice(0, 6).some(({ text }) => /^kind: \w*List$/.test(text));
  return (
    !isList ||
    !/^\s*[a-z]/i.test(last) ||
    /^(?:kind|metadata|apiVersion|items)|^ {2}(?:resourceVersion|selfLink|remainingItemCount|continue)/.test(last)
  );
}

/**
 * The objects of a document: the members of a list, or itself. A member without a kind has it from the list's.
 * A list that breaks off has lost its kind: it comes after the members.
 */
export function membersOf(document: Json): readonly KubeObject[] {
  return [...eachMember(document)];
}

/** The same one by one: each is made when it is asked for. */
export function* eachMember(document: Json): Generator<KubeObject> {
  const kind = asText(dig(document, 'kind'));
  const items = dig(document, 'items');
  if (kind?.endsWith('List') !== false && Array.isArray(items)) {
    const [version, own] = [asText(dig(document, 'apiVersion')), kind?.slice(0, -'List'.length) ?? ''];
    for (const item of items as readonly Json[]) yield* objectOf(item, own, version);
  } else if (Array.isArray(document)) for (const item of document as readonly Json[]) yield* objectOf(item, '', undefined);
  else yield* objectOf(document, '', undefined);
}

/** Kinds whose objects always have a status, which is printed last. */
const WITH_STATUS = new Set([
  'Pod',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'Node',
  'Namespace',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Service',
]);

function lacksStatus({ kind, status, metadata }: KubeObject): boolean {
  return WITH_STATUS.has(kind) && status === undefined && metadata.uid !== undefined;
}

/** Objects as a cluster has them, without values of Secrets. */
function storedObjects(document: Json): readonly KubeObject[] {
  return membersOf(document).map((object) => concealSecrets(object) as KubeObject);
}

function objectOf(value: Json, kind: string, version: string | undefined): readonly KubeObject[] {
  const name = asText(dig(value, 'metadata', 'name'));
  const actual = asText(dig(value, 'kind')) ?? kind;
  if (!isJsonObject(value) || name === undefined || name === '' || actual === '') return [];
  return [asCoreEvent({ ...value, apiVersion: asText(value['apiVersion']) ?? version ?? 'v1', kind: actual } as unknown as KubeObject)];
}

/** Everything before the line that cannot be read, as far as it is a document on its own; its last object is not all there. */
function salvage(lines: readonly Line[], errorLine: number, file: string): readonly KubeObject[] {
  const part = lines.slice(0, Math.max(0, errorLine - 1));
  const closed = closedJson(lines.map(({ text }) => text).join('\n'));
  if (closed !== undefined) return withoutEnd(storedObjects(closed));
  for (let dropped = 0; dropped < MAX_DROPPED && part.length > 0; dropped++) {
    const { documents, errors } = parseKubeYaml(part.map(({ text }) => text).join('\n'), file);
    if (errors.length === 0) {
      const objects = documents.flatMap(({ value }) => (value === undefined ? [] : storedObjects(value)));
      return withoutEnd(objects);
    }
    part.pop();
  }
  return [];
}

/** The last of them is not all there. */
function withoutEnd(objects: readonly KubeObject[]): readonly KubeObject[] {
  return [...objects.slice(0, -1), ...objects.slice(-1).map(upToEnd)];
}

/** JSON that breaks off, up to the last value that is whole, with the brackets that are missing. Undefined for any other text. */
function closedJson(text: string): Json | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const open: string[] = [];
  let [whole, quoted] = ['', false];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (quoted && sign === '\\') at++;
    else if (sign === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (sign === '{' || sign === '[') open.push(sign === '{' ? '}' : ']');
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ',') whole = text.slice(0, at) + open.toReversed().join('');
  }
  return open.length === 0 ? undefined : parsedJson(whole);
}

/** The line before the error may be half of one; more than a few are not worth the time. */
const MAX_DROPPED = 3;

/** An object whose text broke off: it shows the fields before the one it broke off in. */
function upToEnd(object: KubeObject): KubeObject {
  const observed: string[] = [];
  collectPaths(object, '', observed, 0);
  return { ...object, [OBSERVED]: observed };
}

function collectPaths(value: JsonObject, prefix: string, observed: string[], depth: number): void {
  const fields = Object.keys(value);
  for (const field of fields.slice(0, -1)) observed.push(prefix + field);
  const last = fields.at(-1);
  const inner = last === undefined ? undefined : value[last];
  if (last !== undefined && isJsonObject(inner) && depth < 4) collectPaths(inner, `${prefix}${last}.`, observed, depth + 1);
}
