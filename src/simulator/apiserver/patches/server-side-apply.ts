import type { JsonObject } from '../../../base/json.ts';
import { asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { failure } from '../failures.ts';
import { compareFields } from '../ownership/compare.ts';
import type { FieldSet } from '../ownership/field-set.ts';
import { fieldSetOf, formatPath, hasPath, intersect, NO_FIELDS, pathsOf, subtract } from '../ownership/field-set.ts';
import { mergeApplied, removeFields } from '../ownership/merge.ts';
import type { Owner } from '../ownership/owners.ts';
import { ownable, ownersOf } from '../ownership/owners.ts';
import type { Fields } from '../ownership/shapes.ts';
import type { Failure } from '../request.ts';
import { LAST_APPLIED, lastAppliedFields, withLastApplied } from './last-applied.ts';

/**
 * An applied object: what comes of it, the same as far as it was merged, and the fields that are its manager's now (`fieldsV1`).
 */
export type Applied = { readonly object: JsonObject; readonly merged: JsonObject; readonly fields: FieldSet } | Failure;

/** Who applies what, and how. */
export interface Application {
  readonly config: JsonObject;
  readonly manager: string;
  readonly force: boolean;
  readonly subresource: string | undefined;
}

/**
 * Server-side apply: the fields a manager names become its own; those it named before and names no more go, unless another
 * manager has them too. A field that someone else has and that would get another value is a conflict, unless forced.
 * Source: staging/src/k8s.io/apimachinery/pkg/util/managedfields, sigs.k8s.io/structured-merge-diff/merge/update.go.
 */
export function applyConfiguration(schema: Fields, live: KubeObject, { config, manager, force, subresource }: Application): Applied {
  const wanted = ownable(config, subresource);
  const fields = fieldSetOf(schema, wanted);
  const owners = ownersOf(schema, live);
  const mine = owners.find((owner) => owner.manager === manager && owner.operation === 'Apply' && owner.subresource === subresource);
  const others = owners.filter((owner) => owner !== mine);
  const merged = mergeApplied(schema, live, wanted);
  const { changed } = compareFields(schema, live, merged);
  const isKubectl = manager === 'kubectl';
  const contested = isKubectl ? subtract(changed, lastAppliedFields(schema, live)) : changed;
  const conflicts = force
    ? []
    : others.flatMap((owner) => pathsOf(intersect(owner.fields, contested)).map((path): Conflict => ({ owner, path })));
  if (conflicts.length > 0) return conflictOf(conflicts);
  const object = pruned(merged, mine?.fields ?? NO_FIELDS, fields, others);
  const last = dig(object, 'metadata', 'annotations', LAST_APPLIED) ?? '';
  return { object: isKubectl && last !== '' ? withLastApplied(object, config) : object, merged: object, fields };
}

/**
 * Without what the manager applied before, applies no more, and nobody else has; empty parents go along, but for the metadata: it names the
 * object.
 */
function pruned(merged: JsonObject, before: FieldSet, now: FieldSet, others: readonly Owner[]): JsonObject {
  const isKept = (path: readonly string[]): boolean =>
    (path.length === 1 && path[0] === 'f:metadata') || hasPath(now, path) || others.some((owner) => hasPath(owner.fields, path));
  const gone: Branch = {};
  for (const path of pathsOf(before)) {
    if (isKept(path)) continue;
    const length = path.findIndex((_, index) => !isKept(path.slice(0, index + 1))) + 1;
    let branch = gone;
    for (const step of path.slice(0, length)) branch = branch[step] ??= {};
  }
  return removeFields(merged, gone);
}

interface Branch {
  [step: string]: Branch;
}

interface Conflict {
  readonly owner: Owner;
  readonly path: readonly string[];
}

/** Source: staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/conflict.go. */
function conflictOf(conflicts: readonly Conflict[]): Failure {
  const causes = conflicts.map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${ownerWords(owner)}`,
    field: formatPath(path),
  }));
  const byManager = new Map<string, Conflict[]>();
  for (const conflict of conflicts) {
    const manager = ownerWords(conflict.owner);
    const known = byManager.get(manager);
    if (known === undefined) byManager.set(manager, [conflict]);
    else known.push(conflict);
  }
  const managers = [...byManager.keys()].sort();
  const [single] = conflicts;
  const words =
    conflicts.length === 1 && single !== undefined
      ? `Apply failed with 1 conflict: conflict with ${ownerWords(single.owner)}: ${formatPath(single.path)}`
      : `Apply failed with ${conflicts.length} conflicts: ${managers.map((manager) => `conflicts with ${manager}:\n${(byManager.get(manager) ?? []).map(({ path }) => `- ${formatPath(path)}`).join('\n')}`).join('\n')}`;
  return failure(409, 'Conflict', words, { causes });
}

function ownerWords({ manager, operation, subresource, entry }: Owner): string {
  const where = subresource === undefined ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(manager)}${where}${operation === 'Apply' ? '' : ` using ${asText(entry['apiVersion']) ?? ''}`}`;
}
