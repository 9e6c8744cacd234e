import { parseInstant } from '../../../../base/instant.ts';
import { knownPattern } from '../../../../base/pattern/known-pattern.ts';
import { overloadsOf } from './functions.ts';
import type { Issue } from './issues.ts';
import type { Expression } from './syntax.ts';
import { isMacro } from './syntax.ts';
import type { Bound, Type } from './types.ts';
import { BOOL, DYN, ERROR, fits, INT, isLoose, listOf, mapOf, NULL, optionalOf, resolved, typeText, UNSET } from './types.ts';

/** The names an expression can use, and the objects it can write by their type. */
export interface Declarations {
  readonly variables: ReadonlyMap<string, Type>;
  /** The type of an object that is written by its name; undefined when there is none. */
  readonly objects?: (name: string) => Type | undefined;
}

/** The type of what an expression comes to, and everything that does not fit. Source: cel-go checker/checker.go. */
export function checkExpression(
  expression: Expression,
  declarations: Declarations,
): { readonly type: Type; readonly issues: readonly Issue[] } {
  const checker = new Checker(declarations);
  const type = checker.check(expression, declarations.variables);
  return { type, issues: checker.issues };
}

type Scope = ReadonlyMap<string, Type>;
type Call = Expression & { readonly is: 'call' };

class Checker {
  readonly issues: Issue[] = [];
  readonly #objects: Declarations['objects'];

  constructor({ objects }: Declarations) {
    this.#objects = objects;
  }

  check(expression: Expression, scope: Scope): Type {
    switch (expression.is) {
      case 'constant':
        return expression.type === 'null' ? NULL : { name: expression.type };
      case 'name':
        return scope.get(expression.name) ?? TYPES.get(expression.name) ?? this.#undeclared(expression.at, expression.name);
      case 'select':
        return this.#select(expression, scope, false);
      case 'call':
        return isMacro(expression) ? this.#macro(expression, scope) : this.#call(expression, scope);
      case 'list':
        return this.#list(expression, scope);
      case 'map':
        return this.#map(expression, scope);
      case 'object':
        return this.#object(expression, scope);
      case 'nothing':
        return ERROR;
    }
  }

  #undeclared(at: number, name: string): Type {
    this.#note(at, `undeclared reference to '${name}' (in container '')`);
    return ERROR;
  }

  #note(at: number, message: string): void {
    this.issues.push({ at, message });
  }

  #select(select: Expression & { readonly is: 'select' }, scope: Scope, isTest: boolean): Type {
    const path = pathOf(select);
    const named = path === undefined ? undefined : scope.get(path);
    if (named !== undefined) return named;
    const of = this.check(select.of, scope);
    const found = this.#field(unwrapped(of), select);
    if (isTest) return BOOL;
    return select.optional || of.name === 'optional_type' ? optionalOf(found) : found;
  }

  #field(of: Type, { field, at }: Expression & { readonly is: 'select' }): Type {
    if (isLoose(of)) return DYN;
    if (of.name === 'map') return of.parts?.[1] ?? DYN;
    if (of.field === undefined) {
      this.#note(at, `type '${typeText(of)}' does not support field selection`);
      return ERROR;
    }
    const found = of.field(field);
    if (found === undefined) this.#note(at, `undefined field '${field}'`);
    return found ?? ERROR;
  }

  #call(call: Call, scope: Scope): Type {
    const args = call.args.map((arg) => this.check(arg, scope));
    const path = call.of === undefined ? undefined : pathOf(call.of);
    const qualified = path === undefined ? undefined : `${path}.${call.name}`;
    const spaced = qualified === undefined || scope.has(path ?? '') ? undefined : overloadsOf(qualified);
    if (spaced !== undefined && qualified !== undefined) return this.#overload({ ...call, name: qualified, of: undefined }, args);
    const target = call.of === undefined ? [] : [this.check(call.of, scope)];
    if (overloadsOf(call.name) === undefined) return this.#undeclared(call.at, call.name);
    const type = this.#overload(call, [...target, ...args]);
    if (type !== ERROR) this.#checkLiteral(call);
    return type;
  }

  #overload(call: Call, args: readonly Type[]): Type {
    if (call.name === '_&&_' || call.name === '_||_') return this.#logical(call, args);
    let result: Type | undefined;
    for (const overload of overloadsOf(call.name) ?? []) {
      if (overload.member !== (call.of !== undefined) || overload.args.length !== args.length) continue;
      const bound: Bound = new Map();
      if (!overload.args.every((wanted, index) => fits(wanted, args[index] ?? DYN, bound))) continue;
      const type = resolved(overload.result, bound);
      result = result === undefined || typeText(result) === typeText(type) ? type : DYN;
    }
    if (result !== undefined) return result;
    const shown = args.map(typeText);
    const signature = call.of === undefined ? `(${shown.join(', ')})` : `${shown[0] ?? ''}.(${shown.slice(1).join(', ')})`;
    this.#note(call.at, `found no matching overload for '${call.name}' applied to '${signature}'`);
    return ERROR;
  }

  #logical(call: Call, args: readonly Type[]): Type {
    const wrong = args.flatMap((type, index) => (fits(BOOL, type, new Map()) ? [] : [{ type, at: call.args[index]?.at ?? call.at }]));
    for (const { type, at } of wrong) this.#note(at, `expected type 'bool' but found '${typeText(type)}'`);
    return wrong.length > 0 ? ERROR : BOOL;
  }

  /** Texts that stand for something are looked at as they are written. Source: cel-go cel/validator.go. */
  #checkLiteral({ name, of, args }: Call): void {
    const literal = args.at(-1);
    const check = of === undefined && name === 'matches' ? LITERALS['matches'] : LITERALS[name];
    if (check === undefined || literal?.is !== 'constant' || literal.type !== 'string') return;
    if (!check(textOfLiteral(literal.text))) this.#note(literal.at, `invalid ${name} argument`);
  }

  #macro(call: Call, scope: Scope): Type {
    const [first, second, third, fourth] = call.args;
    if (call.of === undefined) return first?.is === 'select' ? this.#select({ ...first, at: call.at }, scope, true) : ERROR;
    const range = this.check(call.of, scope);
    if (call.name === 'optMap' || call.name === 'optFlatMap') {
      const inner = this.check(second ?? call, withName(scope, first, range.name === 'optional_type' ? unwrapped(range) : DYN));
      return call.name === 'optMap' ? optionalOf(inner) : inner;
    }
    const [key, member] = this.#membersOf(range, call.of.at);
    const isTwo = call.name.startsWith('transform') || (call.args.length === 3 && call.name !== 'map');
    const inside = isTwo
      ? withName(withName(scope, first, key), second, member)
      : withName(scope, first, range.name === 'map' ? key : member);
    return this.#looped(call, isTwo ? [third, fourth] : [second, third], { scope: inside, element: range.name === 'map' ? key : member });
  }

  /** Index or key, and value, of what is gone through. */
  #membersOf(range: Type, at: number): readonly [Type, Type] {
    if (range.name === 'list') return [INT, range.parts?.[0] ?? DYN];
    if (range.name === 'map') return [range.parts?.[0] ?? DYN, range.parts?.[1] ?? DYN];
    if (!isLoose(range) || range.name === 'any')
      this.#note(at, `expression of type '${typeText(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`);
    return [DYN, DYN];
  }

  #looped(
    call: Call,
    [one, two]: readonly (Expression | undefined)[],
    { scope, element }: { readonly scope: Scope; readonly element: Type },
  ): Type {
    const condition =
      two === undefined && ['map', 'transformList', 'transformMap', 'transformMapEntry'].includes(call.name) ? undefined : one;
    const made = condition === undefined ? one : two;
    const test = condition === undefined ? BOOL : this.check(condition, scope);
    const value = made === undefined ? element : this.check(made, scope);
    const result = RESULTS[call.name]?.(value) ?? ERROR;
    if (fits(BOOL, test, new Map())) return result;
    if (call.name === 'all' || call.name === 'exists')
      this.#note(condition?.at ?? call.at, `expected type 'bool' but found '${typeText(test)}'`);
    else {
      const carried = typeText(result.name === 'bool' ? INT : result);
      this.#note(call.at, `found no matching overload for '_?_:_' applied to '(${typeText(test)}, ${carried}, ${carried})'`);
    }
    return ERROR;
  }

  #list({ members }: Expression & { readonly is: 'list' }, scope: Scope): Type {
    let common: Type | undefined;
    for (const { value, optional } of members) {
      const given = this.check(value, scope);
      common = this.#joined(common, optional ? unwrapped(given) : given, value.at);
    }
    return listOf(common ?? UNSET);
  }

  #map({ entries }: Expression & { readonly is: 'map' }, scope: Scope): Type {
    let [keys, values]: readonly (Type | undefined)[] = [undefined, undefined];
    for (const { key, value, optional } of entries) {
      keys = this.#joined(keys, this.check(key, scope), key.at);
      const given = this.check(value, scope);
      values = this.#joined(values, optional ? unwrapped(given) : given, value.at);
    }
    return mapOf(keys ?? UNSET, values ?? UNSET);
  }

  /** Members of one literal are of one type. */
  #joined(common: Type | undefined, given: Type, at: number): Type {
    if (common === undefined || isLoose(common)) return given;
    if (fits(common, given, new Map())) return common;
    this.#note(at, `expected type '${typeText(common)}' but found '${typeText(given)}'`);
    return common;
  }

  #object({ type, fields, at }: Expression & { readonly is: 'object' }, scope: Scope): Type {
    const found = this.#objects?.(type);
    if (found === undefined) this.#undeclared(at, type);
    for (const field of fields) {
      const given = this.check(field.value, scope);
      const wanted = found?.field?.(field.name);
      if (found !== undefined && wanted === undefined) this.#note(field.at, `undefined field '${field.name}'`);
      const value = field.optional ? unwrapped(given) : given;
      if (wanted !== undefined && !fits(wanted, value, new Map()))
        this.#note(field.at, `expected type of field '${field.name}' is '${typeText(wanted)}' but provided type is '${typeText(value)}'`);
    }
    return found ?? ERROR;
  }
}

/** Names that stand for types. */
const TYPES: ReadonlyMap<string, Type> = new Map(
  ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'list', 'map', 'null_type', 'type'].map((name) => [
    name,
    { name: 'type', parts: [{ name }] },
  ]),
);

const RESULTS: Readonly<Record<string, (value: Type) => Type>> = {
  all: () => BOOL,
  exists: () => BOOL,
  exists_one: () => BOOL,
  existsOne: () => BOOL,
  filter: listOf,
  map: listOf,
  transformList: listOf,
  transformMap: (value) => mapOf(DYN, value),
  transformMapEntry: () => mapOf(DYN, DYN),
};

const LITERALS: Readonly<Record<string, (text: string) => boolean>> = {
  matches: isPattern,
  duration: (text) => /^[-+]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$/.test(text) || text === '0',
  timestamp: (text) => parseInstant(text) !== undefined && /^\d{4}-\d\d-\d\dT/.test(text),
};

function isPattern(text: string): boolean {
  return !('trouble' in knownPattern(text));
}

function textOfLiteral(text: string): string {
  const raw = text.replace(/^[rR](?=["'])/, '');
  const mark = raw.startsWith('"""') || raw.startsWith("'''") ? 3 : 1;
  const inner = raw.slice(mark, -mark);
  return raw === text ? inner.replaceAll(/\\(.)/gs, '$1') : inner;
}

function withName(scope: Scope, name: Expression | undefined, type: Type): Scope {
  return name?.is === 'name' ? new Map([...scope, [name.name, type] as const]) : scope;
}

/** What is in an optional. */
function unwrapped(type: Type): Type {
  return type.name === 'optional_type' ? (type.parts?.[0] ?? DYN) : type;
}

/** `a.b.c` of nothing but names. */
function pathOf(expression: Expression): string | undefined {
  if (expression.is === 'name') return expression.name;
  if (expression.is !== 'select' || expression.optional) return undefined;
  const of = pathOf(expression.of);
  return of === undefined ? undefined : `${of}.${expression.field}`;
}
