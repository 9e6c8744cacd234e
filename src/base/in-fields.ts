import type { Json, JsonObject } from './json.ts';
import { asList, asNumber, asObject } from './json.ts';

/** Objects of one shape field by field, and so are the objects in their lists of these names: alike texts stand together, which packs best. */
export function inFields(objects: readonly JsonObject[], lists: readonly string[] = []): JsonObject {
  const names = new Set(objects.flatMap((object) => Object.keys(object)));
  return Object.fromEntries(
    [...names].map((name) => {
      const values = objects.map((object) => object[name] ?? null);
      return [name, lists.includes(name) ? allInFields(values) : values];
    }),
  );
}

function allInFields(lists: readonly Json[]): JsonObject {
  const counts = lists.map((list) => (list === null ? null : asList(list).length));
  return { counts, fields: inFields(lists.flatMap(asList).map(asObject)) };
}

/** The objects again; what is null was not there. */
export function fromFields(fields: JsonObject): readonly JsonObject[] {
  const columns = Object.entries(fields).map(
    ([name, values]) => [name, Array.isArray(values) ? (values as readonly Json[]) : listsOf(values)] as const,
  );
  const [objects, count]: [JsonObject[], number] = [[], columns[0]?.[1].length ?? 0];
  // Made at every start: plain loops are faster here.
  for (let at = 0; at < count; at++) {
    const object: Record<string, Json> = {};
    for (const [name, values] of columns) {
      const value = values[at];
      if (value !== null && value !== undefined) object[name] = value;
    }
    objects.push(object);
  }
  return objects;
}

function listsOf(packed: Json | undefined): readonly Json[] {
  const all = fromFields(asObject(asObject(packed)['fields']));
  let from = 0;
  return asList(asObject(packed)['counts']).map((count) => (count === null ? null : all.slice(from, (from += asNumber(count) ?? 0))));
}
