import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { ago, collected, collectedLive, eventOn, evidenceOf, factsIn, objectOf } from '../../../support/collected.ts';

const NONE_FIT = '0/3 nodes are available: 3 cannot allocate all claims.';
const TAKEN = '0/3 nodes are available: 3 resourceclaim not available.';

/** A pod without a node that uses claims; `said` is what its scheduler says. */
function pending(
  uses: readonly JsonObject[],
  said: string | undefined,
  more: { readonly spec?: JsonObject; readonly status?: JsonObject } = {},
): KubeObject {
  const message = said === undefined ? {} : { message: said };
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', ...message }];
  return objectOf('Pod', 'photos-1', {
    spec: { containers: [{ name: 'photos' }], resourceClaims: [...uses], ...more.spec },
    status: { phase: 'Pending', conditions, ...more.status },
  });
}

const OWN = { name: 'camera', resourceClaimName: 'camera-1' };
const TEMPLATED = { name: 'camera', resourceClaimTemplateName: 'cameras' };

function request(name: string, deviceClassName: string, more: JsonObject = {}): JsonObject {
  return { name, exactly: { deviceClassName, ...more } };
}

function claim(requests: readonly JsonObject[], status: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return objectOf('ResourceClaim', 'camera-1', { spec: { devices: { requests: [...requests] } }, status }, metadata);
}

function slice(driver: string, ...devices: readonly string[]): KubeObject {
  return objectOf('ResourceSlice', `${driver}-rack`, {
    spec: { driver, pool: { name: 'rack' }, devices: devices.map((name) => ({ name })) },
  });
}

function deviceClass(name: string, driver: string, more: JsonObject = {}): KubeObject {
  return objectOf('DeviceClass', name, { spec: { selectors: [{ cel: { expression: `device.driver == "${driver}"` } }], ...more } });
}

function result(driver: string, device: string, more: JsonObject = {}): JsonObject {
  return { driver, pool: 'rack', device, ...more };
}

function allocated(...results: readonly JsonObject[]): JsonObject {
  return { allocation: { devices: { results: [...results] } } };
}

/** A claim of another pod that holds these devices. */
function held(...results: readonly JsonObject[]): KubeObject {
  return objectOf('ResourceClaim', 'held', { spec: {}, status: allocated(...results) });
}

const LENS = 'lens.shop.example';
const LENSES = deviceClass('lenses', LENS);
const claims = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('device-claim', objects);

describe('a claim for devices', () => {
  it('that does not exist is named with one that is named alike', async () => {
    const near = objectOf('ResourceClaim', 'camera-2', { spec: {} });
    expect(await claims(pending([OWN], NONE_FIT), near)).toEqual([
      { entry: 'camera', claim: 'camera-1', exists: false, obstacle: 'claim-not-found', similar: 'camera-2' },
    ]);
    const elsewhere = objectOf('ResourceClaim', 'camera-1', { spec: {} }, { namespace: 'till' });
    expect(await claims(pending([OWN], NONE_FIT), elsewhere)).toEqual([
      { entry: 'camera', claim: 'camera-1', exists: false, obstacle: 'claim-not-found' },
    ]);
  });

  it('that could not be read is a gap, and no missing claim', async () => {
    const { facts, gaps } = await evidenceOf([pending([OWN], NONE_FIT)], { refused: ['ResourceClaim'] });
    expect(facts.filter(({ kind }) => kind === 'device-claim')).toEqual([]);
    expect(gaps.filter(({ kind }) => kind === 'device-claim')).toMatchObject([
      { about: { name: 'photos-1' }, needs: 'list ResourceClaim' },
    ]);
  });

  it('of a class that does not exist names the request and the class that is named alike', async () => {
    const objects = [pending([OWN], NONE_FIT), claim([request('first', 'lenses'), request('second', 'lensez')]), LENSES];
    expect(await claims(...objects)).toEqual([
      {
        entry: 'camera',
        claim: 'camera-1',
        exists: true,
        allocated: false,
        obstacle: 'class-not-found',
        class: 'lensez',
        request: 'second',
        similar: 'lenses',
        said: NONE_FIT,
      },
    ]);
    const { gaps } = await evidenceOf(objects, { refused: ['DeviceClass'] });
    expect(gaps.filter(({ kind }) => kind === 'device-claim').length).toBeGreaterThan(0);
  });

  it.each<readonly [string, readonly KubeObject[], object]>([
    ['none are offered', [slice('other.shop.example', 'a')], { obstacle: 'none-offered', offered: 0, free: 0 }],
    ['none are free', [slice(LENS, 'a', 'b'), held(result(LENS, 'a'), result(LENS, 'b'))], { obstacle: 'none-free', offered: 2, free: 0 }],
    ['too few are free', [slice(LENS, 'a', 'b', 'c'), held(result(LENS, 'a'), result(LENS, 'b'))], { obstacle: 'none-free', free: 1 }],
    ['enough are free', [slice(LENS, 'a', 'b', 'c'), held(result(LENS, 'a'))], { obstacle: 'none-matching', offered: 3, free: 2 }],
    [
      'some are only watched',
      [slice(LENS, 'a', 'b'), held(result(LENS, 'a', { adminAccess: true }))],
      { obstacle: 'none-matching', free: 2 },
    ],
    ['those of another driver are held', [slice(LENS, 'a', 'b'), held(result('other.shop.example', 'a'))], { free: 2 }],
  ])('has no devices where %s', async (_, objects, expected) => {
    const wants = claim([request('lens', 'lenses', { count: 2 })]);
    expect(await claims(pending([OWN], NONE_FIT), wants, LENSES, ...objects)).toMatchObject([
      { class: 'lenses', request: 'lens', wanted: 2, driver: LENS, allocated: false, said: NONE_FIT, ...expected },
    ]);
  });

  it('wants one device where it does not say how many, of all requests together, and the last of alternatives', async () => {
    const offered = [LENSES, deviceClass('mirrors', LENS), slice(LENS, 'a')];
    const wanted = async (...requests: readonly JsonObject[]): Promise<unknown> =>
      (await claims(pending([OWN], NONE_FIT), claim(requests), ...offered))[0];
    expect(await wanted(request('lens', 'lenses'))).toMatchObject({ wanted: 1, obstacle: 'none-matching' });
    expect(await wanted(request('lens', 'lenses'), request('more', 'mirrors', { count: 2 }))).toMatchObject({ wanted: 3, request: 'lens' });
    expect(await wanted({ name: 'lens', deviceClassName: 'lenses', count: 4 })).toMatchObject({ wanted: 4, class: 'lenses' });
    const firstAvailable = [
      { name: 'large', deviceClassName: 'lenses' },
      { name: 'small', deviceClassName: 'mirrors', count: 2 },
    ];
    expect(await wanted({ name: 'lens', firstAvailable })).toMatchObject({ class: 'mirrors', request: 'lens/small', wanted: 2 });
  });

  it('is not counted where the devices could not be read', async () => {
    const objects = [pending([OWN], NONE_FIT), claim([request('lens', 'lenses')]), LENSES];
    const evidence = await evidenceOf(objects, { refused: ['ResourceSlice'] });
    expect(factsIn(evidence, 'device-claim')[0]).not.toHaveProperty('obstacle');
    expect(evidence.gaps.filter(({ kind }) => kind === 'device-claim')).toMatchObject([{ about: { name: 'photos-1' } }]);
  });

  it('that another node has is elsewhere; one that the scheduler says nothing of has no obstacle', async () => {
    const nodeSelector = { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['worker-2'] }] }] };
    const taken = claim([request('lens', 'lenses')], { allocation: { nodeSelector, devices: { results: [] } } });
    expect(await claims(pending([OWN], TAKEN), taken, LENSES)).toMatchObject([
      { allocated: true, obstacle: 'elsewhere', node: 'worker-2' },
    ]);
    expect(await claims(pending([OWN], NONE_FIT), taken, LENSES)).toMatchObject([{ allocated: true, obstacle: 'none' }]);
    expect(await claims(pending([OWN], undefined), taken, LENSES)).toMatchObject([{ obstacle: 'none' }]);
    const free = claim([request('lens', 'lenses')]);
    expect(await claims(pending([OWN], TAKEN), free, LENSES)).toMatchObject([{ allocated: false, obstacle: 'none' }]);
  });

  it('that is being deleted holds a pod back that has no node yet', async () => {
    const deleted = claim([request('lens', 'lenses')], {}, { deletionTimestamp: ago(60) });
    expect(await claims(pending([OWN], NONE_FIT), deleted, LENSES)).toMatchObject([{ obstacle: 'deleting' }]);
    const placed = pending([OWN], NONE_FIT, { spec: { nodeName: 'worker-1' } });
    expect(await claims(placed, deleted, LENSES)).toMatchObject([{ obstacle: 'none' }]);
  });

  it('waits until the conditions of each of its devices are true', async () => {
    const needs = (type: string, device = 'a'): JsonObject => result(LENS, device, { bindingConditions: [type] });
    const status = (results: readonly JsonObject[], devices: readonly JsonObject[]): JsonObject => ({
      ...allocated(...results),
      devices: [...devices],
    });
    const told = (device: string, type: string, value: string): JsonObject =>
      result(LENS, device, { conditions: [{ type, status: value }] });
    const waits = async (results: readonly JsonObject[], devices: readonly JsonObject[]): Promise<unknown> =>
      (await claims(pending([OWN], undefined), claim([request('lens', 'lenses')], status(results, devices)), LENSES))[0];
    const attached = { obstacle: 'none' };
    const missing = { obstacle: 'not-attached', driver: LENS };
    expect(await waits([needs('Attached')], [told('a', 'Attached', 'True')])).toMatchObject(attached);
    expect(await waits([needs('Attached')], [told('a', 'Attached', 'False')])).toMatchObject(missing);
    expect(await waits([needs('Attached')], [told('a', 'Ready', 'True')])).toMatchObject(missing);
    expect(await waits([needs('Attached')], [told('b', 'Attached', 'True')])).toMatchObject(missing);
    expect(await waits([needs('Attached')], [])).toMatchObject(missing);
    expect(await waits([needs('A'), needs('B', 'b')], [told('a', 'A', 'True'), told('b', 'B', 'False')])).toMatchObject(missing);
    expect(await waits([result(LENS, 'a')], [])).toMatchObject(attached);
  });

  it('is quoted with what was counted, or what it waits for', async () => {
    const quote = async (...objects: readonly KubeObject[]): Promise<unknown> =>
      (await evidenceOf(objects)).facts.find(({ kind }) => kind === 'device-claim')?.quote;
    const wants = claim([request('lens', 'lenses')]);
    expect(await quote(pending([OWN], undefined), wants)).toBe('camera-1 is there');
    const unattached = claim([], { ...allocated(result(LENS, 'a', { bindingConditions: ['Attached'] })) });
    expect(await quote(pending([OWN], undefined), unattached)).toBe(`camera-1: devices of ${LENS} wait to be attached`);
    expect(await quote(pending([OWN], NONE_FIT), wants, LENSES, slice(LENS, 'a'))).toBe(NONE_FIT);
    const deleted = claim([], {}, { deletionTimestamp: ago(60) });
    expect(await quote(pending([OWN], undefined), deleted)).toBe('camera-1: deleting');
  });

  it('matters to a pod that is not ready and has not ended', async () => {
    const missing = (status: JsonObject): Promise<readonly unknown[]> =>
      claims(pending([OWN], undefined, { status }), objectOf('ResourceClaim', 'held', {}));
    expect(await missing({ conditions: [{ type: 'Ready', status: 'True' }], phase: 'Running' })).toEqual([]);
    expect(await missing({ phase: 'Succeeded' })).toEqual([]);
    expect(await missing({ phase: 'Failed' })).toEqual([]);
    expect(await missing({ conditions: [{ type: 'Ready', status: 'False' }], phase: 'Running' })).toHaveLength(1);
  });
});

describe('a claim that is made from a template', () => {
  const template = (name: string): KubeObject => objectOf('ResourceClaimTemplate', name, { spec: {} });
  const refused = (words: string): KubeObject =>
    eventOn(pending([TEMPLATED], undefined), 'FailedResourceClaimCreation', `PodResourceClaim camera: ${words}`, 5);

  it('is not made where its template does not exist', async () => {
    expect(await claims(pending([TEMPLATED], undefined), template('camera'))).toEqual([
      { entry: 'camera', template: 'cameras', exists: false, templateExists: false, obstacle: 'template-not-found', similar: 'camera' },
    ]);
  });

  it('is not made where somebody refuses it, in the words of the controller', async () => {
    const objects = [pending([TEMPLATED], undefined), template('cameras')];
    expect(await claims(...objects, refused('exceeded quota: devices'))).toEqual([
      { entry: 'camera', template: 'cameras', exists: false, templateExists: true, obstacle: 'not-made', said: 'exceeded quota: devices' },
    ]);
    expect(await claims(...objects)).toEqual([
      { entry: 'camera', template: 'cameras', exists: false, templateExists: true, obstacle: 'not-made' },
    ]);
  });

  it('is not judged where templates could not be read', async () => {
    const { facts, gaps } = await evidenceOf([pending([TEMPLATED], undefined)], { refused: ['ResourceClaimTemplate'] });
    expect(facts.filter(({ kind }) => kind === 'device-claim')).toEqual([]);
    expect(gaps.filter(({ kind }) => kind === 'device-claim')).toHaveLength(1);
  });

  it('has the name that the status of the pod tells', async () => {
    const resourceClaimStatuses = [
      { name: 'other', resourceClaimName: 'other-1' },
      { name: 'camera', resourceClaimName: 'camera-1' },
    ];
    const made = pending([TEMPLATED], undefined, { status: { resourceClaimStatuses } });
    expect(await claims(made, claim([]))).toMatchObject([{ claim: 'camera-1', template: 'cameras', exists: true, obstacle: 'none' }]);
  });
});

describe('an extended resource that a class of devices stands for', () => {
  const asking = (resource: string, amount: string, more: Parameters<typeof pending>[2] = {}): KubeObject => {
    const containers = [{ name: 'photos', resources: { requests: { cpu: '1', [resource]: amount } } }, { name: 'proxy' }];
    const pod = pending([], NONE_FIT, { ...more, spec: { containers, ...more.spec } });
    const { resourceClaims, ...spec } = pod['spec'] as JsonObject;
    return { ...pod, spec: Array.isArray(resourceClaims) && resourceClaims.length > 0 ? { ...spec, resourceClaims } : spec };
  };
  const named = deviceClass('lenses', LENS, { extendedResourceName: 'shop.example/lens' });

  it.each(['shop.example/lens', 'deviceclass.resource.kubernetes.io/lenses'])('is counted: %s', async (resource) => {
    const objects = [
      asking(resource, '2'),
      deviceClass('mirrors', 'mirror.shop.example'),
      named,
      slice(LENS, 'a', 'b'),
      held(result(LENS, 'a')),
    ];
    expect(await claims(...objects)).toEqual([
      {
        entry: resource,
        class: 'lenses',
        driver: LENS,
        exists: false,
        offered: 2,
        free: 1,
        wanted: 2,
        obstacle: 'none-free',
        said: NONE_FIT,
      },
    ]);
  });

  it('is none where no class has the name, the pod has claims of its own, or it is over', async () => {
    const offers = [named, slice(LENS, 'a'), held()];
    expect(await claims(asking('shop.example/mirror', '1'), ...offers)).toEqual([]);
    expect(await claims(asking('shop.example/lens', '1', { spec: { resourceClaims: [OWN] } }), ...offers)).toMatchObject([
      { claim: 'camera-1' },
    ]);
    expect(await claims(asking('shop.example/lens', '1', { status: { phase: 'Failed' } }), ...offers)).toEqual([]);
    const conditions = [{ type: 'PodScheduled', status: 'False', message: TAKEN }];
    expect(await claims(asking('shop.example/lens', '1', { status: { conditions } }), ...offers)).toEqual([]);
  });

  it('is not counted where classes or devices could not be read', async () => {
    for (const kind of ['DeviceClass', 'ResourceSlice', 'ResourceClaim']) {
      const objects = [asking('shop.example/lens', '1'), named, slice(LENS, 'a'), held()].filter((one) => one.kind !== kind);
      const evidence = await evidenceOf(objects, { refused: [kind] });
      expect(factsIn(evidence, 'device-claim')).toEqual([]);
      expect(evidence.gaps.filter((gap) => gap.kind === 'device-claim')).toMatchObject([{ needs: `list ${kind}` }]);
    }
  });
});

describe('devices that the kubelet prepares', () => {
  const REASON = 'FailedPrepareDynamicResources';
  const placed = (more: Parameters<typeof pending>[2] = {}): KubeObject =>
    pending([OWN], undefined, { ...more, spec: { nodeName: 'worker-1', ...more.spec } });
  const preparations = (pod: KubeObject, ...events: readonly KubeObject[]): ReturnType<typeof collected> =>
    collected('device-preparation', [pod, ...events]);

  it('have failed as the last event says, on the node of the pod', async () => {
    const events = [
      eventOn(placed(), REASON, 'the last', 5),
      eventOn(placed(), REASON, 'the first', 50),
      eventOn(placed(), 'FailedMount', 'other', 1),
    ];
    expect(await preparations(placed(), ...events)).toEqual([{ trouble: 'other', message: 'the last', node: 'worker-1' }]);
  });

  it('are well where nothing is said, or the pod is ready, has ended or has no node', async () => {
    const failed = eventOn(placed(), REASON, 'the last', 5);
    expect(await preparations(placed())).toEqual([]);
    const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
    const bare = objectOf('Pod', 'photos-1', { spec: { nodeName: 'worker-1' }, status: { phase: 'Pending' } });
    expect(await collectedLive('device-preparation', [bare, failed])).toEqual([]);
    expect(await collectedLive('device-preparation', [placed(), failed])).toHaveLength(1);
    expect(await preparations(bare, failed)).toHaveLength(1);
    for (const pod of [pending([OWN], undefined), placed({ status: { phase: 'Failed' } }), placed({ status: ready })])
      expect(await preparations(pod, failed)).toEqual([]);
  });
});
