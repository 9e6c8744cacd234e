import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { positionOf, ReadAgain } from '../../../src/clusters/snapshot/outlined-objects.ts';
import { newestTime, tellsItsTime } from '../../../src/clusters/snapshot/snapshot-time.ts';
import { streamDocuments } from '../../../src/clusters/snapshot/stream-documents.ts';

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

interface Outlined {
  readonly items: readonly KubeObject[];
  /** The same, those that were outlined read again. */
  readonly whole: readonly (KubeObject | undefined)[];
}

async function outlined(text: string, size = 100_000, then: (bytes: Buffer) => void = () => undefined): Promise<Outlined> {
  const bytes = Buffer.from(text);
  const range = (from: number, length: number): Promise<Uint8Array> => Promise.resolve(bytes.subarray(from, from + length));
  const read = await streamDocuments(cut(Buffer.from(text), size), () => Number.POSITIVE_INFINITY, { again: { range } });
  const items = (read?.documents ?? []).flatMap(({ value }) => (value as { readonly items: KubeObject[] }).items);
  const again = new ReadAgain((value) => value);
  then(bytes);
  await again.read(items);
  return { items, whole: items.map((item) => again.whole(item)) };
}

const TIMES = [
  '2026-01-14T09:59:50Z',
  '2026-01-14T10:00:50Z',
  '2026-01-14T10:00:50.999999Z',
  '2026-01-14T12:00:50+02:00',
  '2031-01-01T00:00:00Z',
];
const usual = fc.constantFrom('web-1', 'shop', 'lädchen', 'kind', 'metadata', 'items', ...TIMES.slice(0, 3));
const text = fc.oneof({ arbitrary: usual, weight: 12 }, fc.constantFrom('"}]', '\\', '\u2028'), fc.string());
const anything = fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json);
const texts = { arbitrary: fc.dictionary(fc.constantFrom('name', 'namespace', 'kind', 'uid', 'nodeName'), text), weight: 20 };
const part = fc.oneof({ ...texts }, { arbitrary: fc.record({ nodeName: text, containers: anything }), weight: 5 }, anything);

/** Objects of Kubernetes with fields in any order, and others that only look like it. */
const member = fc
  .record(
    {
      kind: fc.oneof({ arbitrary: fc.constantFrom('Pod', 'Event', 'Node', 'Secret', 'Lantern'), weight: 9 }, anything),
      apiVersion: fc.oneof({ arbitrary: fc.constant('v1'), weight: 9 }, anything),
      metadata: fc.record(
        {
          name: text,
          namespace: fc.oneof({ arbitrary: fc.constantFrom('shop', '', 'default'), weight: 9 }, fc.constant(null)),
          uid: text,
          creationTimestamp: fc.constantFrom(...TIMES.slice(0, 3)),
          annotations: fc.dictionary(text, text),
          managedFields: anything,
        },
        { requiredKeys: ['name'] },
      ),
      spec: part,
      status: fc.oneof(anything, fc.record({ startTime: fc.constantFrom(...TIMES), kind: text, metadata: part })),
      involvedObject: part,
      lastTimestamp: fc.constantFrom(...TIMES),
      eventTime: text,
    },
    { requiredKeys: ['kind', 'metadata'] },
  )
  .chain((object) =>
    fc.shuffledSubarray(Object.keys(object), { minLength: Object.keys(object).length }).map((keys) => reordered(object, keys)),
  );

function reordered(object: object, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, (object as JsonObject)[key]]));
}

/** What of an object no list and no reader asks the source for a second time. */
function identity({ kind, apiVersion, metadata }: JsonObject): unknown {
  const { name, namespace, uid } = metadata as JsonObject;
  return { kind, apiVersion, name, namespace, uid };
}

describe('objects of which only the outline is kept', () => {
  it('are read again as they are, whatever they hold and wherever the pieces end', async () => {
    const first = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'web-0' }, status: { startTime: '2026-01-14T11:00:50.5Z' } };
    const layout = fc.record({ size: fc.constantFrom(7, 60, 1000, 100_000), indent: fc.constantFrom(undefined, 1, '\t') });
    let positions = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(member, { maxLength: 8 }), layout, async (others, { size, indent }) => {
        const items = [first, ...others];
        const read = await outlined(JSON.stringify({ kind: 'List', items, metadata: {} }, undefined, indent), size);
        const original = JSON.parse(JSON.stringify(items)) as unknown;
        expect(read.items.map(identity)).toEqual((original as JsonObject[]).map(identity));
        expect(JSON.parse(JSON.stringify(read.whole))).toEqual(original);
        const usual = (items as unknown as KubeObject[]).filter(({ apiVersion }) => apiVersion === 'v1');
        const told = read.items.filter(({ apiVersion }) => apiVersion === 'v1');
        expect([newestTime(told), tellsItsTime(told)]).toEqual([newestTime(usual), tellsItsTime(usual)]);
        positions += read.items.filter((item) => positionOf(item) !== undefined).length;
      }),
      { numRuns: 400 },
    );
    expect(positions).toBeGreaterThan(50);
  });

  it('are the same where they are told by what objects before them were like', async () => {
    const usually = fc.oneof({ arbitrary: fc.constantFrom('web-1', 'lädchen', 'shop', 'Pod', ''), weight: 9 }, text);
    const alike = fc.record({
      name: usually,
      namespace: fc.constantFrom('shop', 'default'),
      uid: usually,
      startTime: fc.oneof({ arbitrary: fc.constant(TIMES[0] as string), weight: 9 }, fc.constantFrom(...TIMES)),
      kind: fc.oneof({ arbitrary: fc.constant('Pod'), weight: 9 }, fc.constantFrom('Secret', 'Lantern', 'Event', 'ConfigMap')),
      replicas: fc.constantFrom(1, 10),
      image: usually,
    });
    const made = ({ name, namespace, uid, startTime, kind, replicas, image }: Record<string, Json>): JsonObject => ({
      apiVersion: 'v1',
      kind,
      metadata: { name, namespace, uid, labels: { name, kind: image } },
      spec: { replicas, nodeName: image, containers: [{ name, image, status: startTime }] },
      status: { startTime, conditions: [{ lastTransitionTime: startTime, message: image }] },
      involvedObject: { kind, namespace, name: image },
    });
    const first = made({
      name: 'web-0',
      namespace: 'shop',
      uid: 'u',
      startTime: '2026-01-14T10:00:50Z',
      kind: 'Pod',
      replicas: 1,
      image: 'web',
    });
    let positions = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(alike, { maxLength: 30 }), fc.constantFrom(300, 3000, 100_000), async (others, size) => {
        const items = [first, ...others.map(made)];
        const original = JSON.parse(JSON.stringify(items)) as JsonObject[];
        const read = await outlined(JSON.stringify({ items }), size);
        expect(read.items.map(identity)).toEqual(original.map(identity));
        expect(JSON.parse(JSON.stringify(read.whole))).toEqual(original);
        for (const [index, item] of read.items.entries()) {
          const { spec, involvedObject } = original[index] as JsonObject;
          if (item.kind === 'Pod') expect(item['spec']).toMatchObject({ nodeName: (spec as JsonObject)['nodeName'] });
          if (item.kind === 'Event') expect(item['involvedObject']).toEqual(involvedObject);
          if (positionOf(item) !== undefined) positions++;
        }
        const [told, usual] = [read.items, items as unknown as KubeObject[]].map((list) => list.filter(({ kind }) => kind !== 'Lantern'));
        expect(newestTime(told as KubeObject[])).toEqual(newestTime(usual as KubeObject[]));
      }),
      { numRuns: 300 },
    );
    expect(positions).toBeGreaterThan(300);
  });

  const FIRST = '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0"},"status":{"startTime":"2026-01-14T09:00:00Z"}}';
  const list = (...members: readonly string[]): string => `{"items":[${[FIRST, ...members].join(',')}]}`;

  it('keep node and involved object, by which they are looked for', async () => {
    const pod =
      '{"spec":{"nodeName":"worker-1","volumes":[]},"metadata":{"namespace":"shop","name":"web-1"},"apiVersion":"v1","kind":"Pod"}';
    const event =
      '{"kind":"Event","apiVersion":"v1","metadata":{"namespace":"shop","name":"e"},"involvedObject":{"kind":"Pod","name":"web-1"},"reason":"Pulled"}';
    const [, first, second] = (await outlined(list(pod, event))).items;
    expect(first).toMatchObject({ spec: { nodeName: 'worker-1' }, metadata: { name: 'web-1', namespace: 'shop' } });
    expect(second).toMatchObject({ involvedObject: { kind: 'Pod', name: 'web-1' } });
    for (const object of [first, second]) expect(positionOf(object as KubeObject)).toBeDefined();
    expect(second?.['reason']).toBeUndefined();
  });

  it.each([
    ['a key that comes twice', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-1"},"metadata":{"name":"web-2"}}'],
    ['a name that comes twice', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-1","name":"web-2"}}'],
    ['a key with an escape', String.raw`{"kind":"Pod","apiVersion":"v1","metadata":{"n\u0061me":"web-2"}}`],
    ['a name with an escape', String.raw`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-\u0032"}}`],
    ['a kind that no rule knows', '{"kind":"Lantern","apiVersion":"v1","metadata":{"name":"web-2"}}'],
    ['a Secret', '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"web-2"}}'],
    ['an event of no certain namespace', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web-2"},"involvedObject":{"name":"a"}}'],
    ['the newest time', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-2"},"status":{"startTime":"2026-01-14T09:00:01Z"}}'],
  ])('are not those with %s', async (_, object) => {
    const { items } = await outlined(list(object));
    expect(items[1]?.metadata.name).toBe('web-2');
    expect(items.map(positionOf)).toEqual([undefined, undefined]);
  });

  it('have no answer where another object stands in their place, or none', async () => {
    const pods = ['web-1', 'web-2', 'web-3'].map((name) => `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"${name}"}}`);
    const { whole } = await outlined(list(...pods), 100_000, (bytes) => {
      bytes.write('web-9', bytes.indexOf('web-1'));
      bytes.write('}', bytes.indexOf('"web-2"'));
    });
    expect(whole.map((object) => object?.metadata.name)).toEqual(['web-0', undefined, undefined, 'web-3']);
  });
});
