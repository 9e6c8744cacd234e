/** A file to pack: its path within the archive has at most 100 bytes. */
export interface TarFile {
  readonly path: string;
  readonly content: Uint8Array;
}

const BLOCK = 512;

/** A ustar archive of plain files, all written at one time (milliseconds). Source: POSIX.1-1988, the header of ustar. */
export function tarOf(files: readonly TarFile[], modified: number): Uint8Array {
  const parts = files.flatMap(({ path, content }) => {
    const padding = (BLOCK - (content.length % BLOCK)) % BLOCK;
    return [headerOf(path, content.length, modified), content, new Uint8Array(padding)];
  });
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK)]);
}

function headerOf(path: string, size: number, modified: number): Uint8Array {
  const header = Buffer.alloc(BLOCK);
  header.write(path, 0, 100);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${octal(size, 11)}\0`, 124);
  header.write(`${octal(Math.floor(modified / 1000), 11)}\0`, 136);
  // The checksum counts its own field as blanks.
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
