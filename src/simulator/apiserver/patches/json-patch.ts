import type { Json, JsonObject } from '../../../base/json.ts';
import { asText, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';

export type Patched = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string };

/**
 * JSON Patch (RFC 6902), each operation on a copy. Words of errors are those of github.com/evanphx/json-patch, which the API
 * server passes on.
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
  const [op, path] = [asText(operation['op']) ?? '', asText(operation['path']) ?? ''];
  const steps = pointer(path);
  const missing: Patched = { ok: false, error: `${op} operation does not apply: doc is missing path: ${path}: missing value` };
  switch (op) {
    case 'add':
      return change(document, steps, (target) => (target.exists || target.mayAdd ? { value: operation['value'] ?? null, insert: target.inList } : undefined)) ?? missing;
    case 'replace':
      return change(document, steps, (target) => (target.exists ? { value: operation['value'] ?? null, insert: false } : undefined)) ?? missing;
    case 'remove':
      return change(document, steps, (target) => (target.exists ? { value: undefined, insert: false } : undefined)) ?? missing;
    case 'test': {
      const found = read(document, steps);
      return sameJson(found, operation['value']) || (found === undefined && operation['value'] === null) ? { ok: true, value: document } : { ok: false, error: `testing value ${path} failed: test failed` };
    }
    case 'copy':
    case 'move': {
      const from = asText(operation['from']) ?? '';
      const found = read(document, pointer(from));
      if (found === undefined) return { ok: false, error: `${op} operation does not apply: doc is missing from path: ${from}: missing value` };
      const rest = op === 'copy' ? { ok: true as const, value: document } : applyOne(document, { op: 'remove', path: from });
      return rest.ok ? applyOne(rest.value, { op: 'add', path, value: found }) : rest;
    }
    default:
      return { ok: false, error: `Unexpected kind: ${op}` };
  }
}

interface Place {
  readonly exists: boolean;
  readonly mayAdd: boolean;
  readonly inList: boolean;
}

interface Change { readonly value: Json | undefined; readonly insert: boolean }

/** A copy of the document with the value at the steps changed; undefined when the place is not there. */
function change(value: Json, steps: readonly string[], decide: (place: Place) => Change | undefined): Patched | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) {
    const decided = decide({ exists: true, mayAdd: true, inList: false });
    return decided === undefined ? undefined : { ok: true, value: decided.value ?? null };
  }
  if (Array.isArray(value)) return changeList(value as readonly Json[], step, rest, decide);
  if (!isJsonObject(value)) return undefined;
  const inner = Object.hasOwn(value, step) ? value[step] : undefined;
  if (rest.length > 0) {
    const changed = inner === undefined ? undefined : change(inner, rest, decide);
    return changed?.ok === true ? { ok: true, value: { ...value, [step]: changed.value } } : changed;
  }
  const decided = decide({ exists: inner !== undefined, mayAdd: true, inList: false });
  if (decided === undefined) return undefined;
  const copy = { ...value, [step]: decided.value };
  if (decided.value === undefined) delete copy[step];
  return { ok: true, value: copy };
}

function changeList(list: readonly Json[], step: string, rest: readonly string[], decide: (place: Place) => Change | undefined): Patched | undefined {
  const index = step === '-' ? list.length : /^\d+$/.test(step) ? Number(step) : -1;
  if (index < 0 || index > list.length) return undefined;
  const member = list[index];
  if (rest.length > 0) {
    const changed = member === undefined ? undefined : change(member, rest, decide);
    return changed?.ok === true ? { ok: true, value: list.with(index, changed.value) } : changed;
  }
  const decided = decide({ exists: index < list.length, mayAdd: true, inList: true });
  if (decided === undefined) return undefined;
  if (decided.value === undefined) return { ok: true, value: list.toSpliced(index, 1) };
  return { ok: true, value: decided.insert ? list.toSpliced(index, 0, decided.value) : list.with(index, decided.value) };
}

function read(document: Json, steps: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const step of steps) {
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(step)];
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

function pointer(path: string): readonly string[] {
  return path === '' ? [] : path.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
