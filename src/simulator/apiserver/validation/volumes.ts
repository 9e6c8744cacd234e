import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { append } from '../../../base/lists.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, addWrongOrMissing, duplicate, forbiddenField, invalidValue, notSupported, required } from './field-error.ts';
import { validateFieldRef, validateResourceRef, VOLUME_FIELDS } from './downward.ts';
import { validateAnnotations, validateLabels } from './metadata.ts';
import { validateDescending } from './mounts.ts';
import { checkLabelName, checkSubdomain } from './names.ts';
import { validateClaimSpec } from './storage.ts';
import type { SourceCheck } from './volume-sources.ts';
import { unlessFoundRight } from './found-right.ts';
import { needs, SHARED_CHECKS, validateDriverName, validateSources } from './volume-sources.ts';

/** The volumes of a pod by name, as far as they are right. Source: pkg/apis/core/validation/validation.go (ValidateVolumes). */
export function validateVolumes(volumes: Json | undefined, path: string, errors: FieldError[]): ReadonlyMap<string, JsonObject> {
  const byName = new Map<string, JsonObject>();
  for (const [index, entry] of asList(volumes).entries()) {
    const volume = asObject(entry);
    const field = `${path}[${index}]`;
    const before = errors.length;
    validateVolume(volume, errors, field);
    const name = asText(volume['name']) ?? '';
    addWrongOrMissing(errors, `${field}.name`, name, checkLabelName);
    if (byName.has(name)) errors.push(duplicate(`${field}.name`, name));
    // One that is wrong is none that can be mounted.
    if (errors.length === before) byName.set(name, volume);
  }
  return byName;
}

/** In the order in which upstream looks at them. */
const POD_SOURCES: readonly string[] = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
];

/** Pods of a template share their volumes. */
const validateVolume = unlessFoundRight((volume, errors, field: string) =>
  validateSources(asObject(volume), field, { ...OF_PODS, name: asText(dig(volume, 'name')) ?? '', nameField: `${field}.name` }, errors),
);

const HOST_PATH_TYPES: readonly string[] = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** What is checked of each source. */
const SOURCES: Readonly<Partial<Record<string, SourceCheck>>> = {
  ...SHARED_CHECKS,
  hostPath: validateHostPath,
  gitRepo: (value, path, errors) => {
    needs('repository')(value, path, errors);
    validateDescending(asText(value['directory']) ?? '', `${path}.directory`, errors);
  },
  emptyDir: (value, path, errors) => {
    if (asText(value['sizeLimit'])?.startsWith('-') === true)
      errors.push(forbiddenField(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'));
  },
  downwardAPI: (value, path, errors) => {
    validateMode(value['defaultMode'], `${path}.defaultMode`, errors);
    validateDownward(value['items'], path, errors);
  },
  secret: (value, path, errors) => {
    needs('secretName')(value, path, errors);
    validateFiles(value, path, errors);
  },
  configMap: (value, path, errors) => {
    needs('name')(value, path, errors);
    validateFiles(value, path, errors);
  },
  persistentVolumeClaim: needs('claimName'),
  csi: validateCsi,
  ephemeral: validateEphemeral,
  projected: validateProjected,
  image: validateImage,
};

const OF_PODS = { order: POD_SOURCES, checks: SOURCES };

function validateCsi(value: JsonObject, path: string, errors: FieldError[]): void {
  validateDriverName(asText(value['driver']) ?? '', `${path}.driver`, errors);
  const secret = value['nodePublishSecretRef'];
  if (!isJsonObject(secret)) return;
  const name = asText(secret['name']) ?? '';
  if (name === '') errors.push(required(`${path}.nodePublishSecretRef.name`));
  else addWrong(errors, `${path}.name`, name, checkSubdomain(name));
}

/** Of the metadata of a claim that a pod makes only labels and annotations may be set. Source: the same (ValidatePersistentVolumeClaimTemplate). */
function validateEphemeral(value: JsonObject, path: string, errors: FieldError[]): void {
  const template = value['volumeClaimTemplate'];
  const field = `${path}.volumeClaimTemplate`;
  if (!isJsonObject(template)) return void errors.push(required(field));
  const metadata = asObject(template['metadata']);
  append(errors, validateAnnotations(metadata['annotations'], `${field}.metadata.annotations`));
  append(errors, validateLabels(metadata['labels'], `${field}.metadata.labels`));
  for (const name of FORBIDDEN_METADATA)
    if (metadata[name] !== undefined && metadata[name] !== null)
      errors.push(forbiddenField(`${field}.metadata.${name === 'uid' ? 'uID' : name}`, 'cannot be set'));
  append(errors, validateClaimSpec(asObject(template['spec']), `${field}.spec`));
}

const FORBIDDEN_METADATA: readonly string[] = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

function validateFiles(value: JsonObject, path: string, errors: FieldError[]): void {
  validateMode(value['defaultMode'], `${path}.defaultMode`, errors);
  validateItems(value['items'], `${path}.items`, errors);
}

/** A template may leave the reference to whoever makes pods of it. Source: the same (validateImageVolumeSource). */
function validateImage(value: JsonObject, path: string, errors: FieldError[]): void {
  if ((asText(value['reference']) ?? '') === '' && path.startsWith('spec.volumes[')) errors.push(required(`${path}.reference`));
  const policy = asText(value['pullPolicy']) ?? '';
  if (policy === '') errors.push(required(`${path}.pullPolicy`));
  else if (!PULL_POLICIES.includes(policy)) errors.push(notSupported(`${path}.pullPolicy`, policy, PULL_POLICIES));
}

const PULL_POLICIES: readonly string[] = ['Always', 'IfNotPresent', 'Never'];

export function validateHostPath(value: JsonObject, path: string, errors: FieldError[]): void {
  const [place, type] = [asText(value['path']) ?? '', asText(value['type']) ?? ''];
  if (place === '') errors.push(required(`${path}.path`));
  if (place.split('/').includes('..')) errors.push(invalidValue(`${path}.path`, place, "must not contain '..'"));
  if (!HOST_PATH_TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, HOST_PATH_TYPES));
}

/** Files that say something of the pod. Source: the same (validateDownwardAPIVolumeFile). */
function validateDownward(items: Json | undefined, path: string, errors: FieldError[]): void {
  for (const item of asList(items)) {
    validatePath(item, path, errors);
    const [field, resource] = [dig(item, 'fieldRef'), dig(item, 'resourceFieldRef')];
    if (isJsonObject(field)) {
      validateFieldRef(field, `${path}.fieldRef`, errors, VOLUME_FIELDS);
      if (isJsonObject(resource))
        errors.push(invalidValue(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
    } else if (isJsonObject(resource)) validateResourceRef(resource, `${path}.resourceFieldRef`, errors, true);
    else errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
    validateMode(dig(item, 'mode'), `${path}.mode`, errors);
  }
}

/** Where a file goes, within its volume. */
function validatePath(item: Json, path: string, errors: FieldError[]): void {
  const file = asText(dig(item, 'path')) ?? '';
  if (file === '') errors.push(required(`${path}.path`));
  else if (file.startsWith('/')) errors.push(invalidValue(`${path}.path`, file, 'must be a relative path'));
  if (file.split('/').includes('..')) errors.push(invalidValue(`${path}.path`, file, "must not contain '..'"));
  if (file.startsWith('..') && file !== '..' && !file.startsWith('../'))
    errors.push(invalidValue(`${path}.path`, file, "must not start with '..'"));
}

function validateMode(mode: Json | undefined, path: string, errors: FieldError[]): void {
  const value = asNumber(mode);
  if (value !== undefined && (value < 0 || value > 511))
    errors.push(invalidValue(path, value, 'must be a number between 0 and 0777 (octal), both inclusive'));
}

function validateItems(items: Json | undefined, path: string, errors: FieldError[]): void {
  for (const [index, item] of asList(items).entries()) {
    const key = asText(dig(item, 'key')) ?? '';
    if (key === '') errors.push(required(`${path}[${index}].key`));
    validatePath(item, `${path}[${index}]`, errors);
    validateMode(dig(item, 'mode'), `${path}[${index}].mode`, errors);
  }
}

/** Source: the same (validateProjectionSources). */
function validateProjected(value: JsonObject, path: string, errors: FieldError[]): void {
  validateMode(value['defaultMode'], `${path}.defaultMode`, errors);
  const taken = new Set<string>();
  const take = (items: Json | undefined, name: string | undefined): void => {
    for (const item of asList(items)) {
      const file = asText(dig(item, 'path')) ?? '';
      if (file !== '' && taken.has(file)) errors.push(invalidValue(path, name ?? file, 'conflicting duplicate paths'));
      taken.add(file);
    }
  };
  for (const [index, entry] of asList(value['sources']).entries()) {
    const field = `${path}.sources[${index}]`;
    for (const source of ['secret', 'configMap']) {
      const projection = dig(entry, source);
      if (!isJsonObject(projection)) continue;
      const name = asText(projection['name']) ?? '';
      if (name === '') errors.push(required(`${field}.${source}.name`));
      validateItems(projection['items'], `${field}.${source}.items`, errors);
      take(projection['items'], name);
    }
    const downward = dig(entry, 'downwardAPI');
    if (isJsonObject(downward)) {
      validateDownward(downward['items'], `${field}.downwardAPI`, errors);
      take(downward['items'], undefined);
    }
    validateToken(dig(entry, 'serviceAccountToken'), field, path, errors);
    // Sources of features that are off are dropped.
    const { clusterTrustBundle: _, podCertificate: __, ...served } = asObject(entry);
    if (Object.values(served).filter((source) => isJsonObject(source)).length > 1)
      errors.push(forbiddenField(field, 'may not specify more than 1 volume type per source'));
  }
}

/** The path is missed where the whole volume is. */
function validateToken(token: Json | undefined, field: string, path: string, errors: FieldError[]): void {
  if (!isJsonObject(token)) return;
  const seconds = asNumber(token['expirationSeconds']) ?? 0;
  if (seconds < 600)
    errors.push(invalidValue(`${field}.serviceAccountToken.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > 2 ** 32)
    errors.push(
      invalidValue(`${field}.serviceAccountToken.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds'),
    );
  validatePath(token, path, errors);
}
