import type { Json } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { resourceOfKind } from '../../model/resources.ts';
import type { Refusal } from '../memory-reader.ts';
import type { Place } from './file-place.ts';

/**
 * What a support bundle could not read: `{"<ns>": "pods is forbidden: …"}` for kinds in namespaces, `["…"]` for others.
 * Source: troubleshoot's pkg/collect/cluster_resources.go.
 */
export function refusalsIn(document: Json, { kind }: Place): readonly Refusal[] {
  if (kind === undefined) return [];
  if (Array.isArray(document)) return (document as readonly Json[]).flatMap((detail) => refusal(kind, undefined, detail));
  if (!isJsonObject(document)) return [];
  return Object.entries(document).flatMap(([namespace, detail]) => refusal(kind, namespace, detail ?? null));
}

const MAX_DETAIL = 1000;

function refusal(kind: string, namespace: string | undefined, detail: Json): readonly Refusal[] {
  if (typeof detail !== 'string' || detail === '') return [];
  const why = /forbidden/i.test(detail) ? 'forbidden' : 'failed';
  const where = namespace === undefined ? {} : { namespace };
  const needs = `list ${resourceOfKind(kind)?.plural ?? kind}${namespace === undefined ? '' : ` in ${namespace}`}`;
  return [{ kind, ...where, why, detail: detail.slice(0, MAX_DETAIL), ...(why === 'forbidden' ? { needs } : {}) }];
}
