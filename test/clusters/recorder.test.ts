import { describe, expect, it } from 'vitest';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import { recorder } from '../../src/clusters/recorder.ts';
import { readRecording, writeRecording } from '../../src/clusters/recording.ts';
import type { ClusterReader, ListRead, Log, Read } from '../../src/model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../../src/model/kube-object.ts';
import { OBSERVED, formatRef } from '../../src/model/kube-object.ts';
import type { Json } from '../../src/base/json.ts';

const NOW = Date.parse('2027-01-01T00:00:00Z');
const WEB: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', namespace: 'shop', uid: 'u1', labels: { app: 'web' } },
  status: { phase: 'Running' },
};
const TILL: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'till-1', namespace: 'shop', uid: 'u2', labels: { app: 'till' } },
};
const LOGIN: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login', namespace: 'shop' }, [OBSERVED]: ['metadata'] };

interface Answers {
  readonly objects?: Readonly<Record<string, Read<KubeObject>>>;
  readonly lists?: Readonly<Record<string, ListRead>>;
  readonly logs?: Readonly<Record<string, Read<Log>>>;
}

function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

const ABSENT = { ok: false, why: 'absent', detail: 'not found' } as const;

/** Answers with what it is given; whatever else is asked is a mistake of the test. */
function source({ objects = {}, lists = {}, logs = {} }: Answers): ClusterReader {
  const answer = <T>(answers: Readonly<Record<string, T>>, key: string): Promise<T> => {
    const found = answers[key];
    return found === undefined ? Promise.reject(new Error(`${key} was not expected`)) : Promise.resolve(found);
  };
  return {
    get: (ref) => answer(objects, ref.uid === undefined ? formatRef(ref) : `${formatRef(ref)}#${ref.uid}`),
    list: (kind, scope) => answer(lists, [kind, scope.namespace, scope.labelSelector].join('|')),
    logs: (pod, container, { previous }) => answer(logs, [pod.name, container, previous].join('|')),
    now: () => NOW,
  };
}

/** What is asked once of a recorder, and then of its recording after it was written to a file and read again. */
async function replayed(answers: Answers, ask: (reader: ClusterReader) => Promise<unknown>): Promise<ClusterReader> {
  const recording = recorder(source(answers));
  await ask(recording.reader);
  const read = readRecording(JSON.parse(writeRecording(recording.evidence())) as Json);
  if (read === undefined) throw new Error('the recording cannot be read');
  return memoryReader(read);
}

const POD: ObjectRef = { kind: 'Pod', namespace: 'shop', name: 'web-1' };

describe('a recording', () => {
  it('passes every answer on as it is', async () => {
    const { reader } = recorder(source({ objects: { 'Pod/shop/web-1': ok(WEB) }, lists: { 'Pod|shop|': ok([WEB]) } }));
    expect(await reader.get(POD)).toEqual(ok(WEB));
    expect(await reader.list('Pod', { namespace: 'shop' })).toEqual(ok([WEB]));
    expect(reader.now()).toBe(NOW);
  });

  it('gives the same objects at the same time', async () => {
    const replay = await replayed({ objects: { 'Pod/shop/web-1': ok(WEB) } }, (reader) => reader.get(POD));
    expect(await replay.get(POD)).toEqual(ok(WEB));
    expect(replay.now()).toBe(NOW);
  });

  it('knows that a list was complete, and what is not in it does not exist', async () => {
    const replay = await replayed({ lists: { 'Pod|shop|': ok([WEB, TILL]) } }, (reader) => reader.list('Pod', { namespace: 'shop' }));
    expect(await replay.list('Pod', { namespace: 'shop' })).toEqual(ok([WEB, TILL]));
    expect(await replay.get({ ...POD, name: 'web-9' })).toMatchObject({ ok: false, why: 'absent' });
    expect(await replay.list('Pod', { namespace: 'till' })).toMatchObject({ ok: false, why: 'not-collected' });
  });

  it('does not take a selected or partial list, or objects read one by one, for all there is', async () => {
    const answers: Answers = {
      objects: { 'Pod/shop/till-1': ok(TILL) },
      lists: { 'Pod|shop|app=web': ok([WEB]), 'Event|shop|': { ...ok([]), partial: 'broke off' } },
    };
    const replay = await replayed(answers, async (reader) => {
      await reader.list('Pod', { namespace: 'shop', labelSelector: 'app=web' });
      await reader.list('Event', { namespace: 'shop' });
      await reader.get({ ...POD, name: 'till-1' });
    });
    expect(await replay.get({ ...POD, name: 'web-9' })).toMatchObject({ ok: false, why: 'not-collected' });
    expect(await replay.list('Pod', { namespace: 'shop', labelSelector: 'app=web' })).toEqual(ok([WEB]));
    expect(await replay.list('Pod', { namespace: 'shop' })).toMatchObject({ partial: expect.any(String) as string });
    expect(await replay.list('Event', { namespace: 'shop' })).toMatchObject({ partial: expect.any(String) as string });
  });

  it('tells what was absent from what was refused and from what was never asked', async () => {
    const forbidden = { ok: false, why: 'forbidden', detail: 'no', needs: 'get configmaps in shop' } as const;
    const settings: ObjectRef = { kind: 'ConfigMap', namespace: 'shop', name: 'settings' };
    const answers: Answers = {
      objects: { 'Pod/shop/web-1': ABSENT, 'ConfigMap/shop/settings': forbidden },
      lists: { 'Node||': { ...forbidden, needs: 'list nodes' } },
    };
    const replay = await replayed(answers, async (reader) => {
      await reader.get(POD);
      await reader.get(settings);
      await reader.list('Node', {});
    });
    expect(await replay.get(POD)).toMatchObject({ why: 'absent' });
    expect(await replay.get(settings)).toEqual(forbidden);
    expect(await replay.list('Node', {})).toMatchObject({ why: 'forbidden', needs: 'list nodes' });
    expect(await replay.get({ ...settings, name: 'other' })).toMatchObject({ why: 'not-collected' });
  });

  it('keeps the latest answer about a thing', async () => {
    const seen: Read<KubeObject>[] = [ABSENT, ok(WEB)];
    const changing: ClusterReader = { ...source({}), get: () => Promise.resolve(seen.shift() ?? ABSENT) };
    const recording = recorder(changing);
    await recording.reader.get(POD);
    await recording.reader.get(POD);
    expect(await memoryReader(recording.evidence()).get(POD)).toEqual(ok(WEB));
    await recording.reader.get(POD);
    expect(await memoryReader(recording.evidence()).get(POD)).toMatchObject({ why: 'absent' });
  });

  it('does not call a name free that another object has by now', async () => {
    const answers: Answers = { objects: { 'Pod/shop/web-1#u0': ABSENT, 'Pod/shop/web-1': ok(WEB) } };
    const replay = await replayed(answers, (reader) => reader.get({ ...POD, uid: 'u0' }));
    expect(await replay.get({ ...POD, uid: 'u0' })).toMatchObject({ why: 'absent' });
    expect(await replay.get(POD)).toEqual(ok(WEB));
  });

  it('has no more of a Secret than was seen, and still knows that it was not all', async () => {
    const replay = await replayed({ objects: { 'Secret/shop/login': ok(LOGIN) } }, (reader) =>
      reader.get({ kind: 'Secret', namespace: 'shop', name: 'login' }),
    );
    const read = await replay.get({ kind: 'Secret', namespace: 'shop', name: 'login' });
    expect(read.ok && read.value[OBSERVED]).toEqual(['metadata']);
  });

  it('has the logs, and what was said instead of them', async () => {
    const waiting = { ok: false, why: 'failed', detail: 'container "app" in pod "web-1" is waiting to start' } as const;
    const answers: Answers = {
      logs: { 'web-1|app|': ok({ lines: ['one', 'two'], filtered: true }), 'web-1|app|true': ABSENT, 'web-1|side|': waiting },
    };
    const replay = await replayed(answers, async (reader) => {
      await reader.logs(POD, 'app', { tailLines: 10 });
      await reader.logs(POD, 'app', { tailLines: 10, previous: true });
      await reader.logs(POD, 'side', { tailLines: 10 });
    });
    expect(await replay.logs(POD, 'app', { tailLines: 10 })).toEqual(ok({ lines: ['one', 'two'], filtered: true }));
    expect(await replay.logs(POD, 'app', { tailLines: 10, previous: true })).toMatchObject({ why: 'absent' });
    expect(await replay.logs(POD, 'side', { tailLines: 10 })).toEqual(waiting);
  });
});

describe('the file of a recording', () => {
  it('is a List as kubectl writes it', () => {
    const recording = recorder(source({}));
    expect(JSON.parse(writeRecording({ ...recording.evidence(), objects: [WEB] }))).toMatchObject({
      apiVersion: 'v1',
      kind: 'List',
      items: [WEB],
      recording: { now: '2027-01-01T00:00:00Z' },
    });
  });

  it('has values of environment variables and ConfigMaps only where nobody asks to mask them, and none of Secrets', () => {
    const objects: readonly KubeObject[] = [
      { ...WEB, spec: { containers: [{ name: 'web', env: [{ name: 'DB', value: 'planted-value' }] }] } },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shop' }, data: { url: 'planted-value' } },
      { ...LOGIN, stringData: { password: 'hunter2-planted' } },
    ];
    const evidence = { ...recorder(source({})).evidence(), objects };
    expect(writeRecording(evidence).match(/planted-value/g)).toHaveLength(2);
    expect(writeRecording(evidence)).not.toContain('hunter2');
    const masked = writeRecording(evidence, { redact: true });
    expect(masked).not.toMatch(/planted/);
    expect(readRecording(JSON.parse(masked) as Json)?.objects.map(({ metadata }) => metadata.name)).toEqual(['web-1', 'settings', 'login']);
  });

  it('is told from other lists', () => {
    expect(readRecording({ apiVersion: 'v1', kind: 'List', items: [] })).toBeUndefined();
    expect(readRecording(undefined)).toBeUndefined();
  });

  it('is read as far as it can be', () => {
    const recording = {
      apiVersion: 'podcheck/v1',
      now: '2027-01-01T00:00:00Z',
      collected: [{}, 'x'],
      absent: [7, 'a/b/c/d'],
      refused: [{ kind: 'Pod', why: 'bored', detail: '' }],
      logs: [{ pod: {} }],
      observed: [],
    };
    expect(readRecording({ items: [null, {}, { kind: 'Pod' }], recording })).toEqual({
      objects: [],
      collected: [],
      absent: [],
      refused: [],
      logs: [],
      now: NOW,
    });
  });
});
