import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { AlikeObjects } from '../../../src/clusters/snapshot/alike-objects.ts';
import { textPlaces } from '../../../src/clusters/snapshot/text-places.ts';

/** Reads objects one after another, each in bytes of its own with something behind it; which were read as alike. */
function read(texts: readonly string[]): { readonly values: readonly Json[]; readonly alike: readonly boolean[] } {
  const reader = new AlikeObjects();
  const [values, alike]: [Json[], boolean[]] = [[], []];
  for (const text of texts) {
    const bytes = Buffer.from(`[${text},"}"]`);
    const known = reader.read(bytes, 1);
    if (known !== undefined) expect(reader.end).toBe(bytes.length - 5);
    const value = known ?? (JSON.parse(text) as Json);
    if (known === undefined) reader.learn(text, value);
    values.push(value);
    alike.push(known !== undefined);
  }
  return { values, alike };
}

/** Longer ones that an object often has more than once, of the same length. */
const repeated = fc.constantFrom(
  '2026-01-14T07:04:59Z',
  '2026-01-14T07:05:00Z',
  '2026-01-14T07:05:00Y',
  'token-ab',
  'token-cd',
  'lädchen-',
  '10.64.2.31',
);
const text = fc.oneof(repeated, fc.constantFrom('', 'web', 'web-1', 'lädchen', '"', '\\', '\\"', '"}', '\u2028', '\n'), fc.string());

/** A value of the same form with other texts, and now and then with something else. */
function varied(value: Json): fc.Arbitrary<Json> {
  if (typeof value === 'string') return fc.oneof({ arbitrary: fc.constant<Json>(value), weight: 3 }, text);
  if (Array.isArray(value)) return fc.tuple(...(value as readonly Json[]).map(varied));
  if (typeof value !== 'object' || value === null)
    return fc.oneof({ arbitrary: fc.constant(value), weight: 30 }, fc.constantFrom<Json>(1, true, [], 'a'));
  const fields = Object.entries(value as JsonObject).map(([key, member]) => varied(member as Json).map((other) => [key, other] as const));
  return fc.tuple(...fields).map((entries) => Object.fromEntries(entries));
}

const form = fc
  .dictionary(fc.oneof(fc.constantFrom('name', 'uid', '__proto__', 'ä"'), fc.string()), fc.oneof(fc.jsonValue({ maxDepth: 4 }), text), {
    maxKeys: 6,
  })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

describe('objects that are like the one before them', () => {
  it('are what parsing makes of them, and share what is the same', () => {
    let alike = 0;
    fc.assert(
      fc.property(
        form.chain((value) => fc.array(varied(value), { minLength: 2, maxLength: 6 })),
        fc.constantFrom(undefined, 1, '\t'),
        (objects, indent) => {
          const texts = objects.map((object) => JSON.stringify(object, undefined, indent));
          const found = read(texts);
          expect(found.values.map((value) => JSON.stringify(value))).toEqual(texts.map((one) => JSON.stringify(JSON.parse(one))));
          alike += found.alike.filter((one) => one).length;
        },
      ),
      { numRuns: 1000 },
    );
    expect(alike).toBeGreaterThan(500);
  });

  it('share the parts that have no other text', () => {
    const pod = (name: string, image: string): string =>
      `{"metadata":{"name":"${name}"},"spec":{"containers":[{"image":"${image}"}]},"status":{"phase":"Running"}}`;
    const { values, alike } = read([pod('web-1', 'web:1'), pod('web-2', 'web:1'), pod('till', 'till:1'), pod('till-10', 'till:1')]);
    expect(alike).toEqual([false, true, true, true]);
    const [one, two, three, four] = values as readonly JsonObject[];
    expect(two?.['spec']).toBe(one?.['spec']);
    expect(three?.['spec']).toEqual({ containers: [{ image: 'till:1' }] });
    expect(four?.['spec']).toBe(three?.['spec']);
    expect(four?.['status']).toBe(one?.['status']);
    expect(one).toEqual(JSON.parse(pod('web-1', 'web:1')));
    const [first, second, third] = read(['{}', '{}', '{}']).values;
    expect(second).toBe(first);
    expect(third).toBe(first);
  });

  it.each([
    ['a number', '{"a":"x","n":2}'],
    ['a field more', '{"a":"x","n":1,"b":"y"}'],
    ['another name of a field', '{"b":"x","n":1}'],
    ['the number of a character', String.raw`{"a":"\u0078","n":1}`],
    ['a wrong escape', String.raw`{"a":"\x","n":1}`],
    ['an escape at the end of the bytes', '{"a":"x\\'],
    ['a text that goes on', '{"a":"x'],
    ['another space', '{"a": "x","n":1}'],
  ])('are others with %s', (_, other) => {
    const reader = new AlikeObjects();
    reader.learn('{"a":"x","n":1}', { a: 'x', n: 1 });
    expect(reader.read(Buffer.from('{"a":"other","n":1}'), 0)).toEqual({ a: 'other', n: 1 });
    expect(reader.read(Buffer.from(other), 0)).toBeUndefined();
  });

  it('have the texts that their escapes stand for', () => {
    const texts = ['"', String.raw`C:\shop`, 'two\nlines', '{"image":"web"}', 'web'].map((a) => JSON.stringify({ a, n: 1 }));
    const { values, alike } = read([JSON.stringify({ a: 'x', n: 1 }), ...texts]);
    expect(values.slice(1)).toEqual(texts.map((one) => JSON.parse(one) as Json));
    expect(alike).toEqual([false, true, true, true, true, true]);
  });

  it('are not told by an object in which a field comes twice', () => {
    expect(textPlaces(Buffer.from('{"a":"x","a":"y"}'), { a: 'y' })).toBeUndefined();
    expect(textPlaces(Buffer.from('{"a":"x","b":"y"}'), { a: 'x', b: 'y' })).toMatchObject({ fields: ['a', 'b'], values: 2 });
  });

  it('are looked for less where none is like another', () => {
    const texts = Array.from({ length: 40 }, (__, index) => `{"n":${index},"a":"x"}`);
    const { alike } = read([...texts, '{"n":39,"a":"y"}', '{"n":39,"a":"z"}']);
    expect(alike.every((one) => !one)).toBe(true);
  });
});
