import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Documents } from '../../../src/clusters/snapshot/documents.ts';
import { MAX_MEMBER_BYTES } from '../../../src/clusters/snapshot/limits.ts';
import { parseJsonDocuments } from '../../../src/clusters/snapshot/parse-json.ts';
import { streamDocuments } from '../../../src/clusters/snapshot/stream-documents.ts';

/** The text in pieces of so many bytes. */
async function* cut(text: string | Buffer, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

function streamed(text: string | Buffer, size = 7, most = Number.POSITIVE_INFINITY): Promise<Documents | undefined> {
  return streamDocuments(cut(text, size), () => most);
}

const LIST = '{"apiVersion":"v1","items":[{"kind":"Pod","name":"a"},{"kind":"Pod","name":"b"}],"kind":"List"}';

describe('reading JSON piece by piece', () => {
  it('gives what the whole text gives, wherever it is cut', async () => {
    const members = fc.array(fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant({ items: [{ items: [1] }], kind: '"items":[{' })), {
      maxLength: 5,
    });
    const document = fc.oneof(
      fc.record({ kind: fc.string(), items: members, metadata: fc.jsonValue({ maxDepth: 2 }) }),
      fc.record({ metadata: fc.jsonValue({ maxDepth: 2 }), spec: fc.record({ items: members }) }),
      members,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(undefined, 1, 4),
        async (values, size, indent) => {
          const text = values.map((value) => JSON.stringify(value, undefined, indent)).join('\n');
          const read = await streamed(text, size);
          expect(read?.faults).toEqual([]);
          expect(read?.documents.map(({ value }) => JSON.parse(JSON.stringify(value)) as unknown)).toEqual(
            JSON.parse(JSON.stringify(values)),
          );
          expect(read?.documents.map(({ line }) => line)).toEqual(parseJsonDocuments(text).documents.map(({ line }) => line));
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['warnings of kubectl before it', `Warning: v1 Endpoints is deprecated\nW1120 10:00:00 a log line {\n${LIST}`],
    ['a byte order mark', `\uFEFF${LIST}`],
    ['documents on lines of their own', `${LIST}\n---\n${LIST}\n`],
    ['documents parted by nothing', LIST + LIST],
    ['two lists of items, of which the last counts', '{"items":[{"kind":"Pod"}],"items":[{"kind":"Node"}]}'],
    ['an empty list', '{"items":[ ],"kind":"PodList"}'],
    ['a list that is null', '{"items":null,"kind":"PodList"}'],
    ['quotes and backslashes', String.raw`{"items":[{"a":"\"}]\\"},{"b":"[{\\\""}]}`],
  ])('reads %s as the whole text is read', async (_, text) => {
    const whole = parseJsonDocuments(text.replace('\uFEFF', '')).documents;
    for (const size of [1, 2, 3, 5, 1000]) expect((await streamed(text, size))?.documents).toEqual(whole);
  });

  it.each([
    '[{"a":1},]',
    '[{"a":1}"b"]',
    '[,{"a":1}]',
    '{"items":[{"a":1},,{"b":2}]}',
    '[1}',
    '==== START logs for container web of pod shop/web-1 ====',
  ])('leaves to the other way what is not JSON alone: %s', async (text) => {
    expect(await streamed(text)).toBeUndefined();
  });

  it('keeps what stands before the end of a list that is cut off, and says that it is', async () => {
    const end = LIST.indexOf('"b"');
    const read = await streamed(LIST.slice(0, end));
    expect(read?.documents).toEqual([{ value: { apiVersion: 'v1', items: [{ kind: 'Pod', name: 'a' }] }, line: 1, isCut: true }]);
    expect(read?.faults).toMatchObject([{ line: 1, message: 'the document is cut off after 1 object' }]);
  });

  it('goes on with the document that follows one that is cut off', async () => {
    const read = await streamed(`${LIST.slice(0, LIST.indexOf(',{"kind":"Pod","name":"b"}'))}\n${LIST}`);
    expect(read?.documents.map(({ isCut }) => isCut)).toEqual([true, undefined]);
  });

  it('leaves out a member that is no JSON, and says where it stands', async () => {
    const read = await streamed('{"items":[\n{"a":1},\n{"b":tru},\n{"c":3}]}');
    expect(read?.documents).toEqual([{ value: { items: [{ a: 1 }, { c: 3 }] }, line: 1, isCut: true }]);
    expect(read?.faults).toMatchObject([{ line: 3, column: 6 }]);
  });

  it('leaves out an object that is too large, without keeping it', async () => {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from('{"items":[{"a":1},{"b":"'));
      const filling = Buffer.alloc(1024 * 1024, 'x');
      for (let size = 0; size <= MAX_MEMBER_BYTES; size += filling.length) yield filling;
      yield Buffer.from('"},{"c":3}]}');
    }
    const read = await streamDocuments(pieces(), () => Number.POSITIVE_INFINITY);
    expect(read?.documents).toEqual([{ value: { items: [{ a: 1 }, { c: 3 }] }, line: 1, isCut: true }]);
    expect(read?.faults).toEqual([{ line: 1, message: 'an object of 65 MiB was not read: larger than 64 MiB', isLeftOut: true }]);
  });

  it('refuses a text of more values than there may be', async () => {
    const read = await streamed(`[${'{},'.repeat(100)}{}]`, 1000, 50);
    expect(read?.documents).toEqual([]);
    expect(read?.faults[0]?.message).toBe('more objects, lists and values than 50');
  });
});
