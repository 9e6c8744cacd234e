import type { Json } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { FieldError } from './field-error.ts';

type Check<Where extends readonly unknown[]> = (value: Json, errors: FieldError[], ...where: Where) => void;

/** The check, which passes over what it found right before: most parts of an object stay when it changes, or are those of a template. */
export function unlessFoundRight<Where extends readonly unknown[]>(check: Check<Where>): Check<Where> {
  const right = new WeakSet<object>();
  return (value, errors, ...where) => {
    if (isJsonObject(value) && right.has(value)) return;
    const before = errors.length;
    check(value, errors, ...where);
    if (errors.length === before && isJsonObject(value)) right.add(value);
  };
}
