import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, isJsonObject } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { boolean, join, message, text } from '../wire/protobuf-writer.ts';

/**
 * A document of OpenAPI 2 in protobuf, the only form some releases of kubectl ask for.
 * Source: github.com/google/gnostic-models/openapiv2/OpenAPIv2.proto.
 */
export function encodeSwagger(document: JsonObject): Uint8Array {
  const info = asObject(document['info']);
  return join([
    text(1, textOf(document['swagger'])),
    message(2, join([text(1, textOf(info['title'])), text(2, textOf(info['version']))])),
    message(
      8,
      join(Object.entries(asObject(document['paths'])).map(([path, item]) => message(2, named(path, encodePath(asObject(item)))))),
    ),
    message(9, encodeSchemas(asObject(document['definitions']))),
  ]);
}

function named(name: string, value: Uint8Array): Uint8Array {
  return join([text(1, name), message(2, value)]);
}

const METHODS: Readonly<Record<string, number>> = { get: 2, put: 3, post: 4, delete: 5, patch: 8 };

function encodePath(item: JsonObject): Uint8Array {
  return join(
    Object.entries(METHODS).flatMap(([method, number]) =>
      isJsonObject(item[method]) ? [message(number, encodeOperation(item[method]))] : [],
    ),
  );
}

function encodeOperation(operation: JsonObject): Uint8Array {
  return join([
    text(5, textOf(operation['operationId'])),
    ...asList(operation['parameters']).map((one) => message(8, message(1, message(2, message(3, encodeQuery(asObject(one))))))),
    ...extensions(operation, 13),
  ]);
}

function encodeQuery(parameter: JsonObject): Uint8Array {
  return join([text(2, 'query'), text(4, textOf(parameter['name'])), text(6, textOf(parameter['type']))]);
}

/** Definitions and properties are alike: names with schemas. */
function encodeSchemas(schemas: JsonObject): Uint8Array {
  return join(Object.entries(schemas).map(([name, schema]) => message(1, named(name, encodeSchema(asObject(schema))))));
}

function encodeSchema(schema: JsonObject): Uint8Array {
  const { $ref, format, description, type, required, properties, items, additionalProperties } = schema;
  return join([
    ...given(1, $ref),
    ...given(2, format),
    ...given(4, description),
    ...asList(required).map((name) => text(19, textOf(name))),
    ...(isJsonObject(additionalProperties)
      ? [message(21, message(1, encodeSchema(additionalProperties)))]
      : additionalProperties === true
        ? [message(21, boolean(2, true))]
        : []),
    ...(asText(type) === undefined ? [] : [message(22, text(1, textOf(type)))]),
    ...(isJsonObject(items) ? [message(23, message(1, encodeSchema(items)))] : []),
    ...(isJsonObject(properties) ? [message(25, encodeSchemas(properties))] : []),
    ...extensions(schema, 31),
  ]);
}

function given(number: number, value: Json | undefined): readonly Uint8Array[] {
  return typeof value === 'string' ? [text(number, value)] : [];
}

/** `x-kubernetes-…`, each as YAML, which JSON is. */
function extensions(object: JsonObject, number: number): readonly Uint8Array[] {
  return Object.entries(object)
    .filter(([name]) => name.startsWith('x-'))
    .map(([name, value]) => message(number, named(name, text(2, `${JSON.stringify(value)}\n`))));
}
