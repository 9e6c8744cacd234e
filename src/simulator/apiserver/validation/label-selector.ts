import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import { labelSelectorMatcher } from '../selectors.ts';
import { parseIpAddress } from '../../../base/ip-address.ts';
import { remembered } from '../../../base/memoized.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, forbiddenField, invalidValue, required } from './field-error.ts';
import { checkLabelValue, checkQualifiedName } from './names.ts';

/** A LabelSelector. Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go. */
export function validateLabelSelector(selector: Json | undefined, path: string, errors: FieldError[]): void {
  if (!isJsonObject(selector)) return;
  for (const [key, value] of Object.entries(asTextMap(selector['matchLabels']))) {
    addWrong(errors, `${path}.matchLabels`, key, checkQualifiedName(key));
    addWrong(errors, `${path}.matchLabels`, value, checkLabelValue(value));
  }
  for (const [index, expression] of asList(selector['matchExpressions']).entries()) {
    const field = `${path}.matchExpressions[${index}]`;
    const operator = asText(dig(expression, 'operator')) ?? '';
    if (!validateValuesOf(expression, operator, field, errors))
      errors.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
    validateKeyAndValues(expression, field, errors);
  }
}

/** That a selector fits the labels of the template it is for; of one that is wrong itself nothing is said. */
export function validateSelected(
  selector: Json | undefined,
  template: JsonObject,
  path: string,
  errors: FieldError[],
  isRight = isRightSelector(selector),
): void {
  const given = dig(template, 'metadata', 'labels');
  if (!isRight || labelSelectorMatcher(selector)(asTextMap(given))) return;
  const value = isJsonObject(given) ? sortedMap(given) : null;
  errors.push(invalidValue(`${path}.metadata.labels`, value, '`selector` does not match template `labels`'));
}

export function isRightSelector(selector: Json | undefined): boolean {
  const wrong: FieldError[] = [];
  validateLabelSelector(selector, '', wrong);
  return wrong.length === 0;
}

/** Whether the operator is one of sets; the values it needs, or must not have, are looked at. */
export function validateValuesOf(expression: Json, operator: string, field: string, errors: FieldError[]): boolean {
  const count = asList(dig(expression, 'values')).length;
  const isSet = operator === 'In' || operator === 'NotIn';
  const isPresence = operator === 'Exists' || operator === 'DoesNotExist';
  if (isSet && count === 0) errors.push(required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  if (isPresence && count > 0)
    errors.push(forbiddenField(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  return isSet || isPresence;
}

export function validateKeyAndValues(expression: Json, field: string, errors: FieldError[], withValues = true): void {
  const key = asText(dig(expression, 'key')) ?? '';
  addWrong(errors, `${field}.key`, key, checkQualifiedName(key));
  if (!withValues) return;
  for (const [index, value] of asList(dig(expression, 'values')).entries())
    addWrong(errors, `${field}.values[${index}]`, value, checkLabelValue(asText(value) ?? ''));
}

export function validateAddress(address: Json | undefined, field: string, errors: FieldError[]): void {
  for (const wrong of checkAddress(asText(address) ?? '')) errors.push(invalidValue(field, address ?? '', wrong));
}

/** Source: staging/src/k8s.io/apimachinery/pkg/util/validation/ip.go (IsValidIP). */
export function checkAddress(text: string): readonly string[] {
  return isAddress(text) ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
}

/** Asked again and again about the addresses behind a Service. */
const isAddress = remembered((text) => parseIpAddress(text) !== undefined, { limit: 20_000, length: 45 });

/** A map as Go prints it: by its keys. */
export function sortedMap(map: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.keys(map)
      .sort()
      .map((key) => [key, map[key]]),
  );
}

/** A selector as Go prints it. */
export function selectorValue(selector: Json | undefined): Json {
  if (!isJsonObject(selector)) return selector ?? null;
  const { matchLabels, matchExpressions } = selector;
  return {
    ...(Object.keys(asObject(matchLabels)).length === 0 ? {} : { matchLabels: sortedMap(asObject(matchLabels)) }),
    ...(asList(matchExpressions).length === 0 ? {} : { matchExpressions: asList(matchExpressions).map(expressionValue) }),
  };
}

function expressionValue(expression: Json): Json {
  const values = asList(dig(expression, 'values'));
  return {
    key: asText(dig(expression, 'key')) ?? '',
    operator: asText(dig(expression, 'operator')) ?? '',
    ...(values.length === 0 ? {} : { values }),
  };
}
