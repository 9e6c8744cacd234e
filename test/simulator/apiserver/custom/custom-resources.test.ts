import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { dig } from '../../../../src/base/json.ts';
import type { Answer } from '../../../../src/simulator/apiserver/request.ts';
import { checkSchema } from '../../../../src/simulator/apiserver/custom/schema-check.ts';
import { applySchemaDefaults, pruneUnknown } from '../../../../src/simulator/apiserver/custom/structural.ts';
import { formatErrors } from '../../../../src/simulator/apiserver/validation/field-error.ts';
import type { Cluster } from '../../../../src/simulator/cluster.ts';
import { create, failureOf, objectOf, send, shop } from '../../shop.ts';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['to'],
      properties: {
        to: { type: 'string', minLength: 2, pattern: '^[a-z]+$' },
        boxes: { type: 'integer', default: 1, minimum: 1 },
        speed: { type: 'string', enum: ['slow', 'fast'] },
        ports: {
          type: 'array',
          maxItems: 2,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port'],
          items: {
            type: 'object',
            required: ['port'],
            properties: { port: { type: 'integer' }, name: { type: 'string', default: 'web' } },
          },
        },
        extra: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        limits: { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true } },
      },
      'x-kubernetes-validations': [
        { rule: "self.boxes < 10 || self.speed == 'slow'", message: 'many boxes go slowly' },
        { rule: 'self.to == oldSelf.to', message: 'the address is fixed', fieldPath: '.to' },
      ],
    },
    status: { type: 'object', properties: { boxes: { type: 'integer' } } },
  },
};

function errorsOf(spec: JsonObject, old?: JsonObject): string {
  const errors = checkSchema(SCHEMA, { spec }, old === undefined ? undefined : { spec: old });
  return errors.length === 0 ? '' : formatErrors(errors);
}

describe('the schema of a definition', () => {
  it('leaves out what it does not know, and says what', () => {
    const given = {
      apiVersion: 'shop.example/v1',
      kind: 'Parcel',
      metadata: { name: 'first' },
      colour: 1,
      spec: { to: 'jane', weight: 3, extra: { any: [1] }, ports: [{ port: 1, colour: 'red' }] },
    };
    const { object, unknown } = pruneUnknown(SCHEMA, given);
    expect(unknown).toEqual(['colour', 'spec.weight', 'spec.ports[0].colour']);
    expect(object).toEqual({
      apiVersion: 'shop.example/v1',
      kind: 'Parcel',
      metadata: { name: 'first' },
      spec: { to: 'jane', extra: { any: [1] }, ports: [{ port: 1 }] },
    });
  });

  it('fills in its defaults, in lists too', () => {
    expect(applySchemaDefaults(SCHEMA, { spec: { to: 'jane', boxes: null, ports: [{ port: 1 }] } })).toEqual({
      spec: { to: 'jane', boxes: 1, ports: [{ port: 1, name: 'web' }] },
    });
  });

  it('refuses what it does not allow, in the words of the API server', () => {
    expect(errorsOf({})).toBe('spec.to: Required value');
    expect(errorsOf({ to: 'j' })).toBe('spec.to: Invalid value: "j": spec.to in body should be at least 2 chars long');
    expect(errorsOf({ to: 'Jane' })).toBe(`spec.to: Invalid value: "Jane": spec.to in body should match '^[a-z]+$'`);
    expect(errorsOf({ to: 'jane', boxes: 0 })).toBe(
      'spec.boxes: Invalid value: 0: spec.boxes in body should be greater than or equal to 1',
    );
    expect(errorsOf({ to: 'jane', boxes: 'two' })).toBe(
      'spec.boxes: Invalid value: "string": spec.boxes in body must be of type integer: "string"',
    );
    expect(errorsOf({ to: 'jane', speed: 'light' })).toBe('spec.speed: Unsupported value: "light": supported values: "slow", "fast"');
    expect(errorsOf({ to: 'jane', ports: [{ port: 1 }, { port: 1 }] })).toBe('spec.ports[1]: Duplicate value: {"port":1}');
    expect(errorsOf({ to: 'jane', boxes: 1, limits: { cpu: 1, memory: '1Gi' } })).toBe('');
    expect(errorsOf({ to: 'jane', boxes: 1, limits: { cpu: [] } })).toContain('spec.limits[cpu] in body must be of type integer,string');
  });

  it('works out its rules, those about the old value for changes only', () => {
    expect(errorsOf({ to: 'jane', boxes: 20, speed: 'fast' })).toBe('spec: Invalid value: many boxes go slowly');
    expect(errorsOf({ to: 'jane', boxes: 20, speed: 'slow' })).toBe('');
    expect(errorsOf({ to: 'tom', boxes: 1 }, { to: 'jane', boxes: 1 })).toBe('spec.to: Invalid value: the address is fixed');
  });
});

describe('a pattern of a definition', () => {
  it('is one of Go, and takes no longer than its text is long', () => {
    const errors = (pattern: string, to: string): readonly string[] =>
      checkSchema({ type: 'object', properties: { to: { type: 'string', pattern } } }, { to }, undefined).map(({ detail }) => detail);
    expect(errors('^[a-z]+(-[a-z])?$', 'ab-c')).toEqual([]);
    expect(errors('(?i)^JANE$', 'jane')).toEqual([]);
    expect(errors('^(a+)+$', `${'a'.repeat(5000)}!`)).toEqual([`to in body should match '^(a+)+$'`]);
    expect(errors('a*a*a*a*a*a*a*b', 'a'.repeat(5000))).toEqual([`to in body should match 'a*a*a*a*a*a*a*b'`]);
    expect(errors('(', 'jane')).toEqual([]);
  });
});

describe('a custom resource', () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'parcels.shop.example' },
    spec: {
      group: 'shop.example',
      scope: 'Namespaced',
      names: { plural: 'parcels', kind: 'Parcel' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {}, scale: { specReplicasPath: '.spec.boxes', statusReplicasPath: '.status.boxes' } },
          schema: { openAPIV3Schema: SCHEMA },
        },
      ],
    },
  };
  const parcel = (spec: JsonObject): JsonObject => ({
    apiVersion: 'shop.example/v1',
    kind: 'Parcel',
    metadata: { name: 'first', namespace: 'shop' },
    spec,
  });

  function defined(): Cluster {
    const cluster = shop();
    objectOf(create(cluster, definition));
    return cluster;
  }

  function scale(cluster: Cluster, verb: 'get' | 'patch', replicas = 0): Answer {
    return send(cluster, verb, 'Parcel', 'first', {
      subresource: 'scale',
      ...(verb === 'patch' ? { patch: { type: 'merge', body: { spec: { replicas } } } } : {}),
    });
  }

  it('is stored with its defaults, refused when it is wrong, and counts its generations', () => {
    const cluster = defined();
    expect(objectOf(create(cluster, parcel({ to: 'jane' })))['spec']).toEqual({ to: 'jane', boxes: 1 });
    expect(failureOf(create(cluster, { ...parcel({ to: 'j' }), metadata: { name: 'second', namespace: 'shop' } }))).toMatchObject({
      code: 422,
      message: 'Parcel.shop.example "second" is invalid: spec.to: Invalid value: "j": spec.to in body should be at least 2 chars long',
    });
    const changed = objectOf(
      send(cluster, 'patch', 'Parcel', 'first', { patch: { type: 'merge', body: { spec: { boxes: 2 }, status: { boxes: 9 } } } }),
    );
    expect([changed.metadata['generation'], changed['status']]).toEqual([2, undefined]);
  });

  it('is scaled where its definition says', () => {
    const cluster = defined();
    create(cluster, parcel({ to: 'jane' }));
    expect(dig(objectOf(scale(cluster, 'patch', 4)), 'spec', 'replicas')).toBe(4);
    expect(dig(objectOf(send(cluster, 'get', 'Parcel', 'first')), 'spec', 'boxes')).toBe(4);
  });

  it('goes with its definition', () => {
    const cluster = defined();
    create(cluster, parcel({ to: 'jane' }));
    send(cluster, 'delete', 'CustomResourceDefinition', 'parcels.shop.example');
    create(cluster, definition);
    expect(failureOf(send(cluster, 'get', 'Parcel', 'first'))).toMatchObject({ code: 404 });
  });

  it('is owned list by list as its schema says', () => {
    const cluster = defined();
    const apply = (manager: string, ports: readonly JsonObject[]): Answer =>
      send(cluster, 'patch', 'Parcel', 'first', { manager, patch: { type: 'apply', body: parcel({ to: 'jane', ports }) } });
    objectOf(apply('one', [{ port: 1, name: 'a' }]));
    objectOf(apply('two', [{ port: 2, name: 'b' }]));
    expect(dig(objectOf(apply('one', [])), 'spec', 'ports')).toEqual([{ port: 2, name: 'b' }]);
  });
});
