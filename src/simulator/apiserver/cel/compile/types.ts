/** A type of CEL: a plain one by its name, one with parts, an object with fields, or a parameter of a function (`A`). */
export interface Type {
  readonly name: string;
  readonly parts?: readonly Type[];
  /** The type of a field, of objects that are declared. */
  readonly field?: (name: string) => Type | undefined;
}

export const DYN: Type = { name: 'dyn' };
/** The members of a list that has none: whatever is asked for. */
export const UNSET: Type = { name: 'dyn', parts: [] };
export const ERROR: Type = { name: '!error!' };
export const BOOL: Type = { name: 'bool' };
export const INT: Type = { name: 'int' };
export const STRING: Type = { name: 'string' };
export const NULL: Type = { name: 'null_type' };

export function listOf(member: Type): Type {
  return { name: 'list', parts: [member] };
}

export function mapOf(key: Type, value: Type): Type {
  return { name: 'map', parts: [key, value] };
}

export function optionalOf(value: Type): Type {
  return { name: 'optional_type', parts: [value] };
}

/** As messages show it. Source: cel-go checker/format.go (FormatCELType). */
export function typeText(type: Type): string {
  if (type.name === 'null_type') return 'null';
  return type.parts === undefined || type === UNSET ? type.name : `${type.name}(${type.parts.map(typeText).join(', ')})`;
}

export function isLoose(type: Type): boolean {
  return type.name === 'dyn' || type.name === '!error!' || type.name === 'any';
}

/** What the parameters of a function stand for in a call. */
export type Bound = Map<string, Type>;

/**
 * Whether a value of type `given` may stand where `wanted` is asked for; parameters in `wanted` are bound on the way.
 * Source: cel-go checker/types.go (internalIsAssignable).
 */
export function fits(wanted: Type, given: Type, bound: Bound): boolean {
  if (isParameter(wanted)) return fitsParameter(wanted, given, bound);
  if (isLoose(wanted) || isLoose(given)) return true;
  if (given.name === 'null_type') return wanted.name === 'null_type' || isNullable(wanted);
  if (wanted.name !== given.name) return false;
  const [mine, theirs] = [wanted.parts ?? [], given.parts ?? []];
  return mine.length === theirs.length && mine.every((part, index) => fits(part, theirs[index] ?? DYN, bound));
}

function fitsParameter({ name }: Type, given: Type, bound: Bound): boolean {
  const known = bound.get(name);
  if (known === undefined || isLoose(known)) {
    bound.set(name, known !== undefined && !isLoose(given) ? known : given);
    return true;
  }
  if (isLoose(given)) {
    bound.set(name, DYN);
    return true;
  }
  if (fits(known, given, bound)) {
    if (hasUnset(known)) bound.set(name, given);
    return true;
  }
  if (!fits(given, known, bound)) return false;
  bound.set(name, given);
  return true;
}

/** The type with what its parameters stand for. */
export function resolved(type: Type, bound: Bound): Type {
  if (isParameter(type)) return bound.get(type.name) ?? DYN;
  return type.parts === undefined ? type : { ...type, parts: type.parts.map((part) => resolved(part, bound)) };
}

function isParameter({ name }: Type): boolean {
  return name.length === 1 && name >= 'A' && name <= 'Z';
}

function hasUnset(type: Type): boolean {
  return type === UNSET || (type.parts ?? []).some(hasUnset);
}

function isNullable({ name, field }: Type): boolean {
  return field !== undefined || name === 'timestamp' || name === 'duration' || name === 'optional_type';
}
