import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import { canonicalJson, sameJson, withFields } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, forbiddenField, invalidValue, required, tooLong } from './field-error.ts';
import { repeatsIn } from './field-lists.ts';
import { goDiff } from './go-diff.ts';
import { immutable } from './metadata.ts';
import { checkLabelName, checkQualifiedName, checkSubdomain } from './names.ts';
import { sortedMap, validateLabelSelector } from './label-selector.ts';
import { validateChoice } from './request-rules.ts';

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
  validateDataSources(spec, path, errors);
  validateClassName(spec['volumeAttributesClassName'], `${path}.volumeAttributesClassName`, errors);
  return errors;
}

export function validateClassName(value: Json | undefined, field: string, errors: FieldError[]): void {
  const name = asText(value) ?? '';
  if (name !== '') addWrong(errors, field, name, checkSubdomain(name));
}

export function validateModes(modes: readonly Json[], field: string, errors: FieldError[]): void {
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

/** Source: the same (validateDataSource, validateDataSourceRef, isDataSourceEqualDataSourceRef). */
function validateDataSources(spec: JsonObject, path: string, errors: FieldError[]): void {
  const { dataSource: source, dataSourceRef: reference } = spec;
  validateDataSource(source, `${path}.dataSource`, errors);
  validateDataSource(reference, `${path}.dataSourceRef`, errors);
  if (!isJsonObject(reference)) return;
  const namespace = asText(reference['namespace']) ?? '';
  if (namespace !== '') addWrong(errors, `${path}.dataSourceRef.namespace`, namespace, checkLabelName(namespace));
  if (!isJsonObject(source)) return;
  const same = ['apiGroup', 'kind', 'name'].every((field) => (source[field] ?? '') === (reference[field] ?? ''));
  // Upstream tells its own path instead of the value.
  if (namespace !== '') errors.push(invalidValue(path, {}, 'may not be specified when dataSourceRef.namespace is specified'));
  else if (!same) errors.push(invalidValue(path, {}, 'must match dataSourceRef'));
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
  validateTopologies(asList(object['allowedTopologies']), errors);
  return errors;
}

/** The list of terms seen before begins with as many empty ones as there are terms. Source: the same (validateAllowedTopologies). */
function validateTopologies(terms: readonly Json[], errors: FieldError[]): void {
  const seen = terms.map((): string => '{}');
  for (const [index, term] of terms.entries()) {
    const path = `allowedTopologies[${index}]`;
    validateTopology(term, path, errors);
    const entries = asList(dig(term, 'matchLabelExpressions')).map((one) => [
      asText(dig(one, 'key')) ?? '',
      asList(dig(one, 'values')).map(textOf).sort(),
    ]);
    const text = canonicalJson(Object.fromEntries(entries) as JsonObject);
    for (const other of seen) if (other === text) errors.push(duplicate(`${path}.matchLabelExpressions`, ''));
    seen.push(text);
  }
}

function validateTopology(term: Json, path: string, errors: FieldError[]): void {
  const expressions = asList(dig(term, 'matchLabelExpressions'));
  const keys = new Set<string>();
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
  return [
    ...immutable('parameters', object['parameters'] ?? {}, old['parameters'] ?? {}).map((error) => ({
      ...error,
      value: isJsonObject(object['parameters']) ? sortedMap(object['parameters']) : null,
    })),
    ...immutable('provisioner', object['provisioner'] ?? '', old['provisioner'] ?? ''),
    ...immutable('reclaimPolicy', object['reclaimPolicy'], old['reclaimPolicy']),
    ...immutable('volumeBindingMode', object['volumeBindingMode'], old['volumeBindingMode']),
  ];
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
  const period = asNumber(spec['nodeAllocatableUpdatePeriodSeconds']);
  if (period !== undefined && period < 10)
    errors.push(invalidValue('spec.nodeAllocatableUpdatePeriodSeconds', period, 'must be greater than or equal to 10 seconds'));
  for (const mode of asList(spec['volumeLifecycleModes']))
    validateChoice(mode, 'spec.volumeLifecycleModes', ['Persistent', 'Ephemeral'], errors);
  const inSecrets = spec['serviceAccountTokenInSecrets'];
  if (inSecrets !== undefined && asList(spec['tokenRequests']).length === 0)
    errors.push(
      invalidValue(
        'spec.serviceAccountTokenInSecrets',
        inSecrets,
        'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
      ),
    );
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
