import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { create, deployment, failureOf, objectOf, pod, shop } from '../shop.ts';

const V1 = 'admissionregistration.k8s.io/v1';

function withPolicy(mutation: JsonObject, spec: JsonObject = {}, bindingSpec: JsonObject = {}, more: readonly JsonObject[] = []): Cluster {
  const resourceRules = [{ apiGroups: ['', 'apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods', 'deployments'] }];
  return shop({
    objects: [
      {
        apiVersion: V1,
        kind: 'MutatingAdmissionPolicy',
        metadata: { name: 'labels' },
        spec: { matchConstraints: { resourceRules }, failurePolicy: 'Fail', reinvocationPolicy: 'Never', mutations: [mutation], ...spec },
      },
      {
        apiVersion: V1,
        kind: 'MutatingAdmissionPolicyBinding',
        metadata: { name: 'labels-shop' },
        spec: { policyName: 'labels', ...bindingSpec },
      },
      ...more,
    ],
  });
}

const applied = (expression: string): JsonObject => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
const patched = (expression: string): JsonObject => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const DENIED = "policy 'labels' with binding 'labels-shop' denied request: ";

describe('MutatingAdmissionPolicy', () => {
  test('lays what it says over the object, members of lists by their name', () => {
    const cluster = withPolicy(
      applied(`Object{
      metadata: Object.metadata{ labels: {"team": "fruit"} },
      spec: Object.spec{ containers: object.spec.containers.map(c, Object.spec.containers{ name: c.name, imagePullPolicy: "Always" }) + [Object.spec.containers{ name: "proxy", image: "shop/proxy:1.0" }] }
    }`),
    );
    const made = objectOf(create(cluster, pod('web')));
    expect(dig(made, 'metadata', 'labels', 'team')).toBe('fruit');
    expect(dig(made, 'spec', 'containers')).toMatchObject([
      { name: 'web', image: 'shop/web:1.0', imagePullPolicy: 'Always' },
      { name: 'proxy', terminationMessagePath: '/dev/termination-log' },
    ]);
  });

  test('patches step by step, with what conditions, variables and parameters say', () => {
    const mutation = patched(
      'has(object.metadata.labels) ? [JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("shop/tier"), value: variables.tier}] : [JSONPatch{op: "add", path: "/metadata/labels", value: {"tier": params.data.tier}}]',
    );
    const cluster = withPolicy(
      mutation,
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        variables: [{ name: 'tier', expression: 'params.data.tier + "-2"' }],
        matchConditions: [{ name: 'web', expression: 'object.metadata.name.startsWith("web")' }],
      },
      { paramRef: { name: 'tiers', namespace: 'shop', parameterNotFoundAction: 'Deny' } },
      [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'tiers', namespace: 'shop' }, data: { tier: 'front' } }],
    );
    const labelsOf = (document: JsonObject): unknown => dig(objectOf(create(cluster, document)), 'metadata', 'labels');
    expect(labelsOf({ ...pod('web'), metadata: { name: 'web', labels: { app: 'web' } } })).toEqual({ app: 'web', 'shop/tier': 'front-2' });
    expect(labelsOf({ ...pod('web'), metadata: { name: 'web-2' } })).toEqual({ tier: 'front' });
    expect(labelsOf({ ...pod('web'), metadata: { name: 'db' } })).toBeUndefined();
  });

  test.each([
    [
      'an atomic field',
      applied('Object{ spec: Object.spec{ selector: Object.spec.selector{ matchLabels: {"l": "v"} } } }'),
      'error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector',
    ],
    [
      'an unknown field',
      applied('Object{ spec: Object.spec{ replicasx: 1 } }'),
      'error applying patch: failed to convert patch object to typed object: .spec.replicasx: field not declared in schema',
    ],
    [
      'a wrong type',
      applied('Object{ spec: Object.specx{ replicas: 1 } }'),
      'type mismatch: unexpected type name "Object.specx", expected "Object.spec", which matches field name path from root Object type',
    ],
    [
      'a field that is not there',
      applied('Object{ spec: Object.spec{ replicas: object.spec.many } }'),
      "expression 'Object{ spec: Object.spec{ replicas: object.spec.many } }' resulted in error: no such key: many",
    ],
    [
      'a path that is not there',
      patched('[JSONPatch{op: "add", path: "/spec/many/one", value: 1}]'),
      'JSONPath: add operation does not apply: doc is missing path: "/spec/many/one": missing value',
    ],
  ])('%s denies', (_, mutation, words) => {
    const failure = failureOf(create(withPolicy(mutation), deployment('web')));
    expect(failure).toMatchObject({ code: 403, reason: 'Invalid' });
    expect(failure.message).toBe(`${DENIED}${words}`);
    expect(create(withPolicy(mutation, { failurePolicy: 'Ignore' }), deployment('web')).ok).toBe(true);
  });

  test('parameters that are not there deny', () => {
    const cluster = withPolicy(
      applied('Object{}'),
      { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
      { paramRef: { name: 'tiers', namespace: 'shop', parameterNotFoundAction: 'Deny' } },
    );
    expect(failureOf(create(cluster, pod('web'))).message).toBe(
      `${DENIED}no params found for policy binding with \`Deny\` parameterNotFoundAction`,
    );
  });

  test('fields and members that may be missing', () => {
    const cluster = withPolicy(
      applied(
        'Object{ metadata: Object.metadata{ ?labels: object.metadata.?labels, annotations: {?"tier": object.metadata.?labels["tier"], ?"team": optional.none(), "seen": "yes"} } }',
      ),
    );
    expect(
      dig(objectOf(create(cluster, { ...pod('web'), metadata: { name: 'web', labels: { tier: 'front' } } })), 'metadata'),
    ).toMatchObject({ labels: { tier: 'front' }, annotations: { tier: 'front', seen: 'yes' } });
    expect(dig(objectOf(create(cluster, pod('bare'))), 'metadata', 'annotations')).toEqual({ seen: 'yes' });
  });
});

describe('what others changed after a policy looked', () => {
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];
  const bound = (name: string, mutation: JsonObject, reinvocationPolicy: string): readonly JsonObject[] => [
    {
      apiVersion: V1,
      kind: 'MutatingAdmissionPolicy',
      metadata: { name },
      spec: { matchConstraints: { resourceRules: rules }, failurePolicy: 'Fail', reinvocationPolicy, mutations: [mutation] },
    },
    { apiVersion: V1, kind: 'MutatingAdmissionPolicyBinding', metadata: { name }, spec: { policyName: name } },
  ];
  const counting = applied('Object{ metadata: Object.metadata{ annotations: {"containers": string(object.spec.containers.size())} } }');
  const adding = patched(
    'object.spec.containers.exists(c, c.name == "proxy") ? [] : [JSONPatch{op: "add", path: "/spec/containers/-", value: Object.spec.containers{name: "proxy", image: "shop/proxy:1"}}]',
  );
  const countOf = (objects: readonly JsonObject[], prepare: (cluster: Cluster) => void = () => undefined): unknown => {
    const cluster = shop({ objects });
    prepare(cluster);
    return dig(objectOf(create(cluster, pod('web'))), 'metadata', 'annotations', 'containers');
  };

  test('another policy: it looks again where it is willing to', () => {
    expect(countOf([...bound('a-counts', counting, 'IfNeeded'), ...bound('b-adds', adding, 'Never')])).toBe('2');
    expect(countOf([...bound('a-counts', counting, 'Never'), ...bound('b-adds', adding, 'Never')])).toBe('1');
  });

  test('a webhook, which comes after all policies', () => {
    const webhook: JsonObject = {
      name: 'proxy.shop.example',
      clientConfig: { url: 'https://proxy.shop.example/mutate' },
      rules,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    const configuration: JsonObject = {
      apiVersion: V1,
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'proxy' },
      webhooks: [webhook],
    };
    const serve = (cluster: Cluster): void => {
      const certificate = {
        name: 'proxy',
        commonName: 'proxy',
        organizations: [],
        issuer: 'proxy-ca',
        notBefore: 0,
        notAfter: Date.UTC(2030, 0, 1),
        dnsNames: ['proxy.shop.example'],
        ipAddresses: [],
      };
      cluster.inject({
        fault: 'webhook-server',
        server: {
          address: 'proxy.shop.example:443',
          certificate,
          caBundle: '*',
          paths: {
            '/mutate': {
              answer: 'patch',
              patch: [{ op: 'add', path: '/spec/containers/-', value: { name: 'proxy', image: 'shop/proxy:1' } }],
            },
          },
        },
      });
    };
    expect(countOf([...bound('counts', counting, 'IfNeeded'), configuration], serve)).toBe('2');
    expect(countOf([...bound('counts', counting, 'Never'), configuration], serve)).toBe('1');
  });
});
