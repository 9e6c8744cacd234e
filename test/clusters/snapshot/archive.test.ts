import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openArchive, packingOf } from '../../../src/clusters/snapshot/archive.ts';
import { MAX_DOCUMENT_BYTES } from '../../../src/clusters/snapshot/limits.ts';
import { bytesFile } from '../../../src/clusters/snapshot/source-file.ts';
import type { FoundFiles } from '../../../src/clusters/snapshot/walk-folder.ts';
import type { PackedFile } from '../../support/archives.ts';
import { tarOf, zipOf } from '../../support/archives.ts';

const FILES: readonly PackedFile[] = [
  { path: 'dump/', type: '5' },
  { path: 'dump/shop/pods.json', text: '{"kind":"PodList","items":[]}' },
  { path: './dump/nodes.json', text: '{"kind":"NodeList","items":[]}' },
];

async function read(
  bytes: Uint8Array,
  name = 'shop.archive',
): Promise<{ readonly files: Record<string, string>; readonly notes: readonly string[] }> {
  const file = bytesFile(name, bytes, 0);
  const packing = packingOf(await file.head(1024));
  if (packing === undefined) throw new Error('no archive');
  const { files, notes } = await openArchive(file, packing);
  const texts = await Promise.all(files.map(async (one) => [one.path, Buffer.from(await one.head(one.size)).toString()] as const));
  return { files: Object.fromEntries(texts), notes: notes.map(({ text }) => text) };
}

async function opened(zip: Buffer): Promise<FoundFiles> {
  return openArchive(bytesFile('shop.archive', zip, 0), 'zip');
}

const EXPECTED = { 'dump/nodes.json': '{"kind":"NodeList","items":[]}', 'dump/shop/pods.json': '{"kind":"PodList","items":[]}' };

describe('archives', () => {
  it('are read as what their first bytes say: tar, gzipped tar, zip', async () => {
    expect((await read(tarOf(FILES))).files).toEqual(EXPECTED);
    expect((await read(gzipSync(tarOf(FILES)))).files).toEqual(EXPECTED);
    expect((await read(zipOf(FILES.slice(1)))).files).toEqual(EXPECTED);
    expect(packingOf(Buffer.from('{"kind":"List"}'))).toBeUndefined();
    expect(packingOf(Buffer.alloc(512))).toBeUndefined();
  });

  it('that are too large to be kept in memory have the same files, in the order of the archive, the last of a name', async () => {
    const files = [{ path: 'dump/nodes.json', text: 'old' }, ...FILES];
    const packed = bytesFile('gather.tar.gz', gzipSync(tarOf(files)), 0);
    const kept = await openArchive(packed, 'gzip');
    const forward = await openArchive(packed, 'gzip', 0);
    expect(kept.files.map(({ path }) => path)).toEqual(['dump/nodes.json', 'dump/shop/pods.json']);
    expect(forward.files.map(({ path }) => path)).toEqual(['dump/shop/pods.json', 'dump/nodes.json']);
    for (const one of forward.files) expect(Buffer.from(await one.head(one.size)).toString()).toBe(EXPECTED[one.path as 'dump/nodes.json']);
    const cut = bytesFile('gather.tar.gz', gzipSync(tarOf(files).subarray(0, 514)), 0);
    expect((await openArchive(cut, 'gzip', 0)).notes.map(({ text }) => text)).toEqual([
      'the archive is cut off: only its beginning was read',
    ]);
  });

  it('may be one gzipped file', async () => {
    expect((await read(gzipSync('{"kind":"List"}'), 'shop.json.gz')).files).toEqual({ 'shop.json': '{"kind":"List"}' });
  });

  it('may be one gzipped file that is longer than a text', async () => {
    // No part of it is like another one that a compressor still sees.
    const block = Buffer.from(Array.from({ length: 64 * 1024 }, (_, index) => ((index * index * 31) % 1009 < 500 ? 0x20 : 0x0a)));
    const whole = Buffer.alloc(MAX_DOCUMENT_BYTES + 16 * block.length, block);
    whole.write('{"kind":"List"}');
    const packed = gzipSync(whole, { level: 1 }).subarray(0, -1000);
    const { files, notes } = await openArchive(bytesFile('shop.json.gz', packed, 7), 'gzip');
    expect(notes.map(({ text }) => text)).toEqual(['the archive is cut off: only its beginning was read']);
    const [file] = files;
    expect([file?.path, file?.modified]).toEqual(['shop.json', 7]);
    expect(Buffer.from((await file?.head(15)) ?? []).toString()).toBe('{"kind":"List"}');
    let size = 0;
    for await (const piece of file?.pieces() ?? []) size += piece.length;
    expect(size).toBeGreaterThan(MAX_DOCUMENT_BYTES);
    expect(size).toBe(file?.size);
    expect(await file?.tail(10)).toEqual(whole.subarray(size - 10, size));
  });

  it('are read from disk, each file by itself', async () => {
    const bytes = tarOf([...FILES, { path: 'dump/last.json', text: 'x'.repeat(100_000) }]);
    const asked: number[] = [];
    const range = (from: number, length: number): Promise<Uint8Array> => {
      asked.push(length);
      return Promise.resolve(bytes.subarray(from, from + length));
    };
    const { files } = await openArchive({ ...bytesFile('shop.tar', bytes, 0), range }, 'tar');
    expect(asked.length).toBeLessThanOrEqual(2);
    const [last] = files;
    expect([last?.path, last?.size]).toEqual(['dump/last.json', 100_000]);
    expect((await last?.tail(10))?.length).toBe(10);
    expect((await last?.range?.(99_999, 10))?.length).toBe(1);
    let size = 0;
    for await (const piece of last?.pieces() ?? []) size += piece.length;
    expect(size).toBe(100_000);
  });

  it('may have names longer than a tar header has room for', async () => {
    const long = `dump/${'a'.repeat(150)}/pods.json`;
    const record = ` path=${long}\n`;
    const pax = `${String(record.length + 3)}${record}`;
    const gnu = tarOf([
      { path: '././@LongLink', text: `${long}\0`, type: 'L' },
      { path: long, text: 'x' },
    ]);
    const posix = tarOf([
      { path: 'PaxHeaders/pods.json', text: pax, type: 'x' },
      { path: long, text: 'x' },
      { path: 'dump/next.json', text: 'y' },
    ]);
    expect((await read(gnu)).files).toEqual({ [long]: 'x' });
    expect((await read(posix)).files).toEqual({ [long]: 'x', 'dump/next.json': 'y' });
  });

  it('have entries passed over that lead out of them, and those of no use', async () => {
    const files = [
      { path: '../../etc/passwd', text: 'root' },
      { path: '/abs/pods.json', text: 'a' },
      { path: 'dump/._pods.json', text: 'b' },
      { path: '__MACOSX/pods.json', text: 'c' },
    ];
    expect((await read(zipOf(files))).files).toEqual({ 'abs/pods.json': 'a' });
    expect((await read(tarOf([...files, { path: 'link', type: '2' }]))).files).toEqual({ 'abs/pods.json': 'a' });
  });

  it('have hard links read as their targets, and links counted that lead to nothing in them', async () => {
    const { files, notes } = await read(
      tarOf([
        { path: 'dump/pods.json', text: 'a' },
        { path: 'dump/same.json', type: '1', target: 'dump/pods.json' },
        { path: 'logs/now', type: '2', target: '../dump/pods.json' },
        { path: 'logs/all', type: '2', target: '../dump' },
        { path: 'logs/out', type: '2', target: '../../pods.json' },
        { path: 'logs/host', type: '2', target: '/etc/passwd' },
        { path: 'logs/gone', type: '1', target: 'dump/gone.json' },
      ]),
    );
    expect(files).toEqual({ 'dump/pods.json': 'a', 'dump/same.json': 'a' });
    expect(notes).toEqual([expect.stringMatching(/links to files that are not in the archive \(3\)/)]);
  });

  it('are read as far as they go when they were cut off', async () => {
    const tar = tarOf([
      { path: 'a.json', text: '{}' },
      { path: 'b.json', text: 'x'.repeat(2000) },
    ]);
    const cut = await read(tar.subarray(0, 512 * 4));
    expect(cut.files['a.json']).toBe('{}');
    expect(cut.notes).toEqual(['the archive is cut off: only its beginning was read']);
    const noise = Array.from({ length: 4000 }, (_, index) => String((index * 7919) % 1_000_003)).join(' ');
    const gzip = gzipSync(
      tarOf([
        { path: 'a.json', text: '{}' },
        { path: 'b.json', text: noise },
      ]),
    );
    const half = await read(gzip.subarray(0, gzip.length - 200));
    expect(half.files['a.json']).toBe('{}');
    expect(half.notes[0]).toMatch(/cut off/);
  });

  it('are refused when they are damaged or of a kind that is not read', async () => {
    await expect(read(Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]))).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringMatching(/damaged/) as string,
    });
    await expect(read(zipOf(FILES).subarray(0, 60))).rejects.toMatchObject({ code: 'bad-input' });
    await expect(read(Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0, 0]), 'gather.tar.xz')).rejects.toMatchObject({
      code: 'unsupported',
      hint: expect.stringMatching(/tar -xJf/) as string,
    });
  });

  it('may not grow beyond all measure', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    await expect(read(bomb)).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringMatching(/grows by more than a factor of 200/) as string,
    });
    const zipped = await read(
      zipOf([
        { path: 'zeros.json', text: '0'.repeat(64 * 1024 * 1024) },
        { path: 'pods.json', text: '{}' },
      ]),
    );
    expect(zipped.files).toEqual({ 'pods.json': '{}' });
    expect(zipped.notes).toEqual(['not read: the unpacked file is too large']);
  });

  it('are refused, with the name of the entry, where an entry is not what was packed', async () => {
    const zip = zipOf([
      { path: 'dump/pods.json', text: '{"kind":"PodList","items":[]}' },
      { path: 'dump/nodes.json', text: '{}' },
    ]);
    const pods = (await opened(zip)).files.find(({ path }) => path === 'dump/pods.json');
    expect(Buffer.from((await pods?.head(9)) ?? []).toString()).toBe('{"kind":"');
    // The checksum of the first entry in the table of contents, which follows the entries.
    const table = zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    const wrong = Buffer.from(zip);
    wrong[table + 16] = (wrong[table + 16] ?? 0) ^ 1;
    await expect(read(wrong)).rejects.toMatchObject({
      code: 'bad-input',
      message: 'shop.archive is damaged: dump/pods.json: its checksum (CRC-32) is wrong',
      hint: 'Download it again.',
    });
    const short = Buffer.from(zip);
    short.writeUInt32LE(28, table + 24);
    await expect(read(short)).rejects.toMatchObject({ message: 'shop.archive is damaged: dump/pods.json: it should have 28 bytes' });
  });

  it('say how many of their files are not read', async () => {
    const many = Array.from({ length: 50_003 }, (_, index) => ({ path: `dump/${String(index)}.json`, text: '' }));
    const { files, notes } = await opened(zipOf(many));
    expect(files.length).toBe(50_000);
    expect(notes.map(({ text }) => text)).toEqual(['only the first 50000 files are read: 3 more are in the archive']);
    const zip = zipOf(FILES.slice(1));
    zip.writeUInt16LE(5, zip.length - 22 + 10);
    expect((await opened(zip)).notes.map(({ text }) => text)).toEqual([
      'the archive is damaged, or larger than zip allows without extensions: 3 of 5 files were not read',
    ]);
  });

  it('are not read beyond a header of a size that no path has, and no sparse file and no device of them is', async () => {
    const huge = tarOf([
      { path: 'a.json', text: '{}' },
      { path: 'PaxHeaders/b.json', text: `9 path=b\n${'x'.repeat(2_000_000)}`, type: 'x' },
      { path: 'b.json', text: '{}' },
    ]);
    expect(await read(huge)).toEqual({
      files: { 'a.json': '{}' },
      notes: ['only its beginning was read: a header of 2000009 bytes follows'],
    });
    const sparse = tarOf([
      { path: 'disk.img', text: '', type: 'S' },
      { path: 'fifo', type: '6' },
      { path: 'zero', type: '3' },
      { path: 'a.json', text: '{}' },
    ]);
    expect(await read(sparse)).toEqual({
      files: { 'a.json': '{}' },
      notes: ['not read: a sparse file', 'not read: devices and pipes in the archive (2)'],
    });
  });
});
