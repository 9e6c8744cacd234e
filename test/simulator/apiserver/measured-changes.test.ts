import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';
import { create, deployment, failureOf, objectOf, pod, send, shop } from '../shop.ts';

const OUTSIDE = { tracksFields: true, manager: 'hand' } as const;

function of(apiVersion: string, kind: string, more: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web' }, ...more };
}

function messageOf(object: JsonObject): string {
  return failureOf(create(shop(), object)).message;
}

const version = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});
const definition = (...versions: readonly JsonObject[]): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'parcels.shop.example' },
  spec: { group: 'shop.example', scope: 'Namespaced', names: { plural: 'parcels', kind: 'Parcel' }, versions },
});

/** What `npm run differ` found in the answers of a real API server (1.36), one thing each. */
describe('it is refused', () => {
  test.each([
    [
      'a network with bits behind its prefix',
      of('networking.k8s.io/v1', 'NetworkPolicy', {
        spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '192.12.2.8/24' } }] }] },
      }),
      'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "192.12.2.8/24": must not have bits set beyond the prefix length',
    ],
    [
      'a surge over the whole of a DaemonSet',
      { ...deployment('web'), kind: 'DaemonSet', spec: daemonSpec({ maxSurge: '120%', maxUnavailable: 0 }) },
      'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "120%": must not be greater than 100%',
    ],
    [
      'a metric of two sources',
      of('autoscaling/v2', 'HorizontalPodAutoscaler', {
        spec: {
          maxReplicas: 2,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          metrics: [{ type: 'Resource', external: {}, resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } }],
        },
      }),
      '[spec.metrics[0].external.metric.name: Required value: must specify a metric name, spec.metrics[0].external.target.type: Required value: must specify a metric target type, spec.metrics[0].external.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue, spec.metrics[0].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target, spec.metrics[0].external: Forbidden: must populate the given metric source only]',
    ],
    [
      'a Service of two families in a cluster of one',
      of('v1', 'Service', {
        spec: { ports: [{ port: 80 }], selector: { app: 'web' }, ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] },
      }),
      '[spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services, spec.ipFamilies[1]: Invalid value: "IPv6": not configured on this cluster]',
    ],
    [
      'a container that is to be restarted to be resized, in a pod that never restarts one',
      pod('web', { restartPolicy: 'Never' }, { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
      "spec.containers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never'",
    ],
    [
      'rules of a restart without a policy',
      pod('web', {}, { restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }] }),
      'spec.containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
    ],
    [
      'a schema that names its own',
      definition(version('v1', { schema: { openAPIV3Schema: { type: 'object', $schema: 'x' } } })),
      'spec.validation.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema \'schema\' is not supported',
    ],
    [
      'a domain of one label',
      of('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'FQDN', endpoints: [{ addresses: ['x'] }] }),
      'endpoints[0].addresses[0]: Invalid value: "x": should be a domain with at least two segments separated by dots',
    ],
    [
      'what only one version of a definition has',
      definition(version('v1', { subresources: { scale: { specReplicasPath: 'x', statusReplicasPath: '.status.x' } } }), version('v2')),
      'spec.versions[0].subresources.scale.specReplicasPath: Invalid value: "x": must be a simple json path starting with .',
    ],
    [
      'a field that makes it needless to ask whether a schema is structural',
      definition(version('v1', { schema: { openAPIV3Schema: { id: 'x' } } })),
      'spec.validation.openAPIV3Schema.id: Forbidden: id is not supported',
    ],
  ])('%s', (_, object, words) => {
    expect(messageOf(object)).toMatch(/ is invalid: /);
    expect(messageOf(object).split(' is invalid: ')[1]).toBe(words);
  });

  test('a resize that changes how good a pod’s service is', () => {
    const cluster = shop();
    objectOf(create(cluster, pod('web', {}, { resources: { requests: { cpu: '1' } } })));
    const resources = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } };
    const patch = { type: 'strategic' as const, body: { spec: { containers: [{ name: 'web', resources }] } } };
    expect(failureOf(send(cluster, 'patch', 'Pod', 'web', { subresource: 'resize', patch, ...OUTSIDE })).message).toContain(
      'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
    );
  });

  test.each([
    [
      'the bounds of its namespace',
      of('v1', 'LimitRange', { spec: { limits: [{ type: 'Pod', max: { memory: '1Gi' } }] } }),
      'pods "web" is forbidden: maximum memory usage per Pod is 1Gi, but limit is 2Gi',
    ],
    [
      'the quota of its namespace',
      {
        ...of('v1', 'ResourceQuota', { spec: { hard: { 'limits.memory': '1Gi' } } }),
        status: { hard: { 'limits.memory': '1Gi' }, used: { 'limits.memory': '0' } },
      },
      'pods "web" is forbidden: exceeded quota: web, requested: limits.memory=1536Mi, used: limits.memory=512Mi, limited: limits.memory=1Gi',
    ],
  ])('a resize beyond %s', (_, bound, words) => {
    const cluster = shop();
    objectOf(create(cluster, bound));
    const { status } = bound as JsonObject;
    if (status !== undefined)
      objectOf(send(cluster, 'patch', 'ResourceQuota', 'web', { subresource: 'status', patch: { type: 'merge', body: { status } } }));
    const limits = (memory: string): JsonObject => ({ requests: { memory: '256Mi' }, limits: { memory } });
    objectOf(create(cluster, pod('web', {}, { resources: limits('512Mi') })));
    const patch = { type: 'strategic' as const, body: { spec: { containers: [{ name: 'web', resources: limits('2Gi') }] } } };
    expect(failureOf(send(cluster, 'patch', 'Pod', 'web', { subresource: 'resize', patch, ...OUTSIDE })).message).toBe(words);
    const body = { spec: { containers: [{ name: 'web', resources: limits('1Gi') }] } };
    expect(send(cluster, 'patch', 'Pod', 'web', { subresource: 'resize', patch: { type: 'strategic', body }, ...OUTSIDE }).ok).toBe(true);
  });

  test('a network that was there before may stay', () => {
    const policy = (cidr: string): JsonObject =>
      of('networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr } }] }] } });
    const stored = objectOf(create(shop(), policy('10.0.0.0/8')));
    const older = createCluster(
      { seed: 1, preset: 'no-nodes', restored: [{ ...policy('10.0.0.1/8'), metadata: { ...stored.metadata, namespace: 'default' } }] },
      { components: [], freeze: true },
    );
    const change = { namespace: 'default', patch: { type: 'merge' as const, body: { spec: { egress: [{}] } } }, ...OUTSIDE };
    expect(send(older, 'patch', 'NetworkPolicy', 'web', change).ok).toBe(true);
  });

  test('a change that changes nothing of an object that is wrong', () => {
    const cluster = shop();
    objectOf(create(cluster, definition(version('v1'))));
    const place = { ...OUTSIDE, namespace: undefined };
    const status = { subresource: 'status', patch: { type: 'merge' as const, body: { status: { storedVersions: ['v7'] } } } };
    objectOf(send(cluster, 'patch', 'CustomResourceDefinition', 'parcels.shop.example', { ...place, ...status }));
    const nothing = { patch: { type: 'merge' as const, body: {} } };
    expect(
      failureOf(send(cluster, 'patch', 'CustomResourceDefinition', 'parcels.shop.example', { ...place, ...nothing })).message,
    ).toContain('status.storedVersions[0]: Invalid value: "v7": missing from spec.versions');
  });

  test('the deletion of another namespace of that name, in words of its own', () => {
    const options = { delete: { preconditions: { uid: 'x' } } };
    expect(failureOf(send(shop(), 'delete', 'Namespace', 'shop', options)).message).toMatch(
      /^Operation cannot be fulfilled on namespaces "shop": Precondition failed: UID in precondition: x, UID in object meta: /,
    );
  });
});

function daemonSpec(rollingUpdate: JsonObject): JsonObject {
  const { selector = null, template = null } = deployment('web')['spec'] as JsonObject;
  return { selector, template, updateStrategy: { type: 'RollingUpdate', rollingUpdate } };
}

describe('of a Job that is suspended', () => {
  const job = (container: JsonObject): JsonObject =>
    of('batch/v1', 'Job', { spec: { suspend: true, template: { spec: { restartPolicy: 'Never', containers: [container] } } } });
  const changed = (container: JsonObject): ReturnType<typeof send> => {
    const cluster = shop();
    objectOf(create(cluster, job({ name: 'web', image: 'shop/web:1.0' }), OUTSIDE));
    return send(cluster, 'patch', 'Job', 'web', {
      patch: { type: 'strategic', body: { spec: { template: { spec: { containers: [container] } } } } },
      ...OUTSIDE,
    });
  };

  test('what its containers ask for may change, and nothing else', () => {
    expect(changed({ name: 'web', resources: { requests: { cpu: '1' } } }).ok).toBe(true);
    expect(failureOf(changed({ name: 'web', image: 'shop/web:1.1' })).message).toMatch(
      /^Job\.batch "web" is invalid: spec\.template\.spec: Invalid value: \{"Volumes":null,.*\}: field is immutable$/,
    );
  });
});

describe('it is taken', () => {
  test('a schema with a property that is called as the field that names one', () => {
    const properties = { $schema: { type: 'string' } };
    objectOf(create(shop(), definition(version('v1', { schema: { openAPIV3Schema: { type: 'object', properties } } }))));
  });

  test.each([
    ['a source beside one of a feature that is off', pod('web', { volumes: [projected({ clusterTrustBundle: { path: 'ca' } })] })],
    [
      'a largest volume below nothing',
      of('storage.k8s.io/v1', 'CSIStorageCapacity', { storageClassName: 'fast', maximumVolumeSize: '-1' }),
    ],
  ])('%s', (_, object) => {
    expect(create(shop(), object)).toMatchObject({ ok: true });
  });
});

function projected(more: JsonObject): JsonObject {
  return { name: 'all', projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 3600 }, ...more }] } };
}

describe('it is stored', () => {
  test('a balancer’s port for the health of nodes', () => {
    const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] };
    expect(dig(objectOf(create(shop(), of('v1', 'Service', { spec }))), 'spec', 'healthCheckNodePort')).toBeGreaterThanOrEqual(30_000);
  });

  test('that port as it was first', () => {
    const cluster = shop();
    const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] };
    objectOf(create(cluster, of('v1', 'Service', { spec })));
    const patch = { type: 'merge' as const, body: { spec: { healthCheckNodePort: 29_999 } } };
    expect(failureOf(send(cluster, 'patch', 'Service', 'web', { patch, ...OUTSIDE })).message).toContain(
      'spec.healthCheckNodePort: Forbidden: field is immutable',
    );
  });

  test('an image whose name cannot be read is not always pulled', () => {
    expect(dig(objectOf(create(shop(), pod('web', {}, { image: 'a b' }))), 'spec', 'containers', 0, 'imagePullPolicy')).toBe(
      'IfNotPresent',
    );
  });

  test('no field of a feature that is off', () => {
    expect(objectOf(create(shop(), pod('web', { schedulingGroup: { podGroupName: 'a' } })))['spec']).not.toHaveProperty('schedulingGroup');
  });

  test('no topology of an endpoint', () => {
    const endpoints = [{ addresses: ['192.168.7.1'], deprecatedTopology: { zone: 'a' } }];
    const slice = objectOf(create(shop(), of('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints })));
    expect(slice['endpoints']).toEqual([{ addresses: ['192.168.7.1'], conditions: {} }]);
  });

  test('a request of a limit is its maximum before it is its minimum', () => {
    const spec = { limits: [{ type: 'Container', min: { cpu: '1' }, max: { cpu: '2' } }] };
    expect(dig(objectOf(create(shop(), of('v1', 'LimitRange', { spec }))), 'spec', 'limits', 0, 'defaultRequest')).toEqual({ cpu: '2' });
  });

  test('what is applied as null leaves what is there', () => {
    const cluster = shop();
    const range = of('v1', 'LimitRange', { spec: { limits: [{ type: 'Pod', max: { cpu: '1' } }] } });
    objectOf(create(cluster, range, OUTSIDE));
    const patch = { type: 'apply' as const, body: { ...range, spec: null } };
    expect(objectOf(send(cluster, 'patch', 'LimitRange', 'web', { patch, force: true, ...OUTSIDE }))['spec']).toEqual(range['spec']);
  });

  test('no name that a patch has taken away', () => {
    const cluster = shop();
    objectOf(create(cluster, { ...of('v1', 'ConfigMap', {}), metadata: { name: 'web', generateName: 'web-' } }, OUTSIDE));
    const patch = { type: 'merge' as const, body: { metadata: { generateName: null } } };
    expect(objectOf(send(cluster, 'patch', 'ConfigMap', 'web', { patch, ...OUTSIDE })).metadata).not.toHaveProperty('generateName');
  });

  test('nothing that a quota counts and nobody has', () => {
    const cluster = createCluster({ seed: 1, preset: 'no-nodes' });
    cluster.apply([of('v1', 'ResourceQuota', { spec: { hard: { 'count/Bad': '1', pods: '2' } } })], { namespace: 'default' });
    cluster.runUntilSettled({ milliseconds: 10_000 });
    expect(cluster.store.get('resourcequotas', 'default', 'web')).toMatchObject({
      status: { hard: { 'count/Bad': '1' }, used: { pods: '0' } },
    });
    expect(dig(cluster.store.get('resourcequotas', 'default', 'web'), 'status', 'used')).not.toHaveProperty(['count/Bad']);
  });
});

describe('it is answered', () => {
  test('a binding to no node', () => {
    const cluster = shop();
    objectOf(create(cluster, pod('web')));
    const body = { target: { kind: 'Node', name: '' } };
    expect(failureOf(send(cluster, 'create', 'Pod', 'web', { subresource: 'binding', body }))).toMatchObject({
      code: 500,
      message: 'target.name: Required value',
    });
  });

  test('an eviction with its code', () => {
    const cluster = shop();
    objectOf(create(cluster, pod('web')));
    expect(objectOf(send(cluster, 'create', 'Pod', 'web', { subresource: 'eviction', body: {} }))).toMatchObject({
      status: 'Success',
      code: 201,
    });
  });

  test('a name that is taken, when one could have been made', () => {
    const cluster = shop();
    const map = { ...of('v1', 'ConfigMap', {}), metadata: { name: 'web', generateName: 'web-' } };
    objectOf(create(cluster, map));
    expect(failureOf(create(cluster, map))).toMatchObject({ reason: 'AlreadyExists', status: { details: { retryAfterSeconds: 1 } } });
  });
});
