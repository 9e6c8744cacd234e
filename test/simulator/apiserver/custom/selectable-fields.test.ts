import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { create, failureOf, objectOf, send, shop } from '../../shop.ts';
import { definition, PARCEL } from './definitions.ts';

const version = (name: string, more: JsonObject): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: PARCEL },
  ...more,
});
const selecting = (...paths: readonly string[]): JsonObject =>
  definition({ versions: [version('v1', { selectableFields: paths.map((jsonPath) => ({ jsonPath })) })] });

/** Source: apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go (ValidateCustomResourceSelectableFields), and `npm run differ`. */
describe('a field that selectors may name', () => {
  test.each([
    ['', 'spec.selectableFields[0].jsonPath: Required value'],
    ['spec.to', 'Invalid value: "spec.to": is an invalid path: expected [ or . but got: spec'],
    ['.spec.stops[0]', 'Invalid value: ".spec.stops[0]": is an invalid path: array notation is not allowed'],
    ['.spec.', 'Invalid value: ".spec.": is an invalid path: unexpected end of JSON path'],
    ['.spec.none', 'Invalid value: ".spec.none": is an invalid path: does not refer to a valid field'],
    ['.spec', 'Invalid value: ".spec": must point to a field of type string, boolean or integer.'],
  ])('is refused as %j', (path, words) => {
    expect(failureOf(create(shop(), selecting(path))).message).toContain(words);
  });

  test('is there once, and one of eight at most', () => {
    expect(failureOf(create(shop(), selecting('.spec.to', '.spec.to'))).message).toContain('[1].jsonPath: Duplicate value: ".spec.to"');
    const letters = Array.from('abcdefghi');
    const properties = { spec: { type: 'object', properties: Object.fromEntries(letters.map((letter) => [letter, { type: 'string' }])) } };
    const selectableFields = letters.map((letter) => ({ jsonPath: `.spec.${letter}` }));
    const versions = [version('v1', { schema: { openAPIV3Schema: { type: 'object', properties } }, selectableFields })];
    expect(failureOf(create(shop(), definition({ versions }))).message).toContain(
      'spec.selectableFields: Too many: 9: must have at most 8',
    );
  });

  test('is taken with a path to a text', () => {
    expect(objectOf(create(shop(), selecting('.spec.to', '.spec.boxes'))).kind).toBe('CustomResourceDefinition');
  });

  test('of one version alone needs a schema of that version alone', () => {
    const versions = [version('v1', {}), version('v2', { selectableFields: [{ jsonPath: '.spec.to' }] })];
    expect(failureOf(create(shop(), definition({ versions }))).message).toContain(
      'spec.versions[1].selectableFields: Invalid value: "": may only be set when `version.schema.openAPIV3Schema` is not included',
    );
  });
});

describe('a definition', () => {
  test('has schemas or booleans for what is beside', () => {
    const schema = { ...PARCEL, additionalProperties: 'x' };
    const failure = failureOf(create(shop(), definition({}, schema)));
    expect(failure.code).toBe(400);
    expect(failure.message).toBe(
      'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: boolean or JSON schema expected',
    );
  });

  test('may not begin to keep unknown fields', () => {
    const cluster = shop();
    create(cluster, definition());
    const patch = { type: 'merge' as const, body: { spec: { preserveUnknownFields: true } } };
    expect(failureOf(send(cluster, 'patch', 'CustomResourceDefinition', 'parcels.shop.example', { patch })).message).toContain(
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true',
    );
  });
});
