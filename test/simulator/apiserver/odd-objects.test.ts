import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../../src/base/json.ts';
import { deepFreeze } from '../../../src/base/json-edit.ts';
import type { Answer } from '../../../src/simulator/apiserver/request.ts';
import type { ServedResource } from '../../../src/simulator/apiserver/resources.ts';
import { apiVersionOf } from '../../../src/simulator/apiserver/resources.ts';
import type { FieldType } from '../../../src/simulator/apiserver/schema/schema.ts';
import { modelNamed } from '../../../src/simulator/apiserver/schema/schema.ts';
import type { OutsideRequest } from '../../../src/simulator/cluster-options.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { create, failureOf, objectOf, pod, send, shop } from '../shop.ts';
import { WRONG_NETWORK } from './wrong-network.ts';
import { WRONG_OTHERS } from './wrong-objects.ts';
import { WRONG_WORKLOADS } from './wrong-workloads.ts';
import { WRONG_POD_SETTINGS } from './wrong-pod-settings.ts';
import { WRONG_PODS } from './wrong-pods.ts';

type Draw = fc.GeneratorValue;

/** What nobody means to write. Names that every object inherits are among them. */
const ODD: readonly Json[] = [
  null,
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  true,
  false,
  '',
  'a',
  '%',
  '-1',
  '200%',
  'true',
  '\0',
  '\ud800',
  'x'.repeat(300),
  '__proto__',
  'constructor',
  'toString',
  'None',
  '*',
  'a/b/c',
  [],
  {},
  [null],
  [[]],
  [{}],
  [0],
  ['a', 'a'],
  ['constructor'],
  { '': '' },
  JSON.parse('{"__proto__":{"a":1},"constructor":"x"}') as Json,
  JSON.parse(`${'[{"a":'.repeat(60)}1${'}]'.repeat(60)}`) as Json,
];
/** What some field or other takes. */
const WORDS: readonly string[] = [
  'web',
  'constructor',
  '*',
  '/',
  '/a',
  '10.0.0.1',
  'v1',
  'apps/v1',
  '1',
  'a.b',
  'a.b/c',
  'Always',
  'TCP',
  'HTTP',
  'ClusterIP',
  'NodePort',
  'ExternalName',
  'RollingUpdate',
  'Localhost',
  'Container',
  'In',
  'Exists',
  'Equal',
  'NoExecute',
  'Pods',
  'Resource',
  'Utilization',
  'IPv4',
  'ReadWriteOnce',
  'Indexed',
  'Prefix',
  'Ingress',
  'CREATE',
  'All',
  'ExactCount',
  'Namespaced',
  'object',
  'array',
  'string',
  'self.x',
  'object.spec == 1',
  '@hourly',
  '* * * * *',
  'kubernetes.io/tls',
  'bmFtZQ==',
];

function pick<T>(draw: Draw, from: readonly T[]): T {
  return from[draw(fc.nat, from.length - 1)] as T;
}

function valueOf(draw: Draw, type: FieldType, depth: number): Json {
  if (draw(fc.nat, 11) === 0) return pick(draw, ODD);
  switch (type.is) {
    case 'model':
      return depth > 6 ? {} : filled(draw, type.model, depth + 1);
    case 'list':
      return Array.from({ length: draw(fc.nat, 2) }, () => valueOf(draw, type.of, depth + 1));
    case 'map':
      return Object.fromEntries(
        Array.from({ length: draw(fc.nat, 2) }, () => [
          pick(draw, ['constructor', '__proto__', 'cpu', 'memory', ...WORDS]),
          valueOf(draw, type.of, depth + 1),
        ]),
      );
    case 'boolean':
      return draw(fc.boolean);
    case 'int32':
    case 'int64':
    case 'double':
      return pick(draw, [0, 1, 2, 80, 65_536]);
    case 'any':
      return pick(draw, ODD);
    default:
      return pick(draw, ['1Gi', '2026-01-01T00:00:00Z', ...WORDS]);
  }
}

/** What its model has, filled with what fits the types, mostly. */
function filled(draw: Draw, model: string, depth: number): JsonObject {
  const fields = [...modelNamed(model).fields.values()];
  return Object.fromEntries(
    fields.flatMap((field): (readonly [string, Json])[] =>
      field.required || draw(fc.nat, fields.length) < 3 ? [[field.name, valueOf(draw, field.type, depth)]] : [],
    ),
  );
}

/** The value with something odd in a few places. */
function spoilt(draw: Draw, value: Json, times: number): Json {
  if (times === 0) return value;
  const spoil = (part: Json): Json => {
    if (typeof part !== 'object' || part === null || draw(fc.nat, 3) === 0) return pick(draw, [...ODD, ...WORDS]);
    if (isJsonObject(part)) {
      const fields = Object.keys(part);
      const field = fields.length === 0 ? 'constructor' : pick(draw, fields);
      return { ...part, [field]: spoil(dig(part, field) ?? null) };
    }
    const list = asList(part);
    const index = draw(fc.nat, Math.max(list.length - 1, 0));
    return list.length === 0 ? [pick(draw, ODD)] : list.with(index, spoil(list[index] ?? null));
  };
  return spoilt(draw, spoil(value), times - 1);
}

function isAnswer(answer: Answer): boolean {
  if (answer.ok) return isJsonObject(answer.object) && answer.object.kind !== '';
  // A configuration that cannot be applied is told with that code, as the real server does.
  if (answer.code === 500) return /^failed to (?:create typed patch|convert new) object /.test(answer.message);
  return answer.code >= 400 && answer.code < 500 && typeof answer.message === 'string';
}

const KINDS = shop()
  .server.resources.all()
  .filter((resource) => resource.model !== undefined && resource.verbs.includes('create'));

function placeOf({
  group,
  version,
  plural,
  namespaced,
}: ServedResource): Pick<OutsideRequest, 'group' | 'version' | 'resource' | 'namespace'> {
  return { group, version, resource: plural, ...(namespaced ? { namespace: 'shop' } : {}) };
}

/** Creates the object, then changes what came of it in every way there is. */
function answersTo(draw: Draw, cluster: Cluster, resource: ServedResource, body: JsonObject): readonly Answer[] {
  const place = placeOf(resource);
  const made = cluster.request({ verb: 'create', ...place, body });
  const stored: JsonObject = made.ok ? made.object : body;
  const name = asText(dig(stored, 'metadata', 'name')) ?? 'web';
  const answers = [made, cluster.request({ verb: 'list', ...place })];
  if (!resource.verbs.includes('update')) return answers;
  const change = spoilt(draw, stored, 1 + draw(fc.nat, 2));
  if (isJsonObject(change)) answers.push(cluster.request({ verb: 'update', ...place, name, body: change }));
  if (resource.subresources.has('status') && isJsonObject(change))
    answers.push(
      cluster.request({
        verb: 'update',
        subresource: 'status',
        ...place,
        name,
        body: { ...stored, status: spoilt(draw, { conditions: [{ type: 'Ready' }] }, 1) },
      }),
    );
  const { kind, apiVersion, ...rest } = stored;
  const applied: Json = {
    kind: kind ?? '',
    apiVersion: apiVersion ?? '',
    metadata: {},
    ...(isJsonObject(change) && isJsonObject(rest['spec']) ? { spec: change['spec'] ?? null } : {}),
  };
  const operations: Json = [
    {
      op: pick(draw, ['add', 'remove', 'replace', 'test', 'move', 'copy', '']),
      path: pick(draw, ['', '/', '/spec', '/metadata/labels/a', '/spec/containers/-1', '/__proto__', 'a']),
      from: '/spec',
      value: pick(draw, ODD),
    },
  ];
  for (const [type, patch] of [
    ['merge', change],
    ['strategic', change],
    ['apply', applied],
    ['json', operations],
  ] as const)
    answers.push(cluster.request({ verb: 'patch', ...place, name, manager: 'cashier', patch: { type, body: patch } }));
  return answers;
}

describe('whatever is sent', () => {
  test('every kind, filled with what its fields take and what they do not, gets an answer', () => {
    const cluster = shop();
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), fc.gen(), (resource, draw) => {
        const body = {
          ...filled(draw, resource.model ?? '', 0),
          apiVersion: apiVersionOf(resource),
          kind: resource.kind,
          metadata: draw(fc.nat, 9) === 0 ? pick(draw, ODD) : { name: `w${draw(fc.nat, 999)}` },
        };
        expect(answersTo(draw, cluster, resource, deepFreeze(body)).filter((answer) => !isAnswer(answer))).toEqual([]);
      }),
      { numRuns: 350, seed: 1 },
    );
  });

  test('what is almost right gets an answer', () => {
    const objects = [...WRONG_PODS, ...WRONG_POD_SETTINGS, ...WRONG_WORKLOADS, ...WRONG_NETWORK, ...WRONG_OTHERS].map(
      ([, object]) => object,
    );
    const cluster = shop();
    fc.assert(
      fc.property(fc.constantFrom(...objects), fc.gen(), (object, draw) => {
        const resource = cluster.server.resources.ofKind(asText(object['apiVersion']) ?? '', asText(object['kind']) ?? '');
        const body = spoilt(draw, object, 1);
        if (resource !== undefined && isJsonObject(body))
          expect(answersTo(draw, cluster, resource, deepFreeze(body)).filter((answer) => !isAnswer(answer))).toEqual([]);
      }),
      { numRuns: 350, seed: 1 },
    );
  });
});

describe('names that every object inherits', () => {
  const SECRET: JsonObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'web', namespace: 'shop' },
    type: 'constructor',
    data: {},
  };
  const QUOTA: JsonObject = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { hard: { pods: '1' }, scopes: ['constructor'] },
  };

  test('are types of Secrets, keys of ConfigMaps and names of PriorityClasses like any other', () => {
    const cluster = shop();
    expect(objectOf(create(cluster, SECRET))['type']).toBe('constructor');
    expect(
      objectOf(
        create(cluster, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'shop' }, data: { constructor: 'x' } }),
      )['data'],
    ).toEqual({ constructor: 'x' });
    expect(
      objectOf(create(cluster, { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'constructor' }, value: 7 }))[
        'value'
      ],
    ).toBe(7);
  });

  test('are no scopes and no resources of quotas', () => {
    expect(failureOf(create(shop(), QUOTA)).message).toBe(
      'ResourceQuota "web" is invalid: spec.scopes: Invalid value: ["constructor"]: unsupported scope',
    );
    const cluster = shop();
    objectOf(create(cluster, { ...QUOTA, spec: { hard: { 'shop.example/constructor': '1' } } }));
    expect(create(cluster, pod('web')).ok).toBe(true);
  });

  test('are seen when they are added', () => {
    const cluster = shop();
    objectOf(create(cluster, pod('web')));
    expect(
      dig(
        objectOf(
          send(cluster, 'patch', 'Pod', 'web', { patch: { type: 'merge', body: { metadata: { annotations: { constructor: 'x' } } } } }),
        ),
        'metadata',
        'annotations',
      ),
    ).toEqual({ constructor: 'x' });
    expect(
      dig(
        objectOf(
          send(cluster, 'patch', 'Pod', 'web', { patch: { type: 'merge', body: { metadata: { annotations: { toString: 'y' } } } } }),
        ),
        'metadata',
        'annotations',
      ),
    ).toEqual({ constructor: 'x', toString: 'y' });
  });

  test('are no labels of objects that lack them', () => {
    const cluster = shop();
    objectOf(create(cluster, pod('web')));
    const found = send(cluster, 'list', 'Pod', undefined, { labelSelector: 'constructor' });
    expect(dig(objectOf(found), 'items')).toEqual([]);
  });
});

describe('patches', () => {
  test('what applied all the labels of an object can apply it without any: its name stays', () => {
    const cluster = shop();
    const apply = (metadata: JsonObject) =>
      objectOf(
        send(cluster, 'patch', 'ConfigMap', 'web', {
          manager: 'cashier',
          patch: { type: 'apply', body: { apiVersion: 'v1', kind: 'ConfigMap', metadata } },
        }),
      );
    expect(apply({ name: 'web', labels: { app: 'web' } }).metadata['labels']).toEqual({ app: 'web' });
    const after = apply({ name: 'web' });
    expect(after.metadata.name).toBe('web');
    expect(after.metadata['labels']).toBeUndefined();
  });

  test.each<[Json, string]>([
    [null, 'the server rejected our request due to an error in our request'],
    [
      [],
      'couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    ],
  ])('an object cannot become %s', (value, words) => {
    const cluster = shop();
    objectOf(create(cluster, pod('web')));
    expect(
      failureOf(send(cluster, 'patch', 'Pod', 'web', { patch: { type: 'json', body: [{ op: 'replace', path: '', value }] } })).message,
    ).toBe(words);
  });
});
