import { assert } from '../base/assert.ts';
import { parseDecimal } from '../base/number.ts';
import type { Fact, Scalar } from '../model/fact.ts';
import { formatRef } from '../model/kube-object.ts';
import type { Check, Pattern, Predicate } from '../model/rule.ts';

/** Values of a rule's variables so far. */
export type Bindings = Readonly<Record<string, Scalar>>;

/** The bindings extended by what the fact says, or undefined when it does not fit the pattern. */
export function fit(pattern: Pattern, fact: Fact, bindings: Bindings): Bindings | undefined {
  if (fact.kind !== pattern.fact) return undefined;
  let bound = bindings;
  for (const [field, predicate] of Object.entries(pattern.where)) {
    const next = test(predicate, fieldOf(fact, field), bound);
    if (next === undefined) return undefined;
    bound = next;
  }
  return bound;
}

/** A field of the fact, or one it has because of the object it is about; undefined when it was not observed. */
export function fieldOf(fact: Fact, field: string): Scalar | undefined {
  if (Object.hasOwn(fact.fields, field)) return fact.fields[field];
  switch (field) {
    case 'objectKind':
      return fact.about.kind;
    case 'namespace':
      return fact.about.namespace;
    case 'name':
      return fact.about.name;
    case 'pod':
      return fact.about.kind === 'Pod' ? fact.about.name : undefined;
    case 'workload':
      if (fact.workload !== undefined) return formatRef(fact.workload);
      return fact.about.kind === 'Pod' ? formatRef(fact.about) : undefined;
    default:
      return undefined;
  }
}

function test(predicate: Predicate, value: Scalar | undefined, bindings: Bindings): Bindings | undefined {
  switch (predicate.test) {
    case 'equals':
      return value === predicate.value ? bindings : undefined;
    case 'variable':
      return value === undefined ? undefined : bind(predicate.name, value, bindings);
    case 'checks': {
      let bound: Bindings | undefined = bindings;
      for (const check of predicate.checks) {
        bound = passes(check, value, bound);
        if (bound === undefined) return undefined;
      }
      return bound;
    }
  }
}

function passes(check: Check, value: Scalar | undefined, bindings: Bindings): Bindings | undefined {
  if (check.check === 'absent') return value === undefined ? bindings : undefined;
  if (check.check === 'maybe') return value === undefined ? bindings : bind(check.name, value, bindings);
  if (value === undefined) return undefined;
  switch (check.check) {
    case 'as':
      return bind(check.name, value, bindings);
    case 'not': {
      const refused = Array.isArray(check.value) ? (check.value as readonly Scalar[]) : [check.value as Scalar];
      return refused.some((scalar) => resolve(scalar, bindings) === value) ? undefined : bindings;
    }
    case 'oneOf':
      return check.values.some((scalar) => resolve(scalar, bindings) === value) ? bindings : undefined;
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return check.any.some((part) => hasPart(check.check, String(value), expand(part, bindings))) ? bindings : undefined;
    case 'lacks':
      return check.any.some((part) => String(value).includes(expand(part, bindings))) ? undefined : bindings;
    case 'parse':
      return firstParse(check.any, String(value), bindings);
    case 'above':
    case 'below':
    case 'atLeast':
    case 'atMost':
      return compares(check.check, value, resolve(check.value, bindings)) ? bindings : undefined;
  }
}

/** A variable meets a value: bound now, or joined when it is bound already. Numbers and texts of one spelling are the same. */
function bind(name: string, value: Scalar, bindings: Bindings): Bindings | undefined {
  if (!Object.hasOwn(bindings, name)) return { ...bindings, [name]: value };
  const bound = bindings[name];
  return bound === value || String(bound) === String(value) ? bindings : undefined;
}

function resolve(scalar: Scalar, bindings: Bindings): Scalar | undefined {
  return typeof scalar === 'string' && scalar.startsWith('$') ? bindings[scalar.slice(1)] : scalar;
}

/** Text with each `$name` replaced by the variable's value; the catalog has made sure that they are bound. */
function expand(part: string, bindings: Bindings): string {
  return part.replace(/\$([A-Za-z]\w*)/g, (whole, name: string) => (Object.hasOwn(bindings, name) ? String(bindings[name]) : whole));
}

function hasPart(how: 'contains' | 'startsWith' | 'endsWith', value: string, part: string): boolean {
  if (how === 'contains') return value.includes(part);
  return how === 'startsWith' ? value.startsWith(part) : value.endsWith(part);
}

function compares(how: 'above' | 'below' | 'atLeast' | 'atMost', value: Scalar, limit: Scalar | undefined): boolean {
  if (typeof value !== 'number' || limit === undefined) return false;
  const bound = typeof limit === 'number' ? limit : parseDecimal(String(limit));
  if (bound === undefined) return false;
  if (how === 'above') return value > bound;
  if (how === 'below') return value < bound;
  return how === 'atLeast' ? value >= bound : value <= bound;
}

function firstParse(templates: readonly string[], value: string, bindings: Bindings): Bindings | undefined {
  for (const template of templates) {
    const parsed = parseText(template, value, bindings);
    if (parsed !== undefined) return parsed;
  }
  return undefined;
}

/**
 * Finds the template's literal pieces in the text, in order, and binds its `${name}` placeholders to what stands between them:
 * the shortest that works from the left. The text may go on before and after. Linear in the text, so that no text is too hostile for it.
 */
function parseText(template: string, value: string, bindings: Bindings): Bindings | undefined {
  const pieces = template.split(/\$\{([A-Za-z]\w*)\}/);
  const head = pieces[0] ?? '';
  let from = value.indexOf(head);
  if (from < 0) return undefined;
  from += head.length;
  let bound: Bindings | undefined = bindings;
  for (let index = 1; index < pieces.length && bound !== undefined; index += 2) {
    const [name, literal] = [pieces[index], pieces[index + 1]];
    assert(name !== undefined && literal !== undefined, 'a placeholder stands between two literals');
    const end = literal === '' ? value.length : value.indexOf(literal, from);
    if (end < 0) return undefined;
    bound = bind(name, value.slice(from, end), bound);
    from = end + literal.length;
  }
  return bound;
}
