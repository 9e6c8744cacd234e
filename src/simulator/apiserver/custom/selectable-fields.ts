import type { Json } from '../../../base/json.ts';
import { asText, dig, isJsonObject } from '../../../base/json.ts';
import type { FieldError } from '../validation/field-error.ts';
import { duplicate, invalidValue, required, tooMany } from '../validation/field-error.ts';

const MOST_FIELDS = 8;
const TYPES: readonly (Json | undefined)[] = ['string', 'boolean', 'integer'];

/**
 * Paths to the fields that selectors of custom resources may name.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go (ValidateCustomResourceSelectableFields).
 */
export function checkSelectableFields(fields: readonly Json[], schema: Json, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const known = new Set<string>();
  for (const [index, field] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`;
    const text = asText(dig(field, 'jsonPath')) ?? '';
    const found = text === '' ? undefined : fieldAt(schema, text);
    if (found === undefined) errors.push(required(at));
    else if ('wrong' in found) errors.push(invalidValue(at, text, `is an invalid path: ${found.wrong}`));
    else {
      if (text.startsWith('.metadata.') || text === '.metadata')
        errors.push(invalidValue(at, text, 'must not point to fields in metadata'));
      if (!TYPES.includes(dig(found.schema, 'type'))) errors.push(invalidValue(at, text, WRONG_TYPE));
      if (known.has(text)) errors.push(duplicate(at, text));
      known.add(text);
    }
  }
  return known.size > MOST_FIELDS ? [...errors, tooMany(path, known.size, MOST_FIELDS)] : errors;
}

const WRONG_TYPE = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';

/** Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go (ValidFieldPath). */
function fieldAt(schema: Json, path: string): { readonly schema: Json } | { readonly wrong: string } {
  let at = schema;
  const tokens = path.match(/[.[\]]|[^.[\]]+/g) ?? [];
  for (let index = 0; index < tokens.length; index += 2) {
    const [token, name] = [tokens[index], tokens[index + 1]];
    if (token === '[') return { wrong: 'array notation is not allowed' };
    if (token !== '.') return { wrong: `expected [ or . but got: ${token ?? ''}` };
    if (name === undefined) return { wrong: 'unexpected end of JSON path' };
    const properties = dig(at, 'properties');
    const next = isJsonObject(properties) ? properties[name] : dig(at, 'additionalProperties');
    if (!isJsonObject(next)) return { wrong: 'does not refer to a valid field' };
    at = next;
  }
  return { schema: at };
}
