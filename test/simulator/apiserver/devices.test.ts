import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import { deviceMatches } from '../../../src/simulator/apiserver/cel/devices.ts';
import { toleratesDeviceTaint } from '../../../src/simulator/devices/device-taints.ts';
import { create, failureOf, objectOf, pod, send, shop } from '../shop.ts';

const CLASS = { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'scanner' }, spec: {} };

function claim(requests: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'counter', namespace: 'shop' },
    spec: { devices: { requests, ...more } },
  };
}

function slice(spec: JsonObject): JsonObject {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 'worker-1-scanners' },
    spec: { driver: 'scanner.shop.example', pool: { name: 'worker-1', generation: 1, resourceSliceCount: 1 }, ...spec },
  };
}

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const IDENTIFIER =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";
const LABEL_VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const ONE = { name: 'scanner', exactly: { deviceClassName: 'scanner' } };

describe('objects of dynamic resource allocation', () => {
  test('a claim asks for one device when it does not say how many, and begins without an allocation', () => {
    const cluster = shop();
    const stored = objectOf(create(cluster, { ...claim([ONE]), status: { reservedFor: [{ resource: 'pods', name: 'web', uid: 'x' }] } }));
    expect(dig(stored, 'spec', 'devices', 'requests', 0, 'exactly')).toEqual({
      deviceClassName: 'scanner',
      allocationMode: 'ExactCount',
      count: 1,
    });
    expect(stored['status']).toEqual({});
  });

  test.each<[string, JsonObject, string]>([
    [
      'a request of no kind',
      claim([{ name: 'scanner' }]),
      'spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
    ],
    [
      'a request of two kinds',
      claim([{ ...ONE, firstAvailable: [{ name: 'any', deviceClassName: 'scanner' }] }]),
      'spec.devices.requests[0]: Invalid value: null: exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set',
    ],
    [
      'a request without class',
      claim([{ name: 'scanner', exactly: {} }]),
      'spec.devices.requests[0].exactly.deviceClassName: Required value',
    ],
    [
      'all of them, and a count',
      claim([{ name: 'scanner', exactly: { deviceClassName: 'scanner', allocationMode: 'All', count: 2 } }]),
      "spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'",
    ],
    [
      'an unknown mode',
      claim([{ name: 'scanner', exactly: { deviceClassName: 'scanner', allocationMode: 'Some' } }]),
      'spec.devices.requests[0].exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"',
    ],
    [
      'a constraint on a request it does not have',
      claim([ONE], { constraints: [{ requests: ['till'], matchAttribute: 'scanner.shop.example/model' }] }),
      'spec.devices.constraints[0].requests[0]: Invalid value: "till": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
    ],
    [
      'a constraint on an attribute of no domain',
      claim([ONE], { constraints: [{ matchAttribute: 'model' }] }),
      'spec.devices.constraints[0].matchAttribute: Invalid value: "model": a fully qualified name must be a domain and a name separated by a slash',
    ],
    ['one request twice', claim([ONE, ONE]), 'spec.devices.requests[1]: Duplicate value: "scanner"'],
    [
      'more requests than there may be, of which nothing else is said',
      claim(Array.from({ length: 33 }, () => ONE)),
      'spec.devices.requests: Too many: 33: must have at most 32 items',
    ],
    [
      'parameters that are no object',
      claim([ONE], { config: [{ opaque: { driver: 'scanner.shop.example', parameters: [1] } }] }),
      'spec.devices.config[0].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
    ],
    [
      'an expression that names nothing',
      claim([{ name: 'scanner', exactly: { deviceClassName: 'scanner', selectors: [{ cel: { expression: 'devic.driver == "x"' } }] } }]),
      `spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: "devic.driver == \\"x\\"": compilation failed: ERROR: <input>:1:1: undeclared reference to 'devic' (in container '')\n | devic.driver == "x"\n | ^`,
    ],
    [
      'devices others use',
      claim([{ name: 'scanner', exactly: { deviceClassName: 'scanner', adminAccess: true } }]),
      'spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace',
    ],
  ])('a claim with %s is refused', (_, object, words) => {
    expect(failureOf(create(shop(), object))).toMatchObject({
      code: 422,
      message: `ResourceClaim.resource.k8s.io "counter" is invalid: ${words}`,
    });
  });

  test('a request tolerates a taint of any key by its value alone', () => {
    const toleration = { operator: 'Equal', value: 'yes' };
    expect(create(shop(), claim([{ name: 'scanner', exactly: { deviceClassName: 'scanner', tolerations: [toleration] } }])).ok).toBe(true);
    expect(toleratesDeviceTaint(toleration, { key: 'broken', value: 'yes', effect: 'NoSchedule' })).toBe(true);
    expect(toleratesDeviceTaint(toleration, { key: 'broken', value: 'no', effect: 'NoSchedule' })).toBe(false);
  });

  test('a class stands for no resource a container has anyway', () => {
    expect(failureOf(create(shop(), { ...CLASS, spec: { extendedResourceName: 'kubernetes.io/gpu' } })).message).toBe(
      'DeviceClass.resource.k8s.io "scanner" is invalid: spec.extendedResourceName: Invalid value: "kubernetes.io/gpu": must be a valid extended resource name',
    );
  });

  test('of a claim that is changed only the change is looked at', () => {
    const cluster = shop();
    create(cluster, claim([ONE]));
    const message = failureOf(
      send(cluster, 'patch', 'ResourceClaim', 'counter', {
        patch: { type: 'merge', body: { spec: { devices: { requests: [{ name: '' }] } } } },
      }),
    ).message;
    expect(message).toMatch(/^ResourceClaim\.resource\.k8s\.io "counter" is invalid: spec: Invalid value: [^\n]*: field is immutable$/);
    expect(message).not.toContain('Required');
  });

  test('what is in a claim of a device it was not given is refused, and so is a result for no request', () => {
    const cluster = shop();
    create(cluster, claim([ONE]));
    const status = (body: JsonObject) =>
      failureOf(
        send(cluster, 'patch', 'ResourceClaim', 'counter', { subresource: 'status', patch: { type: 'merge', body: { status: body } } }),
      ).message;
    const device = { driver: 'scanner.shop.example', pool: 'worker-1', device: 'a' };
    expect(status({ devices: [device] })).toBe(
      'ResourceClaim.resource.k8s.io "counter" is invalid: status.devices[0]: Invalid value: {"Driver":"scanner.shop.example","Pool":"worker-1","Device":"a","ShareID":""}: must be an allocated device in the claim',
    );
    expect(status({ allocation: { devices: { results: [{ ...device, request: 'till' }] } } })).toBe(
      'ResourceClaim.resource.k8s.io "counter" is invalid: status.allocation.devices.results[0].request: Invalid value: "till": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
    );
  });

  test('what a claim asks for stays, and so does what it was given', () => {
    const cluster = shop();
    create(cluster, claim([ONE]));
    const body = { spec: { devices: { requests: [{ name: 'scanner', exactly: { deviceClassName: 'till' } }] } } };
    expect(failureOf(send(cluster, 'patch', 'ResourceClaim', 'counter', { patch: { type: 'merge', body } })).message).toMatch(
      /^ResourceClaim\.resource\.k8s\.io "counter" is invalid: spec: Invalid value: .*: field is immutable$/,
    );
    const status = (body: JsonObject) =>
      send(cluster, 'patch', 'ResourceClaim', 'counter', { subresource: 'status', patch: { type: 'merge', body: { status: body } } });
    expect(failureOf(status({ reservedFor: [{ resource: 'pods', name: 'web', uid: 'x' }] })).message).toBe(
      'ResourceClaim.resource.k8s.io "counter" is invalid: status.reservedFor: Forbidden: may not be specified when `allocated` is not set',
    );
    objectOf(
      status({
        allocation: { devices: { results: [{ request: 'scanner', driver: 'scanner.shop.example', pool: 'worker-1', device: 'a' }] } },
      }),
    );
    expect(
      failureOf(
        status({
          allocation: { devices: { results: [{ request: 'scanner', driver: 'scanner.shop.example', pool: 'worker-1', device: 'b' }] } },
        }),
      ).message,
    ).toContain('field is immutable');
  });

  test.each<[string, JsonObject, string]>([
    [
      'reachable from nowhere',
      slice({ devices: [{ name: 'a' }] }),
      'spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
    ],
    [
      'reachable in two ways',
      slice({ allNodes: true, nodeName: 'worker-1', devices: [] }),
      'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set',
    ],
    [
      'with one device twice',
      slice({ nodeName: 'worker-1', devices: [{ name: 'a' }, { name: 'a' }] }),
      'spec.devices[1]: Duplicate value: "a"',
    ],
    [
      'on a node with no name a node has',
      slice({ nodeName: 'Worker', devices: [] }),
      `spec.nodeName: Invalid value: "Worker": ${SUBDOMAIN}`,
    ],
    [
      'reachable where two terms hold',
      slice({ nodeSelector: { nodeSelectorTerms: [{}, {}] } }),
      'spec.nodeSelector.nodeSelectorTerms: Invalid value: [{},{}]: must have exactly one node selector term',
    ],
    [
      'with an attribute no expression can name',
      slice({ nodeName: 'worker-1', devices: [{ name: 'a', attributes: { 'a-b': { int: 1 } } }] }),
      `spec.devices[0].attributes: Invalid value: "a-b": ${IDENTIFIER}`,
    ],
    [
      'with an attribute of no values',
      slice({ nodeName: 'worker-1', devices: [{ name: 'a', attributes: { models: { strings: [] } } }] }),
      'spec.devices[0].attributes[models].strings: Invalid value: []: must not be empty if specified',
    ],
    [
      'on a node of no name',
      slice({ nodeName: '', devices: [] }),
      '[spec.nodeName: Invalid value: "": must be either unset or set to a non-empty string, spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required]',
    ],
    [
      'with a capacity of two domains',
      slice({ nodeName: 'worker-1', devices: [{ name: 'a', capacity: { 'a/b/c': { value: '1' } } }] }),
      'spec.devices[0].capacity: Invalid value: "a/b/c": must not contain more than one slash',
    ],
    [
      'with a policy of requests for a device that one alone has',
      slice({ nodeName: 'worker-1', devices: [{ name: 'a', capacity: { memory: { value: '1', requestPolicy: { default: '1' } } } }] }),
      'spec.devices[0].capacity[memory].requestPolicy: Forbidden: allowMultipleAllocations must be true',
    ],
    [
      'with a taint no label could be',
      slice({ nodeName: 'worker-1', devices: [{ name: 'a', taints: [{ key: 'broken', value: '-', effect: 'NoSchedule' }] }] }),
      `spec.devices[0].taints[0].value: Invalid value: "-": ${LABEL_VALUE}`,
    ],
    [
      'with more tainted devices than one may have',
      slice({
        nodeName: 'worker-1',
        devices: Array.from({ length: 65 }, (_, index) => ({
          name: `a${index}`,
          ...(index === 0 ? { taints: [{ key: 'broken', effect: 'NoSchedule' }] } : {}),
        })),
      }),
      'spec.devices: Too many: 65: must have at most 64 items',
    ],
    [
      'with a set of no counters',
      slice({ nodeName: 'worker-1', sharedCounters: [{ name: 'memory', counters: {} }] }),
      'spec.sharedCounters[0].counters: Required value',
    ],
    [
      'with conditions for attaching and none for failing',
      slice({ nodeName: 'worker-1', devices: [{ name: 'a', bindingConditions: ['attached'] }] }),
      'spec.devices[0].bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions',
    ],
    [
      'of a driver whose name is too long',
      slice({ driver: `${'a'.repeat(64)}.example`, nodeName: 'worker-1' }),
      'spec.driver: Too long: may not be more than 63 bytes',
    ],
    [
      'with a version that is none',
      slice({ nodeName: 'worker-1', devices: [{ name: 'a', attributes: { firmware: { version: '1.2' } } }] }),
      'spec.devices[0].attributes[firmware].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0',
    ],
  ])('a slice %s is refused', (_, object, words) => {
    expect(failureOf(create(shop(), object))).toMatchObject({
      code: 422,
      message: `ResourceSlice.resource.k8s.io "worker-1-scanners" is invalid: ${words}`,
    });
  });

  test('a pod that says of its claim neither where it is nor of what it is made, or names one it does not have, is refused', () => {
    const refused = (claims: readonly JsonObject[], uses: readonly JsonObject[] = []) =>
      failureOf(
        create(
          shop(),
          withPath(
            pod('web', { resourceClaims: claims }),
            ['spec', 'containers'],
            [{ name: 'web', image: 'shop/web:1.0', resources: { claims: uses } }],
          ),
        ),
      ).message;
    expect(refused([{ name: 'scanner' }])).toBe(
      'Pod "web" is invalid: spec.resourceClaims[0]: Invalid value: {"Name":"scanner","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    );
    expect(refused([{ name: 'scanner', resourceClaimName: 'counter' }], [{ name: 'till' }])).toBe(
      'Pod "web" is invalid: spec.containers[0].resources.claims[0]: Not found: "till": must be one of the names in pod.spec.resourceClaims: scanner',
    );
  });

  test('kinds without trouble are stored', () => {
    const cluster = shop();
    for (const object of [
      CLASS,
      slice({
        nodeName: 'worker-1',
        devices: [{ name: 'a', attributes: { model: { string: 'laser' } }, capacity: { memory: { value: '8Gi' } } }],
      }),
    ])
      expect(create(cluster, object).ok).toBe(true);
    const template = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaimTemplate',
      metadata: { name: 'scanner', namespace: 'shop' },
      spec: { spec: { devices: { requests: [ONE] } } },
    };
    expect(dig(objectOf(create(cluster, template)), 'spec', 'spec', 'devices', 'requests', 0, 'exactly', 'count')).toBe(1);
  });
});

describe('an expression about devices', () => {
  const device = {
    name: 'a',
    attributes: {
      model: { string: 'laser' },
      year: { int: 2024 },
      firmware: { version: '1.10.0-rc.1' },
      'other.example/indoor': { bool: true },
    },
    capacity: { memory: { value: '8Gi' } },
  };

  test.each<[string, boolean | { readonly error: string }]>([
    ['device.driver == "scanner"', true],
    ['device.attributes["scanner"].model == "laser" && device.attributes["scanner"].year >= 2024', true],
    ['device.attributes["other.example"].indoor', true],
    ['has(device.attributes["scanner"].weight)', false],
    ['!has(device.attributes["nobody.example"].weight) || device.attributes["nobody.example"].weight > 3', true],
    ['device.attributes["scanner"].?weight.orValue(1) == 1', true],
    ['device.attributes["scanner"].firmware.compareTo(semver("1.10.0")) < 0', true],
    ['device.attributes["scanner"].firmware.isGreaterThan(semver("1.9.3"))', true],
    ['cel.bind(own, device.attributes["scanner"], own.model == "laser" && own.year == 2024)', true],
    ['device.capacity["scanner"].memory.compareTo(quantity("16Gi")) >= 0', false],
    [
      'device.attributes["nobody.example"].weight > 3',
      { error: 'no such key: weight. Consider using CEL optional chaining (?), has() macro, or orValue() for optional fields' },
    ],
  ])('%s', (expression, outcome) => {
    expect(deviceMatches(expression, 'scanner', device)).toEqual(outcome);
  });
});
