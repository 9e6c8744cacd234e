import type { Json, JsonObject } from '../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../base/json.ts';
import { repeated } from '../base/text.ts';

/** What most of these parts have, which is left out of them. */
const SCENARIO: JsonObject = { setup: [], cure: [] };
const CLUSTER: JsonObject = { configuration: {} };
const EXPECTED: JsonObject = { also: [] };
const STEP: Readonly<Record<string, JsonObject>> = { apply: { create: false }, delete: { force: false } };

/** Names of fields that stand in most scenarios, which take one sign behind a mark that no field begins with. */
const FREQUENT = [
  'apiVersion kind metadata name namespace spec documents labels matchLabels selector template replicas',
  'containers image resources requests volumes volumeMounts status type value path fault',
].flatMap((names) => names.split(' '));
const MARK = '~';
const SHORT: ReadonlyMap<string, string> = new Map(FREQUENT.map((name, index) => [name, `${MARK}${index.toString(36)}`]));
const LONG: ReadonlyMap<string, string> = new Map([...SHORT].map(([name, short]) => [short, name]));

/** A scenario in few signs. Where a step stands in its file is left out, too: the page names the scenario instead. */
export function packedScenario(scenario: JsonObject): JsonObject {
  const packed = eachPart(scenario, (part, defaults) =>
    Object.fromEntries(
      Object.entries(part).flatMap(([name, value]) =>
        value === undefined || name === 'place' || JSON.stringify(value) === JSON.stringify(defaults[name]) ? [] : [[name, counted(value)]],
      ),
    ),
  );
  return asObject(renamed(packed, SHORT));
}

export function unpackedScenario(shortened: JsonObject): JsonObject {
  const packed = asObject(renamed(shortened, LONG));
  const scenario = eachPart({ ...SCENARIO, ...packed }, (part, defaults) => ({ ...defaults, ...asObject(spelled(part)) }));
  const placed = ['setup', 'steps', 'cure'].map((field): [string, Json] => [
    field,
    asList(scenario[field]).map((step) => ({ ...asObject(step), place: packed['id'] ?? '' })),
  ]);
  return { ...scenario, ...Object.fromEntries(placed) };
}

function eachPart(scenario: JsonObject, change: (part: JsonObject, defaults: JsonObject) => JsonObject): JsonObject {
  const steps = (field: string): Json =>
    asList(scenario[field]).map((step) => change(asObject(step), STEP[asText(dig(step, 'do')) ?? ''] ?? {}));
  const { cluster, expect } = scenario;
  const parts: JsonObject = {
    ...scenario,
    setup: steps('setup'),
    steps: steps('steps'),
    cure: steps('cure'),
    ...(cluster === undefined ? {} : { cluster: change(asObject(cluster), CLUSTER) }),
    ...(expect === undefined ? {} : { expect: change(asObject(expect), EXPECTED) }),
  };
  return change(parts, SCENARIO);
}

/** Of a long text of one sign, as one scenario has it, the sign and how often it stands there. */
function counted(value: Json): Json {
  if (typeof value === 'string' && value.length > 1000 && value === repeated(value.charAt(0), value.length))
    return { sign: value.charAt(0), times: value.length };
  if (Array.isArray(value)) return (value as readonly Json[]).map(counted);
  return isJsonObject(value) ? mapped(value, counted) : value;
}

function spelled(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(spelled);
  if (!isJsonObject(value)) return value;
  const { sign, times } = value;
  return typeof sign === 'string' && typeof times === 'number' ? repeated(sign, times) : mapped(value, spelled);
}

function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => renamed(one, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : [[names.get(name) ?? name, renamed(one, names)]])),
  );
}

function mapped(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, change(value)]])));
}
