import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Documents } from '../../../src/clusters/snapshot/documents.ts';
import { readDocuments } from '../../../src/clusters/snapshot/documents.ts';
import { MAX_MEMBER_BYTES } from '../../../src/clusters/snapshot/limits.ts';
import { streamDocuments } from '../../../src/clusters/snapshot/stream-documents.ts';

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

function streamed(text: string, size = 7): Promise<Documents | undefined> {
  return streamDocuments(cut(text, size), () => Number.POSITIVE_INFINITY, { syntax: 'yaml' });
}

const PODS = 'apiVersion: v1\nitems:\n- kind: Pod\n  metadata:\n    name: till\n- kind: Pod\n  metadata:\n    name: web\n';

describe('reading YAML piece by piece', () => {
  it('gives what the whole text gives, wherever it is cut', async () => {
    const word = fc.stringMatching(/^[a-z\n#:' -]{0,12}$/);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        word,
        fc.integer(),
        fc.constantFrom(true, null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('items', 'kind', 'name', 'spec'), tie('value'), { maxKeys: 3 }),
      ),
    }));
    const members = fc.array(value, { maxLength: 4 });
    const document = fc.oneof(
      fc.record({ apiVersion: word, items: fc.oneof(members, value), kind: word }),
      fc.record({ kind: word, items: members }),
      fc.record({ spec: fc.record({ items: members }) }),
      fc.array(value, { minLength: 1, maxLength: 4 }),
    );
    const indentSeq = fc.boolean();
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 3 }), indentSeq, fc.integer({ min: 1, max: 40 }), async (...made) => {
        const [values, isIndented, size] = made;
        const text = values.map((one) => stringify(one, { indentSeq: isIndented, version: '1.1' })).join('---\n');
        const whole = readDocuments(text, 'shop.yaml');
        const read = await streamed(text, size);
        expect(read?.documents.map((one) => one.value)).toEqual(whole.documents.map((one) => one.value));
        expect(read?.documents.map(({ line }) => line)).toEqual(whole.documents.map(({ line }) => line));
        expect(read?.faults).toEqual([]);
        expect(read?.values ?? 0).toBeGreaterThanOrEqual(whole.documents.length);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['comments and blank lines', `# saved today\n\n${PODS.replace('- kind', '# the first\n- kind')}\n# the end\nkind: List\n`],
    ['carriage returns', `${PODS}kind: List\n`.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${PODS}kind: List\n`],
    ['a document behind its mark', '--- {kind: Pod}\n--- # nothing\n---\nkind: Node'],
    ['texts over several lines', 'kind: List\nitems:\n- text: |\n    - a\n\n    items:\n  more: "b\n    c"\n'],
    ['items that are no list', 'items:\nkind: A\n---\nitems:\n  a: 1\nkind: B\n---\nitems:\n'],
    ['two lists of items, of which the last counts', 'items:\n- a\nkind: A\nitems:\n- b\n'],
  ])('reads %s as the whole text is read', async (_, text) => {
    const whole = readDocuments(text, 'shop.yaml').documents;
    for (const size of [1, 2, 3, 5, 1000]) expect((await streamed(text, size))?.documents).toEqual(whole);
  });

  it('takes a list without its kind for one that is cut off, and leaves out the object that is not whole', async () => {
    const read = await streamed(PODS);
    expect(read?.faults).toEqual([
      { line: 1, message: 'the document is cut off after 1 object', hint: 'Save it again: the end is missing.' },
    ]);
    expect(read?.documents).toEqual([
      { value: { apiVersion: 'v1', items: [{ kind: 'Pod', metadata: { name: 'till' } }] }, line: 1, isCut: true },
    ]);
  });

  it('names the line of a member that is malformed, and keeps the others', async () => {
    const read = await streamed(`${PODS}- kind: "Pod" x\n- kind: Node\nkind: List\n`);
    expect(read?.faults.map(({ line }) => line)).toEqual([9]);
    expect(read?.documents).toMatchObject([{ value: { items: [{ kind: 'Pod' }, { kind: 'Pod' }, { kind: 'Node' }] }, isCut: true }]);
  });

  it('passes over an object that is too large', async () => {
    const line = `  text: ${'a'.repeat(1024 * 1024)}\n`;
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('items:\n- kind: Pod\n');
      for (let bytes = 0; bytes < MAX_MEMBER_BYTES * 2; bytes += line.length) yield await Promise.resolve(Buffer.from(line));
      yield Buffer.from('- kind: Node\nkind: List\n');
    }
    const read = await streamDocuments(pieces(), () => Number.POSITIVE_INFINITY, { syntax: 'yaml' });
    expect(read?.faults).toMatchObject([{ line: 2, message: 'an object of 128 MiB was not read: larger than 64 MiB' }]);
    expect(read?.documents).toEqual([{ value: { items: [{ kind: 'Node' }], kind: 'List' }, line: 1, isCut: true }]);
  });

  it.each([
    ['the logs of a dump between documents', 'kind: List\n==== START logs for container till of pod shop/till ====\n'],
    ['a line of many megabytes', `text: ${'a'.repeat(MAX_MEMBER_BYTES + 1)}`],
    ['a list that goes on as something else', '- a\nkind: List\n'],
  ])('leaves %s to whoever reads the whole text', async (_, text) => {
    expect(await streamed(text, 16 * 1024 * 1024)).toBeUndefined();
  });
});
