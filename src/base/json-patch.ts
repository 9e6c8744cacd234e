import type { Json, JsonObject } from './json.ts';
import { asList, asText, isJsonObject } from './json.ts';
import { sameJson } from './json-edit.ts';
import { parseInteger } from './number.ts';

export type Patched = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string };

/**
 * JSON Patch (RFC 6902) on a copy: an object or list is copied when it is changed first, not with every operation. Words of errors
 * are those of the library the API server uses, which it passes on. Source: vendor/gopkg.in/evanphx/json-patch.v4/patch.go.
 */
export function applyJsonPatch(document: Json, operations: readonly Json[]): Patched {
  const draft: Draft = { root: document, own: new Set(), copiedBytes: 0, comparedValues: 0 };
  for (const operation of operations) {
    const error = isJsonObject(operation) ? applyOne(draft, operation) : 'Unexpected kind: unknown';
    if (error !== undefined) return { ok: false, error };
  }
  return { ok: true, value: draft.root };
}

/** Source: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go (maxJSONPatchOperations). */
export const MAX_OPERATIONS = 10_000;

/** What has become of the document so far. */
interface Draft {
  root: Json;
  /** Objects and lists that belong to nobody else: they are changed in place. */
  readonly own: Set<Json>;
  copiedBytes: number;
  comparedValues: number;
}

/** What went wrong; undefined when nothing did. */
type Trouble = string | undefined;

function applyOne(draft: Draft, operation: JsonObject): Trouble {
  const [op, path, from] = [asText(operation['op']) ?? '', asText(operation['path']) ?? '', asText(operation['from']) ?? ''];
  const given = operation['value'] ?? null;
  switch (op) {
    case 'add':
      return change(draft, path, {
        missing: `add operation does not apply: doc is missing path: "${path}"`,
        error: `error in add for path: '${path}'`,
        edit: (parent, key) => addTo(parent, key, given),
      });
    case 'remove':
      return change(draft, path, {
        missing: `remove operation does not apply: doc is missing path: "${path}"`,
        error: `error in remove for path: '${path}'`,
        edit: removeFrom,
      });
    case 'replace':
      return replace(draft, path, given);
    case 'test':
      return test(draft, path, operation['value']);
    case 'move':
    case 'copy':
      return transfer(draft, op, from, path);
    default:
      return `Unexpected kind: ${op}`;
  }
}

interface Edit {
  /** What is said when the place it would be in is not there. */
  readonly missing: string;
  /** What goes before the words of an error. */
  readonly error: string;
  readonly edit: (parent: Holder, key: string) => Trouble;
}

/** An object or a list of the draft's own. */
type Holder = Record<string, Json | undefined> | Json[];

/** Edits the object or list at the end of the path. */
function change(draft: Draft, path: string, { missing, error, edit }: Edit): Trouble {
  const steps = pointer(path);
  const key = steps.at(-1);
  const parent = key === undefined ? undefined : ownedAt(draft, steps.slice(0, -1));
  if (key === undefined || parent === undefined) return `${missing}: ${MISSING}`;
  const trouble = edit(parent, key);
  return trouble === undefined ? undefined : `${error}${error === '' ? '' : ': '}${trouble}`;
}

const MISSING = 'missing value';

/** The object or list at some steps, to be looked at. */
function holderOf(document: Json, steps: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const step of steps) {
    const next = getFrom(value, step);
    value = next.ok ? next.value : undefined;
    if (typeof value !== 'object' || value === null) return undefined;
  }
  return value;
}

/** The same, to be changed: what is on the way to it becomes the draft's own. */
function ownedAt(draft: Draft, steps: readonly string[]): Holder | undefined {
  if (holderOf(draft.root, steps) === undefined || typeof draft.root !== 'object' || draft.root === null) return undefined;
  let holder = owned(draft, draft.root);
  draft.root = holder as Json;
  for (const step of steps) {
    const next = getFrom(holder, step);
    const inner = owned(draft, (next.ok ? next.value : undefined) ?? {});
    if (Array.isArray(holder)) holder[placeOf(step, holder.length)] = inner as Json;
    else holder[step] = inner as Json;
    holder = inner;
  }
  return holder;
}

function owned(draft: Draft, value: Json): Holder {
  if (draft.own.has(value)) return value as Holder;
  const copy: Holder = Array.isArray(value) ? [...(value as readonly Json[])] : { ...(value as JsonObject) };
  draft.own.add(copy);
  return copy;
}

/** A place that was found before, counted from the end of the list when below nothing. */
function placeOf(step: string, length: number): number {
  const index = parseInteger(step) ?? 0;
  return index < 0 ? index + length : index;
}

/** What is not in an object is nothing; what is not in a list is an error. */
function getFrom(
  holder: Json,
  key: string,
): { readonly ok: true; readonly value: Json | undefined } | { readonly ok: false; readonly error: string } {
  if (!Array.isArray(holder)) return { ok: true, value: isJsonObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined };
  const index = indexOf(key, holder.length - 1);
  return typeof index === 'string' ? { ok: false, error: index } : { ok: true, value: asList(holder)[index] };
}

/** A place in a list, counted from its end when below nothing; the words of an error when there is none. */
function indexOf(key: string, last: number): number | string {
  if (!/^[-+]?\d+$/.test(key)) return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
  const index = parseInteger(key) ?? Number.MAX_SAFE_INTEGER;
  return index > last || index < -last - 1
    ? `Unable to access invalid index: ${index}: invalid index referenced`
    : index < 0
      ? index + last + 1
      : index;
}

function addTo(parent: Holder, key: string, value: Json): Trouble {
  if (!Array.isArray(parent)) {
    setField(parent, key, value);
    return undefined;
  }
  const index = key === '-' ? parent.length : indexOf(key, parent.length);
  if (typeof index === 'string') return index.startsWith('strconv') ? `value was not a proper array index: '${key}': ${index}` : index;
  parent.splice(index, 0, value);
  return undefined;
}

/** Also a field named as the prototype is. */
function setField(object: Record<string, Json | undefined>, field: string, value: Json): void {
  if (field === '__proto__') Object.defineProperty(object, field, { value, enumerable: true, configurable: true, writable: true });
  else object[field] = value;
}

function removeFrom(parent: Holder, key: string): Trouble {
  if (Array.isArray(parent)) {
    const index = indexOf(key, parent.length - 1);
    if (typeof index === 'string') return index;
    parent.splice(index, 1);
    return undefined;
  }
  if (!Object.hasOwn(parent, key)) return `Unable to remove nonexistent key: ${key}: ${MISSING}`;
  delete parent[key];
  return undefined;
}

/** What an object does not have yet is set all the same. */
function replace(draft: Draft, path: string, value: Json): Trouble {
  if (path === '') {
    if (typeof value !== 'object' || value === null) return 'replace operation value must be object or array: %!w(<nil>)';
    draft.root = value;
    return undefined;
  }
  return change(draft, path, {
    missing: `replace operation does not apply: doc is missing path: ${path}`,
    error: '',
    edit: (parent, key) => {
      if (!getFrom(parent, key).ok) return `replace operation does not apply: doc is missing key: ${path}: ${MISSING}`;
      if (Array.isArray(parent)) parent[placeOf(key, parent.length)] = value;
      else setField(parent, key, value);
      return undefined;
    },
  });
}

function test(draft: Draft, path: string, wanted: Json | undefined): Trouble {
  const steps = pointer(path);
  const parent = holderOf(draft.root, steps.slice(0, -1));
  if (parent === undefined) return `test operation does not apply: is missing path: ${path}: ${MISSING}`;
  const found = path === '' ? { ok: true as const, value: draft.root } : getFrom(parent, steps.at(-1) ?? '');
  if (!found.ok) return `error in test for path: '${path}': ${found.error}`;
  // A comparison looks at every field of a large object, however short the operation is.
  draft.comparedValues += typeof found.value === 'object' && found.value !== null ? Object.keys(found.value).length : 1;
  if (draft.comparedValues > MAX_COMPARED_VALUES)
    return `testing value ${path} failed: the tests of a patch compare at most ${MAX_COMPARED_VALUES} values`;
  const isSame = sameJson(found.value, wanted) || (found.value === undefined && wanted === null);
  return isSame ? undefined : `testing value ${path} failed: test failed`;
}

const MAX_COMPARED_VALUES = 1_000_000;

function transfer(draft: Draft, op: 'move' | 'copy', from: string, path: string): Trouble {
  const steps = pointer(from);
  const parent = steps.length === 0 ? undefined : holderOf(draft.root, steps.slice(0, -1));
  if (parent === undefined) return `${op} operation does not apply: doc is missing from path: ${from}: ${MISSING}`;
  const key = steps.at(-1) ?? '';
  const found = getFrom(parent, key);
  const prefix = op === 'move' ? `error in move for path: '${key}'` : `error in copy for from: '${from}'`;
  if (!found.ok) return `${prefix}: ${found.error}`;
  let value = found.value ?? null;
  if (op === 'move') {
    const trouble = change(draft, from, { missing: '', error: '', edit: removeFrom });
    if (trouble !== undefined) return `${prefix}: ${trouble}`;
  } else {
    const text = JSON.stringify(value);
    draft.copiedBytes += text.length;
    if (draft.copiedBytes > MAX_COPIED_BYTES)
      return `Unable to complete the copy, the accumulated size increase of copy is ${draft.copiedBytes}, exceeding the limit ${MAX_COPIED_BYTES}`;
    value = JSON.parse(text) as Json;
  }
  return change(draft, path, {
    missing: `${op} operation does not apply: doc is missing destination path: ${path}`,
    error: op === 'move' ? `error in move for path: '${path}'` : 'error while adding value during copy',
    edit: (holder, name) => addTo(holder, name, value),
  });
}

/** Source: staging/src/k8s.io/apiserver/pkg/server/config.go (JSONPatchMaxCopyBytes). */
const MAX_COPIED_BYTES = 3_145_728;

function pointer(path: string): readonly string[] {
  return path === ''
    ? []
    : path
        .split('/')
        .slice(1)
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
