import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { deviceExpressionTrouble } from '../cel/devices.ts';
import type { FieldError } from './field-error.ts';
import { forbiddenField, invalidValue, notSupported, required, tooLong } from './field-error.ts';
import { validateMembers } from './field-lists.ts';
import { immutable, validateLabels } from './metadata.ts';
import { checkLabelName, checkQualifiedName, checkSubdomain } from './names.ts';

/** What requests devices. Source: pkg/apis/resource/validation/validation.go. */
export function validateResourceClaim(claim: JsonObject): readonly FieldError[] {
  return claimSpec(dig(claim, 'spec'), 'spec');
}

export function validateResourceClaimTemplate(template: JsonObject): readonly FieldError[] {
  return [...validateLabels(dig(template, 'spec', 'metadata', 'labels'), 'spec.metadata.labels'), ...claimSpec(dig(template, 'spec', 'spec'), 'spec.spec')];
}

export function validateDeviceClass(deviceClass: JsonObject): readonly FieldError[] {
  const spec = asObject(deviceClass['spec']);
  return [...selectors(spec['selectors'], 'spec.selectors'), ...validateMembers(spec['config'], 'spec.config', CONFIGS, opaque)];
}

/** What a change of a claim's status must leave as it is. */
export function validateClaimStatus(claim: JsonObject, old: JsonObject): readonly FieldError[] {
  const [allocation, before] = [dig(claim, 'status', 'allocation'), dig(old, 'status', 'allocation')];
  const reserved = asList(dig(claim, 'status', 'reservedFor'));
  const errors = [...validateMembers(reserved, 'status.reservedFor', CONSUMERS, consumer, (one) => dig(one, 'uid'))];
  if (reserved.length > 0 && allocation === undefined) errors.push(forbiddenField('status.reservedFor', 'may not be specified when `allocated` is not set'));
  else if (dig(claim, 'metadata', 'deletionTimestamp') !== undefined) {
    const known = new Set(asList(dig(old, 'status', 'reservedFor')).map((one) => textOf(dig(one, 'uid'))));
    if (reserved.some((one) => !known.has(textOf(dig(one, 'uid'))))) errors.push(forbiddenField('status.reservedFor', 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'));
  }
  return allocation === undefined || before === undefined ? errors : [...errors, ...immutable('status.allocation', allocation, before)];
}

/** Only these namespaces may have devices that others use, too. Source: pkg/registry/resource/utils.go (AuthorizedForAdmin). */
export function validateAdminAccess(spec: Json | undefined, path: string, labels: Readonly<Record<string, string>>): readonly FieldError[] {
  if (labels[ADMIN_ACCESS] === 'true') return [];
  return asList(dig(spec, 'devices', 'requests')).flatMap((request, index) =>
    dig(request, 'exactly', 'adminAccess') === true ? [forbiddenField(`${path}.devices.requests[${index}].exactly.adminAccess`, `admin access to devices requires the \`${ADMIN_ACCESS}: true\` label on the containing namespace`)] : [],
  );
}

const ADMIN_ACCESS = 'resource.kubernetes.io/admin-access';

/** Source: staging/src/k8s.io/api/resource/v1/types.go. */
const [REQUESTS, CONSTRAINTS, CONFIGS, SELECTORS, ALTERNATIVES, CONSUMERS] = [32, 32, 32, 32, 8, 256];
const EXPRESSION_LENGTH = 10_240;

function claimSpec(spec: Json | undefined, path: string): readonly FieldError[] {
  const devices = dig(spec, 'devices');
  const names = requestNames(devices);
  return [
    ...validateMembers(dig(devices, 'requests'), `${path}.devices.requests`, REQUESTS, request, (one) => dig(one, 'name')),
    ...validateMembers(dig(devices, 'constraints'), `${path}.devices.constraints`, CONSTRAINTS, (one, own) => constraint(one, own, names)),
    ...validateMembers(dig(devices, 'config'), `${path}.devices.config`, CONFIGS, (one, own) => [...references(dig(one, 'requests'), `${own}.requests`, names), ...opaque(one, own)]),
  ];
}

/** Names constraints may use: `gpu`, and `gpu/large` for one of several alternatives. */
function requestNames(devices: Json | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  for (const one of asList(dig(devices, 'requests'))) {
    const name = textOf(dig(one, 'name'));
    names.add(name);
    for (const alternative of asList(dig(one, 'firstAvailable'))) names.add(`${name}/${textOf(dig(alternative, 'name'))}`);
  }
  return names;
}

function request(one: Json, path: string): readonly FieldError[] {
  const errors = [...labelName(dig(one, 'name'), `${path}.name`)];
  const [exactly, alternatives] = [dig(one, 'exactly'), asList(dig(one, 'firstAvailable'))];
  if (exactly === undefined && alternatives.length === 0) errors.push(required(path, 'exactly one of `exactly` or `firstAvailable` is required'));
  else if (exactly !== undefined && alternatives.length > 0) errors.push(invalidValue(path, 'null', 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set'));
  else if (exactly !== undefined) errors.push(...wanted(exactly, `${path}.exactly`));
  else errors.push(...validateMembers(alternatives, `${path}.firstAvailable`, ALTERNATIVES, (each, own) => [...labelName(dig(each, 'name'), `${own}.name`), ...wanted(each, own)], (each) => dig(each, 'name')));
  return errors;
}

function wanted(one: Json, path: string): readonly FieldError[] {
  const className = asText(dig(one, 'deviceClassName')) ?? '';
  const errors: FieldError[] = className === '' ? [required(`${path}.deviceClassName`)] : checkSubdomain(className).map((words) => invalidValue(`${path}.deviceClassName`, className, words));
  errors.push(...selectors(dig(one, 'selectors'), `${path}.selectors`));
  const [mode, count] = [dig(one, 'allocationMode'), asNumber(dig(one, 'count')) ?? 0];
  if (mode === 'All') {
    if (count !== 0) errors.push(invalidValue(`${path}.count`, count, "must not be specified when allocationMode is 'All'"));
  } else if (mode !== 'ExactCount') errors.push(notSupported(`${path}.allocationMode`, mode, ['All', 'ExactCount']));
  else if (count <= 0) errors.push(invalidValue(`${path}.count`, count, 'must be greater than zero'));
  for (const [index, toleration] of asList(dig(one, 'tolerations')).entries()) errors.push(...tolerated(toleration, `${path}.tolerations[${index}]`));
  return errors;
}

function selectors(list: Json | undefined, path: string): readonly FieldError[] {
  return validateMembers(list, path, SELECTORS, (selector, own) => {
    if (dig(selector, 'cel') === undefined) return [required(`${own}.cel`)];
    const expression = asText(dig(selector, 'cel', 'expression')) ?? '';
    if (expression.length > EXPRESSION_LENGTH) return [tooLong(`${own}.cel.expression`, EXPRESSION_LENGTH)];
    const trouble = deviceExpressionTrouble(expression);
    return trouble === undefined ? [] : [invalidValue(`${own}.cel.expression`, expression, trouble)];
  });
}

function tolerated(toleration: Json, path: string): readonly FieldError[] {
  const [key, operator, effect] = [asText(dig(toleration, 'key')) ?? '', dig(toleration, 'operator'), dig(toleration, 'effect')];
  const errors: FieldError[] = key === '' ? [] : checkQualifiedName(key).map((words) => invalidValue(`${path}.key`, key, words));
  if (operator === 'Exists') {
    if ((asText(dig(toleration, 'value')) ?? '') !== '') errors.push(invalidValue(`${path}.value`, dig(toleration, 'value'), 'must be empty for operator `Exists`'));
  } else if (operator !== 'Equal') errors.push(operator === undefined ? required(`${path}.operator`) : notSupported(`${path}.operator`, operator, ['Equal', 'Exists']));
  else if (key === '') errors.push(required(`${path}.key`, "key is required if 'operator' is not 'Exists'"));
  if (effect !== undefined && effect !== '' && !EFFECTS.includes(textOf(effect))) errors.push(notSupported(`${path}.effect`, effect, EFFECTS));
  return errors;
}

const EFFECTS = ['NoExecute', 'NoSchedule', 'None'];

function constraint(one: Json, path: string, names: ReadonlySet<string>): readonly FieldError[] {
  const errors = [...references(dig(one, 'requests'), `${path}.requests`, names)];
  const field = ['matchAttribute', 'distinctAttribute'].find((each) => dig(one, each) !== undefined);
  if (field === undefined) return [...errors, required(path, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set')];
  const name = textOf(dig(one, field));
  if (name === '') errors.push(required(`${path}.${field}`, 'name required'));
  else if (!name.includes('/')) errors.push(invalidValue(`${path}.${field}`, name, 'must include a domain'));
  return errors;
}

function references(list: Json | undefined, path: string, names: ReadonlySet<string>): readonly FieldError[] {
  return validateMembers(list, path, REQUESTS, (name, own) => (names.has(textOf(name)) ? [] : [invalidValue(own, name, "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'")]), (name) => name);
}

function opaque(config: Json, path: string): readonly FieldError[] {
  if (dig(config, 'opaque') === undefined) return [required(`${path}.opaque`)];
  const driver = asText(dig(config, 'opaque', 'driver')) ?? '';
  const errors: FieldError[] = driver === '' ? [required(`${path}.opaque.driver`)] : checkSubdomain(driver).map((words) => invalidValue(`${path}.opaque.driver`, driver, words));
  if (dig(config, 'opaque', 'parameters') === undefined) errors.push(required(`${path}.opaque.parameters`));
  return errors;
}

function consumer(one: Json, path: string): readonly FieldError[] {
  return ['resource', 'name', 'uid'].filter((field) => (asText(dig(one, field)) ?? '') === '').map((field) => required(`${path}.${field}`));
}

function labelName(name: Json | undefined, path: string): readonly FieldError[] {
  const text = asText(name) ?? '';
  return text === '' ? [required(path)] : checkLabelName(text).map((words) => invalidValue(path, text, words));
}
