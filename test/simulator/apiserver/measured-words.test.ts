import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import { create, failureOf, objectOf, pod, send, shop } from '../shop.ts';

const OUTSIDE = { tracksFields: true, manager: 'hand' } as const;

function of(apiVersion: string, kind: string, more: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web' }, ...more };
}

function refused(object: JsonObject): string {
  return failureOf(create(shop(), object, OUTSIDE)).message;
}

/** How a real API server (1.36) tells the values that it refuses, as `npm run differ` found. */
describe('a refused value is told as Go has it', () => {
  test('a claim of a pod with its internal names', () => {
    const resourceClaims = [{ name: 'gpu', resourceClaimName: 'one', resourceClaimTemplateName: 'two' }];
    expect(refused(pod('web', { resourceClaims }))).toContain(
      'spec.resourceClaims[0]: Invalid value: {"Name":"gpu","ResourceClaimName":"one","ResourceClaimTemplateName":"two"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
    );
    expect(refused(pod('web', { resourceClaims: [{ name: 'gpu' }] }))).toContain(
      '{"Name":"gpu","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    );
  });

  test('a distribution of traffic with the others in the order of the server', () => {
    expect(refused(of('v1', 'Service', { spec: { ports: [{ port: 80 }], trafficDistribution: 'Nearest' } }))).toContain(
      'spec.trafficDistribution: Unsupported value: "Nearest": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
    );
  });

  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'shop/web:1.0' }] } };
  const job = (spec: JsonObject): JsonObject => of('batch/v1', 'Job', { spec: { template, ...spec } });

  test.each([
    ['without rules', {}, 'null'],
    ['with rules', { rules: [{ succeededCount: 1 }] }, '[{"SucceededIndexes":null,"SucceededCount":1}]'],
  ])('a policy of success %s', (_, successPolicy, rules) => {
    expect(refused(job({ successPolicy }))).toContain(
      `spec.successPolicy: Invalid value: {"Rules":${rules}}: requires indexed completion mode`,
    );
  });

  test('a selector without the lists that nothing is in', () => {
    const cluster = shop();
    objectOf(create(cluster, job({ manualSelector: true, selector: { matchLabels: { app: 'web' } }, template: labelled() }), OUTSIDE));
    const body = { spec: { selector: { matchExpressions: [], matchLabels: { app: 'x' } } } };
    expect(failureOf(send(cluster, 'patch', 'Job', 'web', { patch: { type: 'merge', body }, ...OUTSIDE })).message).toContain(
      'spec.selector: Invalid value: {"matchLabels":{"app":"x"}}: field is immutable',
    );
  });

  test('a version of reviews that is there twice', () => {
    const webhook = {
      name: 'few.shop.example',
      clientConfig: { url: 'https://few.shop.example/check' },
      sideEffects: 'None',
      admissionReviewVersions: ['v1', 'v1'],
    };
    expect(refused(of('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', { webhooks: [webhook] }))).toContain(
      'webhooks[0].admissionReviewVersions[1]: Invalid value: "v1": duplicate version',
    );
  });

  test('parameters that are gone', () => {
    const cluster = shop();
    const more = { provisioner: 'csi.shop.example', parameters: { type: 'fast' } };
    objectOf(create(cluster, of('storage.k8s.io/v1', 'StorageClass', more), OUTSIDE));
    const patch = { type: 'merge' as const, body: { parameters: null } };
    expect(failureOf(send(cluster, 'patch', 'StorageClass', 'web', { patch, ...OUTSIDE })).message).toContain(
      'parameters: Invalid value: null: field is immutable',
    );
  });

  test('labels that were given without any', () => {
    const spec = { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: {} }, spec: pod('web')['spec'] } };
    expect(refused(of('apps/v1', 'StatefulSet', { spec }))).toContain(
      'spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`',
    );
  });

  test('the name of a Service: it may begin with a digit', () => {
    const service = (name: string): JsonObject => ({ ...of('v1', 'Service', { spec: { ports: [{ port: 80 }] } }), metadata: { name } });
    objectOf(create(shop(), service('1web'), OUTSIDE));
    expect(refused(service('Web'))).toContain('metadata.name: Invalid value: "Web": a lowercase RFC 1123 label must consist of');
  });

  test('a prefix of a volume twice, for its rules for a change begin with those for a new one', () => {
    const cluster = shop();
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } };
    objectOf(create(cluster, of('v1', 'PersistentVolume', { spec }), OUTSIDE));
    const patch = { type: 'merge' as const, body: { metadata: { generateName: 'Web-' } } };
    const { status } = failureOf(send(cluster, 'patch', 'PersistentVolume', 'web', { patch, ...OUTSIDE }));
    const fields = asList(dig(status, 'details', 'causes')).map((cause) => dig(cause, 'field'));
    expect(fields).toEqual(['metadata.generateName', 'metadata.generateName']);
  });

  test('claims of a pod as a whole, even none', () => {
    expect(refused(pod('web', { resources: { claims: [] } }))).toBe(
      'Pod "web" is invalid: spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level',
    );
    objectOf(create(shop(), pod('web', {}, { resources: { claims: [] } }), OUTSIDE));
  });

  function labelled(): JsonObject {
    return { metadata: { labels: { app: 'web' } }, ...template };
  }
});

describe('the template of a StatefulSet', () => {
  const set = (template: JsonObject): JsonObject =>
    of('apps/v1', 'StatefulSet', {
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' }, ...(template['metadata'] as JsonObject | undefined) },
          spec: { containers: [{ name: 'web', image: 'shop/web:1.0' }], ...(template['spec'] as JsonObject | undefined) },
        },
      },
    });

  test('may have any host name: its pods get others', () => {
    objectOf(create(shop(), set({ spec: { hostname: 'web.shop', subdomain: 'Not a name' } }), OUTSIDE));
  });

  test.each([
    ['label', { labels: { app: 'web', tier: 'not valid!' } }, 'spec.template.labels'],
    ['annotation', { annotations: { 'not valid!': 'x' } }, 'spec.template.annotations'],
  ])('has a wrong %s among its causes twice', (_, metadata, field) => {
    const { status } = failureOf(create(shop(), set({ metadata }), OUTSIDE));
    expect(asList(dig(status, 'details', 'causes')).map((cause) => dig(cause, 'field'))).toEqual([field, field]);
  });
});

describe('a member of a list that is applied', () => {
  const applied = (object: JsonObject): ReturnType<typeof send> =>
    send(shop(), 'patch', textOf(object['kind']), 'web', { patch: { type: 'apply', body: object }, ...OUTSIDE });

  test('may have nothing as its key, but must have it', () => {
    const account = (secret: JsonObject): JsonObject => of('v1', 'ServiceAccount', { secrets: [secret] });
    objectOf(applied(account({ name: null })));
    expect(failureOf(applied(account({}))).message).toContain(
      '.secrets: element 0: associative list with keys has an element that omits all key fields ["name"]',
    );
  });

  test('is told by its key, whatever it is', () => {
    const spec = { containers: [{ name: 'web', image: 'shop/web:1.0' }], initContainers: [{ name: [] }] };
    expect(failureOf(applied(of('v1', 'Pod', { spec }))).message).toContain('.spec.initContainers[name=[]].name: expected string');
  });
});

describe('a warning', () => {
  const owner = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: name });
  const owned = { ...of('v1', 'ConfigMap', {}), metadata: { name: 'web', ownerReferences: [owner('a'), owner('b'), owner('a')] } };
  const words = (when: string): string =>
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: a`;

  test('tells of owners that were given twice, and each is kept once', () => {
    const cluster = shop();
    const made = create(cluster, owned, OUTSIDE);
    expect([made.warnings, objectOf(made).metadata['ownerReferences']]).toEqual([[words('')], [owner('a'), owner('b')]]);
    const put = send(cluster, 'update', 'ConfigMap', 'web', { body: owned, ...OUTSIDE });
    expect([put.warnings, objectOf(put).metadata['ownerReferences']]).toEqual([[words('')], [owner('a'), owner('b')]]);
    const patch = { type: 'merge' as const, body: { metadata: { ownerReferences: owned.metadata.ownerReferences } } };
    const patched = send(cluster, 'patch', 'ConfigMap', 'web', { patch, ...OUTSIDE });
    expect(patched.warnings).toEqual([words(' after mutating admission happens')]);
    expect(objectOf(patched).metadata['ownerReferences']).toEqual([owner('a'), owner('b')]);
  });

  test('of pods that are not secure is not told to who scales their workload', () => {
    const labels = { 'pod-security.kubernetes.io/warn': 'restricted' };
    const cluster = shop({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'strict', labels } }] });
    const place = { namespace: 'strict', ...OUTSIDE };
    const selector = { matchLabels: { app: 'web' } };
    const template = { metadata: { labels: { app: 'web' } }, spec: pod('web')['spec'] };
    const made = create(cluster, of('apps/v1', 'ReplicaSet', { spec: { selector, template } }), place);
    expect(made.warnings?.[0]).toContain('would violate PodSecurity "restricted:latest"');
    const patch = { type: 'merge' as const, body: { spec: { replicas: 2 } } };
    const scaled = send(cluster, 'patch', 'ReplicaSet', 'web', { subresource: 'scale', patch, ...place });
    expect([scaled.ok, scaled.warnings]).toEqual([true, []]);
  });
});
