import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, forbiddenField, invalidValue, required } from './field-error.ts';
import { validateKeyAndValues, validateLabelSelector, validateValuesOf } from './label-selector.ts';
import { checkLabelName, checkQualifiedName, checkSubdomain } from './names.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Source: pkg/apis/core/validation/validation.go (validateAffinity). */
export function validateAffinity(affinity: Json | undefined, path: string, errors: FieldError[]): void {
  if (!isJsonObject(affinity)) return;
  const selector = dig(affinity, 'nodeAffinity', REQUIRED);
  const nodePath = `${path}.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
  if (selector !== undefined) {
    const terms = asList(dig(selector, 'nodeSelectorTerms'));
    if (terms.length === 0) errors.push(required(nodePath, 'must have at least one node selector term'));
    for (const [index, term] of terms.entries()) validateNodeTerm(term, `${nodePath}[${index}]`, errors);
  }
  for (const [index, entry] of asList(dig(affinity, 'nodeAffinity', PREFERRED)).entries()) {
    const field = `${path}.nodeAffinity.${PREFERRED}[${index}]`;
    validateWeight(entry, field, errors);
    validateNodeTerm(dig(entry, 'preference') ?? {}, `${field}.preference`, errors, false);
  }
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    for (const [index, term] of asList(dig(affinity, kind, REQUIRED)).entries())
      validatePodTerm(term, `${path}.${kind}.${REQUIRED}[${index}]`, errors);
    for (const [index, entry] of asList(dig(affinity, kind, PREFERRED)).entries()) {
      const field = `${path}.${kind}.${PREFERRED}[${index}]`;
      validateWeight(entry, field, errors);
      validatePodTerm(dig(entry, 'podAffinityTerm'), `${field}.podAffinityTerm`, errors);
    }
  }
}

function validateWeight(entry: Json, path: string, errors: FieldError[]): void {
  const weight = asNumber(dig(entry, 'weight')) ?? 0;
  if (weight <= 0 || weight > 100) errors.push(invalidValue(`${path}.weight`, weight, 'must be in the range 1-100'));
}

/** What nodes are asked for; values that no label can have are let be where they are only preferred. */
export function validateNodeTerm(term: Json, path: string, errors: FieldError[], withValues = true): void {
  for (const [index, expression] of asList(dig(term, 'matchExpressions')).entries()) {
    const field = `${path}.matchExpressions[${index}]`;
    const operator = asText(dig(expression, 'operator')) ?? '';
    const compares = operator === 'Gt' || operator === 'Lt';
    if (compares && asList(dig(expression, 'values')).length !== 1)
      errors.push(required(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
    if (!compares && !validateValuesOf(expression, operator, field, errors))
      errors.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
    validateKeyAndValues(expression, field, errors, withValues);
  }
  for (const [index, expression] of asList(dig(term, 'matchFields')).entries())
    validateNodeField(expression, `${path}.matchFields[${index}]`, errors);
}

function validateNodeField(expression: Json, field: string, errors: FieldError[]): void {
  const [key, operator, values] = [
    asText(dig(expression, 'key')) ?? '',
    asText(dig(expression, 'operator')) ?? '',
    asList(dig(expression, 'values')),
  ];
  if (operator !== 'In' && operator !== 'NotIn') errors.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
  else if (values.length !== 1)
    errors.push(required(`${field}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  if (key !== 'metadata.name') errors.push(invalidValue(`${field}.key`, key, 'not a valid field selector key'));
  else
    for (const [index, value] of values.entries())
      addWrong(errors, `${field}.values[${index}]`, value, checkSubdomain(asText(value) ?? ''));
}

function validatePodTerm(term: Json | undefined, path: string, errors: FieldError[]): void {
  for (const selector of ['labelSelector', 'namespaceSelector']) validateLabelSelector(dig(term, selector), `${path}.${selector}`, errors);
  for (const name of asList(dig(term, 'namespaces'))) addWrong(errors, `${path}.namespace`, name, checkLabelName(asText(name) ?? ''));
  const [match, mismatch] = [asList(dig(term, 'matchLabelKeys')), asList(dig(term, 'mismatchLabelKeys'))];
  validateLabelKeys(match, dig(term, 'labelSelector'), `${path}.matchLabelKeys`, errors);
  validateLabelKeys(mismatch, dig(term, 'labelSelector'), `${path}.mismatchLabelKeys`, errors);
  validateKeysOnce(match, dig(term, 'labelSelector'), path, errors);
  const mismatched = new Set(mismatch);
  for (const [index, key] of match.entries())
    if (mismatched.has(key))
      errors.push(invalidValue(`${path}.matchLabelKeys[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys'));
  const key = asText(dig(term, 'topologyKey')) ?? '';
  if (key === '') errors.push(required(`${path}.topologyKey`, 'can not be empty'));
  addWrong(errors, `${path}.topologyKey`, key, checkQualifiedName(key));
}

/**
 * Keys that are put into a selector are not in it already; the place is that of the key. Source: the same
 * (ValidateMatchLabelKeysAndMismatchLabelKeys).
 */
export function validateKeysOnce(keys: readonly Json[], selector: Json | undefined, path: string, errors: FieldError[]): void {
  const seen = new Set<Json | undefined>(Object.keys(asTextMap(dig(selector, 'matchLabels'))));
  for (const expression of asList(dig(selector, 'matchExpressions'))) {
    const key = dig(expression, 'key');
    const index = keys.lastIndexOf(key ?? null);
    if (index >= 0 && seen.has(key)) errors.push(invalidValue(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'));
    seen.add(key);
  }
}

/** Source: the same (validateLabelKeys). */
export function validateLabelKeys(keys: readonly Json[], selector: Json | undefined, field: string, errors: FieldError[]): void {
  if (keys.length === 0) return;
  if (!isJsonObject(selector)) return void errors.push(forbiddenField(field, 'must not be specified when labelSelector is not set'));
  for (const [index, key] of keys.entries()) addWrong(errors, `${field}[${index}]`, key, checkQualifiedName(asText(key) ?? ''));
}
