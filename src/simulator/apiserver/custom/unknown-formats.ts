import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';

/**
 * Formats of a definition's schemas that nobody checks, those that were there before left out.
 * Source: staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go (WarningsOnUpdate).
 */
export function unknownFormats(definition: JsonObject, old?: JsonObject): readonly string[] {
  const before = old === undefined ? [] : formatsOf(old);
  return formatsOf(definition).filter((format) => !before.includes(format));
}

function formatsOf(definition: JsonObject): readonly string[] {
  return asList(dig(definition, 'spec', 'versions')).flatMap((version) => formatsIn(dig(version, 'schema', 'openAPIV3Schema')));
}

function formatsIn(schema: Json | undefined): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const format = asText(schema['format']) ?? '';
  const inner = [
    schema['items'],
    ...['allOf', 'anyOf', 'oneOf'].flatMap((list) => asList(schema[list])),
    schema['not'],
    ...Object.values(asObject(schema['properties'])),
    schema['additionalProperties'],
  ];
  return [...(format === '' || isKnown(format, asText(schema['type']) ?? '') ? [] : [format]), ...inner.flatMap(formatsIn)];
}

/** Source: staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go (GetUnrecognizedFormats). */
function isKnown(format: string, type: string): boolean {
  if (type === '' || type === 'string') return OF_TEXTS.includes(format.replaceAll('-', ''));
  return NUMBERS[type]?.includes(format) === true;
}

const NUMBERS: Readonly<Record<string, readonly string[]>> = { integer: ['int32', 'int64'], number: ['float', 'double'] };
const OF_TEXTS: readonly string[] =
  'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor byte password date duration datetime k8sshortname k8slongname'.split(
    ' ',
  );
