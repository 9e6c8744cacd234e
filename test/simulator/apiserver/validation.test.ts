import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import { textOf } from '../../../src/base/json-text.ts';
import { create, deployment, failureOf, objectOf, pod, send, shop } from '../shop.ts';

const TOPOLOGY_KEY = 'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey';

describe('a pod that is not right is refused in the words of a real server', () => {
  test.each<[string, JsonObject, string]>([
    [
      'a request above its limit',
      pod('web', {}, { resources: { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } } }),
      'spec.containers[0].resources.requests: Invalid value: "2Gi": must be less than or equal to memory limit of 1Gi',
    ],
    [
      'a port that is none',
      pod('web', {}, { ports: [{ containerPort: 80_800 }] }),
      'spec.containers[0].ports[0].containerPort: Invalid value: 80800: must be between 1 and 65535, inclusive',
    ],
    [
      'a restart policy that is none',
      pod('web', { restartPolicy: 'Sometimes' }),
      'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
    ],
    [
      'a pull policy that is none',
      pod('web', {}, { imagePullPolicy: 'Sometimes' }),
      'spec.containers[0].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
    ],
    [
      'a mount of nothing',
      pod('web', {}, { volumeMounts: [{ name: 'nope', mountPath: '/data' }] }),
      'spec.containers[0].volumeMounts[0].name: Not found: "nope"',
    ],
    [
      'a probe of two kinds',
      pod('web', {}, { livenessProbe: { httpGet: { port: 80 }, tcpSocket: { port: 80 } } }),
      'spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
    ],
    ['no image', pod('web', {}, { image: '' }), 'spec.containers[0].image: Required value'],
    ['no containers', pod('web', { containers: [] }), 'spec.containers: Required value'],
    [
      'two containers of one name',
      pod('web', {
        containers: [
          { name: 'web', image: 'a' },
          { name: 'web', image: 'b' },
        ],
      }),
      'spec.containers[1].name: Duplicate value: "web"',
    ],
    [
      'one host port twice',
      pod(
        'web',
        {},
        {
          ports: [
            { containerPort: 80, hostPort: 8080 },
            { containerPort: 81, hostPort: 8080 },
          ],
        },
      ),
      'spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//8080"',
    ],
    [
      'two sources of a volume',
      pod('web', { volumes: [{ name: 'v', emptyDir: {}, configMap: { name: 'c' } }] }),
      'spec.volumes[0].configMap: Forbidden: may not specify more than 1 volume type',
    ],
    [
      'an extended resource without limit',
      pod('web', {}, { resources: { requests: { 'shop.example/scanner': '1' } } }),
      'spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
    ],
    [
      'a toleration with a value it cannot have',
      pod('web', { tolerations: [{ key: 'k', operator: 'Exists', value: 'v' }] }),
      `spec.tolerations[0].operator: Invalid value: "v": value must be empty when \`operator\` is 'Exists'`,
    ],
    [
      'a node before its gates are gone',
      pod('web', { nodeName: 'worker-1', schedulingGates: [{ name: 'shop.example/wait' }] }),
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ],
    [
      'an init container with a probe',
      pod('web', { initContainers: [{ name: 'init', image: 'a', readinessProbe: { httpGet: { port: 80 } } }] }),
      'spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    ],
    [
      'an affinity without topology',
      pod('web', {
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {}, topologyKey: '' }] } },
      }),
      `[${TOPOLOGY_KEY}: Required value: can not be empty, ${TOPOLOGY_KEY}: Invalid value: "": name part must be non-empty, ${TOPOLOGY_KEY}: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')]`,
    ],
  ])('%s', (_, object, words) => {
    const failure = failureOf(create(shop(), object));
    expect(failure).toMatchObject({ code: 422, reason: 'Invalid', message: `Pod "web" is invalid: ${words}` });
    expect(failure.status['details']).toMatchObject({ name: 'web', kind: 'Pod' });
  });

  test('a name that is none', () => {
    expect(failureOf(create(shop(), pod('My_Web'))).message).toBe(
      `Pod "My_Web" is invalid: metadata.name: Invalid value: "My_Web": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    );
  });

  test('several mistakes are all named', () => {
    const failure = failureOf(create(shop(), pod('web', { restartPolicy: 'Sometimes' }, { image: '' })));
    expect(failure.message).toBe(
      'Pod "web" is invalid: [spec.containers[0].image: Required value, spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"]',
    );
    expect(failure.status['details']).toMatchObject({
      causes: [
        { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.containers[0].image' },
        { reason: 'FieldValueNotSupported', field: 'spec.restartPolicy' },
      ],
    });
  });

  test('an annotation that is too long', () => {
    const heavy = withPath(pod('web'), ['metadata', 'annotations'], { 'shop.example/note': 'x'.repeat(262_145) });
    expect(failureOf(create(shop(), heavy)).message).toBe(
      'Pod "web" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes',
    );
  });

  test('a pod too large for etcd', () => {
    const huge = pod('web', {}, { env: Array.from({ length: 20 }, (_, index) => ({ name: `PART_${index}`, value: 'x'.repeat(90_000) })) });
    expect(failureOf(create(shop(), huge))).toMatchObject({ code: 500, reason: '', message: 'etcdserver: request is too large' });
  });
});

describe('a body that cannot be read is refused before anything else', () => {
  test.each<[string, JsonObject, string]>([
    [
      'a text where a number belongs',
      withPath(deployment('web'), ['spec', 'replicas'], 'two'),
      'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'a number where a text belongs',
      pod('web', {}, { env: [{ name: 'PORT', value: 8080 }] }),
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number into Go struct field EnvVar.spec.containers.env.value of type string',
    ],
    [
      'a text as a port',
      pod('web', {}, { ports: [{ containerPort: '80' }] }),
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
    ],
    [
      'an amount that is none',
      pod('web', {}, { resources: { limits: { memory: '100mb' } } }),
      `Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
    ],
    [
      'bytes that are none',
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'web', namespace: 'shop' }, data: { password: 'not base64!' } },
      'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 3',
    ],
    [
      'bytes that end too soon',
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'web', namespace: 'shop' }, data: { password: 'c2VjcmV' } },
      'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 4',
    ],
    [
      'a list where an object belongs',
      { ...pod('web'), spec: [] },
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec',
    ],
  ])('%s', (_, object, message) => {
    expect(failureOf(create(shop(), object))).toMatchObject({ code: 400, reason: 'BadRequest', message });
  });

  test('an unknown field is refused when asked to be strict, warned of otherwise, and never stored', () => {
    const typo = pod('web', { bogus: 1 }, { imagee: 'x' });
    expect(failureOf(create(shop(), typo, { fieldValidation: 'Strict' })).message).toBe(
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.containers[0].imagee", unknown field "spec.bogus"',
    );
    const answer = create(shop(), typo);
    expect(answer.ok && answer.warnings).toEqual(['unknown field "spec.containers[0].imagee"', 'unknown field "spec.bogus"']);
    expect(objectOf(answer)['spec']).not.toHaveProperty('bogus');
  });

  test('what is empty is not stored, but what is a pointer keeps what it was given', () => {
    const stored = objectOf(
      create(
        shop(),
        pod(
          'web',
          { hostNetwork: false, nodeSelector: {}, automountServiceAccountToken: false },
          { command: [], stdin: false, env: [{ name: 'EMPTY', value: '' }] },
        ),
      ),
    );
    expect(stored['spec']).not.toHaveProperty('hostNetwork');
    expect(stored['spec']).not.toHaveProperty('nodeSelector');
    expect(stored['spec']).toMatchObject({ automountServiceAccountToken: false, containers: [{ env: [{ name: 'EMPTY' }] }] });
  });

  test('amounts are stored in their one form', () => {
    const stored = objectOf(
      create(
        shop(),
        pod('web', {}, { resources: { requests: { cpu: 0.5, memory: '1024Mi' }, limits: { cpu: '1000m', memory: '2048Mi' } } }),
      ),
    );
    expect(stored['spec']).toMatchObject({
      containers: [{ resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: '1', memory: '2Gi' } } }],
    });
  });
});

describe('workloads and others', () => {
  test('a Deployment without selector', () => {
    const failure = failureOf(create(shop(), withPath(deployment('web'), ['spec', 'selector'], undefined)));
    expect(failure.message).toBe(
      'Deployment.apps "web" is invalid: [spec.selector: Required value, spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`]',
    );
  });

  test.each<[string, JsonObject, string]>([
    [
      'a selector for other labels',
      withPath(deployment('web'), ['spec', 'selector', 'matchLabels', 'app'], 'db'),
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
    [
      'a restart policy a Deployment cannot have',
      withPath(deployment('web'), ['spec', 'template', 'spec', 'restartPolicy'], 'Never'),
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [
      'a roll-out that may do nothing',
      withPath(deployment('web'), ['spec', 'strategy'], { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } }),
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
    ],
    [
      'a deadline before the pods are ready',
      withPath(withPath(deployment('web'), ['spec', 'minReadySeconds'], 60), ['spec', 'progressDeadlineSeconds'], 30),
      'spec.progressDeadlineSeconds: Invalid value: 30: must be greater than minReadySeconds',
    ],
  ])('%s', (_, object, words) => {
    expect(failureOf(create(shop(), object)).message).toBe(`Deployment.apps "web" is invalid: ${words}`);
  });

  test('a selector stays as it is', () => {
    const cluster = shop();
    const object = objectOf(create(cluster, deployment('web')));
    const changed = withPath(
      withPath(object, ['spec', 'selector', 'matchLabels'], { app: 'db' }),
      ['spec', 'template', 'metadata', 'labels'],
      { app: 'db' },
    );
    expect(failureOf(send(cluster, 'update', 'Deployment', 'web', { body: changed })).message).toBe(
      'Deployment.apps "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"db"}}: field is immutable',
    );
  });

  test('a pod may change its image and little else', () => {
    const cluster = shop();
    const stored = objectOf(create(cluster, pod('web')));
    const patch = (body: JsonObject) => send(cluster, 'patch', 'Pod', 'web', { patch: { type: 'strategic', body } });
    expect(patch({ spec: { containers: [{ name: 'web', image: 'shop/web:2.0' }] } }).ok).toBe(true);
    expect(failureOf(patch({ spec: { containers: [{ name: 'web', command: ['sleep'] }] } })).message).toMatch(
      /^Pod "web" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.containers\[\*\].image`/,
    );
    expect(failureOf(patch({ spec: { containers: [{ name: 'more', image: 'x' }] } })).message).toBe(
      'Pod "web" is invalid: spec.containers: Forbidden: pod updates may not add or remove containers',
    );
    expect(stored.metadata['generation']).toBe(1);
  });

  test('an immutable ConfigMap', () => {
    const cluster = shop();
    create(cluster, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'app-config', namespace: 'shop' },
      data: { mode: 'a' },
      immutable: true,
    });
    expect(
      failureOf(send(cluster, 'patch', 'ConfigMap', 'app-config', { patch: { type: 'merge', body: { data: { mode: 'b' } } } })).message,
    ).toBe('ConfigMap "app-config" is invalid: data: Forbidden: field is immutable when `immutable` is set');
  });

  test('a ConfigMap of more than a mebibyte', () => {
    const big = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'big', namespace: 'shop' },
      data: { blob: 'x'.repeat(1_048_577) },
    };
    expect(failureOf(create(shop(), big)).message).toBe('ConfigMap "big" is invalid: []: Too long: may not be more than 1048576 bytes');
  });

  test('Services get addresses that nobody else has', () => {
    const cluster = shop();
    const service = (name: string, spec: JsonObject): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'shop' },
      spec: { ports: [{ port: 80 }], ...spec },
    });
    const web = objectOf(create(cluster, service('web', {})));
    const { clusterIP } = web['spec'] as JsonObject;
    expect(clusterIP).toMatch(/^10\.96\.\d+\.\d+$/);
    expect(web).toMatchObject({
      spec: {
        clusterIPs: [clusterIP],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        internalTrafficPolicy: 'Cluster',
        sessionAffinity: 'None',
        type: 'ClusterIP',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      },
      status: { loadBalancer: {} },
    });
    expect(failureOf(create(cluster, service('again', { clusterIP: clusterIP ?? '' }))).message).toBe(
      `Service "again" is invalid: spec.clusterIPs: Invalid value: ["${textOf(clusterIP)}"]: failed to allocate IP ${textOf(clusterIP)}: provided IP is already allocated`,
    );
    expect(failureOf(create(cluster, service('far', { clusterIP: '10.0.0.1' }))).message).toBe(
      'Service "far" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.1"]: failed to allocate IP 10.0.0.1: the provided network does not match the current range',
    );
    expect(failureOf(create(cluster, service('far', { clusterIP: '10.0.0.1', ports: [] }))).message).not.toContain('spec.ports');
    create(cluster, service('door', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] }));
    expect(failureOf(create(cluster, service('door-2', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] }))).message).toBe(
      'Service "door-2" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
    );
    expect(objectOf(create(cluster, service('headless', { clusterIP: 'None' })))).toMatchObject({
      spec: { clusterIP: 'None', clusterIPs: ['None'] },
    });
  });
});
