import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { sharedWith } from '../../src/base/json-sharing.ts';

const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<Json>;

describe('sharing what two values have in common', () => {
  it('changes nothing that can be read, not even the order of fields', () => {
    fc.assert(
      fc.property(json, json, (value, like) => {
        const [text, other] = [JSON.stringify(value), JSON.stringify(like)];
        expect(JSON.stringify(sharedWith(JSON.parse(text) as Json, like))).toBe(text);
        expect(JSON.stringify(like)).toBe(other);
      }),
    );
  });

  it('keeps equal parts once', () => {
    const like = pod('web-1');
    const shared = sharedWith(pod('web-2'), like) as ReturnType<typeof pod>;
    expect(shared).toEqual(pod('web-2'));
    expect(shared.spec).toBe(like.spec);
    expect(shared.metadata).not.toBe(like.metadata);
  });

  it('gives the very value for an equal one', () => {
    const like = pod('web-1');
    expect(sharedWith(pod('web-1'), like)).toBe(like);
  });

  it('takes a field called __proto__ for a field', () => {
    const text = '{"data":{"__proto__":{"web":1}}}';
    const shared = sharedWith(JSON.parse(text) as Json, JSON.parse(text.replace('1', '2')) as Json);
    expect(JSON.stringify(shared)).toBe(text);
    expect(JSON.stringify(sharedWith(JSON.parse(text) as Json, JSON.parse('{"data":{}}') as Json))).toBe(text);
  });

  it('compares members of a long list with the member before', () => {
    const list = JSON.parse('[{"ready":{"a":1},"name":"web-1"},{"ready":{"a":1},"name":"web-2"}]') as { readonly ready: Json }[];
    const shared = sharedWith(list, undefined) as unknown as typeof list;
    expect(shared[1]?.ready).toBe(shared[0]?.ready);
  });
});

function pod(name: string): { readonly metadata: Json; readonly spec: Json } {
  return { metadata: { name, labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }], nodeName: 'worker-1' } };
}
