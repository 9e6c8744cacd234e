import type { FactKind } from '../model/fact-kinds.ts';
import { FACT_KINDS, fieldSpec, IMPLICIT_FIELDS, isFactKind } from '../model/fact-kinds.ts';
import type { Fix, Pattern, Predicate, Rule, When } from '../model/rule.ts';
import { STAGE_IDS } from '../model/stage.ts';
import { nearest } from '../base/text.ts';
import { parsePredicate } from './parse-predicate.ts';
import { checkVariables } from './rule-variables.ts';
import type { Problem, YamlCursor } from './yaml-cursor.ts';
import { openYaml } from './yaml-cursor.ts';

const RULE_FIELDS = ['id', 'stage', 'title', 'kind', 'when', 'support', 'object', 'params', 'what', 'why', 'fix', 'explains', 'playbook', 'references'];
const RULE_REQUIRED = ['id', 'stage', 'title', 'when', 'what', 'why', 'fix'];

/** Reads one rule; undefined when anything is wrong, with a problem for each thing that is. `expectedId` is what its path says. */
export function parseRule(file: string, source: string, expectedId: string, problems: Problem[]): Rule | undefined {
  const before = problems.length;
  const root = openYaml(file, source, problems);
  if (problems.length > before) return undefined;
  const fields = root.fields(RULE_FIELDS, RULE_REQUIRED);
  const rule: Rule = {
    id: fields.get('id')?.text() ?? '',
    stage: fields.get('stage')?.oneOf(STAGE_IDS) ?? 'apply',
    title: fields.get('title')?.text() ?? '',
    kind: fields.get('kind')?.oneOf(['cause', 'symptom']) ?? 'cause',
    when: parseWhen(fields.get('when')),
    support: parsePatterns(fields.get('support')),
    ...optionalText('object', fields.get('object')),
    ...(fields.has('params') ? { params: texts(fields.get('params')) } : {}),
    what: fields.get('what')?.text() ?? '',
    why: fields.get('why')?.text() ?? '',
    fix: fields.get('fix')?.items().map(parseFix) ?? [],
    explains: texts(fields.get('explains')),
    ...optionalText('playbook', fields.get('playbook')),
    references: texts(fields.get('references')),
  };
  if (rule.id !== expectedId && fields.has('id')) fields.get('id')?.problem(`${JSON.stringify(rule.id)} is not what the path says: ${JSON.stringify(expectedId)}`);
  if (!rule.id.startsWith(`${rule.stage}/`) && fields.has('stage')) fields.get('stage')?.problem(`the id ${JSON.stringify(rule.id)} is of another stage`);
  if (rule.fix.length === 0 && fields.has('fix')) fields.get('fix')?.problem('at least one fix is needed');
  checkVariables(rule, fields);
  return problems.length > before ? undefined : rule;
}

function parseWhen(cursor: YamlCursor | undefined): When {
  if (cursor === undefined) return { all: [], any: [], none: [] };
  const fields = cursor.fields(['all', 'any', 'none'], ['all']);
  const all = parsePatterns(fields.get('all'));
  if (all.length === 0) fields.get('all')?.problem('at least one pattern is needed');
  return { all, any: parsePatterns(fields.get('any')), none: parsePatterns(fields.get('none')) };
}

/** A list of patterns over facts; none when there is no list. */
export function parsePatterns(cursor: YamlCursor | undefined): readonly Pattern[] {
  return cursor?.items().map(parsePattern).filter((pattern) => pattern !== undefined) ?? [];
}

function parsePattern(cursor: YamlCursor): Pattern | undefined {
  const fields = cursor.fields(['fact', 'where'], ['fact']);
  const factCursor = fields.get('fact');
  const kind = factCursor?.text();
  if (factCursor === undefined || kind === undefined) return undefined;
  if (!isFactKind(kind)) return factCursor.problem(`no such kind of fact: ${JSON.stringify(kind)}${near(kind, Object.keys(FACT_KINDS))}`);
  const where: Record<string, Predicate> = {};
  for (const [field, predicateCursor] of fields.get('where')?.entries() ?? []) {
    const spec = fieldSpec(kind, field);
    if (spec === undefined) predicateCursor.problem(`a ${kind} fact has no field ${JSON.stringify(field)}${near(field, fieldsOf(kind))}`);
    else {
      const predicate = parsePredicate(predicateCursor, spec);
      if (predicate !== undefined) where[field] = predicate;
    }
  }
  return { fact: kind, where };
}

function fieldsOf(kind: FactKind): readonly string[] {
  return [...Object.keys(FACT_KINDS[kind].fields), ...Object.keys(IMPLICIT_FIELDS)];
}

function near(word: string, known: readonly string[]): string {
  const names = nearest(word, known);
  return names.length === 0 ? `; known: ${known.join(', ')}` : `; did you mean ${names.join(' or ')}?`;
}

function parseFix(cursor: YamlCursor): Fix {
  const fields = cursor.fields(['say', 'run'], ['say']);
  const run = fields.get('run')?.text();
  return { say: fields.get('say')?.text() ?? '', ...(run === undefined ? {} : { run }) };
}

function texts(cursor: YamlCursor | undefined): readonly string[] {
  return cursor?.items().map((item) => item.text()).filter((text) => text !== undefined) ?? [];
}

function optionalText<K extends string>(name: K, cursor: YamlCursor | undefined): { readonly [key in K]?: string } {
  const text = cursor?.text();
  return text === undefined ? {} : ({ [name]: text } as { readonly [key in K]?: string });
}
