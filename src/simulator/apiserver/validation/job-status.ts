import { parseInstant } from '../../../base/instant.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import { parseInteger } from '../../../base/number.ts';
import type { FieldError } from './field-error.ts';
import { duplicate, invalidValue, required } from './field-error.ts';

/**
 * What is wrong with a Job's new status; most of it is looked at only where it changed.
 * Source: pkg/apis/batch/validation/validation.go (ValidateJobUpdateStatus), pkg/registry/batch/job/strategy.go (getStatusValidationOptions).
 */
export function validateJobStatus(job: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['active', 'succeeded', 'failed', 'ready', 'terminating'])
    if (count(job, field) < 0) errors.push(invalidValue(`status.${field}`, count(job, field), 'must be greater than or equal to 0'));
  uncounted(job, errors);
  conditionsTogether(job, old, errors);
  times(job, old, errors);
  finished(job, old, errors);
  indexes(job, old, errors);
  if (changed(job, old, 'ready', 'active') && count(job, 'ready') > count(job, 'active'))
    errors.push(invalidValue('status.ready', count(job, 'ready'), 'cannot set more ready pods than active'));
  transitions(job, old, errors);
  return errors;
}

function count(job: JsonObject, field: string): number {
  return asNumber(dig(job, 'status', field)) ?? 0;
}

function changed(job: JsonObject, old: JsonObject, ...fields: readonly string[]): boolean {
  return fields.some((field) => !sameJson(dig(job, 'status', field), dig(old, 'status', field)));
}

function isTrue(job: JsonObject, type: string): boolean {
  return asList(dig(job, 'status', 'conditions')).some((one) => dig(one, 'type') === type && dig(one, 'status') === 'True');
}

function isFinished(job: JsonObject): boolean {
  return isTrue(job, 'Complete') || isTrue(job, 'Failed');
}

function wrongConditions(detail: string): FieldError {
  return { type: 'Invalid', field: 'status.conditions', omitsValue: true, detail };
}

function uncounted(job: JsonObject, errors: FieldError[]): void {
  const seen = new Set<Json>();
  for (const part of ['succeeded', 'failed'])
    for (const [index, uid] of asList(dig(job, 'status', 'uncountedTerminatedPods', part)).entries()) {
      const field = `status.uncountedTerminatedPods.${part}[${index}]`;
      if (uid === '') errors.push(invalidValue(field, uid, 'must not be empty'));
      else if (seen.has(uid)) errors.push(duplicate(field, uid));
      seen.add(uid);
    }
}

/** Conditions that may not be there with, or without, another one; looked at where one of them changed. */
const TOGETHER: readonly (readonly [readonly string[], (is: (type: string) => boolean, job: JsonObject) => boolean, string])[] = [
  [['Complete', 'Failed'], (is) => is('Complete') && is('Failed'), 'cannot set Complete=True and Failed=true conditions'],
  [
    ['Complete', 'FailureTarget'],
    (is) => is('Complete') && is('FailureTarget'),
    'cannot set Complete=True and FailureTarget=true conditions',
  ],
  [['Failed'], (is) => is('Failed') && !is('FailureTarget'), 'cannot set Failed=True condition without the FailureTarget=true condition'],
  [
    ['Complete', 'SuccessCriteriaMet'],
    (is) => is('Complete') && !is('SuccessCriteriaMet'),
    'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
  ],
  [
    ['SuccessCriteriaMet', 'Failed'],
    (is) => is('SuccessCriteriaMet') && is('Failed'),
    'cannot set SuccessCriteriaMet=True and Failed=true conditions',
  ],
  [
    ['SuccessCriteriaMet', 'FailureTarget'],
    (is) => is('SuccessCriteriaMet') && is('FailureTarget'),
    'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
  ],
];

function conditionsTogether(job: JsonObject, old: JsonObject, errors: FieldError[]): void {
  for (const [types, isWrong, words] of TOGETHER)
    if (types.some((type) => isTrue(job, type) !== isTrue(old, type)) && isWrong((type) => isTrue(job, type), job))
      errors.push(wrongConditions(words));
}

function times(job: JsonObject, old: JsonObject, errors: FieldError[]): void {
  const [start, end] = [dig(job, 'status', 'startTime') ?? null, dig(job, 'status', 'completionTime') ?? null];
  const complete = isTrue(job, 'Complete');
  const looks = complete !== isTrue(old, 'Complete') || changed(job, old, 'completionTime');
  if (looks && end !== null && !complete)
    errors.push(invalidValue('status.completionTime', end, 'cannot set completionTime when there is no Complete=True condition'));
  if (looks && end === null && complete) errors.push(required('status.completionTime', 'completionTime is required for Complete jobs'));
  const [from, to] = [parseInstant(start), parseInstant(end)];
  const isBefore = from !== undefined && to !== undefined && to < from;
  if (changed(job, old, 'startTime', 'completionTime') && isBefore)
    errors.push(invalidValue('status.completionTime', end, 'must be equal to or after `startTime`'));
}

function finished(job: JsonObject, old: JsonObject, errors: FieldError[]): void {
  if (!isFinished(job)) return;
  const now = !isFinished(old);
  const looks = (field: string): boolean => now || changed(job, old, field);
  if (looks('active') && count(job, 'active') > 0)
    errors.push(invalidValue('status.active', count(job, 'active'), 'active>0 is invalid for finished job'));
  const never = dig(job, 'spec', 'suspend') === true && dig(job, 'spec', 'completions') === 0;
  if (looks('startTime') && !never && (dig(job, 'status', 'startTime') ?? null) === null)
    errors.push(required('status.startTime', 'startTime is required for finished job'));
  if (looks('terminating') && count(job, 'terminating') > 0)
    errors.push(invalidValue('status.terminating', count(job, 'terminating'), 'terminating>0 is invalid for finished job'));
}

function indexes(job: JsonObject, old: JsonObject, errors: FieldError[]): void {
  const [completed, failed] = [asText(dig(job, 'status', 'completedIndexes')) ?? '', asText(dig(job, 'status', 'failedIndexes'))];
  const completions = asNumber(dig(job, 'spec', 'completions'));
  const perIndex = dig(job, 'spec', 'backoffLimitPerIndex') !== undefined;
  const wrongIn = (field: string, text: string): void => {
    const wrong = completions === undefined ? undefined : indexTrouble(text, completions);
    if (wrong !== undefined) errors.push(invalidValue(`status.${field}`, text, `error parsing ${field}: ${wrong}`));
  };
  if (changed(job, old, 'completedIndexes')) wrongIn('completedIndexes', completed);
  if (changed(job, old, 'failedIndexes') && perIndex && failed !== undefined) wrongIn('failedIndexes', failed);
  if (changed(job, old, 'completedIndexes') && completed !== '' && dig(job, 'spec', 'completionMode') !== 'Indexed')
    errors.push(
      invalidValue('status.completedIndexes', completed, 'cannot set non-empty completedIndexes when non-indexed completion mode'),
    );
  if (changed(job, old, 'failedIndexes') && failed !== undefined && !perIndex)
    errors.push(invalidValue('status.failedIndexes', failed, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'));
}

/** What is wrong with a text such as `0,2-4`. Source: the same (validateIndexesFormat, parseIndexInterval). */
function indexTrouble(text: string, completions: number): string | undefined {
  if (text === '') return undefined;
  let last: number | undefined;
  for (const interval of text.split(',')) {
    const limits = interval.split('-');
    if (limits.length > 2)
      return `the fragment ${JSON.stringify(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`;
    for (const limit of limits) {
      const index = parseInteger(limit);
      if (index === undefined) return `cannot convert string to integer for index: ${JSON.stringify(limit)}`;
      if (index >= completions) return `too large index: ${JSON.stringify(limit)}`;
      if (last !== undefined && last >= index) return `non-increasing order, previous: ${last}, current: ${index}`;
      last = index;
    }
  }
  return undefined;
}

/** What of the old status may not be taken back. */
function transitions(job: JsonObject, old: JsonObject, errors: FieldError[]): void {
  for (const type of ['Failed', 'Complete', 'FailureTarget'])
    if (isTrue(old, type) && !isTrue(job, type)) errors.push(wrongConditions(`cannot disable the terminal ${type}=True condition`));
  if (count(job, 'failed') < count(old, 'failed'))
    errors.push(invalidValue('status.failed', count(job, 'failed'), 'cannot decrease the failed counter'));
  const elastic = dig(job, 'spec', 'completionMode') === 'Indexed' && dig(job, 'spec', 'completions') === dig(job, 'spec', 'parallelism');
  if (!elastic && count(job, 'succeeded') < count(old, 'succeeded'))
    errors.push(invalidValue('status.succeeded', count(job, 'succeeded'), 'cannot decrease the succeeded counter'));
  fixedTimes(job, old, errors);
  if (isTrue(old, 'SuccessCriteriaMet') && !isTrue(job, 'SuccessCriteriaMet'))
    errors.push(wrongConditions('cannot disable the SuccessCriteriaMet=True condition'));
}

/** A time once set stays, but for the start of a suspended job. */
function fixedTimes(job: JsonObject, old: JsonObject, errors: FieldError[]): void {
  const [end, before] = [dig(job, 'status', 'completionTime') ?? null, dig(old, 'status', 'completionTime') ?? null];
  if (end !== null && before !== null && end !== before) errors.push(invalidValue('status.completionTime', end, 'field is immutable'));
  const [start, started] = [dig(job, 'status', 'startTime') ?? null, dig(old, 'status', 'startTime') ?? null];
  if (started !== null && start !== started && dig(job, 'spec', 'suspend') !== true)
    errors.push(invalidValue('status.startTime', start, 'field is immutable for unsuspended job once set'));
}
