import type { Json } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { FieldError } from './field-error.ts';

type Check = (value: Json, errors: FieldError[], field: string) => void;

/** The check, which passes over what it found right before: most parts of an object stay when it changes, or are those of a template. */
export function unlessFoundRight(check: Check): Check {
  const right = new WeakSet<object>();
  return (value, errors, field) => {
    if (isJsonObject(value) && right.has(value)) return;
    const before = errors.length;
    check(value, errors, field);
    if (errors.length === before && isJsonObject(value)) right.add(value);
  };
}
