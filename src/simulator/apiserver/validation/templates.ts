import type { JsonObject } from '../../../base/json.ts';
import { asList, asObject, dig } from '../../../base/json.ts';
import { append } from '../../../base/lists.ts';
import type { FieldError } from './field-error.ts';
import { forbiddenField } from './field-error.ts';
import { validateAnnotations, validateLabels } from './metadata.ts';
import { validatePodSpec } from './pod-spec.ts';

/**
 * The template of a workload's pods; its metadata is named without `metadata`. Source: pkg/apis/core/validation/validation.go
 * (ValidatePodTemplateSpec).
 */
export function validatePodTemplate(template: JsonObject, path: string, errors: FieldError[], spec = asObject(template['spec'])): void {
  append(errors, [
    ...validateLabels(dig(template, 'metadata', 'labels'), `${path}.labels`),
    ...validateAnnotations(dig(template, 'metadata', 'annotations'), `${path}.annotations`),
  ]);
  append(errors, validatePodSpec(spec, `${path}.spec`));
  if (asList(spec['ephemeralContainers']).length > 0)
    errors.push(forbiddenField(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'));
}
