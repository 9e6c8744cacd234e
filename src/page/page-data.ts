import type { Json, JsonObject } from '../base/json.ts';
import { asList, asObject } from '../base/json.ts';

/** Objects of one shape field by field: alike texts stand together, which makes them a tenth smaller when they are packed. */
function inFields(objects: readonly JsonObject[]): JsonObject {
  const names = new Set(objects.flatMap((object) => Object.keys(object)));
  return Object.fromEntries([...names].map((name) => [name, objects.map((object) => object[name] ?? null)]));
}

/** The objects again; what is null was not there. */
function fromFields(fields: JsonObject): readonly JsonObject[] {
  const columns = Object.entries(fields).map(([name, values]): readonly [string, readonly Json[]] => [name, asList(values)]);
  const count = columns[0]?.[1].length ?? 0;
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(columns.flatMap(([name, values]) => (values[at] === null || values[at] === undefined ? [] : [[name, values[at]]]))),
  );
}

/** The rules of a stage share their frames, which stand there once. What to read about a rule elsewhere is left out: nothing shows it. */
export function packedRules(rules: readonly JsonObject[]): JsonObject {
  const texts = [...new Set(rules.map((rule) => JSON.stringify(rule['frames'] ?? null)))];
  const numbered = rules.map(({ references, frames, ...rule }) => {
    void references;
    return { ...rule, frames: texts.indexOf(JSON.stringify(frames ?? null)) };
  });
  return { frames: texts.map((text) => JSON.parse(text) as Json), rules: inFields(numbered) };
}

export function unpackedRules(packed: JsonObject): readonly JsonObject[] {
  const frames = asList(packed['frames']);
  return fromFields(asObject(packed['rules'])).map((rule) => ({
    ...rule,
    references: [],
    frames: frames[rule['frames'] as number] ?? null,
  }));
}

/** Scenarios whose steps say where they stand: in the scenario of this id. */
export function withPlaces(scenarios: readonly JsonObject[]): readonly JsonObject[] {
  return scenarios.map((scenario) => {
    const placed = ['setup', 'steps', 'cure'].map((field) => [
      field,
      asList(scenario[field]).map((step) => ({ ...asObject(step), place: scenario['id'] ?? '' })),
    ]);
    return { ...scenario, ...(Object.fromEntries(placed) as JsonObject) };
  });
}
