import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, digAt } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { semverOf } from '../cel/semver.ts';
import { validateNodeTerm } from './affinity.ts';
import { DEVICE_EFFECTS, deviceLabel, driverName, poolName, qualifiedName } from './device-names.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, forbiddenField, invalidValue, notSupported, required, tooLong, tooMany } from './field-error.ts';
import { validateMembers } from './field-lists.ts';
import { immutable } from './metadata.ts';
import { checkLabelValue, checkQualifiedName, checkSubdomain } from './names.ts';

/** What devices a driver offers. Source: pkg/apis/resource/validation/validation.go (validateResourceSliceSpec). */
export function validateResourceSlice(slice: JsonObject, old?: JsonObject): readonly FieldError[] {
  const [spec, before] = [asObject(slice['spec']), old === undefined ? undefined : asObject(old['spec'])];
  const errors = [...driverName(spec['driver'], 'spec.driver'), ...pool(spec['pool'])];
  if (before !== undefined)
    append(
      errors,
      [['pool', 'name'], ['driver'], ['nodeName']].flatMap((path) =>
        immutable(`spec.${path.join('.')}`, digAt(spec, path), digAt(before, path)),
      ),
    );
  append(errors, placement(spec, 'spec', OF_SLICES, `exactly one of ${OF_SLICES.map((field) => `\`${field}\``).join(', ')} is required`));
  if (spec['sharedCounters'] !== undefined && spec['devices'] !== undefined)
    errors.push(invalidValue('spec', '', 'only one of `sharedCounters` or `devices` is allowed'));
  const devices = asList(spec['devices']);
  const known = new Map(asList(before?.['devices']).map((one) => [textOf(dig(one, 'name')), one]));
  const each = (one: Json, path: string): readonly FieldError[] =>
    device(one, known.get(textOf(dig(one, 'name'))), path, spec['perDeviceNodeSelection'] === true);
  append(errors, validateMembers(devices, 'spec.devices', devices.some(isAdvanced) ? MOST_ADVANCED : MOST_DEVICES, each, nameOf));
  return [
    ...errors,
    ...validateMembers(spec['sharedCounters'], 'spec.sharedCounters', MOST_SETS, (set, path) => counters(set, 'name', path), nameOf),
  ];
}

const OF_SLICES = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'];
const OF_DEVICES = ['nodeName', 'nodeSelector', 'allNodes'];
/** Source: staging/src/k8s.io/api/resource/v1/types.go. */
const [MOST_DEVICES, MOST_ADVANCED, MOST_SETS, MOST_CONSUMED, MOST_COUNTERS, MOST_TAINTS, MOST_CONDITIONS] = [128, 64, 8, 2, 32, 16, 4];
const LISTS = ['bools', 'ints', 'strings', 'versions'];

/** Devices that take more to look at: there may be fewer of them. */
function isAdvanced(one: Json): boolean {
  return (
    asList(dig(one, 'taints')).length > 0 ||
    asList(dig(one, 'consumesCounters')).length > 0 ||
    Object.values(asObject(dig(one, 'attributes'))).some((attribute) => LISTS.some((field) => dig(attribute, field) !== undefined))
  );
}

function nameOf(one: Json): Json | undefined {
  return dig(one, 'name');
}

function pool(given: Json | undefined): readonly FieldError[] {
  const errors = [...poolName(dig(given, 'name'), 'spec.pool.name')];
  const [slices, generation] = [asNumber(dig(given, 'resourceSliceCount')) ?? 0, asNumber(dig(given, 'generation')) ?? 0];
  if (slices <= 0) errors.push(invalidValue('spec.pool.resourceSliceCount', slices, 'must be greater than zero'));
  if (generation < 0) errors.push(invalidValue('spec.pool.generation', generation, 'must be greater than or equal to zero'));
  return errors;
}

/** Exactly one field says from where devices can be reached. */
function placement(given: JsonObject, path: string, fields: readonly string[], words: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const set = fields.filter((field) => given[field] !== undefined);
  for (const field of set) {
    if (given[field] === false) errors.push(invalidValue(`${path}.${field}`, false, 'must be either unset or set to true'));
    else if (given[field] === '')
      errors.push(
        invalidValue(`${path}.${field}`, '', path === 'spec' ? 'must be either unset or set to a non-empty string' : 'must not be empty'),
      );
    else if (field === 'nodeName')
      append(
        errors,
        checkSubdomain(textOf(given[field])).map((wrong) => invalidValue(`${path}.nodeName`, given[field], wrong)),
      );
    else if (field === 'nodeSelector') validateSelector(given[field], `${path}.nodeSelector`, path === 'spec', errors);
  }
  const meant = set.filter((field) => given[field] !== false && given[field] !== '');
  if (meant.length === 0) errors.push(required(path, words));
  else if (meant.length > 1)
    errors.push(
      invalidValue(
        path,
        `{${meant.map((field) => `\`${field}\``).join(', ')}}`,
        path === 'spec' ? `${words}, but multiple fields are set` : words,
      ),
    );
  return errors;
}

export function validateSelector(selector: Json | undefined, path: string, hasOneTerm: boolean, errors: FieldError[]): void {
  const terms = asList(dig(selector, 'nodeSelectorTerms'));
  const field = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) errors.push(required(field, 'must have at least one node selector term'));
  for (const [index, term] of terms.entries()) validateNodeTerm(term, `${field}[${index}]`, errors);
  if (hasOneTerm && terms.length !== 1) errors.push(invalidValue(field, terms, 'must have exactly one node selector term'));
}

function device(one: Json, before: Json | undefined, path: string, placesDevices: boolean): readonly FieldError[] {
  const errors = [...deviceLabel(dig(one, 'name'), `${path}.name`)];
  const [attributes, capacity] = [Object.entries(asObject(dig(one, 'attributes'))), Object.entries(asObject(dig(one, 'capacity')))];
  const named = attributes.length + capacity.length;
  if (named > MOST_NAMED)
    errors.push(invalidValue(path, named, `the total number of attributes and capacities must not exceed ${MOST_NAMED}`));
  for (const [key, value] of attributes)
    append(errors, [...qualifiedName(key, `${path}.attributes`), ...attribute(value ?? null, `${path}.attributes[${key}]`)]);
  if (!sameJson(dig(one, 'capacity'), dig(before, 'capacity'))) {
    for (const [key, value] of capacity) {
      append(errors, qualifiedName(key, `${path}.capacity`));
      if (dig(value, 'requestPolicy') !== undefined && dig(one, 'allowMultipleAllocations') !== true)
        errors.push(forbiddenField(`${path}.capacity[${key}].requestPolicy`, 'allowMultipleAllocations must be true'));
    }
  }
  if (!sameJson(dig(one, 'taints'), dig(before, 'taints')))
    append(errors, validateMembers(dig(one, 'taints'), `${path}.taints`, MOST_TAINTS, tainted));
  append(
    errors,
    validateMembers(
      dig(one, 'consumesCounters'),
      `${path}.consumesCounters`,
      MOST_CONSUMED,
      (set, own) => counters(set, 'counterSet', own),
      (set) => dig(set, 'counterSet'),
    ),
  );
  if (placesDevices)
    append(
      errors,
      placement(
        asObject(one),
        path,
        OF_DEVICES,
        'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      ),
    );
  else if (OF_DEVICES.some((field) => dig(one, field) !== undefined))
    errors.push(
      invalidValue(
        path,
        null,
        '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      ),
    );
  return [...errors, ...bindingConditions(one, path)];
}

function counters(set: Json, nameField: string, path: string): readonly FieldError[] {
  const [name, amounts] = [asText(dig(set, nameField)) ?? '', Object.keys(asObject(dig(set, 'counters')))];
  const errors: FieldError[] = name === '' ? [required(`${path}.${nameField}`)] : [...deviceLabel(name, `${path}.${nameField}`)];
  if (amounts.length === 0) return [...errors, required(`${path}.counters`)];
  if (amounts.length > MOST_COUNTERS) return [...errors, tooMany(`${path}.counters`, amounts.length, MOST_COUNTERS)];
  return [...errors, ...amounts.flatMap((amount) => deviceLabel(amount, `${path}.counters`))];
}

/** Conditions on which binding to a device waits, and those which end it. Source: the same (validateDeviceBindingParameters). */
export function bindingConditions(one: Json, path: string): readonly FieldError[] {
  const [good, bad] = [asList(dig(one, 'bindingConditions')), asList(dig(one, 'bindingFailureConditions'))];
  if (good.length === 0 && bad.length === 0) return [];
  const errors = ['bindingConditions', 'bindingFailureConditions'].flatMap((field) =>
    validateMembers(
      dig(one, field),
      `${path}.${field}`,
      MOST_CONDITIONS,
      (type, own) => checkQualifiedName(textOf(type)).map((words) => invalidValue(own, type, words)),
      (type) => type,
    ),
  );
  for (const [index, type] of bad.entries())
    if (good.includes(type))
      errors.push(
        invalidValue(
          `${path}.bindingFailureConditions[${index}]`,
          type,
          'bindingFailureConditions must not overlap with bindingConditions',
        ),
      );
  if (good.length === 0)
    errors.push(invalidValue(`${path}.bindingConditions`, null, 'bindingConditions are required to use bindingFailureConditions'));
  if (bad.length === 0)
    errors.push(invalidValue(`${path}.bindingFailureConditions`, null, 'bindingFailureConditions are required to use bindingConditions'));
  return errors;
}

const MOST_NAMED = 32;
const LONGEST_VALUE = 64;

function attribute(value: Json, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (dig(value, 'string') !== undefined) append(errors, attributeText(dig(value, 'string'), `${path}.string`));
  if (dig(value, 'version') !== undefined) append(errors, attributeVersion(dig(value, 'version'), `${path}.version`));
  for (const field of LISTS)
    if (dig(value, field) !== undefined && asList(dig(value, field)).length === 0)
      errors.push(invalidValue(`${path}.${field}`, [], 'must not be empty if specified'));
  for (const [index, item] of asList(dig(value, 'strings')).entries()) append(errors, attributeText(item, `${path}.strings[${index}]`));
  for (const [index, item] of asList(dig(value, 'versions')).entries())
    append(errors, attributeVersion(item, `${path}.versions[${index}]`));
  const given = ['bool', 'int', 'string', 'version', ...LISTS].filter((field) => dig(value, field) !== undefined);
  return given.length === 1
    ? errors
    : [...errors, invalidValue(path, given.length === 0 ? '' : value, 'exactly one value must be specified')];
}

function attributeText(value: Json | undefined, path: string): readonly FieldError[] {
  return textOf(value).length > LONGEST_VALUE ? [tooLong(path, LONGEST_VALUE)] : [];
}

function attributeVersion(value: Json | undefined, path: string): readonly FieldError[] {
  const wrong =
    semverOf(textOf(value)) === undefined ? [invalidValue(path, value, 'must be a string compatible with semver.org spec 2.0.0')] : [];
  return [...wrong, ...attributeText(value, path)];
}

function tainted(taint: Json, path: string): readonly FieldError[] {
  const [key, value, effect] = [asText(dig(taint, 'key')) ?? '', asText(dig(taint, 'value')) ?? '', dig(taint, 'effect')];
  const errors: FieldError[] = checkQualifiedName(key).map((words) => invalidValue(`${path}.key`, key, words));
  addWrong(errors, `${path}.value`, value, checkLabelValue(value));
  if (effect === undefined || effect === '') errors.push(required(`${path}.effect`));
  else if (!DEVICE_EFFECTS.includes(textOf(effect))) errors.push(notSupported(`${path}.effect`, effect, DEVICE_EFFECTS));
  return errors;
}
