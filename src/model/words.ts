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

/** What may stand in a command that a person copies into a shell: one word (a name, path, image, selector, quantity), and no flag. */
const PLAIN_WORD = /^(?!-)[\w./:@=+,%^-]*$/;

/**
 * A command with the values filled in. Values come from the cluster and may be hostile: one that a shell could take for more than a
 * word is not put in, its variable's name stands there instead for the person to replace.
 */
export function fillCommand(template: string, values: Readonly<Record<string, Scalar>>): string {
  const safe = Object.entries(values).map(([name, value]) => [name, PLAIN_WORD.test(String(value)) ? value : `<${name}>`] as const);
  return fill(template, Object.fromEntries(safe));
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
