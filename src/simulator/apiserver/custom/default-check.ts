import type { JsonObject } from '../../../base/json.ts';
import { asObject, isJsonObject } from '../../../base/json.ts';
import { append } from '../../../base/lists.ts';
import type { FieldError } from '../validation/field-error.ts';
import { invalidValue, required } from '../validation/field-error.ts';
import { checkSchema } from './schema-check.ts';
import { hasUnknown } from './structural.ts';

/**
 * Defaults of a schema that it would not allow itself; the schema must be structural. What names an object is left out.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/validation.go.
 */
export function checkDefaults(schema: JsonObject, field: string, isResource = true): readonly FieldError[] {
  const errors: FieldError[] = [];
  const own = schema['default'];
  if (own !== undefined && own !== null) {
    const at = `${field}.default`;
    if (hasUnknown(schema, own)) errors.push(invalidValue(at, own, 'must not have unknown fields'));
    const missing = isResource && isJsonObject(own) ? ['apiVersion', 'kind'].filter((name) => own[name] === undefined) : [];
    const wrong = checkSchema(schema, own, own).map((error) => ({
      ...error,
      field: error.field === '' || error.field === '<nil>' ? at : `${at}.${error.field}`,
    }));
    append(errors, missing.length > 0 ? missing.map((name) => required(`${at}.${name}`)) : wrong);
  }
  const { items } = schema;
  if (isJsonObject(items)) append(errors, checkDefaults(items, `${field}.items`, items['x-kubernetes-embedded-resource'] === true));
  for (const [name, inner] of Object.entries(asObject(schema['properties']))) {
    if (!isJsonObject(inner) || (isResource && IDENTITY.includes(name))) continue;
    append(errors, checkDefaults(inner, `${field}.properties[${name}]`, inner['x-kubernetes-embedded-resource'] === true));
  }
  return errors;
}

const IDENTITY: readonly string[] = ['apiVersion', 'kind', 'metadata'];
