import { fromFields, inFields } from '../base/in-fields.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../base/json.ts';

/** Lists of objects in a rule that stand field by field, too. */
const LISTS = ['says', 'tells', 'fix'];

/**
 * The rules of a stage share their frames, which stand there once. What nothing shows or asks for is left out: what to read about a rule
 * elsewhere, how messages begin in texts that somebody pasted, and what only journals, such texts and old versions say. `spoken`: all texts
 * of the page, of its scenarios and its code; what a log says of which nothing stands there is left out, too.
 */
export function packedRules(rules: readonly JsonObject[], spoken: string): JsonObject {
  const said = plain(spoken);
  const heardIn = (wordings: Json | undefined): readonly Json[] => {
    const all = asList(wordings).filter(mayBeSaid);
    const spokenOf = all.filter((wording) => !isOfLogs(wording) || piecesOf(wording).every((piece) => said.includes(piece)));
    // Programs of which no words stand there put them together while they run.
    return spokenOf.some(isOfLogs) ? spokenOf : all;
  };
  const framesOf = ({ frames }: JsonObject): string => JSON.stringify({ ...asObject(frames), openings: [] });
  const texts = [...new Set(rules.map(framesOf))];
  const numbered = rules.map((whole) => {
    const { references, frames, ...rule } = whole;
    void [references, frames];
    const heard = { ...rule, says: heardIn(rule['says']), tells: heardIn(rule['tells']) };
    return { ...leanRule(heard, asText(rule['id'])), frames: texts.indexOf(framesOf(whole)) };
  });
  return { frames: texts.map((text) => leanRule(asObject(JSON.parse(text) as Json))), rules: inFields(numbered, LISTS) };
}

/** Whether a simulated cluster can say it: no journal of a node is kept there, and it is of the latest version. */
function mayBeSaid(wording: Json): boolean {
  return dig(wording, 'until') === undefined && asList(dig(wording, 'in')).some((place) => place !== 'journal' && place !== 'text');
}

/** Whether only a program says it. */
function isOfLogs(wording: Json): boolean {
  return asList(dig(wording, 'in')).every((place) => !CLUSTER_SAYS.has(asText(place)));
}

const CLUSTER_SAYS: ReadonlySet<string | undefined> = new Set(
  'event condition pull answer start probe field waiting status terminated'.split(' '),
);

/** What stands between the values of a wording, but for signs at its ends; programs put errors together at colons and in quotes. */
function piecesOf(wording: Json): readonly string[] {
  return plain(asText(dig(wording, 'text')) ?? '')
    .split(/\{\{[^}]{0,200}\}\}|: |["'`]/)
    .flatMap((piece) => /\w(?:.*\w)?/.exec(piece)?.[0] ?? []);
}

/** However it is written in code, in JSON or in a rule. */
function plain(text: string): string {
  return text.replaceAll('\\', '').toLowerCase();
}

export function unpackedRules(packed: JsonObject): readonly JsonObject[] {
  const frames = asList(packed['frames']);
  return fromFields(asObject(packed['rules'])).map((rule) => ({
    ...wholeRule(rule, asText(rule['id'])),
    references: [],
    frames: wholeRule(asObject(frames[rule['frames'] as number])),
  }));
}

/** What most wordings and conditions have, which is left out of them. */
const WORDING: JsonObject = { reason: [], anyCase: false, general: false, as: {} };
const DEFAULTS: Readonly<Record<string, JsonObject>> = {
  says: WORDING,
  tells: WORDING,
  around: WORDING,
  phrases: { ...WORDING, in: [] },
  when: { all: [], any: [], none: [], optional: [], unless: [] },
};

function leanRule(rule: JsonObject, id?: string): JsonObject {
  return eachWithDefaults(
    mapped(rule, (value, name) => shortened(value, name, id)),
    (object, defaults) =>
      Object.fromEntries(Object.entries(object).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name]))),
  );
}

function wholeRule(rule: JsonObject, id?: string): JsonObject {
  return mapped(
    eachWithDefaults(rule, (object, defaults) => ({ ...defaults, ...object })),
    (value, name) => lengthened(value, name, id),
  );
}

function eachWithDefaults(rule: JsonObject, change: (object: JsonObject, defaults: JsonObject) => JsonObject): JsonObject {
  const changed = Object.entries(DEFAULTS).flatMap(([name, defaults]): [string, Json][] => {
    const value = rule[name];
    if (Array.isArray(value)) return [[name, (value as readonly Json[]).map((one) => change(asObject(one), defaults))]];
    return isJsonObject(value) ? [[name, change(value, defaults)]] : [];
  });
  return { ...rule, ...Object.fromEntries(changed) };
}

/**
 * The tests of most conditions in as few signs as may be: of a value, of a variable, of one that may be unknown. A variable that is called
 * like its field has no name, nor has the rule's own id.
 */
function shortened(value: Json | undefined, name: string, id: string | undefined): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => shortened(one, name, id));
  if (!isJsonObject(value)) return value ?? null;
  const { test, ...rest } = value;
  const [check, ...more] = asList(rest['checks']);
  const word = (one: Json | undefined, known: string | undefined): JsonObject[string] => (one === known ? 0 : one);
  if (test === 'equals' && isText(rest['value'])) return name === 'rule' ? { '=': word(rest['value'], id) } : { '=': rest['value'] };
  if (test === 'variable' && isText(rest['name'])) return { $: word(rest['name'], name) };
  if (test === 'checks' && more.length === 0 && dig(check, 'check') === 'maybe') return { '?': word(dig(check, 'name'), name) };
  return mapped(value, (one, field) => shortened(one, field, id));
}

function lengthened(value: Json | undefined, name: string, id: string | undefined): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => lengthened(one, name, id));
  if (!isJsonObject(value)) return value ?? null;
  if (value['='] !== undefined) return { test: 'equals', value: name === 'rule' ? value['='] || (id ?? 0) : value['='] };
  if (value['$'] !== undefined) return { test: 'variable', name: value['$'] || name };
  return value['?'] === undefined
    ? mapped(value, (one, field) => lengthened(one, field, id))
    : { test: 'checks', checks: [{ check: 'maybe', name: value['?'] || name }] };
}

function isText(value: Json | undefined): boolean {
  return value !== undefined && typeof value !== 'object';
}

function mapped(object: JsonObject, change: (value: Json | undefined, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, change(value, name)]])));
}
