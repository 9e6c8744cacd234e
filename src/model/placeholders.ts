import type { Scalar } from './fact.ts';
import { formProblem, formWords, isFallback, secondVariable } from './word-forms.ts';

/**
 * `{{ name }}` stands for a variable's value, `{{ name | form }}` for the value in a form of `word-forms.ts`; `[[ … ]]` is left out as a
 * whole when a variable in it has no value.
 */
const PLACE = /\{\{\s*([A-Za-z]\w*)\s*(?:\|([^{}|]*))?\}\}/g;
const OPTIONAL_PART = /\[\[([^[\]]*)\]\]/g;

/** The template's words with the values filled in. A variable without a value outside of an optional part stays empty-handed: `?`. */
export function fill(template: string, values: Readonly<Record<string, Scalar>>): string {
  return fillPlain(
    template.replace(OPTIONAL_PART, (_, part: string) =>
      requiredVariablesOf(part).every((name) => Object.hasOwn(values, name)) ? part : '',
    ),
    values,
  );
}

/** What may stand in a command that a person copies into a shell: one word (a name, path, image, selector, quantity), and no flag. */
const PLAIN_WORD = /^(?!-)[\w./:@=+,%^-]*$/;

/**
 * A command with the values filled in. Values come from the cluster and may be hostile: one that a shell could take for more than a
 * word is not put in, its variable's name stands there instead for the person to replace; and so it does where a value is not known.
 */
export function fillCommand(template: string, values: Readonly<Record<string, Scalar>>): string {
  const safe = Object.entries(values).map(([name, value]) => [name, PLAIN_WORD.test(String(value)) ? value : `<${name}>`] as const);
  const unknown = requiredVariablesOf(template)
    .filter((name) => !Object.hasOwn(values, name))
    .map((name) => [name, `<${name}>`] as const);
  return fill(withoutOnly(template, values), Object.fromEntries([...safe, ...unknown]));
}

/** kubectl takes the only container of a pod, whose name a source need not show. */
function withoutOnly(template: string, values: Readonly<Record<string, Scalar>>): string {
  return values['container'] === UNNAMED_CONTAINER ? template.replaceAll(' -c {{ container }}', '') : template;
}

/** Stands for the name of a container that a source does not show. */
const UNNAMED_CONTAINER = '<container>';

/** A value as one word of a command, or the name of what it is in its place, as `fillCommand` does. */
export function commandWord(value: string, name = 'name'): string {
  return PLAIN_WORD.test(value) && value !== '' ? value : `<${name}>`;
}

/** ` -n shop` of a command of kubectl; nothing without a namespace. */
export function namespaceFlag(namespace: string | undefined): string {
  return namespace === undefined ? '' : ` -n ${commandWord(namespace, 'namespace')}`;
}

/** The command that shows what there is to see of one pod. */
export function describePodCommand({ namespace, name }: { readonly namespace?: string | undefined; readonly name: string }): string {
  return `kubectl${namespaceFlag(namespace)} describe pod ${commandWord(name)}`;
}

/** A template in which nothing is filled in yet: `<name>` stands where a variable's value will. */
export function withPlaceholders(template: string): string {
  const names = Object.fromEntries(variablesOf(template).map((name) => [name, `<${name}>`]));
  return fillPlain(template, names).replaceAll(/\[\[|\]\]/g, '');
}

/** Names of all variables a template uses. */
export function variablesOf(template: string): readonly string[] {
  return placesOf(template).flatMap(({ names }) => names);
}

/** Names of the variables that must have a value: those outside of optional parts, and without words to stand in for them. */
export function requiredVariablesOf(template: string): readonly string[] {
  return placesOf(template.replace(OPTIONAL_PART, '')).flatMap(({ names, form }) => (isFallback(form) ? [] : names));
}

/** What is wrong with the forms of a template's variables, a sentence each. */
export function problemsOfForms(template: string): readonly string[] {
  return placesOf(template)
    .map(({ form }) => formProblem(form))
    .filter((problem) => problem !== undefined);
}

function placesOf(template: string): readonly { readonly names: readonly string[]; readonly form: string | undefined }[] {
  return [...template.matchAll(PLACE)].map(([, name = '', form]) => {
    const second = secondVariable(form);
    return { names: second === undefined ? [name] : [name, second], form };
  });
}

function fillPlain(template: string, values: Readonly<Record<string, Scalar>>): string {
  return template.replace(PLACE, (_, name: string, form: string | undefined) =>
    formWords(form, Object.hasOwn(values, name) ? values[name] : undefined, values),
  );
}
