import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { concealSecrets } from '../../../src/clusters/conceal-secret.ts';
import { ListPages } from '../../../src/clusters/live/list-pages.ts';
import { liveObject } from '../../../src/clusters/live/live-object.ts';

const PODS = { kind: 'Pod', apiVersion: 'v1', plural: 'pods', namespaced: true };
const SECRETS = { kind: 'Secret', apiVersion: 'v1', plural: 'secrets', namespaced: true };

function read(text: string, api = PODS): unknown {
  return new ListPages(api, undefined).read(Buffer.from(text));
}

const text = fc.oneof(fc.constantFrom('', 'web', 'Pod', 'v1', 'Job', 'ü"\\\n', '2026-11-20T10:00:00Z'), fc.string({ maxLength: 12 }));
const odd = fc.oneof(text, fc.jsonValue({ maxDepth: 2 })) as fc.Arbitrary<Json>;
/** Mostly alike, as the pods of a Deployment are; sometimes with fields of another form. */
const item = fc.record(
  {
    kind: odd,
    apiVersion: text,
    metadata: fc.oneof(
      { weight: 5, arbitrary: fc.record({ name: text, namespace: text, uid: text, labels: fc.record({ app: text }) }) },
      { weight: 1, arbitrary: fc.record({ name: odd, namespace: odd, uid: odd }, { requiredKeys: [] }) },
    ),
    spec: fc.record({ nodeName: text, containers: fc.array(fc.record({ name: text, image: text }), { maxLength: 2 }) }),
  },
  { requiredKeys: ['metadata'] },
) as fc.Arbitrary<Json>;
const items = fc.array(fc.oneof({ weight: 8, arbitrary: item }, { weight: 1, arbitrary: odd }), { maxLength: 12 });

describe('the pages of a list', () => {
  it.each([PODS, SECRETS])('hold what parsing them whole gives: $plural', (api) => {
    fc.assert(
      fc.property(fc.array(items, { maxLength: 3 }), text, fc.boolean(), fc.nat(2), (pages, next, isLast, indent) => {
        for (const conceal of [undefined, concealSecrets]) {
          const reader = new ListPages(api, conceal);
          for (const page of pages) {
            const frame = { kind: `${api.kind}List`, metadata: { continue: next, resourceVersion: '7' } };
            const body = JSON.stringify(isLast ? { ...frame, items: page } : { items: page, ...frame }, null, indent);
            const objects = page.map((one) => liveObject(structuredClone(one), api, conceal)).filter((one) => one !== undefined);
            const broken = page.length - objects.length;
            expect(reader.read(Buffer.from(body))).toEqual({ objects, broken, ...(next === '' ? {} : { next }) });
          }
        }
      }),
    );
  });

  it('keep once what one has in common with those before it', () => {
    const pod = (name: string): string => `{"metadata":{"name":"${name}","labels":{"app":"web"}},"spec":{"nodeName":"worker-1"}}`;
    const reader = new ListPages(PODS, undefined);
    const [first, second] = ['{"items":[' + pod('a') + ',' + pod('b') + ']}', '{"items":[' + pod('c') + ']}'].map((body) => {
      const page = reader.read(Buffer.from(body));
      return 'why' in page ? [] : page.objects;
    });
    expect([first, second].flat().map((one) => one?.metadata.name)).toEqual(['a', 'b', 'c']);
    expect(second?.[0]?.['spec']).toBe(first?.[0]?.['spec']);
    expect(first?.[1]?.metadata.labels).toBe(first?.[0]?.metadata.labels);
  });

  it('may say null for no items, and take the last of two lists', () => {
    expect(read('{"kind":"PodList","items":null}')).toEqual({ objects: [], broken: 0 });
    expect(read('{"items":[{"metadata":{"name":"a"}}],"items":[{"metadata":{"name":"b"}}]}')).toMatchObject({
      objects: [{ kind: 'Pod', metadata: { name: 'b' } }],
    });
  });

  it.each([
    ['ends in the middle', '{"items":[{"metadata":{"name":"a"}},{"meta', 'is not JSON'],
    ['lacks a comma', '{"items":[{"metadata":{"name":"a"}} {"metadata":{"name":"b"}}]}', 'is not JSON'],
    ['has an item that is no JSON', '{"items":[{"metadata":{"name":"a"}},{"metadata":{"name":b}}]}', 'is not JSON'],
    ['is followed by another one', '{"items":[]}{"items":[]}', 'is not JSON'],
    ['follows something else', 'HTTP/1.1 200 OK\n{"items":[]}', 'is not JSON'],
    ['is an array', '[{"metadata":{"name":"a"}}]', 'is not a list of pods'],
    ['has items in no list', '{"items":{"metadata":{"name":"a"}}}', 'is not a list of pods'],
    ['has no items', '{"kind":"Status","status":"Failure"}', 'is not a list of pods'],
    ['is empty', '', 'is not JSON'],
  ])('are an error where one %s', (_, body, words) => {
    expect(read(body)).toMatchObject({ ok: false, why: 'failed', detail: expect.stringContaining(words) as string });
  });
});
