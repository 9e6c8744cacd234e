import type { JsonObject } from '../../../base/json.ts';
import { asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, invalidValue, required } from './field-error.ts';
import { IMMUTABLE } from './metadata.ts';
import { checkPathSegment, checkSubdomain } from './names.ts';

/** Source: pkg/apis/networking/validation/validation.go (ValidateIPAddress). */
export function validateIpAddress(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const parent = dig(object, 'spec', 'parentRef');
  if (!isJsonObject(parent)) return [required('spec.parentRef')];
  const part = (field: string): string => asText(parent[field]) ?? '';
  if (part('group') !== '') addWrong(errors, 'spec.parentRef.group', part('group'), checkSubdomain(part('group')));
  for (const field of ['resource', 'name'])
    if (part(field) === '') errors.push(required(`spec.parentRef.${field}`));
    else addWrong(errors, `spec.parentRef.${field}`, part(field), checkPathSegment(part(field)));
  if (part('namespace') !== '') addWrong(errors, 'spec.parentRef.namespace', part('namespace'), checkPathSegment(part('namespace')));
  return errors;
}

export function validateIpAddressUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [parent, before] = [dig(object, 'spec', 'parentRef'), dig(old, 'spec', 'parentRef')];
  if (sameJson(parent, before)) return [];
  if (!isJsonObject(parent)) return [invalidValue('spec.parentRef', null, IMMUTABLE)];
  const printed = {
    Group: parent['group'] ?? '',
    Resource: parent['resource'] ?? '',
    Namespace: parent['namespace'] ?? '',
    Name: parent['name'] ?? '',
  };
  return [invalidValue('spec.parentRef', printed, IMMUTABLE)];
}

/** Source: pkg/apis/apps/validation/validation.go (ValidateControllerRevisionCreate, ValidateControllerRevisionUpdate). */
export function validateRevision(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const revision = asNumber(object['revision']) ?? 0;
  if (revision < 0) errors.push(invalidValue('revision', revision, 'must be greater than or equal to 0'));
  return errors;
}

export function validateRevisionData(object: JsonObject): readonly FieldError[] {
  const { data } = object;
  if (data === undefined || data === null) return [required('data', 'data is mandatory')];
  return isJsonObject(data) ? [] : [required('data', 'data must be a valid JSON object')];
}

export function validateRevisionUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  return sameJson(object['data'] ?? null, old['data'] ?? null) ? [] : [invalidValue('data', asObject(object)['data'], IMMUTABLE)];
}
