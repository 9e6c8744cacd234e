import type { Check, Pattern, Predicate, Rule, When } from '../model/rule.ts';
import { problemsOfForms, requiredVariablesOf, variablesOf } from '../model/placeholders.ts';
import type { YamlCursor } from './yaml-cursor.ts';

/** Variables every match has without binding them. */
const GIVEN: readonly string[] = ['namespace', 'workload', 'pod'];

/**
 * Every variable a text or a check uses must be bound by the patterns before it; one bound by `maybe` only belongs in `[[ … ]]` or has
 * words to stand in for it.
 */
export function checkVariables(rule: Rule, fields: ReadonlyMap<string, YamlCursor>): void {
  const bound = new Set(GIVEN);
  const maybe = new Set<string>();
  bindWhen(rule.when, bound, maybe, fields.get('when'));
  for (const pattern of rule.support) bindPattern(pattern, new Set([...bound, ...maybe]), new Set(), fields.get('support'));
  for (const field of ['title', 'what', 'why'] as const) checkWords(rule[field], fields.get(field), bound, maybe);
  const either = new Set([...bound, ...maybe]);
  const objects = rule.object?.split(' | ') ?? [];
  for (const [index, object] of objects.entries())
    checkWords(object, fields.get('object'), index < objects.length - 1 || rule.says.length > 0 ? either : bound, maybe);
  checkWords(rule.shared, fields.get('shared'), either, maybe);
  for (const { say, run, needs = [] } of rule.fix) {
    checkBound(needs, either, fields.get('fix'));
    checkWords(say, fields.get('fix'), new Set([...bound, ...needs]), maybe);
    // A command has <name> where a value is not known.
    checkWords(run, fields.get('fix'), either, maybe);
  }
  checkBound(rule.params ?? [], either, fields.get('params'));
}

function checkBound(names: readonly string[], bound: ReadonlySet<string>, cursor: YamlCursor | undefined): void {
  for (const name of names) if (!bound.has(name)) cursor?.problem(`no pattern binds $${name}`);
}

/** Adds what the patterns bind to what is bound already; a problem for each variable that is used before. */
export function bindWhen(when: When, bound: Set<string>, maybe: Set<string>, cursor: YamlCursor | undefined): void {
  for (const pattern of when.all) bindPattern(pattern, bound, maybe, cursor);
  const alternatives = when.any.map((patterns) => {
    const own = new Set(bound);
    for (const pattern of patterns) bindPattern(pattern, own, maybe, cursor);
    return own;
  });
  for (const name of alternatives[0] ?? []) {
    if (alternatives.every((own) => own.has(name))) bound.add(name);
    else maybe.add(name);
  }
  for (const own of alternatives) for (const name of own) if (!bound.has(name)) maybe.add(name);
  for (const pattern of [...when.none, ...when.unless]) bindPattern(pattern, new Set(bound), new Set(maybe), cursor);
  for (const pattern of when.optional) {
    const own = new Set(bound);
    bindPattern(pattern, own, maybe, cursor);
    for (const name of own) if (!bound.has(name)) maybe.add(name);
  }
}

function bindPattern(pattern: Pattern, bound: Set<string>, maybe: Set<string>, cursor: YamlCursor | undefined): void {
  for (const predicate of Object.values(pattern.where)) {
    for (const name of usedBy(predicate))
      if (!bound.has(name) && !maybe.has(name)) cursor?.problem(`$${name} is used before a pattern binds it`);
    for (const { name, surely } of boundBy(predicate)) (surely ? bound : maybe).add(name);
  }
}

function boundBy(predicate: Predicate): readonly { readonly name: string; readonly surely: boolean }[] {
  if (predicate.test === 'variable') return [{ name: predicate.name, surely: true }];
  if (predicate.test === 'equals') return [];
  return predicate.checks.flatMap((check) => {
    if (check.check === 'as' || check.check === 'maybe') return [{ name: check.name, surely: check.check === 'as' }];
    if (check.check === 'parse') return placeholdersOf(check.any);
    return [];
  });
}

/** A placeholder is surely bound when every alternative text has it. */
function placeholdersOf(templates: readonly string[]): readonly { readonly name: string; readonly surely: boolean }[] {
  const perTemplate = templates.map((template) => new Set([...template.matchAll(/\$\{([A-Za-z]\w*)\}/g)].map(([, name]) => name ?? '')));
  const all = new Set(perTemplate.flatMap((names) => [...names]));
  return [...all].map((name) => ({ name, surely: perTemplate.every((names) => names.has(name)) }));
}

function usedBy(predicate: Predicate): readonly string[] {
  if (predicate.test !== 'checks') return [];
  return predicate.checks.flatMap((check) =>
    textsOf(check).flatMap((text) => [...text.matchAll(/\$([A-Za-z]\w*)/g)].map(([, name]) => name ?? '')),
  );
}

function textsOf(check: Check): readonly string[] {
  switch (check.check) {
    case 'contains':
    case 'startsWith':
    case 'endsWith':
    case 'lacks':
      return check.any;
    case 'not':
      return (Array.isArray(check.value) ? (check.value as readonly unknown[]) : [check.value]).filter(
        (value) => typeof value === 'string',
      );
    case 'oneOf':
      return check.values.filter((value) => typeof value === 'string');
    case 'above':
    case 'below':
    case 'atLeast':
    case 'atMost':
      return typeof check.value === 'string' ? [check.value] : [];
    case 'parse':
    case 'absent':
    case 'as':
    case 'maybe':
      return [];
  }
}

function checkWords(
  words: string | undefined,
  cursor: YamlCursor | undefined,
  bound: ReadonlySet<string>,
  maybe: ReadonlySet<string>,
): void {
  if (words === undefined) return;
  for (const problem of problemsOfForms(words)) cursor?.problem(problem);
  for (const name of requiredVariablesOf(words)) {
    if (!bound.has(name) && maybe.has(name))
      cursor?.problem(`{{ ${name} }} may have no value: put it in [[ … ]], or write {{ ${name} | or <words> }}`);
  }
  for (const name of variablesOf(words)) if (!bound.has(name) && !maybe.has(name)) cursor?.problem(`no pattern binds {{ ${name} }}`);
}
