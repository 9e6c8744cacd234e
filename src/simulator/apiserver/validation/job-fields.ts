import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, dig, isJsonObject } from '../../../base/json.ts';
import type { FieldError } from './field-error.ts';
import { invalidValue, notSupported, required } from './field-error.ts';

/** What only jobs have: completion modes, limits by index, policies. Source: pkg/apis/batch/validation/validation.go. */
export function validateJobFields(spec: JsonObject, path: string, errors: FieldError[]): void {
  const mode = asText(spec['completionMode']);
  const indexed = mode === 'Indexed';
  if (mode !== undefined && mode !== 'Indexed' && mode !== 'NonIndexed') errors.push(notSupported(`${path}.completionMode`, mode, ['Indexed', 'NonIndexed']));
  const completions = asNumber(spec['completions']);
  if (indexed && completions === undefined) errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
  if (indexed && (asNumber(spec['parallelism']) ?? 0) > MOST_INDEXES) errors.push(invalidValue(`${path}.parallelism`, spec['parallelism'], `must be less than or equal to ${MOST_INDEXES} when completion mode is Indexed`));
  validateIndexLimits(spec, path, indexed, errors);
  const replacement = asText(spec['podReplacementPolicy']);
  if (replacement !== undefined && replacement !== 'Failed' && replacement !== 'TerminatingOrFailed') errors.push(notSupported(`${path}.podReplacementPolicy`, replacement, ['Failed', 'TerminatingOrFailed']));
  if (replacement === 'TerminatingOrFailed' && spec['podFailurePolicy'] !== undefined) errors.push(notSupported(`${path}.podReplacementPolicy`, replacement, ['Failed']));
  if (isJsonObject(spec['podFailurePolicy'])) validateFailurePolicy(spec, spec['podFailurePolicy'], path, errors);
  if (isJsonObject(spec['successPolicy'])) validateSuccessPolicy(spec['successPolicy'], `${path}.successPolicy`, indexed, errors);
}

const MOST_INDEXES = 100_000;

function validateIndexLimits(spec: JsonObject, path: string, indexed: boolean, errors: FieldError[]): void {
  const [perIndex, most, completions] = [asNumber(spec['backoffLimitPerIndex']), asNumber(spec['maxFailedIndexes']), asNumber(spec['completions'])];
  if (perIndex !== undefined && perIndex < 0) errors.push(invalidValue(`${path}.backoffLimitPerIndex`, perIndex, 'must be greater than or equal to 0'));
  if (perIndex !== undefined && !indexed) errors.push(invalidValue(`${path}.backoffLimitPerIndex`, perIndex, 'requires indexed completion mode'));
  if (most !== undefined && most < 0) errors.push(invalidValue(`${path}.maxFailedIndexes`, most, 'must be greater than or equal to 0'));
  if (most !== undefined && perIndex === undefined) errors.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  if (most !== undefined && completions !== undefined && most > completions) errors.push(invalidValue(`${path}.maxFailedIndexes`, most, 'must be less than or equal to completions'));
}

function validateFailurePolicy(spec: JsonObject, policy: JsonObject, path: string, errors: FieldError[]): void {
  const restart = dig(spec, 'template', 'spec', 'restartPolicy');
  if (restart !== 'Never') errors.push(invalidValue(`${path}.template.spec.restartPolicy`, restart, 'only "Never" is supported when podFailurePolicy is specified'));
  const names = ['containers', 'initContainers'].flatMap((list) => asList(dig(spec, 'template', 'spec', list)).map((container) => dig(container, 'name')));
  for (const [index, rule] of asList(policy['rules']).entries()) validateRule(rule, `${path}.podFailurePolicy.rules[${index}]`, { spec, names, errors });
}

interface Around {
  readonly spec: JsonObject;
  readonly names: readonly (Json | undefined)[];
  readonly errors: FieldError[];
}

const ACTIONS: readonly string[] = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

function validateRule(rule: Json, path: string, { spec, names, errors }: Around): void {
  const action = asText(dig(rule, 'action')) ?? '';
  if (action === '') errors.push(required(`${path}.action`, `valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`));
  else if (action === 'FailIndex' && spec['backoffLimitPerIndex'] === undefined) errors.push(invalidValue(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set'));
  else if (!ACTIONS.includes(action)) errors.push(notSupported(`${path}.action`, action, ACTIONS));
  const [codes, conditions] = [dig(rule, 'onExitCodes'), asList(dig(rule, 'onPodConditions'))];
  if (codes !== undefined) validateExitCodes(codes, `${path}.onExitCodes`, names, errors);
  for (const [index, condition] of conditions.entries()) {
    const status = asText(dig(condition, 'status')) ?? '';
    if (status === '') errors.push(required(`${path}.onPodConditions[${index}].status`, 'valid values: ["False" "True" "Unknown"]'));
    else if (!['False', 'True', 'Unknown'].includes(status)) errors.push(notSupported(`${path}.onPodConditions[${index}].status`, status, ['False', 'True', 'Unknown']));
  }
  if (codes !== undefined && conditions.length > 0) errors.push(invalidValue(path, rule, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  if (codes === undefined && conditions.length === 0) errors.push(invalidValue(path, rule, 'specifying one of OnExitCodes and OnPodConditions is required'));
}

function validateExitCodes(codes: Json, path: string, names: readonly (Json | undefined)[], errors: FieldError[]): void {
  const operator = asText(dig(codes, 'operator')) ?? '';
  if (operator === '') errors.push(required(`${path}.operator`, 'valid values: ["In" "NotIn"]'));
  else if (operator !== 'In' && operator !== 'NotIn') errors.push(notSupported(`${path}.operator`, operator, ['In', 'NotIn']));
  const name = asText(dig(codes, 'containerName'));
  if (name !== undefined && !names.includes(name)) errors.push(invalidValue(`${path}.containerName`, name, 'must be one of the container or initContainer names in the pod template'));
  const values = asList(dig(codes, 'values'));
  if (values.length === 0) errors.push(invalidValue(`${path}.values`, values, 'at least one value is required'));
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0) errors.push(invalidValue(`${path}.values[${index}]`, 0, 'must not be 0 for the In operator'));
    else if (values.indexOf(value) < index) errors.push({ type: 'Duplicate', field: `${path}.values[${index}]`, value, detail: '' });
    else if (index > 0 && (asNumber(values[index - 1]) ?? 0) > (asNumber(value) ?? 0)) errors.push(invalidValue(`${path}.values`, values, 'must be ordered'));
  }
}

function validateSuccessPolicy(policy: JsonObject, path: string, indexed: boolean, errors: FieldError[]): void {
  const rules = asList(policy['rules']);
  if (!indexed) errors.push(invalidValue(path, policy, 'requires indexed completion mode'));
  if (rules.length === 0) errors.push(required(`${path}.rules`, 'at least one rules must be specified when the successPolicy is specified'));
  for (const [index, rule] of rules.entries()) {
    const field = `${path}.rules[${index}]`;
    if (dig(rule, 'succeededCount') === undefined && dig(rule, 'succeededIndexes') === undefined) errors.push(required(field, 'at least one of succeededCount or succeededIndexes must be specified'));
  }
}
