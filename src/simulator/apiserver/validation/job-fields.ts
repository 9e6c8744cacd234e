import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import { parseInteger } from '../../../base/number.ts';
import { labelSelectorMatcher } from '../selectors.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, invalidValue, notSupported, required, tooLong, tooMany } from './field-error.ts';
import { repeatsIn } from './field-lists.ts';
import { internalOf } from './go-diff.ts';
import { isRightSelector, selectorValue, sortedMap, validateLabelSelector, validateSelected } from './label-selector.ts';
import { checkLabelName, checkQualifiedName } from './names.ts';
import { validatePrefixedPath } from './network.ts';
import { validatePodTemplate } from './templates.ts';

const MANAGER_LENGTH = 63;

/** A job by itself. Source: pkg/apis/batch/validation/validation.go (ValidateJob). */
export function validateJob(object: JsonObject): readonly FieldError[] {
  const spec = asObject(object['spec']);
  const errors: FieldError[] = [...validateGenerated(object), ...validateSelectingJob(spec)];
  const [name, completions] = [asText(dig(object, 'metadata', 'name')) ?? '', asNumber(spec['completions']) ?? 0];
  const last = `${name}-${completions - 1}`;
  if (spec['completionMode'] === 'Indexed' && completions > 0 && checkLabelName(last).length > 0)
    errors.push(invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${last}`));
  return errors;
}

/** Source: the same (ValidateJobSpec). */
export function validateSelectingJob(spec: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  validateJobSpec(spec, 'spec', errors);
  if (isJsonObject(spec['selector'])) validateLabelSelector(spec['selector'], 'spec.selector', errors);
  else errors.push(required('spec.selector'));
  validateSelected(spec['selector'], asObject(spec['template']), 'spec.template', errors);
  return errors;
}

/** Labels and a selector that are not the job's own. Source: the same (validateGeneratedSelector). */
function validateGenerated(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  if (spec['manualSelector'] === true || !isJsonObject(spec['selector'])) return errors;
  const [uid, name] = [asText(dig(object, 'metadata', 'uid')) ?? '', asText(dig(object, 'metadata', 'name')) ?? ''];
  const expected: Record<string, string> = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  };
  const labels = asTextMap(dig(spec, 'template', 'metadata', 'labels'));
  for (const [key, value] of Object.entries(expected)) {
    if (labels[key] === undefined) errors.push(required(`spec.template.metadata.labels[${key}]`, `must be '${value}'`));
    else if (labels[key] !== value)
      errors.push(invalidValue(`spec.template.metadata.labels[${key}]`, sortedMap(labels), `must be '${value}'`));
  }
  if (isRightSelector(spec['selector']) && !labelSelectorMatcher(spec['selector'])(expected))
    errors.push(invalidValue('spec.selector', selectorValue(spec['selector']), '`selector` not auto-generated'));
  return errors;
}

/** What a job and the template of a CronJob's jobs have in common. Source: the same (validateJobSpec). */
export function validateJobSpec(spec: JsonObject, path: string, errors: FieldError[]): void {
  for (const field of COUNTS) {
    const value = asNumber(spec[field]);
    if (value !== undefined && value < 0) errors.push(invalidValue(`${path}.${field}`, value, 'must be greater than or equal to 0'));
  }
  if (spec['maxFailedIndexes'] !== undefined && spec['backoffLimitPerIndex'] === undefined)
    errors.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  const manager = asText(spec['managedBy']);
  if (manager !== undefined) {
    if (manager === '') errors.push(required(`${path}.managedBy`));
    else validatePrefixedPath(manager, `${path}.managedBy`, errors);
    if (manager.length > MANAGER_LENGTH) errors.push(tooLong(`${path}.managedBy`, MANAGER_LENGTH));
  }
  validateMode(spec, path, errors);
  if (isJsonObject(spec['podFailurePolicy'])) validateFailurePolicy(spec, spec['podFailurePolicy'], path, errors);
  if (isJsonObject(spec['successPolicy'])) validateSuccessPolicy(spec, spec['successPolicy'], `${path}.successPolicy`, errors);
  const replacement = asText(spec['podReplacementPolicy']);
  const allowed = spec['podFailurePolicy'] === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  if (replacement !== undefined && !allowed.includes(replacement))
    errors.push(notSupported(`${path}.podReplacementPolicy`, replacement, allowed));
  validatePodTemplate(asObject(spec['template']), `${path}.template`, errors);
  validateRestartPolicy(spec, path, errors);
}

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];

function validateRestartPolicy(spec: JsonObject, path: string, errors: FieldError[]): void {
  const restart = asText(dig(spec, 'template', 'spec', 'restartPolicy')) ?? '';
  const field = `${path}.template.spec.restartPolicy`;
  if (restart === 'Always' || restart === '') errors.push(required(field, 'valid values: "OnFailure", "Never"'));
  else if (restart !== 'OnFailure' && restart !== 'Never') errors.push(notSupported(field, restart, ['OnFailure', 'Never']));
  else if (spec['podFailurePolicy'] !== undefined && restart !== 'Never')
    errors.push(invalidValue(field, restart, 'only "Never" is supported when podFailurePolicy is specified'));
}

const MOST_INDEXES = 100_000;
const MOST_FOR_MANY = 10_000;

function validateMode(spec: JsonObject, path: string, errors: FieldError[]): void {
  const mode = asText(spec['completionMode']);
  if (mode !== undefined && mode !== 'Indexed' && mode !== 'NonIndexed')
    errors.push(notSupported(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed']));
  if (mode === 'Indexed') return validateIndexed(spec, path, errors);
  if (mode !== undefined && mode !== 'NonIndexed') return;
  for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'])
    if (spec[field] !== undefined) errors.push(invalidValue(`${path}.${field}`, spec[field], 'requires indexed completion mode'));
}

function validateIndexed(spec: JsonObject, path: string, errors: FieldError[]): void {
  const [completions, parallelism, failed] = [
    asNumber(spec['completions']),
    asNumber(spec['parallelism']) ?? 0,
    asNumber(spec['maxFailedIndexes']),
  ];
  const failedField = `${path}.maxFailedIndexes`;
  if (completions === undefined) errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
  if (parallelism > MOST_INDEXES)
    errors.push(
      invalidValue(`${path}.parallelism`, parallelism, `must be less than or equal to ${MOST_INDEXES} when completion mode is Indexed`),
    );
  if (failed !== undefined && failed > (completions ?? failed))
    errors.push(invalidValue(failedField, failed, 'must be less than or equal to completions'));
  if ((failed ?? 0) > MOST_INDEXES) errors.push(invalidValue(failedField, failed, `must be less than or equal to ${MOST_INDEXES}`));
  if ((completions ?? 0) > MOST_INDEXES && spec['backoffLimitPerIndex'] !== undefined) validateMany(parallelism, failed, path, errors);
}

/** A limit for each of very many indexes allows less of everything else. */
function validateMany(parallelism: number, failed: number | undefined, path: string, errors: FieldError[]): void {
  const failedField = `${path}.maxFailedIndexes`;
  const many = `must be less than or equal to ${MOST_FOR_MANY} when completions are above ${MOST_INDEXES} and used with backoff limit per index`;
  if (failed === undefined) errors.push(required(failedField, `must be specified when completions is above ${MOST_INDEXES}`));
  if (parallelism > MOST_FOR_MANY) errors.push(invalidValue(`${path}.parallelism`, parallelism, many));
  if ((failed ?? 0) > MOST_FOR_MANY) errors.push(invalidValue(failedField, failed, many));
}

const MOST_RULES = 20;

function validateFailurePolicy(spec: JsonObject, policy: JsonObject, path: string, errors: FieldError[]): void {
  const rules = asList(policy['rules']);
  if (rules.length > MOST_RULES) errors.push(tooMany(`${path}.podFailurePolicy.rules`, rules.length, MOST_RULES));
  const names = ['containers', 'initContainers'].flatMap((list) =>
    asList(dig(spec, 'template', 'spec', list)).map((container) => dig(container, 'name')),
  );
  for (const [index, rule] of rules.entries()) validateRule(rule, `${path}.podFailurePolicy.rules[${index}]`, { spec, names, errors });
}

interface Around {
  readonly spec: JsonObject;
  readonly names: readonly (Json | undefined)[];
  readonly errors: FieldError[];
}

const ACTIONS: readonly string[] = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const STATUSES: readonly string[] = ['False', 'True', 'Unknown'];

function validateRule(rule: Json, path: string, { spec, names, errors }: Around): void {
  const action = asText(dig(rule, 'action')) ?? '';
  if (action === '') errors.push(required(`${path}.action`, 'valid values: ["Count" "FailIndex" "FailJob" "Ignore"]'));
  else if (action === 'FailIndex' && spec['backoffLimitPerIndex'] === undefined)
    errors.push(invalidValue(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set'));
  else if (!ACTIONS.includes(action)) errors.push(notSupported(`${path}.action`, action, ACTIONS));
  const [codes, conditions] = [dig(rule, 'onExitCodes'), asList(dig(rule, 'onPodConditions'))];
  if (codes !== undefined) validateExitCodes(codes, `${path}.onExitCodes`, names, errors);
  for (const [index, condition] of conditions.entries()) validatePodCondition(condition, `${path}.onPodConditions[${index}]`, errors);
  if (codes !== undefined && conditions.length > 0)
    errors.push({ ...invalidValue(path, null, 'specifying both OnExitCodes and OnPodConditions is not supported'), omitsValue: true });
  if (codes === undefined && conditions.length === 0)
    errors.push({ ...invalidValue(path, null, 'specifying one of OnExitCodes and OnPodConditions is required'), omitsValue: true });
}

function validatePodCondition(condition: Json, field: string, errors: FieldError[]): void {
  const [type, status] = [asText(dig(condition, 'type')) ?? '', asText(dig(condition, 'status')) ?? ''];
  addWrong(errors, `${field}.type`, type, checkQualifiedName(type));
  if (status === '') errors.push(required(`${field}.status`, 'valid values: ["False" "True" "Unknown"]'));
  else if (!STATUSES.includes(status)) errors.push(notSupported(`${field}.status`, status, STATUSES));
}

const MOST_CODES = 255;

function validateExitCodes(codes: Json, path: string, names: readonly (Json | undefined)[], errors: FieldError[]): void {
  const operator = asText(dig(codes, 'operator')) ?? '';
  if (operator === '') errors.push(required(`${path}.operator`, 'valid values: ["In" "NotIn"]'));
  else if (operator !== 'In' && operator !== 'NotIn') errors.push(notSupported(`${path}.operator`, operator, ['In', 'NotIn']));
  const name = asText(dig(codes, 'containerName'));
  if (name !== undefined && !names.includes(name))
    errors.push(invalidValue(`${path}.containerName`, name, 'must be one of the container or initContainer names in the pod template'));
  validateCodes(dig(codes, 'values'), operator, path, errors);
}

function validateCodes(given: Json | undefined, operator: string, path: string, errors: FieldError[]): void {
  const values = asList(given);
  if (values.length === 0) errors.push(invalidValue(`${path}.values`, given, 'at least one value is required'));
  if (values.length > MOST_CODES) errors.push(tooMany(`${path}.values`, values.length, MOST_CODES));
  const repeats = repeatsIn(values);
  let ordered = true;
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0) errors.push(invalidValue(`${path}.values[${index}]`, 0, 'must not be 0 for the In operator'));
    if (repeats.has(index)) errors.push(duplicate(`${path}.values[${index}]`, value));
    if (index > 0 && (asNumber(values[index - 1]) ?? 0) > (asNumber(value) ?? 0)) ordered = false;
  }
  if (!ordered) errors.push(invalidValue(`${path}.values`, values, 'must be ordered'));
}

function validateSuccessPolicy(spec: JsonObject, policy: JsonObject, path: string, errors: FieldError[]): void {
  if (spec['completionMode'] !== 'Indexed')
    return void errors.push(invalidValue(path, internalOf('SuccessPolicy', policy), 'requires indexed completion mode'));
  const rules = asList(policy['rules']);
  if (rules.length === 0)
    errors.push(required(`${path}.rules`, 'at least one rules must be specified when the successPolicy is specified'));
  if (rules.length > MOST_RULES) errors.push(tooMany(`${path}.rules`, rules.length, MOST_RULES));
  const completions = asNumber(spec['completions']) ?? 0;
  for (const [index, rule] of rules.entries()) {
    const field = `${path}.rules[${index}]`;
    const [count, indexes] = [asNumber(dig(rule, 'succeededCount')), asText(dig(rule, 'succeededIndexes'))];
    if (count === undefined && indexes === undefined)
      errors.push(required(field, 'at least one of succeededCount or succeededIndexes must be specified'));
    const total = indexes === undefined ? undefined : validateIndexes(indexes, completions, `${field}.succeededIndexes`, errors);
    if (count === undefined) continue;
    if (count < 0) errors.push(invalidValue(`${field}.succeededCount`, count, 'must be greater than or equal to 0'));
    if (count > completions)
      errors.push(
        invalidValue(
          `${field}.succeededCount`,
          count,
          `must be less than or equal to ${completions} (the number of specified completions)`,
        ),
      );
    if (total !== undefined && count > total)
      errors.push(
        invalidValue(
          `${field}.succeededCount`,
          count,
          `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`,
        ),
      );
  }
}

/** How many indexes the text names. Source: the same (validateIndexesFormat). */
function validateIndexes(text: string, completions: number, field: string, errors: FieldError[]): number {
  let [total, last] = [0, -1];
  const wrong = (words: string): number => {
    errors.push(invalidValue(field, text, `error parsing succeededIndexes: ${words}`));
    return 0;
  };
  for (const part of text === '' ? [] : text.split(',')) {
    const bounds = part.split('-');
    if (bounds.length > 2)
      return wrong(`the fragment "${part}" violates the requirement that an index interval can have at most two parts separated by '-'`);
    const [from = 0, to = from] = bounds.map((bound) => (/^\d+$/.test(bound) ? (parseInteger(bound) ?? Number.NaN) : Number.NaN));
    const odd = bounds.find((bound) => !/^\d+$/.test(bound));
    if (odd !== undefined) return wrong(`cannot convert string to integer for index: "${odd}"`);
    if (last >= from) return wrong(`non-increasing order, previous: ${last}, current: ${from}`);
    if (from >= completions) return wrong(`too large index: "${bounds[0] ?? ''}"`);
    if (bounds.length > 1 && to >= completions) return wrong(`too large index: "${bounds[1] ?? ''}"`);
    if (bounds.length > 1 && from >= to) return wrong(`non-increasing order, previous: ${from}, current: ${to}`);
    total += to - from + 1;
    last = to;
  }
  return total;
}

/** The jobs a CronJob makes select their pods by themselves. Source: the same (ValidateJobTemplateSpec). */
export function validateJobTemplate(template: JsonObject, path: string, errors: FieldError[]): void {
  const spec = asObject(template['spec']);
  validateJobSpec(spec, `${path}.spec`, errors);
  if (isJsonObject(spec['selector']))
    errors.push(invalidValue(`${path}.spec.selector`, selectorValue(spec['selector']), '`selector` will be auto-generated'));
  if (spec['manualSelector'] === true) errors.push(notSupported(`${path}.spec.manualSelector`, true, ['nil', 'false']));
}
