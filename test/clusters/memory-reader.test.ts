import { describe, expect, it } from 'vitest';
import type { StoredEvidence } from '../../src/clusters/memory-reader.ts';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { OBSERVED } from '../../src/model/kube-object.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const EMPTY: StoredEvidence = { objects: [], collected: [], absent: [], refused: [], logs: [], now: NOW };

function object(kind: string, name: string, more: object = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'shop' }, ...more };
}

const web = object('Pod', 'web-1', {
  metadata: { name: 'web-1', namespace: 'shop', uid: 'u-web', labels: { app: 'web' } },
  spec: { nodeName: 'worker-1' },
});
const glimpse = object('Pod', 'db-0', {
  spec: { nodeName: 'worker-1' },
  [OBSERVED]: ['metadata.name', 'metadata.namespace', 'spec.nodeName'],
});
const podRef = (name: string): { kind: string; namespace: string; name: string } => ({ kind: 'Pod', namespace: 'shop', name });

describe('a source', () => {
  it('says that it has no list of the pods of one node alone, unless it has one or saw a pod there', () => {
    const collected = { kind: 'Pod', complete: true } as const;
    const hasNone = (more: Partial<StoredEvidence>): boolean => memoryReader({ ...EMPTY, objects: [web], ...more }).nodeListless === true;
    expect(hasNone({})).toBe(true);
    expect(hasNone({ collected: [{ ...collected, namespace: 'shop', labelSelector: 'app=web' }] })).toBe(true);
    expect(hasNone({ collected: [{ ...collected, fieldSelector: 'spec.nodeName=worker-1' }] })).toBe(false);
    expect(hasNone({ glimpses: [glimpse] })).toBe(false);
  });
});

describe('one object', () => {
  it('is answered when it was seen', async () => {
    const reader = memoryReader({ ...EMPTY, objects: [web] });
    expect(await reader.get(podRef('web-1'))).toEqual({ ok: true, value: web });
  });

  it('that nobody looked for is not collected, and the answer names the command that would show it', async () => {
    const reader = memoryReader({ ...EMPTY, objects: [web], collected: [{ kind: 'Pod', namespace: 'shop', complete: false }] });
    expect(await reader.get(podRef('web-2'))).toMatchObject({
      ok: false,
      why: 'not-collected',
      needs: 'kubectl get -n shop pods web-2 -o yaml',
    });
  });

  it('that a complete list lacks is absent', async () => {
    const reader = memoryReader({ ...EMPTY, collected: [{ kind: 'Pod', namespace: 'shop', complete: true }] });
    expect(await reader.get(podRef('web-2'))).toMatchObject({ ok: false, why: 'absent' });
    expect(await reader.get({ kind: 'Pod', namespace: 'stock', name: 'web-2' })).toMatchObject({ why: 'not-collected' });
  });

  it('that a list narrowed by a selector lacks is not absent', async () => {
    const reader = memoryReader({ ...EMPTY, collected: [{ kind: 'Pod', namespace: 'shop', complete: true, labelSelector: 'app=web' }] });
    expect(await reader.get(podRef('web-2'))).toMatchObject({ why: 'not-collected' });
  });

  it('that the cluster said does not exist is absent, and so is all in such a namespace', async () => {
    const reader = memoryReader({ ...EMPTY, absent: [podRef('web-2'), { kind: 'Namespace', name: 'stock' }] });
    expect(await reader.get(podRef('web-2'))).toMatchObject({ why: 'absent' });
    expect(await reader.get({ kind: 'Secret', namespace: 'stock', name: 'db' })).toMatchObject({ why: 'absent' });
  });

  it('with another uid than the one asked for is absent: its name was taken over', async () => {
    const reader = memoryReader({ ...EMPTY, objects: [web] });
    expect(await reader.get({ ...podRef('web-1'), uid: 'u-old' })).toMatchObject({ why: 'absent' });
  });

  it('that was refused is forbidden, with the permission named', async () => {
    const reader = memoryReader({
      ...EMPTY,
      refused: [
        { kind: 'Secret', namespace: 'shop', why: 'forbidden', detail: 'jane cannot list secrets in shop', needs: 'list secrets in shop' },
      ],
    });
    expect(await reader.get({ kind: 'Secret', namespace: 'shop', name: 'db' })).toEqual({
      ok: false,
      why: 'forbidden',
      detail: 'jane cannot list secrets in shop',
      needs: 'list secrets in shop',
    });
    expect(await reader.get({ kind: 'Secret', namespace: 'stock', name: 'db' })).toMatchObject({ why: 'not-collected' });
  });
});

describe('a list', () => {
  it('is whole in the scope that was collected, also when it is empty', async () => {
    const reader = memoryReader({
      ...EMPTY,
      objects: [web],
      collected: [
        { kind: 'Pod', namespace: 'shop', complete: true },
        { kind: 'Secret', complete: true },
      ],
    });
    expect(await reader.list('Pod', { namespace: 'shop' })).toEqual({ ok: true, value: [web] });
    expect(await reader.list('Pod', { namespace: 'shop', labelSelector: 'app=api' })).toEqual({ ok: true, value: [] });
    expect(await reader.list('Secret', { namespace: 'shop' })).toEqual({ ok: true, value: [] });
  });

  it('is partial when only some of its objects were seen', async () => {
    const reader = memoryReader({ ...EMPTY, objects: [web] });
    expect(await reader.list('Pod', { namespace: 'shop' })).toMatchObject({
      ok: true,
      value: [web],
      partial: expect.stringContaining('no complete list of pods in shop') as string,
    });
  });

  it('of a kind that nobody looked at is not collected, with the command that would show it', async () => {
    const reader = memoryReader(EMPTY);
    expect(await reader.list('ConfigMap', { namespace: 'shop' })).toMatchObject({
      why: 'not-collected',
      needs: 'kubectl get -n shop configmaps -o yaml',
    });
    expect(await reader.list('Node', {})).toMatchObject({ why: 'not-collected', needs: 'kubectl get nodes -o yaml' });
  });

  it('of the whole cluster needs more than one namespace, unless all namespaces are known and each was listed', async () => {
    const collected = [{ kind: 'Pod', namespace: 'shop', complete: true }];
    expect(await memoryReader({ ...EMPTY, objects: [web], collected }).list('Pod', {})).toHaveProperty('partial');
    const namespaces = [{ kind: 'Namespace', complete: true }, ...collected];
    const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    expect(await memoryReader({ ...EMPTY, objects: [web, shop], collected: namespaces }).list('Pod', {})).toEqual({
      ok: true,
      value: [web],
    });
  });

  it('leaves out objects whose source does not show what the selector asks, and says so', async () => {
    const seen = object('Pod', 'web-2', { [OBSERVED]: ['metadata.name'] });
    const reader = memoryReader({ ...EMPTY, objects: [web, seen], collected: [{ kind: 'Pod', namespace: 'shop', complete: true }] });
    expect(await reader.list('Pod', { namespace: 'shop', labelSelector: 'app=web' })).toMatchObject({
      value: [web],
      partial: expect.stringContaining('1 of the pods') as string,
    });
  });

  it('that was refused is forbidden, but what was seen all the same is served', async () => {
    const refused = [{ kind: 'Pod', namespace: 'shop', why: 'forbidden' as const, detail: 'jane cannot list pods in shop' }];
    expect(await memoryReader({ ...EMPTY, refused }).list('Pod', { namespace: 'shop' })).toMatchObject({ why: 'forbidden' });
    expect(await memoryReader({ ...EMPTY, refused, objects: [web] }).list('Pod', { namespace: 'shop' })).toMatchObject({
      value: [web],
      partial: 'jane cannot list pods in shop',
    });
  });

  it('of the pods of a node has also those of which only that is known, which other lists do not', async () => {
    const collected = [{ kind: 'Pod', complete: true, fieldSelector: 'spec.nodeName=worker-1' }];
    const reader = memoryReader({ ...EMPTY, objects: [web], glimpses: [glimpse], collected });
    expect(await reader.list('Pod', { fieldSelector: 'spec.nodeName=worker-1' })).toEqual({ ok: true, value: [web, glimpse] });
    expect(await reader.list('Pod', { namespace: 'shop' })).toMatchObject({ value: [web] });
  });
});

describe('events', () => {
  const event = object('Event', 'web-1.1', {
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1' },
    reason: 'BackOff',
    type: 'Warning',
    [OBSERVED]: ['involvedObject.kind', 'involvedObject.name', 'involvedObject.namespace', 'reason', 'type'],
  });
  const store: StoredEvidence = {
    ...EMPTY,
    objects: [event],
    collected: [{ kind: 'Event', namespace: 'shop', complete: true, about: podRef('web-1') }],
  };

  it('about one object are whole when they were looked at', async () => {
    const reader = memoryReader(store);
    expect(await reader.list('Event', { namespace: 'shop', fieldSelector: 'involvedObject.kind=Pod,involvedObject.name=web-1' })).toEqual({
      ok: true,
      value: [event],
    });
    expect(
      await reader.list('Event', { namespace: 'shop', fieldSelector: 'involvedObject.kind=Deployment,involvedObject.name=web-1' }),
    ).not.toMatchObject({ ok: true, value: [event] });
    expect(
      await reader.list('Event', { namespace: 'shop', fieldSelector: 'involvedObject.kind=Pod,involvedObject.name=web-2' }),
    ).toMatchObject({ why: 'not-collected' });
  });

  it('of a namespace are partial when only those about one object were looked at', async () => {
    expect(await memoryReader(store).list('Event', { namespace: 'shop' })).toMatchObject({
      value: [event],
      partial: expect.any(String) as string,
    });
  });

  it('that were printed match by kind and name where a uid is asked for: printed ones have none', async () => {
    const reader = memoryReader(store);
    expect(
      await reader.list('Event', {
        namespace: 'shop',
        fieldSelector: 'involvedObject.uid=u-web,involvedObject.name=web-1,reason=BackOff,type!=Normal',
      }),
    ).toMatchObject({ value: [event] });
  });
});

describe('a log', () => {
  const log = { pod: podRef('web-1'), container: 'app', previous: false, lines: ['one', 'two', 'three'], filtered: false };

  it('is served from its end', async () => {
    const reader = memoryReader({ ...EMPTY, logs: [log] });
    expect(await reader.logs(podRef('web-1'), 'app', { tailLines: 2 })).toEqual({
      ok: true,
      value: { lines: ['two', 'three'], filtered: false },
    });
    expect(await reader.logs(podRef('web-1'), 'app', { tailLines: 0 })).toMatchObject({ value: { lines: [] } });
  });

  it('of the run before is another one', async () => {
    const reader = memoryReader({ ...EMPTY, logs: [log] });
    expect(await reader.logs(podRef('web-1'), 'app', { tailLines: 2, previous: true })).toMatchObject({
      why: 'not-collected',
      needs: 'kubectl logs -n shop web-1 -c app --previous',
    });
  });

  it('that the cluster did not give says what it answered', async () => {
    const unread = { ok: false as const, why: 'absent' as const, detail: 'previous terminated container "app" in pod "web-1" not found' };
    const reader = memoryReader({ ...EMPTY, logs: [{ ...log, previous: true, lines: [], unread }] });
    expect(await reader.logs(podRef('web-1'), 'app', { tailLines: 2, previous: true })).toEqual(unread);
  });
});

it('tells the time of its source', () => {
  expect(memoryReader(EMPTY).now()).toBe(NOW);
});
