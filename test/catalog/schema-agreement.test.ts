import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { isJsonObject } from '../../src/base/json.ts';
import { parseRule } from '../../src/catalog/parse-rule.ts';
import { parseScenario } from '../../src/catalog/parse-scenario.ts';
import { fileSchemas } from '../../src/catalog/schemas/file-schemas.ts';
import type { Problem } from '../../src/catalog/yaml-problem.ts';

const ajv = new Ajv2020({ allowUnionTypes: true });
const [rule, scenario] = ['rule.v1.json', 'scenario.v1.json'].map((name) => ajv.compile(fileSchemas()[name] ?? {}));

const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'prices' }, data: { tea: '1' } };
const CLIENT = {
  as: { user: 'anna', groups: ['tills'], certificate: { beginsIn: 1, endsIn: 2, issuer: 'other' } },
  kubeconfig: { file: 'anna.yaml', context: 'shop', content: { users: [] } },
};
const SCENARIO = {
  title: 'A shop',
  cluster: { preset: 'one-node', configuration: { version: '1.30' } },
  images: { 'shop/web': { exits: { code: 1 } } },
  setup: [{ fault: 'stop', process: 'kubelet' }],
  steps: [
    { at: '1m', apply: [MAP], namespace: 'shop', ...CLIENT, file: 'prices.yaml', fill: { at: 'data.tea', bytes: 5 } },
    { create: 'kind: [', as: 'anna', kubeconfig: 'anna.yaml' },
    { apply: { missing: true }, as: { token: 'abc' }, kubeconfig: { file: 'anna.yaml', missing: true } },
    { delete: ['Pod/shop/web'], as: { serviceAccount: 'shop/robot' }, force: true, cascade: 'orphan', grace: 0, waits: false },
    { patch: 'Pod/shop/web', body: { spec: {} }, subresource: 'status' },
    { patch: 'Pod/shop/web', body: [{ op: 'remove', path: '/a' }] },
    { drain: 'Node/worker-1' },
    { exec: 'Pod/shop/web', command: ['sleep', 5] },
    { token: 'shop/robot', seconds: 600 },
    { look: { node: 'worker-1', service: 'kubelet' } },
    { fault: { fault: 'stop', process: 'kubelet' } },
    { wait: 'settled' },
  ],
  until: '1h',
  expect: { outcome: 'explained', target: 'Pod/shop/web', scan: 'cluster', cause: 'a/b', object: 'Node/worker-1', also: ['c/d'] },
  cure: [{ wait: '5s' }],
  cured: 'gone',
};
const RULE = {
  id: 'volumes/missing',
  stage: 'volumes',
  title: 'T',
  kind: 'symptom',
  says: [
    { in: ['event'], reason: ['A'], text: 'map {{ map }}', anyCase: true, general: false, as: { zone: 'a' }, since: '1.30', until: '1.32' },
  ],
  when: {
    all: [
      { said: 'own' },
      { fact: 'exit', where: { class: 'completed', restarts: { above: 1, atMost: 9 }, container: { contains: ['a'], as: '$c' } } },
    ],
    any: [{ fact: 'event', where: { reason: { oneOf: ['A', 'B'] } } }, [{ fact: 'node' }]],
    none: [{ fact: 'reference', where: { exists: false, refName: { not: 'a', maybe: '$n' } }, scope: 'cluster' }],
    optional: [{ fact: 'event', where: { message: { parse: 'a ${b} c', absent: true } } }],
    unless: [{ fact: 'node' }],
  },
  support: [{ fact: 'event', where: { reason: { startsWith: 'A', endsWith: 'B', lacks: 'C' } } }],
  object: 'Node/worker-1',
  params: ['c'],
  what: 'What.',
  why: 'Why.',
  fix: [{ say: 'Fix.', run: 'kubectl get', by: 'developer', needs: ['c'] }],
  explains: ['images/*'],
  before: ['volumes/*'],
  playbook: 'shop',
  references: ['https://kubernetes.io'],
};

interface Variant {
  readonly what: string;
  readonly file: Json;
}

/** The file with one of its members under another name, left out, or with a value of another kind. */
function variantsOf(value: Json, path: string, put: (changed: Json) => Json): readonly Variant[] {
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item, index) =>
      variantsOf(item, `${path}[${String(index)}]`, (changed) => put((value as readonly Json[]).with(index, changed))),
    );
  if (!isJsonObject(value)) return [];
  const members = Object.entries<Json>(value as Readonly<Record<string, Json>>);
  return members.flatMap(([name, member]) => {
    const others: JsonObject = Object.fromEntries(members.filter(([other]) => other !== name));
    const here = `${path}.${name}`;
    return [
      { what: `${here} renamed`, file: put({ ...others, [`${name}Of`]: member }) },
      { what: `${here} left out`, file: put(others) },
      ...([[[]], { odd: 1 }, 7.5, true, ''] as const).map((other) => ({
        what: `${here} = ${JSON.stringify(other)}`,
        file: put({ ...others, [name]: other as Json }),
      })),
      ...variantsOf(member, here, (changed) => put({ ...value, [name]: changed })),
    ];
  });
}

function refusedBy(validate: typeof rule, parse: (source: string, problems: Problem[]) => unknown, file: Json): string {
  const problems: Problem[] = [];
  parse(JSON.stringify(file), problems);
  return [...(validate?.(file) === true ? [] : ['schema']), ...(problems.length === 0 ? [] : ['parser'])].join(' and ');
}

describe.each([
  ['scenarios', scenario, SCENARIO, (source: string, problems: Problem[]) => parseScenario('s.yaml', source, 's', problems), []],
  [
    'rules',
    rule,
    RULE,
    (source: string, problems: Problem[]) => parseRule('r.yaml', source, 'volumes/missing', problems),
    // Whether a variable is bound, and a rule has the wordings it asks for.
    [
      'says left out',
      'when left out',
      'when.all left out',
      'when.all[1].where left out',
      'when.all[1].where.container left out',
      'when.all[1].where.container = ""',
      'when.all[1].where.container.as left out',
      'when.any[0].where.reason.oneOf left out',
    ],
  ],
] as const)('the schema of %s', (_, validate, file, parse, parserAlone) => {
  it('takes what the parser takes', () => {
    expect(refusedBy(validate, parse, file)).toBe('');
  });

  it('refuses what the parser refuses, but for what a schema cannot say', () => {
    const odd = variantsOf(file, '', (changed) => changed).map((one) => ({
      what: one.what.slice(1),
      by: refusedBy(validate, parse, one.file),
    }));
    expect(odd.filter(({ by }) => by === 'schema and parser').length).toBeGreaterThan(200);
    expect(odd.filter(({ by }) => by === 'schema').map(({ what }) => what)).toEqual([]);
    expect(odd.filter(({ by }) => by === 'parser').map(({ what }) => what)).toEqual(parserAlone);
  });
});
