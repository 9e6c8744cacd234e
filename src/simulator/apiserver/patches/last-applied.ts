import type { JsonObject } from '../../../base/json.ts';
import { asObject } from '../../../base/json.ts';
import { canonicalJson, withFields } from '../../../base/json-edit.ts';
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

/** The object with what kubectl has just applied in that annotation, if it has one. Source: lastappliedupdater.go beside it. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  const metadata = asObject(object['metadata']);
  const annotations = asObject(metadata['annotations']);
  if (annotations[LAST_APPLIED] === undefined || annotations[LAST_APPLIED] === '') return object;
  return withFields(object, {
    metadata: withFields(metadata, { annotations: withFields(annotations, { [LAST_APPLIED]: lastAppliedText(config) }) }),
  });
}

/** A configuration as the annotation has it: without the annotation itself. */
export function lastAppliedText(config: JsonObject): string {
  const metadata = asObject(config['metadata']);
  const annotations =
    metadata['annotations'] === undefined ? undefined : withFields(asObject(metadata['annotations']), { [LAST_APPLIED]: undefined });
  return `${canonicalJson(withFields(config, { metadata: withFields(metadata, { annotations }) }))}\n`;
}

export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
