import type { Json, JsonObject } from '../base/json.ts';
import { asText, dig, isJsonObject } from '../base/json.ts';

/**
 * Where an object is not as it was meant, as a path (`spec.template.spec.containers[web].image`); undefined when it is. What the
 * cluster added counts for nothing. Where the mending itself lies (what was given differs from what is meant) it is enough
 * that something stands there: there is more than one way to mend.
 */
export function unexpectedOutcome(wanted: JsonObject, live: JsonObject, given: JsonObject | undefined): string | undefined {
  for (const [field, value] of Object.entries(wanted)) {
    if (NOT_COMPARED.includes(field)) continue;
    const path = unlike(value, live[field], given === undefined ? value : given[field], field);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Who it is was compared already, or is none of a person's business; `stringData` is never read back. */
const NOT_COMPARED: readonly string[] = ['apiVersion', 'kind', 'metadata', 'status', 'stringData'];

function unlike(wanted: Json | undefined, live: Json | undefined, given: Json | undefined, path: string): string | undefined {
  if (wanted === undefined || wanted === null) return undefined;
  if (isJsonObject(wanted)) {
    if (!isJsonObject(live)) return path;
    for (const [field, value] of Object.entries(wanted)) {
      const below = unlike(value, live[field], isJsonObject(given) ? given[field] : undefined, `${path}.${field}`);
      if (below !== undefined) return below;
    }
    return undefined;
  }
  if (Array.isArray(wanted)) return unlikeList(wanted as readonly Json[], live, given, path);
  if (live === undefined) return path;
  return given === wanted && live !== wanted ? path : undefined;
}

/** Members are told apart by their names, where they have any. */
function unlikeList(wanted: readonly Json[], live: Json | undefined, given: Json | undefined, path: string): string | undefined {
  if (!Array.isArray(live)) return path;
  for (const [index, member] of wanted.entries()) {
    const name = asText(dig(member, 'name'));
    const below = unlike(
      member,
      memberOf(live as readonly Json[], name, index),
      memberOf(Array.isArray(given) ? (given as readonly Json[]) : [], name, index),
      `${path}[${name ?? index}]`,
    );
    if (below !== undefined) return below;
  }
  return undefined;
}

function memberOf(list: readonly Json[], name: string | undefined, index: number): Json | undefined {
  return name === undefined ? list[index] : list.find((member) => asText(dig(member, 'name')) === name);
}
