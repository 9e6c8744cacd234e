import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import { append } from '../../../base/lists.ts';
import { numberOf } from '../../../base/number.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import { validateNodeTerm } from './affinity.ts';
import type { FieldError } from './field-error.ts';
import { addWrongOrMissing, forbiddenField, invalidValue, notSupported, required } from './field-error.ts';
import { goDiff, internalOf } from './go-diff.ts';
import { sortedMap } from './label-selector.ts';
import { immutable } from './metadata.ts';
import { checkLabelName, checkSubdomain } from './names.ts';
import { validateChoice } from './request-rules.ts';
import { validateClassName, validateModes } from './storage.ts';
import type { SourceCheck } from './volume-sources.ts';
import { needs, SHARED_CHECKS, validateDriverName, validateSources } from './volume-sources.ts';
import { validateHostPath } from './volumes.ts';

/** Source: pkg/apis/core/validation/validation.go (ValidatePersistentVolume). */
export function validateVolume(volume: JsonObject): readonly FieldError[] {
  return validateVolumeSpec(asObject(volume['spec']), 'spec', false, asText(dig(volume, 'metadata', 'name')));
}

/** `inline`: of a volume that an attachment has without an object. Source: the same (ValidatePersistentVolumeSpec). */
export function validateVolumeSpec(spec: JsonObject, path: string, inline: boolean, name = ''): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (inline) validateInline(spec, path, errors);
  const modes = asList(spec['accessModes']);
  if (modes.length === 0) errors.push(required(`${path}.accessModes`));
  validateModes(modes, `${path}.accessModes`, errors);
  if (!inline) validateCapacity(spec['capacity'], errors);
  validateReclaimPolicy(spec, path, inline, errors);
  if (inline && isJsonObject(spec['nodeAffinity'])) errors.push(notInline(`${path}.nodeAffinity`));
  else validateNodeAffinity(spec['nodeAffinity'], errors);
  validateSources(spec, path, { order: PERSISTENT_SOURCES, checks: CHECKS, name, nameField: 'metadata.name' }, errors);
  if (spec['persistentVolumeReclaimPolicy'] === 'Recycle' && /^\/+$/.test(asText(dig(spec, 'hostPath', 'path')) ?? ''))
    errors.push(forbiddenField(`${path}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'"));
  if (isFirst(spec, 'local') && (inline || !isJsonObject(spec['nodeAffinity'])))
    errors.push(required(`${path}.nodeAffinity`, 'Local volume requires node affinity'));
  validateModeAndClasses(spec, path, inline, errors);
  return errors;
}

function validateInline(spec: JsonObject, path: string, errors: FieldError[]): void {
  for (const field of ['claimRef', 'capacity'])
    if (Object.keys(asObject(spec[field])).length > 0) errors.push(notInline(`${path}.${field}`));
  if (spec['csi'] === undefined) errors.push(required(`${path}.csi`, 'has to be specified in the context of inline volumes'));
}

function notInline(field: string): FieldError {
  return forbiddenField(field, 'may not be specified in the context of inline volumes');
}

function validateReclaimPolicy(spec: JsonObject, path: string, inline: boolean, errors: FieldError[]): void {
  const [field, policy] = [`${path}.persistentVolumeReclaimPolicy`, asText(spec['persistentVolumeReclaimPolicy']) ?? ''];
  if (!inline) validateChoice(spec['persistentVolumeReclaimPolicy'], field, ['Delete', 'Recycle', 'Retain'], errors);
  else if (policy !== '' && policy !== 'Retain') errors.push(forbiddenField(field, 'may only be Retain in the context of inline volumes'));
}

function validateNodeAffinity(affinity: Json | undefined, errors: FieldError[]): void {
  if (!isJsonObject(affinity)) return;
  const nodes = affinity['required'];
  if (nodes === undefined) return void errors.push(required('spec.nodeAffinity.required', 'must specify required node constraints'));
  const terms = asList(dig(nodes, 'nodeSelectorTerms'));
  const field = 'spec.nodeAffinity.required.nodeSelectorTerms';
  if (terms.length === 0) errors.push(required(field, 'must have at least one node selector term'));
  for (const [index, term] of terms.entries()) validateNodeTerm(term, `${field}[${index}]`, errors);
}

function validateModeAndClasses(spec: JsonObject, path: string, inline: boolean, errors: FieldError[]): void {
  if (inline && (asText(spec['storageClassName']) ?? '') !== '') errors.push(notInline(`${path}.storageClassName`));
  else validateClassName(spec['storageClassName'], `${path}.storageClassName`, errors);
  const mode = spec['volumeMode'];
  if (!inline) validateChoice(mode, `${path}.volumeMode`, ['Block', 'Filesystem'], errors);
  else if (mode !== undefined && mode !== 'Filesystem')
    errors.push(forbiddenField(`${path}.volumeMode`, 'may not specify volumeMode other than Filesystem in the context of inline volumes'));
  const attributes = asText(spec['volumeAttributesClassName']);
  if (inline || attributes === undefined) return;
  if (attributes === '') errors.push(required('spec.volumeAttributesClassName', 'an empty string is disallowed'));
  validateClassName(attributes, 'spec.volumeAttributesClassName', errors);
  if (spec['csi'] === undefined) errors.push(required('spec.csi', 'has to be specified when using volumeAttributesClassName'));
}

function validateCapacity(given: Json | undefined, errors: FieldError[]): void {
  const capacity = sortedMap(asObject(given));
  const names = Object.keys(capacity);
  if (names.length === 0) errors.push(required('spec.capacity'));
  if (names.length !== 1 || names[0] !== 'storage')
    errors.push(notSupported('spec.capacity', given === undefined ? null : capacity, ['storage']));
  for (const name of names) {
    const amount = parseQuantity(capacity[name]);
    if (amount === undefined || amount > 0n) continue;
    if (amount < 0n)
      errors.push(invalidValue(`spec.capacity[${name}]`, numberOf(amount / 1_000_000_000n), 'must be a valid resource quantity'));
    errors.push(invalidValue(`spec.capacity[${name}]`, capacity[name], 'must be greater than zero'));
  }
}

/** In the order in which upstream looks at them. */
const PERSISTENT_SOURCES: readonly string[] = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
];

function isFirst(spec: JsonObject, source: string): boolean {
  return PERSISTENT_SOURCES.find((one) => isJsonObject(spec[one])) === source;
}

const CHECKS: Readonly<Partial<Record<string, SourceCheck>>> = {
  ...SHARED_CHECKS,
  hostPath: validateHostPath,
  local: (value, path, errors) => {
    needs('path')(value, path, errors);
    const place = asText(value['path']) ?? '';
    if (place.split('/').includes('..')) errors.push(invalidValue(`${path}.path`, place, "must not contain '..'"));
  },
  csi: validateCsi,
};

const SECRETS: readonly string[] = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

function validateCsi(value: JsonObject, path: string, errors: FieldError[]): void {
  validateDriverName(asText(value['driver']) ?? '', `${path}.driver`, errors);
  needs('volumeHandle')(value, path, errors);
  for (const secret of SECRETS) {
    if (value[secret] === undefined) continue;
    addWrongOrMissing(errors, `${path}.${secret}.name`, asText(dig(value, secret, 'name')) ?? '', checkSubdomain);
    addWrongOrMissing(errors, `${path}.${secret}.namespace`, asText(dig(value, secret, 'namespace')) ?? '', checkLabelName);
  }
}

const EXPANDING: readonly string[] = ['controllerExpandSecretRef', 'nodeExpandSecretRef'];

/** What a volume is stays. Source: the same (ValidatePersistentVolumeUpdate). */
export function validateVolumeUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, before] = [asObject(object['spec']), asObject(old['spec'])];
  // The registry looks at the whole, and so does this.
  const errors: FieldError[] = [...validateVolume(object)];
  const sourceOf = (value: JsonObject): JsonObject =>
    Object.fromEntries(PERSISTENT_SOURCES.filter((source) => value[source] !== undefined).map((source) => [source, value[source]]));
  // A secret for its growth may come later.
  const added = EXPANDING.filter((secret) => isJsonObject(before['csi']) && dig(before, 'csi', secret) === undefined);
  const mine = isJsonObject(spec['csi'])
    ? withFields(spec, { csi: withFields(spec['csi'], Object.fromEntries(added.map((secret) => [secret, undefined]))) })
    : spec;
  if (!sameJson(sourceOf(mine), sourceOf(before)))
    errors.push(
      forbiddenField(
        'spec.persistentvolumesource',
        `spec.persistentvolumesource is immutable after creation\n${goDiff('PersistentVolumeSource', before, mine)}`,
      ),
    );
  append(errors, immutable('volumeMode', spec['volumeMode'], before['volumeMode']));
  if (before['nodeAffinity'] !== undefined && !sameJson(spec['nodeAffinity'], before['nodeAffinity']))
    errors.push(
      invalidValue(
        'nodeAffinity',
        internalOf('VolumeNodeAffinity', spec['nodeAffinity']),
        'field is immutable, except for updating from beta label to GA',
      ),
    );
  return errors;
}
