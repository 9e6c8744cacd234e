import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, digAt, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import type { FieldError } from '../validation/field-error.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../validation/field-error.ts';
import { checkServiceName, checkSubdomain } from '../validation/names.ts';
import { validateClientConfig } from '../validation/webhooks.ts';
import { checkSelectableFields } from './selectable-fields.ts';
import { checkDefinitionSchema } from './definition-schema.ts';

/**
 * What is wrong with a CustomResourceDefinition. Source:
 * staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go.
 * What all versions have alike stands in the spec itself inside, and is named there (pkg/apis/apiextensions/v1/conversion.go).
 */
export function checkDefinition(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const group = asText(spec['group']) ?? '';
  checkGroup(group, errors);
  const scope = asText(spec['scope']) ?? '';
  if (scope === '') errors.push(required('spec.scope'));
  else if (scope !== 'Cluster' && scope !== 'Namespaced') errors.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  const versions = asList(spec['versions']);
  for (const [index, version] of versions.entries())
    if (!isJsonObject(dig(version, 'schema', 'openAPIV3Schema'))) errors.push(required(`spec.versions[${index}].schema.openAPIV3Schema`));
  checkVersions(versions, spec['versions'] ?? null, errors);
  checkNames(asObject(spec['names']), errors);
  checkShared(versions, errors);
  checkConversion(asObject(spec['conversion']), spec['preserveUnknownFields'] === true, errors);
  return [...errors, ...checkApproval(object, group)];
}

/** That the name is made of what the definition says. Source: the same (ValidateCustomResourceDefinition). */
export function checkDefinitionName(metadata: JsonObject, spec: Json | undefined): readonly FieldError[] {
  const wanted = `${asText(dig(spec, 'names', 'plural')) ?? ''}.${asText(dig(spec, 'group')) ?? ''}`;
  return ['generateName', 'name'].flatMap((field) => {
    const name = asText(metadata[field]) ?? '';
    const ignored = name === wanted || (field === 'generateName' && name === '');
    return ignored ? [] : [invalidValue(`metadata.${field}`, name, 'must be spec.names.plural+"."+spec.group')];
  });
}

/** What only a new definition must be. Source: the same (ValidateCustomResourceDefinitionStoredVersions, validatePreserveUnknownFields). */
export function checkNewDefinition(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  append(errors, checkStoredVersions(object));
  return [...errors, ...checkPreserving(object)];
}

function checkPreserving(object: JsonObject): readonly FieldError[] {
  if (dig(object, 'spec', 'preserveUnknownFields') !== true) return [];
  const words = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidValue('spec.preserveUnknownFields', true, words)];
}

/** Source: the same (ValidateCustomResourceDefinitionStatus). */
export function checkDefinitionStatus(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  checkWords(asObject(dig(object, 'status', 'acceptedNames')), 'status.acceptedNames', errors);
  return errors;
}

/** What may not change once the definition is there. */
export function checkDefinitionUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const established = asList(dig(old, 'status', 'conditions')).some(
    (condition) => dig(condition, 'type') === 'Established' && dig(condition, 'status') === 'True',
  );
  const fields = [...(established ? [['scope'], ['names', 'kind']] : []), ['group'], ['names', 'plural']];
  return [
    ...fields.flatMap((path) =>
      digAt(object, ['spec', ...path]) === digAt(old, ['spec', ...path])
        ? []
        : [invalidValue(`spec.${path.join('.')}`, digAt(object, ['spec', ...path]) ?? '', 'field is immutable')],
    ),
    ...checkStoredVersions(object),
    ...(dig(old, 'spec', 'preserveUnknownFields') === true ? [] : checkPreserving(object)),
  ];
}

/** Source: the same (ValidateCustomResourceDefinitionStoredVersions). */
function checkStoredVersions(object: JsonObject): readonly FieldError[] {
  const [stored, versions] = [asList(dig(object, 'status', 'storedVersions')), asList(dig(object, 'spec', 'versions'))];
  const field = 'status.storedVersions';
  if (stored.length === 0) return [invalidValue(field, null, 'must have at least one stored version')];
  const names = versions.map((version) => textOf(dig(version, 'name')));
  const left = new Set(stored);
  const lacking = versions.flatMap((version, index) => {
    // Of two versions of one name it is only there once.
    const name = names[index] ?? '';
    const isStored = left.delete(name);
    return dig(version, 'storage') !== true || isStored ? [] : [invalidValue(field, stored, `must have the storage version ${name}`)];
  });
  const gone = stored.flatMap((version, index) =>
    names.includes(textOf(version))
      ? []
      : [
          invalidValue(
            `${field}[${index}]`,
            version,
            `missing from spec.versions; ${textOf(version)} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${textOf(version)} and removes ${textOf(version)} from status.storedVersions`,
          ),
        ],
  );
  return [...lacking, ...gone];
}

function checkGroup(group: string, errors: FieldError[]): void {
  const wrong = checkSubdomain(group);
  if (group === '') errors.push(required('spec.group'));
  else if (wrong.length > 0) errors.push(invalidValue('spec.group', group, wrong.join(',')));
  else if (!group.includes('.')) errors.push(invalidValue('spec.group', group, 'should be a domain with at least one dot'));
}

function checkVersions(versions: readonly Json[], told: Json, errors: FieldError[]): void {
  for (const [index, version] of versions.entries()) {
    const field = `spec.versions[${index}]`;
    checkVersion(version, field, errors);
    for (const part of PARTS) if (!isShared(versions, part)) checkPart(part, version, field, `${field}.schema`, errors);
    // A schema that all versions have alike is not one of the version's.
    if (!isShared(versions, 'selectableFields'))
      checkSelectable(isShared(versions, 'schema') ? undefined : schemaOf(version), version, field, OF_VERSION, errors);
  }
  const names = versions.map((version) => dig(version, 'name'));
  if (new Set(names).size < names.length) errors.push(invalidValue('spec.versions', told, 'must contain unique version names'));
  if (versions.filter((version) => dig(version, 'storage') === true).length !== 1)
    errors.push(invalidValue('spec.versions', told, 'must have exactly one version marked as storage version'));
  // Inside, the first version stands in a field of its own, too.
  const [first] = names.map((name) => asText(name) ?? '');
  const wrong = first === undefined || first === '' ? [] : checkServiceName(first);
  if (wrong.length > 0) errors.push(invalidValue('spec.version', first ?? '', wrong.join(',')));
}

function checkVersion(version: Json, field: string, errors: FieldError[]): void {
  const wrong = checkServiceName(asText(dig(version, 'name')) ?? '');
  if (wrong.length > 0) errors.push(invalidValue(`${field}.name`, dig(version, 'name') ?? '', wrong.join(',')));
  const warning = dig(version, 'deprecationWarning');
  if (warning !== undefined && dig(version, 'deprecated') !== true)
    errors.push(invalidValue(`${field}.deprecationWarning`, warning, 'can only be set for deprecated versions'));
}

/** What a version may have for itself or, where all versions have it alike, stands in the spec itself. */
const PARTS = ['schema', 'subresources', 'additionalPrinterColumns'] as const;

function checkPart(part: (typeof PARTS)[number], version: Json, field: string, schemaField: string, errors: FieldError[]): void {
  const schema = schemaOf(version);
  if (part === 'schema' && isJsonObject(schema))
    append(errors, checkDefinitionSchema(schema, `${schemaField}.openAPIV3Schema`, dig(version, 'subresources', 'status') !== undefined));
  if (part === 'subresources') checkSubresources(dig(version, 'subresources'), `${field}.subresources`, errors);
  if (part !== 'additionalPrinterColumns') return;
  for (const [index, column] of asList(dig(version, 'additionalPrinterColumns')).entries())
    checkColumn(asObject(column), `${field}.additionalPrinterColumns[${index}]`, errors);
}

/** What all versions have alike. */
function checkShared(versions: readonly Json[], errors: FieldError[]): void {
  const [first] = versions;
  if (first === undefined) return;
  for (const part of PARTS) if (isShared(versions, part)) checkPart(part, first, 'spec', 'spec.validation', errors);
  if (!isShared(versions, 'selectableFields')) return;
  const schema = isShared(versions, 'schema') && dig(first, 'schema') !== undefined ? (schemaOf(first) ?? {}) : undefined;
  checkSelectable(schema, first, 'spec', 'may only be set when validations.schema is included', errors);
}

/** As upstream says it, though it is the other way round. */
const OF_VERSION = 'may only be set when `version.schema.openAPIV3Schema` is not included';

function schemaOf(version: Json): Json | undefined {
  return dig(version, 'schema', 'openAPIV3Schema');
}

function checkSelectable(schema: Json | undefined, version: Json, path: string, lacking: string, errors: FieldError[]): void {
  const [field, fields] = [`${path}.selectableFields`, asList(dig(version, 'selectableFields'))];
  if (fields.length === 0) return;
  if (schema === undefined) errors.push(invalidValue(field, '', lacking));
  else append(errors, checkSelectableFields(fields, schema, field));
}

function isShared(versions: readonly Json[], part: string): boolean {
  return versions.every((version) => sameJson(dig(version, part), dig(versions[0], part)));
}

function checkNames(names: JsonObject, errors: FieldError[]): void {
  for (const field of ['plural', 'singular', 'kind', 'listKind'])
    if ((asText(names[field]) ?? '') === '') errors.push(required(`spec.names.${field}`));
  checkWords(names, 'spec.names', errors);
}

/** Source: the same (ValidateCustomResourceDefinitionNames). */
function checkWords(names: JsonObject, path: string, errors: FieldError[]): void {
  for (const field of ['plural', 'singular', 'kind', 'listKind']) {
    const name = asText(names[field]) ?? '';
    const mixed = field === 'kind' || field === 'listKind';
    const wrong = name === '' ? [] : checkServiceName(mixed ? name.toLowerCase() : name);
    if (wrong.length > 0)
      errors.push(
        invalidValue(`${path}.${field}`, name, `${mixed ? 'may have mixed case, but should otherwise match: ' : ''}${wrong.join(',')}`),
      );
  }
  const words = (field: string): void => {
    for (const [index, word] of asList(names[field]).entries()) {
      const wrong = checkServiceName(textOf(word));
      if (wrong.length > 0) errors.push(invalidValue(`${path}.${field}[${index}]`, word, wrong.join(',')));
    }
  };
  words('shortNames');
  if (names['kind'] !== undefined && names['kind'] === names['listKind'])
    errors.push(invalidValue(`${path}.listKind`, names['listKind'], 'kind and listKind may not be the same'));
  words('categories');
}

function checkSubresources(subresources: Json | undefined, field: string, errors: FieldError[]): void {
  const scale = dig(subresources, 'scale');
  if (scale === undefined) return;
  for (const [name, part, isNeeded] of [
    ['specReplicasPath', '.spec', true],
    ['statusReplicasPath', '.status', true],
    ['labelSelectorPath', '.status', false],
  ] as const) {
    const path = asText(dig(scale, name)) ?? '';
    const at = `${field}.scale.${name}`;
    if (path === '') {
      if (isNeeded) errors.push(required(at));
    } else if (!path.startsWith('.')) errors.push(invalidValue(at, path, 'must be a simple json path starting with .'));
    else if (!path.startsWith(`${part}.`)) errors.push(invalidValue(at, path, `should be a json path under ${part}`));
  }
}

const COLUMN_TYPES: readonly string[] = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS: readonly string[] = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function checkColumn(column: JsonObject, field: string, errors: FieldError[]): void {
  const [name, type, path] = [asText(column['name']) ?? '', asText(column['type']) ?? '', asText(column['jsonPath']) ?? ''];
  if (name === '') errors.push(required(`${field}.name`));
  if (type === '') errors.push(required(`${field}.type`, `must be one of ${COLUMN_TYPES.join(',')}`));
  else if (!COLUMN_TYPES.includes(type)) errors.push(invalidValue(`${field}.type`, type, `must be one of ${COLUMN_TYPES.join(',')}`));
  const format = asText(column['format']) ?? '';
  if (format !== '' && !COLUMN_FORMATS.includes(format))
    errors.push(invalidValue(`${field}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`));
  if (path === '') errors.push(required(`${field}.JSONPath`));
  else if (!path.startsWith('.')) errors.push(invalidValue(`${field}.JSONPath`, path, 'must be a simple json path starting with .'));
}

const REVIEWS: readonly string[] = ['v1', 'v1beta1'];

function someReviews(webhook: Json | undefined): boolean {
  return asList(dig(webhook, 'conversionReviewVersions')).length > 0;
}

function checkConversion(conversion: JsonObject, preserves: boolean, errors: FieldError[]): void {
  const strategy = asText(conversion['strategy']) ?? '';
  if (preserves && strategy !== 'None')
    errors.push(invalidValue('spec.conversion.strategy', strategy, 'must be None if spec.preserveUnknownFields is true'));
  if (strategy === '') errors.push(required('spec.conversion.strategy'));
  else if (strategy !== 'None' && strategy !== 'Webhook')
    errors.push(notSupported('spec.conversion.strategy', strategy, ['None', 'Webhook']));
  const webhook = conversion['webhook'];
  if (strategy !== 'Webhook') {
    const given = { webhookClientConfig: dig(webhook, 'clientConfig') !== undefined, conversionReviewVersions: someReviews(webhook) };
    for (const [field, isGiven] of Object.entries(given))
      if (isGiven) errors.push(forbiddenField(`spec.conversion.${field}`, 'should not be set when strategy is not set to Webhook'));
    return;
  }
  const config = dig(webhook, 'clientConfig');
  if (config === undefined) errors.push(required('spec.conversion.webhookClientConfig', 'required when strategy is set to Webhook'));
  else validateClientConfig(asObject(config), 'spec.conversion.webhookClientConfig', errors);
  const reviews = asList(dig(webhook, 'conversionReviewVersions'));
  const field = 'spec.conversion.conversionReviewVersions';
  if (reviews.length === 0) errors.push(required(field));
  else if (!reviews.some((version) => REVIEWS.includes(textOf(version))))
    errors.push(invalidValue(field, reviews, `must include at least one of ${REVIEWS.join(', ')}`));
}

const APPROVED = 'api-approved.kubernetes.io';

/** Groups of Kubernetes' own want to be approved. */
function checkApproval(object: JsonObject, group: string): readonly FieldError[] {
  const isProtected = ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
  const approval = asText(asObject(dig(object, 'metadata', 'annotations'))[APPROVED]);
  if (!isProtected || approval?.startsWith('unapproved') === true || /^https?:\/\//.test(approval ?? '')) return [];
  const words =
    approval === undefined
      ? `protected groups must have approval annotation "${APPROVED}", see https://github.com/kubernetes/enhancements/pull/1111`
      : `protected groups must have approval annotation "${APPROVED}" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111`;
  return approval === undefined
    ? [required(`metadata.annotations[${APPROVED}]`, words)]
    : [invalidValue(`metadata.annotations[${APPROVED}]`, approval, words)];
}
