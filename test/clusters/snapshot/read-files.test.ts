import { describe, expect, it } from 'vitest';
import { FileReader } from '../../../src/clusters/snapshot/read-files.ts';
import { bytesFile } from '../../../src/clusters/snapshot/source-file.ts';

const PODS = { apiVersion: 'v1', kind: 'List', items: ['web-1', 'web-2', 'web-3'].map((name) => ({ kind: 'Pod', metadata: { name } })) };
const ONE_A_LINE = `{"kind":"List","items":[\n${PODS.items.map((pod) => JSON.stringify(pod)).join(',\n')}\n]}\n`;

describe('a list of which the end is missing', () => {
  it.each([
    ['as kubectl prints it', JSON.stringify(PODS, undefined, 4)],
    ['with an object a line', ONE_A_LINE],
    ['in one line', JSON.stringify(PODS)],
  ])('is a list with what is left of it, which is not all, %s', async (_, text) => {
    const reader = new FileReader();
    const cut = text.slice(0, text.indexOf('web-3'));
    const read = await reader.documents(bytesFile('shop.json', Buffer.from(cut), 0));
    const [only, ...others] = read?.documents.documents ?? [];
    expect(only).toMatchObject({ value: { kind: 'List', items: PODS.items.slice(0, 2) }, isCut: true });
    expect(others).toEqual([]);
    expect(reader.notes).toEqual([
      { file: 'shop.json', line: 1, text: 'cannot be parsed: line 1: the document is cut off after 2 objects' },
    ]);
  });

  it('is one, too, when one of its objects is damaged', async () => {
    const reader = new FileReader();
    const read = await reader.documents(bytesFile('shop.json', Buffer.from(ONE_A_LINE.replace('"web-2"', 'web-2')), 0));
    expect(read?.documents.documents).toMatchObject([{ value: { items: [PODS.items[0], PODS.items[2]] }, isCut: true }]);
    expect(reader.notes.map(({ line }) => line)).toEqual([3]);
  });

  it('is told by its first fault, where none of its objects is whole', async () => {
    const reader = new FileReader();
    const read = await reader.documents(bytesFile('shop.json', Buffer.from('{"items":[{"kind":"Pod","metadata":{"name":"web'), 0));
    expect(read?.documents.documents).toEqual([]);
    expect(reader.notes[0]?.text).toContain('line 1, column 48: the document is cut off within a string');
  });
});

describe('an object that is too large', () => {
  it('is left out, and named as just that', async () => {
    const [begin, megabyte] = [Buffer.from(`{"items":[${JSON.stringify(PODS.items[0])},\n{"data":"`), Buffer.alloc(1024 * 1024, 'a')];
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield begin;
      for (let count = 0; count < 80; count++) yield await Promise.resolve(megabyte);
      yield Buffer.from('"}],"kind":"List"}');
    }
    const reader = new FileReader();
    const read = await reader.documents({ ...bytesFile('shop.json', begin, 0), size: 80 * megabyte.length, pieces });
    expect(read?.documents.documents).toMatchObject([{ value: { kind: 'List', items: [PODS.items[0]] }, isCut: true }]);
    expect(reader.notes).toEqual([{ file: 'shop.json', line: 2, text: 'an object of 80 MiB was not read: larger than 64 MiB' }]);
  });
});

const LINES = Array.from({ length: 400_002 }, (_, index) => `line ${String(index)}`);

async function read(text: string): Promise<{ readonly text: string; readonly notes: readonly string[] }> {
  const reader = new FileReader();
  const transcript = await reader.transcript(bytesFile('shop.txt', Buffer.from(text), 0));
  return { text: transcript.text, notes: reader.notes.map((note) => note.text) };
}

describe('what a terminal showed', () => {
  it('is read whole up to a number of lines', async () => {
    const text = LINES.slice(2).join('\n');
    expect(await read(text)).toEqual({ text, notes: [] });
    expect(await read(`${text}\n`)).toEqual({ text: `${text}\n`, notes: [] });
    expect(await read('\n')).toEqual({ text: '\n', notes: [] });
  });

  it('is read from where its last lines begin when it has more, and a note says so', async () => {
    const notes = ['only the last 400000 lines were read'];
    expect(await read(LINES.join('\n'))).toEqual({ text: LINES.slice(2).join('\n'), notes });
    expect(await read(`${LINES.join('\n')}\n`)).toEqual({ text: `${LINES.slice(2).join('\n')}\n`, notes });
  });
});
