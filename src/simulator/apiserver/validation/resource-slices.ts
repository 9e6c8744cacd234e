import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { semverOf } from '../cel/semver.ts';
import type { FieldError } from './field-error.ts';
import { invalidValue, notSupported, required, tooLong } from './field-error.ts';
import { validateMembers } from './field-lists.ts';
import { immutable } from './metadata.ts';
import { checkLabelName, checkQualifiedName, checkSubdomain } from './names.ts';

/** What devices a driver offers. Source: pkg/apis/resource/validation/validation.go (validateResourceSliceSpec). */
export function validateResourceSlice(slice: JsonObject): readonly FieldError[] {
  const spec = asObject(slice['spec']);
  const errors = [...subdomain(spec['driver'], 'spec.driver'), ...pool(spec['pool']), ...placement(spec, 'spec', OF_SLICES, `exactly one of ${OF_SLICES.map((field) => `\`${field}\``).join(', ')} is required`)];
  if (spec['sharedCounters'] !== undefined && spec['devices'] !== undefined) errors.push(invalidValue('spec', '', 'only one of `sharedCounters` or `devices` is allowed'));
  const devices = asList(spec['devices']);
  const most = devices.some((one) => ['taints', 'consumesCounters'].some((field) => dig(one, field) !== undefined)) ? 64 : 128;
  errors.push(...validateMembers(devices, 'spec.devices', most, (one, path) => device(one, path, spec['perDeviceNodeSelection'] === true), (one) => dig(one, 'name')));
  return errors;
}

export function validateResourceSliceUpdate(slice: JsonObject, old: JsonObject): readonly FieldError[] {
  return [['pool', 'name'], ['driver'], ['nodeName']].flatMap((path) => immutable(`spec.${path.join('.')}`, dig(slice, 'spec', ...path), dig(old, 'spec', ...path)));
}

const OF_SLICES = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'];
const OF_DEVICES = ['nodeName', 'nodeSelector', 'allNodes'];

function pool(given: Json | undefined): readonly FieldError[] {
  const name = asText(dig(given, 'name')) ?? '';
  const errors: FieldError[] = name === '' ? [required('spec.pool.name')] : name.split('/').flatMap((part) => checkSubdomain(part).map((words) => invalidValue('spec.pool.name', part, words)));
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
    if (given[field] === '') errors.push(invalidValue(`${path}.${field}`, '', path === 'spec' ? 'must be either unset or set to a non-empty string' : 'must not be empty'));
  }
  const terms = asList(dig(given['nodeSelector'], 'nodeSelectorTerms'));
  if (path === 'spec' && given['nodeSelector'] !== undefined && terms.length !== 1) errors.push(invalidValue(`${path}.nodeSelector.nodeSelectorTerms`, terms, 'must have exactly one node selector term'));
  const meant = set.filter((field) => given[field] !== false && given[field] !== '');
  if (meant.length === 0) errors.push(required(path, words));
  else if (meant.length > 1) errors.push(invalidValue(path, `{${meant.map((field) => `\`${field}\``).join(', ')}}`, path === 'spec' ? `${words}, but multiple fields are set` : words));
  return errors;
}

function device(one: Json, path: string, placesDevices: boolean): readonly FieldError[] {
  const name = asText(dig(one, 'name')) ?? '';
  const errors: FieldError[] = checkLabelName(name).map((words) => invalidValue(`${path}.name`, name, words));
  const [attributes, capacity] = [asObject(dig(one, 'attributes')), asObject(dig(one, 'capacity'))];
  const named = Object.keys(attributes).length + Object.keys(capacity).length;
  if (named > MOST_NAMED) errors.push(invalidValue(path, named, `the total number of attributes and capacities must not exceed ${MOST_NAMED}`));
  for (const [key, value] of Object.entries(attributes)) errors.push(...attribute(value ?? null, `${path}.attributes[${key}]`));
  for (const [index, taint] of asList(dig(one, 'taints')).entries()) errors.push(...tainted(taint, `${path}.taints[${index}]`));
  if (placesDevices) errors.push(...placement(asObject(one), path, OF_DEVICES, 'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec'));
  else if (OF_DEVICES.some((field) => dig(one, field) !== undefined)) errors.push(invalidValue(path, null, '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec'));
  return errors;
}

const MOST_NAMED = 32;
const LONGEST_VALUE = 64;

function attribute(value: Json, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['string', 'version']) {
    const text = asText(dig(value, field));
    if (field === 'version' && text !== undefined && semverOf(text) === undefined) errors.push(invalidValue(`${path}.version`, text, 'must be a string compatible with semver.org spec 2.0.0'));
    if (text !== undefined && text.length > LONGEST_VALUE) errors.push(tooLong(`${path}.${field}`, LONGEST_VALUE));
  }
  const given = ['bool', 'int', 'string', 'version', 'bools', 'ints', 'strings', 'versions'].filter((field) => dig(value, field) !== undefined);
  return given.length === 1 ? errors : [...errors, invalidValue(path, given.length === 0 ? '' : value, 'exactly one value must be specified')];
}

function tainted(taint: Json, path: string): readonly FieldError[] {
  const [key, effect] = [asText(dig(taint, 'key')) ?? '', dig(taint, 'effect')];
  const errors: FieldError[] = checkQualifiedName(key).map((words) => invalidValue(`${path}.key`, key, words));
  if (effect === undefined || effect === '') errors.push(required(`${path}.effect`));
  else if (!EFFECTS.includes(textOf(effect))) errors.push(notSupported(`${path}.effect`, effect, EFFECTS));
  return errors;
}

const EFFECTS = ['NoExecute', 'NoSchedule', 'None'];

function subdomain(given: Json | undefined, path: string): readonly FieldError[] {
  const text = asText(given) ?? '';
  return text === '' ? [required(path)] : checkSubdomain(text).map((words) => invalidValue(path, text, words));
}
