import { didYouMean } from '../base/text.ts';
import type { FieldSpec } from '../model/fact-kinds/spec.ts';
import type { FactKind } from '../model/fact-kinds.ts';
import { FACT_KINDS, fieldSpec, IMPLICIT_FIELDS, isFactKind } from '../model/fact-kinds.ts';
import { NO_FRAMES } from '../model/frames.ts';
import type { Pattern, Predicate, When } from '../model/rule.ts';
import { parsePredicate } from './parse-predicate.ts';
import type { RuleWordings } from './rule-wordings.ts';
import { capturesOf, placesOf, spokenField, spokenFields } from './rule-wordings.ts';
import type { YamlCursor } from './yaml-cursor.ts';

/** What `said:` may name: `own`, another rule's id, or `<stage>/*`. */
export interface Hearing {
  /** The rule the patterns stand in, and its own wordings. */
  readonly rule: string;
  readonly own: RuleWordings;
  readonly ofRule: (id: string) => RuleWordings | undefined;
  readonly rules: Iterable<string>;
}

/** Patterns of a condition that hears no wordings. */
const DEAF: Hearing = { rule: '', own: { says: [], frames: NO_FRAMES }, ofRule: () => undefined, rules: [] };

export const WHEN_FIELDS = ['all', 'any', 'none', 'optional', 'unless'] as const;

export const PATTERN_FIELDS = ['fact', 'said', 'where', 'scope'] as const;
export const SCOPES = ['cluster'] as const;

/** What must hold; a rule that has only wordings holds where one of them is heard. */
export function parseWhen(cursor: YamlCursor | undefined, hearing: Hearing): When {
  if (cursor === undefined) return { ...NOTHING, all: hearing.own.says.length === 0 ? [] : [heard(hearing.rule, hearing.own, {})] };
  const fields = cursor.fields(WHEN_FIELDS);
  const when = {
    all: parsePatterns(fields.get('all'), hearing),
    any: parseAlternatives(fields.get('any'), hearing),
    none: parsePatterns(fields.get('none'), hearing),
    optional: parsePatterns(fields.get('optional'), hearing),
    unless: parsePatterns(fields.get('unless'), hearing),
  };
  if (when.all.length === 0 && when.any.length === 0) (fields.get('all') ?? cursor).problem('expected at least one pattern');
  return when;
}

const NOTHING: When = { all: [], any: [], none: [], optional: [], unless: [] };

/** A pattern over a rule's wordings gives their variables to the rule that hears them. */
export function heard(rule: string, spoken: RuleWordings, asked: Pattern['where']): Pattern {
  const given = [...capturesOf(spoken)]
    .filter(([name]) => asked[name] === undefined)
    .map(([name, { surely }]): readonly [string, Predicate] => [
      name,
      surely ? { test: 'variable', name } : { test: 'checks', checks: [{ check: 'maybe', name }] },
    ]);
  return {
    fact: 'said',
    where: { rule: { test: 'equals', value: rule }, ...asked, ...Object.fromEntries(given) },
    places: placesOf(spoken),
  };
}

/** A list of patterns over facts; none when there is no list. */
export function parsePatterns(cursor: YamlCursor | undefined, hearing: Hearing = DEAF): readonly Pattern[] {
  return cursor?.items().flatMap((item) => parsePattern(item, hearing) ?? []) ?? [];
}

/** Alternatives: each one pattern, or a list of patterns that must all fit. */
export function parseAlternatives(cursor: YamlCursor | undefined, hearing: Hearing = DEAF): readonly (readonly Pattern[])[] {
  return cursor?.items().map((item) => (item.isList() ? parsePatterns(item, hearing) : parsePatternAlone(item, hearing))) ?? [];
}

function parsePatternAlone(cursor: YamlCursor, hearing: Hearing): readonly Pattern[] {
  const pattern = parsePattern(cursor, hearing);
  return pattern === undefined ? [] : [pattern];
}

function parsePattern(cursor: YamlCursor, hearing: Hearing): Pattern | undefined {
  const fields = cursor.fields(PATTERN_FIELDS);
  const [fact, said] = [fields.get('fact'), fields.get('said')];
  if ((fact === undefined) === (said === undefined)) return cursor.problem('a pattern needs `fact` (a kind of fact) or `said` (wordings)');
  refuseAnyNamespace(fields.get('where'));
  const pattern = said === undefined ? overFacts(fact, fields.get('where')) : overWords(said, fields.get('where'), hearing);
  const scope = fields.get('scope')?.oneOf(SCOPES);
  return pattern === undefined || scope === undefined ? pattern : { ...pattern, scope };
}

/** A variable that is asked of nothing else takes the fact out of the namespace unseen. */
function refuseAnyNamespace(where: YamlCursor | undefined): void {
  const namespace = where?.isMap() === true ? where.entries().get('namespace') : undefined;
  if (namespace?.isMap() !== true) return;
  const variable = namespace.entries().get('maybe')?.text();
  if (variable !== undefined && variable !== '$namespace')
    namespace.problem('to look in every namespace, write `scope: cluster` next to `where`');
}

function overFacts(cursor: YamlCursor | undefined, where: YamlCursor | undefined): Pattern | undefined {
  const kind = cursor?.text();
  if (cursor === undefined || kind === undefined) return undefined;
  if (!isFactKind(kind))
    return cursor.problem(`unknown kind of fact: ${JSON.stringify(kind)}${didYouMean(kind, Object.keys(FACT_KINDS), 'known')}`);
  return {
    fact: kind,
    where: parseWhere(
      where,
      (field) => fieldSpec(kind, field),
      `a ${kind} fact has no field`,
      () => fieldsOf(kind),
    ),
  };
}

/** `own`: the rule's own wordings; an id: those of another rule; `<stage>/*`: those of all rules of a stage. */
function overWords(cursor: YamlCursor, where: YamlCursor | undefined, hearing: Hearing): Pattern | undefined {
  const whose = cursor.text();
  if (whose === undefined) return undefined;
  const stage = /^([a-z-]+)\/\*$/.exec(whose)?.[1];
  const spoken =
    whose === 'own'
      ? hearing.own
      : stage === undefined
        ? hearing.ofRule(whose)
        : { says: [{ in: [], reason: [], text: '', anyCase: false, general: false, as: {} }], frames: NO_FRAMES };
  if (spoken === undefined || spoken.says.length === 0)
    return cursor.problem(
      whose === 'own'
        ? 'this rule has no `says`'
        : `no rule ${JSON.stringify(whose)} has wordings${didYouMean(whose, hearing.rules, 'known')}`,
    );
  const asked = parseWhere(
    where,
    (field) => spokenField(spoken, field),
    `the wordings of ${whose} have no field`,
    () => spokenFields(spoken, fieldsOf),
  );
  return stage === undefined
    ? heard(whose === 'own' ? hearing.rule : whose, spoken, asked)
    : { fact: 'said', where: { stage: { test: 'equals', value: stage }, ...asked }, places: placesOf(spoken) };
}

function parseWhere(
  cursor: YamlCursor | undefined,
  specOf: (field: string) => FieldSpec | undefined,
  unknown: string,
  known: () => readonly string[],
): Pattern['where'] {
  const where: Record<string, Predicate> = {};
  for (const [field, predicateCursor] of cursor?.entries() ?? []) {
    const spec = specOf(field);
    if (spec === undefined) predicateCursor.problem(`${unknown} ${JSON.stringify(field)}${didYouMean(field, known(), 'known')}`);
    else {
      const predicate = parsePredicate(predicateCursor, spec);
      if (predicate !== undefined) where[field] = predicate;
    }
  }
  return where;
}

function fieldsOf(kind: FactKind): readonly string[] {
  return [...Object.keys(FACT_KINDS[kind].fields), ...Object.keys(IMPLICIT_FIELDS)];
}
