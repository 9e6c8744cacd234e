import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import { deviceMatches } from '../../../src/simulator/apiserver/cel/devices.ts';
import { create, failureOf, objectOf, pod, send, shop } from '../shop.ts';

const CLASS = { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'scanner' }, spec: {} };

function claim(requests: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'counter', namespace: 'shop' }, spec: { devices: { requests, ...more } } };
}

function slice(spec: JsonObject): JsonObject {
  return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: 'worker-1-scanners' }, spec: { driver: 'scanner.shop.example', pool: { name: 'worker-1', generation: 1, resourceSliceCount: 1 }, ...spec } };
}

const ONE = { name: 'scanner', exactly: { deviceClassName: 'scanner' } };

describe('objects of dynamic resource allocation', () => {
  test('a claim asks for one device when it does not say how many, and begins without an allocation', () => {
    const cluster = shop();
    const stored = objectOf(create(cluster, { ...claim([ONE]), status: { reservedFor: [{ resource: 'pods', name: 'web', uid: 'x' }] } }));
    expect(dig(stored, 'spec', 'devices', 'requests', 0, 'exactly')).toEqual({ deviceClassName: 'scanner', allocationMode: 'ExactCount', count: 1 });
    expect(stored['status']).toEqual({});
  });

  test.each<[string, JsonObject, string]>([
    ['a request of no kind', claim([{ name: 'scanner' }]), 'spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required'],
    ['a request of two kinds', claim([{ ...ONE, firstAvailable: [{ name: 'any', deviceClassName: 'scanner' }] }]), 'spec.devices.requests[0]: Invalid value: "null": exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set'],
    ['a request without class', claim([{ name: 'scanner', exactly: {} }]), 'spec.devices.requests[0].exactly.deviceClassName: Required value'],
    ['all of them, and a count', claim([{ name: 'scanner', exactly: { deviceClassName: 'scanner', allocationMode: 'All', count: 2 } }]), "spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'"],
    ['an unknown mode', claim([{ name: 'scanner', exactly: { deviceClassName: 'scanner', allocationMode: 'Some' } }]), 'spec.devices.requests[0].exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"'],
    ['a constraint on a request it does not have', claim([ONE], { constraints: [{ requests: ['till'], matchAttribute: 'scanner.shop.example/model' }] }), "spec.devices.constraints[0].requests[0]: Invalid value: \"till\": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"],
    ['an expression that names nothing', claim([{ name: 'scanner', exactly: { deviceClassName: 'scanner', selectors: [{ cel: { expression: 'devic.driver == "x"' } }] } }]), `spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: "devic.driver == \\"x\\"": compilation failed: ERROR: <input>:1:1: undeclared reference to 'devic' (in container '')\n | devic.driver == "x"\n | ^`],
    ['devices others use', claim([{ name: 'scanner', exactly: { deviceClassName: 'scanner', adminAccess: true } }]), 'spec.devices.requests[0].exactly.adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace'],
  ])('a claim with %s is refused', (_, object, words) => {
    expect(failureOf(create(shop(), object))).toMatchObject({ code: 422, message: `ResourceClaim.resource.k8s.io "counter" is invalid: ${words}` });
  });

  test('what a claim asks for stays, and so does what it was given', () => {
    const cluster = shop();
    create(cluster, claim([ONE]));
    const body = { spec: { devices: { requests: [{ name: 'scanner', exactly: { deviceClassName: 'till' } }] } } };
    expect(failureOf(send(cluster, 'patch', 'ResourceClaim', 'counter', { patch: { type: 'merge', body } })).message).toMatch(/^ResourceClaim\.resource\.k8s\.io "counter" is invalid: spec: Invalid value: .*: field is immutable$/);
    const status = (body: JsonObject) => send(cluster, 'patch', 'ResourceClaim', 'counter', { subresource: 'status', patch: { type: 'merge', body: { status: body } } });
    expect(failureOf(status({ reservedFor: [{ resource: 'pods', name: 'web', uid: 'x' }] })).message).toBe('ResourceClaim.resource.k8s.io "counter" is invalid: status.reservedFor: Forbidden: may not be specified when `allocated` is not set');
    objectOf(status({ allocation: { devices: { results: [{ request: 'scanner', driver: 'scanner.shop.example', pool: 'worker-1', device: 'a' }] } } }));
    expect(failureOf(status({ allocation: { devices: { results: [{ request: 'scanner', driver: 'scanner.shop.example', pool: 'worker-1', device: 'b' }] } } })).message).toContain('field is immutable');
  });

  test.each<[string, JsonObject, string]>([
    ['reachable from nowhere', slice({ devices: [{ name: 'a' }] }), 'spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'],
    ['reachable in two ways', slice({ allNodes: true, nodeName: 'worker-1', devices: [] }), 'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set'],
    ['with one device twice', slice({ nodeName: 'worker-1', devices: [{ name: 'a' }, { name: 'a' }] }), 'spec.devices[1]: Duplicate value: {"name":"a"}'],
    ['with a version that is none', slice({ nodeName: 'worker-1', devices: [{ name: 'a', attributes: { firmware: { version: '1.2' } } }] }), 'spec.devices[0].attributes[firmware].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0'],
  ])('a slice %s is refused', (_, object, words) => {
    expect(failureOf(create(shop(), object))).toMatchObject({ code: 422, message: `ResourceSlice.resource.k8s.io "worker-1-scanners" is invalid: ${words}` });
  });

  test('a pod that says of its claim neither where it is nor of what it is made, or names one it does not have, is refused', () => {
    const refused = (claims: readonly JsonObject[], uses: readonly JsonObject[] = []) => failureOf(create(shop(), withPath(pod('web', { resourceClaims: claims }), ['spec', 'containers'], [{ name: 'web', image: 'shop/web:1.0', resources: { claims: uses } }]))).message;
    expect(refused([{ name: 'scanner' }])).toBe('Pod "web" is invalid: spec.resourceClaims[0]: Invalid value: {"name":"scanner"}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    expect(refused([{ name: 'scanner', resourceClaimName: 'counter' }], [{ name: 'till' }])).toBe('Pod "web" is invalid: spec.containers[0].resources.claims[0].name: Not found: "till"');
  });

  test('kinds without trouble are stored', () => {
    const cluster = shop();
    for (const object of [CLASS, slice({ nodeName: 'worker-1', devices: [{ name: 'a', attributes: { model: { string: 'laser' } }, capacity: { memory: { value: '8Gi' } } }] })]) expect(create(cluster, object).ok).toBe(true);
    const template = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: { name: 'scanner', namespace: 'shop' }, spec: { spec: { devices: { requests: [ONE] } } } };
    expect(dig(objectOf(create(cluster, template)), 'spec', 'spec', 'devices', 'requests', 0, 'exactly', 'count')).toBe(1);
  });
});

describe('an expression about devices', () => {
  const device = { name: 'a', attributes: { model: { string: 'laser' }, year: { int: 2024 }, firmware: { version: '1.10.0-rc.1' }, 'other.example/indoor': { bool: true } }, capacity: { memory: { value: '8Gi' } } };

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
    ['device.attributes["nobody.example"].weight > 3', { error: 'no such key: weight. Consider using CEL optional chaining (?), has() macro, or orValue() for optional fields' }],
  ])('%s', (expression, outcome) => {
    expect(deviceMatches(expression, 'scanner', device)).toEqual(outcome);
  });
});
