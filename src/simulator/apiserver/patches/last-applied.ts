import type { JsonObject } from '../../../base/json.ts';
import { canonicalJson, withPath } from '../../../base/json-edit.ts';
import { parsedObject } from '../../../base/parsed-json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import { compareFields } from '../ownership/compare.ts';
import type { FieldSet } from '../ownership/field-set.ts';
import { fieldSetOf, NO_FIELDS, subtract } from '../ownership/field-set.ts';
import type { Fields } from '../ownership/shapes.ts';

/**
 * What kubectl may take over from its own client-side apply without a conflict: the fields of the last applied configuration that the
 * object still has as they were applied. Source: staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/lastappliedmanager.go.
 */
export function lastAppliedFields(schema: Fields, live: KubeObject): FieldSet {
  const last = parsedObject(annotationsOf(live)[LAST_APPLIED] ?? '');
  if (last === undefined || last['apiVersion'] !== live['apiVersion']) return NO_FIELDS;
  const { changed, removed } = compareFields(schema, last, live);
  return subtract(subtract(fieldSetOf(schema, last), changed), removed);
}

/** The object with a configuration in that annotation, which the configuration itself is without. Source: lastappliedupdater.go beside it. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  return withPath(object, PLACE, `${canonicalJson(withPath(config, PLACE, undefined))}\n`);
}

export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const PLACE = ['metadata', 'annotations', LAST_APPLIED];
