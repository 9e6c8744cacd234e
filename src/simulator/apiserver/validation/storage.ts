import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { numberOf } from '../../../base/number.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import { validateNodeTerm } from './affinity.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, forbiddenField, invalidValue, notSupported, required, tooLong } from './field-error.ts';
import { repeatsIn } from './field-lists.ts';
import { goDiff } from './go-diff.ts';
import { immutable } from './metadata.ts';
import { checkQualifiedName, checkSubdomain } from './names.ts';
import { validateLabelSelector } from './label-selector.ts';
import { validateChoice } from './request-rules.ts';
import { validateHostPath } from './volumes.ts';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Source: pkg/apis/core/validation/validation.go (ValidatePersistentVolumeClaimSpec). */
export function validateClaim(claim: JsonObject): readonly FieldError[] {
  return validateClaimSpec(asObject(claim['spec']), 'spec');
}

export function validateClaimSpec(spec: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const modes = asList(spec['accessModes']);
  if (modes.length === 0) errors.push(required(`${path}.accessModes`, 'at least 1 access mode is required'));
  validateLabelSelector(spec['selector'], `${path}.selector`, errors);
  validateModes(modes, `${path}.accessModes`, errors);
  const storage = dig(spec, 'resources', 'requests', 'storage');
  const amount = parseQuantity(storage) ?? 0n;
  if (storage === undefined) errors.push(required(`${path}.resources[storage]`));
  else {
    if (amount < 0n) errors.push(invalidValue(`${path}.resources[storage]`, storage, 'must be greater than or equal to 0'));
    if (amount <= 0n) errors.push(invalidValue(`${path}.resources[storage]`, storage, 'must be greater than zero'));
  }
  validateClassName(spec['storageClassName'], `${path}.storageClassName`, errors);
  validateChoice(spec['volumeMode'], `${path}.volumeMode`, ['Block', 'Filesystem'], errors);
  for (const field of ['dataSource', 'dataSourceRef']) validateDataSource(spec[field], `${path}.${field}`, errors);
  validateClassName(spec['volumeAttributesClassName'], `${path}.volumeAttributesClassName`, errors);
  return errors;
}

function validateClassName(value: Json | undefined, field: string, errors: FieldError[]): void {
  const name = asText(value) ?? '';
  if (name !== '') addWrong(errors, field, name, checkSubdomain(name));
}

function validateModes(modes: readonly Json[], field: string, errors: FieldError[]): void {
  for (const mode of modes) validateChoice(mode, field, ACCESS_MODES, errors);
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(textOf(mode))))
    errors.push(forbiddenField(field, 'may not use ReadWriteOncePod with other access modes'));
}

function validateDataSource(source: Json | undefined, field: string, errors: FieldError[]): void {
  if (!isJsonObject(source)) return;
  const [group, kind] = [asText(source['apiGroup']) ?? '', asText(source['kind']) ?? ''];
  if ((asText(source['name']) ?? '') === '') errors.push(required(`${field}.name`));
  if (kind === '') errors.push(required(`${field}.kind`));
  if (group === '' && kind !== 'PersistentVolumeClaim')
    errors.push(invalidValue(field, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  if (group !== '') addWrong(errors, `${field}.apiGroup`, group, checkSubdomain(group));
}

/** What of a claim stays as it is. Source: the same (ValidatePersistentVolumeClaimUpdate). */
export function validateClaimUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, before] = [asObject(object['spec']), asObject(old['spec'])];
  const errors: FieldError[] = [];
  const bound = dig(object, 'status', 'phase') === 'Bound';
  const requests = asObject(dig(spec, 'resources', 'requests'));
  const sized = bound
    ? {
        resources: withFields(asObject(spec['resources']), {
          requests: withFields(requests, { storage: dig(before, 'resources', 'requests', 'storage') }),
        }),
        volumeAttributesClassName: before['volumeAttributesClassName'],
      }
    : {};
  const mine = withFields(spec, { ...sized, ...(before['storageClassName'] === undefined ? { storageClassName: undefined } : {}) });
  const theirs = (before['volumeName'] ?? '') === '' ? withFields(before, { volumeName: spec['volumeName'] }) : before;
  if (!sameJson(mine, theirs))
    errors.push(
      forbiddenField(
        'spec',
        `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${goDiff('PersistentVolumeClaimSpec', theirs, mine)}`,
      ),
    );
  const [size, oldSize, real] = [
    requests['storage'],
    dig(before, 'resources', 'requests', 'storage'),
    dig(old, 'status', 'capacity', 'storage'),
  ].map((value) => parseQuantity(value) ?? 0n);
  if (size !== undefined && oldSize !== undefined && size < oldSize && size <= (real ?? 0n))
    errors.push(forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  append(errors, immutable('volumeMode', spec['volumeMode'], before['volumeMode']));
  return errors;
}

/** Source: the same (ValidatePersistentVolumeSpec). */
export function validateVolume(volume: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(volume['spec']);
  const modes = asList(spec['accessModes']);
  if (modes.length === 0) errors.push(required('spec.accessModes'));
  validateModes(modes, 'spec.accessModes', errors);
  validateCapacity(spec['capacity'], errors);
  validateChoice(spec['persistentVolumeReclaimPolicy'], 'spec.persistentVolumeReclaimPolicy', ['Delete', 'Recycle', 'Retain'], errors);
  const affinity = spec['nodeAffinity'];
  const nodes = dig(affinity, 'required');
  if (isJsonObject(affinity) && nodes === undefined)
    errors.push(required('spec.nodeAffinity.required', 'must specify required node constraints'));
  const terms = asList(dig(nodes, 'nodeSelectorTerms'));
  if (nodes !== undefined && terms.length === 0)
    errors.push(required('spec.nodeAffinity.required.nodeSelectorTerms', 'must have at least one node selector term'));
  for (const [index, term] of terms.entries()) validateNodeTerm(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, errors);
  validateSources(spec, errors);
  if (spec['persistentVolumeReclaimPolicy'] === 'Recycle' && /^\/+$/.test(asText(dig(spec, 'hostPath', 'path')) ?? ''))
    errors.push(forbiddenField('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'"));
  validateClassName(spec['storageClassName'], 'spec.storageClassName', errors);
  validateChoice(spec['volumeMode'], 'spec.volumeMode', ['Block', 'Filesystem'], errors);
  const attributes = asText(spec['volumeAttributesClassName']);
  if (attributes === '') errors.push(required('spec.volumeAttributesClassName', 'an empty string is disallowed'));
  validateClassName(attributes, 'spec.volumeAttributesClassName', errors);
  if (attributes !== undefined && spec['csi'] === undefined)
    errors.push(required('spec.csi', 'has to be specified when using volumeAttributesClassName'));
  return errors;
}

function validateCapacity(given: Json | undefined, errors: FieldError[]): void {
  const capacity = asObject(given);
  const names = Object.keys(capacity);
  if (names.length === 0) errors.push(required('spec.capacity'));
  if (names.length !== 1 || names[0] !== 'storage') errors.push(notSupported('spec.capacity', given, ['storage']));
  for (const name of names) {
    const amount = parseQuantity(capacity[name]);
    if (amount === undefined || amount > 0n) continue;
    if (amount < 0n)
      errors.push(invalidValue(`spec.capacity[${name}]`, numberOf(amount / 1_000_000_000n), 'must be a valid resource quantity'));
    errors.push(invalidValue(`spec.capacity[${name}]`, capacity[name], 'must be greater than zero'));
  }
}

/** The sources of a volume, in the order upstream looks at them, and what each cannot do without. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  hostPath: [],
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  glusterfs: ['endpoints', 'path'],
  flocker: [],
  nfs: ['server', 'path'],
  rbd: ['monitors', 'image'],
  quobyte: ['registry', 'volume'],
  cephfs: ['monitors'],
  iscsi: ['targetPortal', 'iqn'],
  cinder: ['volumeID'],
  fc: [],
  flexVolume: ['driver'],
  azureFile: ['secretName', 'shareName'],
  vsphereVolume: ['volumePath'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  azureDisk: ['diskName', 'diskURI'],
  scaleIO: ['gateway', 'system', 'volumeName'],
  local: ['path'],
  storageos: [],
  csi: ['driver', 'volumeHandle'],
};

function validateSources(spec: JsonObject, errors: FieldError[]): void {
  const sources = Object.keys(NEEDS).filter((source) => spec[source] !== undefined);
  for (const [index, source] of sources.entries()) {
    if (index > 0) errors.push(forbiddenField(`spec.${source}`, 'may not specify more than 1 volume type'));
    else validateSource(source, asObject(spec[source]), errors);
    if (index === 0 && source === 'local' && !isJsonObject(spec['nodeAffinity']))
      errors.push(required('spec.nodeAffinity', 'Local volume requires node affinity'));
  }
  if (sources.length === 0) errors.push(required('spec', 'must specify a volume type'));
}

const SECRETS: readonly string[] = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

function validateSource(source: string, value: JsonObject, errors: FieldError[]): void {
  const path = `spec.${source}`;
  for (const field of NEEDS[source] ?? [])
    if ((value[field] ?? '') === '' || sameJson(value[field], [])) errors.push(required(`${path}.${field}`));
  const place = asText(value['path']) ?? '';
  if (source === 'hostPath') validateHostPath(value, path, errors);
  if (source === 'nfs' && !place.startsWith('/')) errors.push(invalidValue(`${path}.path`, place, 'must be an absolute path'));
  if (source === 'local' && place.split('/').includes('..')) errors.push(invalidValue(`${path}.path`, place, "must not contain '..'"));
  if (source === 'csi') validateCsi(value, path, errors);
}

function validateCsi(value: JsonObject, path: string, errors: FieldError[]): void {
  const driver = asText(value['driver']) ?? '';
  if (driver.length > 63) errors.push(tooLong(`${path}.driver`, 63));
  if (driver !== '') addWrong(errors, `${path}.driver`, driver, checkSubdomain(driver.toLowerCase()));
  for (const secret of SECRETS)
    for (const field of ['name', 'namespace'])
      if (value[secret] !== undefined && (asText(dig(value, secret, field)) ?? '') === '')
        errors.push(required(`${path}.${secret}.${field}`));
}

/** What a volume is stays. Source: the same (ValidatePersistentVolumeUpdate). */
export function validateVolumeUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, before] = [asObject(object['spec']), asObject(old['spec'])];
  const errors: FieldError[] = [];
  const sourceOf = (value: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.keys(NEEDS)
        .filter((source) => value[source] !== undefined)
        .map((source) => [source, value[source]]),
    );
  if (!sameJson(sourceOf(spec), sourceOf(before)))
    errors.push(
      forbiddenField(
        'spec.persistentvolumesource',
        `spec.persistentvolumesource is immutable after creation\n${goDiff('PersistentVolumeSource', before, spec)}`,
      ),
    );
  append(errors, immutable('volumeMode', spec['volumeMode'], before['volumeMode']));
  if (before['nodeAffinity'] !== undefined && !sameJson(spec['nodeAffinity'], before['nodeAffinity']))
    errors.push(
      invalidValue('nodeAffinity', spec['nodeAffinity'] ?? null, 'field is immutable, except for updating from beta label to GA'),
    );
  return errors;
}

const PARAMETERS = 512;
const PARAMETER_BYTES = 262_144;

/** Source: pkg/apis/storage/validation/validation.go (ValidateStorageClass). */
export function validateStorageClass(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const provisioner = asText(object['provisioner']) ?? '';
  if (provisioner === '') errors.push(required('provisioner'));
  else addWrong(errors, 'provisioner', provisioner.toLowerCase(), checkQualifiedName(provisioner.toLowerCase()));
  const parameters = Object.entries(asTextMap(object['parameters']));
  if (parameters.length > PARAMETERS) errors.push(tooLong('parameters', PARAMETERS));
  else {
    if (parameters.some(([key]) => key === '')) errors.push(invalidValue('parameters', '', 'field can not be empty.'));
    if (parameters.reduce((size, [key, value]) => size + key.length + value.length, 0) > PARAMETER_BYTES)
      errors.push(tooLong('parameters', PARAMETER_BYTES));
  }
  const policy = asText(object['reclaimPolicy']) ?? '';
  if (policy !== '') validateChoice(policy, 'reclaimPolicy', ['Delete', 'Retain'], errors);
  validateChoice(object['volumeBindingMode'], 'volumeBindingMode', ['Immediate', 'WaitForFirstConsumer'], errors);
  for (const [index, term] of asList(object['allowedTopologies']).entries()) validateTopology(term, `allowedTopologies[${index}]`, errors);
  return errors;
}

function validateTopology(term: Json, path: string, errors: FieldError[]): void {
  const expressions = asList(dig(term, 'matchLabelExpressions'));
  const keys = new Set<string>();
  if (expressions.length === 0) errors.push(required(path));
  for (const [index, expression] of expressions.entries()) {
    const field = `${path}.matchLabelExpressions[${index}]`;
    const [key, values] = [asText(dig(expression, 'key')) ?? '', asList(dig(expression, 'values'))];
    if (values.length === 0) errors.push(required(`${field}.values`));
    for (const place of repeatsIn(values)) errors.push(duplicate(`${field}.values[${place}]`, values[place]));
    addWrong(errors, `${field}.key`, key, checkQualifiedName(key));
    if (keys.has(key)) errors.push(duplicate(`${field}.key`, key));
    keys.add(key);
  }
}

/** Source: the same (ValidateStorageClassUpdate). */
export function validateStorageClassUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['parameters', 'provisioner', 'reclaimPolicy'])
    if (!sameJson(object[field], old[field])) errors.push(forbiddenField(field, `updates to ${field} are forbidden.`));
  return [...errors, ...immutable('volumeBindingMode', object['volumeBindingMode'], old['volumeBindingMode'])];
}

/** Source: the same (validateCSIDriverSpec). */
export function validateDriver(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  validateChoice(spec['fsGroupPolicy'], 'spec.fsGroupPolicy', ['File', 'None', 'ReadWriteOnceWithFSType'], errors);
  const audiences = new Set<string>();
  for (const [index, request] of asList(spec['tokenRequests']).entries()) {
    const [audience, seconds] = [asText(dig(request, 'audience')) ?? '', asNumber(dig(request, 'expirationSeconds'))];
    if (audiences.has(audience)) errors.push(duplicate(`spec.tokenRequests[${index}].audience`, audience));
    else if (seconds !== undefined && seconds < 600)
      errors.push(
        invalidValue(`spec.tokenRequests[${index}].expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'),
      );
    else if (seconds !== undefined && seconds > 2 ** 32)
      errors.push(
        invalidValue(`spec.tokenRequests[${index}].expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds'),
      );
    audiences.add(audience);
  }
  for (const mode of asList(spec['volumeLifecycleModes']))
    validateChoice(mode, 'spec.volumeLifecycleModes', ['Persistent', 'Ephemeral'], errors);
  return errors;
}

/** Source: the same (ValidateCSIDriverUpdate). */
export function validateDriverUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, before] = [asObject(object['spec']), asObject(old['spec'])];
  return [
    ...immutable('spec.attachedRequired', spec['attachRequired'], before['attachRequired']),
    ...immutable('spec.volumeLifecycleModes', spec['volumeLifecycleModes'], before['volumeLifecycleModes']),
  ];
}
