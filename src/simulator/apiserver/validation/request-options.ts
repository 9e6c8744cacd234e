import { append } from '../../../base/lists.ts';
import { invalid } from '../failures.ts';
import type { Failure, GivenOptions, UnsignedRequest } from '../request.ts';
import type { FieldError } from './field-error.ts';
import { forbiddenField, notSupported, required, tooLong } from './field-error.ts';

/**
 * Why the options of a request are refused, whatever it is about; undefined when they are right.
 * Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go.
 */
export function optionsFailure({ verb, given, patch }: UnsignedRequest): Failure | undefined {
  if (given === undefined) return undefined;
  switch (verb) {
    case 'create':
      return refused('CreateOptions', writeErrors(given));
    case 'update':
      return refused('UpdateOptions', writeErrors(given));
    case 'patch':
      return refused('PatchOptions', [...patchErrors(given, patch?.type === 'apply'), ...writeErrors(given)]);
    case 'delete':
    case 'deletecollection':
      return refused('DeleteOptions', deleteErrors(given));
    default:
      return undefined;
  }
}

function refused(kind: string, errors: readonly FieldError[]): Failure | undefined {
  return errors.length === 0 ? undefined : invalid({ group: 'meta.k8s.io', kind }, '', errors);
}

const LONGEST_MANAGER = 128;

function writeErrors({ fieldManager = '', dryRun = [], fieldValidation = '' }: GivenOptions): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (fieldManager.length > LONGEST_MANAGER) errors.push(tooLong('fieldManager', LONGEST_MANAGER));
  append(errors, dryRunErrors(dryRun));
  if (!VALIDATIONS.includes(fieldValidation)) errors.push(notSupported('fieldValidation', fieldValidation, VALIDATIONS));
  return errors;
}

const VALIDATIONS: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];

function patchErrors({ fieldManager = '', force }: GivenOptions, applies: boolean): readonly FieldError[] {
  if (applies) return fieldManager === '' ? [required('fieldManager', 'is required for apply patch')] : [];
  return force === undefined ? [] : [forbiddenField('force', 'may not be specified for non-apply patch')];
}

function deleteErrors({ propagationPolicy, dryRun = [] }: GivenOptions): readonly FieldError[] {
  const known = propagationPolicy === undefined || POLICIES.includes(propagationPolicy);
  return [...(known ? [] : [notSupported('propagationPolicy', propagationPolicy, POLICIES)]), ...dryRunErrors(dryRun)];
}

const POLICIES: readonly string[] = ['Foreground', 'Background', 'Orphan', 'nil'];

function dryRunErrors(dryRun: readonly string[]): readonly FieldError[] {
  return dryRun.every((word) => word === 'All') ? [] : [notSupported('dryRun', dryRun, ['All'])];
}
