import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asText } from '../../../src/base/json.ts';
import { create, failureOf, objectOf, send, shop } from '../shop.ts';

/** What `npm run differ` found that a real API server (1.36) refuses, in its words. */

function named(apiVersion: string, kind: string, more: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web', ...(more['metadata'] as JsonObject | undefined) }, ...without(more) };
}

function without({ metadata: _, ...rest }: JsonObject): JsonObject {
  void _;
  return rest;
}

const POD: JsonObject = { containers: [{ name: 'till', image: 'shop/till:1.0' }] };
const LABELLED: JsonObject = { metadata: { labels: { app: 'web' } }, spec: POD };
const SELECTOR: JsonObject = { matchLabels: { app: 'web' } };
const workload = (kind: string, spec: JsonObject): JsonObject =>
  named('apps/v1', kind, { spec: { selector: SELECTOR, template: LABELLED, ...spec } });
const podWith = (spec: JsonObject): JsonObject => named('v1', 'Pod', { spec: { ...POD, ...spec } });
const volume = (source: JsonObject): JsonObject => podWith({ volumes: [{ name: 'data', ...source }] });
const disk = (spec: JsonObject): JsonObject =>
  named('v1', 'PersistentVolume', { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec } });

const NEW: readonly (readonly [what: string, object: JsonObject, words: string])[] = [
  [
    'a selector that is wrong: the template is not looked at',
    workload('Deployment', { selector: { matchLabels: { 'bad key': 'x' } }, template: {} }),
    'spec.selector: Invalid value: {"matchLabels":{"bad key":"x"}}: invalid label selector]',
  ],
  ['an empty selector of a ReplicaSet', workload('ReplicaSet', { selector: {} }), 'empty selector is invalid for deployment'],
  [
    'a DaemonSet without a selector',
    named('apps/v1', 'DaemonSet', { spec: { template: LABELLED } }),
    'is invalid: spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
  ],
  [
    'claims of a StatefulSet, and its Service',
    workload('StatefulSet', {
      serviceName: 'Bad_Name',
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }],
    }),
    '[spec.volumeClaimTemplates[0].spec.resources[storage]: Required value, spec.serviceName: Invalid value: "Bad_Name"',
  ],
  [
    'an ephemeral container in a template',
    workload('Deployment', {
      template: {
        ...LABELLED,
        spec: { ...POD, ephemeralContainers: [{ name: 'debug', image: 'x', startupProbe: { exec: { command: ['a'] } } }] },
      },
    }),
    'spec.template.spec.ephemeralContainers[0].startupProbe: Forbidden: cannot be set for an Ephemeral Container',
  ],
  [
    'a claim made by a pod',
    volume({ ephemeral: { volumeClaimTemplate: { metadata: { generateName: 'a-' }, spec: { accessModes: ['Any'] } } } }),
    '[spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.generateName: Forbidden: cannot be set, spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: Unsupported value: "Any"',
  ],
  [
    'a volume of two sources, in upstream order',
    volume({ storageos: {}, emptyDir: {} }),
    'spec.volumes[0].storageos: Forbidden: may not specify more than 1 volume type',
  ],
  [
    'a fibre channel without targets',
    volume({ fc: {} }),
    'spec.volumes[0].fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both',
  ],
  [
    'a partition',
    volume({ gcePersistentDisk: { pdName: 'a', partition: 256 } }),
    'spec.volumes[0].persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive',
  ],
  [
    'an initiator',
    volume({ iscsi: { targetPortal: 'a', iqn: 'x' } }),
    'spec.volumes[0].iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
  ],
  ['a dataset', disk({ flocker: {} }), 'spec.flocker: Required value: one of datasetName and datasetUUID is required'],
  [
    'a registry of volumes',
    disk({ quobyte: { registry: 'here', volume: 'a' } }),
    'spec.quobyte.registry: Invalid value: "here": must be a host:port pair',
  ],
  [
    'options of a driver',
    disk({ flexVolume: { driver: 'a/b', options: { 'kubernetes.io/x': 'y' } } }),
    'spec.flexVolume.options[kubernetes.io/x]: Invalid value: "kubernetes.io/x": kubernetes.io and k8s.io namespaces are reserved',
  ],
  [
    'a disk of Azure',
    disk({ azureDisk: { diskName: 'a', diskURI: 'b', kind: 'Managed', cachingMode: 'x' } }),
    '[spec.azureDisk.cachingMode: Unsupported value: "x": supported values: "None", "ReadOnly", "ReadWrite", spec.azureDisk.diskURI: Unsupported value: "b"',
  ],
  [
    'an amount of everything',
    disk({ hostPath: { path: '/a' }, capacity: { storage: '1Gi', cpu: '1' } }),
    'spec.capacity: Unsupported value: {"cpu":"1","storage":"1Gi"}: supported values: "storage"',
  ],
  [
    'a volume inside an attachment',
    named('storage.k8s.io/v1', 'VolumeAttachment', {
      spec: { attacher: 'a', nodeName: 'worker-1', source: { inlineVolumeSpec: { storageClassName: 'fast', hostPath: { path: '/a' } } } },
    }),
    '[spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes, spec.source.inlineVolumeSpec.accessModes: Required value, spec.source.inlineVolumeSpec.storageClassName: Forbidden: may not be specified in the context of inline volumes]',
  ],
  [
    'what a pod as a whole may ask for',
    podWith({ resources: { limits: { 'example.com/gpu': '1' } } }),
    'spec.resources.limits[example.com/gpu]: Unsupported value: "example.com/gpu": supported values: "cpu", "hugepages-", "memory"',
  ],
  [
    'claims of a pod as a whole',
    podWith({ resources: { claims: [{ name: 'gpu' }] } }),
    '[spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level, spec.resources.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty]',
  ],
  [
    'a name in place of the host name',
    podWith({ hostnameOverride: '/srv', hostNetwork: true }),
    '[spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true, spec.hostnameOverride: Invalid value: "/srv"',
  ],
  [
    'a topology without keys',
    named('storage.k8s.io/v1', 'StorageClass', { provisioner: 'a', allowedTopologies: [{}] }),
    'allowedTopologies[0].matchLabelExpressions: Duplicate value: ""',
  ],
  [
    'tokens in secrets that nobody asked for',
    named('storage.k8s.io/v1', 'CSIDriver', { spec: { serviceAccountTokenInSecrets: false } }),
    'spec.serviceAccountTokenInSecrets: Invalid value: false: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
  ],
  [
    'a key twice',
    named('storage.k8s.io/v1', 'CSINode', { spec: { drivers: [{ name: 'a', nodeID: 'b', topologyKeys: ['zone', 'zone'] }] } }),
    'spec.drivers[0]: Duplicate value: "zone"',
  ],
  ['a runtime without a handler', named('node.k8s.io/v1', 'RuntimeClass', {}), 'handler: Required value'],
  [
    'a toleration twice',
    named('node.k8s.io/v1', 'RuntimeClass', {
      handler: 'a',
      scheduling: { tolerations: [{ operator: 'Exists' }, { operator: 'Exists' }] },
    }),
    'scheduling.tolerations[1]: Duplicate value: {"Key":"","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}',
  ],
  [
    'an address nobody can reach',
    named('v1', 'Endpoints', {
      subsets: [{ notReadyAddresses: [{ ip: '127.0.0.1', hostname: 'a.b' }], ports: [{ port: 80, appProtocol: '/x' }] }],
    }),
    '[subsets[0].notReadyAddresses[0].hostname: Invalid value: "a.b": must not contain dots, subsets[0].notReadyAddresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128), subsets[0].ports[0].appProtocol: Invalid value: "/x"',
  ],
  [
    'hints of an endpoint',
    named('discovery.k8s.io/v1', 'EndpointSlice', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'], nodeName: 'A', hints: { forZones: [{ name: 'a' }, { name: 'a' }] } }],
    }),
    'endpoints[0].hints.forZones[1].name: Duplicate value: "a"]',
  ],
  [
    'a metric of one container',
    named('autoscaling/v2', 'HorizontalPodAutoscaler', {
      spec: {
        maxReplicas: -1,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        metrics: [
          {
            type: 'ContainerResource',
            containerResource: { name: 'till', container: 'A_b', target: { type: 'Utilization', averageUtilization: 5 } },
          },
        ],
      },
    }),
    '[spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1, spec.maxReplicas: Invalid value: -1: must be greater than or equal to `minReplicas`, spec.metrics[0].containerResource.name: Invalid value: "till": must be a standard resource type or fully qualified, spec.metrics[0].containerResource.name: Invalid value: "till": must be a standard resource for containers, spec.metrics[0].containerResource.container: Invalid value: "A_b"',
  ],
  [
    'the first precedence',
    named('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', { spec: { matchingPrecedence: 1, priorityLevelConfiguration: { name: 'a' } } }),
    "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
  ],
  ['a level of no type', named('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', { spec: {} }), 'spec.type: Required value'],
  [
    'a scope of a quota',
    named('v1', 'ResourceQuota', {
      spec: { hard: { services: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'BestEffort', operator: 'In', values: ['x'] }] } },
    }),
    '[spec.scopeSelector.matchExpressions: Invalid value: {"MatchExpressions":[{"ScopeName":"BestEffort","Operator":"In","Values":["x"]}]}: unsupported scope applied to resource, spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exists\' when scope is any of',
  ],
  [
    'a mount of a volume that is wrong',
    named('v1', 'Pod', {
      spec: {
        containers: [{ name: 'till', image: 'shop/till:1.0', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
        volumes: [{ name: 'data', nfs: { path: '/srv' } }],
      },
    }),
    '[spec.volumes[0].nfs.server: Required value, spec.containers[0].volumeMounts[0].name: Not found: "data"]',
  ],
  [
    'a policy of a feature that is off',
    podWith({ securityContext: { seLinuxChangePolicy: 'MountOption' } }),
    'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
  ],
  [
    'no domain at all',
    podWith({ topologySpreadConstraints: [{ maxSkew: 1, minDomains: 0, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }] }),
    'spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: must be greater than zero',
  ],
  [
    'a field of a version of pods there is not',
    volume({ downwardAPI: { items: [{ path: 'a', fieldRef: { apiVersion: 'v7', fieldPath: 'metadata.labels' } }] } }),
    'fieldRef.fieldPath: Invalid value: "metadata.labels": error converting fieldPath: unsupported pod version: v7',
  ],
  [
    'a deadline before the beginning',
    workload('Deployment', { progressDeadlineSeconds: -1 }),
    'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0, spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds',
  ],
  [
    'devices by no expression',
    named('resource.k8s.io/v1', 'DeviceClass', { spec: { selectors: [{ cel: { expression: '' } }] } }),
    "Invalid value: \"\": compilation failed: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting {'[',",
  ],
  [
    'a version of no group',
    named('autoscaling/v2', 'HorizontalPodAutoscaler', {
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: '/srv', kind: 'Deployment', name: 'web' } },
    }),
    'spec.scaleTargetRef.apiVersion: Invalid value: "/srv": apiVersion must specify API group',
  ],
  [
    'a driver that looks too often',
    named('storage.k8s.io/v1', 'CSIDriver', { spec: { nodeAllocatableUpdatePeriodSeconds: 0 } }),
    'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 0: must be greater than or equal to 10 seconds',
  ],
  [
    'a definition without versions',
    named('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
      metadata: { name: 'tills.shop.example', generateName: 'till-' },
      spec: { group: 'shop.example', scope: 'Namespaced', preserveUnknownFields: true, names: { plural: 'tills', kind: '' } },
    }),
    '[metadata.generateName: Invalid value: "till-": must be spec.names.plural+"."+spec.group, spec.versions: Invalid value: null: must have exactly one version marked as storage version, spec.names.singular: Required value, spec.names.kind: Required value, spec.names.listKind: Required value, status.storedVersions: Invalid value: null: must have at least one stored version, spec.preserveUnknownFields: Invalid value: true: cannot set to true',
  ],
];

test.each(NEW)('%s', (_, object, words) => {
  const failure = failureOf(create(shop(), object));
  expect(failure.code).toBe(422);
  expect(failure.message).toContain(words);
});

const WRITTEN: readonly (readonly [kind: string, object: JsonObject, status: JsonObject, words: string])[] = [
  [
    'Deployment',
    workload('Deployment', {}),
    { replicas: 1, readyReplicas: 2 },
    'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
  ],
  [
    'ReplicaSet',
    workload('ReplicaSet', {}),
    { replicas: 1, availableReplicas: 1 },
    'status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas',
  ],
  ['StatefulSet', workload('StatefulSet', {}), { replicas: -1 }, 'status.replicas: Invalid value: -1: must be greater than or equal to 0'],
  [
    'DaemonSet',
    workload('DaemonSet', {}),
    { numberReady: -1 },
    'status.numberReady: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'Namespace',
    named('v1', 'Namespace', {}),
    { phase: 'Lost' },
    'status.Phase: Invalid value: "Lost": may only be \'Active\' if `deletionTimestamp` is empty',
  ],
  [
    'ResourceQuota',
    named('v1', 'ResourceQuota', {}),
    { used: { till: '1' } },
    'status.used[till]: Invalid value: "till": must be a standard resource type or fully qualified',
  ],
  [
    'PersistentVolumeClaim',
    named('v1', 'PersistentVolumeClaim', { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }),
    { allocatedResourceStatuses: { cpu: 'x' } },
    '[status.allocatedResourceStatuses: Unsupported value: "cpu": supported values: "storage", status.allocatedResourceStatuses: Unsupported value: "cpu": supported values: "ControllerResizeInProgress"',
  ],
  [
    'Service',
    named('v1', 'Service', { spec: { ports: [{ port: 80 }] } }),
    { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
  ],
  [
    'Ingress',
    named('networking.k8s.io/v1', 'Ingress', { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } }),
    { loadBalancer: { ingress: [{ ip: 'here', hostname: 'Till' }] } },
    '[status.loadBalancer.ingress[0].ip: Invalid value: "here": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff), status.loadBalancer.ingress[0].hostname: Invalid value: "Till"',
  ],
  [
    'ValidatingAdmissionPolicy',
    named('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', {
      spec: {
        matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] },
        validations: [{ expression: 'true' }],
      },
    }),
    { typeChecking: { expressionWarnings: [{ fieldRef: ' ', warning: '' }] } },
    '[status.typeChecking.expressionWarnings[0].warning: Required value, status.typeChecking.expressionWarnings[0].fieldRef: Required value]',
  ],
  [
    'PodDisruptionBudget',
    named('policy/v1', 'PodDisruptionBudget', {}),
    { conditions: [{ type: 'A', status: 'x' }] },
    '[status.conditions[0].status: Unsupported value: "x": supported values: "False", "True", "Unknown", status.conditions[0].lastTransitionTime: Required value, status.conditions[0].reason: Required value]',
  ],
  [
    'Job',
    named('batch/v1', 'Job', { spec: { template: { spec: { ...POD, restartPolicy: 'Never' } } } }),
    { failedIndexes: '1', completionTime: '2026-01-01T00:00:00Z' },
    '[status.completionTime: Invalid value: "2026-01-01T00:00:00Z": cannot set completionTime when there is no Complete=True condition, status.failedIndexes: Invalid value: "1": cannot set non-null failedIndexes when backoffLimitPerIndex is null]',
  ],
];

test.each(WRITTEN)('the status of a %s', (kind, object, status, words) => {
  const cluster = shop();
  objectOf(create(cluster, object));
  const answer = send(cluster, 'patch', kind, 'web', { subresource: 'status', patch: { type: 'merge', body: { status } } });
  expect(failureOf(answer).message).toContain(words);
});

describe('a change', () => {
  const changed = (object: JsonObject, body: JsonObject): string => {
    const cluster = shop();
    objectOf(create(cluster, object));
    return failureOf(send(cluster, 'patch', asText(object['kind']) ?? '', 'web', { patch: { type: 'merge', body } })).message;
  };

  test.each([
    ['IngressClass', named('networking.k8s.io/v1', 'IngressClass', { spec: { controller: 'shop.example/a' } })],
    ['LimitRange', named('v1', 'LimitRange', { spec: { limits: [] } })],
    ['CSINode', named('storage.k8s.io/v1', 'CSINode', { spec: { drivers: [] } })],
  ])('of the prefix of a %s is looked at as a name', (_, object) => {
    expect(changed(object, { metadata: { generateName: 'Till-' } })).toContain(
      'metadata.generateName: Invalid value: "Till-": a lowercase RFC 1123 subdomain must consist of',
    );
  });

  test('of a PriorityClass is not looked at as a whole', () => {
    const words = changed(named('scheduling.k8s.io/v1', 'PriorityClass', { value: 10 }), { value: 2_000_000_000 });
    expect(words).toBe('PriorityClass.scheduling.k8s.io "web" is invalid: value: Forbidden: may not be changed in an update.');
  });

  test('of a DeviceClass does not look at the prefix of its name', () => {
    const cluster = shop();
    objectOf(create(cluster, named('resource.k8s.io/v1', 'DeviceClass', { spec: {} })));
    const body = { metadata: { generateName: 'Till-' } };
    expect(send(cluster, 'patch', 'DeviceClass', 'web', { patch: { type: 'merge', body } }).ok).toBe(true);
  });

  test('of what stays is told with the internal names of its fields', () => {
    const claim = named('resource.k8s.io/v1', 'ResourceClaim', {
      spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }] } },
    });
    expect(changed(claim, { spec: { devices: { constraints: [{ matchAttribute: 'a/b' }] } } })).toContain(
      'spec: Invalid value: {"Devices":{"Requests":[{"Name":"gpu","Exactly":{"DeviceClassName":"gpu.example.com","Selectors":null,"AllocationMode":"ExactCount","Count":1,"AdminAccess":null,"Tolerations":null,"Capacity":null},"FirstAvailable":null}],"Constraints":[{"Requests":null,"MatchAttribute":"a/b","DistinctAttribute":null}],"Config":null}}: field is immutable',
    );
    const job = named('batch/v1', 'Job', { spec: { template: { spec: { ...POD, restartPolicy: 'Never' } } } });
    expect(
      changed(job, { spec: { podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'A', status: 'True' }] }] } } }),
    ).toContain(
      'spec.podFailurePolicy: Invalid value: {"Rules":[{"Action":"Ignore","OnExitCodes":null,"OnPodConditions":[{"Type":"A","Status":"True"}]}]}: field is immutable',
    );
  });
});

test('metadata of a disruption budget is looked at only where its own rules found nothing', () => {
  const budget = (spec: JsonObject): JsonObject =>
    named('policy/v1', 'PodDisruptionBudget', { metadata: { finalizers: ['bad one'] }, spec });
  const words = (spec: JsonObject): string => failureOf(create(shop(), budget(spec))).message;
  expect(words({ minAvailable: 1, selector: SELECTOR })).toContain('metadata.finalizers: Invalid value: "bad one"');
  expect(words({ minAvailable: -1, selector: SELECTOR })).toMatch(/ is invalid: spec\.minAvailable: /);
});
