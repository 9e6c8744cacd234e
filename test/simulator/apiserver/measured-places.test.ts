import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import { create, failureOf, objectOf, pod, send, shop } from '../shop.ts';
import { definition } from './custom/definitions.ts';

const OUTSIDE = { tracksFields: true, manager: 'hand' } as const;

function of(apiVersion: string, kind: string, more: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web', ...metadata }, ...more };
}

function refused(object: JsonObject): string {
  return failureOf(create(shop(), object, OUTSIDE)).message.replace(/^.*? is invalid: /, '');
}

function applied(object: JsonObject): string {
  const { apiVersion, kind } = object as { readonly apiVersion: string; readonly kind: string };
  const body = { ...object, apiVersion, metadata: { ...(object['metadata'] as JsonObject), namespace: 'shop' } };
  return failureOf(send(shop(), 'patch', kind, 'web', { patch: { type: 'apply', body }, ...OUTSIDE })).message;
}

/** In which order a real API server (1.36) tells what is wrong, and where, as `npm run differ` found. */
describe('what is wrong is told where a real server tells it', () => {
  test('of an owner its fields, then its kind', () => {
    const owners = (...all: readonly JsonObject[]): string => refused(of('v1', 'ConfigMap', {}, { ownerReferences: all }));
    expect(owners({ apiVersion: 'v1', kind: 'Event', name: 'e', uid: '' })).toMatch(
      /^\[metadata\.ownerReferences\.uid: .*, metadata\.ownerReferences: .*disallowed from being an owner\]$/,
    );
    expect(owners({ apiVersion: 'a/b/c', kind: 'Pod', name: 'e', uid: 'x' })).toBe(
      'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
    );
    const controller = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Pod', name, uid: name, controller: true });
    expect(owners(controller('a'), controller('b'), controller('c')).match(/references for Pod\/a and Pod\/[bc]/g)).toHaveLength(2);
  });

  test('of a container its claims before its name that another one has', () => {
    const container = { name: 'web', image: 'shop/web:1.0', resources: { claims: [{ name: 'gpu' }] } };
    expect(refused(pod('web', { containers: [container, container] }))).toBe(
      '[spec.containers[0].resources.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty, spec.containers[1].resources.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty, spec.containers[1].name: Duplicate value: "web"]',
    );
  });

  test('of an initiator the name of the volume, before the other sources', () => {
    const iscsi = {
      targetPortal: 'p'.repeat(64),
      iqn: 'iqn.2001-04.com.example:disk',
      lun: 0,
      initiatorName: 'iqn.2001-04.com.example:web',
    };
    const long = 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
    expect(refused(pod('web', { volumes: [{ name: 'disk', iscsi, projected: {} }] }))).toBe(
      `[spec.volumes[0].name: Invalid value: "disk": ${long}, spec.volumes[0].projected: Forbidden: may not specify more than 1 volume type]`,
    );
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], iscsi };
    expect(refused(of('v1', 'PersistentVolume', { spec }))).toBe(`metadata.name: Invalid value: "web": ${long}`);
  });

  test('of a claim that a pod is to make its template', () => {
    expect(refused(pod('web', { volumes: [{ name: 'claim', ephemeral: {} }] }))).toBe(
      'spec.volumes[0].ephemeral.volumeClaimTemplate: Required value',
    );
  });

  test('of a second handler of a hook only that it is too much', () => {
    const preStop = { exec: { command: ['true'] }, sleep: { seconds: 2000 } };
    const containers = [{ name: 'web', image: 'shop/web:1.0', lifecycle: { preStop } }];
    expect(refused(pod('web', { containers }))).toBe(
      'spec.containers[0].lifecycle.preStop.sleep: Forbidden: may not specify more than 1 handler type',
    );
  });

  test('of pods of an update that are a text how many they are', () => {
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'shop/web:1.0' }] } };
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '1', maxUnavailable: 0 } };
    const daemons = of('apps/v1', 'DaemonSet', { spec: { selector: { matchLabels: { app: 'web' } }, template, updateStrategy } });
    expect(refused(daemons)).toMatch(/^spec\.updateStrategy\.rollingUpdate\.maxSurge: Invalid value: "1": a valid percent string/);
  });

  test('of a divisor that no CPU has, also where its container is missing', () => {
    const resourceFieldRef = { resource: 'limits.cpu', divisor: '1Gi' };
    expect(refused(pod('web', { volumes: [{ name: 'about', downwardAPI: { items: [{ path: 'cpu', resourceFieldRef }] } }] }))).toBe(
      '[spec.volumes[0].downwardAPI.resourceFieldRef.containerName: Required value, spec.volumes[0].downwardAPI.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource]',
    );
  });

  test('of a container beside the others its hooks, even if they are none', () => {
    const ephemeralContainers = [{ name: 'look', image: 'shop/web:1.0', lifecycle: {}, ports: [], resources: {} }];
    expect(refused(pod('web', { ephemeralContainers }))).toBe(
      '[spec.ephemeralContainers[0].lifecycle: Forbidden: cannot be set for an Ephemeral Container, spec.ephemeralContainers: Forbidden: cannot be set on create]',
    );
  });

  test('of an update of a pod its image twice, and that nobody is put beside its containers', () => {
    const cluster = shop();
    objectOf(create(cluster, pod('web')));
    const patched = (spec: JsonObject): string =>
      failureOf(send(cluster, 'patch', 'Pod', 'web', { patch: { type: 'merge', body: { spec } }, ...OUTSIDE })).message;
    const images = send(cluster, 'patch', 'Pod', 'web', {
      patch: { type: 'merge', body: { spec: { containers: [{ name: 'web', image: '' }] } } },
      ...OUTSIDE,
    });
    expect(
      asList(dig(failureOf(images).status, 'details', 'causes')).filter((one) => dig(one, 'field') === 'spec.containers[0].image'),
    ).toHaveLength(2);
    expect(patched({ ephemeralContainers: [{ name: 'look', image: 'shop/web:1.0', terminationMessagePolicy: 'File' }] })).toContain(
      'spec: Forbidden: pod updates may not change fields other than',
    );
  });

  test('of limits of pods nothing about defaults but that they have none', () => {
    const limits = [{ type: 'Pod', defaultRequest: { cpu: '100m' }, min: { cpu: '3' } }];
    expect(refused(of('v1', 'LimitRange', { spec: { limits } }))).toBe(
      "spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
    );
  });

  test('of exit codes that were not given that they are null', () => {
    const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In' } }];
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'shop/web:1.0' }] } };
    expect(refused(of('batch/v1', 'Job', { spec: { template, podFailurePolicy: { rules } } }))).toContain(
      'onExitCodes.values: Invalid value: null: at least one value is required',
    );
  });

  test('of a class its parameters by their names', () => {
    const cluster = shop();
    const body = { parameters: { a: 'new' } };
    objectOf(create(cluster, of('storage.k8s.io/v1', 'StorageClass', { provisioner: 'csi.shop.example', parameters: { b: 'old' } })));
    const patched = send(cluster, 'patch', 'StorageClass', 'web', { patch: { type: 'merge', body }, ...OUTSIDE });
    expect(failureOf(patched).message).toContain('parameters: Invalid value: {"a":"new","b":"old"}: field is immutable');
  });

  test('of a value of a wrong type the structs that it is in', () => {
    expect(refused(of('v1', 'ConfigMap', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: true }] }))).toContain(
      'Go struct field OwnerReference.metadata.ownerReferences.uid of type types.UID',
    );
    const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: {} }];
    const policy = of('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', { spec: { matchConstraints: { resourceRules } } });
    expect(refused(policy)).toContain('spec.matchConstraints.resourceRules.RuleWithOperations.Rule.resources of type []string');
  });
});

describe('keys of labels', () => {
  const spread = (labelSelector: JsonObject): JsonObject => ({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['app'], labelSelector },
    ],
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', mismatchLabelKeys: ['app'], labelSelector: {} }],
      },
    },
  });
  const labelled = (spec: JsonObject): JsonObject => ({
    ...pod('web', spec),
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
  });

  test('stand in the selectors of a pod with its own values', () => {
    const made = objectOf(create(shop(), labelled(spread({ matchLabels: { tier: 'front' } })), OUTSIDE));
    expect(dig(made, 'spec', 'topologySpreadConstraints', 0, 'labelSelector')).toEqual({
      matchLabels: { tier: 'front' },
      matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }],
    });
    const [term] = asList(dig(made, 'spec', 'affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'));
    expect(dig(term, 'labelSelector')).toEqual({ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] });
  });

  test('may not stand there already', () => {
    expect(refused(labelled(spread({ matchLabels: { app: 'web' } })))).toBe(
      'spec.topologySpreadConstraints[0][0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector',
    );
  });
});

test('a status with an address has it in its list, and nothing of what is off', () => {
  const cluster = shop();
  objectOf(create(cluster, pod('web')));
  const status = { podIP: '10.0.0.7', nodeAllocatableResourceClaimStatuses: [{ resourceClaimName: 'gpu' }] };
  const written = send(cluster, 'patch', 'Pod', 'web', { subresource: 'status', patch: { type: 'merge', body: { status } }, ...OUTSIDE });
  expect(dig(objectOf(written), 'status', 'podIPs')).toEqual([{ ip: '10.0.0.7' }]);
  expect(dig(objectOf(written), 'status', 'nodeAllocatableResourceClaimStatuses')).toBeUndefined();
  const wrong = { type: 'merge' as const, body: { status: { podIP: '7' } } };
  expect(failureOf(send(cluster, 'patch', 'Pod', 'web', { subresource: 'status', patch: wrong, ...OUTSIDE })).message).toContain(
    'status.podIPs[0]: Invalid value: "7": must be a valid IP address',
  );
});

describe('what is applied', () => {
  test('is told from its typed schema: fields of managers are a map, and a key may be no text', () => {
    const template = { metadata: { managedFields: [{ fieldsV1: 'x' }] }, spec: { containers: [] } };
    expect(applied(of('batch/v1', 'Job', { spec: { template } }))).toContain(
      '.spec.template.metadata.managedFields[0].fieldsV1: expected map, got &{x}',
    );
    const containers = [{ name: {}, image: 'x' }];
    expect(applied(of('v1', 'Pod', { spec: { containers } }))).toContain('.spec.containers[name=].name: expected string, got ');
  });

  test('and decodes itself names no field', () => {
    expect(applied(of('coordination.k8s.io/v1', 'Lease', { spec: { renewTime: 7 } }))).toContain(
      ': json: cannot unmarshal number into Go value of type string',
    );
  });
});

describe('a strategic merge patch that fails is told', () => {
  function patched(body: JsonObject): string {
    const cluster = shop();
    objectOf(create(cluster, pod('web')));
    return failureOf(send(cluster, 'patch', 'Pod', 'web', { patch: { type: 'strategic', body }, ...OUTSIDE })).message;
  }

  test('without the field of a number that decodes itself', () => {
    const cluster = shop();
    objectOf(create(cluster, of('policy/v1', 'PodDisruptionBudget', { spec: {} })));
    const patch = { type: 'strategic' as const, body: { spec: { minAvailable: 1.5 } } };
    expect(failureOf(send(cluster, 'patch', 'PodDisruptionBudget', 'web', { patch, ...OUTSIDE })).message).toContain(
      ': json: cannot unmarshal number 1.5 into Go value of type int32',
    );
  });

  test('without the nulls of what the object does not have', () => {
    expect(patched({ metadata: { annotations: { note: 'some', old: null } }, spec: 'x' })).toContain(
      'Invalid value: "map[metadata:map[annotations:map[note:some]] spec:x]": cannot restore struct from: string',
    );
  });

  test('by what is wrong with its metadata first', () => {
    expect(patched({ metadata: { labels: 7 }, spec: { hostNetwork: 'x' } })).toContain('cannot restore map from int64');
  });
});

describe('a Job that waits', () => {
  test('takes another template after it was suspended, not while pods of it run', () => {
    const cluster = shop();
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'shop/web:1.0' }] } };
    objectOf(create(cluster, of('batch/v1', 'Job', { spec: { suspend: true, template } }, { namespace: 'shop' })));
    const suspended = { type: 'Suspended', status: 'True' };
    const told = (status: JsonObject, spec: JsonObject): ReturnType<typeof send> => {
      const patch = { type: 'merge' as const, body: { status } };
      objectOf(send(cluster, 'patch', 'Job', 'web', { subresource: 'status', patch }));
      return send(cluster, 'patch', 'Job', 'web', { patch: { type: 'merge', body: { spec: { template: { spec } } } }, ...OUTSIDE });
    };
    const startTime = '2026-11-20T09:00:00Z';
    expect(told({ startTime, conditions: [suspended] }, { nodeSelector: { disk: 'fast' } }).ok).toBe(true);
    expect(failureOf(told({ active: 1 }, { nodeSelector: { disk: 'slow' } })).message).toContain('spec.template: Invalid value: ');
  });

  test('is told by its template with the metadata in the order of Go', () => {
    const cluster = shop();
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'shop/web:1.0' }] } };
    objectOf(create(cluster, of('batch/v1', 'Job', { spec: { template } }, { namespace: 'shop' })));
    const metadata: Json = { selfLink: 'x', ownerReferences: [{ uid: 'y', name: 'a', kind: 'Pod', controller: true, apiVersion: 'v1' }] };
    const body = { spec: { template: { metadata } } };
    const { message } = failureOf(send(cluster, 'patch', 'Job', 'web', { patch: { type: 'merge', body }, ...OUTSIDE }));
    expect(message).toContain('spec.template: Invalid value: {"selfLink":"x","labels":');
    expect(message).toContain('{"apiVersion":"v1","kind":"Pod","name":"a","uid":"y","controller":true}');
  });
});

test('a Service that knows its clients again gets the time that was taken from it', () => {
  const cluster = shop();
  const ports = [{ port: 80 }];
  objectOf(create(cluster, of('v1', 'Service', { spec: { sessionAffinity: 'ClientIP', ports } }, { namespace: 'shop' })));
  const body = { spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: null } } } };
  const patched = objectOf(send(cluster, 'patch', 'Service', 'web', { patch: { type: 'merge', body }, ...OUTSIDE }));
  expect(patched['spec']).toMatchObject({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } });
});

describe('a definition', () => {
  const withSchema = (schema: JsonObject): JsonObject => definition({ versions: [version(schema)] });
  const version = (schema: JsonObject): JsonObject => ({ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } });

  test('may have no reference under `not`, either', () => {
    expect(refused(withSchema({ type: 'object', not: { $ref: 'x' } }))).toContain('.not.$ref: Forbidden: $ref is not supported');
  });

  test('that stores two versions of one name stores one of them', () => {
    const versions = [version({ type: 'object' }), version({ type: 'object' })];
    expect(refused(definition({ versions }))).toContain('status.storedVersions: Invalid value: ["v1"]: must have the storage version v1');
  });

  test('with a format that nobody knows is warned of once', () => {
    const cluster = shop();
    const text = (format: string): JsonObject => ({ type: 'string', format });
    const schema = (...formats: readonly string[]): JsonObject => ({
      type: 'object',
      properties: Object.fromEntries(formats.map((format) => [format, text(format)])),
    });
    const made = withSchema(schema('date-time', 'odd'));
    expect(create(cluster, made, OUTSIDE)).toMatchObject({ warnings: ['unrecognized format "odd"'] });
    const body = { spec: { versions: [version(schema('odd', 'k8s-short-name', 'new'))] } };
    const name = (made['metadata'] as { readonly name: string }).name;
    const patched = send(cluster, 'patch', 'CustomResourceDefinition', name, { patch: { type: 'merge', body }, ...OUTSIDE });
    expect(patched).toMatchObject({ warnings: ['unrecognized format "new"'] });
  });

  test('has nothing where its schema says null, and knows an empty list of dependencies from none', () => {
    const schema: JsonObject = { type: 'object', additionalItems: null, additionalProperties: null, default: null, items: 7 };
    const made = objectOf(create(shop(), withSchema(schema), OUTSIDE));
    expect(dig(made, 'spec', 'versions', 0, 'schema', 'openAPIV3Schema')).toEqual({ type: 'object' });
    expect(refused(withSchema({ type: 'object', dependencies: {} }))).toContain('.dependencies: Forbidden: dependencies is not supported');
  });

  test('has no default for whole resources but a resource', () => {
    expect(refused(withSchema({ type: 'object', default: {} }))).toMatch(
      /^\[.*\.default\.apiVersion: Required value, .*\.default\.kind: Required value\]$/,
    );
  });

  test('says nothing in its subresource for statuses', () => {
    const versions = [{ ...version({ type: 'object' }), subresources: { status: { a: 1 } } }];
    const made = create(shop(), definition({ versions }), { ...OUTSIDE, fieldValidation: 'Warn' });
    expect(dig(objectOf(made), 'spec', 'versions', 0, 'subresources')).toEqual({ status: {} });
    expect(made).toMatchObject({ warnings: ['unknown field "spec.versions[0].subresources.status.a"'] });
  });
});
