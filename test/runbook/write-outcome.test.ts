import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { ClusterChanger, WriteRequest, Written } from '../../src/model/cluster-changer.ts';
import type { ClusterReader, Read } from '../../src/model/cluster-reader.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import type { Carried } from '../../src/runbook/write-outcome.ts';
import { carriedOut, holds } from '../../src/runbook/write-outcome.ts';

const REF = { kind: 'Deployment', namespace: 'shop', name: 'web' };
const ABSENT: Read<KubeObject> = { ok: false, why: 'absent', detail: 'not found' };

function web(spec: JsonObject = { replicas: 2 }, metadata: JsonObject = {}, more: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid: 'web-1', ...metadata },
    spec,
    ...more,
  };
}

/** What is said of a write to the object with the uid `web-1`, as the cluster is now. `tried` is the answer to a dry run. */
async function outcome(
  request: Partial<WriteRequest> | undefined,
  now: Read<KubeObject> | KubeObject,
  tried?: Written,
): Promise<{ readonly carried: Carried; readonly sent: readonly (readonly [WriteRequest, boolean])[] }> {
  const sent: (readonly [WriteRequest, boolean])[] = [];
  const read: Read<KubeObject> = 'ok' in now ? (now as Read<KubeObject>) : { ok: true, value: now };
  const reader = { get: () => Promise.resolve(read) } as unknown as ClusterReader;
  const changer: ClusterChanger = {
    send: (write, dryRun) => {
      sent.push([write, dryRun]);
      return Promise.resolve(tried ?? { ok: false, reason: 'Forbidden', message: 'no' });
    },
    allowed: () => Promise.resolve(true),
  };
  const whole: WriteRequest | undefined = request === undefined ? undefined : { verb: 'patch', ...REF, ...request };
  const carried = await carriedOut({ ref: REF, request: whole, uid: 'web-1' }, reader, tried === undefined ? undefined : changer);
  return { carried, sent };
}

const MERGE = { patch: { type: 'merge', body: { spec: { replicas: 3 } } } } as const;
const OPERATIONS = { patch: { type: 'json', body: [{ op: 'replace', path: '/spec/replicas', value: 3 }] } } as const;
const NOT = { was: 'not-carried-out' };

function unknown(why: string): Carried {
  return { was: 'unknown', why };
}

describe('a write that got no answer', () => {
  it.each<readonly [string, Partial<WriteRequest> | undefined, Read<KubeObject> | KubeObject, 'carried-out' | Carried | typeof NOT]>([
    ['a patch whose values are there', MERGE, web({ replicas: 3, paused: false }), 'carried-out'],
    [
      'a patch of another object of that name',
      MERGE,
      web({ replicas: 3 }, { uid: 'web-2' }),
      unknown('Deployment/shop/web is now another object of the same name'),
    ],
    ['a patch of an object that is gone', MERGE, ABSENT, unknown('Deployment/shop/web is gone')],
    [
      'a patch of an object that cannot be read',
      MERGE,
      { ok: false, why: 'forbidden', detail: 'no' },
      unknown('Deployment/shop/web could not be read: no'),
    ],
    ['a patch with a secret in it', undefined, web(), unknown('the intended value contains a secret and was not recorded')],
    ['a patch of a Secret', { ...MERGE, kind: 'Secret' }, web({ replicas: 3 }), unknown('values of a Secret are not read')],
    [
      'a patch of a subresource whose values are not there',
      { ...MERGE, subresource: 'scale' },
      web(),
      unknown('subresource scale cannot be compared'),
    ],
    ['a patch that nobody can try', MERGE, web(), unknown('the server did not return the difference')],
    ['an update', { verb: 'update' }, web(), unknown('an update leaves no separate trace')],
    ['a deletion after which nothing is there', { verb: 'delete' }, ABSENT, { was: 'carried-out', object: undefined }],
    ['a deletion after which another is there', { verb: 'delete' }, web({}, { uid: 'web-2' }), { was: 'carried-out', object: undefined }],
    [
      'a deletion that has begun',
      { verb: 'delete' },
      web({}, { deletionTimestamp: '2026-11-20T12:00:00Z' }),
      { was: 'carried-out', object: undefined },
    ],
    ['a deletion after which it is still there', { verb: 'delete' }, web(), NOT],
    [
      'an eviction after which nothing is there',
      { verb: 'create', subresource: 'eviction' },
      ABSENT,
      { was: 'carried-out', object: undefined },
    ],
    ['an eviction after which it is still there', { verb: 'create', subresource: 'eviction' }, web(), NOT],
    ['what was to be made and is not there', { verb: 'create', body: { spec: {} } }, ABSENT, NOT],
    [
      'what was to be made and is there as it was meant',
      { verb: 'create', body: { spec: { replicas: 2 } } },
      web({ replicas: 2 }, { uid: 'new' }),
      'carried-out',
    ],
  ])('%s', async (_, request, now, expected) => {
    const { carried } = await outcome(request, now);
    expect(carried).toEqual(expected === 'carried-out' ? { was: 'carried-out', object: now } : expected);
  });

  it('was carried out where the server says that it would change nothing more', async () => {
    const { carried, sent } = await outcome(OPERATIONS, web(), { ok: true, object: web() });
    expect(carried).toEqual({ was: 'carried-out', object: web() });
    expect(sent).toEqual([[{ verb: 'patch', apiVersion: 'apps/v1', ...REF, ...OPERATIONS }, true]]);
    expect((await outcome(OPERATIONS, web(), { ok: true, object: web({ replicas: 3 }) })).carried).toEqual(NOT);
    expect((await outcome(OPERATIONS, web(), { ok: true, object: undefined })).carried).toEqual(
      unknown('the server did not return the difference'),
    );
    expect((await outcome(OPERATIONS, web(), { ok: false, reason: 'Forbidden', message: 'no' })).carried).toEqual(unknown('no'));
  });

  it('of an approval shows in its condition', async () => {
    const request = (conditions: readonly JsonObject[]): KubeObject => web({}, {}, { status: { conditions } });
    const came = async (...conditions: readonly JsonObject[]): Promise<unknown> =>
      (await outcome({ verb: 'update', subresource: 'approval' }, request(conditions))).carried.was;
    expect([
      await came({ type: 'Failed', status: 'True' }, { type: 'Approved', status: 'True' }),
      await came({ type: 'Approved', status: 'False' }),
      await came({ type: 'Denied', status: 'True' }),
      await came(),
    ]).toEqual(['carried-out', 'not-carried-out', 'not-carried-out', 'not-carried-out']);
  });
});

describe('what a merge patch says', () => {
  it.each<readonly [JsonObject, JsonObject, boolean]>([
    [{ a: 1, b: { c: 2, d: 3 } }, { b: { c: 2 } }, true],
    [{ a: 1, b: { c: 2 } }, { a: 1, b: { c: 3 } }, false],
    [{ a: 1 }, { b: null }, true],
    [{ a: 1, b: null }, { b: null }, true],
    [{ b: 1 }, { b: null }, false],
    [{ list: [1, 2] }, { list: [1, 2] }, true],
    [{ list: [1, 2] }, { list: [1] }, false],
    [{}, { a: { b: 1 } }, false],
    [{ a: 1 }, {}, true],
  ])('of %j holds of %j: %s', (value, patch, expected) => expect(holds(value, patch)).toBe(expected));
});
