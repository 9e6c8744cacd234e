import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { FieldType } from '../schema/schema.ts';
import { modelNamed } from '../schema/schema.ts';

/**
 * The object with every number as it fits into its field: what is converted, and not decoded, loses the bits that do not.
 * Source: staging/src/k8s.io/apimachinery/pkg/runtime/converter.go (fromUnstructured).
 */
export function withFittingNumbers(model: string, value: JsonObject): JsonObject {
  const { fields } = modelNamed(model);
  return withMembers(value, (name) => fields.get(name)?.type);
}

function fitting(type: FieldType, value: Json): Json {
  switch (type.is) {
    case 'int32':
      return typeof value === 'number' && Number.isSafeInteger(value) ? value | 0 : value;
    case 'model':
      return isJsonObject(value) ? withFittingNumbers(type.model, value) : value;
    case 'map':
      return isJsonObject(value) ? withMembers(value, () => type.of) : value;
    case 'list':
      return Array.isArray(value) ? eachFitting(type.of, value as readonly Json[]) : value;
    default:
      return value;
  }
}

function withMembers(value: JsonObject, typeOf: (name: string) => FieldType | undefined): JsonObject {
  const changed: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value)) {
    const type = typeOf(name);
    if (type === undefined || inner === undefined) continue;
    const fit = fitting(type, inner);
    if (fit !== inner) changed[name] = fit;
  }
  return Object.keys(changed).length === 0 ? value : withFields(value, changed);
}

function eachFitting(type: FieldType, list: readonly Json[]): Json {
  const fit = list.map((one) => fitting(type, one));
  return fit.every((one, index) => one === list[index]) ? list : fit;
}
