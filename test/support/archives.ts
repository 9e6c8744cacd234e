import { deflateRawSync } from 'node:zlib';
import { crc32 } from '../../src/clusters/snapshot/crc32.ts';

/** An entry of an archive under test; a folder's path ends with `/`. */
export interface PackedFile {
  readonly path: string;
  readonly text?: string;
  /** As tar has it: `0` file, `1` hard link, `2` symbolic link, `5` folder, `L` GNU long name, `x` pax header. */
  readonly type?: string;
  /** Where a link of tar leads. */
  readonly target?: string;
}

/** A ustar archive. */
export function tarOf(files: readonly PackedFile[]): Buffer {
  const blocks = files.flatMap(({ path, text = '', type = '0', target = '' }) => {
    const content = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(path.slice(0, 100), 0);
    header.write('0000644\0', 100);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write(
      `${Math.floor(Date.UTC(2026, 10, 21, 10) / 1000)
        .toString(8)
        .padStart(11, '0')}\0`,
      136,
    );
    header.write('        ', 148);
    header.write(type, 156);
    header.write(target, 157);
    header.write('ustar\x0000', 257);
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** A zip archive of deflated entries. */
export function zipOf(files: readonly PackedFile[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { path, text = '' } of files) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(text);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(Buffer.from(text)), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(Buffer.byteLength(text), 18);
    fields.writeUInt16LE(name.length, 22);
    const signed = (signature: number): Buffer => Buffer.from(new Uint32Array([signature]).buffer);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    local.push(signed(0x04034b50), fields, name, packed);
    central.push(signed(0x02014b50), Buffer.from([20, 0]), fields, tail, name);
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(central).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...central, end]);
}
