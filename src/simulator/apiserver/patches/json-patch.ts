import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import { parseInteger } from '../../../base/number.ts';

export type Patched = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string };

/**
 * JSON Patch (RFC 6902), each operation on a copy. Words of errors are those of the library the API server uses, which
 * it passes on. Source: vendor/gopkg.in/evanphx/json-patch.v4/patch.go.
 */
export function applyJsonPatch(document: Json, operations: readonly Json[]): Patched {
  let value = document;
  for (const operation of operations) {
    if (!isJsonObject(operation)) return { ok: false, error: 'Unexpected kind: unknown' };
    const result = applyOne(value, operation);
    if (!result.ok) return result;
    value = result.value;
  }
  return { ok: true, value };
}

function applyOne(document: Json, operation: JsonObject): Patched {
  const [op, path, from] = [asText(operation['op']) ?? '', asText(operation['path']) ?? '', asText(operation['from']) ?? ''];
  const given = operation['value'] ?? null;
  switch (op) {
    case 'add':
      return change(document, path, { missing: `add operation does not apply: doc is missing path: "${path}"`, error: `error in add for path: '${path}'`, edit: (parent, key) => addTo(parent, key, given) });
    case 'remove':
      return change(document, path, { missing: `remove operation does not apply: doc is missing path: "${path}"`, error: `error in remove for path: '${path}'`, edit: removeFrom });
    case 'replace':
      return replace(document, path, given);
    case 'test':
      return test(document, path, operation['value']);
    case 'move':
    case 'copy':
      return transfer(document, op, from, path);
    default:
      return wrong(`Unexpected kind: ${op}`);
  }
}

function wrong(error: string): Patched & { readonly ok: false } {
  return { ok: false, error };
}

interface Edit {
  /** What is said when the place it would be in is not there. */
  readonly missing: string;
  /** What goes before the words of an error. */
  readonly error: string;
  readonly edit: (parent: Json, key: string) => Patched;
}

/** A copy of the document in which the object or list at the end of the path is edited. */
function change(document: Json, path: string, { missing, error, edit }: Edit): Patched {
  const steps = pointer(path);
  const key = steps.at(-1);
  const parent = key === undefined ? undefined : holderOf(document, steps.slice(0, -1));
  if (key === undefined || parent === undefined) return wrong(`${missing}: ${MISSING}`);
  const edited = edit(parent, key);
  return edited.ok ? { ok: true, value: putAt(document, steps.slice(0, -1), edited.value) } : wrong(`${error}${error === '' ? '' : ': '}${edited.error}`);
}

const MISSING = 'missing value';

/** The object or list at some steps. */
function holderOf(document: Json, steps: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const step of steps) {
    const next = getFrom(value, step);
    value = next.ok ? next.value : undefined;
    if (typeof value !== 'object' || value === null) return undefined;
  }
  return value;
}

function putAt(value: Json, steps: readonly string[], edited: Json): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return edited;
  const found = getFrom(value, step);
  const inner = putAt(found.ok ? (found.value ?? null) : null, rest, edited);
  return Array.isArray(value) ? asList(value).with(placeOf(step), inner) : { ...(value as JsonObject), [step]: inner };
}

/** A place that was found before. */
function placeOf(step: string): number {
  return parseInteger(step) ?? 0;
}

/** What is not in an object is nothing; what is not in a list is an error. */
function getFrom(holder: Json, key: string): { readonly ok: true; readonly value: Json | undefined } | (Patched & { readonly ok: false }) {
  if (!Array.isArray(holder)) return { ok: true, value: isJsonObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined };
  const index = indexOf(key, holder.length - 1);
  return typeof index === 'string' ? wrong(index) : { ok: true, value: asList(holder)[index] };
}

/** A place in a list, counted from its end when below nothing; the words of an error when there is none. */
function indexOf(key: string, last: number): number | string {
  if (!/^[-+]?\d+$/.test(key)) return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
  const index = parseInteger(key) ?? Number.MAX_SAFE_INTEGER;
  return index > last || index < -last - 1 ? `Unable to access invalid index: ${index}: invalid index referenced` : index < 0 ? index + last + 1 : index;
}

function addTo(parent: Json, key: string, value: Json): Patched {
  if (!Array.isArray(parent)) return { ok: true, value: { ...(parent as JsonObject), [key]: value } };
  const list = asList(parent);
  const index = key === '-' ? list.length : indexOf(key, list.length);
  if (typeof index === 'string') return wrong(index.startsWith('strconv') ? `value was not a proper array index: '${key}': ${index}` : index);
  return { ok: true, value: list.toSpliced(index, 0, value) };
}

function removeFrom(parent: Json, key: string): Patched {
  if (Array.isArray(parent)) {
    const index = indexOf(key, parent.length - 1);
    return typeof index === 'string' ? wrong(index) : { ok: true, value: asList(parent).toSpliced(index, 1) };
  }
  if (!isJsonObject(parent) || !Object.hasOwn(parent, key)) return wrong(`Unable to remove nonexistent key: ${key}: ${MISSING}`);
  const copy = { ...parent };
  delete (copy as Record<string, Json | undefined>)[key];
  return { ok: true, value: copy };
}

/** What an object does not have yet is set all the same. */
function replace(document: Json, path: string, value: Json): Patched {
  if (path === '') return typeof value === 'object' && value !== null ? { ok: true, value } : wrong('replace operation value must be object or array: %!w(<nil>)');
  return change(document, path, {
    missing: `replace operation does not apply: doc is missing path: ${path}`,
    error: '',
    edit: (parent, key) => {
      const found = getFrom(parent, key);
      if (!found.ok) return wrong(`replace operation does not apply: doc is missing key: ${path}: ${MISSING}`);
      return { ok: true, value: Array.isArray(parent) ? asList(parent).with(placeOf(key), value) : { ...(parent as JsonObject), [key]: value } };
    },
  });
}

function test(document: Json, path: string, wanted: Json | undefined): Patched {
  const steps = pointer(path);
  const parent = holderOf(document, steps.slice(0, -1));
  if (parent === undefined) return wrong(`test operation does not apply: is missing path: ${path}: ${MISSING}`);
  const found = path === '' ? { ok: true as const, value: document } : getFrom(parent, steps.at(-1) ?? '');
  if (!found.ok) return wrong(`error in test for path: '${path}': ${found.error}`);
  const isSame = sameJson(found.value, wanted) || (found.value === undefined && wanted === null);
  return isSame ? { ok: true, value: document } : wrong(`testing value ${path} failed: test failed`);
}

function transfer(document: Json, op: 'move' | 'copy', from: string, path: string): Patched {
  const steps = pointer(from);
  const parent = steps.length === 0 ? undefined : holderOf(document, steps.slice(0, -1));
  if (parent === undefined) return wrong(`${op} operation does not apply: doc is missing from path: ${from}: ${MISSING}`);
  const key = steps.at(-1) ?? '';
  const found = getFrom(parent, key);
  const taken = found.ok && op === 'move' ? change(document, from, { missing: '', error: '', edit: removeFrom }) : found;
  if (!found.ok || !taken.ok) return wrong(`${op === 'move' ? `error in move for path: '${key}'` : `error in copy for from: '${from}'`}: ${found.ok ? (taken as { readonly error: string }).error : found.error}`);
  const rest = op === 'move' ? (taken.value ?? null) : document;
  return change(rest, path, {
    missing: `${op} operation does not apply: doc is missing destination path: ${path}`,
    error: op === 'move' ? `error in move for path: '${path}'` : 'error while adding value during copy',
    edit: (holder, name) => addTo(holder, name, found.value ?? null),
  });
}

function pointer(path: string): readonly string[] {
  return path === '' ? [] : path.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
