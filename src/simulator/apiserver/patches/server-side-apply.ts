import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { failure } from '../failures.ts';
import type { Failure } from '../request.ts';
import { goName, modelNamed } from '../schema/schema.ts';
import { MERGED_SETS, MERGE_KEYS } from './merge-keys.ts';
import { applyStrategicMerge } from './strategic-merge.ts';

/** An applied object: what comes of it, and the fields that are its manager's now (`fieldsV1`). */
export type Applied = { readonly object: JsonObject; readonly fields: JsonObject } | Failure;

/**
 * Server-side apply: the fields a manager names become its own; those it named before and names no more go, unless another
 * manager applied them too. A field that someone else has and that would get another value is a conflict, unless forced.
 * Whom an unapplied field belongs to is taken to be its last writer.
 * Source: staging/src/k8s.io/apimachinery/pkg/util/managedfields, sigs.k8s.io/structured-merge-diff.
 */
export function applyConfiguration(model: string | undefined, live: KubeObject, config: JsonObject, manager: string, force: boolean): Applied {
  const wanted = withoutIdentity(config);
  const fields = fieldsOf(model, wanted);
  const entries = asList(live.metadata['managedFields']).filter(isJsonObject);
  const mine = entries.find((entry) => entry['manager'] === manager && entry['operation'] === 'Apply');
  const others = entries.filter((entry) => entry !== mine);
  if (!force) {
    const conflicts = findConflicts({ fields, mine, others, model }, live, wanted);
    if (conflicts.length > 0) return conflictOf(conflicts);
  }
  const given = model === undefined ? { ...live, ...wanted } : applyStrategicMerge(model, live, wanted);
  const dropped = pathsOf(asObjectOrEmpty(mine?.['fieldsV1'])).filter((path) => !hasPath(fields, path) && !others.some((entry) => hasPath(asObjectOrEmpty(entry['fieldsV1']), path)));
  let object = given;
  for (const path of dropped) object = removeAt(object, path);
  return { object, fields };
}

/** `f:spec`, `k:{"name":"web"}`, `v:"x"`: the fields an object sets, as managedFields write them. */
function fieldsOf(model: string | undefined, value: JsonObject): JsonObject {
  const fields: Record<string, Json> = {};
  for (const [field, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const type = model === undefined ? undefined : modelNamed(model).fields.get(field)?.type;
    const name = `${model === undefined ? '' : goName(model)}.${field}`;
    const key = MERGE_KEYS[name];
    if (isJsonObject(member)) fields[`f:${field}`] = fieldsOf(type?.is === 'model' ? type.model : undefined, member);
    else if (Array.isArray(member) && key !== undefined) fields[`f:${field}`] = listFields(type?.is === 'list' && type.of.is === 'model' ? type.of.model : undefined, key, member as readonly Json[]);
    else if (Array.isArray(member) && MERGED_SETS.has(name)) fields[`f:${field}`] = Object.fromEntries((member as readonly Json[]).map((one) => [`v:${JSON.stringify(one)}`, {}]));
    else fields[`f:${field}`] = {};
  }
  return fields;
}

function listFields(model: string | undefined, key: string, list: readonly Json[]): JsonObject {
  return Object.fromEntries(list.filter(isJsonObject).map((member) => [`k:${JSON.stringify({ [key]: member[key] })}`, { '.': {}, ...fieldsOf(model, member) }]));
}

interface Conflict {
  readonly manager: JsonObject;
  readonly path: readonly string[];
}

interface Owned {
  readonly fields: JsonObject;
  readonly mine: JsonObject | undefined;
  readonly others: readonly JsonObject[];
  readonly model: string | undefined;
}

function findConflicts({ fields, mine, others, model }: Owned, live: KubeObject, wanted: JsonObject): readonly Conflict[] {
  const conflicts: Conflict[] = [];
  const liveFields = fieldsOf(model, withoutIdentity(live));
  for (const path of pathsOf(fields)) {
    if (!hasPath(liveFields, path) || hasPath(asObjectOrEmpty(mine?.['fieldsV1']), path)) continue;
    if (sameJson(valueAt(live, path), valueAt(wanted, path))) continue;
    const applied = others.find((entry) => hasPath(asObjectOrEmpty(entry['fieldsV1']), path));
    const owner = applied ?? others.findLast((entry) => entry['fieldsV1'] === undefined && entry['subresource'] === undefined);
    if (owner !== undefined) conflicts.push({ manager: owner, path });
  }
  return conflicts;
}

/** Source: staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/conflict.go. */
function conflictOf(conflicts: readonly Conflict[]): Failure {
  const causes = conflicts.map(({ manager, path }) => ({ reason: 'FieldManagerConflict', message: `conflict with ${managerWords(manager)}`, field: formatPath(path) }));
  const managers = [...new Set(conflicts.map(({ manager }) => managerWords(manager)))];
  const single = conflicts[0];
  const words = conflicts.length === 1 && single !== undefined
    ? `Apply failed with 1 conflict: conflict with ${managerWords(single.manager)}: ${formatPath(single.path)}`
    : `Apply failed with ${conflicts.length} conflicts: ${managers.map((manager) => `conflicts with ${manager}:\n${conflicts.filter((one) => managerWords(one.manager) === manager).map((one) => `- ${formatPath(one.path)}`).join('\n')}`).join('\n')}`;
  return failure(409, 'Conflict', words, { causes });
}

function managerWords(manager: JsonObject): string {
  const name = JSON.stringify(asText(manager['manager']) ?? '');
  const subresource = asText(manager['subresource']);
  return `${name}${subresource === undefined ? '' : ` with subresource "${subresource}"`} using ${asText(manager['apiVersion']) ?? ''}${manager['operation'] === 'Apply' ? '' : ` at ${asText(manager['time']) ?? ''}`}`;
}

function formatPath(path: readonly string[]): string {
  return path.map((step) => {
    if (step.startsWith('f:')) return `.${step.slice(2)}`;
    if (step.startsWith('k:')) {
      const [key, value] = Object.entries(JSON.parse(step.slice(2)) as JsonObject)[0] ?? ['', ''];
      return `[${key}=${JSON.stringify(value)}]`;
    }
    return `[=${step.slice(2)}]`;
  }).join('');
}

function withoutIdentity(object: JsonObject): JsonObject {
  const metadata = dig(object, 'metadata');
  const rest = Object.fromEntries(Object.entries(object).filter(([field]) => !['apiVersion', 'kind', 'status'].includes(field)));
  if (!isJsonObject(metadata)) return rest;
  const kept = Object.fromEntries(Object.entries(metadata).filter(([field]) => ['labels', 'annotations', 'finalizers', 'ownerReferences'].includes(field)));
  return Object.keys(kept).length === 0 ? withoutField(rest, 'metadata') : { ...rest, metadata: kept };
}

function withoutField(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => field !== name));
}

/** The paths of the leaves. */
function pathsOf(fields: JsonObject): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  const visit = (value: JsonObject, path: readonly string[]): void => {
    const inner = Object.entries(value).filter(([step]) => step !== '.');
    if (inner.length === 0 && path.length > 0) paths.push(path);
    for (const [step, member] of inner) visit(asObjectOrEmpty(member), [...path, step]);
  };
  visit(fields, []);
  return paths;
}

function hasPath(fields: JsonObject, path: readonly string[]): boolean {
  return dig(fields, ...path) !== undefined;
}

function valueAt(object: Json | undefined, path: readonly string[]): Json | undefined {
  let value = object;
  for (const step of path) value = stepInto(value, step);
  return value;
}

function stepInto(value: Json | undefined, step: string): Json | undefined {
  if (step.startsWith('f:')) return dig(value, step.slice(2));
  const wanted = JSON.parse(step.slice(2)) as Json;
  return asList(value).find((member) => (step.startsWith('v:') ? sameJson(member, wanted) : isMember(member, wanted)));
}

function isMember(member: Json, key: Json): boolean {
  return isJsonObject(key) && Object.entries(key).every(([field, value]) => sameJson(dig(member, field), value));
}

function removeAt(value: JsonObject, path: readonly string[]): JsonObject {
  return (removeFrom(value, path) ?? value) as JsonObject;
}

function removeFrom(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined || value === undefined) return undefined;
  if (step.startsWith('f:') && isJsonObject(value)) {
    const field = step.slice(2);
    const inner = rest.length === 0 ? undefined : removeFrom(value[field], rest);
    const copy: Record<string, Json | undefined> = { ...value, [field]: inner };
    if (inner === undefined) delete copy[field];
    return copy;
  }
  const found = stepInto(value, step);
  const members = asList(value);
  const index = found === undefined ? -1 : members.indexOf(found);
  if (index < 0) return value;
  const inner = rest.length === 0 ? undefined : removeFrom(found, rest);
  const onlyKey = isJsonObject(inner) && Object.keys(inner).length <= 1;
  return inner === undefined || onlyKey ? members.toSpliced(index, 1) : members.with(index, inner);
}

function asObjectOrEmpty(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
