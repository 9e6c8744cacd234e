import type { Json } from '../../../base/json.ts';
import { asList } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { FieldError } from './field-error.ts';
import { duplicate, tooMany } from './field-error.ts';

/**
 * A list of at most so many members, each of them checked and, where `keyOf` is given, each key there once.
 * Source: pkg/apis/resource/validation/validation.go (validateSlice, validateSet).
 */
export function validateMembers(list: Json | undefined, path: string, most: number, check: (member: Json, path: string) => readonly FieldError[], keyOf?: (member: Json) => Json | undefined): readonly FieldError[] {
  const members = asList(list);
  const errors: FieldError[] = members.length > most ? [tooMany(path, members.length, most)] : [];
  const seen = new Set<string>();
  for (const [index, member] of members.slice(0, most).entries()) {
    const own = `${path}[${index}]`;
    errors.push(...check(member, own));
    if (keyOf === undefined) continue;
    const key = keyOf(member);
    if (seen.has(textOf(key))) errors.push(duplicate(own, member));
    seen.add(textOf(key));
  }
  return errors;
}
