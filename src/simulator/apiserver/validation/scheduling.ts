import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { validateKeysOnce, validateLabelKeys } from './affinity.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, forbiddenField, invalidValue, notSupported, required } from './field-error.ts';
import { validateLabelSelector } from './label-selector.ts';
import { checkLabelValue, checkQualifiedName } from './names.ts';
import { validateChoice } from './request-rules.ts';

/** What a pod says of where it goes. Source: pkg/apis/core/validation/validation.go. */
export function validateGates(spec: JsonObject, path: string, errors: FieldError[]): void {
  const names = new Set<string>();
  for (const [index, gate] of asList(spec['schedulingGates']).entries()) {
    const name = asText(dig(gate, 'name')) ?? '';
    addWrong(errors, `${path}.schedulingGates[${index}]`, name, checkQualifiedName(name));
    if (names.has(name)) errors.push(duplicate(`${path}.schedulingGates[${index}]`, name));
    names.add(name);
  }
  if (names.size > 0 && (asText(spec['nodeName']) ?? '') !== '')
    errors.push(forbiddenField(`${path}.nodeName`, 'cannot be set until all schedulingGates have been cleared'));
}

export function validateSpread(constraints: Json | undefined, path: string, errors: FieldError[]): void {
  const all = asList(constraints);
  const pairs = all.map(
    (constraint) => `{${asText(dig(constraint, 'topologyKey')) ?? ''}, ${asText(dig(constraint, 'whenUnsatisfiable')) ?? ''}}`,
  );
  const last = new Map(pairs.map((pair, index) => [pair, index]));
  for (const [index, constraint] of all.entries()) {
    const field = `${path}[${index}]`;
    const skew = asNumber(dig(constraint, 'maxSkew')) ?? 0;
    const [key, when] = [asText(dig(constraint, 'topologyKey')) ?? '', asText(dig(constraint, 'whenUnsatisfiable')) ?? ''];
    if (skew <= 0) errors.push(invalidValue(`${field}.maxSkew`, skew, 'must be greater than zero'));
    if (key === '') errors.push(required(`${field}.topologyKey`, 'can not be empty'));
    validateChoice(when, `${field}.whenUnsatisfiable`, ['DoNotSchedule', 'ScheduleAnyway'], errors);
    // Each is compared with those after it.
    if ((last.get(pairs[index] ?? '') ?? 0) > index)
      errors.push(duplicate(`${field}.{topologyKey, whenUnsatisfiable}`, pairs[index] ?? ''));
    validateDomains(asNumber(dig(constraint, 'minDomains')), when, `${field}.minDomains`, errors);
    for (const policy of ['nodeAffinityPolicy', 'nodeTaintsPolicy'])
      validateChoice(dig(constraint, policy), `${field}.${policy}`, ['Honor', 'Ignore'], errors);
    validateLabelKeys(asList(dig(constraint, 'matchLabelKeys')), dig(constraint, 'labelSelector'), `${field}.matchLabelKeys`, errors);
    validateKeysOnce(asList(dig(constraint, 'matchLabelKeys')), dig(constraint, 'labelSelector'), field, errors);
    validateLabelSelector(dig(constraint, 'labelSelector'), `${field}.labelSelector`, errors);
  }
}

/** Source: the same (ValidatePreemptionPolicy). */
export function validatePreemption(policy: Json | undefined, field: string, errors: FieldError[]): void {
  if (policy === '') errors.push(required(field));
  else validateChoice(policy, field, ['PreemptLowerPriority', 'Never'], errors);
}

const EFFECTS: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function validateDomains(domains: number | undefined, when: string, field: string, errors: FieldError[]): void {
  if (domains === undefined) return;
  if (domains <= 0) errors.push(invalidValue(field, domains, 'must be greater than zero'));
  if (when !== 'DoNotSchedule')
    errors.push(invalidValue(field, domains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`));
}

export function validateTolerations(tolerations: Json | undefined, path: string, errors: FieldError[]): void {
  for (const [index, entry] of asList(tolerations).entries()) {
    const toleration = asObject(entry);
    const field = `${path}[${index}]`;
    const [key, value] = [asText(toleration['key']) ?? '', asText(toleration['value']) ?? ''];
    const operator = asText(toleration['operator']) ?? '';
    if (key !== '') addWrong(errors, `${field}.key`, key, checkQualifiedName(key));
    if (key === '' && operator !== 'Exists')
      errors.push(
        invalidValue(
          `${field}.operator`,
          operator,
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      );
    if (toleration['tolerationSeconds'] !== undefined && toleration['effect'] !== 'NoExecute')
      errors.push(
        invalidValue(`${field}.effect`, asText(toleration['effect']) ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set"),
      );
    validateOperator(operator, value, `${field}.operator`, errors);
    const effect = asText(toleration['effect']) ?? '';
    if (effect !== '') validateChoice(effect, `${field}.effect`, EFFECTS, errors);
  }
}

function validateOperator(operator: string, value: string, field: string, errors: FieldError[]): void {
  if (operator === 'Exists') {
    if (value !== '') errors.push(invalidValue(field, value, "value must be empty when `operator` is 'Exists'"));
  } else if (operator === '' || operator === 'Equal') addWrong(errors, field, value, joined(checkLabelValue(value)));
  else
    errors.push(
      notSupported(field, operator, operator === 'Lt' || operator === 'Gt' ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists']),
    );
}

/** Taints of a node. Source: the same (validateNodeTaints). */
export function validateTaints(taints: Json | undefined, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const pairs = new Set<string>();
  for (const [index, taint] of asList(taints).entries()) {
    const field = `${path}[${index}]`;
    const [key, value, effect] = [asText(dig(taint, 'key')) ?? '', asText(dig(taint, 'value')) ?? '', asText(dig(taint, 'effect')) ?? ''];
    addWrong(errors, `${field}.key`, key, checkQualifiedName(key));
    addWrong(errors, `${field}.value`, value, joined(checkLabelValue(value)));
    if (effect === '') errors.push(required(`${field}.effect`));
    else validateChoice(effect, `${field}.effect`, EFFECTS, errors);
    if (pairs.has(`${key}:${effect}`))
      errors.push({
        ...duplicate(field, { Key: key, Value: value, Effect: effect, TimeAdded: dig(taint, 'timeAdded') ?? null }),
        detail: 'taints must be unique by key and effect pair',
      });
    pairs.add(`${key}:${effect}`);
  }
  return errors;
}

function joined(words: readonly string[]): readonly string[] {
  return words.length === 0 ? [] : [words.join(';')];
}
