import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { Emptied } from './decode.ts';

/** The object with the lists and maps without members, and with the quantities, that it was given with; a list that its registry has filled stays. */
export function withEmptied<T extends JsonObject>(object: T, emptied: readonly Emptied[]): T {
  let result: Json = object;
  for (const { path, value } of emptied) result = withValue(result, path, value);
  return result as T;
}

function withValue(target: Json, [step, ...rest]: readonly (string | number)[], value: Json): Json {
  if (step === undefined) return target === null || typeof value !== 'object' ? value : target;
  if (Array.isArray(target)) {
    const list: readonly Json[] = target;
    return list.map((member, index) => (index === step ? withValue(member, rest, value) : member));
  }
  return isJsonObject(target) ? { ...target, [step]: withValue(target[step] ?? null, rest, value) } : target;
}
