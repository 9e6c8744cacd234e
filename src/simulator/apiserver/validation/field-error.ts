import type { Json, JsonObject } from '../../../base/json.ts';

/**
 * One wrong field. `value` is printed as Kubernetes from 1.34 on prints it: texts in quotes, lists and objects as JSON.
 * Source: staging/src/k8s.io/apimachinery/pkg/util/validation/field/errors.go.
 */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly value?: Json;
  readonly detail: string;
  /** The value is too large to be told. */
  readonly omitsValue?: boolean;
}

export type FieldErrorType =
  | 'Required'
  | 'Invalid'
  | 'NotSupported'
  | 'NotFound'
  | 'Duplicate'
  | 'Forbidden'
  | 'TooLong'
  | 'TooMany'
  | 'TypeInvalid'
  | 'Internal';

/** Both, without a list of their own where there is nothing wrong. */
export function joined(first: readonly FieldError[], second: readonly FieldError[]): readonly FieldError[] {
  if (first.length === 0) return second;
  return second.length === 0 ? first : [...first, ...second];
}

export function required(field: string, detail = ''): FieldError {
  return { type: 'Required', field, detail };
}

export function invalidValue(field: string, value: Json | undefined, detail: string): FieldError {
  return { type: 'Invalid', field, value: value ?? null, detail };
}

/** Adds an error for each thing that is wrong with a value, in its words. */
export function addWrong(errors: FieldError[], field: string, value: Json | undefined, wrong: readonly string[]): void {
  for (const detail of wrong) errors.push(invalidValue(field, value, detail));
}

/** Adds that a text is missing, or what is wrong with it. */
export function addWrongOrMissing(errors: FieldError[], field: string, value: string, check: (value: string) => readonly string[]): void {
  if (value === '') errors.push(required(field));
  else addWrong(errors, field, value, check(value));
}

/** The allowed values are printed as given: sorted where upstream has a set of them, else in its order. */
export function notSupported(field: string, value: Json | undefined, allowed: readonly string[]): FieldError {
  const list = allowed.map((word) => JSON.stringify(word)).join(', ');
  return { type: 'NotSupported', field, value: value ?? null, detail: `supported values: ${list}` };
}

export function notFoundValue(field: string, value: Json | undefined): FieldError {
  return { type: 'NotFound', field, value: value ?? null, detail: '' };
}

export function duplicate(field: string, value: Json | undefined): FieldError {
  return { type: 'Duplicate', field, value: value ?? null, detail: '' };
}

export function forbiddenField(field: string, detail: string): FieldError {
  return { type: 'Forbidden', field, detail };
}

export function internalFailure(field: string, detail: string): FieldError {
  return { type: 'Internal', field, detail };
}

export function tooLong(field: string, limit: number): FieldError {
  return { type: 'TooLong', field, detail: `may not be more than ${limit} bytes` };
}

export function tooMany(field: string, actual: number, most: number): FieldError {
  return { type: 'TooMany', field, value: actual, detail: `must have at most ${most} items` };
}

/** Without the field: `Invalid value: "x": must be …`. */
export function formatBody(error: FieldError): string {
  const words = WORDS[error.type];
  const bare =
    error.type === 'Required' ||
    error.type === 'Forbidden' ||
    error.type === 'TooLong' ||
    error.type === 'Internal' ||
    error.omitsValue === true;
  const text = bare ? words : `${words}: ${formatValue(error.value)}`;
  return error.detail === '' ? text : `${text}: ${error.detail}`;
}

/**
 * As many errors as anybody reads: upstream tells all of them, which takes seconds and hundreds of megabytes for a body of nothing but
 * errors.
 */
export function firstErrors(errors: readonly FieldError[]): readonly FieldError[] {
  const told: FieldError[] = [];
  let left = MAX_TEXT;
  for (const error of errors) {
    if (told.length >= MAX_ERRORS || left <= 0) break;
    told.push(error);
    left -= formatBody(error).length;
  }
  return told.length === errors.length ? errors : told;
}

const MAX_ERRORS = 1000;
/** Characters: each error may tell a whole list. */
const MAX_TEXT = 1_000_000;

/** All errors as the message has them: one alone, or several in brackets, each once. */
export function formatErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map((error) => `${error.field}: ${formatBody(error)}`))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

export function causesOf(errors: readonly FieldError[]): readonly JsonObject[] {
  return errors.map((error) => ({ reason: CAUSES[error.type], message: formatBody(error), field: error.field }));
}

const WORDS: Readonly<Record<FieldErrorType, string>> = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  NotFound: 'Not found',
  Duplicate: 'Duplicate value',
  Forbidden: 'Forbidden',
  TooLong: 'Too long',
  TooMany: 'Too many',
  TypeInvalid: 'Invalid value',
  Internal: 'Internal error',
};

const CAUSES: Readonly<Record<FieldErrorType, string>> = {
  Required: 'FieldValueRequired',
  Invalid: 'FieldValueInvalid',
  NotSupported: 'FieldValueNotSupported',
  NotFound: 'FieldValueNotFound',
  Duplicate: 'FieldValueDuplicate',
  Forbidden: 'FieldValueForbidden',
  TooLong: 'FieldValueTooLong',
  TooMany: 'FieldValueTooMany',
  TypeInvalid: 'FieldValueTypeInvalid',
  Internal: 'InternalError',
};

function formatValue(value: Json | undefined): string {
  return JSON.stringify(value ?? null);
}
