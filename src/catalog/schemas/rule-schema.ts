import type { JsonObject } from '../../base/json.ts';
import type { FactKind } from '../../model/fact-kinds.ts';
import { FACT_KINDS, IMPLICIT_FIELDS } from '../../model/fact-kinds.ts';
import type { FactKindSpec, FieldSpec } from '../../model/fact-kinds/spec.ts';
import { PLACES } from '../../model/place.ts';
import { FIX_ROLES } from '../../model/rule.ts';
import { STAGE_IDS } from '../../model/stage.ts';
import type { FIX_FIELDS, RULE_FIELDS } from '../parse-rule.ts';
import { RULE_KINDS, RULE_REQUIRED } from '../parse-rule.ts';
import type { PATTERN_FIELDS, WHEN_FIELDS } from '../parse-pattern.ts';
import { SCOPES } from '../parse-pattern.ts';
import type { CheckName } from '../parse-predicate.ts';
import type { WORDING_FIELDS } from '../parse-wording.ts';
import { MINOR_VERSION } from '../parse-wording.ts';
import { described, FLAG, listOf, mapOf, oneOrList, oneWord, SCALAR, TEXT } from './shapes.ts';

const PATTERNS = listOf({ $ref: '#/$defs/pattern' });

/**
 * The schema of a rule's file for editors: fields, kinds of facts, their fields and closed values, as the parser takes them. What a
 * schema cannot say (variables, wordings of other rules, names of playbooks) `podcheck rules test` does.
 */
export function ruleSchema(): JsonObject {
  const fields: Readonly<Record<(typeof RULE_FIELDS)[number], JsonObject>> = {
    id: described({ type: 'string', pattern: '^[a-z-]+/[a-z0-9-]+$' }, '<stage>/<what-is-wrong>: the path of the file.'),
    stage: described(oneWord(STAGE_IDS), 'The stage at which the pod is blocked.'),
    title: described(TEXT, 'The terms that people search for.'),
    kind: described(oneWord(RULE_KINDS), 'A symptom gives way to any cause about the same workload.'),
    says: described(listOf({ $ref: '#/$defs/wording' }), 'Wordings by which it is recognised.'),
    when: described({ $ref: '#/$defs/when' }, 'What must hold; a rule with wordings alone holds where one of them is said.'),
    support: described(PATTERNS, 'Facts that are quoted but not required.'),
    object: described(TEXT, 'The object at fault: Kind/{{ name }}.'),
    shared: described(TEXT, 'What all that suffers from it has in common (a registry): a scan tells what has the same once.'),
    params: described(listOf(TEXT), 'Variables that are published with the cause.'),
    what: described(TEXT, 'What is wrong, in one sentence; {{ name }} stands for a variable, [[ … ]] is left out without it.'),
    why: described(TEXT, 'The mechanism and the consequence.'),
    fix: listOf(
      mapOf<(typeof FIX_FIELDS)[number]>(
        {
          say: TEXT,
          run: described(TEXT, 'A command; unknown values become <name>.'),
          by: described(oneWord(FIX_ROLES), 'Who must do it where no command of kubectl can.'),
          needs: described(listOf(TEXT), 'Variables without which the step is left out.'),
        },
        ['say'],
      ),
      1,
    ),
    explains: described(listOf(TEXT), 'Ids of rules, or <stage>/*, whose findings follow from this one.'),
    before: described(listOf(TEXT), 'Ids of rules, or <stage>/*, whose findings of the same pods matter only when this one is over.'),
    playbook: described(TEXT, 'A playbook: `podcheck runbook list`.'),
    references: listOf(TEXT),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'podcheck.rule/v1',
    title: 'A rule of podcheck: rules/<stage>/<what-is-wrong>.yaml',
    description:
      '`podcheck rules facts KIND` shows the fields of a kind of fact; `podcheck rules test` checks the rule and its situations.',
    ...mapOf(fields, RULE_REQUIRED),
    anyOf: [{ required: ['when'] }, { required: ['says'] }],
    $defs: {
      pattern: patternSchema(),
      wording: wordingSchema(),
      when: whenSchema(),
      ...predicateSchemas(),
      ...implicitSchemas(),
      ...wordSchemas(),
    },
  };
}

function whenSchema(): JsonObject {
  const fields: Readonly<Record<(typeof WHEN_FIELDS)[number], JsonObject>> = {
    all: described(PATTERNS, 'Patterns that must all fit one binding of the variables.'),
    any: described(listOf({ anyOf: [{ $ref: '#/$defs/pattern' }, PATTERNS] }), 'Alternatives: the first that fits counts.'),
    none: described(PATTERNS, 'Patterns that nothing may fit; undecided when it could not be looked at.'),
    optional: described(PATTERNS, 'Joined when there is one: never decides.'),
    unless: described(PATTERNS, 'A seen fact refutes the match; one that could not be looked for does not.'),
  };
  return mapOf(fields);
}

function patternSchema(): JsonObject {
  const fields: Readonly<Record<(typeof PATTERN_FIELDS)[number], JsonObject>> = {
    fact: described(oneWord(Object.keys(FACT_KINDS)), 'A kind of fact.'),
    said: described(TEXT, 'own, the id of a rule, or <stage>/*: whose wordings.'),
    where: { type: 'object' },
    scope: described(oneWord(SCOPES), 'Looks in all namespaces.'),
  };
  return {
    ...mapOf(fields),
    oneOf: [
      { required: ['said'] },
      ...(Object.keys(FACT_KINDS) as readonly FactKind[]).map((kind) => ({
        properties: { fact: { const: kind }, where: whereSchema(kind) },
        required: ['fact'],
      })),
    ],
  };
}

function whereSchema(kind: FactKind): JsonObject {
  const { says, fields }: FactKindSpec = FACT_KINDS[kind];
  const members = Object.entries<FieldSpec>(fields).map(
    ([name, spec]) => [name, described(fieldSchema(spec, `${kind}.${name}`), spec.says)] as const,
  );
  const ofAll = Object.keys(IMPLICIT_FIELDS).map((name) => [name, { $ref: `#/$defs/${name}` }] as const);
  return { description: says, ...mapOf(Object.fromEntries([...ofAll, ...members])) };
}

/** The fields that all facts have stand once. */
function implicitSchemas(): JsonObject {
  const fields = Object.entries<FieldSpec>(IMPLICIT_FIELDS);
  return Object.fromEntries(fields.map(([name, spec]) => [name, described(fieldSchema(spec, name), spec.says)]));
}

/** Closed values stand once for each field that has them, with the variable that may stand for one. */
function wordSchemas(): JsonObject {
  const words = Object.entries(FACT_KINDS).flatMap(([kind, { fields }]) =>
    Object.entries<FieldSpec>(fields).flatMap(([name, { oneOf }]) =>
      oneOf === undefined ? [] : [[`${kind}.${name}`, { anyOf: [oneWord(oneOf), VARIABLE] }] as const],
    ),
  );
  return Object.fromEntries(words);
}

/** Of a field with closed values a check may name these alone. */
function fieldSchema({ type, oneOf }: FieldSpec, id: string): JsonObject {
  if (oneOf === undefined) return { $ref: `#/$defs/${type}` };
  const word = { $ref: `#/$defs/${id}` };
  return { anyOf: [word, { type: 'object', $ref: '#/$defs/textChecks', patternProperties: { '^(?:not|oneOf)$': oneOrList(word) } }] };
}

const VARIABLE: JsonObject = { $ref: '#/$defs/variable' };
const LIMIT: JsonObject = { anyOf: [{ type: 'number' }, VARIABLE] };
/** A field of a fact may be empty. */
const ANY_TEXT: JsonObject = { type: 'string' };
const PARTS = oneOrList(TEXT);

/** What a field of a type may be asked: a value, a variable, or checks. */
function predicateSchemas(): JsonObject {
  const checks = (value: JsonObject): Readonly<Record<Exclude<CheckName, TextCheck>, JsonObject>> => {
    const values = oneOrList({ anyOf: [value, VARIABLE] });
    return {
      not: values,
      oneOf: values,
      above: LIMIT,
      below: LIMIT,
      atLeast: LIMIT,
      atMost: LIMIT,
      absent: { const: true },
      as: VARIABLE,
      maybe: VARIABLE,
    };
  };
  const textChecks: Readonly<Record<CheckName, JsonObject>> = {
    ...checks(ANY_TEXT),
    contains: PARTS,
    startsWith: PARTS,
    endsWith: PARTS,
    lacks: PARTS,
    parse: PARTS,
  };
  return {
    variable: { type: 'string', pattern: String.raw`^\$[A-Za-z]\w*$` },
    textChecks: mapOf(textChecks),
    text: { anyOf: [ANY_TEXT, { $ref: '#/$defs/textChecks' }] },
    number: { anyOf: [{ type: 'number' }, VARIABLE, mapOf(checks({ type: 'number' }))] },
    flag: { anyOf: [FLAG, VARIABLE, mapOf(checks(FLAG))] },
  };
}

type TextCheck = 'contains' | 'startsWith' | 'endsWith' | 'lacks' | 'parse';

function wordingSchema(): JsonObject {
  const version = { type: 'string', pattern: MINOR_VERSION.source };
  const fields: Readonly<Record<(typeof WORDING_FIELDS)[number], JsonObject>> = {
    fact: described(oneWord(Object.keys(FACT_KINDS)), 'The kind of fact that is made of it: its captures are fields of that fact.'),
    in: described(oneOrList(oneWord(PLACES)), 'Where it may be said; anywhere without it.'),
    reason: described(oneOrList(TEXT), 'The machine words that may stand with it.'),
    text: described(TEXT, 'A template: {{ name }} captures, {{ ... }} passes over.'),
    anyCase: described(FLAG, 'The case of letters does not count.'),
    general: described(FLAG, 'It counts only where no other wording fits.'),
    as: described({ type: 'object', additionalProperties: SCALAR }, 'Values that the match has besides its captures.'),
    since: version,
    until: version,
  };
  return { ...mapOf(fields), anyOf: [{ required: ['text'] }, { required: ['reason'] }] };
}
