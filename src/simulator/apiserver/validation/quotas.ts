import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { numberOf } from '../../../base/number.ts';
import { own } from '../../../base/own-property.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, forbiddenField, invalidValue, required } from './field-error.ts';
import { internalOf } from './go-diff.ts';
import { IMMUTABLE } from './metadata.ts';
import { checkQualifiedName } from './names.ts';

const WHOLE = 1_000_000_000n;

/** Source: pkg/apis/core/validation/validation.go (ValidateResourceQuotaSpec). */
export function validateQuota(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  validateAmounts(spec['hard'], 'spec.hard', errors);
  validateScopes(spec, errors);
  validateScopeSelector(spec, errors);
  return errors;
}

/** Source: the same (ValidateResourceQuotaStatusUpdate). */
export function validateQuotaStatus(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const part of ['hard', 'used']) validateAmounts(dig(object, 'status', part), `status.${part}`, errors);
  return errors;
}

function validateAmounts(amounts: Json | undefined, path: string, errors: FieldError[]): void {
  for (const [name, value] of Object.entries(asObject(amounts))) {
    const field = `${path}[${name}]`;
    addWrong(errors, field, name, checkQualifiedName(name));
    if (!name.includes('/') && !QUOTA_RESOURCES.includes(name) && !/^(requests\.)?hugepages-/.test(name)) {
      if (!KNOWN.includes(name)) errors.push(invalidValue(field, name, 'must be a standard resource type or fully qualified'));
      errors.push(invalidValue(field, name, 'must be a standard resource for quota'));
    }
    const amount = parseQuantity(value);
    if (amount !== undefined && amount < 0n) errors.push(invalidValue(field, value, 'must be greater than or equal to 0'));
    if (amount !== undefined && COUNTED.includes(name) && amount % WHOLE !== 0n)
      errors.push(invalidValue(field, value, 'must be an integer'));
  }
}

export function validateQuotaUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const scopesOf = (quota: JsonObject): string[] => [...new Set(asList(dig(quota, 'spec', 'scopes')).map(textOf))].sort();
  const [mine, theirs] = [scopesOf(object), scopesOf(old)];
  return sameJson(mine, theirs) ? [] : [invalidValue('spec.scopes', dig(object, 'spec', 'scopes'), IMMUTABLE)];
}

const COUNTED: readonly string[] = [
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const QUOTA_RESOURCES: readonly string[] = [
  ...COUNTED,
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
];
/** What is a resource, but none of quotas. */
const KNOWN: readonly string[] = ['storage'];

const POD_RESOURCES: readonly string[] = ['pods', 'cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];
/** What each scope may be of. Source: pkg/apis/core/helper/helpers.go (IsResourceQuotaScopeValidForResource). */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  Terminating: POD_RESOURCES,
  NotTerminating: POD_RESOURCES,
  BestEffort: ['pods'],
  NotBestEffort: POD_RESOURCES,
  PriorityClass: POD_RESOURCES,
  CrossNamespacePodAffinity: POD_RESOURCES,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
};

function validateScope(scope: string, spec: JsonObject, unfit: FieldError, errors: FieldError[]): void {
  for (const name of Object.keys(asObject(spec['hard'])).sort()) {
    const standard = QUOTA_RESOURCES.includes(name) || /^(requests\.)?hugepages-/.test(name);
    if (standard && own(SCOPES, scope)?.includes(name) === false) errors.push(unfit);
  }
}

function validateScopes(spec: JsonObject, errors: FieldError[]): void {
  const scopes = asList(spec['scopes']);
  for (const scope of scopes.map(textOf)) {
    if (!Object.hasOwn(SCOPES, scope)) errors.push(invalidValue('spec.scopes', scopes, 'unsupported scope'));
    validateScope(scope, spec, invalidValue('spec.scopes', scopes, 'unsupported scope applied to resource'), errors);
  }
  append(errors, conflicts(scopes, 'spec.scopes', scopes));
}

function conflicts(scopes: readonly Json[], field: string, value: Json): readonly FieldError[] {
  const pairs = [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ];
  return pairs.filter((pair) => pair.every((scope) => scopes.includes(scope))).map(() => invalidValue(field, value, 'conflicting scopes'));
}

const ALWAYS =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function validateScopeOperator(operator: string, values: readonly Json[], field: string, errors: FieldError[]): void {
  const [some, none] = [['In', 'NotIn'].includes(operator), ['Exists', 'DoesNotExist'].includes(operator)];
  if (!some && !none) errors.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
  if (some && values.length === 0)
    errors.push(required(`${field}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
  if (none && values.length > 0)
    errors.push(
      invalidValue(`${field}.values`, values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"),
    );
}

function validateScopeSelector(spec: JsonObject, errors: FieldError[]): void {
  const selector = spec['scopeSelector'];
  if (!isJsonObject(selector)) return;
  const field = 'spec.scopeSelector.matchExpressions';
  const expressions = asList(selector['matchExpressions']);
  for (const expression of expressions) {
    const [scope, operator, values] = [
      asText(dig(expression, 'scopeName')) ?? '',
      asText(dig(expression, 'operator')) ?? '',
      asList(dig(expression, 'values')),
    ];
    if (!Object.hasOwn(SCOPES, scope)) errors.push(invalidValue(`${field}.scopeName`, scope, 'unsupported scope'));
    validateScope(scope, spec, invalidValue(field, internalOf('ScopeSelector', selector), 'unsupported scope applied to resource'), errors);
    if (!['PriorityClass', 'VolumeAttributesClass'].includes(scope) && Object.hasOwn(SCOPES, scope) && operator !== 'Exists')
      errors.push(invalidValue(`${field}.operator`, operator, ALWAYS));
    validateScopeOperator(operator, values, field, errors);
  }
  append(
    errors,
    conflicts(
      expressions.map((expression) => dig(expression, 'scopeName') ?? ''),
      field,
      spec['scopes'] ?? null,
    ),
  );
}

/** Source: the same (ValidateLimitRange). */
export function validateLimitRange(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [index, entry] of asList(dig(object, 'spec', 'limits')).entries()) {
    const [limit, field] = [asObject(entry), `spec.limits[${index}]`];
    const type = asText(limit['type']) ?? '';
    const wrong = checkQualifiedName(type);
    addWrong(errors, `${field}.type`, type, wrong);
    if (wrong.length === 0 && !type.includes('/') && !LIMITED.includes(type))
      errors.push(invalidValue(`${field}.type`, type, 'must be a standard limit type or fully qualified'));
    if (types.has(type)) errors.push(duplicate(`${field}.type`, type));
    types.add(type);
    validateLimit(limit, type, field, errors);
  }
  return errors;
}

const LIMITED: readonly string[] = ['Pod', 'Container', 'PersistentVolumeClaim'];

function validateLimit(limit: JsonObject, type: string, field: string, errors: FieldError[]): void {
  const names = new Set<string>();
  for (const part of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio']) {
    const amounts = Object.keys(asObject(limit[part]));
    const forbidden = type === 'Pod' && (part === 'default' || part === 'defaultRequest');
    if (forbidden && amounts.length > 0) errors.push(forbiddenField(`${field}.${part}`, "may not be specified when `type` is 'Pod'"));
    if (
      part === 'maxLimitRequestRatio' &&
      type === 'PersistentVolumeClaim' &&
      dig(limit, 'min', 'storage') === undefined &&
      dig(limit, 'max', 'storage') === undefined
    )
      errors.push(required(`${field}.limits`, 'either minimum or maximum storage value is required, but neither was provided'));
    for (const name of forbidden ? [] : amounts) {
      validateLimitedResource(name, type, `${field}.${part}[${name}]`, errors);
      names.add(name);
    }
  }
  for (const name of names) compareLimits(limit, type, name, field, errors);
}

function validateLimitedResource(name: string, type: string, field: string, errors: FieldError[]): void {
  addWrong(errors, field, name, checkQualifiedName(name));
  if (name.includes('/')) return;
  const standard = ['cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith('hugepages-');
  if (standard && type !== 'PersistentVolumeClaim') return;
  if (!standard && !QUOTA_RESOURCES.includes(name) && !KNOWN.includes(name))
    errors.push(invalidValue(field, name, 'must be a standard resource type or fully qualified'));
  if (!standard && (type === 'Pod' || type === 'Container'))
    errors.push(invalidValue(field, name, 'must be a standard resource for containers'));
}

function compareLimits(given: JsonObject, type: string, name: string, field: string, errors: FieldError[]): void {
  // What a pod has no defaults for is not compared.
  const limit = type === 'Pod' ? withFields(given, { default: undefined, defaultRequest: undefined }) : given;
  const part = (key: string): { readonly text: Json | undefined; readonly amount: bigint | undefined; readonly field: string } => {
    const text = asObject(limit[key])[name];
    return { text, amount: parseQuantity(text), field: `${field}.${key}[${name}]` };
  };
  const [min, max, fallback, request, ratio] = [
    part('min'),
    part('max'),
    part('default'),
    part('defaultRequest'),
    part('maxLimitRequestRatio'),
  ];
  const over = (
    low: typeof min,
    high: typeof min,
    told: { readonly field: string; readonly text: Json | undefined },
    words: readonly [string, string],
  ): void => {
    if (low.amount !== undefined && high.amount !== undefined && low.amount > high.amount)
      errors.push(
        invalidValue(told.field, told.text, `${words[0]} value ${textOf(low.text)} is greater than ${words[1]} value ${textOf(high.text)}`),
      );
  };
  over(min, max, min, ['min', 'max']);
  over(min, request, request, ['min', 'default request']);
  over(request, max, request, ['default request', 'max']);
  over(request, fallback, request, ['default request', 'default limit']);
  over(min, fallback, { field: fallback.field, text: min.text }, ['min', 'default']);
  over(fallback, max, { field: fallback.field, text: max.text }, ['default', 'max']);
  if (ratio.amount !== undefined && ratio.amount < WHOLE)
    errors.push(invalidValue(ratio.field, ratio.text, `ratio ${textOf(ratio.text)} is less than 1`));
  if (ratio.amount === undefined || min.amount === undefined || max.amount === undefined || min.amount === 0n) return;
  const most = numberOf(max.amount) / numberOf(min.amount);
  if (numberOf(ratio.amount) / numberOf(WHOLE) > most)
    errors.push(invalidValue(ratio.field, ratio.text, `ratio ${textOf(ratio.text)} is greater than max/min = ${most.toFixed(6)}`));
}
