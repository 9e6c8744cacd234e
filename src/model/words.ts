import type { Scalar } from './fact.ts';

/** `{{ name }}` stands for a variable's value; `[[ … ]]` is left out as a whole when a variable in it has none. */
const PLACE = /\{\{\s*([A-Za-z]\w*)\s*\}\}/g;
const OPTIONAL_PART = /\[\[([^[\]]*)\]\]/g;

/** The template's words with the values filled in. A variable without a value outside of an optional part stays empty-handed: `?`. */
export function fill(template: string, values: Readonly<Record<string, Scalar>>): string {
  return fillPlain(
    template.replace(OPTIONAL_PART, (_, part: string) => (variablesOf(part).every((name) => Object.hasOwn(values, name)) ? part : '')),
    values,
  );
}

/** Names of all variables a template uses. */
export function variablesOf(template: string): readonly string[] {
  return [...template.matchAll(PLACE)].map(([, name]) => name ?? '');
}

/** Names of the variables that must have a value: those outside of optional parts. */
export function requiredVariablesOf(template: string): readonly string[] {
  return variablesOf(template.replace(OPTIONAL_PART, ''));
}

function fillPlain(template: string, values: Readonly<Record<string, Scalar>>): string {
  return template.replace(PLACE, (_, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : '?'));
}
