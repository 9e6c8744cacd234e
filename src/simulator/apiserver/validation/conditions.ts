import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, invalidValue, notSupported, required } from './field-error.ts';
import { checkQualifiedName } from './names.ts';

const STATES: readonly string[] = ['False', 'True', 'Unknown'];

/** Source: staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go (ValidateConditions). */
export function validateConditions(list: Json | undefined, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, condition] of asList(list).entries()) {
    const field = `${path}[${index}]`;
    const [type, state, reason] = ['type', 'status', 'reason'].map((name) => asText(dig(condition, name)) ?? '') as [
      string,
      string,
      string,
    ];
    if (seen.has(type)) errors.push(duplicate(`${field}.type`, type));
    seen.add(type);
    addWrong(errors, `${field}.type`, type, checkQualifiedName(type));
    if (!STATES.includes(state)) errors.push(notSupported(`${field}.status`, state, STATES));
    const generation = asNumber(dig(condition, 'observedGeneration')) ?? 0;
    if (generation < 0) errors.push(invalidValue(`${field}.observedGeneration`, generation, 'must be greater than or equal to zero'));
    if ((dig(condition, 'lastTransitionTime') ?? null) === null) errors.push(required(`${field}.lastTransitionTime`));
    if (reason === '') errors.push(required(`${field}.reason`));
    else if (!/^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason)) errors.push(invalidValue(`${field}.reason`, reason, REASON));
  }
  return errors;
}

const REASON =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";
