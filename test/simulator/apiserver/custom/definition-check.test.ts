import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { checkChange, checkSchema } from '../../../../src/simulator/apiserver/custom/schema-check.ts';
import { formatErrors } from '../../../../src/simulator/apiserver/validation/field-error.ts';
import { create, failureOf, objectOf, send, shop } from '../../shop.ts';
import { PARCEL, definition, withSpec, withRule, SPEC, asGo } from './definitions.ts';

describe('a definition that cannot be', () => {
  test.each<[string, JsonObject, string]>([
    [
      'of another name',
      { ...definition(), metadata: { name: 'parcel.shop.example' } },
      'metadata.name: Invalid value: "parcel.shop.example": must be spec.names.plural+"."+spec.group',
    ],
    [
      'without a schema',
      definition({ versions: [{ name: 'v1', served: true, storage: true }] }),
      'spec.versions[0].schema.openAPIV3Schema: Required value',
    ],
    [
      'of two stored versions',
      definition({ versions: ['v1', 'v2'].map((name) => ({ name, served: true, storage: true, schema: { openAPIV3Schema: PARCEL } })) }),
      'must have exactly one version marked as storage version',
    ],
    [
      'of no scope there is',
      definition({ scope: 'Shop' }),
      'spec.scope: Unsupported value: "Shop": supported values: "Cluster", "Namespaced"',
    ],
    [
      'with a field of no type',
      withSpec({ type: 'object', properties: { to: {} } }),
      `${SPEC}.properties[to].type: Required value: must not be empty for specified object fields`,
    ],
    ['with a list of nothing', withSpec({ type: 'array' }), `${SPEC}.items: Required value: must be specified`],
    [
      'with a type there is not',
      withSpec({ type: 'text' }),
      `${SPEC}.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ],
    [
      'with both properties and others',
      withSpec({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } }),
      `${SPEC}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
    ],
    [
      'with a pattern that is none',
      withSpec({ type: 'object', properties: { to: { type: 'string', pattern: '+' } } }),
      `${SPEC}.properties[to].pattern: Invalid value: "+": must be a valid regular expression, but isn't: error parsing regexp: missing argument to repetition operator: \`+\``,
    ],
    [
      'with a default of another type',
      withSpec({ type: 'object', properties: { boxes: { type: 'integer', default: 'many' } } }),
      `${SPEC}.properties[boxes].default: Invalid value: "string":  in body must be of type integer: "string"`,
    ],
    [
      'with a default that is out of bounds further in',
      withSpec({
        type: 'object',
        properties: { size: { type: 'object', default: { boxes: 20 }, properties: { boxes: { type: 'integer', maximum: 9 } } } },
      }),
      `${SPEC}.properties[size].default.boxes: Invalid value: 20: boxes in body should be less than or equal to 9`,
    ],
    [
      'with a default that has a field the schema has not',
      withSpec({ type: 'object', default: { lid: true }, properties: { boxes: { type: 'integer' } } }),
      `${SPEC}.default: Invalid value: {"lid":true}: must not have unknown fields`,
    ],
    [
      'with a default its rule forbids',
      withSpec({
        type: 'object',
        properties: { boxes: { type: 'integer', default: 0, 'x-kubernetes-validations': [{ rule: 'self > 0', message: 'at least one' }] } },
      }),
      `${SPEC}.properties[boxes].default: Invalid value: 0: at least one`,
    ],
    [
      'with a type below anyOf',
      withSpec({ type: 'object', anyOf: [{ type: 'object' }] }),
      `${SPEC}.anyOf[0].type: Forbidden: must be empty to be structural`,
    ],
    [
      'with a property below oneOf alone',
      withSpec({ type: 'object', oneOf: [{ properties: { a: { minLength: 1 } } }] }),
      `${SPEC}.properties[a]: Required value: because it is defined in ${SPEC}.oneOf[0].properties[a]`,
    ],
    [
      'with unique members',
      withSpec({ type: 'array', uniqueItems: true, items: { type: 'string' } }),
      `${SPEC}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
    ],
    [
      'with a list by keys that may be missing',
      withSpec({
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['port'],
        items: { type: 'object', properties: { port: { type: 'integer' } } },
      }),
      `${SPEC}.items.properties[port].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
    ],
    [
      'with a pattern for metadata',
      definition({}, { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } }),
      'spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ],
    [
      'with a column of no type there is',
      definition({
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: PARCEL },
            additionalPrinterColumns: [{ name: 'To', type: 'text', jsonPath: '.spec.to' }],
          },
        ],
      }),
      'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
    ],
    [
      'converted by a webhook that nobody asks',
      definition({ conversion: { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } } }),
      'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
    ],
    [
      'with a first version that is no name',
      definition({ versions: [{ name: '-x', served: true, storage: true, schema: { openAPIV3Schema: PARCEL } }] }),
      ', spec.version: Invalid value: "-x": a DNS-1035 label must consist of lower case alphanumeric characters',
    ],
    [
      'converted though unknown fields are kept',
      definition({ conversion: { strategy: '' }, preserveUnknownFields: true }),
      '[spec.conversion.strategy: Invalid value: "": must be None if spec.preserveUnknownFields is true, spec.conversion.strategy: Required value, spec.preserveUnknownFields: Invalid value: true',
    ],
    [
      'whose alternative names no other schema',
      definition({ versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { allOf: [{ $ref: '' }] } } }] }),
      '[spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root, spec.validation.openAPIV3Schema.allOf[0].$ref: Forbidden: $ref is not supported]',
    ],
    [
      'converted by nobody',
      definition({ conversion: { strategy: 'Webhook' } }),
      '[spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook, spec.conversion.conversionReviewVersions: Required value]',
    ],
    [
      'of the group of somebody else',
      { ...definition({ group: 'shop.k8s.io' }), metadata: { name: 'parcels.shop.k8s.io' } },
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    ],
    [
      'with a rule about a field there is not',
      withRule({ rule: 'self.box > 1' }),
      `${SPEC}.x-kubernetes-validations[0].rule: Invalid value: ${asGo('self.box > 1')}: compilation failed: ERROR: <input>:1:5: undefined field 'box'\n | self.box > 1\n | ....^`,
    ],
    [
      'with a rule that is no bool',
      withRule({ rule: 'self.boxes' }),
      `${SPEC}.x-kubernetes-validations[0].rule: Invalid value: ${asGo('self.boxes')}: cel expression must evaluate to a bool`,
    ],
    [
      'with a message that is no text',
      withRule({ rule: 'true', messageExpression: 'self.boxes' }),
      `${SPEC}.x-kubernetes-validations[0].messageExpression: Invalid value: ${asGo('true', '"MessageExpression":"self.boxes"')}: messageExpression must evaluate to a string`,
    ],
    [
      'with a reason there is not',
      withRule({ rule: 'true', reason: 'Wrong' }),
      `${SPEC}.x-kubernetes-validations[0].reason: Unsupported value: "Wrong": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
    ],
    [
      'with a rule about a path there is not',
      withRule({ rule: 'true', fieldPath: '.from' }),
      `${SPEC}.x-kubernetes-validations[0].fieldPath: Invalid value: ".from": must be a valid path`,
    ],
    [
      'with a rule about old members of a list',
      withSpec({ type: 'array', items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] } }),
      `${SPEC}.items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${SPEC}`,
    ],
  ])('%s', (_, object, words) => {
    const { message, code } = failureOf(create(shop(), object));
    expect(code).toBe(422);
    expect(message).toContain(words);
  });

  test('tells the two names one after the other', () => {
    const named = { ...definition({}), metadata: { name: 'letters.shop.example', generateName: 'Letter-' } };
    const { message } = failureOf(create(shop(), named));
    const told = message.matchAll(/metadata\.(generateName|name): Invalid value: "[^"]*": (a lowercase|must be)/g);
    expect([...told].map(([, field, words]) => `${field} ${words}`)).toEqual([
      'generateName a lowercase',
      'generateName must be',
      'name must be',
    ]);
  });

  test('says where a version differs from the others', () => {
    const versions = [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: PARCEL } },
      { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object', properties: { spec: {} } } } },
    ];
    expect(failureOf(create(shop(), definition({ versions }))).message).toContain(
      'is invalid: spec.versions[1].schema.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
    );
  });

  test('or becomes such by a change', () => {
    const cluster = shop();
    objectOf(create(cluster, definition()));
    const changed = send(cluster, 'patch', 'CustomResourceDefinition', 'parcels.shop.example', {
      patch: {
        type: 'merge',
        body: { spec: { scope: 'Cluster', versions: [{ name: 'v2', served: true, storage: true, schema: { openAPIV3Schema: PARCEL } }] } },
      },
    });
    expect(failureOf(changed).message).toContain(
      '[spec.scope: Invalid value: "Cluster": field is immutable, status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version',
    );
  });
});

describe('rules of a definition', () => {
  function errorsOf(schema: JsonObject, value: JsonObject, old?: JsonObject): string {
    const errors = checkSchema(schema, value, old);
    return errors.length === 0 ? '' : formatErrors(errors);
  }

  const within = (inner: JsonObject): JsonObject => ({ type: 'object', properties: { spec: inner } });

  test('tell a plain value, and leave out what is large', () => {
    const schema = within({
      type: 'object',
      properties: { boxes: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 10' }] } },
      'x-kubernetes-validations': [
        { rule: 'has(self.to)', reason: 'FieldValueRequired', fieldPath: '.to', messageExpression: '"to whom, of " + string(self.boxes)' },
      ],
    });
    expect(errorsOf(schema, { spec: { boxes: 20 } })).toBe(
      '[spec.to: Required value: to whom, of 20, spec.boxes: Invalid value: 20: failed rule: self < 10]',
    );
  });

  test('say what they stumble over', () => {
    const schema = within({
      type: 'object',
      properties: { boxes: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.boxes > 1', message: 'more than one' }],
    });
    expect(errorsOf(schema, { spec: {} })).toBe('spec: Invalid value: "object": no such key: boxes evaluating rule: more than one');
  });

  test('look into maps, and at the old member of the same key', () => {
    const schema = within({
      type: 'object',
      properties: {
        rooms: { type: 'object', additionalProperties: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] } },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, port: { type: 'integer' } },
            'x-kubernetes-validations': [{ rule: 'self.port >= oldSelf.port', message: 'ports only grow' }],
          },
        },
      },
    });
    const spec = {
      rooms: { hall: 0 },
      ports: [
        { name: 'b', port: 1 },
        { name: 'a', port: 5 },
      ],
    };
    expect(
      errorsOf(
        schema,
        { spec },
        {
          spec: {
            ports: [
              { name: 'a', port: 1 },
              { name: 'b', port: 2 },
            ],
          },
        },
      ),
    ).toBe('[spec.rooms[hall]: Invalid value: 0: failed rule: self > 0, spec.ports[0]: Invalid value: ports only grow]');
  });

  test('may ask whether there is an old value', () => {
    const schema = within({
      type: 'integer',
      'x-kubernetes-validations': [
        { rule: 'oldSelf.hasValue() ? self >= oldSelf.value() : self == 1', optionalOldSelf: true, message: 'begins with one and grows' },
      ],
    });
    expect(errorsOf(schema, { spec: 2 })).toBe('spec: Invalid value: 2: begins with one and grows');
    expect(errorsOf(schema, { spec: 1 })).toBe('');
    expect(errorsOf(schema, { spec: 3 }, { spec: 2 })).toBe('');
    expect(errorsOf(schema, { spec: 1 }, { spec: 2 })).toBe('spec: Invalid value: 1: begins with one and grows');
  });

  test('are given up together when one costs too much', () => {
    const dear = { rule: 'self.all(a, self.all(b, a + b >= 0))', message: 'dear' };
    const schema = within({
      type: 'array',
      items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
      'x-kubernetes-validations': [dear, { rule: 'self[0] > 0' }],
    });
    expect(errorsOf(schema, { spec: Array.from({ length: 1100 }, () => 0) })).toBe(
      `spec: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: dear`,
    );
  });

  test('are not asked about null, and tell the field they stumbled in', () => {
    const schema = within({
      type: 'object',
      nullable: true,
      properties: { boxes: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.boxes > 1', fieldPath: '.boxes' }],
    });
    expect(errorsOf(schema, { spec: null })).toBe('');
    expect(errorsOf(schema, { spec: {} })).toBe('spec: Invalid value: "object": no such key: boxes evaluating rule: self.boxes > 1');
  });

  test('trim the words they work out, and pass over those that are too long', () => {
    const saying = (words: string): JsonObject =>
      within({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 9', messageExpression: words }] });
    expect(errorsOf(saying('"  too few\\n"'), { spec: 1 })).toBe('spec: Invalid value: 1: too few');
    expect(errorsOf(saying(`"${'x'.repeat(6000)}"`), { spec: 1 })).toBe('spec: Invalid value: 1: failed rule: self > 9');
  });
});

describe('a change of what a stricter schema would not allow', () => {
  const rule = { rule: 'self.all(box, box.size < 10)', message: 'small boxes only' };
  const box = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, size: { type: 'integer', maximum: 50 }, to: { type: 'string', maxLength: 4 } },
  };
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          colour: { type: 'string', enum: ['red', 'blue'] },
          boxes: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: box,
            'x-kubernetes-validations': [rule],
          },
        },
      },
    },
  };
  const old = { spec: { colour: 'grey', boxes: [{ name: 'a', size: 60, to: 'nobody' }] } };
  const changed = (spec: JsonObject): string => {
    const errors = checkChange(schema, { spec }, old);
    return errors.length === 0 ? '' : formatErrors(errors);
  };

  test('is let be where it stays as it was', () => {
    expect(changed({ colour: 'red', boxes: old.spec.boxes })).toBe('');
    expect(checkSchema(schema, old, old)).toHaveLength(3);
  });

  test('is refused where it is another thing that is not allowed', () => {
    expect(changed({ colour: 'green', boxes: old.spec.boxes })).toBe(
      'spec.colour: Unsupported value: "green": supported values: "red", "blue"',
    );
    expect(
      changed({
        colour: 'grey',
        boxes: [
          { name: 'b', size: 1 },
          { name: 'a', size: 61, to: 'nobody' },
        ],
      }),
    ).toBe('spec.boxes[1].size: Invalid value: 61: spec.boxes[1].size in body should be less than or equal to 50');
    expect(changed({ colour: 'grey', boxes: [...old.spec.boxes, { name: 'b', size: 1 }] })).toBe(
      'spec.boxes: Invalid value: small boxes only',
    );
  });
});
