import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { create, failureOf, objectOf, send, shop } from '../shop.ts';

const V1 = 'admissionregistration.k8s.io/v1';
const RULES = [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }];

function policy(spec: JsonObject, kind = 'ValidatingAdmissionPolicy'): JsonObject {
  return { apiVersion: V1, kind, metadata: { name: 'few' }, spec: { matchConstraints: { resourceRules: RULES }, ...spec } };
}

function validating(expression: string, more: JsonObject = {}): JsonObject {
  return policy({ validations: [{ expression, ...more }] });
}

function mutating(mutation: JsonObject, more: JsonObject = {}): JsonObject {
  return policy({ reinvocationPolicy: 'Never', mutations: [mutation], ...more }, 'MutatingAdmissionPolicy');
}

function messageOf(object: JsonObject): string {
  return failureOf(create(shop(), object)).message;
}

describe('a policy whose expressions are wrong is refused', () => {
  test('with the place in each expression', () => {
    const failure = failureOf(create(shop(), validating('object.spec.replicas <= maximum')));
    expect(failure).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(failure.message).toBe(
      `ValidatingAdmissionPolicy.admissionregistration.k8s.io "few" is invalid: spec.validations[0].expression: Invalid value: "object.spec.replicas <= maximum": compilation failed: ERROR: <input>:1:25: undeclared reference to 'maximum' (in container '')\n | object.spec.replicas <= maximum\n | ........................^`,
    );
  });

  test.each<[string, JsonObject, string]>([
    [
      'a result that is no bool',
      validating('object.spec.replicas'),
      'spec.validations[0].expression: Invalid value: "object.spec.replicas": must evaluate to bool but got dyn',
    ],
    [
      'a message that is no text',
      validating('true', { messageExpression: '1 + 1' }),
      'spec.validations[0].messageExpression: Invalid value: "1 + 1": must evaluate to string but got int',
    ],
    [
      'a message of two lines',
      validating('true', { message: 'one\ntwo' }),
      String.raw`spec.validations[0].message: Invalid value: "one\ntwo": must not contain line breaks`,
    ],
    [
      'a reason there is not',
      validating('true', { reason: 'Nope' }),
      'spec.validations[0].reason: Unsupported value: "Nope": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
    ],
    [
      'nothing to check',
      policy({}),
      '[spec.validations: Required value: validations or auditAnnotations must contain at least one item, spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item]',
    ],
    [
      'parameters of a policy without any',
      validating('params.most > 1'),
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')",
    ],
    [
      'a variable used before it is there',
      policy({
        variables: [
          { name: 'a', expression: 'variables.b' },
          { name: 'b', expression: '1' },
        ],
        validations: [{ expression: 'variables.a == 1' }],
      }),
      'spec.variables[0].expression: Invalid value: "variables.b": compilation failed: ERROR: <input>:1:10: undefined field \'b\'',
    ],
    [
      'a variable of a wrong type',
      policy({ variables: [{ name: 'a', expression: '1' }], validations: [{ expression: 'variables.a == "x"' }] }),
      "found no matching overload for '_==_' applied to '(int, string)'",
    ],
    [
      'a name no variable can have',
      policy({ variables: [{ name: 'a-b', expression: '1' }], validations: [{ expression: 'true' }] }),
      'spec.variables[0].name: Invalid value: "a-b": must be a valid CEL identifier',
    ],
    [
      'variables in a condition',
      policy({
        variables: [{ name: 'a', expression: '1' }],
        matchConditions: [{ name: 'c', expression: 'variables.a == 1' }],
        validations: [{ expression: 'true' }],
      }),
      "spec.matchConditions[0].expression: Invalid value: \"variables.a == 1\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')",
    ],
    [
      'an annotation that is a number',
      policy({ auditAnnotations: [{ key: 'replicas', valueExpression: '1' }] }),
      'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
    ],
    [
      'no rules',
      { ...policy({ validations: [{ expression: 'true' }] }), spec: { validations: [{ expression: 'true' }], matchConstraints: {} } },
      'spec.matchConstraints.resourceRules: Required value',
    ],
    [
      'a kind of parameters without its name',
      policy({ paramKind: { apiVersion: 'v1' }, validations: [{ expression: 'true' }] }),
      'spec.paramKind.kind: Required value',
    ],
    [
      'a mutation that is no object',
      mutating({ patchType: 'ApplyConfiguration', applyConfiguration: { expression: '{"a": 1}' } }),
      'spec.mutations[0].applyConfiguration.expression: Invalid value: "{\\"a\\": 1}": must evaluate to Object but got map(string, int)',
    ],
    [
      'a patch of nothing known',
      mutating({ patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "add", paths: "/a"}]' } }),
      "compilation failed: ERROR: <input>:1:28: undefined field 'paths'",
    ],
    [
      'the other kind of patch',
      mutating({ patchType: 'JSONPatch', applyConfiguration: { expression: 'Object{}' } }),
      '[spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch, spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch]',
    ],
    [
      'what is deleted',
      mutating(
        { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } },
        { matchConstraints: { resourceRules: [{ ...RULES[0], operations: ['DELETE'] }] } },
      ),
      'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
    ],
    [
      'a binding that denies and warns',
      {
        apiVersion: V1,
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'few' },
        spec: { policyName: 'few', validationActions: ['Deny', 'Warn'] },
      },
      'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    ],
    [
      'a binding without parameters',
      {
        apiVersion: V1,
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'few' },
        spec: { policyName: 'few', validationActions: ['Deny'], paramRef: { name: 'most' } },
      },
      'spec.paramRef.parameterNotFoundAction: Required value',
    ],
  ])('%s', (_, object, words) => {
    expect(messageOf(object)).toContain(words);
  });

  test('and one that patches an empty list is taken', () => {
    expect(
      create(
        shop(),
        mutating({
          patchType: 'JSONPatch',
          jsonPatch: { expression: 'has(object.spec) ? [] : [JSONPatch{op: "add", path: "/spec", value: {}}]' },
        }),
      ).ok,
    ).toBe(true);
  });
});

describe('the status of a policy', () => {
  /** A moment later: it is written by a controller. */
  function statusIn(cluster: Cluster): Json | undefined {
    cluster.runUntilSettled({ milliseconds: 1000 });
    return objectOf(send(cluster, 'get', 'ValidatingAdmissionPolicy', 'few'))['status'];
  }

  function warningsOf(object: JsonObject): unknown {
    const cluster = shop();
    create(cluster, object);
    return dig(statusIn(cluster), 'typeChecking', 'expressionWarnings');
  }

  test('warns of fields that the kinds it is for do not have', () => {
    expect(warningsOf(validating('object.replicas > 1', { messageExpression: '"at " + object.spec.name' }))).toEqual([
      {
        fieldRef: 'spec.validations[0].expression',
        warning: "apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'replicas'\n | object.replicas > 1\n | ......^\n",
      },
      {
        fieldRef: 'spec.validations[0].messageExpression',
        warning:
          'apps/v1, Kind=Deployment: ERROR: <input>:1:20: undefined field \'name\'\n | "at " + object.spec.name\n | ...................^\n',
      },
    ]);
  });

  test('warns of a field that is asked for where the question begins', () => {
    expect(warningsOf(validating('has(object.nothing)'))).toEqual([
      {
        fieldRef: 'spec.validations[0].expression',
        warning: "apps/v1, Kind=Deployment: ERROR: <input>:1:4: undefined field 'nothing'\n | has(object.nothing)\n | ...^\n",
      },
    ]);
  });

  test('says nothing where all is right, or where the kinds are any', () => {
    expect(
      warningsOf(validating('object.spec.replicas > 1 && object.spec.template.spec.containers.all(c, c.image != "")')),
    ).toBeUndefined();
    expect(
      warningsOf(
        policy({
          validations: [{ expression: 'object.nothing == 1' }],
          matchConstraints: { resourceRules: [{ ...RULES[0], apiGroups: ['*'] }] },
        }),
      ),
    ).toBeUndefined();
  });

  test('is worked out anew when the policy changes', () => {
    const cluster = shop();
    create(cluster, validating('object.replicas > 1'));
    expect(statusIn(cluster)).toMatchObject({ observedGeneration: 1, typeChecking: { expressionWarnings: [{}] } });
    send(cluster, 'patch', 'ValidatingAdmissionPolicy', 'few', {
      patch: { type: 'merge', body: { spec: { validations: [{ expression: 'object.spec.replicas > 1' }] } } },
    });
    expect(statusIn(cluster)).toEqual({ observedGeneration: 2, typeChecking: {} });
    const { metadata } = objectOf(send(cluster, 'get', 'ValidatingAdmissionPolicy', 'few'));
    expect(metadata['managedFields']).toContainEqual(
      expect.objectContaining({ manager: 'validatingadmissionpolicy-status', operation: 'Apply', subresource: 'status' }),
    );
  });

  test('leaves warnings of somebody else where it has none', () => {
    const cluster = shop();
    create(cluster, validating('object.spec.replicas > 1'));
    const expressionWarnings = [{ fieldRef: 'spec', warning: 'look at this' }];
    const status = { typeChecking: { expressionWarnings } };
    send(cluster, 'patch', 'ValidatingAdmissionPolicy', 'few', { subresource: 'status', patch: { type: 'merge', body: { status } } });
    send(cluster, 'patch', 'ValidatingAdmissionPolicy', 'few', {
      patch: { type: 'merge', body: { spec: { validations: [{ expression: 'object.spec.replicas > 2' }] } } },
    });
    expect(statusIn(cluster)).toEqual({ observedGeneration: 2, typeChecking: { expressionWarnings } });
  });
});

describe('a webhook that cannot be called is refused', () => {
  const webhook = (more: JsonObject): JsonObject => ({
    apiVersion: V1,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'few' },
    webhooks: [
      {
        name: 'few.shop.example',
        clientConfig: { url: 'https://few.shop.example/check' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...more,
      },
    ],
  });

  test.each<[string, JsonObject, string]>([
    [
      'a short name',
      { name: 'few' },
      'webhooks[0].name: Invalid value: "few": should be a domain with at least three segments separated by dots',
    ],
    [
      'a plain address',
      { clientConfig: { url: 'http://few.shop.example' } },
      'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
    ],
    [
      'an address with a question',
      { clientConfig: { url: 'https://few.shop.example/check?a=1' } },
      'webhooks[0].clientConfig.url: Invalid value: "a=1": query parameters are not permitted in the URL',
    ],
    ['no address', { clientConfig: {} }, 'webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
    [
      'a service without a namespace',
      { clientConfig: { service: { name: 'few', path: 'check' } } },
      '[webhooks[0].clientConfig.service.name: Required value, webhooks[0].clientConfig.service.path: Invalid value: "check": must start with a \'/\']',
    ],
    [
      'a version nobody speaks',
      { admissionReviewVersions: ['v2'] },
      'webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
    ],
    [
      'a rule without resources',
      { rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [] }] },
      'webhooks[0].rules[0].resources: Required value',
    ],
    [
      'all and one more',
      { rules: [{ apiGroups: ['', '*'], apiVersions: ['v1'], operations: ['MAKE'], resources: ['*', 'pods'] }] },
      '[webhooks[0].rules[0].operations[0]: Unsupported value: "MAKE": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE", webhooks[0].rules[0].apiGroups: Invalid value: ["","*"]: if \'*\' is present, must not specify other API groups, webhooks[0].rules[0].resources: Invalid value: ["*","pods"]: if \'*\' is present, must not specify other resources without subresources]',
    ],
    [
      'a condition that says nothing',
      { matchConditions: [{ name: 'few', expression: 'object.spec' }] },
      'webhooks[0].matchConditions[0].expression: Invalid value: "object.spec": must evaluate to bool but got dyn',
    ],
    [
      'a policy there is not',
      { failurePolicy: 'Maybe' },
      'webhooks[0].failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
    ],
  ])('%s', (_, more, words) => {
    expect(messageOf(webhook(more))).toContain(words);
  });

  test('and every one of two names has its own', () => {
    const twice = webhook({});
    expect(messageOf({ ...twice, webhooks: [...asList(twice['webhooks']), ...asList(twice['webhooks'])] })).toContain(
      'webhooks[1].name: Duplicate value: "few.shop.example"',
    );
  });
});
