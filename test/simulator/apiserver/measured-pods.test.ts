import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { create, failureOf, objectOf, pod, send, shop } from '../shop.ts';

/** What `npm run differ -- --each` found about pods that a real API server (1.36) answers. */
const OUTSIDE = { tracksFields: true, manager: 'hand' } as const;
const container = (more: JsonObject): JsonObject => ({ containers: [{ name: 'web', image: 'shop/web:1.0', ...more }] });
const made = (spec: JsonObject): JsonObject => objectOf(create(shop(), pod('web', spec), OUTSIDE));
const refused = (spec: JsonObject): string => failureOf(create(shop(), pod('web', spec), OUTSIDE)).message;

describe('resources of a whole pod', () => {
  test.each<[what: string, resources: JsonObject, more: JsonObject, requests: Json]>([
    ['are asked for as far as they are limited', { limits: { cpu: '100m', memory: '64Mi' } }, {}, { cpu: '100m', memory: '64Mi' }],
    [
      'are asked for as its containers ask for them',
      { limits: { cpu: '500m' } },
      container({ resources: { requests: { cpu: '200m' } } }),
      { cpu: '200m' },
    ],
    ['stay as they are given', { limits: { cpu: '500m' }, requests: { cpu: '300m' } }, {}, { cpu: '300m' }],
  ])('%s', (_, resources, more, requests) => {
    expect(dig(made({ resources, ...more }), 'spec', 'resources', 'requests')).toEqual(requests);
  });

  test.each<[resources: JsonObject, wanted: string]>([
    [{ requests: { cpu: '2' } }, 'Burstable'],
    [{ limits: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'],
    [{ limits: { cpu: '1' } }, 'Burstable'],
  ])('%j decide its class', (resources, wanted) => {
    expect(dig(made({ resources }), 'status', 'qosClass')).toBe(wanted);
  });
});

describe('an odd value', () => {
  test('of an address of a port is warned of', () => {
    const { warnings } = create(shop(), pod('web', container({ ports: [{ containerPort: 80, hostIP: '127.0.0.1' }] })), OUTSIDE);
    expect(warnings).toEqual([
      'spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:127.0.0.1}',
    ]);
  });

  test('of memory that no 64 bits of thousandths hold is warned of as a fraction', () => {
    const { warnings } = create(shop(), pod('web', container({ resources: { requests: { memory: '123456789012345678' } } })), OUTSIDE);
    expect(warnings).toEqual([
      'spec.containers[0].resources.requests[memory]: fractional byte value "123456789012345678" is invalid, must be an integer',
    ]);
  });

  test('of an image whose name is not read has no tag', () => {
    expect(dig(made(container({ image: 'Shop' })), 'spec', 'containers', 0, 'imagePullPolicy')).toBe('IfNotPresent');
  });

  test.each<[what: string, spec: JsonObject, words: string]>([
    ['overhead', { overhead: { cpu: '1' } }, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'],
    ['overhead of no resource', { overhead: { a: '1' } }, 'spec.overhead.limits[a]: Invalid value: "a"'],
    ['a RuntimeClass', { runtimeClassName: '/srv' }, `invalid resource name "/srv": [may not contain '/']`],
    [
      'an account',
      { serviceAccountName: '/srv' },
      `error looking up service account shop//srv: invalid resource name "/srv": [may not contain '/']`,
    ],
    ['names of containers', { containers: [{}, {}] }, 'spec.containers[1].name: Duplicate value: ""'],
  ])('of %s is refused', (_, spec, words) => {
    expect(refused(spec)).toContain(words);
  });

  test('of a change is told as often as it is looked at', () => {
    const cluster = shop();
    create(cluster, pod('web'), OUTSIDE);
    const causesOf = (spec: JsonObject): Json | undefined => {
      const patch = { type: 'merge' as const, body: { spec } };
      return dig(failureOf(send(cluster, 'patch', 'Pod', 'web', { patch, ...OUTSIDE })).status, 'details', 'causes');
    };
    const deadline = (from: number): JsonObject => ({
      reason: 'FieldValueInvalid',
      message: `Invalid value: 9007199254740992: must be between ${from} and 2147483647, inclusive`,
      field: 'spec.activeDeadlineSeconds',
    });
    expect(causesOf({ activeDeadlineSeconds: 9_007_199_254_740_992 })).toEqual([deadline(1), deadline(0)]);
    expect(causesOf({ tolerations: [{ key: 'a b', operator: 'Exists' }] })).toHaveLength(2);
    expect(causesOf({ ephemeralContainers: [{ name: 'look', image: 'shop/look:1.0' }] })).toEqual([
      expect.objectContaining({ message: expect.stringContaining('+   "TargetContainerName": ""') as string }),
    ]);
  });

  test('of a deadline can only become less', () => {
    const cluster = shop();
    create(cluster, pod('web', { activeDeadlineSeconds: 60 }), OUTSIDE);
    const changed = (activeDeadlineSeconds: number | null) =>
      send(cluster, 'patch', 'Pod', 'web', { patch: { type: 'merge', body: { spec: { activeDeadlineSeconds } } }, ...OUTSIDE });
    expect(changed(30).ok).toBe(true);
    expect(failureOf(changed(40)).message).toContain('Invalid value: 40: must be less than or equal to previous value');
    expect(failureOf(changed(null)).message).toContain('Invalid value: null: must not update from a positive integer to nil value');
  });
});
