import { didYouMean } from '../base/text.ts';
import type { Scalar } from '../model/fact.ts';
import type { FieldSpec } from '../model/fact-kinds/spec.ts';
import type { Check, Predicate } from '../model/rule.ts';
import { parseTexts } from './parse-playbook-values.ts';
import type { YamlCursor } from './yaml-cursor.ts';

export const CHECKS = [
  'not',
  'oneOf',
  'contains',
  'startsWith',
  'endsWith',
  'lacks',
  'parse',
  'above',
  'below',
  'atLeast',
  'atMost',
  'absent',
  'as',
  'maybe',
] as const;
export type CheckName = (typeof CHECKS)[number];

/** A scalar means equality, `$name` a variable, a map one or more checks that must all hold. */
export function parsePredicate(cursor: YamlCursor, spec: FieldSpec): Predicate | undefined {
  if (!cursor.isMap()) {
    const value = cursor.scalar();
    if (value === undefined) return undefined;
    const variable = variableName(value);
    if (variable !== undefined) return { test: 'variable', name: variable };
    return fitsType(cursor, value, spec) ? { test: 'equals', value } : undefined;
  }
  const checks: Check[] = [];
  const parts = cursor.fields(CHECKS);
  for (const [name, part] of parts) {
    const check = parseCheck(name as CheckName, part, spec);
    if (check !== undefined) checks.push(check);
  }
  if (checks.length === 0) return parts.size === 0 ? cursor.problem('expected at least one check') : undefined;
  return { test: 'checks', checks };
}

/** `$name` → name; undefined for any other scalar. */
export function variableName(value: Scalar): string | undefined {
  return typeof value === 'string' ? /^\$([A-Za-z]\w*)$/.exec(value)?.[1] : undefined;
}

function parseCheck(name: CheckName, cursor: YamlCursor, spec: FieldSpec): Check | undefined {
  switch (name) {
    case 'absent':
      return cursor.scalar() === true ? { check: 'absent' } : cursor.problem('the only valid value is `absent: true`');
    case 'as':
    case 'maybe': {
      const variable = variableName(cursor.scalar() ?? '');
      return variable === undefined ? cursor.problem('expected a variable such as $name') : { check: name, name: variable };
    }
    case 'not': {
      const values = scalars(cursor, spec);
      return values.length === 0 ? undefined : { check: 'not', value: values };
    }
    case 'oneOf': {
      const values = scalars(cursor, spec);
      return values.length === 0 ? undefined : { check: 'oneOf', values };
    }
    case 'above':
    case 'below':
    case 'atLeast':
    case 'atMost': {
      const value = cursor.scalar();
      if (typeof value === 'number') return { check: name, value };
      return typeof value === 'string' && variableName(value) !== undefined
        ? { check: name, value }
        : cursor.problem('expected a number or a variable');
    }
    case 'contains':
    case 'startsWith':
    case 'endsWith':
    case 'lacks':
    case 'parse': {
      if (spec.type !== 'text') return cursor.problem(`${name} needs a text field, but this field is a ${spec.type}`);
      const any = parseTexts(cursor);
      if (any.includes('') || any.length === 0) return undefined;
      if (name === 'parse' && any.some((text) => /\}\$\{/.test(text))) return cursor.problem('two placeholders need text between them');
      return { check: name, any };
    }
  }
}

function scalars(cursor: YamlCursor, spec: FieldSpec): readonly Scalar[] {
  const cursors = cursor.isList() ? cursor.items() : [cursor];
  return cursors
    .map((one) => ({ one, value: one.scalar() }))
    .flatMap(({ one, value }) => (value !== undefined && (variableName(value) !== undefined || fitsType(one, value, spec)) ? [value] : []));
}

function fitsType(cursor: YamlCursor, value: Scalar, spec: FieldSpec): boolean {
  const type = typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'flag';
  if (type !== spec.type) cursor.problem(`this field is a ${spec.type}, but ${JSON.stringify(value)} is a ${type}`);
  else if (spec.oneOf?.includes(String(value)) !== false) return true;
  else cursor.problem(`this field never has the value ${JSON.stringify(value)}${didYouMean(String(value), spec.oneOf, 'one of')}`);
  return false;
}
