import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { ClusterChanger, WriteRequest, Written } from '../../src/model/cluster-changer.ts';
import type { ClusterReader, Read } from '../../src/model/cluster-reader.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { sendWrite, tryWrite, unchanged } from '../../src/runbook/send-write.ts';

const REF = { kind: 'Deployment', namespace: 'shop', name: 'web' };

function web(spec: JsonObject = { replicas: 2 }, metadata: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid: 'web-1', resourceVersion: '7', ...metadata },
    spec,
  };
}

const PATCH: WriteRequest = { verb: 'patch', apiVersion: 'apps/v1', ...REF, patch: { type: 'merge', body: { spec: { replicas: 3 } } } };
const EVICTION: WriteRequest = { verb: 'create', kind: 'Pod', namespace: 'shop', name: 'web-1', subresource: 'eviction' };
const ABSENT: Read<KubeObject> = { ok: false, why: 'absent', detail: 'not found' };

function refused(reason: string, isUnknown?: true): Written {
  return { ok: false, reason, message: `${reason}.`, ...(isUnknown === undefined ? {} : { isUnknown }) };
}

interface World {
  readonly answers: readonly Written[];
  /** What is read, one after another; the last one again and again. */
  readonly reads?: readonly Read<KubeObject>[];
  readonly signal?: AbortSignal;
}

interface Sent {
  readonly ports: Parameters<typeof sendWrite>[2];
  readonly sent: WriteRequest[];
  readonly pauses: number[];
}

function world({ answers, reads = [{ ok: true, value: web() }], signal = new AbortController().signal }: World): Sent {
  const [leftAnswers, leftReads] = [[...answers], [...reads]];
  const [sent, pauses]: [WriteRequest[], number[]] = [[], []];
  let elapsed = 0;
  const next = <T>(list: T[]): T => (list.length > 1 ? (list.shift() as T) : (list[0] as T));
  const changer: ClusterChanger = {
    send: (request) => {
      sent.push(request);
      return Promise.resolve(next(leftAnswers));
    },
    allowed: () => Promise.resolve(true),
  };
  const reader = { get: () => Promise.resolve(next(leftReads)) } as unknown as ClusterReader;
  const pause = (milliseconds: number): Promise<void> => {
    pauses.push(milliseconds);
    elapsed += milliseconds;
    return Promise.resolve();
  };
  return { ports: { reader, changer, elapsed: () => elapsed, pause, signal }, sent, pauses };
}

interface Came extends Omit<Sent, 'ports'> {
  readonly came: Awaited<ReturnType<typeof sendWrite>>;
}

async function send(given: World, request: WriteRequest = PATCH, before: KubeObject | 'none' = web(), limit = 60_000): Promise<Came> {
  const { ports, sent, pauses } = world(given);
  const ref = { kind: request.kind, namespace: 'shop', name: request.name };
  const write = { ref, request, before: before === 'none' ? undefined : before };
  return { came: await sendWrite(write, limit, ports), sent, pauses };
}

const DONE: Written = { ok: true, object: web({ replicas: 3 }) };

describe('a write that was confirmed', () => {
  it('goes with the version that was read just before, for a pod with none', async () => {
    const { came, sent } = await send({ answers: [DONE] });
    expect(came).toEqual({ sent: 'done', object: web({ replicas: 3 }) });
    expect(sent).toEqual([{ ...PATCH, resourceVersion: '7' }]);
    const pod = { ...web(), kind: 'Pod' };
    const ofPod = { ...PATCH, kind: 'Pod' };
    expect((await send({ answers: [DONE], reads: [{ ok: true, value: pod }] }, ofPod, pod)).sent).toEqual([ofPod]);
    const status = { ...PATCH, subresource: 'status' };
    expect((await send({ answers: [DONE] }, status)).sent).toEqual([status]);
  });

  it('is not sent when the object is another than was shown', async () => {
    const changed = await send({ answers: [DONE], reads: [{ ok: true, value: web({ replicas: 5 }) }] });
    expect(changed.came).toMatchObject({
      sent: 'drifted',
      why: expect.stringContaining('Deployment/shop/web has changed since it was shown') as string,
    });
    expect(changed.sent).toEqual([]);
  });

  it('is tried four times while others change the object, and at once', async () => {
    const { came, sent, pauses } = await send({ answers: [refused('Conflict')] });
    expect([came, sent.length, pauses]).toEqual([{ sent: 'refused', reason: 'Conflict', message: 'Conflict.' }, 4, []]);
    expect((await send({ answers: [refused('Conflict'), DONE] })).came).toMatchObject({ sent: 'done' });
  });

  it('gives a busy server more time at each attempt', async () => {
    const { sent, pauses } = await send({ answers: [refused('TooManyRequests')] });
    expect([sent.length, pauses]).toEqual([4, [1000, 2000, 3000, 4000]]);
  });

  it('is sent once when it is refused', async () => {
    const { came, sent } = await send({ answers: [refused('Forbidden')] });
    expect([came, sent.length]).toEqual([{ sent: 'refused', reason: 'Forbidden', message: 'Forbidden.' }, 1]);
  });

  it('is tried until the limit where a disruption budget holds an eviction back', async () => {
    const pod = { ...web(), kind: 'Pod' };
    const held = await send({ answers: [refused('TooManyRequests')], reads: [{ ok: true, value: pod }] }, EVICTION, pod, 21_000);
    expect([held.came.sent, held.sent.length, held.pauses]).toEqual(['refused', 5, [5000, 5000, 5000, 5000]]);
  });

  it('is done where an answer was lost and the object says so', async () => {
    const lost = refused('Timeout', true);
    const seen = { ok: true, value: web({ replicas: 3 }) } as const;
    expect((await send({ answers: [lost], reads: [{ ok: true, value: web() }, seen] })).came).toEqual({ sent: 'done', object: seen.value });
  });

  it('is unknown where nothing tells, and sent again where it certainly was not done', async () => {
    const lost = refused('Timeout', true);
    const unread: Read<KubeObject> = { ok: false, why: 'forbidden', detail: 'no' };
    expect((await send({ answers: [lost], reads: [{ ok: true, value: web() }, unread] })).came).toMatchObject({
      sent: 'unknown',
      why: 'Timeout. Deployment/shop/web could not be read: no',
    });
    const create: WriteRequest = { verb: 'create', ...REF, body: { spec: { replicas: 3 } } };
    const again = await send({ answers: [lost, DONE], reads: [ABSENT] }, create, 'none');
    expect([again.came.sent, again.sent.length]).toEqual(['done', 2]);
  });

  it('is not sent after Ctrl-C, nor where nothing can be changed', async () => {
    const { came, sent } = await send({ answers: [DONE], signal: AbortSignal.abort() });
    expect([came, sent]).toEqual([{ sent: 'interrupted', why: 'interrupted before it was sent' }, []]);
    const { ports } = world({ answers: [DONE] });
    expect(await sendWrite({ ref: REF, request: PATCH, before: web() }, 1000, { ...ports, changer: undefined })).toEqual({
      sent: 'refused',
      reason: '',
      message: 'this source cannot be changed',
    });
  });
});

describe('a dry run', () => {
  it('is asked for again while the server is busy or silent, four times', async () => {
    for (const answer of [refused('TooManyRequests'), refused('Timeout', true)]) {
      const { ports, sent, pauses } = world({ answers: [answer] });
      expect(await tryWrite(PATCH, ports)).toEqual(answer);
      expect([sent.length, pauses]).toEqual([4, [1000, 2000, 3000]]);
    }
    const { ports, sent } = world({ answers: [refused('Invalid')] });
    await tryWrite(PATCH, ports);
    expect(sent).toHaveLength(1);
    const held = world({ answers: [refused('TooManyRequests')] });
    await tryWrite(EVICTION, held.ports);
    expect(held.sent).toHaveLength(1);
  });
});

describe('an object that was shown', () => {
  const after = (now: Read<KubeObject>, before: KubeObject | undefined = web()): Promise<unknown> =>
    unchanged({ ref: REF, request: PATCH, before }, world({ answers: [], reads: [now] }).ports);

  it.each<readonly [string, Read<KubeObject>, KubeObject | undefined, unknown]>([
    ['is as it was', { ok: true, value: web() }, web(), web()],
    [
      'has another status and version',
      { ok: true, value: { ...web({ replicas: 2 }, { resourceVersion: '8' }), status: { a: 1 } } },
      web(),
      expect.anything(),
    ],
    ['is gone', ABSENT, web(), 'Deployment/shop/web is gone: another client deleted it'],
    ['cannot be read', { ok: false, why: 'failed', detail: 'no' }, web(), 'Deployment/shop/web could not be read again: no'],
    [
      'is another',
      { ok: true, value: web({ replicas: 2 }, { uid: 'web-2' }) },
      web(),
      'Deployment/shop/web is now another object of the same name',
    ],
    ['was made meanwhile', { ok: true, value: web() }, undefined, 'Deployment/shop/web now exists: another client created it'],
    ['is still to be made', ABSENT, undefined, undefined],
    ['to be made cannot be read', { ok: false, why: 'failed', detail: 'no' }, undefined, 'Deployment/shop/web could not be read again: no'],
  ])('%s', async (_, now, before, expected) => {
    const found = await unchanged({ ref: REF, request: PATCH, before }, world({ answers: [], reads: [now] }).ports);
    if (typeof found === 'object') expect(found).toEqual(now.ok ? now.value : undefined);
    else expect(found).toBe(expected);
  });

  it('may be a pod that others write to while it goes', async () => {
    const pod = { ...web(), kind: 'Pod' };
    const ports = world({ answers: [], reads: [{ ok: true, value: { ...pod, spec: { other: true } } }] }).ports;
    expect(await unchanged({ ref: { ...REF, kind: 'Pod' }, request: EVICTION, before: pod }, ports)).toMatchObject({
      spec: { other: true },
    });
    expect(await after({ ok: true, value: web({ other: true }) })).toMatch(/has changed since it was shown/);
  });
});
