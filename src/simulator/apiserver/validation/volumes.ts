import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import type { FieldError } from './field-error.ts';
import { duplicate, forbiddenField, invalidValue, required } from './field-error.ts';
import { checkConfigKey, checkLabelName } from './names.ts';

/** The volumes of a pod by name, as far as they are right. Source: pkg/apis/core/validation/validation.go (ValidateVolumes). */
export function validateVolumes(volumes: Json | undefined, path: string, errors: FieldError[]): ReadonlyMap<string, JsonObject> {
  const byName = new Map<string, JsonObject>();
  for (const [index, entry] of asList(volumes).entries()) {
    const volume = asObject(entry);
    const field = `${path}[${index}]`;
    const before = errors.length;
    validateSource(volume, field, errors);
    const name = asText(volume['name']) ?? '';
    if (name === '') errors.push(required(`${field}.name`));
    else for (const words of checkLabelName(name)) errors.push(invalidValue(`${field}.name`, name, words));
    if (byName.has(name)) errors.push(duplicate(`${field}.name`, name));
    if (errors.length === before || !byName.has(name)) byName.set(name, volume);
  }
  return byName;
}

function validateSource(volume: JsonObject, path: string, errors: FieldError[]): void {
  const sources = Object.keys(volume).filter((field) => field !== 'name' && volume[field] !== undefined);
  if (sources.length === 0) errors.push(required(path, 'must specify a volume type'));
  for (const [index, source] of sources.entries()) {
    if (index > 0) errors.push(forbiddenField(`${path}.${source}`, 'may not specify more than 1 volume type'));
    else validateOne(source, asObject(volume[source]), `${path}.${source}`, errors);
  }
}

/** What each type of volume cannot do without. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  hostPath: ['path'],
  secret: ['secretName'],
  configMap: ['name'],
  persistentVolumeClaim: ['claimName'],
  nfs: ['server', 'path'],
  csi: ['driver'],
};

function validateOne(source: string, value: JsonObject, path: string, errors: FieldError[]): void {
  for (const field of NEEDS[source] ?? []) if ((asText(value[field]) ?? '') === '') errors.push(required(`${path}.${field}`));
  if (source === 'secret' || source === 'configMap') {
    validateMode(value['defaultMode'], `${path}.defaultMode`, errors);
    validateItems(value['items'], `${path}.items`, errors);
  }
  if (source === 'projected') validateProjected(value, path, errors);
}

function validateMode(mode: Json | undefined, path: string, errors: FieldError[]): void {
  const value = asNumber(mode);
  if (value !== undefined && (value < 0 || value > 511)) errors.push(invalidValue(path, value, 'must be a number between 0 and 0777 (octal), both inclusive'));
}

function validateItems(items: Json | undefined, path: string, errors: FieldError[]): void {
  for (const [index, item] of asList(items).entries()) {
    const [key, file] = [asText(dig(item, 'key')) ?? '', asText(dig(item, 'path')) ?? ''];
    if (key === '') errors.push(required(`${path}[${index}].key`));
    else for (const words of checkConfigKey(key)) errors.push(invalidValue(`${path}[${index}].key`, key, words));
    if (file === '') errors.push(required(`${path}[${index}].path`));
    else if (file.startsWith('/')) errors.push(invalidValue(`${path}[${index}].path`, file, 'must be a relative path'));
    else if (file.split('/').includes('..')) errors.push(invalidValue(`${path}[${index}].path`, file, "must not contain '..'"));
  }
}

function validateProjected(value: JsonObject, path: string, errors: FieldError[]): void {
  for (const [index, entry] of asList(value['sources']).entries()) {
    const field = `${path}.sources[${index}]`;
    for (const source of ['secret', 'configMap']) {
      const projection = dig(entry, source);
      if (!isJsonObject(projection)) continue;
      if ((asText(projection['name']) ?? '') === '') errors.push(required(`${field}.${source}.name`));
      validateItems(projection['items'], `${field}.${source}.items`, errors);
    }
    const token = dig(entry, 'serviceAccountToken');
    if (!isJsonObject(token)) continue;
    const seconds = asNumber(token['expirationSeconds']) ?? 0;
    if (seconds < 600) errors.push(invalidValue(`${field}.serviceAccountToken.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'));
    if ((asText(token['path']) ?? '') === '') errors.push(required(`${field}.serviceAccountToken.path`));
  }
}
