import type { JsonObject } from '../../../../src/base/json.ts';

export const PARCEL: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { to: { type: 'string' }, boxes: { type: 'integer' }, stops: { type: 'array', items: { type: 'string' } } },
    },
  },
};

export function definition(spec: JsonObject = {}, schema: JsonObject = PARCEL): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'parcels.shop.example' },
    spec: {
      group: 'shop.example',
      scope: 'Namespaced',
      names: { plural: 'parcels', kind: 'Parcel' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      ...spec,
    },
  };
}

export function withSpec(spec: JsonObject): JsonObject {
  return definition({}, { type: 'object', properties: { spec } });
}

export function withRule(rule: JsonObject, more: JsonObject = {}): JsonObject {
  return withSpec({
    type: 'object',
    properties: { to: { type: 'string' }, boxes: { type: 'integer' } },
    'x-kubernetes-validations': [rule],
    ...more,
  });
}

export const SPEC = 'spec.validation.openAPIV3Schema.properties[spec]';
export const asGo = (rule: string, more = '"MessageExpression":""'): string =>
  `{"Rule":${JSON.stringify(rule)},"Message":"",${more},"Reason":null,"FieldPath":"","OptionalOldSelf":null}`;
