import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import type { WebhookAnswer, WebhookServer } from '../../../src/simulator/outside/webhook-servers.ts';
import { create, deployment, failureOf, namespace, objectOf, pod, send, shop } from '../shop.ts';

describe('ResourceQuota', () => {
  function withQuota(hard: JsonObject, used: JsonObject, more: JsonObject = {}): Cluster {
    const cluster = shop({
      objects: [{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team-quota', namespace: 'shop' }, spec: { hard, ...more } }],
    });
    send(cluster, 'patch', 'ResourceQuota', 'team-quota', {
      subresource: 'status',
      patch: { type: 'merge', body: { status: { hard, used } } },
    });
    return cluster;
  }

  test('counts what it lets in, and refuses what goes beyond it', () => {
    const cluster = withQuota({ 'limits.memory': '256Mi', pods: '3' }, { 'limits.memory': '0', pods: '0' });
    const web = (name: string) => create(cluster, pod(name, {}, { resources: { limits: { memory: '128Mi' } } }));
    expect([web('a').ok, web('b').ok]).toEqual([true, true]);
    expect(dig(cluster.store.get('resourcequotas', 'shop', 'team-quota'), 'status', 'used')).toEqual({
      'limits.memory': '256Mi',
      pods: '2',
    });
    expect(failureOf(web('c'))).toMatchObject({
      code: 403,
      message:
        'pods "c" is forbidden: exceeded quota: team-quota, requested: limits.memory=128Mi, used: limits.memory=256Mi, limited: limits.memory=256Mi',
    });
  });

  test('wants to know what it counts', () => {
    const cluster = withQuota({ 'limits.cpu': '1', 'requests.memory': '1Gi' }, { 'limits.cpu': '0', 'requests.memory': '0' });
    expect(failureOf(create(cluster, pod('web'))).message).toBe(
      'pods "web" is forbidden: failed quota: team-quota: must specify limits.cpu for: web; requests.memory for: web',
    );
  });

  test('counts objects of any kind', () => {
    const cluster = withQuota(
      { 'count/configmaps': '1', 'count/deployments.apps': '0' },
      { 'count/configmaps': '1', 'count/deployments.apps': '0' },
    );
    expect(failureOf(create(cluster, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } })).message).toBe(
      'configmaps "a" is forbidden: exceeded quota: team-quota, requested: count/configmaps=1, used: count/configmaps=1, limited: count/configmaps=1',
    );
    expect(failureOf(create(cluster, deployment('web'))).message).toBe(
      'deployments.apps "web" is forbidden: exceeded quota: team-quota, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
    );
  });

  test('holds nothing before its status is known, and everything it cannot tell', () => {
    const fresh = shop({
      objects: [
        { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team-quota', namespace: 'shop' }, spec: { hard: { pods: '0' } } },
      ],
    });
    expect(create(fresh, pod('web')).ok).toBe(true);
    const whole = (requests: JsonObject): JsonObject => pod('web', { resources: { requests } });
    const some = withQuota({ 'requests.cpu': '1', 'limits.cpu': '1' }, { 'requests.cpu': '0', 'limits.cpu': '0' });
    expect(failureOf(create(some, whole({ cpu: '2' }))).message).toContain(
      'exceeded quota: team-quota, requested: requests.cpu=2, used: requests.cpu=0, limited: requests.cpu=1',
    );
    expect(create(some, whole({ cpu: '500m' })).ok).toBe(true);
    expect(failureOf(create(withQuota({ pods: '5' }, {}), pod('web'))).message).toBe(
      'pods "web" is forbidden: status unknown for quota: team-quota, resources: pods',
    );
  });

  test('is for its scopes only', () => {
    const cluster = withQuota({ pods: '0' }, { pods: '0' }, { scopes: ['BestEffort'] });
    expect(failureOf(create(cluster, pod('effortless'))).code).toBe(403);
    expect(create(cluster, pod('web', {}, { resources: { requests: { cpu: '10m' } } })).ok).toBe(true);
  });

  test('counts nothing on a dry run', () => {
    const cluster = withQuota({ pods: '1' }, { pods: '0' });
    create(cluster, pod('web'), { dryRun: true });
    expect(dig(cluster.store.get('resourcequotas', 'shop', 'team-quota'), 'status', 'used', 'pods')).toBe('0');
  });
});

describe('ValidatingAdmissionPolicy', () => {
  function withPolicy(validation: JsonObject, actions: readonly string[] = ['Deny'], spec: JsonObject = {}): Cluster {
    const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];
    return shop({
      objects: [
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicy',
          metadata: { name: 'registry' },
          spec: { matchConstraints: { resourceRules }, validations: [validation], ...spec },
        },
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicyBinding',
          metadata: { name: 'registry-shop' },
          spec: {
            policyName: 'registry',
            validationActions: actions,
            matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } },
          },
        },
      ],
    });
  }

  test('denies with its expression, its message or a message it works out', () => {
    const expression = "object.spec.containers.all(c, c.image.startsWith('registry.internal/'))";
    const prefix = `pods "web" is forbidden: ValidatingAdmissionPolicy 'registry' with binding 'registry-shop' denied request: `;
    const messageOf = (validation: JsonObject) => failureOf(create(withPolicy(validation), pod('web')));
    expect(messageOf({ expression })).toMatchObject({ code: 422, reason: 'Invalid', message: `${prefix}failed expression: ${expression}` });
    expect(messageOf({ expression, message: 'use our registry' }).message).toBe(`${prefix}use our registry`);
    expect(messageOf({ expression, messageExpression: "'not ' + object.spec.containers[0].image" }).message).toBe(
      `${prefix}not shop/web:1.0`,
    );
    expect(messageOf({ expression, reason: 'Forbidden' })).toMatchObject({ code: 403, reason: 'Forbidden' });
  });

  test('an expression that fails denies too, unless failures are ignored', () => {
    const expression = 'object.spec.securityContext.runAsNonRoot == true';
    expect(failureOf(create(withPolicy({ expression }), pod('web'))).message).toContain(
      `expression '${expression}' resulted in error: no such key: runAsNonRoot`,
    );
    expect(create(withPolicy({ expression }, ['Deny'], { failurePolicy: 'Ignore' }), pod('web')).ok).toBe(true);
  });

  test('may only warn', () => {
    const answer = create(withPolicy({ expression: 'false', message: 'soon forbidden' }, ['Warn']), pod('web'));
    expect(answer.ok && answer.warnings).toEqual([
      "Validation failed for ValidatingAdmissionPolicy 'registry' with binding 'registry-shop': soon forbidden",
    ]);
  });

  test('is not asked about what it is not for', () => {
    const cluster = withPolicy({ expression: 'false' });
    expect(create(cluster, deployment('web')).ok).toBe(true);
    const skipping = withPolicy({ expression: 'false' }, ['Deny'], {
      matchConditions: [{ name: 'named', expression: "object.metadata.name.startsWith('db')" }],
    });
    expect(create(skipping, pod('web')).ok).toBe(true);
    expect(create(skipping, pod('db-0')).ok).toBe(false);
  });

  test('counts with whole numbers and uses its variables', () => {
    const variables = [{ name: 'many', expression: 'size(object.spec.containers) + 1' }];
    expect(create(withPolicy({ expression: 'variables.many == 2' }, ['Deny'], { variables }), pod('web')).ok).toBe(true);
    expect(create(withPolicy({ expression: 'variables.many > 2' }, ['Deny'], { variables }), pod('web')).ok).toBe(false);
  });
});

describe('webhooks', () => {
  const certificate = {
    name: 'hook',
    commonName: 'hook',
    organizations: [],
    issuer: 'hook-ca',
    notBefore: 0,
    notAfter: Date.UTC(2030, 0, 1),
    dnsNames: ['policy.guard.svc'],
    ipAddresses: ['127.0.0.1'],
  };

  function withWebhook(
    kind: 'Validating' | 'Mutating',
    answer: WebhookAnswer | undefined,
    more: { readonly webhook?: JsonObject; readonly server?: Partial<WebhookServer> } = {},
  ): Cluster {
    const webhook = {
      name: 'pods.guard.example',
      clientConfig: { url: 'https://127.0.0.1:9443/check', caBundle: 'QQ==' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 5,
      ...more.webhook,
    };
    const cluster = shop({
      objects: [
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: `${kind}WebhookConfiguration`,
          metadata: { name: 'guard' },
          webhooks: [webhook],
        },
      ],
    });
    if (answer !== undefined)
      cluster.inject({
        fault: 'webhook-server',
        server: { address: '127.0.0.1:9443', certificate, paths: { '/check': answer }, ...more.server },
      });
    return cluster;
  }

  test('a condition that cannot be worked out refuses, unless failures are ignored', () => {
    const matchConditions = [{ name: 'owner', expression: "object.metadata.labels.owner == 'ann'" }];
    expect(failureOf(create(withWebhook('Validating', { answer: 'allow' }, { webhook: { matchConditions } }), pod('web')))).toMatchObject({
      code: 403,
      message: `pods "web" is forbidden: expression 'object.metadata.labels.owner == 'ann'' resulted in error: no such key: labels`,
    });
    expect(create(withWebhook('Validating', undefined, { webhook: { matchConditions, failurePolicy: 'Ignore' } }), pod('web')).ok).toBe(
      true,
    );
  });

  test.each([
    [
      'nothing listens',
      undefined,
      {},
      'failed to call webhook: Post "https://127.0.0.1:9443/check?timeout=5s": dial tcp 127.0.0.1:9443: connect: connection refused',
    ],
    [
      'it does not answer in time',
      { answer: 'hang' },
      {},
      'failed to call webhook: Post "https://127.0.0.1:9443/check?timeout=5s": context deadline exceeded',
    ],
    ['it answers nonsense', { answer: 'garbage' }, {}, 'received invalid webhook response: webhook response was absent'],
    [
      'its certificate names no address',
      { answer: 'allow' },
      { certificate: { ...certificate, ipAddresses: [] } },
      `failed to call webhook: Post "https://127.0.0.1:9443/check?timeout=5s": tls: failed to verify certificate: x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs`,
    ],
    [
      'its certificate has ended',
      { answer: 'allow' },
      { certificate: { ...certificate, notAfter: Date.UTC(2026, 0, 1) } },
      'failed to call webhook: Post "https://127.0.0.1:9443/check?timeout=5s": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-20T09:00:00Z is after 2026-01-01T00:00:00Z',
    ],
    [
      'the caBundle is another',
      { answer: 'allow' },
      { caBundle: 'Qg==' },
      'failed to call webhook: Post "https://127.0.0.1:9443/check?timeout=5s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ],
    ['it has no such path', { answer: 'allow' }, { paths: {} }, 'failed to call webhook: the server could not find the requested resource'],
  ] as const)('a pod is refused when %s', (_, answer, server, words) => {
    const failure = failureOf(create(withWebhook('Validating', answer, { server }), pod('web')));
    expect(failure).toMatchObject({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: failed calling webhook "pods.guard.example": ${words}`,
    });
  });

  test('a failure is passed over when the policy is to ignore it', () => {
    expect(create(withWebhook('Validating', undefined, { webhook: { failurePolicy: 'Ignore' } }), pod('web')).ok).toBe(true);
  });

  test.each([
    [
      { answer: 'deny', message: 'image must come from registry.internal' },
      {
        code: 400,
        reason: '',
        message: 'admission webhook "pods.guard.example" denied the request: image must come from registry.internal',
      },
    ],
    [
      { answer: 'deny', code: 403, reason: 'Forbidden' },
      { code: 403, reason: 'Forbidden', message: 'admission webhook "pods.guard.example" denied the request: Forbidden' },
    ],
    [
      { answer: 'deny' },
      { code: 400, reason: '', message: 'admission webhook "pods.guard.example" denied the request without explanation' },
    ],
  ] as const)('a denial %j is passed on', (answer, failure) => {
    expect(failureOf(create(withWebhook('Validating', answer), pod('web')))).toMatchObject(failure);
  });

  test('a patch changes the pod, and what it adds is completed and checked like everything else', () => {
    const sidecar = { op: 'add', path: '/spec/containers/-', value: { name: 'agent', image: 'shop/agent:1.0' } };
    const patched = objectOf(create(withWebhook('Mutating', { answer: 'patch', patch: [sidecar] }), pod('web')));
    expect(dig(patched, 'spec', 'containers', 1, 'imagePullPolicy')).toBe('IfNotPresent');
    const broken = { op: 'add', path: '/spec/containers/0/volumeMounts/-', value: { name: 'agent-socket', mountPath: '/agent' } };
    expect(failureOf(create(withWebhook('Mutating', { answer: 'patch', patch: [broken] }), pod('web'))).message).toBe(
      'Pod "web" is invalid: spec.containers[0].volumeMounts[1].name: Not found: "agent-socket"',
    );
  });

  test('a patch that does not fit fails the request', () => {
    const patch = [{ op: 'replace', path: '/spec/initContainers/0/image', value: 'x' }];
    expect(failureOf(create(withWebhook('Mutating', { answer: 'patch', patch }), pod('web'))).message).toBe(
      'Internal error occurred: replace operation does not apply: doc is missing path: /spec/initContainers/0/image: missing value',
    );
  });

  test('a webhook of a service needs the service and its endpoints', () => {
    const clientConfig = { service: { namespace: 'guard', name: 'policy', path: '/check', port: 443 } };
    const gone = withWebhook('Validating', undefined, { webhook: { clientConfig } });
    expect(failureOf(create(gone, pod('web'))).message).toContain(
      'Post "https://policy.guard.svc:443/check?timeout=5s": service "policy" not found',
    );
    gone.apply([
      namespace('guard'),
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'policy', namespace: 'guard' },
        spec: { clusterIP: '10.96.0.77', ports: [{ port: 443 }] },
      },
    ]);
    expect(failureOf(create(gone, pod('web'))).message).toContain('dial tcp 10.96.0.77:443: connect: connection refused');
    const slice = (...ports: readonly JsonObject[]): JsonObject => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'policy-1', namespace: 'guard', labels: { 'kubernetes.io/service-name': 'policy' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.128.0.7'], conditions: { ready: true } }],
      ports,
    });
    gone.apply([slice({ name: 'metrics', port: 9090 })]);
    expect(failureOf(create(gone, pod('web'))).message).toContain('dial tcp 10.96.0.77:443: connect: connection refused');
    gone.apply([slice({ name: 'metrics', port: 9090 }, { name: '', port: 8443 })]);
    expect(create(gone, pod('web')).ok).toBe(true);
  });

  test('is asked only about what it is for', () => {
    const selective = { namespaceSelector: { matchLabels: { guarded: 'yes' } } };
    expect(create(withWebhook('Validating', { answer: 'deny' }, { webhook: selective }), pod('web')).ok).toBe(true);
    expect(create(withWebhook('Validating', { answer: 'deny' }), deployment('web')).ok).toBe(true);
  });
});
