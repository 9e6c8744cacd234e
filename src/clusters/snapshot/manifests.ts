import type { Json, JsonObject } from '../../base/json.ts';
import { asText, dig, isJsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { APPLIED_MANIFEST, RECORD_API_VERSION } from '../../model/record-kinds.ts';
import type { Conceal } from '../conceal-secret.ts';
import { concealManifest } from '../conceal-secret.ts';
import type { Documents } from './documents.ts';

/**
 * Whether a file holds what a person wrote for `apply`, not what a cluster answered: its folder says so, or nothing in it was ever stored.
 */
export function isManifest(path: string, { documents, syntax }: Documents): boolean {
  if (isManifestPath(path)) return true;
  const objects = documents.flatMap(({ value }) => itemsOf(value));
  return syntax === 'yaml' && objects.length > 0 && objects.every(isUnstored);
}

/** `manifests/web.yaml`, at any depth. */
export function isManifestPath(path: string): boolean {
  return /(?:^|\/)manifests\//i.test(path) && /[^/]\.(?:ya?ml|json)$/i.test(path);
}

/** A record for each document, also for those that cannot be parsed. Of Secrets stays what `conceal` leaves. */
export function manifestRecords(path: string, { documents, faults }: Documents, conceal: Conceal = concealManifest): readonly KubeObject[] {
  const read = documents.flatMap(({ value, line }) =>
    itemsOf(value).map((object) => ({ line, spec: { file: path, object: conceal(object) } })),
  );
  const failed = faults.map(({ line, message, seems }) => ({
    line,
    spec: { file: path, error: { line, message, ...(seems === undefined ? {} : { seems }) } },
  }));
  const all: readonly { readonly line: number; readonly spec: JsonObject }[] = [...read, ...failed].toSorted((a, b) => a.line - b.line);
  return all.map(({ spec }, index) => {
    const namespace = asText(dig(spec, 'object', 'metadata', 'namespace'));
    const metadata = { name: `${path}#${String(index + 1)}`, ...(namespace === undefined || namespace === '' ? {} : { namespace }) };
    return { apiVersion: RECORD_API_VERSION, kind: APPLIED_MANIFEST, metadata, spec };
  });
}

/** The documents apply makes of one: a List is taken apart. */
function itemsOf(document: Json): readonly Json[] {
  const items = dig(document, 'items');
  const isList = asText(dig(document, 'kind'))?.endsWith('List') === true;
  return isList && Array.isArray(items) ? (items as readonly Json[]) : [document];
}

function isUnstored(object: Json): boolean {
  if (!isJsonObject(object)) return false;
  const kind = asText(object['kind']);
  if (kind === undefined || kind === 'Event' || asText(object['apiVersion']) === undefined || !isJsonObject(object['metadata']))
    return false;
  return (
    object['status'] === undefined &&
    dig(object, 'metadata', 'uid') === undefined &&
    dig(object, 'metadata', 'resourceVersion') === undefined
  );
}
