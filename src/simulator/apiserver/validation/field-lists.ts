import type { Json } from '../../../base/json.ts';
import { asList } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { FieldError } from './field-error.ts';
import { duplicate, tooMany } from './field-error.ts';

/**
 * A list of at most so many members, each of them checked and, where `keyOf` is given, each key there once.
 * Source: pkg/apis/resource/validation/validation.go (validateSlice, validateSet).
 */
export function validateMembers(
  list: Json | undefined,
  path: string,
  most: number,
  check: (member: Json, path: string) => readonly FieldError[],
  keyOf?: (member: Json) => Json | undefined,
): readonly FieldError[] {
  const members = asList(list);
  // Of a list that is too long nothing else is said.
  if (members.length > most) return [tooMany(path, members.length, most)];
  const errors = members.flatMap((member, index) => check(member, `${path}[${index}]`));
  return keyOf === undefined ? errors : [...errors, ...repeated(members, path, keyOf)];
}

/** The places of members that were there before in the list. */
export function repeatsIn(members: readonly (Json | undefined)[]): ReadonlySet<number> {
  const seen = new Set<string>();
  const places = new Set<number>();
  for (const [index, member] of members.entries()) {
    const key = textOf(member);
    if (seen.has(key)) places.add(index);
    seen.add(key);
  }
  return places;
}

function repeated(members: readonly Json[], path: string, keyOf: (member: Json) => Json | undefined): readonly FieldError[] {
  const keys = members.map(keyOf);
  return [...repeatsIn(keys)].map((index) => duplicate(`${path}[${index}]`, textOf(keys[index])));
}
