import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { deviceExpressionTrouble } from '../cel/devices.ts';
import { DEVICE_EFFECTS, deviceLabel, driverName, isExtendedResource, qualifiedName } from './device-names.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, forbiddenField, invalidValue, notSupported, required, tooLong } from './field-error.ts';
import { validateMembers } from './field-lists.ts';
import { validateLabels } from './metadata.ts';
import { checkLabelName, checkLabelValue, checkQualifiedName, checkSubdomain } from './names.ts';

/** What requests devices. Source: pkg/apis/resource/validation/validation.go. */
export function validateResourceClaim(claim: JsonObject): readonly FieldError[] {
  return claimSpec(dig(claim, 'spec'), 'spec');
}

export function validateResourceClaimTemplate(template: JsonObject): readonly FieldError[] {
  return [
    ...validateLabels(dig(template, 'spec', 'metadata', 'labels'), 'spec.metadata.labels'),
    ...claimSpec(dig(template, 'spec', 'spec'), 'spec.spec'),
  ];
}

export function validateDeviceClass(deviceClass: JsonObject): readonly FieldError[] {
  const spec = asObject(deviceClass['spec']);
  const name = asText(spec['extendedResourceName']);
  const wrong =
    name !== undefined && !isExtendedResource(name)
      ? [invalidValue('spec.extendedResourceName', name, 'must be a valid extended resource name')]
      : [];
  return [...selectors(spec['selectors'], 'spec.selectors'), ...validateMembers(spec['config'], 'spec.config', CONFIGS, opaque), ...wrong];
}

/** Only these namespaces may have devices that others use, too. Source: pkg/registry/resource/utils.go (AuthorizedForAdmin). */
export function validateAdminAccess(spec: Json | undefined, path: string, labels: Readonly<Record<string, string>>): readonly FieldError[] {
  if (labels[ADMIN_ACCESS] === 'true') return [];
  const index = asList(dig(spec, 'devices', 'requests')).findIndex((request) => dig(request, 'exactly', 'adminAccess') === true);
  const words = `admin access to devices requires the \`${ADMIN_ACCESS}: true\` label on the containing namespace`;
  return index < 0 ? [] : [forbiddenField(`spec.devices.requests[${index}].adminAccess`, words)];
}

const ADMIN_ACCESS = 'resource.kubernetes.io/admin-access';

/** Source: staging/src/k8s.io/api/resource/v1/types.go. */
const [REQUESTS, CONSTRAINTS, CONFIGS, SELECTORS, ALTERNATIVES] = [32, 32, 32, 32, 8];
const EXPRESSION_LENGTH = 10_240;

function claimSpec(spec: Json | undefined, path: string): readonly FieldError[] {
  const devices = dig(spec, 'devices');
  const names = requestNames(devices);
  return [
    ...validateMembers(dig(devices, 'requests'), `${path}.devices.requests`, REQUESTS, request, (one) => dig(one, 'name')),
    ...validateMembers(dig(devices, 'constraints'), `${path}.devices.constraints`, CONSTRAINTS, (one, own) => constraint(one, own, names)),
    ...validateMembers(dig(devices, 'config'), `${path}.devices.config`, CONFIGS, (one, own) => [
      ...references(dig(one, 'requests'), `${own}.requests`, names),
      ...opaque(one, own),
    ]),
  ];
}

/** Names constraints may use: `gpu`, and `gpu/large` for one of several alternatives. */
export function requestNames(devices: Json | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  for (const one of asList(dig(devices, 'requests'))) {
    const name = textOf(dig(one, 'name'));
    names.add(name);
    for (const alternative of asList(dig(one, 'firstAvailable'))) names.add(`${name}/${textOf(dig(alternative, 'name'))}`);
  }
  return names;
}

function request(one: Json, path: string): readonly FieldError[] {
  const errors = [...deviceLabel(dig(one, 'name'), `${path}.name`)];
  const [exactly, alternatives] = [dig(one, 'exactly'), asList(dig(one, 'firstAvailable'))];
  if (exactly === undefined && alternatives.length === 0)
    errors.push(required(path, 'exactly one of `exactly` or `firstAvailable` is required'));
  else if (exactly !== undefined && alternatives.length > 0)
    errors.push(invalidValue(path, null, 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set'));
  else if (exactly !== undefined) append(errors, wanted(exactly, `${path}.exactly`));
  else
    append(
      errors,
      validateMembers(
        alternatives,
        `${path}.firstAvailable`,
        ALTERNATIVES,
        (each, own) => [...deviceLabel(dig(each, 'name'), `${own}.name`), ...wanted(each, own)],
        (each) => dig(each, 'name'),
      ),
    );
  return errors;
}

function wanted(one: Json, path: string): readonly FieldError[] {
  const className = asText(dig(one, 'deviceClassName')) ?? '';
  const errors: FieldError[] =
    className === ''
      ? [required(`${path}.deviceClassName`)]
      : checkSubdomain(className).map((words) => invalidValue(`${path}.deviceClassName`, className, words));
  append(errors, selectors(dig(one, 'selectors'), `${path}.selectors`));
  const [mode, count] = [dig(one, 'allocationMode'), asNumber(dig(one, 'count')) ?? 0];
  if (mode === 'All') {
    if (count !== 0) errors.push(invalidValue(`${path}.count`, count, "must not be specified when allocationMode is 'All'"));
  } else if (mode !== 'ExactCount') errors.push(notSupported(`${path}.allocationMode`, mode, ['All', 'ExactCount']));
  else if (count <= 0) errors.push(invalidValue(`${path}.count`, count, 'must be greater than zero'));
  for (const [index, toleration] of asList(dig(one, 'tolerations')).entries())
    append(errors, tolerated(toleration, `${path}.tolerations[${index}]`));
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
    if ((asText(dig(toleration, 'value')) ?? '') !== '')
      errors.push(invalidValue(`${path}.value`, dig(toleration, 'value'), 'must be empty for operator `Exists`'));
  } else if (operator !== 'Equal')
    errors.push(operator === undefined ? required(`${path}.operator`) : notSupported(`${path}.operator`, operator, ['Equal', 'Exists']));
  else addWrong(errors, `${path}.value`, dig(toleration, 'value'), checkLabelValue(asText(dig(toleration, 'value')) ?? ''));
  if (effect !== undefined && effect !== '' && !DEVICE_EFFECTS.includes(textOf(effect)))
    errors.push(notSupported(`${path}.effect`, effect, DEVICE_EFFECTS));
  return errors;
}

function constraint(one: Json, path: string, names: ReadonlySet<string>): readonly FieldError[] {
  const errors = [...references(dig(one, 'requests'), `${path}.requests`, names)];
  const field = ['matchAttribute', 'distinctAttribute'].find((each) => dig(one, each) !== undefined);
  if (field === undefined)
    return [...errors, required(path, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set')];
  const name = textOf(dig(one, field));
  append(errors, qualifiedName(name, `${path}.${field}`));
  if (!name.includes('/'))
    errors.push(invalidValue(`${path}.${field}`, name, 'a fully qualified name must be a domain and a name separated by a slash'));
  return errors;
}

export function references(list: Json | undefined, path: string, names: ReadonlySet<string>): readonly FieldError[] {
  return validateMembers(
    list,
    path,
    REQUESTS,
    (name, own) => reference(textOf(name), own, names),
    (name) => name,
  );
}

export function reference(name: string, path: string, names: ReadonlySet<string>): readonly FieldError[] {
  const parts = name.split('/');
  const unknown = invalidValue(
    path,
    name,
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
  );
  if (parts.length > 2) return [unknown];
  return [
    ...parts.flatMap((part) => checkLabelName(part).map((words) => invalidValue(path, part, words))),
    ...(names.has(name) ? [] : [unknown]),
  ];
}

const PARAMETERS_LENGTH = 10_240;

export function opaque(config: Json, path: string): readonly FieldError[] {
  if (dig(config, 'opaque') === undefined) return [required(`${path}.opaque`)];
  const errors = [...driverName(dig(config, 'opaque', 'driver'), `${path}.opaque.driver`)];
  return [...errors, ...rawObject(dig(config, 'opaque', 'parameters'), `${path}.opaque.parameters`)];
}

/** Source: the same (validateRawExtension). */
export function rawObject(value: Json | undefined, field: string): readonly FieldError[] {
  if (value === undefined || value === null) return [required(field)];
  if (JSON.stringify(value).length > PARAMETERS_LENGTH) return [tooLong(field, PARAMETERS_LENGTH)];
  return isJsonObject(value) ? [] : [invalidValue(field, '<value omitted>', 'must be a valid JSON object')];
}
