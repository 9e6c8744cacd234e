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
  // Of a list that is too long nothing else is said.
  if (members.length > most) return [tooMany(path, members.length, most)];
  const errors = members.flatMap((member, index) => check(member, `${path}[${index}]`));
  return keyOf === undefined ? errors : [...errors, ...repeated(members, path, keyOf)];
}

function repeated(members: readonly Json[], path: string, keyOf: (member: Json) => Json | undefined): readonly FieldError[] {
  const seen = new Set<string>();
  return members.flatMap((member, index) => {
    const key = textOf(keyOf(member));
    if (seen.has(key)) return [duplicate(`${path}[${index}]`, key)];
    seen.add(key);
    return [];
  });
}
