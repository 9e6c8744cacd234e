import type { Json, JsonObject } from '../../../../base/json.ts';
import { asObject, asText, isJsonObject } from '../../../../base/json.ts';
import { own } from '../../../../base/own-property.ts';
import type { FieldType } from '../../schema/schema.ts';
import { modelNamed } from '../../schema/schema.ts';
import { readType } from './functions.ts';
import type { Type } from './types.ts';
import { BOOL, DYN, INT, listOf, mapOf, STRING } from './types.ts';

/** Types of objects whose fields are known: what a request looks like, kinds of the API, and custom resources. */

/** An object with the fields given, in the words of `functions.ts`. */
export function objectType(name: string, fields: Readonly<Record<string, string | Type>>): Type {
  const types = new Map(Object.entries(fields).map(([field, type]) => [field, typeof type === 'string' ? readType(type) : type]));
  return { name, field: (field) => types.get(field) };
}

const KIND_TYPE = objectType('kubernetes.GroupVersionKind', { group: 'string', version: 'string', kind: 'string' });
const RESOURCE_TYPE = objectType('kubernetes.GroupVersionResource', { group: 'string', version: 'string', resource: 'string' });
const USER_TYPE = objectType('kubernetes.UserInfo', {
  username: 'string',
  uid: 'string',
  groups: 'list(string)',
  extra: 'map(string,list(string))',
});

/** Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/cel/compile.go (BuildRequestType, BuildNamespaceType). */
export const REQUEST_TYPE = objectType('kubernetes.AdmissionRequest', {
  kind: KIND_TYPE,
  resource: RESOURCE_TYPE,
  subResource: 'string',
  requestKind: KIND_TYPE,
  requestResource: RESOURCE_TYPE,
  requestSubResource: 'string',
  name: 'string',
  namespace: 'string',
  operation: 'string',
  userInfo: USER_TYPE,
  dryRun: 'bool',
  options: 'dyn',
});

export const NAMESPACE_TYPE = objectType('kubernetes.Namespace', {
  metadata: objectType('kubernetes.NamespaceMetadata', {
    name: 'string',
    generateName: 'string',
    namespace: 'string',
    labels: 'map(string,string)',
    annotations: 'map(string,string)',
    UID: 'string',
    creationTimestamp: 'timestamp',
    deletionGracePeriodSeconds: 'int',
    deletionTimestamp: 'timestamp',
    generation: 'int',
    resourceVersion: 'string',
    finalizers: 'list(string)',
  }),
  spec: objectType('kubernetes.NamespaceSpec', { finalizers: 'list(string)' }),
  status: objectType('kubernetes.NamespaceStatus', {
    conditions: listOf(
      objectType('kubernetes.NamespaceCondition', {
        status: 'string',
        type: 'string',
        lastTransitionTime: 'timestamp',
        message: 'string',
        reason: 'string',
      }),
    ),
    phase: 'string',
  }),
});

/** A kind of the API. Quantities, and what is a number or a text, can be anything. */
export function modelType(model: string, name: string): Type {
  const known = modelNamed(model);
  return { name, field: (field) => fieldType(known.fields.get(unescaped(field))?.type, `${name}.${field}`) };
}

function fieldType(type: FieldType | undefined, name: string): Type | undefined {
  switch (type?.is) {
    case undefined:
      return undefined;
    case 'string':
      return STRING;
    case 'boolean':
      return BOOL;
    case 'int32':
    case 'int64':
      return INT;
    case 'double':
      return { name: 'double' };
    case 'time':
    case 'micro-time':
      return { name: 'timestamp' };
    case 'bytes':
      return { name: 'bytes' };
    case 'list':
      return listOf(fieldType(type.of, `${name}.@idx`) ?? DYN);
    case 'map':
      return mapOf(STRING, fieldType(type.of, `${name}.@elem`) ?? DYN);
    case 'model':
      return modelType(type.model, name);
    default:
      return DYN;
  }
}

/**
 * What a structural schema says of a value; undefined where rules cannot look at it.
 * Source: staging/src/k8s.io/apiserver/pkg/cel/common/schemas.go (SchemaDeclType).
 */
export function schemaType(schema: JsonObject, name: string, isRoot = false): Type | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return DYN;
  switch (asText(schema['type'])) {
    case 'array': {
      const member = isJsonObject(schema['items'])
        ? schemaType(schema['items'], `${name}.@idx`, schema['items']['x-kubernetes-embedded-resource'] === true)
        : undefined;
      return member === undefined ? undefined : listOf(member);
    }
    case 'object':
      return objectOf(schema, name, isRoot || schema['x-kubernetes-embedded-resource'] === true);
    case 'string':
      return own(TEXTS, asText(schema['format']) ?? '') ?? STRING;
    case 'boolean':
      return BOOL;
    case 'number':
      return { name: 'double' };
    case 'integer':
      return INT;
    default:
      return undefined;
  }
}

const TEXTS: Readonly<Record<string, Type>> = {
  byte: { name: 'bytes' },
  duration: { name: 'duration' },
  date: { name: 'timestamp' },
  'date-time': { name: 'timestamp' },
};

function objectOf(schema: JsonObject, name: string, isRoot: boolean): Type | undefined {
  const others = schema['additionalProperties'];
  if (isJsonObject(others)) {
    const value = schemaType(others, `${name}.@elem`);
    return value === undefined ? undefined : mapOf(STRING, value);
  }
  const properties = asObject(schema['properties']);
  const identity: Readonly<Record<string, Type>> = isRoot
    ? { apiVersion: STRING, kind: STRING, metadata: objectType(`${name}.metadata`, { name: 'string', generateName: 'string' }) }
    : {};
  return {
    name,
    field: (field) => {
      const property: Json | undefined = own(properties, unescaped(field));
      return own(identity, field) ?? (isJsonObject(property) ? schemaType(property, `${name}.${field}`) : undefined);
    },
  };
}

/** Names that CEL cannot have are written otherwise. Source: staging/src/k8s.io/apiserver/pkg/cel/escaping.go. */
function unescaped(field: string): string {
  if (!field.includes('__')) return field;
  const reserved =
    /^__(true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)__$/.exec(
      field,
    )?.[1];
  return (
    reserved ??
    field
      .replaceAll('__underscores__', '\0')
      .replaceAll('__dot__', '.')
      .replaceAll('__dash__', '-')
      .replaceAll('__slash__', '/')
      .replaceAll('\0', '__')
  );
}
