import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import type { PolicyScope } from '../admission/policy-expressions.ts';
import { compileIn, JSON_PATCHES, OBJECT, PolicyVariables } from '../admission/policy-expressions.ts';
import type { Type } from '../cel/compile/types.ts';
import { BOOL, NULL, STRING } from '../cel/compile/types.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, addWrongOrMissing, duplicate, forbiddenField, invalidValue, notSupported, required } from './field-error.ts';
import { repeatsIn } from './field-lists.ts';
import { checkPathSegment, checkQualifiedName, checkServiceName, checkSubdomain } from './names.ts';
import { validateLabelSelector } from './label-selector.ts';
import { validateChoice, validateRule } from './request-rules.ts';

/** Source: pkg/apis/admissionregistration/validation/validation.go (validateValidatingAdmissionPolicySpec). */
export function validateValidatingPolicy(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const scope = validateCommon(spec, undefined, errors);
  const [validations, annotations] = [asList(spec['validations']), asList(spec['auditAnnotations'])];
  const none = validations.length === 0 && annotations.length === 0;
  if (none)
    append(
      errors,
      ['validations', 'auditAnnotations'].map((field) =>
        required(`spec.${field}`, 'validations or auditAnnotations must contain at least one item'),
      ),
    );
  for (const [index, validation] of validations.entries())
    validateValidation(asObject(validation), `spec.validations[${index}]`, scope, errors);
  if (annotations.length > MOST_ANNOTATIONS)
    errors.push(invalidValue('spec.auditAnnotations', annotations, `must not have more than ${MOST_ANNOTATIONS} auditAnnotations`));
  const repeats = repeatsIn(annotations.map((annotation) => dig(annotation, 'key')));
  for (const [index, annotation] of annotations.entries()) {
    const field = `spec.auditAnnotations[${index}]`;
    validateAnnotation(asObject(annotation), { field, policy: asText(dig(object, 'metadata', 'name')) ?? '' }, scope, errors);
    if (repeats.has(index)) errors.push(duplicate(`${field}.key`, dig(annotation, 'key')));
  }
  return errors;
}

const MOST_ANNOTATIONS = 20;
const MUTATING_OPERATIONS: readonly string[] = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Source: the same (validateMutatingAdmissionPolicySpec). */
export function validateMutatingPolicy(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const scope = validateCommon(spec, MUTATING_OPERATIONS, errors);
  const mutations = asList(spec['mutations']);
  if (mutations.length === 0) errors.push(required('spec.mutations', 'mutations must contain at least one item'));
  for (const [index, mutation] of mutations.entries()) validateMutation(asObject(mutation), `spec.mutations[${index}]`, scope, errors);
  const again = asText(spec['reinvocationPolicy']) ?? '';
  if (again === '') errors.push(required('spec.reinvocationPolicy'));
  else validateChoice(again, 'spec.reinvocationPolicy', ['IfNeeded', 'Never'], errors);
  return errors;
}

/** What both kinds of policies have; answers what their expressions can name. */
function validateCommon(spec: JsonObject, operations: readonly string[] | undefined, errors: FieldError[]): PolicyScope {
  if (spec['failurePolicy'] === undefined) errors.push(required('spec.failurePolicy'));
  else validateChoice(spec['failurePolicy'], 'spec.failurePolicy', ['Fail', 'Ignore'], errors);
  const hasParams = isJsonObject(spec['paramKind']);
  if (isJsonObject(spec['paramKind'])) validateParamKind(spec['paramKind'], errors);
  const constraints = spec['matchConstraints'];
  if (constraints === undefined) errors.push(required('spec.matchConstraints'));
  else {
    validateMatch(asObject(constraints), 'spec.matchConstraints', errors);
    if (asList(dig(constraints, 'resourceRules')).length === 0) errors.push(required('spec.matchConstraints.resourceRules'));
    if (operations !== undefined) validateOperations(constraints, operations, 'spec.matchConstraints', errors);
  }
  validateMatchConditions(spec['matchConditions'], hasParams, 'spec.matchConditions', errors);
  const variables = asList(spec['variables']);
  const scope: PolicyScope = { hasParams, hasAuthorizer: true, ...(variables.length > 0 ? { variables: new PolicyVariables() } : {}) };
  for (const [index, variable] of variables.entries()) validateVariable(asObject(variable), `spec.variables[${index}]`, scope, errors);
  return scope;
}

function validateOperations(constraints: Json, operations: readonly string[], field: string, errors: FieldError[]): void {
  for (const rule of asList(dig(constraints, 'resourceRules')))
    for (const operation of asList(dig(rule, 'operations')))
      validateChoice(operation, `${field}.resourceRules.operations`, operations, errors);
}

function validateParamKind(kind: JsonObject, errors: FieldError[]): void {
  const [apiVersion, name] = [asText(kind['apiVersion']) ?? '', asText(kind['kind']) ?? ''];
  validateParamVersion(apiVersion, errors);
  const wrongKind = checkServiceName(name.toLowerCase());
  if (name === '') errors.push(required('spec.paramKind.kind'));
  else if (wrongKind.length > 0)
    errors.push(invalidValue('spec.paramKind.kind', name, `may have mixed case, but should otherwise match: ${wrongKind.join(',')}`));
}

function validateParamVersion(apiVersion: string, errors: FieldError[]): void {
  const field = 'spec.paramKind.apiVersion';
  const steps = apiVersion.split('/');
  const [group, version] = steps.length === 2 ? [steps[0] ?? '', steps[1] ?? ''] : ['', steps[0] ?? ''];
  if (apiVersion === '') errors.push(required(field));
  else if (steps.length > 2) errors.push(invalidValue(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  else {
    const [wrongGroup, wrongVersion] = [group === '' ? [] : checkSubdomain(group), version === '' ? [] : checkServiceName(version)];
    if (wrongGroup.length > 0) errors.push(invalidValue(field, group, wrongGroup.join(',')));
    if (version === '') errors.push(invalidValue(field, apiVersion, 'version must be specified'));
    if (wrongVersion.length > 0) errors.push(invalidValue(field, version, wrongVersion.join(',')));
  }
}

function validateMatch(match: JsonObject, field: string, errors: FieldError[]): void {
  if (match['matchPolicy'] === undefined) errors.push(required(`${field}.matchPolicy`));
  else validateChoice(match['matchPolicy'], `${field}.matchPolicy`, ['Equivalent', 'Exact'], errors);
  for (const selector of ['namespaceSelector', 'objectSelector']) {
    if (match[selector] === undefined) errors.push(required(`${field}.${selector}`));
    else validateLabelSelector(match[selector], `${field}.${selector}`, errors);
  }
  for (const list of ['resourceRules', 'excludeResourceRules']) {
    for (const [index, rule] of asList(match[list]).entries()) {
      const at = `${field}.${list}[${index}]`;
      const names = asList(dig(rule, 'resourceNames'));
      const repeats = repeatsIn(names);
      for (const [place, name] of names.entries()) {
        addWrong(errors, `${at}.resourceNames[${place}]`, name, checkPathSegment(textOf(name)));
        if (repeats.has(place)) errors.push(duplicate(`${at}.resourceNames[${place}]`, name));
      }
      validateRule(asObject(rule), at, errors);
    }
  }
}

const MOST_CONDITIONS = 64;

export function validateMatchConditions(conditions: Json | undefined, hasParams: boolean, field: string, errors: FieldError[]): void {
  const list = asList(conditions);
  if (list.length > MOST_CONDITIONS)
    errors.push({ type: 'TooMany', field, value: list.length, detail: `must have at most ${MOST_CONDITIONS} items` });
  const repeats = repeatsIn(list.map((condition) => dig(condition, 'name')));
  for (const [index, condition] of list.entries()) {
    const at = `${field}[${index}]`;
    const [name, expression] = [asText(dig(condition, 'name')) ?? '', (asText(dig(condition, 'expression')) ?? '').trim()];
    if (expression === '') errors.push(required(`${at}.expression`));
    else validateExpression(expression, [BOOL], `${at}.expression`, { hasParams, hasAuthorizer: true }, errors);
    addWrongOrMissing(errors, `${at}.name`, name, checkQualifiedName);
    if (name !== '' && repeats.has(index)) errors.push(duplicate(`${at}.name`, name));
  }
}

const RESERVED: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

function validateVariable(variable: JsonObject, field: string, scope: PolicyScope, errors: FieldError[]): void {
  const [name, expression] = [asText(variable['name']) ?? '', asText(variable['expression']) ?? ''];
  if (name.trim() === '') errors.push(required(`${field}.name`, 'name is not specified'));
  else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || RESERVED.has(name))
    errors.push(invalidValue(`${field}.name`, name, 'must be a valid CEL identifier'));
  if (expression.trim() === '') return void errors.push(required(`${field}.expression`, 'expression is not specified'));
  const compiled = compileIn(scope, expression, []);
  if (!compiled.ok) errors.push(invalidValue(`${field}.expression`, expression, compiled.error));
  scope.variables?.add(name, compiled.ok ? compiled.type : undefined);
}

const REASONS: readonly string[] = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function validateValidation(validation: JsonObject, field: string, scope: PolicyScope, errors: FieldError[]): void {
  const [expression, computed, message] = ['expression', 'messageExpression', 'message'].map((name) => asText(validation[name]) ?? '') as [
    string,
    string,
    string,
  ];
  if (expression.trim() === '') errors.push(required(`${field}.expression`, 'expression is not specified'));
  else validateExpression(expression, [BOOL], `${field}.expression`, scope, errors);
  if (computed !== '' && computed.trim() === '')
    errors.push(invalidValue(`${field}.messageExpression`, computed, 'must be non-empty if specified'));
  else if (computed !== '')
    validateExpression(computed, [STRING], `${field}.messageExpression`, { ...scope, hasAuthorizer: false }, errors);
  if (message !== '' && message.trim() === '') errors.push(invalidValue(`${field}.message`, message, 'must be non-empty if specified'));
  else if (/[\n\r]/.test(message.trim())) errors.push(invalidValue(`${field}.message`, message, 'must not contain line breaks'));
  validateChoice(validation['reason'], `${field}.reason`, REASONS, errors);
}

function validateExpression(expression: string, wanted: readonly Type[], field: string, scope: PolicyScope, errors: FieldError[]): void {
  const compiled = compileIn(scope, expression, wanted);
  if (!compiled.ok) errors.push(invalidValue(field, expression, compiled.error));
}

const LONGEST_VALUE = 5 * 1024;

function validateAnnotation(
  annotation: JsonObject,
  { field, policy }: { readonly field: string; readonly policy: string },
  scope: PolicyScope,
  errors: FieldError[],
): void {
  const [key, value] = [asText(annotation['key']) ?? '', asText(annotation['valueExpression']) ?? ''];
  const full = `${policy}/${key}`;
  addWrong(errors, `${field}.key`, full, checkQualifiedName(full));
  const trimmed = value.trim();
  if (trimmed === '') return void errors.push(required(`${field}.valueExpression`, 'valueExpression is not specified'));
  if (trimmed.length > LONGEST_VALUE)
    return void errors.push(required(`${field}.valueExpression`, `must not exceed ${LONGEST_VALUE} bytes in length`));
  const compiled = compileIn(scope, trimmed, [STRING, NULL]);
  if (!compiled.ok) errors.push(invalidValue(`${field}.valueExpression`, value, compiled.error));
}

const PATCH_TYPES = {
  JSONPatch: { own: 'jsonPatch', other: 'applyConfiguration', type: JSON_PATCHES },
  ApplyConfiguration: { own: 'applyConfiguration', other: 'jsonPatch', type: OBJECT },
} as const;

function validateMutation(mutation: JsonObject, field: string, scope: PolicyScope, errors: FieldError[]): void {
  const type = asText(mutation['patchType']) ?? '';
  if (type === '') return void errors.push(required(`${field}.patchType`));
  if (type !== 'JSONPatch' && type !== 'ApplyConfiguration')
    return void errors.push(notSupported(`${field}.patchType`, type, ['ApplyConfiguration', 'JSONPatch']));
  const { own, other, type: wanted } = PATCH_TYPES[type];
  const expression = (asText(dig(mutation, own, 'expression')) ?? '').trim();
  if (mutation[own] === undefined) errors.push(required(`${field}.${own}`, `must be specified when patchType is ${type}`));
  else if (expression === '') errors.push(required(`${field}.${own}.expression`));
  else validateExpression(expression, [wanted], `${field}.${own}.expression`, { ...scope, hasPatches: true }, errors);
  if (mutation[other] !== undefined)
    errors.push(invalidValue(`${field}.${other}`, `{${other}}`, `must not be specified when patchType is ${type}`));
}

/** Source: the same (validateValidatingAdmissionPolicyBindingSpec, validateMutatingAdmissionPolicyBindingSpec). */
export function validatePolicyBinding(object: JsonObject, isMutating: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const name = asText(spec['policyName']) ?? '';
  addWrongOrMissing(errors, 'spec.policyName', name, checkSubdomain);
  if (isJsonObject(spec['paramRef'])) validateParamRef(spec['paramRef'], errors);
  const match = spec['matchResources'];
  if (isJsonObject(match)) validateMatch(match, 'spec.matchResources', errors);
  if (isMutating && match !== undefined) validateOperations(match, MUTATING_OPERATIONS, 'spec.matchResources', errors);
  if (!isMutating) validateActions(asList(spec['validationActions']), errors);
  return errors;
}

function validateParamRef(ref: JsonObject, errors: FieldError[]): void {
  const [name, selector] = [asText(ref['name']) ?? '', ref['selector']];
  const both = name !== '' && selector !== undefined;
  addWrong(errors, 'spec.paramRef.name', name, name === '' ? [] : checkPathSegment(name));
  if (both) errors.push(forbiddenField('spec.paramRef.name', 'name and selector are mutually exclusive'));
  validateLabelSelector(selector, 'spec.paramRef.selector', errors);
  if (both) errors.push(forbiddenField('spec.paramRef.selector', 'name and selector are mutually exclusive'));
  if (name === '' && selector === undefined) errors.push(required('spec.paramRef', 'one of name or selector must be specified'));
  const action = asText(ref['parameterNotFoundAction']) ?? '';
  if (action === '') errors.push(required('spec.paramRef.parameterNotFoundAction'));
  else validateChoice(action, 'spec.paramRef.parameterNotFoundAction', ['Deny', 'Allow'], errors);
}

function validateActions(actions: readonly Json[], errors: FieldError[]): void {
  const repeats = repeatsIn(actions);
  for (const [index, action] of actions.entries()) {
    validateChoice(action, `spec.validationActions[${index}]`, ['Audit', 'Deny', 'Warn'], errors);
    if (repeats.has(index)) errors.push(duplicate(`spec.validationActions[${index}]`, action));
  }
  if (actions.includes('Deny') && actions.includes('Warn'))
    errors.push(
      invalidValue(
        'spec.validationActions',
        actions,
        'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ),
    );
  if (actions.length === 0) errors.push(required('spec.validationActions', 'at least one validation action is required'));
}
