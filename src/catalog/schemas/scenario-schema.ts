import type { JsonObject } from '../../base/json.ts';
import { OUTCOMES } from '../../model/diagnosis.ts';
import type { CLUSTER_FIELDS, EXPECT_FIELDS, SCENARIO_FIELDS } from '../parse-scenario.ts';
import { SCANS } from '../parse-scenario.ts';
import type { Action } from '../parse-scenario-step.ts';
import { ACTIONS, CASCADES } from '../parse-scenario-step.ts';
import { ANY_OBJECT, described, DURATION, FLAG, listOf, mapOf, oneWord, TEXT } from './shapes.ts';

const OBJECT = described({ type: 'string', pattern: '^[A-Za-z]+/[^/]+(/[^/]+)?$' }, 'Kind/namespace/name, or Kind/name.');
const FAULT: JsonObject = { type: 'object', required: ['fault'], properties: { fault: TEXT } };
const STEPS = listOf({ $ref: '#/$defs/step' });

/** The schema of a scenario's file for editors: the fields and steps that the parser takes. */
export function scenarioSchema(): JsonObject {
  const fields: Readonly<Record<(typeof SCENARIO_FIELDS)[number], JsonObject>> = {
    title: described(TEXT, 'What happened, in one sentence.'),
    cluster: clusterSchema(),
    images: described({ type: 'object', additionalProperties: ANY_OBJECT }, 'How the containers of an image behave.'),
    setup: described(listOf(FAULT), 'Faults before the first step.'),
    steps: STEPS,
    until: described(DURATION, 'How long it goes on after the last step.'),
    expect: expectSchema(),
    cure: described(STEPS, 'Steps that make it healthy.'),
    cured: described({ anyOf: [oneWord(['gone', 'there']), OBJECT] }, 'What is looked at after the cure.'),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'podcheck.scenario/v1',
    title: 'A scenario of podcheck: rules/<stage>/<what-is-wrong>.scenario.yaml',
    description: '`podcheck sim run --scenario FILE` plays one; `podcheck rules test` compares it with what it expects.',
    ...mapOf(fields, ['title', 'steps']),
    dependentRequired: { cured: ['cure'] },
    $defs: { step: { oneOf: (Object.keys(ACTIONS) as readonly Action[]).map(stepSchema) } },
  };
}

function clusterSchema(): JsonObject {
  const node: JsonObject = { type: 'object', required: ['name'], properties: { name: TEXT } };
  const fields: Readonly<Record<(typeof CLUSTER_FIELDS)[number], JsonObject>> = {
    preset: described(TEXT, 'three-nodes without it.'),
    nodes: listOf(node),
    configuration: ANY_OBJECT,
  };
  return { ...mapOf(fields), not: { required: ['preset', 'nodes'] } };
}

function expectSchema(): JsonObject {
  const fields: Readonly<Record<(typeof EXPECT_FIELDS)[number], JsonObject>> = {
    outcome: oneWord(OUTCOMES),
    target: described(OBJECT, 'What is asked about. Kind/namespace/name, or Kind/name.'),
    scan: described(oneWord(SCANS), 'Asks about a namespace or the cluster instead.'),
    cause: described(TEXT, 'The rule that explains it.'),
    object: described(OBJECT, 'The object at fault. Kind/namespace/name, or Kind/name.'),
    also: described(listOf(TEXT), 'Other rules that find something.'),
  };
  return {
    ...mapOf(fields, ['outcome', 'target']),
    anyOf: [{ required: ['cause'] }, { properties: { outcome: oneWord(OUTCOMES.filter((outcome) => outcome !== 'explained')) } }],
  };
}

type Beside = (typeof ACTIONS)[Action][number];

function stepSchema(action: Action): JsonObject {
  const beside: readonly Beside[] = ACTIONS[action];
  const members = Object.fromEntries(beside.map((field) => [field, BESIDE[field]]));
  return mapOf<string>({ at: described(DURATION, 'When, from the start.'), [action]: DONE[action], ...members }, [
    action,
    ...(action === 'exec' ? ['command'] : action === 'patch' ? ['body'] : []),
  ]);
}

const MANIFEST: JsonObject = { anyOf: [listOf(ANY_OBJECT), { type: 'string' }, mapOf({ missing: { const: true } }, ['missing'])] };

/** What each action takes. */
const DONE: Readonly<Record<Action, JsonObject>> = {
  apply: described(MANIFEST, 'Documents, the text of a manifest, or { missing: true }.'),
  create: described(MANIFEST, 'Documents, the text of a manifest, or { missing: true }.'),
  delete: listOf(OBJECT),
  patch: OBJECT,
  drain: OBJECT,
  exec: OBJECT,
  token: described(TEXT, 'A ServiceAccount: namespace/name.'),
  look: mapOf({ node: TEXT, service: TEXT }, ['node', 'service']),
  fault: FAULT,
  wait: described(DURATION, 'A time, or settled.'),
};

const ACCOUNT: JsonObject = { type: 'string', pattern: '^[^/]+/[^/]+$' };
const IDENTITY: JsonObject = {
  anyOf: [
    TEXT,
    mapOf(
      { user: TEXT, groups: listOf(TEXT), certificate: mapOf({ beginsIn: { type: 'number' }, endsIn: { type: 'number' }, issuer: TEXT }) },
      ['user'],
    ),
    mapOf({ token: TEXT }, ['token']),
    mapOf({ serviceAccount: ACCOUNT }, ['serviceAccount']),
    mapOf({ anonymous: { const: true } }, ['anonymous']),
  ],
};
const KUBECONFIG: JsonObject = {
  anyOf: [TEXT, mapOf({ file: TEXT, context: TEXT, missing: FLAG, content: { type: ['string', 'object'] } }, ['file'])],
};

/** What may stand beside an action. */
const BESIDE: Readonly<Record<Beside, JsonObject>> = {
  namespace: TEXT,
  as: described(IDENTITY, 'Who gives the command.'),
  kubeconfig: KUBECONFIG,
  file: TEXT,
  fill: mapOf({ at: TEXT, bytes: { type: 'number' } }, ['at', 'bytes']),
  force: FLAG,
  cascade: oneWord(CASCADES),
  grace: { type: 'number' },
  waits: FLAG,
  body: { anyOf: [ANY_OBJECT, listOf(ANY_OBJECT)] },
  subresource: TEXT,
  command: listOf({ type: ['string', 'number', 'boolean'] }),
  seconds: { type: 'number' },
};
