import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, isJsonObject } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { OpenApiSource } from './openapi.ts';
import { writeDocument } from './openapi.ts';

/**
 * `/openapi/v2`: everything in one document of OpenAPI 2, which kubectl before 1.28 and some other clients read instead of v3.
 * Source: k8s.io/kube-openapi/pkg/builder.
 */
export function swaggerDocument(source: OpenApiSource): JsonObject {
  const { paths, components } = writeDocument(source, source.resources);
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: source.version },
    paths: mapValues(asObject(paths), (item) =>
      mapValues(asObject(item), (operation, name) =>
        name === 'parameters' ? asList(operation).map(parameterOf) : operationOf(asObject(operation)),
      ),
    ),
    definitions: mapValues(asObject(asObject(components)['schemas']), (schema) => definitionOf(asObject(schema))),
  };
}

function operationOf({ requestBody, responses, parameters, ...rest }: JsonObject): JsonObject {
  void requestBody;
  return {
    ...rest,
    parameters: asList(parameters).map(parameterOf),
    responses: mapValues(asObject(responses), (response) => ({ description: textOf(asObject(response)['description']) })),
  };
}

function parameterOf(parameter: Json): JsonObject {
  const { schema, ...rest } = asObject(parameter);
  return { ...rest, type: textOf(asObject(schema)['type']) };
}

/** A schema in the older form: references alone, and one type where there may be two. */
function definitionOf(schema: JsonObject): JsonObject {
  const kinds = schema['x-kubernetes-group-version-kind'];
  // A kubectl that knows some fields would refuse all others. Source: apiextensions-apiserver/pkg/controller/openapi/builder/builder.go.
  if (kinds !== undefined && schema['x-kubernetes-preserve-unknown-fields'] === true)
    return { type: 'object', 'x-kubernetes-group-version-kind': kinds };
  const { allOf, oneOf, default: _, nullable, ...rest } = schema;
  void [_, nullable];
  const [wrapped] = asList(allOf);
  const plain: JsonObject =
    isJsonObject(wrapped) && typeof wrapped['$ref'] === 'string'
      ? { ...rest, $ref: wrapped['$ref'] }
      : oneOf === undefined
        ? rest
        : { ...rest, type: 'string' };
  const { $ref, properties, items, additionalProperties, ...others } = plain;
  return {
    ...others,
    ...(typeof $ref === 'string' ? { $ref: $ref.replace('#/components/schemas/', '#/definitions/') } : {}),
    ...(isJsonObject(properties) ? { properties: mapValues(properties, (one) => definitionOf(asObject(one))) } : {}),
    ...(isJsonObject(items) ? { items: definitionOf(items) } : {}),
    ...(isJsonObject(additionalProperties) ? { additionalProperties: definitionOf(additionalProperties) } : {}),
  };
}

function mapValues(object: JsonObject, change: (value: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value ?? null, name)]));
}
