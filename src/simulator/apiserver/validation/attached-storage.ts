import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import { append } from '../../../base/lists.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, forbiddenField, invalidValue, required } from './field-error.ts';
import { internalOf } from './go-diff.ts';
import { selectorValue, validateLabelSelector } from './label-selector.ts';
import { IMMUTABLE } from './metadata.ts';
import { checkQualifiedName, checkSubdomain } from './names.ts';
import { validateVolumeSpec } from './persistent-volumes.ts';
import { validateDriverName } from './volume-sources.ts';

/** Source: pkg/apis/storage/validation/validation.go (ValidateVolumeAttachment). */
export function validateAttachment(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  validateDriverName(asText(spec['attacher']) ?? '', 'spec.attacher', errors);
  const volume = dig(spec, 'source', 'persistentVolumeName');
  const inline = dig(spec, 'source', 'inlineVolumeSpec');
  const words = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (volume === undefined && inline === undefined) errors.push(required('spec.source', words));
  else if (volume !== undefined && inline !== undefined) errors.push(forbiddenField('spec.source', words));
  else if (volume === '') errors.push(required('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName'));
  else if (isJsonObject(inline)) append(errors, validateVolumeSpec(inline, 'spec.source.inlineVolumeSpec', true));
  addWrong(errors, 'spec.nodeName', spec['nodeName'] ?? '', checkSubdomain(asText(spec['nodeName']) ?? ''));
  if (typeof volume === 'string') addWrong(errors, 'spec.source.persistentVolumeName', volume, checkSubdomain(volume));
  return errors;
}

export function validateAttachmentUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  if (sameJson(object['spec'], old['spec'])) return [];
  return [invalidValue('spec', internalOf('VolumeAttachmentSpec', object['spec'] ?? {}), IMMUTABLE)];
}

/** Source: the same (ValidateCSINode). */
export function validateNodeDrivers(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<Json>();
  for (const [index, driver] of asList(dig(object, 'spec', 'drivers')).entries()) {
    const path = `spec.drivers[${index}]`;
    const [name, node] = [asText(dig(driver, 'name')) ?? '', asText(dig(driver, 'nodeID')) ?? ''];
    validateDriverName(name, `${path}.name`, errors);
    if (node === '') errors.push(required(`${path}.nodeID`));
    const count = asNumber(dig(driver, 'allocatable', 'count')) ?? 0;
    if (count < 0) errors.push(invalidValue(`${path}.allocatable.count`, count, 'must be greater than or equal to 0'));
    if (seen.has(name)) errors.push({ type: 'Duplicate', field: `${path}.name`, value: name, detail: '' });
    seen.add(name);
    const keys = new Set<string>();
    for (const key of asList(dig(driver, 'topologyKeys')).map((one) => asText(one) ?? '')) {
      if (key === '') errors.push(required(path));
      if (keys.has(key)) errors.push(duplicate(path, key));
      keys.add(key);
      addWrong(errors, path, key, checkQualifiedName(key));
    }
  }
  return errors;
}

/** A driver that is there may only change how many volumes it takes. */
export function validateNodeDriversUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const plain = (driver: Json): Json => ({ ...asObject(driver), allocatable: null });
  return asList(dig(object, 'spec', 'drivers')).flatMap((driver) => {
    const before = asList(dig(old, 'spec', 'drivers')).find((one) => dig(one, 'name') === dig(driver, 'name'));
    if (before === undefined || sameJson(plain(before), plain(driver))) return [];
    return [invalidValue('spec.drivers', internalOf('CSINodeDriver', { ...asObject(driver), allocatable: null }), IMMUTABLE)];
  });
}

/** Source: the same (ValidateCSIStorageCapacity). */
export function validateStorageCapacity(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  validateLabelSelector(object['nodeTopology'], 'nodeTopology', errors);
  const name = asText(object['storageClassName']) ?? '';
  addWrong(errors, 'storageClassName', name, checkSubdomain(name));
  if ((asText(object['capacity']) ?? '').startsWith('-'))
    errors.push(invalidValue('capacity', object['capacity'], 'must be greater than or equal to 0'));
  return errors;
}

export function validateStorageCapacityUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [field, none] of [
    ['nodeTopology', null],
    ['storageClassName', ''],
  ] as const)
    if (!sameJson(object[field] ?? none, old[field] ?? none))
      errors.push(invalidValue(field, field === 'nodeTopology' ? selectorValue(object[field]) : (object[field] ?? none), IMMUTABLE));
  return errors;
}

/** Source: the same (ValidateVolumeAttributesClass). */
export function validateAttributesClass(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const name = asText(object['driverName']) ?? '';
  if (name === '') errors.push(required('driverName'));
  else addWrong(errors, 'driverName', name, checkQualifiedName(name.toLowerCase()));
  if (Object.keys(asObject(object['parameters'])).length === 0)
    errors.push(required('parameters', 'must contain at least one key/value pair'));
  return errors;
}

export function validateAttributesClassUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  return ['driverName', 'parameters'].flatMap((field) =>
    sameJson(object[field], old[field]) ? [] : [forbiddenField(field, `updates to ${field} are forbidden.`)],
  );
}
